(** Systems of linear equations in fractions: n equations have a solution that is not 0 in n + 1 unknowns, and so a square
    matrix that maps nothing but 0 to 0 reaches every vector. *)

From Etalon Require Export Sums.

(** All indices but p. *)
Definition skip (p j : nat) : nat := if Nat.ltb j p then j else S j.

Lemma sum_skip n p f : (p <= n)%nat -> sum (S n) f == f p + sum n (fun j => f (skip p j)).
Proof.
  induction n as [|n IH]; intros Hp.
  - replace p with 0%nat by lia. simpl. ring.
  - destruct (Nat.eq_dec p (S n)) as [->|N].
    + change (sum (S (S n)) f) with (sum (S n) f + f (S n)). rewrite (sum_ext (S n) f (fun j => f (skip (S n) j))); [ring|].
      intros j Hj. unfold skip. destruct (Nat.ltb_spec j (S n)); [reflexivity|lia].
    + change (sum (S (S n)) f) with (sum (S n) f + f (S n)). rewrite IH by lia.
      change (sum (S n) (fun j => f (skip p j))) with (sum n (fun j => f (skip p j)) + f (skip p n)).
      unfold skip at 3. destruct (Nat.ltb_spec n p); [lia|]. ring.
Qed.

Definition unskip (p j : nat) : nat := if Nat.ltb j p then j else (j - 1)%nat.
Lemma unskip_skip p j : unskip p (skip p j) = j /\ skip p j <> p.
Proof.
  unfold unskip, skip. destruct (Nat.ltb_spec j p).
  - destruct (Nat.ltb_spec j p); lia.
  - destruct (Nat.ltb_spec (S j) p); lia.
Qed.

Lemma all_zero_or_not n (f : nat -> Q) :
  (forall j, (j < n)%nat -> f j == 0) \/ exists p, (p < n)%nat /\ ~ f p == 0.
Proof.
  induction n as [|n [IH|(p & Hp & N)]].
  - left. intros j Hj. lia.
  - destruct (Qeq_dec (f n) 0) as [E|E].
    + left. intros j Hj. destruct (Nat.eq_dec j n) as [->|]; [exact E|apply IH; lia].
    + right. exists n. split; [lia|exact E].
  - right. exists p. split; [lia|exact N].
Qed.

Lemma dependent n (A : nat -> nat -> Q) :
  exists x, (exists j, (j < S n)%nat /\ ~ x j == 0) /\ forall i, (i < n)%nat -> mv (S n) A x i == 0.
Proof.
  revert A. induction n as [|n IH]; intros A.
  - exists (fun _ => 1). split; [exists 0%nat; split; [lia|lra]|lia].
  - destruct (all_zero_or_not (S (S n)) (A n)) as [Z|(p & Hp & N)].
    + destruct (IH A) as (x & (j & Hj & Nj) & H). exists (fun j => if Nat.ltb j (S n) then x j else 0). split.
      * exists j. split; [lia|]. destruct (Nat.ltb_spec j (S n)); [exact Nj|lia].
      * intros i Hi. destruct (Nat.eq_dec i n) as [->|Ni].
        -- apply sum_zero. intros l Hl. rewrite (Z l Hl). ring.
        -- unfold mv. change (sum (S (S n)) ?f) with (sum (S n) f + f (S n)).
           cbv beta. destruct (Nat.ltb_spec (S n) (S n)); [lia|].
           rewrite (sum_ext (S n) _ (fun j => A i j * x j)); [unfold mv in H; rewrite H by lia; ring|].
           intros l Hl. destruct (Nat.ltb_spec l (S n)); [reflexivity|lia].
    + (* The last equation says what x_p is; without it the others have one unknown less. *)
      set (B := fun i j => A i (skip p j) - A i p * A n (skip p j) / A n p).
      destruct (IH B) as (y & (j & Hj & Nj) & H).
      set (own := - sum (S n) (fun j => A n (skip p j) * y j) / A n p).
      set (x := fun j => if Nat.eqb j p then own else y (unskip p j)).
      assert (XP : x p = own) by (unfold x; now rewrite Nat.eqb_refl).
      assert (XS : forall l, x (skip p l) = y l).
      { intros l. destruct (unskip_skip p l) as [U V]. unfold x.
        destruct (Nat.eqb_spec (skip p l) p); [contradiction|now rewrite U]. }
      assert (sums : forall i, mv (S (S n)) A x i == A i p * own + sum (S n) (fun l => A i (skip p l) * y l)).
      { intros i. unfold mv. rewrite (sum_skip (S n) p) by lia. rewrite XP. apply Qplus_comp; [reflexivity|].
        apply sum_ext. intros l _. now rewrite XS. }
      exists x. split.
      * exists (skip p j). rewrite XS. split; [|exact Nj]. unfold skip. destruct (Nat.ltb_spec j p); lia.
      * intros i Hi. rewrite sums. destruct (Nat.eq_dec i n) as [->|Ni].
        -- unfold own. field. exact N.
        -- specialize (H i ltac:(lia)). unfold mv, B in H.
           rewrite (sum_ext (S n) _ (fun l => A i (skip p l) * y l - A i p / A n p * (A n (skip p l) * y l))) in H
             by (intros; field; exact N).
           rewrite sum_minus, sum_scale in H. unfold own.
           setoid_replace (A i p * (- sum (S n) (fun j => A n (skip p j) * y j) / A n p))
             with (- (A i p / A n p * sum (S n) (fun j => A n (skip p j) * y j))) by (field; exact N).
           lra.
Qed.

Theorem onto n (A : nat -> nat -> Q) (y : nat -> Q) :
  (forall x, (forall i, (i < n)%nat -> mv n A x i == 0) -> forall j, (j < n)%nat -> x j == 0) ->
  exists v, forall i, (i < n)%nat -> mv n A v i == y i.
Proof.
  intros H. destruct (dependent n (fun i j => if Nat.ltb j n then A i j else y i)) as (x & (j & Hj & Nj) & E).
  assert (E' : forall i, (i < n)%nat -> mv n A x i + y i * x n == 0).
  { intros i Hi. rewrite <- (E i Hi). unfold mv. change (sum (S n) ?f) with (sum n f + f n).
    cbv beta. destruct (Nat.ltb_spec n n); [lia|]. apply Qplus_comp; [|reflexivity]. apply sum_ext. intros l Hl.
    destruct (Nat.ltb_spec l n); [reflexivity|lia]. }
  destruct (Qeq_dec (x n) 0) as [Z|Z].
  - exfalso. apply Nj. destruct (Nat.eq_dec j n) as [->|Ne]; [exact Z|]. apply H; [|lia].
    intros i Hi. specialize (E' i Hi). rewrite Z in E'. lra.
  - exists (fun j => - / x n * x j). intros i Hi. specialize (E' i Hi). unfold mv in *.
    rewrite (sum_ext n _ (fun j => - / x n * (A i j * x j))) by (intros; ring). rewrite sum_scale.
    setoid_replace (sum n (fun j => A i j * x j)) with (- (y i * x n)) by lra. field. exact Z.
Qed.

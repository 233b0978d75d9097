(** Finite sums of fractions: all the linear algebra of these proofs is made of them.

    A vector is a function from indices to fractions, of which the first [n] entries count; a matrix
    is a function of two indices. *)

From Coq Require Export QArith Qabs Lqa Lia List Bool PeanoNat.
Export ListNotations.
Open Scope Q_scope.

(** ** The sum of the first [n] values of [f]. *)
Fixpoint sum (n : nat) (f : nat -> Q) : Q :=
  match n with O => 0 | S k => sum k f + f k end.

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i == g i) -> sum n f == sum n g.
Proof.
  induction n as [|n IH]; intros E; simpl; [reflexivity|].
  rewrite IH, (E n) by (intros; try apply E; lia). reflexivity.
Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i == 0) -> sum n f == 0.
Proof.
  induction n as [|n IH]; intros E; simpl; [reflexivity|].
  rewrite IH, (E n) by (intros; try apply E; lia). lra.
Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) == sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) == sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_scale n c f : sum n (fun i => c * f i) == c * sum n f.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_scale_right n c f : sum n (fun i => f i * c) == sum n f * c.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_opp n f : sum n (fun i => - f i) == - sum n f.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; lra. Qed.

(** The order of two sums does not matter. *)
Lemma sum_swap n m f :
  sum n (fun i => sum m (fun j => f i j)) == sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; simpl.
  - symmetry. apply sum_zero. reflexivity.
  - rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof.
  induction n as [|n IH]; intros E; simpl; [lra|].
  assert (0 <= sum n f) by (apply IH; intros; apply E; lia).
  assert (0 <= f n) by (apply E; lia). lra.
Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  intros E. assert (0 <= sum n (fun i => g i - f i)) as H.
  { apply sum_nonneg. intros i Hi. specialize (E i Hi). lra. }
  rewrite sum_minus in H. lra.
Qed.

(** Terms that are not negative, and whose sum is not positive, are all 0. *)
Lemma sum_nonneg_zero n f :
  (forall i, (i < n)%nat -> 0 <= f i) -> sum n f <= 0 -> forall i, (i < n)%nat -> f i == 0.
Proof.
  induction n as [|n IH]; intros E H i Hi; [lia|]. simpl in H.
  assert (0 <= sum n f) by (apply sum_nonneg; intros; apply E; lia).
  assert (0 <= f n) by (apply E; lia).
  destruct (Nat.eq_dec i n) as [->|Hn]; [lra|].
  apply IH; [intros; apply E; lia | lra | lia].
Qed.

Lemma sum_nonpos_zero n f :
  (forall i, (i < n)%nat -> f i <= 0) -> 0 <= sum n f -> forall i, (i < n)%nat -> f i == 0.
Proof.
  intros E H i Hi. assert (- f i == 0); [|lra].
  apply (sum_nonneg_zero n (fun i => - f i)); auto.
  - intros j Hj. specialize (E j Hj). lra.
  - rewrite sum_opp. lra.
Qed.

(** A sum with one term other than 0. *)
Lemma sum_only n k f :
  (k < n)%nat -> (forall i, (i < n)%nat -> i <> k -> f i == 0) -> sum n f == f k.
Proof.
  induction n as [|n IH]; intros Hk E; [lia|]. simpl.
  destruct (Nat.eq_dec k n) as [->|Hn].
  - rewrite sum_zero by (intros; apply E; lia). lra.
  - rewrite IH, (E n) by (intros; try apply E; lia). lra.
Qed.

(** The sum with its first term taken apart. *)
Lemma sum_first n f : sum (S n) f == f 0%nat + sum n (fun i => f (S i)).
Proof.
  induction n as [|n IH]; [simpl; lra|].
  change (sum (S n) f + f (S n) == f 0%nat + (sum n (fun i => f (S i)) + f (S n))).
  rewrite IH. lra.
Qed.

Lemma sum_abs n f : Qabs (sum n f) <= sum n (fun i => Qabs (f i)).
Proof.
  induction n as [|n IH]; simpl; [apply Qle_refl|].
  eapply Qle_trans; [apply Qabs_triangle|]. lra.
Qed.

(** ** 1 at [k], and 0 elsewhere. *)
Definition unit (k j : nat) : Q := if Nat.eqb k j then 1 else 0.

Lemma unit_same k : unit k k = 1.
Proof. unfold unit. now rewrite Nat.eqb_refl. Qed.

Lemma unit_other k j : j <> k -> unit k j = 0.
Proof. intros H. unfold unit. destruct (Nat.eqb_spec k j); [congruence|reflexivity]. Qed.

Lemma sum_unit n k z : (k < n)%nat -> sum n (fun j => unit k j * z j) == z k.
Proof.
  intros Hk. rewrite (sum_only n k); [rewrite unit_same; lra | assumption |].
  intros i _ Hi. rewrite unit_other by assumption. lra.
Qed.

(** ** Matrices. *)

(** Entry [i] of the product of a matrix and a vector. *)
Definition mv (n : nat) (A : nat -> nat -> Q) (x : nat -> Q) (i : nat) : Q :=
  sum n (fun j => A i j * x j).

(** The bilinear form x'Ay, and the quadratic form x'Ax. *)
Definition bil n A (x y : nat -> Q) : Q := sum n (fun i => x i * mv n A y i).
Definition quad n A (x : nat -> Q) : Q := bil n A x x.

(** Equality of the entries that count. *)
Definition same (n : nat) (x y : nat -> Q) : Prop := forall i, (i < n)%nat -> x i == y i.
Definition same_matrix n (A B : nat -> nat -> Q) : Prop :=
  forall i j, (i < n)%nat -> (j < n)%nat -> A i j == B i j.
Definition symmetric n (A : nat -> nat -> Q) : Prop :=
  forall i j, (i < n)%nat -> (j < n)%nat -> A i j == A j i.

Lemma mv_ext n A B x y i :
  (forall j, (j < n)%nat -> A i j == B i j) -> same n x y -> mv n A x i == mv n B y i.
Proof. intros E F. apply sum_ext. intros j Hj. unfold same in F. now rewrite E, F. Qed.

Lemma mv_minus n A x y i : mv n A (fun j => x j - y j) i == mv n A x i - mv n A y i.
Proof. unfold mv. rewrite <- sum_minus. apply sum_ext. intros. lra. Qed.

Lemma mv_plus_scale n A x y t i :
  mv n A (fun j => x j + t * y j) i == mv n A x i + t * mv n A y i.
Proof. unfold mv. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros. lra. Qed.

Lemma mv_unit n A k i : (k < n)%nat -> mv n A (unit k) i == A i k.
Proof.
  intros Hk. unfold mv. rewrite (sum_only n k); [rewrite unit_same; lra | assumption |].
  intros j _ Hj. rewrite unit_other by assumption. lra.
Qed.

Lemma bil_ext n A B x y x' y' :
  same_matrix n A B -> same n x x' -> same n y y' -> bil n A x y == bil n B x' y'.
Proof.
  intros E F G. apply sum_ext. intros i Hi. unfold same, same_matrix in *. rewrite (F i Hi).
  now rewrite (mv_ext n A B y y') by auto.
Qed.

Lemma bil_symmetric n A x y : symmetric n A -> bil n A x y == bil n A y x.
Proof.
  intros E. unfold bil, mv.
  rewrite (sum_ext n _ (fun i => sum n (fun j => x i * A i j * y j)))
    by (intros; rewrite <- sum_scale; apply sum_ext; intros; lra).
  rewrite sum_swap. apply sum_ext. intros j Hj.
  rewrite <- sum_scale. apply sum_ext. intros i Hi. rewrite (E i j) by auto. lra.
Qed.

Lemma bil_unit n A k x : (k < n)%nat -> bil n A (unit k) x == mv n A x k.
Proof. intros Hk. unfold bil. now rewrite sum_unit. Qed.

(** x + t y in the quadratic form. *)
Lemma quad_line n A x y t :
  quad n A (fun i => x i + t * y i)
  == quad n A x + t * (bil n A x y + bil n A y x) + t * t * quad n A y.
Proof.
  unfold quad, bil.
  rewrite (sum_ext n _ (fun i => x i * mv n A x i + (t * (x i * mv n A y i)
    + (t * (y i * mv n A x i) + t * t * (y i * mv n A y i)))))
    by (intros; rewrite mv_plus_scale; lra).
  rewrite !sum_plus, !sum_scale. lra.
Qed.

(** ** The first index taken apart. *)

(** A number in front of a vector, what comes after the first entry, and the block of a matrix
    without its first row and column. *)
Definition cons (v : Q) (x : nat -> Q) (i : nat) : Q := match i with O => v | S j => x j end.
Definition tail (x : nat -> Q) (i : nat) : Q := x (S i).
Definition block (A : nat -> nat -> Q) (i j : nat) : Q := A (S i) (S j).

(** The Schur complement of the first entry of the diagonal. *)
Definition schur (A : nat -> nat -> Q) (i j : nat) : Q :=
  A (S i) (S j) - A (S i) 0%nat * A 0%nat (S j) / A 0%nat 0%nat.

Lemma mv_first n A x i : mv (S n) A x i == A i 0%nat * x 0%nat + sum n (fun j => A i (S j) * x (S j)).
Proof. apply sum_first. Qed.

Lemma mv_schur n A x i :
  ~ A 0%nat 0%nat == 0 ->
  mv n (schur A) x i
  == sum n (fun j => A (S i) (S j) * x j)
     - A (S i) 0%nat / A 0%nat 0%nat * sum n (fun j => A 0%nat (S j) * x j).
Proof.
  intros Hp. unfold mv. rewrite <- sum_scale, <- sum_minus. apply sum_ext. intros j _.
  unfold schur. field. assumption.
Qed.

(** ** The largest of finitely many numbers. *)
Lemma largest n (f : nat -> Q) :
  (0 < n)%nat -> exists k, (k < n)%nat /\ forall i, (i < n)%nat -> f i <= f k.
Proof.
  induction n as [|n IH]; intros Hn; [lia|]. destruct n as [|n].
  - exists 0%nat. split; [lia|]. intros i Hi. replace i with 0%nat by lia. lra.
  - destruct IH as (k & Hk & H); [lia|].
    destruct (Qlt_le_dec (f k) (f (S n))) as [L|L].
    + exists (S n). split; [lia|]. intros i Hi. destruct (Nat.eq_dec i (S n)) as [->|]; [lra|].
      specialize (H i ltac:(lia)). lra.
    + exists k. split; [lia|]. intros i Hi. destruct (Nat.eq_dec i (S n)) as [->|]; [lra|].
      apply H. lia.
Qed.

(** ** Decisions for the first [n] indices. *)
Fixpoint all (n : nat) (f : nat -> bool) : bool :=
  match n with O => true | S k => f k && all k f end.

Lemma all_true n f : all n f = true <-> forall i, (i < n)%nat -> f i = true.
Proof.
  induction n as [|n IH]; simpl; [split; [lia|reflexivity]|].
  rewrite andb_true_iff, IH. split.
  - intros [H1 H2] i Hi. destruct (Nat.eq_dec i n) as [->|]; [assumption|]. apply H2. lia.
  - intros H. split; [apply H; lia|]. intros i Hi. apply H. lia.
Qed.

(** Strict and reversed comparisons. *)
Definition positive (x : Q) : bool := negb (Qle_bool x 0).
Definition negative (x : Q) : bool := negb (Qle_bool 0 x).

Lemma Qle_bool_false x y : Qle_bool x y = false <-> y < x.
Proof.
  split; intros H.
  - destruct (Qlt_le_dec y x) as [L|L]; [assumption|].
    apply Qle_bool_iff in L. congruence.
  - destruct (Qle_bool x y) eqn:E; [|reflexivity]. apply Qle_bool_iff in E. lra.
Qed.

Lemma positive_true x : positive x = true <-> 0 < x.
Proof. unfold positive. rewrite negb_true_iff. apply Qle_bool_false. Qed.

Lemma negative_true x : negative x = true <-> x < 0.
Proof. unfold negative. rewrite negb_true_iff. apply Qle_bool_false. Qed.

Definition nonzero (x : Q) : bool := negb (Qeq_bool x 0).

Lemma nonzero_true x : nonzero x = true <-> ~ x == 0.
Proof.
  unfold nonzero. rewrite negb_true_iff. split.
  - apply Qeq_bool_neq.
  - intros H. destruct (Qeq_bool x 0) eqn:E; [|reflexivity]. apply Qeq_bool_iff in E. contradiction.
Qed.

(** ** Lengths of lists: names that no version of the library takes back. *)
Lemma length_of_map {A B} (f : A -> B) l : length (map f l) = length l.
Proof. induction l; simpl; congruence. Qed.

Lemma length_of_seq len start : length (seq start len) = len.
Proof. revert start. induction len; simpl; congruence. Qed.

Lemma length_of_app {A} (l l' : list A) : length (l ++ l') = (length l + length l')%nat.
Proof. induction l; simpl; congruence. Qed.

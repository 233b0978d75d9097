(** Deciding the classes of matrices, on tables: an elimination on functions would be done again at
    each look. The first row is eliminated; rows keep their order. *)

From Etalon Require Export Minors.
From Etalon Require Import Equations.

Definition rows := list (list Q).

(** Entry (i, j) of a table. *)
Definition get (r : rows) (i j : nat) : Q := nth j (nth i r []) 0.

Definition to_rows (n : nat) (A : nat -> nat -> Q) : rows := table n (fun i => table n (A i)).

Lemma nth_table {T} n (f : nat -> T) d i : (i < n)%nat -> nth i (table n f) d = f i.
Proof.
  intros H. unfold table. rewrite (nth_indep _ d (f 0%nat)) by (now rewrite length_of_map, length_of_seq).
  rewrite map_nth, seq_nth by assumption. reflexivity.
Qed.

Lemma get_to_rows n A i j : (i < n)%nat -> (j < n)%nat -> get (to_rows n A) i j = A i j.
Proof. intros Hi Hj. unfold get, to_rows. now rewrite !nth_table. Qed.

(** n rows of n entries. *)
Definition square (n : nat) (r : rows) : Prop :=
  length r = n /\ forall row, In row r -> length row = n.

Lemma to_rows_square n A : square n (to_rows n A).
Proof.
  split; [apply table_length|]. intros row H. unfold to_rows, table in H.
  apply in_map_iff in H. destruct H as (i & <- & _). apply table_length.
Qed.

(** ** One step: rows without their first entry, and less a multiple of the first row. *)
Fixpoint combine (f : Q -> Q -> Q) (x y : list Q) : list Q :=
  match x, y with s :: x', t :: y' => f s t :: combine f x' y' | _, _ => [] end.

Definition without (row : list Q) : list Q := match row with [] => [] | _ :: t => t end.

(** (pivot x - h y) / previous: the Schur complement times pivot / previous, which keeps integers
    integers (Bareiss 1968). Any positive factor serves. *)
Definition reduce (previous pivot : Q) (above row : list Q) : list Q :=
  match row with
  | [] => []
  | h :: t => if Qeq_bool h 0 then map (fun x => pivot * x / previous) t
              else combine (fun x y => (pivot * x - h * y) / previous) t above
  end.

Lemma combine_length f x y : length x = length y -> length (combine f x y) = length x.
Proof.
  revert y. induction x as [|s x IH]; intros [|t y] E; try discriminate; [reflexivity|].
  simpl in *. f_equal. apply IH. congruence.
Qed.

Lemma combine_nth f x y j :
  (j < length x)%nat -> length x = length y -> nth j (combine f x y) 0 = f (nth j x 0) (nth j y 0).
Proof.
  revert y j. induction x as [|s x IH]; intros [|t y] j H E; simpl in *; try discriminate; [lia|].
  destruct j as [|j]; [reflexivity|]. apply IH; [lia|congruence].
Qed.

Lemma square_cons n p above rest :
  square (S n) ((p :: above) :: rest) ->
  length above = n /\ length rest = n /\ (forall row, In row rest -> length row = S n).
Proof.
  intros [L R]. pose proof (R (p :: above) (or_introl eq_refl)). simpl in *.
  repeat split; [congruence|congruence|auto].
Qed.

Lemma reduce_length previous pivot above row n :
  length above = n -> length row = S n -> length (reduce previous pivot above row) = n.
Proof.
  destruct row as [|h t]; simpl; [discriminate|]. intros A E.
  destruct (Qeq_bool h 0); [rewrite length_of_map; congruence|].
  rewrite combine_length; congruence.
Qed.

Lemma reduce_square n previous pivot p above rest :
  square (S n) ((p :: above) :: rest) -> square n (map (reduce previous pivot above) rest).
Proof.
  intros H. apply square_cons in H. destruct H as (A & B & C). split; [rewrite length_of_map; assumption|].
  intros row I. apply in_map_iff in I. destruct I as (r & <- & I). apply reduce_length; auto.
Qed.

Lemma without_square n p above rest :
  square (S n) ((p :: above) :: rest) -> square n (map without rest).
Proof.
  intros H. apply square_cons in H. destruct H as (A & B & C). split; [rewrite length_of_map; assumption|].
  intros row I. apply in_map_iff in I. destruct I as (r & <- & I). specialize (C r I).
  destruct r; simpl in *; [discriminate|congruence].
Qed.

Lemma get_without first rest i j : get (map without rest) i j = block (get (first :: rest)) i j.
Proof.
  unfold get, block. simpl. change (@nil Q) with (without []) at 1. rewrite map_nth.
  destruct (nth i rest []); simpl; [destruct j; reflexivity|reflexivity].
Qed.

Lemma get_reduce n previous p above rest i j :
  square (S n) ((p :: above) :: rest) -> 0 < p -> 0 < previous -> (i < n)%nat -> (j < n)%nat ->
  get (map (reduce previous p above) rest) i j
  == p / previous * schur (get ((p :: above) :: rest)) i j.
Proof.
  intros H P R Hi Hj. apply square_cons in H. destruct H as (A & B & C).
  unfold get, schur. simpl nth.
  change (@nil Q) with (reduce previous p above []) at 1. rewrite map_nth. 
  assert (I : In (nth i rest []) rest) by (apply nth_In; lia). specialize (C _ I).
  destruct (nth i rest []) as [|h t]; [discriminate|]. simpl in C. simpl nth. unfold reduce.
  destruct (Qeq_bool h 0) eqn:E.
  - apply Qeq_bool_iff in E.
    set (f := fun x => p * x / previous).
    rewrite (nth_indep (map f t) 0 (f 0)) by (rewrite length_of_map; lia).
    rewrite map_nth. unfold f. rewrite E. field. lra.
  - rewrite combine_nth by (congruence || lia). field. lra.
Qed.

(** ** Quadratic forms. *)

(** The first row and column taken apart, by completing the square. *)
Lemma quad_first n A x :
  symmetric (S n) A ->
  quad (S n) A x == A 0%nat 0%nat * x 0%nat * x 0%nat
    + 2 * x 0%nat * sum n (fun j => A 0%nat (S j) * x (S j)) + quad n (block A) (tail x).
Proof.
  intros Y. unfold quad, bil. rewrite sum_first, mv_first.
  rewrite (sum_ext n (fun i => x (S i) * mv (S n) A x (S i))
    (fun i => x 0%nat * (A 0%nat (S i) * x (S i)) + tail x i * mv n (block A) (tail x) i)).
  - rewrite sum_plus, sum_scale. lra.
  - intros i Hi. rewrite mv_first, (Y (S i) 0%nat) by lia. unfold mv, block, tail. ring.
Qed.

Lemma quad_schur n A x :
  symmetric (S n) A -> 0 < A 0%nat 0%nat ->
  let r := sum n (fun j => A 0%nat (S j) * x (S j)) in
  quad (S n) A x == A 0%nat 0%nat * ((x 0%nat + r / A 0%nat 0%nat) * (x 0%nat + r / A 0%nat 0%nat))
    + quad n (schur A) (tail x).
Proof.
  intros Y P r. rewrite quad_first by assumption. fold r.
  assert (E : quad n (schur A) (tail x) == quad n (block A) (tail x) - r * r / A 0%nat 0%nat).
  { unfold quad, bil.
    rewrite (sum_ext n _ (fun i => tail x i * mv n (block A) (tail x) i
      - (r / A 0%nat 0%nat) * (A 0%nat (S i) * x (S i)))).
    - rewrite sum_minus, sum_scale. fold r. field. lra.
    - intros i Hi. rewrite mv_schur by lra. rewrite (Y (S i) 0%nat) by lia.
      change (sum n (fun j => A 0%nat (S j) * tail x j)) with r.
      unfold mv, block, tail. field. lra. }
  rewrite E. field. lra.
Qed.

Lemma schur_symmetric n A : symmetric (S n) A -> symmetric n (schur A).
Proof.
  intros E i j Hi Hj. unfold schur.
  rewrite (E (S i) (S j)), (E (S i) 0%nat), (E (S j) 0%nat) by lia. unfold Qdiv. ring.
Qed.

Lemma quad_scale n c A x : quad n (fun i j => c * A i j) x == c * quad n A x.
Proof.
  unfold quad, bil. rewrite <- sum_scale. apply sum_ext. intros i _.
  setoid_replace (mv n (fun i j => c * A i j) x i) with (c * mv n A x i); [ring|].
  unfold mv. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

(** Each pivot is positive, or (not strictly) 0 with a zero row. *)
Fixpoint check_quadratic (strictly : bool) (n : nat) (previous : Q) (r : rows) : bool :=
  match n, r with
  | O, _ => true
  | S k, (p :: above) :: rest =>
      if positive p then check_quadratic strictly k p (map (reduce previous p above) rest)
      else negb strictly && Qeq_bool p 0 && forallb (fun x => Qeq_bool x 0) above &&
           check_quadratic strictly k previous (map without rest)
  | _, _ => false
  end.

Lemma check_quadratic_sound strictly n : forall previous r,
  square n r -> symmetric n (get r) -> 0 < previous -> check_quadratic strictly n previous r = true ->
  semidefinite n (get r) /\ (strictly = true -> definite n (get r)).
Proof.
  induction n as [|n IH]; intros previous r Q Y R C.
  - split; [intros x; unfold quad, bil; simpl; lra|]. intros _ x _ i Hi. lia.
  - destruct r as [|[|p above] rest]; try discriminate. simpl in C.
    set (A := get ((p :: above) :: rest)) in *. assert (E : A 0%nat 0%nat = p) by reflexivity.
    destruct (positive p) eqn:P.
    + apply positive_true in P.
      set (r' := map (reduce previous p above) rest) in *.
      assert (F : same_matrix n (get r') (fun i j => p / previous * schur A i j)).
      { intros i j Hi Hj. unfold r'. rewrite (get_reduce n) by assumption. reflexivity. }
      assert (K : 0 < p / previous) by (apply Qlt_shift_div_l; lra).
      destruct (IH p r') as [SD D]; [eapply reduce_square; eassumption| |assumption|assumption|].
      { intros i j Hi Hj. rewrite (F i j), (F j i) by assumption.
        pose proof (schur_symmetric n A Y i j Hi Hj) as G. now rewrite G. }
      assert (G : forall x, quad n (get r') x == p / previous * quad n (schur A) x).
      { intros x. rewrite <- quad_scale. apply bil_ext; [assumption|intros ? _; reflexivity..]. }
      split.
      * intros x. rewrite quad_schur by (rewrite ?E; assumption). cbv zeta. rewrite E.
        specialize (SD (tail x)). rewrite G in SD.
        assert (0 <= quad n (schur A) (tail x)) by nra.
        set (y := x 0%nat + _). assert (0 <= y * y) by (destruct (Qlt_le_dec y 0); nra). nra.
      * intros T x. rewrite quad_schur by (rewrite ?E; assumption). cbv zeta. rewrite E.
        intros Z. set (g := sum n (fun j => A 0%nat (S j) * x (S j))) in *.
        set (y := x 0%nat + g / p) in *. pose proof (SD (tail x)) as SX. rewrite G in SX.
        assert (0 <= quad n (schur A) (tail x)) by nra.
        assert (YY : 0 <= y * y) by (destruct (Qlt_le_dec y 0); nra).
        assert (0 <= p * (y * y)) by nra.
        assert (TZ : forall j, (j < n)%nat -> tail x j == 0).
        { apply (D T). rewrite G. assert (quad n (schur A) (tail x) <= 0) by lra. nra. }
        assert (GZ : g == 0).
        { apply sum_zero. intros j Hj. specialize (TZ j Hj). unfold tail in TZ. rewrite TZ. ring. }
        assert (Y0 : y == 0).
        { destruct (Qeq_dec y 0) as [|N]; [assumption|].
          pose proof (square_positive y N). assert (0 < p * (y * y)) by nra. lra. }
        intros [|j] Hj; [|apply TZ; lia]. unfold y in Y0. rewrite GZ in Y0.
        assert (0 / p == 0) by (field; lra). lra.
    + rewrite !andb_true_iff, negb_true_iff, Qeq_bool_iff in C. destruct C as [[[N Z] B] C].
      subst strictly. split; [|discriminate].
      destruct (IH previous (map without rest)) as [SD _];
        [eapply without_square; eassumption| |assumption|assumption|].
      { intros i j Hi Hj. rewrite !(get_without (p :: above)). apply Y; lia. }
      intros x. rewrite quad_first by assumption. rewrite E, Z.
      rewrite (sum_zero n).
      * specialize (SD (tail x)).
        assert (F : quad n (get (map without rest)) (tail x) == quad n (block A) (tail x)).
        { apply bil_ext; [|intros ? _; reflexivity..]. intros i j _ _.
          rewrite (get_without (p :: above)). reflexivity. }
        rewrite F in SD. lra.
      * intros j Hj. rewrite forallb_forall in B. unfold A, get. simpl.
        assert (I : In (nth j above 0) above).
        { apply nth_In. apply square_cons in Q. destruct Q as [-> _]. assumption. }
        apply B, Qeq_bool_iff in I. rewrite I. ring.
Qed.

(** c (M + M'), which has twice c times the same quadratic form. *)
Definition twice (c : Q) (A : nat -> nat -> Q) (i j : nat) : Q := c * (A i j + A j i).

Lemma quad_twice n c A x : quad n (twice c A) x == c * (2 * quad n A x).
Proof.
  unfold twice. rewrite (quad_scale n c (fun i j => A i j + A j i)).
  assert (E : quad n (fun i j => A i j + A j i) x == quad n A x + quad n (fun i j => A j i) x).
  { unfold quad, bil. rewrite <- sum_plus. apply sum_ext. intros i _. unfold mv.
    rewrite (sum_ext n _ (fun j => A i j * x j + A j i * x j)) by (intros; ring).
    rewrite sum_plus. ring. }
  assert (F : quad n (fun i j => A j i) x == quad n A x).
  { unfold quad, bil, mv.
    rewrite (sum_ext n _ (fun i => sum n (fun j => x i * A j i * x j)))
      by (intros; rewrite <- sum_scale; apply sum_ext; intros; ring).
    rewrite sum_swap. apply sum_ext. intros j _. rewrite <- sum_scale. apply sum_ext. intros. ring. }
  rewrite E, F. ring.
Qed.

Definition is_quadratic (strictly : bool) (c : Q) n A : bool :=
  positive c && check_quadratic strictly n 1 (to_rows n (twice c A)).
Definition check_definite := is_quadratic true.
Definition is_symmetric n (A : nat -> nat -> Q) : bool :=
  all n (fun i => all n (fun j => Qeq_bool (A i j) (A j i))).
Definition check_semidefinite c n A : bool := is_symmetric n A && is_quadratic false c n A.

Lemma is_quadratic_sound strictly c n A :
  is_quadratic strictly c n A = true -> semidefinite n A /\ (strictly = true -> definite n A).
Proof.
  unfold is_quadratic. rewrite andb_true_iff, positive_true. intros [C K].
  assert (F : same_matrix n (get (to_rows n (twice c A))) (twice c A)).
  { intros i j Hi Hj. now rewrite get_to_rows. }
  assert (Y : symmetric n (get (to_rows n (twice c A)))).
  { intros i j Hi Hj. rewrite (F i j), (F j i) by assumption. unfold twice. ring. }
  destruct (check_quadratic_sound strictly n 1 _ (to_rows_square n _) Y eq_refl K) as [SD D].
  assert (G : forall x, quad n (get (to_rows n (twice c A))) x == c * (2 * quad n A x)).
  { intros x. rewrite <- quad_twice. apply bil_ext; [assumption|intros ? _; reflexivity..]. }
  split.
  - intros x. specialize (SD x). rewrite G in SD. nra.
  - intros T x Z. apply (D T). rewrite G. nra.
Qed.

Lemma check_semidefinite_sound c n A :
  check_semidefinite c n A = true -> symmetric n A /\ semidefinite n A.
Proof.
  unfold check_semidefinite, is_symmetric. rewrite andb_true_iff, all_true. intros [S Q]. split.
  - intros i j Hi Hj. specialize (S i Hi). rewrite all_true in S. now apply Qeq_bool_iff, S.
  - now apply is_quadratic_sound in Q.
Qed.

Theorem check_definite_sound c n A : check_definite c n A = true -> no_reversal n A.
Proof. intros H. apply is_quadratic_sound in H. apply definite_no_reversal. now apply H. Qed.

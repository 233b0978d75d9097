(** What the class of M says of the solutions where bounds are numbers: two solutions x and y have
    (x - y)_i (M (x - y))_i <= 0 on every row (book: "Certificates", section "Uniqueness from the
    class of M"). *)

From Etalon Require Export Problem.

(** ** Bounds that do not move with z, and are not crossed. *)
Definition fixed (o : option bound) : Prop :=
  match o with None => True | Some c => slope c == 0 end.
Definition fixed_bounds (P : problem) : Prop :=
  forall i, (i < size P)%nat -> fixed (lo P i) /\ fixed (up P i).

Definition ordered (P : problem) (i : nat) : Prop :=
  match lo P i, up P i with Some l, Some u => constant l <= constant u | _, _ => True end.
Definition ordered_bounds (P : problem) : Prop := forall i, (i < size P)%nat -> ordered P i.

Definition is_fixed (o : option bound) : bool :=
  match o with None => true | Some c => Qeq_bool (slope c) 0 end.
Definition is_ordered (P : problem) (i : nat) : bool :=
  match lo P i, up P i with Some l, Some u => Qle_bool (constant l) (constant u) | _, _ => true end.
Definition check_fixed (P : problem) : bool :=
  all (size P) (fun i => is_fixed (lo P i) && is_fixed (up P i) && is_ordered P i).

Lemma check_fixed_sound P : check_fixed P = true -> fixed_bounds P /\ ordered_bounds P.
Proof.
  unfold check_fixed. rewrite all_true. intros H.
  assert (F : forall o, is_fixed o = true -> fixed o).
  { intros [c|]; simpl; [apply Qeq_bool_iff|auto]. }
  split; intros i Hi; specialize (H i Hi); rewrite !andb_true_iff in H; destruct H as [[A B] C].
  - auto.
  - unfold ordered, is_ordered in *. destruct (lo P i), (up P i); auto. now apply Qle_bool_iff.
Qed.

Lemma value_fixed o c z : o = Some c -> fixed o -> value c z == constant c.
Proof. intros -> F. simpl in F. unfold value. rewrite F. lra. Qed.

(** ** Two solutions reverse each other's signs. *)
Lemma larger_solution P x y i :
  fixed (lo P i) -> fixed (up P i) -> row_solved P x i -> row_solved P y i -> y i < x i ->
  w P x i <= 0 /\ 0 <= w P y i.
Proof.
  intros FL FU (A & B & C & D) (A' & B' & C' & D') L. split.
  - destruct C as [C|C]; [|assumption]. destruct (lo P i) as [l|] eqn:E; [|contradiction].
    simpl in *. unfold value in *. rewrite FL in *. lra.
  - destruct D' as [D'|D']; [|assumption]. destruct (up P i) as [u|] eqn:E; [|contradiction].
    simpl in *. unfold value in *. rewrite FU in *. lra.
Qed.

Lemma w_difference P x y i :
  mv (size P) (M P) (fun j => x j - y j) i == w P x i - w P y i.
Proof. rewrite mv_minus. unfold w. lra. Qed.

Theorem solutions_reverse P x y :
  fixed_bounds P -> solves P x -> solves P y -> forall i, (i < size P)%nat ->
  (x i - y i) * mv (size P) (M P) (fun j => x j - y j) i <= 0.
Proof.
  intros F X Y i Hi. destruct (F i Hi) as [FL FU]. rewrite w_difference.
  destruct (Q_dec (x i) (y i)) as [[L|L]|E].
  - destruct (larger_solution P y x i FL FU (Y i Hi) (X i Hi) L). nra.
  - destruct (larger_solution P x y i FL FU (X i Hi) (Y i Hi) L). nra.
  - rewrite E. lra.
Qed.

(** ** M symmetric positive semidefinite: all solutions have one w. *)
Definition semidefinite n A : Prop := forall x, 0 <= quad n A x.

(** A quadratic form that is never negative is 0 only where its gradient is. *)
Lemma semidefinite_kernel n A x :
  symmetric n A -> semidefinite n A -> quad n A x <= 0 -> forall i, (i < n)%nat -> mv n A x i == 0.
Proof.
  intros S P Z i Hi. set (g := mv n A x i). set (d := A i i).
  assert (D : 0 <= d).
  { specialize (P (unit i)). unfold quad in P. rewrite bil_unit, mv_unit in P; assumption. }
  assert (L : forall t, 0 <= quad n A x + t * (2 * g) + t * t * d).
  { intros t. specialize (P (fun j => x j + t * unit i j)). rewrite quad_line in P.
    rewrite (bil_symmetric n A x (unit i) S), bil_unit in P by assumption.
    unfold quad at 2 in P. rewrite bil_unit, mv_unit in P by assumption.
    fold g d in P. lra. }
  set (s := / (d + 1)). assert (T : s * (d + 1) == 1) by (unfold s; field; lra).
  assert (0 < s) by (apply Qinv_lt_0_compat; lra).
  specialize (L (- (g * s))).
  assert (E : - (g * s) * (2 * g) + - (g * s) * - (g * s) * d == - (g * g) * (s * (1 + s))).
  { setoid_replace (- (g * s) * - (g * s) * d) with (g * g * s * (s * (d + 1) - s)) by ring.
    rewrite T. ring. }
  destruct (Qeq_dec g 0) as [|N]; [assumption|exfalso].
  assert (0 < g * g) by (destruct (Q_dec g 0) as [[?|?]|?]; [nra|nra|contradiction]).
  assert (0 < s * (1 + s)) by nra.
  assert (0 < g * g * (s * (1 + s))) by nra. lra.
Qed.

Theorem unique_w P x y :
  fixed_bounds P -> symmetric (size P) (M P) -> semidefinite (size P) (M P) ->
  solves P x -> solves P y -> forall i, (i < size P)%nat -> w P x i == w P y i.
Proof.
  intros F S D X Y i Hi. set (d := fun j => x j - y j).
  assert (mv (size P) (M P) d i == 0).
  { apply semidefinite_kernel; try assumption. unfold quad, bil.
    assert (0 <= sum (size P) (fun i => - (d i * mv (size P) (M P) d i))).
    { apply sum_nonneg. intros k Hk. pose proof (solutions_reverse P x y F X Y k Hk) as R.
      fold d in R. change (x k - y k) with (d k) in R. lra. }
    rewrite sum_opp in *. lra. }
  pose proof (w_difference P x y i) as E. fold d in E. lra.
Qed.

(** ** M reverses the sign of no vector: there is one solution at most. *)
Definition reversed n A (d : nat -> Q) : Prop := forall i, (i < n)%nat -> d i * mv n A d i <= 0.
Definition no_reversal n A : Prop :=
  forall d, reversed n A d -> forall i, (i < n)%nat -> d i == 0.

Theorem unique_z P x y :
  fixed_bounds P -> no_reversal (size P) (M P) -> solves P x -> solves P y -> same (size P) x y.
Proof.
  intros F N X Y i Hi.
  assert (x i - y i == 0); [|lra].
  apply (N (fun j => x j - y j)); [|assumption]. intros k Hk. now apply solutions_reverse.
Qed.

Lemma no_reversal_ext n A B : same_matrix n A B -> no_reversal n A -> no_reversal n B.
Proof.
  intros E N d R. apply N. intros i Hi. unfold same_matrix in E.
  assert (F : mv n A d i == mv n B d i) by (apply mv_ext; [auto|intros ? _; reflexivity]).
  rewrite F. now apply R.
Qed.

(** x'Ax > 0 for all x but 0: nothing is reversed. *)
Definition definite n A : Prop := forall x, quad n A x <= 0 -> forall i, (i < n)%nat -> x i == 0.

Lemma definite_no_reversal n A : definite n A -> no_reversal n A.
Proof.
  intros D d R. apply D. unfold quad, bil.
  assert (0 <= sum n (fun i => - (d i * mv n A d i))).
  { apply sum_nonneg. intros i Hi. specialize (R i Hi). lra. }
  rewrite sum_opp in *. lra.
Qed.

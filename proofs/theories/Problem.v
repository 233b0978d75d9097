(** The problem, and what it means to solve it (book: "Certificates", section "The problem"). *)

From Etalon Require Export Sums.

(** A bound of an unknown: [constant + slope * z base]. A number has slope 0; friction has the
    constant 0 and the slopes -mu and mu of the normal force. *)
Record bound := { constant : Q; slope : Q; base : nat }.

(** w = Mz + q, and bounds on z that may be absent. *)
Record problem := {
  size : nat;
  M : nat -> nat -> Q;
  q : nat -> Q;
  lo : nat -> option bound;
  up : nat -> option bound
}.

Definition value (b : bound) (z : nat -> Q) : Q := constant b + slope b * z (base b).

Definition w (P : problem) (z : nat -> Q) (i : nat) : Q := mv (size P) (M P) z i + q P i.

(** An absent bound is kept by everybody, and nobody is at it. *)
Definition above (o : option bound) z (x : Q) : Prop :=
  match o with None => True | Some b => value b z <= x end.
Definition below (o : option bound) z (x : Q) : Prop :=
  match o with None => True | Some b => x <= value b z end.
Definition at_bound (o : option bound) z (x : Q) : Prop :=
  match o with None => False | Some b => x == value b z end.

(** ** The definition: z solves the problem. *)
Definition row_solved (P : problem) (z : nat -> Q) (i : nat) : Prop :=
  above (lo P i) z (z i) /\ below (up P i) z (z i) /\
  (at_bound (lo P i) z (z i) \/ w P z i <= 0) /\
  (at_bound (up P i) z (z i) \/ 0 <= w P z i).

Definition solves (P : problem) (z : nat -> Q) : Prop :=
  forall i, (i < size P)%nat -> row_solved P z i.

(** The four cases of the book: within its bounds, w >= 0 where z is at the lower bound alone,
    w <= 0 where it is at the upper one alone, w = 0 between them, any w where both meet. *)
Theorem row_solved_as_written P z i :
  row_solved P z i <->
  above (lo P i) z (z i) /\ below (up P i) z (z i) /\
  (at_bound (lo P i) z (z i) -> ~ at_bound (up P i) z (z i) -> 0 <= w P z i) /\
  (at_bound (up P i) z (z i) -> ~ at_bound (lo P i) z (z i) -> w P z i <= 0) /\
  (~ at_bound (lo P i) z (z i) -> ~ at_bound (up P i) z (z i) -> w P z i == 0).
Proof.
  assert (D : forall o x, at_bound o z x \/ ~ at_bound o z x).
  { intros [b|] x; simpl; [|tauto]. destruct (Qeq_dec x (value b z)); tauto. }
  unfold row_solved.
  destruct (D (lo P i) (z i)), (D (up P i) (z i)); split; intros (A & B & C); repeat split;
    try tauto.
  - intros. apply Qle_antisym; tauto.
  - right. assert (w P z i == 0) by tauto. lra.
  - right. assert (w P z i == 0) by tauto. lra.
Qed.

(** The pure problem: all unknowns are at least 0, and nothing else. *)
Definition pure (P : problem) : Prop :=
  forall i, (i < size P)%nat ->
    (exists b, lo P i = Some b /\ constant b == 0 /\ slope b == 0) /\ up P i = None.

Theorem pure_solves P z :
  pure P -> (solves P z <-> forall i, (i < size P)%nat -> 0 <= z i /\ 0 <= w P z i /\ z i * w P z i == 0).
Proof.
  intros H. unfold solves. split; intros S i Hi; specialize (S i Hi);
    destruct (H i Hi) as ((b & E & C & K) & U); unfold row_solved in *; rewrite E, U in *;
    simpl in *; assert (V : value b z == 0) by (unfold value; rewrite C, K; lra); rewrite V in *.
  - destruct S as (A & _ & [B|B] & [D|D]); try contradiction; repeat split; try assumption; nra.
  - destruct S as (A & B & C'). repeat split; auto.
    destruct (Qlt_le_dec 0 (w P z i)) as [L|L]; [left|now right].
    destruct (Qmult_integral _ _ C') as [F|F]; [assumption|lra].
Qed.

(** ** Deciding it. *)
Definition is_above (o : option bound) z x : bool :=
  match o with None => true | Some b => Qle_bool (value b z) x end.
Definition is_below (o : option bound) z x : bool :=
  match o with None => true | Some b => Qle_bool x (value b z) end.
Definition is_at (o : option bound) z x : bool :=
  match o with None => false | Some b => Qeq_bool x (value b z) end.

Lemma is_above_true o z x : is_above o z x = true <-> above o z x.
Proof. destruct o; simpl; [apply Qle_bool_iff|tauto]. Qed.
Lemma is_below_true o z x : is_below o z x = true <-> below o z x.
Proof. destruct o; simpl; [apply Qle_bool_iff|tauto]. Qed.
Lemma is_at_true o z x : is_at o z x = true <-> at_bound o z x.
Proof. destruct o; simpl; [apply Qeq_bool_iff|split; [discriminate|tauto]]. Qed.

Definition check_row (P : problem) z i : bool :=
  is_above (lo P i) z (z i) && is_below (up P i) z (z i) &&
  let own := w P z i in
  (is_at (lo P i) z (z i) || Qle_bool own 0) && (is_at (up P i) z (z i) || Qle_bool 0 own).

Definition check_solution (P : problem) z : bool := all (size P) (check_row P z).

Lemma check_row_correct P z i : check_row P z i = true <-> row_solved P z i.
Proof.
  unfold check_row, row_solved. cbv zeta.
  rewrite !andb_true_iff, !orb_true_iff, is_above_true, is_below_true, !is_at_true, !Qle_bool_iff.
  tauto.
Qed.

Theorem check_solution_correct P z : check_solution P z = true <-> solves P z.
Proof.
  unfold check_solution, solves. rewrite all_true.
  split; intros H i Hi; apply check_row_correct; auto.
Qed.

(** ** Bounds that name a row of the problem. *)
Definition within (n : nat) (o : option bound) : Prop :=
  match o with None => True | Some b => (base b < n)%nat end.
Definition well_formed (P : problem) : Prop :=
  forall i, (i < size P)%nat -> within (size P) (lo P i) /\ within (size P) (up P i).

Definition is_within (n : nat) (o : option bound) : bool :=
  match o with None => true | Some b => Nat.ltb (base b) n end.
Definition check_well_formed (P : problem) : bool :=
  all (size P) (fun i => is_within (size P) (lo P i) && is_within (size P) (up P i)).

Lemma is_within_true n o : is_within n o = true <-> within n o.
Proof. destruct o; simpl; [apply Nat.ltb_lt|tauto]. Qed.

Lemma check_well_formed_correct P : check_well_formed P = true <-> well_formed P.
Proof.
  unfold check_well_formed, well_formed. rewrite all_true.
  split; intros H i Hi; specialize (H i Hi);
    rewrite andb_true_iff, !is_within_true in *; assumption.
Qed.

(** Only the entries of a vector that count decide. *)
Lemma w_same P x y i : same (size P) x y -> w P x i == w P y i.
Proof. intros E. unfold w. now rewrite (mv_ext _ _ (M P) x y) by (auto; reflexivity). Qed.

Lemma solves_same P x y : well_formed P -> same (size P) x y -> solves P x -> solves P y.
Proof.
  intros W E S i Hi. destruct (S i Hi) as (A & B & C & D). destruct (W i Hi) as [WL WU].
  assert (V : forall o, within (size P) o ->
    (above o x (x i) -> above o y (y i)) /\ (below o x (x i) -> below o y (y i)) /\
    (at_bound o x (x i) -> at_bound o y (y i))).
  { intros [b|] Hb; simpl in *; [|tauto]. unfold value.
    pose proof (E i Hi). pose proof (E _ Hb) as F. cbv beta in *. repeat split; intros G.
    all: assert (slope b * x (base b) == slope b * y (base b)) by (now rewrite F); lra. }
  destruct (V _ WL) as (V1 & _ & V2), (V _ WU) as (_ & V3 & V4).
  pose proof (w_same P x y i E) as F. unfold row_solved.
  repeat split; [tauto|tauto| |]; [destruct C; [left|right]|destruct D; [left|right]]; try tauto; lra.
Qed.

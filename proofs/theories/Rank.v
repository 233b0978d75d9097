(** Rank modulo a number: enough to show that linear equations leave one point at most.

    The equations are eliminated in integers modulo [m]. Where every column finds a pivot that is a
    unit modulo [m], a solution d of the homogeneous equations is a multiple of m, so d / m is a
    smaller one: d is 0. Neither is m assumed to be prime, nor is anything believed of the inverses:
    they are found by whatever function, and multiplied out. *)

From Etalon Require Export Sums.
From Coq Require Import ZArith Znumtheory.

(** ** Integers. *)
Fixpoint zdot (row d : list Z) : Z :=
  match row, d with r :: row', x :: d' => (r * x + zdot row' d')%Z | _, _ => 0%Z end.

(** [row] times the pivot's head less the pivot row times the head of [row], modulo m, without
    the first column. *)
Fixpoint zcombine (m p h : Z) (row pivot : list Z) : list Z :=
  match row, pivot with
  | x :: row', y :: pivot' => ((p * x - h * y) mod m)%Z :: zcombine m p h row' pivot'
  | _, _ => []
  end.

Definition zreduce (m : Z) (pivot row : list Z) : list Z :=
  match pivot, row with
  | p :: pivot', h :: row' => if (h =? 0)%Z then row' else zcombine m p h row' pivot'
  | _, _ => []
  end.

(** Whether the head of a row is a unit: the inverse is a hint that is multiplied out. *)
Definition is_unit (inverse : Z -> Z) (m : Z) (row : list Z) : bool :=
  match row with [] => false | h :: _ => ((h * inverse h) mod m =? 1)%Z end.

(** The first such row, and the others. *)
Fixpoint choose (inverse : Z -> Z) (m : Z) (rows : list (list Z)) : option (list Z * list (list Z)) :=
  match rows with
  | [] => None
  | row :: rest =>
      if is_unit inverse m row then Some (row, rest)
      else match choose inverse m rest with
           | None => None
           | Some (pivot, others) => Some (pivot, row :: others)
           end
  end.

Fixpoint no_kernel (m : Z) (inverse : Z -> Z) (n : nat) (rows : list (list Z)) : bool :=
  match n with
  | O => true
  | S k => match choose inverse m rows with
           | None => false
           | Some (pivot, others) => no_kernel m inverse k (map (zreduce m pivot) others)
           end
  end.

Definition multiple (m x : Z) : Prop := (m | x)%Z.
Definition rows_of (n : nat) (rows : list (list Z)) : Prop :=
  forall row, In row rows -> length row = n.

Lemma zcombine_length m p h row pivot n :
  length row = n -> length pivot = n -> length (zcombine m p h row pivot) = n.
Proof.
  revert row pivot. induction n as [|n IH]; intros [|x row] [|y pivot] E F; simpl in *;
    try discriminate; [reflexivity|]. f_equal. apply IH; congruence.
Qed.

Lemma zcombine_dot m p h row pivot d :
  (1 < m)%Z -> length row = length pivot ->
  multiple m (zdot (zcombine m p h row pivot) d - (p * zdot row d - h * zdot pivot d)).
Proof.
  intros Hm. revert row d. induction pivot as [|y pivot IH]; intros [|x row] d E;
    try discriminate.
  - simpl. exists 0%Z. ring.
  - destruct d as [|t d]; [simpl; exists 0%Z; ring|]. simpl.
    destruct (IH row d) as [c Hc]; [simpl in E; congruence|].
    pose proof (Z_div_mod_eq_full (p * x - h * y) m) as D.
    exists (c - (p * x - h * y) / m * t)%Z.
    rewrite Z.mul_sub_distr_r, <- Hc.
    replace ((p * x - h * y) mod m)%Z with ((p * x - h * y) - m * ((p * x - h * y) / m))%Z by lia.
    ring.
Qed.

Lemma zreduce_length m pivot row n :
  length pivot = S n -> length row = S n -> length (zreduce m pivot row) = n.
Proof.
  destruct pivot as [|p pivot], row as [|h row]; simpl; try discriminate. intros E F.
  destruct (h =? 0)%Z; [congruence|]. apply zcombine_length; congruence.
Qed.

Lemma zreduce_dot m pivot row x d n :
  (1 < m)%Z -> length pivot = S n -> length row = S n ->
  multiple m (zdot pivot (x :: d)) -> multiple m (zdot row (x :: d)) ->
  multiple m (zdot (zreduce m pivot row) d).
Proof.
  destruct pivot as [|p pivot], row as [|h row]; simpl; try discriminate.
  intros Hm E F Hp Hr. destruct (Z.eqb_spec h 0) as [->|_].
  - replace (0 * x + zdot row d)%Z with (zdot row d) in Hr by ring. assumption.
  - destruct (zcombine_dot m p h row pivot d Hm) as [c Hc]; [congruence|].
    unfold multiple in *.
    replace (zdot (zcombine m p h row pivot) d) with
      (c * m + (p * (h * x + zdot row d) - h * (p * x + zdot pivot d)))%Z by lia.
    apply Z.divide_add_r; [exists c; ring|].
    apply Z.divide_sub_r; apply Z.divide_mul_r; assumption.
Qed.

Lemma choose_in inverse m rows pivot others :
  choose inverse m rows = Some (pivot, others) ->
  is_unit inverse m pivot = true /\ In pivot rows /\ (forall row, In row others -> In row rows).
Proof.
  revert pivot others. induction rows as [|row rows IH]; simpl; intros pivot others E; [discriminate|].
  destruct (is_unit inverse m row) eqn:U.
  - injection E as <- <-. auto.
  - destruct (choose inverse m rows) as [[p o]|]; [|discriminate]. injection E as <- <-.
    destruct (IH p o eq_refl) as (A & B & C). split; [assumption|]. split; [auto|].
    intros r [->|Hr]; auto.
Qed.

(** A vector that solves the equations modulo m is 0 modulo m. *)
Lemma no_kernel_multiples m inverse n rows d :
  (1 < m)%Z -> rows_of n rows -> no_kernel m inverse n rows = true -> length d = n ->
  (forall row, In row rows -> multiple m (zdot row d)) -> Forall (multiple m) d.
Proof.
  intros Hm. revert rows d. induction n as [|n IH]; intros rows d L K E H.
  - destruct d; [constructor|discriminate].
  - destruct d as [|x d]; [discriminate|]. simpl in K.
    destruct (choose inverse m rows) as [[pivot others]|] eqn:C; [|discriminate].
    destruct (choose_in _ _ _ _ _ C) as (U & Ip & Io).
    assert (T : Forall (multiple m) d).
    { apply (IH (map (zreduce m pivot) others)); [|assumption|simpl in E; congruence|].
      - intros r Hr. apply in_map_iff in Hr. destruct Hr as (r0 & <- & Hr).
        apply zreduce_length; apply L; auto.
      - intros r Hr. apply in_map_iff in Hr. destruct Hr as (r0 & <- & Hr).
        apply (zreduce_dot m pivot r0 x d n); auto. }
    constructor; [|assumption].
    specialize (H pivot Ip). destruct pivot as [|p pivot]; [discriminate|]. simpl in *.
    apply Z.eqb_eq in U. set (u := inverse p) in *.
    assert (D : multiple m (zdot pivot d)).
    { clear - T. revert pivot. induction T as [|y d Hy T IH]; intros [|r pivot]; simpl;
        try apply Z.divide_0_r.
      apply Z.divide_add_r; [apply Z.divide_mul_r; assumption|apply IH]. }
    assert (F : multiple m (p * x)).
    { unfold multiple in *. replace (p * x)%Z with (p * x + zdot pivot d - zdot pivot d)%Z by ring.
      now apply Z.divide_sub_r. }
    pose proof (Z_div_mod_eq_full (p * u) m) as G. rewrite U in G. set (k := ((p * u) / m)%Z) in *.
    unfold multiple in *. replace x with (u * (p * x) - m * (k * x))%Z.
    + apply Z.divide_sub_r; [now apply Z.divide_mul_r|apply Z.divide_factor_l].
    + replace (u * (p * x))%Z with ((p * u) * x)%Z by ring. rewrite G. ring.
Qed.

(** ** Descent: of vectors of multiples only 0 is left. *)
Definition zsize (d : list Z) : nat := fold_right (fun x s => (Z.to_nat (Z.abs x) + s)%nat) 0%nat d.

Lemma divided m d :
  (1 < m)%Z -> Forall (multiple m) d ->
  exists d', length d' = length d /\ (forall row, zdot row d = m * zdot row d')%Z /\
    (Forall (fun x => x = 0%Z) d' -> Forall (fun x => x = 0%Z) d) /\
    (zsize d' <= zsize d)%nat /\ (zsize d' = zsize d -> Forall (fun x => x = 0%Z) d).
Proof.
  intros Hm H. induction H as [|x d [c Hc] H IH].
  - exists []. repeat split; auto. intros [|r row]; simpl; lia.
  - destruct IH as (d' & L & Z' & N & S & E). exists (c :: d').
    assert (B : (Z.to_nat (Z.abs c) <= Z.to_nat (Z.abs x))%nat) by (apply Z2Nat.inj_le; nia).
    assert (F : Z.to_nat (Z.abs c) = Z.to_nat (Z.abs x) -> x = 0%Z).
    { intros F. apply Z2Nat.inj in F; nia. }
    repeat split.
    + simpl; congruence.
    + intros [|r row]; simpl; [lia|]. rewrite Z', Hc. ring.
    + intros A. inversion A; subst. constructor; [lia|auto].
    + simpl. lia.
    + simpl. intros A. constructor; [apply F; lia|apply E; lia].
Qed.

Theorem no_kernel_integers m inverse n rows :
  (1 < m)%Z -> rows_of n rows -> no_kernel m inverse n rows = true ->
  forall d, length d = n -> (forall row, In row rows -> zdot row d = 0%Z) ->
  Forall (fun x => x = 0%Z) d.
Proof.
  intros Hm L K d. remember (zsize d) as s eqn:Hs. revert d Hs.
  induction s as [s IH] using lt_wf_ind. intros d Hs E H.
  assert (F : Forall (multiple m) d).
  { apply (no_kernel_multiples m inverse n rows d Hm L K E).
    intros row Hr. rewrite (H row Hr). apply Z.divide_0_r. }
  destruct (divided m d Hm F) as (d' & L' & Z' & N & S & Q').
  destruct (Nat.eq_dec (zsize d') (zsize d)) as [D|D]; [auto|].
  apply N. apply (IH (zsize d')); [lia|reflexivity|congruence|].
  intros row Hr. specialize (H row Hr). rewrite Z' in H. nia.
Qed.

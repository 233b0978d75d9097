(** The componentwise backward error is the least change of the data under which a candidate is a
    solution (book: "The componentwise backward error"). *)

From Etalon Require Export Problem.

(** The friction row of an upper bound that moves. *)
Definition friction_of (P : problem) (i : nat) : option bound :=
  match up P i with Some u => if nonzero (slope u) then Some u else None | None => None end.

(** Bounds are numbers; or -mu z_j and mu z_j with one mu > 0. *)
Definition valid_row (P : problem) (i : nat) : Prop :=
  match friction_of P i with
  | None => True
  | Some u => exists l, lo P i = Some l /\ constant l == 0 /\ constant u == 0 /\
                slope l == - slope u /\ base l = base u /\ 0 < slope u
  end.

(** ** Problems within eps. *)
Definition friction_bound (mu : Q) (j : nat) : option bound :=
  Some {| constant := 0; slope := mu; base := j |}.

Definition near_bounds (eps : Q) (P : problem) (i : nat) (l u : option bound) : Prop :=
  match friction_of P i with
  | None => l = lo P i /\ u = up P i
  | Some c => exists mu, Qabs (mu - slope c) <= eps * slope c /\
                l = friction_bound (- mu) (base c) /\ u = friction_bound mu (base c)
  end.

(** The sizes by which the data may change: of the entries of M, and of those of q. *)
Record weights := { of_M : nat -> nat -> Q; of_q : nat -> Q }.

(** Each entry by its own size: the componentwise error. *)
Definition own_sizes (P : problem) : weights :=
  {| of_M := fun i j => Qabs (M P i j); of_q := fun i => Qabs (q P i) |}.

(** Weights at least as large as the entries, such as those of the block error: the largest of a block. *)
Definition dominates (g : weights) (P : problem) : Prop :=
  forall i, (i < size P)%nat ->
    Qabs (q P i) <= of_q g i /\ forall j, (j < size P)%nat -> Qabs (M P i j) <= of_M g i j.

Lemma own_sizes_dominate P : dominates (own_sizes P) P.
Proof. intros i Hi. split; [|intros j Hj]; apply Qle_refl. Qed.

Definition near (g : weights) (eps : Q) (P P' : problem) : Prop :=
  size P' = size P /\
  (forall i j, (i < size P)%nat -> (j < size P)%nat -> Qabs (M P' i j - M P i j) <= eps * of_M g i j) /\
  (forall i, (i < size P)%nat -> Qabs (q P' i - q P i) <= eps * of_q g i) /\
  (forall i, (i < size P)%nat -> near_bounds eps P i (lo P' i) (up P' i)).

(** ** The closed form. *)
Definition s (g : weights) (P : problem) (z : nat -> Q) (i : nat) : Q :=
  sum (size P) (fun j => of_M g i j * Qabs (z j)) + of_q g i.

Definition violation (P : problem) (z : nat -> Q) (i : nat) : Q :=
  let own := w P z i in
  match is_at (lo P i) z (z i), is_at (up P i) z (z i) with
  | true, true => 0
  | true, false => if Qle_bool 0 own then 0 else - own
  | false, true => if Qle_bool own 0 then 0 else own
  | false, false => Qabs own
  end.

Definition lesser (x y : Q) : Q := if Qle_bool x y then x else y.
Definition greater (x y : Q) : Q := if Qle_bool x y then y else x.

Definition row_eta (g : weights) (P : problem) (z : nat -> Q) (i : nat) : Q :=
  let v := violation P z i in
  if Qeq_bool v 0 then 0 else
  let plain := v / s g P z i in
  match friction_of P i with
  | None => plain
  | Some u =>
      let m := slope u * z (base u) in
      if positive (w P z i) && Qle_bool (z i) 0 then lesser plain ((z i + m) / m)
      else if negative (w P z i) && Qle_bool 0 (z i) then lesser plain ((m - z i) / m)
      else plain
  end.

Fixpoint largest_of (n : nat) (f : nat -> Q) : Q :=
  match n with O => 0 | S k => greater (largest_of k f) (f k) end.

Definition eta (g : weights) (P : problem) (z : nat -> Q) : Q := largest_of (size P) (row_eta g P z).

Definition in_bounds (P : problem) z : Prop :=
  forall i, (i < size P)%nat -> above (lo P i) z (z i) /\ below (up P i) z (z i).

(** ** Elementary facts. *)
Lemma greater_le x y e : greater x y <= e <-> x <= e /\ y <= e.
Proof.
  unfold greater. destruct (Qle_bool x y) eqn:E.
  - apply Qle_bool_iff in E. split; [intros; split; lra|tauto].
  - apply Qle_bool_false in E. split; [intros; split; lra|tauto].
Qed.

Lemma lesser_le x y e : lesser x y <= e <-> x <= e \/ y <= e.
Proof.
  unfold lesser. destruct (Qle_bool x y) eqn:E.
  - apply Qle_bool_iff in E. split; [auto|intros [?|?]; lra].
  - apply Qle_bool_false in E. split; [auto|intros [?|?]; lra].
Qed.

Lemma largest_of_le n f e : 0 <= e -> (largest_of n f <= e <-> forall i, (i < n)%nat -> f i <= e).
Proof.
  intros He. induction n as [|n IH]; simpl; [split; [lia|auto]|]. rewrite greater_le, IH. split.
  - intros [H1 H2] i Hi. destruct (Nat.eq_dec i n) as [->|]; [assumption|]. apply H1. lia.
  - intros H. split; [intros; apply H; lia|apply H; lia].
Qed.

Lemma quotient_le x y e : 0 < y -> (x / y <= e <-> x <= e * y).
Proof.
  intros P. split; intros H.
  - setoid_replace x with (x / y * y) by (field; lra). nra.
  - apply Qle_shift_div_r; assumption.
Qed.

Lemma w_le_s g P z i : dominates g P -> (i < size P)%nat -> Qabs (w P z i) <= s g P z i.
Proof.
  intros D Hi. destruct (D i Hi) as [Dq DM]. unfold w, s, mv. eapply Qle_trans; [apply Qabs_triangle|].
  assert (Qabs (sum (size P) (fun j => M P i j * z j)) <= sum (size P) (fun j => of_M g i j * Qabs (z j))).
  { eapply Qle_trans; [apply sum_abs|]. apply sum_le. intros j Hj. rewrite Qabs_Qmult.
    specialize (DM j Hj). pose proof (Qabs_nonneg (z j)). nra. }
  lra.
Qed.

Lemma abs_le x e : Qabs x <= e <-> - e <= x /\ x <= e.
Proof. apply Qabs_Qle_condition. Qed.

(** ** One row: the conditions on z_i and on a value of w_i. *)
Definition row_ok (l u : option bound) z x wx : Prop :=
  above l z x /\ below u z x /\ (at_bound l z x \/ wx <= 0) /\ (at_bound u z x \/ 0 <= wx).

Definition reachable (g : weights) (eps : Q) P z i : Prop :=
  exists wx l u, Qabs (wx - w P z i) <= eps * s g P z i /\ near_bounds eps P i l u /\
    row_ok l u z (z i) wx.

Lemma near_itself eps P i :
  0 <= eps -> valid_row P i -> exists l u, near_bounds eps P i l u /\
  (forall z x wx, row_ok (lo P i) (up P i) z x wx -> row_ok l u z x wx).
Proof.
  intros He V. unfold near_bounds, valid_row, friction_of in *.
  destruct (up P i) as [u|] eqn:U; [destruct (nonzero (slope u))|]; try (do 2 eexists; now eauto).
  destruct V as (l & -> & C & D & E & B & N).
  exists (friction_bound (- slope u) (base u)), (friction_bound (slope u) (base u)). split.
  - exists (slope u). repeat split. setoid_replace (slope u - slope u) with 0 by ring.
    change (Qabs 0) with 0. nra.
  - intros z x wx (A1 & A2 & A3 & A4). unfold row_ok, friction_bound in *. simpl in *.
    unfold value in *. simpl in *. rewrite B in *.
    assert (VL : constant l + slope l * z (base u) == 0 + - slope u * z (base u)) by (rewrite C, E; reflexivity).
    assert (VU : constant u + slope u * z (base u) == 0 + slope u * z (base u)) by (rewrite D; reflexivity).
    rewrite VL, VU in *. auto.
Qed.

Lemma moved_to_zero g P z i eps : Qabs (w P z i) <= eps * s g P z i -> Qabs (0 - w P z i) <= eps * s g P z i.
Proof. rewrite !abs_le. lra. Qed.

(** w_i may stay, or be brought to 0, with the bounds as they are. *)
Lemma reach_stay g eps P z i :
  dominates g P -> (i < size P)%nat -> 0 <= eps -> valid_row P i -> row_ok (lo P i) (up P i) z (z i) (w P z i) -> reachable g eps P z i.
Proof.
  intros D Hi He V R. destruct (near_itself eps P i He V) as (l & u & N & H).
  exists (w P z i), l, u. split; [|split; [assumption|now apply H]].
  pose proof (w_le_s g P z i D Hi). pose proof (Qabs_nonneg (w P z i)).
  setoid_replace (w P z i - w P z i) with 0 by ring. change (Qabs 0) with 0. nra.
Qed.

Lemma reach_zero g eps P z i :
  0 <= eps -> valid_row P i -> above (lo P i) z (z i) -> below (up P i) z (z i) ->
  Qabs (w P z i) <= eps * s g P z i -> reachable g eps P z i.
Proof.
  intros He V A B W. destruct (near_itself eps P i He V) as (l & u & N & H).
  exists 0, l, u. split; [now apply moved_to_zero|]. split; [assumption|].
  apply H. repeat split; auto; right; lra.
Qed.

(** ** Rows whose bounds do not move. *)
Lemma row_fixed g P z i eps :
  dominates g P -> (i < size P)%nat -> 0 <= eps -> friction_of P i = None -> above (lo P i) z (z i) -> below (up P i) z (z i) ->
  (violation P z i <= eps * s g P z i <-> reachable g eps P z i).
Proof.
  intros D Hi He F A B. assert (V : valid_row P i) by (unfold valid_row; now rewrite F).
  pose proof (w_le_s g P z i D Hi) as WS. pose proof (Qabs_nonneg (w P z i)) as W0.
  assert (S0 : 0 <= eps * s g P z i) by nra. unfold violation.
  pose proof (is_at_true (lo P i) z (z i)) as TL. pose proof (is_at_true (up P i) z (z i)) as TU.
  destruct (is_at (lo P i) z (z i)), (is_at (up P i) z (z i)).
  - split; [intros _|auto]. apply reach_stay; auto. repeat split; auto; left; [apply TL|apply TU]; auto.
  - destruct (Qle_bool 0 (w P z i)) eqn:E; [apply Qle_bool_iff in E|apply Qle_bool_false in E].
    + split; [intros _|auto]. apply reach_stay; auto. repeat split; auto. left. now apply TL.
    + split.
      * intros H. apply reach_zero; auto. apply abs_le. lra.
      * intros (wx & l & u & W & N & R). unfold near_bounds in N. rewrite F in N. destruct N as [-> ->].
        destruct R as (_ & _ & _ & [R|R]); [apply TU in R; discriminate|]. apply abs_le in W. lra.
  - destruct (Qle_bool (w P z i) 0) eqn:E; [apply Qle_bool_iff in E|apply Qle_bool_false in E].
    + split; [intros _|auto]. apply reach_stay; auto. repeat split; auto. left. now apply TU.
    + split.
      * intros H. apply reach_zero; auto. apply abs_le. lra.
      * intros (wx & l & u & W & N & R). unfold near_bounds in N. rewrite F in N. destruct N as [-> ->].
        destruct R as (_ & _ & [R|R] & _); [apply TL in R; discriminate|]. apply abs_le in W. lra.
  - split.
    + intros H. now apply reach_zero.
    + intros (wx & l & u & W & N & R). unfold near_bounds in N. rewrite F in N. destruct N as [-> ->].
      destruct R as (_ & _ & [R|R] & [R'|R']); [apply TL in R; discriminate..|apply TU in R'; discriminate|].
      apply abs_le in W. apply abs_le. lra.
Qed.

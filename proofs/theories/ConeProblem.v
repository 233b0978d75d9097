(** Problems with friction cones: the backward error and the block error, contact by contact; vectors
    that prove that there is no solution; and what uniqueness of M does not prove (book: "Friction cones",
    "Certificates"). *)

From Etalon Require Export ConeError Form.
From Etalon Require Import BackwardErrorTheorem.

(** A contact: its three rows, mu^2, and its law. *)
Record contact := { normal : nat; tangent1 : nat; tangent2 : nat; mu2 : Q; is_convex : bool }.

Definition at_contact (x : nat -> Q) (c : contact) : three :=
  {| vN := x (normal c); v1 := x (tangent1 c); v2 := x (tangent2 c) |}.
Definition law_of (c : contact) : Q -> three -> three -> Prop := if is_convex c then convex else coulomb.

(** The contacts 0 ... count - 1, and the contact that a row belongs to, if it is not plain. *)
Record contacts := { count : nat; contact_at : nat -> contact; owner : nat -> option nat }.

(** Each contact owns its three rows, which are different. *)
Definition well_owned (n : nat) (cs : contacts) : Prop :=
  (forall k, (k < count cs)%nat ->
    let c := contact_at cs k in
    (normal c < n /\ tangent1 c < n /\ tangent2 c < n)%nat /\
    normal c <> tangent1 c /\ normal c <> tangent2 c /\ tangent1 c <> tangent2 c /\
    owner cs (normal c) = Some k /\ owner cs (tangent1 c) = Some k /\ owner cs (tangent2 c) = Some k /\
    0 <= mu2 c) /\
  (forall i k, owner cs i = Some k -> (k < count cs)%nat /\
    let c := contact_at cs k in i = normal c \/ i = tangent1 c \/ i = tangent2 c).

(** z solves the problem in which contacts have squares of mu given by [m]. *)
Definition solves_with (P : problem) (cs : contacts) (m : nat -> Q) (z : nat -> Q) : Prop :=
  (forall i, (i < size P)%nat -> owner cs i = None -> row_solved P z i) /\
  (forall k, (k < count cs)%nat ->
    let c := contact_at cs k in law_of c (m k) (at_contact z c) (at_contact (w P z) c)).

Definition cone_solves P cs z : Prop := solves_with P cs (fun k => mu2 (contact_at cs k)) z.

(** ** The error: plain rows and contacts each decided by themselves. *)
Definition contact_decides (g : weights) eps P (c : contact) z : bool :=
  let decide := if is_convex c then convex_decides else coulomb_decides in
  decide eps (mu2 c) (at_contact (s g P z) c) (at_contact z c) (at_contact (w P z) c).

Definition cone_decides (g : weights) eps P cs z : bool :=
  all (size P) (fun i => match owner cs i with None => Qle_bool (row_eta g P z i) eps | Some _ => true end) &&
  all (count cs) (fun k => contact_decides g eps P (contact_at cs k) z).

(** Plain rows have bounds as ever, and z is within them. *)
Definition plain_valid P cs z : Prop :=
  forall i, (i < size P)%nat -> owner cs i = None ->
    valid_row P i /\ above (lo P i) z (z i) /\ below (up P i) z (z i).

(** A problem and squares of mu within eps. *)
Definition near_cones (g : weights) eps P cs (P' : problem) (m' : nat -> Q) : Prop :=
  size P' = size P /\
  (forall i j, (i < size P)%nat -> (j < size P)%nat -> Qabs (M P' i j - M P i j) <= eps * of_M g i j) /\
  (forall i, (i < size P)%nat -> Qabs (q P' i - q P i) <= eps * of_q g i) /\
  (forall i, (i < size P)%nat -> owner cs i = None -> near_bounds eps P i (lo P' i) (up P' i)) /\
  (forall k, (k < count cs)%nat -> near_mu eps (mu2 (contact_at cs k)) (m' k)).

(** A contact is decided by what can be reached. *)
Lemma contact_decides_correct g eps P c z :
  dominates g P -> 0 <= eps -> 0 <= mu2 c ->
  (normal c < size P)%nat -> (tangent1 c < size P)%nat -> (tangent2 c < size P)%nat ->
  (contact_decides g eps P c z = true <->
   obeys_within (law_of c) eps (mu2 c) (at_contact (s g P z) c) (at_contact z c) (at_contact (w P z) c)).
Proof.
  intros D He Hm HN H1 H2. unfold contact_decides, law_of.
  destruct (is_convex c); [apply convex_decides_correct|apply coulomb_decides_correct];
    auto; apply w_le_s; auto.
Qed.

(** What row i is moved to: a value of w within eps s, as a share of s. *)
Lemma share g eps P z i u :
  dominates g P -> (i < size P)%nat -> 0 <= eps -> Qabs (u - w P z i) <= eps * s g P z i ->
  exists theta, Qabs theta <= eps /\ w P z i + theta * s g P z i == u.
Proof.
  intros D Hi He H. pose proof (w_le_s g P z i D Hi) as W. apply abs_le in W. apply abs_le in H.
  destruct (Qeq_dec (s g P z i) 0) as [E|E].
  - exists 0. split; [exact He|]. rewrite E in *. lra.
  - assert (S0 : 0 < s g P z i) by lra.
    exists ((u - w P z i) / s g P z i). split; [|field; assumption].
    apply abs_le. split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; lra.
Qed.

Lemma law_ext c m r u u' :
  vN u == vN u' -> v1 u == v1 u' -> v2 u == v2 u' -> law_of c m r u -> law_of c m r u'.
Proof.
  intros EN E1 E2. unfold law_of, coulomb, convex, in_dual, dot, square_of_tangent.
  destruct (is_convex c); rewrite EN, E1, E2.
  - auto.
  - intros [H|(P & U & [H|(B & [Z|(l & L & F1 & F2)])])]; [left; auto|right..].
    + split; [assumption|]. split; [assumption|left; assumption].
    + split; [assumption|]. split; [assumption|right]. split; [assumption|now left].
    + split; [assumption|]. split; [assumption|right]. split; [assumption|right].
      exists l. rewrite <- E1, <- E2. auto.
Qed.

(** Everything that moves for one contact. *)
Lemma near_to_moved g eps P P' z i :
  dominates g P -> (i < size P)%nat -> size P' = size P ->
  (forall j, (j < size P)%nat -> Qabs (M P' i j - M P i j) <= eps * of_M g i j) ->
  Qabs (q P' i - q P i) <= eps * of_q g i -> Qabs (w P' z i - w P z i) <= eps * s g P z i.
Proof.
  intros D Hi N NM Nq. unfold w, s, mv. rewrite N.
  setoid_replace (sum (size P) (fun j => M P' i j * z j) + q P' i - (sum (size P) (fun j => M P i j * z j) + q P i))
    with (sum (size P) (fun j => (M P' i j - M P i j) * z j) + (q P' i - q P i)).
  - eapply Qle_trans; [apply Qabs_triangle|]. rewrite Qmult_plus_distr_r.
    apply Qplus_le_compat; [|auto].
    eapply Qle_trans; [apply sum_abs|]. rewrite <- sum_scale. apply sum_le. intros j Hj.
    rewrite Qabs_Qmult. specialize (NM j Hj). pose proof (Qabs_nonneg (z j)). nra.
  - rewrite (sum_ext _ (fun j => (M P' i j - M P i j) * z j) (fun j => M P' i j * z j - M P i j * z j))
      by (intros; ring).
    rewrite sum_minus. ring.
Qed.

(** The decision is right: z solves a problem within eps if and only if every plain row and every contact
    is decided so. With the sizes of the entries this is the backward error, with the largest entries of blocks
    the block error. *)
Theorem cone_decides_correct g eps P cs z :
  dominates g P -> 0 <= eps -> well_owned (size P) cs -> plain_valid P cs z ->
  (cone_decides g eps P cs z = true <->
   exists P' m', near_cones g eps P cs P' m' /\ solves_with P' cs m' z).
Proof.
  intros D He [WO WI] V. unfold cone_decides. rewrite andb_true_iff, !all_true. split.
  - intros [HP HC].
    (* Squares of mu and velocities of the contacts. *)
    destruct (finite_choice (0, {| vN := 0; v1 := 0; v2 := 0 |}) (count cs)
      (fun k (t : Q * three) => let c := contact_at cs k in near_mu eps (mu2 c) (fst t) /\
        near_u eps (at_contact (s g P z) c) (at_contact (w P z) c) (snd t) /\
        law_of c (fst t) (at_contact z c) (snd t))) as [f Hf].
    { intros k Hk. destruct (WO k Hk) as ((HN & H1 & H2) & _ & _ & _ & _ & _ & _ & Hm).
      pose proof (HC k Hk) as C. apply contact_decides_correct in C; auto.
      destruct C as (m' & u & A & B & C). exists (m', u). auto. }
    (* Shares and bounds of the rows. *)
    destruct (finite_choice (0, (None, None)) (size P) (fun i (t : Q * (option bound * option bound)) =>
      Qabs (fst t) <= eps /\
      match owner cs i with
      | None => near_bounds eps P i (fst (snd t)) (snd (snd t)) /\
          row_ok (fst (snd t)) (snd (snd t)) z (z i) (w P z i + fst t * s g P z i)
      | Some k => let c := contact_at cs k in let u := snd (f k) in
          w P z i + fst t * s g P z i ==
          (if Nat.eqb i (normal c) then vN u else if Nat.eqb i (tangent1 c) then v1 u else v2 u)
      end)) as [h Hh].
    { intros i Hi. destruct (owner cs i) as [k|] eqn:O.
      - destruct (WI i k O) as [Hk WIk]. destruct (Hf k Hk) as (_ & (UN & U1 & U2) & _).
        destruct (WO k Hk) as (_ & N1 & N2 & N3 & _). cbv zeta in *.
        assert (E : Qabs ((if Nat.eqb i (normal (contact_at cs k)) then vN (snd (f k))
            else if Nat.eqb i (tangent1 (contact_at cs k)) then v1 (snd (f k)) else v2 (snd (f k))) - w P z i)
          <= eps * s g P z i).
        { destruct (Nat.eqb_spec i (normal (contact_at cs k))) as [->|]; [exact UN|].
          destruct (Nat.eqb_spec i (tangent1 (contact_at cs k))) as [->|]; [exact U1|].
          destruct WIk as [E|[E|E]]; [contradiction|contradiction|]. rewrite E. exact U2. }
        destruct (share g eps P z i _ D Hi He E) as (theta & T & W).
        exists (theta, (None, None)). auto.
      - destruct (V i Hi O) as (Vi & A & B). pose proof (HP i Hi) as H. rewrite O in H.
        apply Qle_bool_iff in H. apply row_theorem in H; auto.
        destruct H as (wx & l & u & W & N & R).
        destruct (share g eps P z i wx D Hi He W) as (theta & T & E).
        exists (theta, (l, u)). cbn [fst snd]. split; [assumption|]. split; [assumption|].
        destruct R as (R1 & R2 & R3 & R4).
        repeat split; auto; [destruct R3|destruct R4]; auto; right; rewrite E; assumption. }
    exists (moved g P z (fun i => fst (h i)) (fun i => fst (snd (h i))) (fun i => snd (snd (h i)))), (fun k => fst (f k)).
    split; [split; [reflexivity|split; [|split; [|split]]]|split].
    + intros i j Hi Hj. unfold moved. cbn [M]. destruct (Hh i Hi) as [T _].
      setoid_replace (M P i j + fst (h i) * (of_M g i j * sign (z j)) - M P i j)
        with (fst (h i) * sign (z j) * of_M g i j) by ring.
      destruct (D i Hi) as [_ DM]. specialize (DM j Hj). pose proof (Qabs_nonneg (M P i j)).
      apply abs_scaled; [|lra]. rewrite Qabs_Qmult.
      destruct (sign_abs (z j)) as [_ S]. pose proof (Qabs_nonneg (fst (h i))).
      pose proof (Qabs_nonneg (sign (z j))). nra.
    + intros i Hi. unfold moved. cbn [q]. destruct (Hh i Hi) as [T _].
      setoid_replace (q P i + fst (h i) * of_q g i - q P i) with (fst (h i) * of_q g i) by ring.
      destruct (D i Hi) as [Dq _]. pose proof (Qabs_nonneg (q P i)). apply abs_scaled; [assumption|lra].
    + intros i Hi O. destruct (Hh i Hi) as [_ T]. rewrite O in T. apply T.
    + intros k Hk. apply (Hf k Hk).
    + intros i Hi O. destruct (Hh i Hi) as [_ T]. rewrite O in T. destruct T as (_ & R1 & R2 & R3 & R4).
      unfold row_solved. rewrite moved_w. auto.
    + intros k Hk. destruct (Hf k Hk) as (_ & _ & L).
      destruct (WO k Hk) as ((HN & H1 & H2) & N1 & N2 & N3 & ON & O1 & O2 & _). cbv zeta in *.
      refine (law_ext _ _ _ (snd (f k)) _ _ _ _ L); unfold at_contact; cbn [vN v1 v2]; rewrite moved_w; symmetry.
      * destruct (Hh _ HN) as [_ T]. rewrite ON in T. cbv zeta in T. now rewrite Nat.eqb_refl in T.
      * destruct (Hh _ H1) as [_ T]. rewrite O1 in T. cbv zeta in T.
        destruct (Nat.eqb_spec (tangent1 (contact_at cs k)) (normal (contact_at cs k))) as [E|_];
          [exfalso; now apply N1|]. now rewrite Nat.eqb_refl in T.
      * destruct (Hh _ H2) as [_ T]. rewrite O2 in T. cbv zeta in T.
        destruct (Nat.eqb_spec (tangent2 (contact_at cs k)) (normal (contact_at cs k))) as [E|_];
          [exfalso; now apply N2|].
        destruct (Nat.eqb_spec (tangent2 (contact_at cs k)) (tangent1 (contact_at cs k))) as [E|_];
          [exfalso; now apply N3|]. assumption.
  - intros (P' & m' & (N & NM & Nq & NB & Nm) & S & L).
    assert (W : forall i, (i < size P)%nat -> Qabs (w P' z i - w P z i) <= eps * s g P z i).
    { intros i Hi. apply near_to_moved; auto. }
    split.
    + intros i Hi. destruct (owner cs i) as [k|] eqn:O; [reflexivity|]. apply Qle_bool_iff.
      destruct (V i Hi O) as (Vi & A & B). apply row_theorem; auto.
      exists (w P' z i), (lo P' i), (up P' i). split; [auto|]. split; [auto|].
      rewrite N in S. destruct (S i Hi O) as (S1 & S2 & S3 & S4). repeat split; auto.
    + intros k Hk. destruct (WO k Hk) as ((HN & H1 & H2) & _ & _ & _ & _ & _ & _ & Hm). cbv zeta in *.
      apply contact_decides_correct; auto.
      exists (m' k), (at_contact (w P' z) (contact_at cs k)). split; [auto|]. split; [|apply (L k Hk)].
      unfold near_u, at_contact. cbn [vN v1 v2]. auto.
Qed.

(** Problems with friction cones: the backward error and the block error, contact by contact; vectors
    that prove that there is no solution; and what uniqueness of M does not prove (book: "Friction cones",
    "Certificates"). *)

From Etalon Require Export ConeError Form.
From Etalon Require Import BackwardErrorTheorem.

(** A contact: its rows, of which the tangential ones are [tangent 0 ... tangent (tangents - 1)], the squares of its mu,
    whether these are one datum, and its law. *)
Record contact := {
  normal : nat; tangents : nat; tangent : nat -> nat; mu2 : nat -> Q; as_one : bool; is_convex : bool
}.

Definition at_contact (x : nat -> Q) (c : contact) : parts :=
  {| vN := x (normal c); vT := fun k => x (tangent c k) |}.
Definition law_of (c : contact) : (nat -> Q) -> parts -> parts -> Prop :=
  if is_convex c then convex (tangents c) else coulomb (tangents c).

(** The contacts 0 ... count - 1, and the contact that a row belongs to, if it is not plain. *)
Record contacts := { count : nat; contact_at : nat -> contact; owner : nat -> option nat }.

(** Each contact owns its rows, which are different. *)
Record owns_rows (n : nat) (owner : nat -> option nat) (c : contact) (k : nat) : Prop := {
  normal_below : (normal c < n)%nat;
  normal_owned : owner (normal c) = Some k;
  tangent_below : forall j, (j < tangents c)%nat -> (tangent c j < n)%nat;
  tangent_owned : forall j, (j < tangents c)%nat -> owner (tangent c j) = Some k;
  tangent_not_normal : forall j, (j < tangents c)%nat -> tangent c j <> normal c;
  tangent_once : forall i j, (i < tangents c)%nat -> (j < tangents c)%nat -> tangent c i = tangent c j -> i = j;
  mu_nonneg : nonneg (tangents c) (mu2 c)
}.

Definition well_owned (n : nat) (cs : contacts) : Prop :=
  (forall k, (k < count cs)%nat -> owns_rows n (owner cs) (contact_at cs k) k) /\
  (forall i k, owner cs i = Some k -> (k < count cs)%nat /\
    let c := contact_at cs k in i = normal c \/ exists j, (j < tangents c)%nat /\ i = tangent c j).

(** z solves the problem in which contacts have squares of mu given by [m]. *)
Definition solves_with (P : problem) (cs : contacts) (m : nat -> nat -> Q) (z : nat -> Q) : Prop :=
  (forall i, (i < size P)%nat -> owner cs i = None -> row_solved P z i) /\
  (forall k, (k < count cs)%nat ->
    let c := contact_at cs k in law_of c (m k) (at_contact z c) (at_contact (w P z) c)).

Definition cone_solves P cs z : Prop := solves_with P cs (fun k => mu2 (contact_at cs k)) z.

(** ** The error: plain rows and contacts each decided by themselves. *)
Definition contact_decides (g : weights) eps P (c : contact) z : bool :=
  let decide := if is_convex c then convex_decides else coulomb_decides in
  decide (as_one c) (tangents c) eps (mu2 c) (at_contact (s g P z) c) (at_contact z c) (at_contact (w P z) c).

Definition cone_decides (g : weights) eps P cs z : bool :=
  all (size P) (fun i => match owner cs i with None => Qle_bool (row_eta g P z i) eps | Some _ => true end) &&
  all (count cs) (fun k => contact_decides g eps P (contact_at cs k) z).

(** Plain rows have bounds as ever, and z is within them. *)
Definition plain_valid P cs z : Prop :=
  forall i, (i < size P)%nat -> owner cs i = None ->
    valid_row P i /\ above (lo P i) z (z i) /\ below (up P i) z (z i).

(** A problem and squares of mu within eps. *)
Definition near_cones (g : weights) eps P cs (P' : problem) (m' : nat -> nat -> Q) : Prop :=
  size P' = size P /\
  (forall i j, (i < size P)%nat -> (j < size P)%nat -> Qabs (M P' i j - M P i j) <= eps * of_M g i j) /\
  (forall i, (i < size P)%nat -> Qabs (q P' i - q P i) <= eps * of_q g i) /\
  (forall i, (i < size P)%nat -> owner cs i = None -> near_bounds eps P i (lo P' i) (up P' i)) /\
  (forall k, (k < count cs)%nat -> let c := contact_at cs k in near_disc (as_one c) (tangents c) eps (mu2 c) (m' k)).

(** A contact is decided by what can be reached. *)
Lemma contact_decides_correct g eps P cs k z :
  let c := contact_at cs k in
  dominates g P -> 0 <= eps -> owns_rows (size P) (owner cs) c k ->
  (contact_decides g eps P c z = true <->
   obeys_within (fun _ => law_of c) (as_one c) (tangents c) eps (mu2 c)
     (at_contact (s g P z) c) (at_contact z c) (at_contact (w P z) c)).
Proof.
  intros c D He O. unfold contact_decides, law_of.
  assert (N : Qabs (w P z (normal c)) <= s g P z (normal c)) by (apply w_le_s; [assumption|apply O]).
  assert (T : forall j, (j < tangents c)%nat -> Qabs (w P z (tangent c j)) <= s g P z (tangent c j)).
  { intros j Hj. apply w_le_s; [assumption|]. now apply (tangent_below _ _ _ _ O). }
  pose proof (mu_nonneg _ _ _ _ O) as M.
  destruct (is_convex c); [apply convex_decides_correct|apply coulomb_decides_correct]; assumption.
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

Lemma law_ext c m r u u' : same_parts (tangents c) u u' -> law_of c m r u -> law_of c m r u'.
Proof. unfold law_of. destruct (is_convex c); [apply convex_ext|apply coulomb_ext]. Qed.

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
    destruct (finite_choice (fun _ => 0, {| vN := 0; vT := fun _ => 0 |}) (count cs)
      (fun k (t : (nat -> Q) * parts) => let c := contact_at cs k in
        near_disc (as_one c) (tangents c) eps (mu2 c) (fst t) /\
        near_u (tangents c) eps (at_contact (s g P z) c) (at_contact (w P z) c) (snd t) /\
        law_of c (fst t) (at_contact z c) (snd t))) as [f Hf].
    { intros k Hk. pose proof (HC k Hk) as C. apply contact_decides_correct in C; auto.
      destruct C as (m' & u & A & B & C). exists (m', u). auto. }
    (* Shares and bounds of the rows. *)
    destruct (finite_choice (0, (None, None)) (size P) (fun i (t : Q * (option bound * option bound)) =>
      Qabs (fst t) <= eps /\
      let moved_to := w P z i + fst t * s g P z i in
      match owner cs i with
      | None => near_bounds eps P i (fst (snd t)) (snd (snd t)) /\
          row_ok (fst (snd t)) (snd (snd t)) z (z i) moved_to
      | Some k => let c := contact_at cs k in let u := snd (f k) in
          (i = normal c -> moved_to == vN u) /\
          (forall j, (j < tangents c)%nat -> i = tangent c j -> moved_to == vT u j)
      end)) as [h Hh].
    { intros i Hi. destruct (owner cs i) as [k|] eqn:O.
      - destruct (WI i k O) as [Hk WIk]. destruct (Hf k Hk) as (_ & (UN & UT) & _). pose proof (WO k Hk) as Own.
        cbv zeta in *. destruct WIk as [E|(j & Hj & E)].
        + unfold at_contact in UN. cbn [vN] in UN. rewrite <- E in UN. destruct (share g eps P z i _ D Hi He UN) as (theta & T & W).
          exists (theta, (None, None)). split; [assumption|]. split; [intros _; exact W|].
          intros l Hl F. exfalso. apply (tangent_not_normal _ _ _ _ Own l Hl). congruence.
        + specialize (UT j Hj). unfold at_contact in UT. cbn [vT] in UT. rewrite <- E in UT.
          destruct (share g eps P z i _ D Hi He UT) as (theta & T & W).
          exists (theta, (None, None)). split; [assumption|]. split.
          * intros F. exfalso. apply (tangent_not_normal _ _ _ _ Own j Hj). congruence.
          * intros l Hl F. assert (l = j) by (apply (tangent_once _ _ _ _ Own); congruence). subst l. exact W.
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
    + intros k Hk. destruct (Hf k Hk) as (_ & _ & L). pose proof (WO k Hk) as Own. cbv zeta in *.
      refine (law_ext _ _ _ (snd (f k)) _ _ L). unfold at_contact. split; cbn [vN vT]; [|intros j Hj]; rewrite moved_w; symmetry.
      * destruct (Hh _ (normal_below _ _ _ _ Own)) as [_ T]. rewrite (normal_owned _ _ _ _ Own) in T. now apply T.
      * destruct (Hh _ (tangent_below _ _ _ _ Own j Hj)) as [_ T]. rewrite (tangent_owned _ _ _ _ Own j Hj) in T.
        now apply T.
  - intros (P' & m' & (N & NM & Nq & NB & Nm) & S & L).
    assert (W : forall i, (i < size P)%nat -> Qabs (w P' z i - w P z i) <= eps * s g P z i).
    { intros i Hi. apply near_to_moved; auto. }
    split.
    + intros i Hi. destruct (owner cs i) as [k|] eqn:O; [reflexivity|]. apply Qle_bool_iff.
      destruct (V i Hi O) as (Vi & A & B). apply row_theorem; auto.
      exists (w P' z i), (lo P' i), (up P' i). split; [auto|]. split; [auto|].
      rewrite N in S. destruct (S i Hi O) as (S1 & S2 & S3 & S4). repeat split; auto.
    + intros k Hk. pose proof (WO k Hk) as Own. apply contact_decides_correct; auto.
      exists (m' k), (at_contact (w P' z) (contact_at cs k)). split; [apply (Nm k Hk)|]. split; [|apply (L k Hk)].
      split; [apply W, Own|]. intros j Hj. apply W. now apply (tangent_below _ _ _ _ Own).
Qed.

(** Whether a contact obeys its law for data changed within eps: decided without a root (book: "Friction
    cones", theorem 2, for one disc of two rows with one mu). *)

From Etalon Require Export ConeLaw Feasible.
From Etalon Require Import BackwardError.

(** ** Within reach: every w by eps s, and mu by eps mu. In squares mu' ranges over
    [((1 - eps)^+)^2 m, (1 + eps)^2 m]. *)
Definition near_mu (eps m m' : Q) : Prop :=
  0 <= m' /\ m' <= (1 + eps) * (1 + eps) * m /\ (eps < 1 -> (1 - eps) * (1 - eps) * m <= m').

(** That is what it says of mu and mu' themselves. *)
Lemma near_mu_of_squares eps mu mu' :
  0 <= eps -> 0 <= mu -> 0 <= mu' ->
  (near_mu eps (mu * mu) (mu' * mu') <-> Qabs (mu' - mu) <= eps * mu).
Proof.
  intros He M M'. rewrite abs_le. unfold near_mu.
  setoid_replace ((1 + eps) * (1 + eps) * (mu * mu)) with ((mu + eps * mu) * (mu + eps * mu)) by ring.
  setoid_replace ((1 - eps) * (1 - eps) * (mu * mu)) with ((mu - eps * mu) * (mu - eps * mu)) by ring.
  assert (E : 0 <= eps * mu) by nra. split.
  - intros (_ & H1 & H2). destruct (square_le mu' (mu + eps * mu)) as [_ U]; [lra|assumption|].
    split; [|lra]. destruct (Qlt_le_dec eps 1) as [L|L].
    + specialize (H2 L). destruct (square_le (mu - eps * mu) mu') as [_ V]; [assumption|assumption|]. lra.
    + assert (mu <= eps * mu) by nra. lra.
  - intros [L U]. split; [apply square_nonneg|]. split; [nra|].
    intros E1. assert (0 <= mu - eps * mu) by nra. nra.
Qed.

Definition near_u (eps : Q) (s w u : three) : Prop :=
  Qabs (vN u - vN w) <= eps * vN s /\ Qabs (v1 u - v1 w) <= eps * v1 s /\ Qabs (v2 u - v2 w) <= eps * v2 s.

Definition obeys_within (law : Q -> three -> three -> Prop) eps m s r w : Prop :=
  exists m' u, near_mu eps m m' /\ near_u eps s w u /\ law m' r u.

(** ** The decisions. *)
Section Contact.
Variables (eps m : Q) (s r w : three).

Definition rests (wk sk : Q) : bool := Qle_bool (Qabs wk) (eps * sk).
Definition is_zero (x : Q) : bool := Qeq_bool x 0.
Definition in_wide_cone : bool :=
  Qle_bool (square_of_tangent r) ((1 + eps) * (1 + eps) * m * (vN r * vN r)).
Definition beyond_narrow_cone : bool :=
  Qle_bool ((1 - eps) * (1 - eps) * m * (vN r * vN r)) (square_of_tangent r).

Definition coulomb_decides : bool :=
  Qle_bool 0 (vN r) &&
  if is_zero (vN r) then is_zero (v1 r) && is_zero (v2 r) && Qle_bool 0 (vN w + eps * vN s)
  else if is_zero m then is_zero (v1 r) && is_zero (v2 r) && rests (vN w) (vN s)
  else in_wide_cone &&
    (Qle_bool 1 eps ||
     rests (vN w) (vN s) &&
     (rests (v1 w) (v1 s) && rests (v2 w) (v2 s) ||
      beyond_narrow_cone && feasible [(v1 w, v1 r, eps * v1 s); (v2 w, v2 r, eps * v2 s)])).

(** What is left of |w_k| at the least. *)
Definition left_over (wk sk : Q) : Q := if rests wk sk then 0 else Qabs wk - eps * sk.
Definition least_factor : Q := if Qle_bool 1 eps then 0 else (1 - eps) * (1 - eps).

Definition convex_decides : bool :=
  Qle_bool 0 (vN r) &&
  if is_zero (vN r) then
    is_zero (v1 r) && is_zero (v2 r) &&
    let most := vN w + eps * vN s in
    Qle_bool 0 most &&
    Qle_bool (least_factor * m * (left_over (v1 w) (v1 s) * left_over (v1 w) (v1 s)
                                + left_over (v2 w) (v2 s) * left_over (v2 w) (v2 s))) (most * most)
  else if is_zero m then is_zero (v1 r) && is_zero (v2 r) && rests (vN w) (vN s)
  else in_wide_cone &&
    (Qle_bool 1 eps ||
     rests (vN w) (vN s) && rests (v1 w) (v1 s) && rests (v2 w) (v2 s) ||
     beyond_narrow_cone &&
     feasible [(v1 w, v1 r, eps * v1 s); (v2 w, v2 r, eps * v2 s);
               (vN w, - (square_of_tangent r / vN r), eps * vN s)]).

(** ** They are right. *)
Hypothesis He : 0 <= eps.
Hypothesis Hm : 0 <= m.
Hypothesis SN : Qabs (vN w) <= vN s.
Hypothesis S1 : Qabs (v1 w) <= v1 s.
Hypothesis S2 : Qabs (v2 w) <= v2 s.

Lemma is_zero_true x : is_zero x = true <-> x == 0.
Proof. apply Qeq_bool_iff. Qed.

Lemma is_zero_false x : is_zero x = false <-> ~ x == 0.
Proof. rewrite <- not_true_iff_false, is_zero_true. reflexivity. Qed.

Lemma rests_true wk sk : rests wk sk = true <-> Qabs wk <= eps * sk.
Proof. apply Qle_bool_iff. Qed.

Lemma same_reach x e : 0 <= e -> Qabs (x - x) <= e.
Proof. intros E. setoid_replace (x - x) with 0 by ring. exact E. Qed.

Lemma to_zero x e : Qabs x <= e -> Qabs (0 - x) <= e.
Proof. rewrite !abs_le. lra. Qed.

Lemma reach_nonneg wk sk : Qabs wk <= sk -> 0 <= eps * sk.
Proof. intros H. pose proof (Qabs_nonneg wk). nra. Qed.

Lemma near_mu_itself : near_mu eps m m.
Proof.
  assert (A : 0 <= eps * m) by nra. assert (B : 0 <= eps * (eps * m)) by nra.
  unfold near_mu. repeat split; [assumption|lra|]. intros L.
  assert (0 <= (2 - eps) * (eps * m)) by nra. lra.
Qed.

Lemma near_mu_most : near_mu eps m ((1 + eps) * (1 + eps) * m).
Proof. unfold near_mu. assert (0 <= eps * m) by nra. assert (0 <= eps * (eps * m)) by nra.
  repeat split; [lra|lra|intros; lra].
Qed.

(** With eps >= 1 everything can be brought to rest. *)
Lemma all_rest : 1 <= eps ->
  Qabs (vN w) <= eps * vN s /\ Qabs (v1 w) <= eps * v1 s /\ Qabs (v2 w) <= eps * v2 s.
Proof.
  intros E. pose proof (Qabs_nonneg (vN w)). pose proof (Qabs_nonneg (v1 w)). pose proof (Qabs_nonneg (v2 w)).
  repeat split; nra.
Qed.

Let still := {| vN := 0; v1 := 0; v2 := 0 |}.

Lemma near_still :
  Qabs (vN w) <= eps * vN s -> Qabs (v1 w) <= eps * v1 s -> Qabs (v2 w) <= eps * v2 s -> near_u eps s w still.
Proof. intros. unfold near_u, still. cbn [vN v1 v2]. repeat split; now apply to_zero. Qed.

(** A disc that slides: mu' is forced. *)
Definition forced : Q := square_of_tangent r / (vN r * vN r).

Lemma forced_near :
  0 < vN r -> in_wide_cone = true -> beyond_narrow_cone = true -> near_mu eps m forced.
Proof.
  unfold in_wide_cone, beyond_narrow_cone. rewrite !Qle_bool_iff. intros P U L.
  assert (PP : 0 < vN r * vN r) by nra. unfold forced, near_mu. repeat split.
  - apply Qle_shift_div_l; [assumption|]. pose proof (tangent_nonneg r). lra.
  - apply Qle_shift_div_r; [assumption|]. lra.
  - intros _. apply Qle_shift_div_l; [assumption|]. lra.
Qed.

Lemma forced_boundary : 0 < vN r -> square_of_tangent r == forced * (vN r * vN r).
Proof. intros P. unfold forced. field. nra. Qed.

Lemma slide_reach l wk rk e : meets l (wk, rk, e) = true <-> Qabs (- l * rk - wk) <= e.
Proof. unfold meets. rewrite Qle_bool_iff, !abs_le. split; intros [A B]; lra. Qed.

Theorem coulomb_decides_correct :
  coulomb_decides = true <-> obeys_within coulomb eps m s r w.
Proof.
  pose proof (reach_nonneg _ _ SN) as EN. pose proof (reach_nonneg _ _ S1) as E1. pose proof (reach_nonneg _ _ S2) as E2.
  unfold coulomb_decides, obeys_within. rewrite andb_true_iff, Qle_bool_iff.
  destruct (is_zero (vN r)) eqn:Z; [apply is_zero_true in Z|apply is_zero_false in Z].
  { rewrite !andb_true_iff, !is_zero_true, Qle_bool_iff. split.
    - intros [_ [[R1 R2] A]]. exists m, {| vN := vN w + eps * vN s; v1 := v1 w; v2 := v2 w |}.
      split; [apply near_mu_itself|]. split.
      + unfold near_u. cbn [vN v1 v2]. split; [|split; now apply same_reach].
        apply abs_le. lra.
      + left. cbn [vN]. auto.
    - intros (m' & u & _ & (N & _ & _) & [(_ & R1 & R2 & U)|(P & _)]); [|lra].
      apply abs_le in N. repeat split; auto; lra. }
  destruct (is_zero m) eqn:M0; [apply is_zero_true in M0|apply is_zero_false in M0].
  { rewrite !andb_true_iff, !is_zero_true, rests_true. split.
    - intros [P [[R1 R2] A]]. exists m, {| vN := 0; v1 := v1 w; v2 := v2 w |}.
      split; [apply near_mu_itself|]. split.
      + unfold near_u. cbn [vN v1 v2]. split; [now apply to_zero|]. split; now apply same_reach.
      + right. split; [lra|]. split; [reflexivity|]. right. split; [|now left].
        unfold square_of_tangent. rewrite R1, R2, M0. ring.
    - intros (m' & u & (N1 & N2 & _) & (N & _ & _) & [(P & _)|(P & UN & T)]); [contradiction|].
      assert (m' == 0) by (rewrite M0 in N2; lra).
      assert (Q : square_of_tangent r <= 0).
      { destruct T as [(_ & _ & T)|(T & _)]; rewrite H in T; lra. }
      destruct (tangent_zero r Q). apply abs_le in N. repeat split; auto; [lra|].
      apply abs_le. lra. }
  assert (MP : 0 < m) by lra.
  rewrite andb_true_iff, !orb_true_iff, !andb_true_iff, orb_true_iff, !andb_true_iff, !rests_true, Qle_bool_iff, feasible_correct.
  split.
  - intros (P & W & D). assert (RP : 0 < vN r) by lra.
    assert (W' := W). unfold in_wide_cone in W'. apply Qle_bool_iff in W'.
    assert (stick : Qabs (vN w) <= eps * vN s -> Qabs (v1 w) <= eps * v1 s -> Qabs (v2 w) <= eps * v2 s ->
      exists m' u, near_mu eps m m' /\ near_u eps s w u /\ coulomb m' r u).
    { intros A B C. exists ((1 + eps) * (1 + eps) * m), still.
      split; [apply near_mu_most|]. split; [now apply near_still|].
      right. unfold still. cbn [vN v1 v2]. split; [assumption|]. split; [reflexivity|]. left.
      split; [reflexivity|split; [reflexivity|assumption]]. }
    destruct D as [D|(A & [(B & C)|(B & l & L & F)])].
    + destruct (all_rest D) as (A & B & C). auto.
    + auto.
    + exists forced, {| vN := 0; v1 := - l * v1 r; v2 := - l * v2 r |}.
      split; [now apply forced_near|]. split.
      * unfold near_u. cbn [vN v1 v2]. split; [now apply to_zero|].
        split; apply slide_reach, F; simpl; auto.
      * right. cbn [vN v1 v2]. split; [assumption|]. split; [reflexivity|]. right.
        split; [now apply forced_boundary|]. right. exists l. repeat split; auto; reflexivity.
  - intros (m' & u & (N0 & N1 & N2) & (UN & U1 & U2) & [(P & _)|(P & VN & T)]); [contradiction|].
    assert (PP : 0 < vN r * vN r) by nra.
    assert (K : square_of_tangent r <= m' * (vN r * vN r)) by (destruct T as [(_ & _ & T)|(T & _)]; lra).
    split; [lra|]. split.
    { unfold in_wide_cone. apply Qle_bool_iff. nra. }
    destruct (Qlt_le_dec eps 1) as [L|L]; [right|now left].
    specialize (N2 L). assert (0 < (1 - eps) * (1 - eps)) by nra.
    assert (M' : 0 < m') by nra.
    apply abs_le in UN. split; [apply abs_le; lra|].
    destruct T as [(V1 & V2 & _)|(B & [F|(l & L0 & V1 & V2)])].
    + left. apply abs_le in U1. apply abs_le in U2. split; apply abs_le; lra.
    + lra.
    + right. split.
      * unfold beyond_narrow_cone. apply Qle_bool_iff. rewrite B. nra.
      * exists l. split; [assumption|]. intros k [<-|[<-|[]]]; apply slide_reach.
        -- now rewrite <- V1.
        -- now rewrite <- V2.
Qed.

Lemma left_over_nonneg wk sk : 0 <= left_over wk sk.
Proof.
  unfold left_over. destruct (rests wk sk) eqn:R; [lra|].
  apply not_true_iff_false in R. rewrite rests_true in R. lra.
Qed.

Lemma left_over_least wk sk uk : Qabs (uk - wk) <= eps * sk -> left_over wk sk <= Qabs uk.
Proof.
  intros H. unfold left_over. destruct (rests wk sk); [apply Qabs_nonneg|].
  pose proof (Qabs_triangle (wk - uk) uk) as T. setoid_replace (wk - uk + uk) with wk in T by ring.
  rewrite Qabs_Qminus in H. lra.
Qed.

(** Moved towards 0 as far as that goes. *)
Definition nearest (wk sk : Q) : Q :=
  if rests wk sk then 0 else if positive wk then wk - eps * sk else wk + eps * sk.

Lemma nearest_near wk sk : 0 <= eps * sk -> Qabs (nearest wk sk - wk) <= eps * sk /\
  nearest wk sk * nearest wk sk == left_over wk sk * left_over wk sk.
Proof.
  intros E. unfold nearest, left_over. destruct (rests wk sk) eqn:R.
  - apply rests_true in R. split; [now apply to_zero|reflexivity].
  - apply not_true_iff_false in R. rewrite rests_true in R. destruct (positive wk) eqn:P.
    + apply positive_true in P. rewrite (Qabs_pos wk) by lra. split; [apply abs_le; lra|reflexivity].
    + apply not_true_iff_false in P. rewrite positive_true in P. rewrite (Qabs_neg wk) by lra.
      split; [apply abs_le; lra|ring].
Qed.

Lemma square_abs x : x * x == Qabs x * Qabs x.
Proof. rewrite <- Qabs_Qmult. symmetry. apply Qabs_pos, square_nonneg. Qed.

Lemma square_mono x y : 0 <= x -> x <= y -> x * x <= y * y.
Proof. intros. nra. Qed.

Theorem convex_decides_correct :
  convex_decides = true <-> obeys_within convex eps m s r w.
Proof.
  pose proof (reach_nonneg _ _ SN) as EN. pose proof (reach_nonneg _ _ S1) as E1. pose proof (reach_nonneg _ _ S2) as E2.
  unfold convex_decides, obeys_within. rewrite andb_true_iff, Qle_bool_iff.
  destruct (is_zero (vN r)) eqn:Z; [apply is_zero_true in Z|apply is_zero_false in Z].
  { cbv zeta. rewrite !andb_true_iff, !is_zero_true, !Qle_bool_iff. set (most := vN w + eps * vN s).
    assert (F0 : 0 <= least_factor).
    { unfold least_factor. destruct (Qle_bool 1 eps); [lra|apply square_nonneg]. }
    split.
    - intros [_ [[R1 R2] [A B]]].
      destruct (nearest_near (v1 w) (v1 s) E1) as [N1 Q1]. destruct (nearest_near (v2 w) (v2 s) E2) as [N2 Q2].
      exists (least_factor * m), {| vN := most; v1 := nearest (v1 w) (v1 s); v2 := nearest (v2 w) (v2 s) |}.
      split; [|split].
      + unfold near_mu. split; [nra|]. unfold least_factor. destruct (Qle_bool 1 eps) eqn:L.
        * apply Qle_bool_iff in L. split; [nra|lra].
        * split; [|intros; lra]. assert (0 <= eps * m) by nra. nra.
      + unfold near_u. cbn [vN v1 v2]. split; [|split; assumption]. unfold most. apply abs_le. lra.
      + unfold convex, in_cone, in_dual, dot. cbn [vN v1 v2]. split; [split; [lra|]|split; [split; [assumption|]|]].
        * unfold square_of_tangent. rewrite R1, R2, Z. lra.
        * unfold square_of_tangent. cbn [v1 v2]. rewrite Q1, Q2. assumption.
        * rewrite Z, R1, R2. ring.
    - intros (m' & u & (N0 & _ & N2) & (UN & U1 & U2) & ([K0 K] & [D0 D] & _)).
      assert (T : square_of_tangent r <= 0) by (rewrite Z in K; lra). destruct (tangent_zero r T) as [R1 R2].
      apply abs_le in UN. split; [lra|]. split; [auto|].
      assert (UM : vN u <= most) by (unfold most; lra). split; [lra|].
      apply left_over_least in U1. apply left_over_least in U2.
      pose proof (left_over_nonneg (v1 w) (v1 s)) as G1. pose proof (left_over_nonneg (v2 w) (v2 s)) as G2.
      set (a1 := left_over (v1 w) (v1 s)) in *. set (a2 := left_over (v2 w) (v2 s)) in *.
      pose proof (square_mono _ _ G1 U1) as Q1. pose proof (square_mono _ _ G2 U2) as Q2.
      rewrite <- square_abs in Q1, Q2.
      assert (SQ : a1 * a1 + a2 * a2 <= square_of_tangent u) by (unfold square_of_tangent; lra).
      assert (MM : least_factor * m <= m').
      { unfold least_factor. destruct (Qle_bool 1 eps) eqn:L; [lra|]. apply N2. now apply Qle_bool_false in L. }
      pose proof (square_mono _ _ D0 UM) as UU.
      assert (0 <= a1 * a1 + a2 * a2) by (pose proof (square_nonneg a1); pose proof (square_nonneg a2); lra).
      assert (0 <= least_factor * m) by nra.
      assert (least_factor * m * (a1 * a1 + a2 * a2) <= m' * (a1 * a1 + a2 * a2)) by nra.
      assert (m' * (a1 * a1 + a2 * a2) <= m' * square_of_tangent u) by nra. lra. }
  destruct (is_zero m) eqn:M0; [apply is_zero_true in M0|apply is_zero_false in M0].
  { rewrite !andb_true_iff, !is_zero_true, rests_true. split.
    - intros [P [[R1 R2] A]]. exists m, {| vN := 0; v1 := v1 w; v2 := v2 w |}.
      split; [apply near_mu_itself|]. split.
      + unfold near_u. cbn [vN v1 v2]. split; [now apply to_zero|]. split; now apply same_reach.
      + unfold convex, in_cone, in_dual, dot. cbn [vN v1 v2]. repeat split; try lra.
        * unfold square_of_tangent. rewrite R1, R2, M0. lra.
        * unfold square_of_tangent. rewrite M0. lra.
        * rewrite R1, R2. ring.
    - intros (m' & u & (N1 & N2 & _) & (N & _ & _) & ([K0 K] & [D0 D] & DD)).
      assert (E : m' == 0) by (rewrite M0 in N2; lra).
      assert (T : square_of_tangent r <= 0) by (rewrite E in K; lra). destruct (tangent_zero r T) as [R1 R2].
      assert (U0 : vN u == 0).
      { unfold dot in DD. rewrite R1, R2 in DD. assert (DN : vN r * vN u == 0) by lra.
        destruct (Qmult_integral _ _ DN); [contradiction|assumption]. }
      apply abs_le in N. split; [assumption|]. split; [auto|]. apply abs_le. lra. }
  assert (MP : 0 < m) by lra.
  rewrite andb_true_iff, !orb_true_iff, !andb_true_iff, !rests_true, Qle_bool_iff, feasible_correct.
  split.
  - intros (P & W & D). assert (RP : 0 < vN r) by lra.
    assert (W' := W). unfold in_wide_cone in W'. apply Qle_bool_iff in W'.
    assert (stick : Qabs (vN w) <= eps * vN s -> Qabs (v1 w) <= eps * v1 s -> Qabs (v2 w) <= eps * v2 s ->
      exists m' u, near_mu eps m m' /\ near_u eps s w u /\ convex m' r u).
    { intros A B C. exists ((1 + eps) * (1 + eps) * m), still.
      split; [apply near_mu_most|]. split; [now apply near_still|].
      unfold convex, in_cone, in_dual, dot, still, square_of_tangent. cbn [vN v1 v2].
      repeat split; [lra|exact W'|lra|lra|ring]. }
    destruct (Qlt_le_dec eps 1) as [LE|LE]; [|destruct (all_rest LE) as (A & B & C); auto].
    destruct D as [[D|((A & B) & C)]|(B & l & L & F)]; [lra|auto|].
    assert (B' := B). unfold beyond_narrow_cone in B'. apply Qle_bool_iff in B'.
    assert (PP : 0 < vN r * vN r) by nra.
    assert (FP : 0 < forced).
    { unfold forced. apply Qlt_shift_div_l; [assumption|]. rewrite Qmult_0_l.
      assert (0 < (1 - eps) * (1 - eps)) by nra. assert (0 < (1 - eps) * (1 - eps) * m) by nra. nra. }
    exists forced, {| vN := l * (square_of_tangent r / vN r); v1 := - l * v1 r; v2 := - l * v2 r |}.
    split; [now apply forced_near|]. split.
    + unfold near_u. cbn [vN v1 v2].
      assert (FN := F _ (or_intror (or_intror (or_introl eq_refl)))). apply slide_reach in FN.
      split; [|split; apply slide_reach, F; simpl; auto].
      setoid_replace (l * (square_of_tangent r / vN r) - vN w)
        with (- l * - (square_of_tangent r / vN r) - vN w) by ring. assumption.
    + apply convex_as_written; [assumption|]. right. cbn [vN v1 v2]. split; [assumption|].
      pose proof (forced_boundary RP) as FB. split; [split; lra|].
      exists (l * forced). repeat split.
      * nra.
      * now left.
      * unfold forced. field. lra.
      * field. lra.
      * field. lra.
  - intros (m' & u & (N0 & N1 & N2) & (UN & U1 & U2) & C).
    destruct C as ([K0 K] & C'). assert (C : convex m' r u) by (split; [split|]; assumption).
    assert (P : 0 < vN r) by lra. assert (PP : 0 < vN r * vN r) by nra.
    split; [assumption|]. split.
    { unfold in_wide_cone. apply Qle_bool_iff. nra. }
    destruct (Qlt_le_dec eps 1) as [L|L]; [|now left; left].
    specialize (N2 L). assert (0 < (1 - eps) * (1 - eps)) by nra.
    assert (M' : 0 < m') by nra. apply convex_as_written in C; [|assumption].
    destruct C as [(E & _)|(_ & _ & LL & L0 & B & VN & V1 & V2)]; [contradiction|].
    destruct (Qeq_dec LL 0) as [LZ|LZ].
    + left. right. apply abs_le in UN. apply abs_le in U1. apply abs_le in U2.
      rewrite LZ in VN, V1, V2.
      assert (Z1 : v1 u == 0) by (rewrite V1; field; lra). assert (Z2 : v2 u == 0) by (rewrite V2; field; lra).
      split; [split|]; apply abs_le; lra.
    + destruct B as [B|B]; [|contradiction]. right. split.
      * unfold beyond_narrow_cone. apply Qle_bool_iff. rewrite B. nra.
      * exists (LL / m'). split; [apply Qle_shift_div_l; lra|].
        intros k [<-|[<-|[<-|[]]]]; apply slide_reach.
        -- setoid_replace (- (LL / m') * v1 r) with (v1 u) by (rewrite V1; field; lra). assumption.
        -- setoid_replace (- (LL / m') * v2 r) with (v2 u) by (rewrite V2; field; lra). assumption.
        -- setoid_replace (- (LL / m') * - (square_of_tangent r / vN r)) with (vN u)
             by (rewrite VN, B; field; lra). assumption.
Qed.
End Contact.

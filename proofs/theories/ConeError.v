(** Whether a contact obeys its law for data changed within eps: decided without a root (book: "Friction cones",
    theorem 2, for one disc of any number of rows, with one mu or a mu for each row). *)

From Etalon Require Export ConeSlide.
From Etalon Require Import BackwardError.

(** Every w within reach by eps s. *)
Definition near_u n (eps : Q) (s w u : parts) : Prop :=
  Qabs (vN u - vN w) <= eps * vN s /\ forall k, (k < n)%nat -> Qabs (vT u k - vT w k) <= eps * vT s k.

Definition obeys_within (law : nat -> (nat -> Q) -> parts -> parts -> Prop) as_one n eps m s r w : Prop :=
  exists m' u, near_disc as_one n eps m m' /\ near_u n eps s w u /\ law n m' r u.

(** ** The decisions. *)
Section Contact.
Variables (as_one : bool) (n : nat) (eps : Q) (m : nat -> Q) (s r w : parts).

Definition rests (wk sk : Q) : bool := Qle_bool (Qabs wk) (eps * sk).
Definition rows_rest : bool := all n (fun k => is_zero (m k) || rests (vT w k) (vT s k)).
Definition no_force_where_smooth : bool := all n (fun k => negb (is_zero (m k)) || is_zero (vT r k)).
Definition no_tangent_force : bool := all n (fun k => is_zero (vT r k)).
Definition in_wide_cone : bool :=
  Qle_bool (friction_square n m r) ((1 + eps) * (1 + eps) * (vN r * vN r)).

Definition coulomb_decides : bool :=
  Qle_bool 0 (vN r) && no_force_where_smooth &&
  if is_zero (vN r) then no_tangent_force && Qle_bool 0 (vN w + eps * vN s)
  else in_wide_cone &&
    (Qle_bool 1 eps ||
     rests (vN w) (vN s) && (rows_rest || slides as_one n eps m s r w false)).

(** What is left of |w_k| at the least. *)
Definition left_over (wk sk : Q) : Q := if rests wk sk then 0 else Qabs wk - eps * sk.
Definition least_factor : Q := if Qle_bool 1 eps then 0 else (1 - eps) * (1 - eps).
Definition least_slip : Q :=
  sum n (fun k => least_factor * m k * (left_over (vT w k) (vT s k) * left_over (vT w k) (vT s k))).

Definition convex_decides : bool :=
  Qle_bool 0 (vN r) && no_force_where_smooth &&
  if is_zero (vN r) then
    let most := vN w + eps * vN s in
    no_tangent_force && Qle_bool 0 most && Qle_bool least_slip (most * most)
  else in_wide_cone &&
    (Qle_bool 1 eps ||
     rests (vN w) (vN s) && rows_rest ||
     slides as_one n eps m s r w true).

(** ** They are right. *)
Hypothesis He : 0 <= eps.
Hypothesis Hm : nonneg n m.
Hypothesis SN : Qabs (vN w) <= vN s.
Hypothesis ST : forall k, (k < n)%nat -> Qabs (vT w k) <= vT s k.

Lemma rests_true wk sk : rests wk sk = true <-> Qabs wk <= eps * sk.
Proof. apply Qle_bool_iff. Qed.

Lemma rows_rest_true : rows_rest = true <-> all_rest n eps m s w.
Proof.
  unfold rows_rest, all_rest. rewrite all_true. split; intros H k Hk.
  - intros Mk. specialize (H k Hk). rewrite orb_true_iff, is_zero_true, rests_true in H. destruct H; [lra|assumption].
  - rewrite orb_true_iff, is_zero_true, rests_true. specialize (Hm k Hk).
    destruct (Qeq_dec (m k) 0) as [E|E]; [now left|right]. apply H; [assumption|lra].
Qed.

Lemma no_force_where_smooth_true : no_force_where_smooth = true <-> smooth_free n m r.
Proof.
  unfold no_force_where_smooth, smooth_free. rewrite all_true. split; intros H k Hk.
  - intros E. specialize (H k Hk). rewrite orb_true_iff, negb_true_iff, is_zero_true, is_zero_false in H. tauto.
  - rewrite orb_true_iff, negb_true_iff, is_zero_true, is_zero_false.
    destruct (Qeq_dec (m k) 0) as [E|E]; auto.
Qed.

Lemma no_tangent_force_true : no_tangent_force = true <-> forall k, (k < n)%nat -> vT r k == 0.
Proof. unfold no_tangent_force. rewrite all_true. split; intros H k Hk; apply is_zero_true; auto. Qed.

Lemma in_wide_cone_true :
  in_wide_cone = true <-> friction_square n m r <= (1 + eps) * (1 + eps) * (vN r * vN r).
Proof. apply Qle_bool_iff. Qed.

Lemma to_zero x e : Qabs x <= e -> Qabs (0 - x) <= e.
Proof. rewrite !abs_le. lra. Qed.

Lemma same_reach x e : 0 <= e -> Qabs (x - x) <= e.
Proof. intros E. setoid_replace (x - x) with 0 by ring. exact E. Qed.

Lemma reach_nonneg wk sk : Qabs wk <= sk -> 0 <= eps * sk.
Proof. intros H. pose proof (Qabs_nonneg wk). nra. Qed.

Lemma sizes_nonneg k : (k < n)%nat -> 0 <= vT s k.
Proof. intros Hk. pose proof (ST k Hk). pose proof (Qabs_nonneg (vT w k)). lra. Qed.

Lemma near_factor_itself : near_mu eps 1 1.
Proof. unfold near_mu. split; [lra|]. split; [nra|]. intros L. nra. Qed.

Lemma near_factor_most : near_mu eps 1 ((1 + eps) * (1 + eps)).
Proof. unfold near_mu. split; [nra|]. split; [lra|]. intros L. nra. Qed.

Lemma near_factor_least : near_mu eps 1 least_factor.
Proof.
  unfold near_mu, least_factor. destruct (Qle_bool 1 eps) eqn:E.
  - apply Qle_bool_iff in E. split; [lra|]. split; [nra|]. lra.
  - split; [apply square_nonneg|]. split; [nra|]. lra.
Qed.

(** With eps >= 1 everything can be brought to rest. *)
Lemma everything_rests :
  1 <= eps -> Qabs (vN w) <= eps * vN s /\ all_rest n eps m s w.
Proof.
  intros E. split.
  - pose proof (Qabs_nonneg (vN w)). nra.
  - intros k Hk _. pose proof (ST k Hk). pose proof (Qabs_nonneg (vT w k)). nra.
Qed.

(** What sticks: mu as large as it may be, rows without friction as they are. *)
Definition still : parts := {| vN := 0; vT := fun k => if is_zero (m k) then vT w k else 0 |}.

Lemma near_still : Qabs (vN w) <= eps * vN s -> all_rest n eps m s w -> near_u n eps s w still.
Proof.
  intros N T. split; [now apply to_zero|]. intros k Hk. unfold still. cbn [vT].
  destruct (is_zero (m k)) eqn:Z.
  - apply same_reach, reach_nonneg with (vT w k). auto.
  - apply to_zero, T; [assumption|]. apply is_zero_false in Z. specialize (Hm k Hk). lra.
Qed.

Lemma friction_square_scaled f : 0 < f -> smooth_free n m r ->
  friction_square n (fun k => f * m k) r == friction_square n m r / f.
Proof.
  intros F R. setoid_replace (friction_square n m r / f) with (/ f * friction_square n m r) by (unfold Qdiv; ring).
  unfold friction_square. rewrite <- sum_scale. apply sum_ext. intros k Hk.
  destruct (Qeq_dec (m k) 0) as [Z|Z]; [rewrite (R k Hk Z); unfold Qdiv; ring|field; split; [assumption|lra]].
Qed.

Lemma sticks_pressed :
  0 < vN r -> smooth_free n m r -> in_wide_cone = true ->
  pressed n (fun k => (1 + eps) * (1 + eps) * m k) r still 0.
Proof.
  intros P R W. apply in_wide_cone_true in W. assert (F : 0 < (1 + eps) * (1 + eps)) by nra.
  split; [assumption|]. split; [split; [lra|split]|].
  - intros k Hk E. apply R; [assumption|]. specialize (Hm k Hk). nra.
  - rewrite friction_square_scaled by assumption. apply Qle_shift_div_r; [assumption|]. lra.
  - split; [lra|]. split; [right; reflexivity|]. intros k Hk Mk. unfold still. cbn [vT].
    destruct (is_zero (m k)) eqn:Z; [apply is_zero_true in Z; rewrite Z in Mk; lra|]. unfold Qdiv. ring.
Qed.

(** What slides, with the normal velocity of the law. *)
Definition slipping (m' : nat -> Q) (L uN : Q) : parts :=
  {| vN := uN; vT := fun k => if is_zero (m k) then vT w k else - L * vT r k / m' k |}.

Lemma near_slipping m' L uN :
  slides_at as_one n eps m s r w m' L -> Qabs (uN - vN w) <= eps * vN s -> near_u n eps s w (slipping m' L uN).
Proof.
  intros (_ & _ & R) N. split; [exact N|]. intros k Hk. unfold slipping. cbn [vT].
  destruct (is_zero (m k)) eqn:Z.
  - apply same_reach, reach_nonneg with (vT w k). auto.
  - apply R; [assumption|]. apply is_zero_false in Z. specialize (Hm k Hk). lra.
Qed.

Lemma smooth_stays m' k : near_disc as_one n eps m m' -> (k < n)%nat -> m k == 0 -> m' k == 0.
Proof. intros N Hk E. destruct (near_disc_each _ _ _ _ _ k Hm N Hk) as (A & B & _). rewrite E in B. lra. Qed.

Lemma rough_stays m' k : eps < 1 -> near_disc as_one n eps m m' -> (k < n)%nat -> 0 < m k -> 0 < m' k.
Proof.
  intros L N Hk E. destruct (near_disc_each _ _ _ _ _ k Hm N Hk) as (_ & _ & C). specialize (C L).
  assert (0 < (1 - eps) * (1 - eps)) by nra. nra.
Qed.

Lemma near_nonneg m' : near_disc as_one n eps m m' -> nonneg n m'.
Proof. intros N k Hk. apply (near_disc_each _ _ _ _ _ k Hm N Hk). Qed.

Lemma slips_pressed m' L uN :
  eps < 1 -> 0 < vN r -> 0 <= L -> smooth_free n m r -> slides_at as_one n eps m s r w m' L ->
  pressed n m' r (slipping m' L uN) L.
Proof.
  intros LE P L0 R (N & F & _). split; [assumption|]. split; [split; [lra|split; [|lra]]|].
  - intros k Hk E. apply R; [assumption|]. destruct (Qeq_dec (m k) 0) as [Z|Z]; [assumption|exfalso].
    pose proof (Hm k Hk). assert (0 < m' k) by (apply rough_stays; auto; lra). lra.
  - split; [assumption|]. split; [now left|]. intros k Hk Mk. unfold slipping. cbn [vT].
    destruct (is_zero (m k)) eqn:Z; [apply is_zero_true in Z; rewrite (smooth_stays m' k N Hk Z) in Mk; lra|reflexivity].
Qed.

(** ** What the law for data within eps says of r. *)
Lemma obeyed_cone m' :
  near_disc as_one n eps m m' -> in_cone n m' r ->
  0 <= vN r /\ smooth_free n m r /\ friction_square n m r <= (1 + eps) * (1 + eps) * (vN r * vN r).
Proof.
  intros N (P & R & F). split; [assumption|].
  assert (S : smooth_free n m r) by (intros k Hk E; apply R; [assumption|now apply smooth_stays]).
  split; [assumption|].
  assert (G : friction_square n m r <= (1 + eps) * (1 + eps) * friction_square n m' r).
  { unfold friction_square. rewrite <- sum_scale. apply sum_le. intros k Hk.
    destruct (Qeq_dec (m' k) 0) as [Z|Z].
    - rewrite (R k Hk Z). unfold Qdiv. lra.
    - destruct (near_disc_each _ _ _ _ _ k Hm N Hk) as (A & B & _). specialize (Hm k Hk).
      assert (Mk : 0 < m k) by (destruct (Qlt_le_dec 0 (m k)); [assumption|nra]).
      pose proof (square_nonneg (vT r k)). apply Qle_shift_div_r; [assumption|].
      setoid_replace ((1 + eps) * (1 + eps) * (vT r k * vT r k / m' k) * m k)
        with (vT r k * vT r k * ((1 + eps) * (1 + eps) * m k) / m' k) by (field; assumption).
      apply Qle_shift_div_l; [lra|]. nra. }
  assert (0 <= (1 + eps) * (1 + eps)) by nra. nra.
Qed.

(** A pressed contact of changed data sticks or slides. *)
Lemma obeyed_pressed m' u L (along_normal : bool) :
  eps < 1 -> near_disc as_one n eps m m' -> near_u n eps s w u -> pressed n m' r u L ->
  normal_reaches eps s r w along_normal L ->
  (L == 0 /\ all_rest n eps m s w) \/ slides as_one n eps m s r w along_normal = true.
Proof.
  intros LE N (_ & U) (P & K & L0 & B & S) A. destruct (obeyed_cone m' N K) as (_ & R & W).
  assert (reach : forall k, (k < n)%nat -> 0 < m k -> Qabs (- L * vT r k / m' k - vT w k) <= eps * vT s k).
  { intros k Hk Mk. rewrite <- (S k Hk) by (apply rough_stays; auto). auto. }
  destruct (Qeq_dec L 0) as [E|E].
  - left. split; [assumption|]. intros k Hk Mk. specialize (reach k Hk Mk). rewrite E in reach.
    setoid_replace (- 0 * vT r k / m' k - vT w k) with (- vT w k) in reach by (unfold Qdiv; ring).
    now rewrite Qabs_opp in reach.
  - right. destruct B as [B|B]; [|contradiction].
    apply (slides_complete as_one n eps m s r w He LE Hm P R along_normal m' L); auto.
    split; [assumption|]. split; assumption.
Qed.

Theorem coulomb_decides_correct :
  coulomb_decides = true <-> obeys_within coulomb as_one n eps m s r w.
Proof.
  pose proof (reach_nonneg _ _ SN) as EN. unfold coulomb_decides, obeys_within.
  rewrite !andb_true_iff, Qle_bool_iff, no_force_where_smooth_true. split.
  - intros [[P R] D]. destruct (is_zero (vN r)) eqn:Z.
    + apply is_zero_true in Z. rewrite andb_true_iff, no_tangent_force_true, Qle_bool_iff in D. destruct D as [T A].
      exists (fun k => 1 * m k), {| vN := vN w + eps * vN s; vT := vT w |}.
      split; [apply near_disc_scaled; [assumption|apply near_factor_itself]|]. split; [split|].
      * cbn [vN]. apply abs_le. lra.
      * intros k Hk. apply same_reach, reach_nonneg with (vT w k). auto.
      * left. split; [split; assumption|exact A].
    + apply is_zero_false in Z. assert (RP : 0 < vN r) by lra. rewrite andb_true_iff in D. destruct D as [W D].
      assert (stick : Qabs (vN w) <= eps * vN s -> all_rest n eps m s w ->
        exists m' u, near_disc as_one n eps m m' /\ near_u n eps s w u /\ coulomb n m' r u).
      { intros A B. exists (fun k => (1 + eps) * (1 + eps) * m k), still.
        split; [apply near_disc_scaled; [assumption|apply near_factor_most]|]. split; [now apply near_still|].
        right. exists 0. split; [now apply sticks_pressed|reflexivity]. }
      destruct (Qlt_le_dec eps 1) as [LE|LE]; [|destruct (everything_rests LE); auto].
      rewrite orb_true_iff, andb_true_iff, orb_true_iff, Qle_bool_iff, rests_true, rows_rest_true in D.
      destruct D as [D|[A [D|D]]]; [lra|auto|]. apply in_wide_cone_true in W.
      apply (slides_sound as_one n eps m s r w He LE Hm sizes_nonneg RP R W) in D.
      destruct D as [(m' & L & L0 & S & _)|[D _]]; [|auto].
      exists m', (slipping m' L 0). split; [apply S|]. split.
      * apply near_slipping; [assumption|now apply to_zero].
      * right. exists L. split; [now apply slips_pressed|reflexivity].
  - intros (m' & u & N & U & [[[Z T] A]|(L & K & V)]).
    + destruct U as [UN _]. apply abs_le in UN. split; [split; [lra|]|].
      * intros k Hk _. auto.
      * destruct (is_zero (vN r)) eqn:E; [|apply is_zero_false in E; contradiction].
        rewrite andb_true_iff, no_tangent_force_true, Qle_bool_iff. split; [assumption|lra].
    + destruct K as (P & K & K'). destruct (obeyed_cone m' N K) as (_ & R & W). split; [split; [lra|assumption]|].
      destruct (is_zero (vN r)) eqn:E; [apply is_zero_true in E; lra|].
      rewrite andb_true_iff, in_wide_cone_true. split; [assumption|].
      rewrite orb_true_iff, andb_true_iff, orb_true_iff, Qle_bool_iff, rests_true, rows_rest_true.
      destruct (Qlt_le_dec eps 1) as [LE|LE]; [right|now left].
      split; [destruct U as [UN _]; apply abs_le in UN; apply abs_le; lra|].
      destruct (obeyed_pressed m' u L false LE N U) as [[_ H]|H]; [split; [assumption|split; assumption]|discriminate|now left|now right].
Qed.

Lemma left_over_nonneg wk sk : 0 <= left_over wk sk.
Proof.
  unfold left_over. destruct (rests wk sk) eqn:R; [lra|].
  apply not_true_iff_false in R. rewrite rests_true in R. lra.
Qed.

Lemma left_over_least wk sk uk : Qabs (uk - wk) <= eps * sk -> left_over wk sk * left_over wk sk <= uk * uk.
Proof.
  intros H. assert (A : left_over wk sk <= Qabs uk).
  { unfold left_over. destruct (rests wk sk); [apply Qabs_nonneg|].
    pose proof (Qabs_triangle (wk - uk) uk) as T. setoid_replace (wk - uk + uk) with wk in T by ring.
    rewrite Qabs_Qminus in H. lra. }
  assert (E : uk * uk == Qabs uk * Qabs uk).
  { rewrite <- Qabs_Qmult. symmetry. apply Qabs_pos, square_nonneg. }
  rewrite E. pose proof (left_over_nonneg wk sk). nra.
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

(** An open contact under the convex law: the largest u_N against the least slip. *)
Lemma least_slip_least m' u :
  near_disc as_one n eps m m' -> near_u n eps s w u -> least_slip <= slip_square n m' u.
Proof.
  intros N [_ U]. apply sum_le. intros k Hk. destruct (near_disc_each _ _ _ _ _ k Hm N Hk) as (A & _ & C).
  pose proof (left_over_least _ _ _ (U k Hk)) as B. specialize (Hm k Hk).
  set (a := left_over (vT w k) (vT s k) * left_over (vT w k) (vT s k)) in *.
  assert (A0 : 0 <= a) by apply square_nonneg.
  assert (F : least_factor * m k <= m' k).
  { unfold least_factor. destruct (Qle_bool 1 eps) eqn:L; [lra|]. apply C. now apply Qle_bool_false in L. }
  nra.
Qed.

Theorem convex_decides_correct :
  convex_decides = true <-> obeys_within convex as_one n eps m s r w.
Proof.
  pose proof (reach_nonneg _ _ SN) as EN. unfold convex_decides, obeys_within.
  rewrite !andb_true_iff, Qle_bool_iff, no_force_where_smooth_true. split.
  - intros [[P R] D]. destruct (is_zero (vN r)) eqn:Z.
    + apply is_zero_true in Z. cbv zeta in D. rewrite !andb_true_iff, no_tangent_force_true, !Qle_bool_iff in D.
      destruct D as [[T A] B]. set (u := {| vN := vN w + eps * vN s; vT := fun k => nearest (vT w k) (vT s k) |}).
      assert (N : near_disc as_one n eps m (fun k => least_factor * m k))
        by (apply near_disc_scaled; [assumption|apply near_factor_least]).
      exists (fun k => least_factor * m k), u. split; [assumption|]. split; [split|].
      * unfold u. cbn [vN]. apply abs_le. lra.
      * intros k Hk. unfold u. cbn [vT]. apply nearest_near, reach_nonneg with (vT w k). auto.
      * apply convex_as_written; [now apply near_nonneg|]. left. split; [split; assumption|].
        split; [exact A|]. unfold u. cbn [vN].
        assert (E : slip_square n (fun k => least_factor * m k) u == least_slip); [|unfold u in E; rewrite E; exact B].
        apply sum_ext. intros k Hk. unfold u. cbn [vT].
        destruct (nearest_near (vT w k) (vT s k)) as [_ E]; [apply reach_nonneg with (vT w k); auto|].
        rewrite E. reflexivity.
    + apply is_zero_false in Z. assert (RP : 0 < vN r) by lra. rewrite andb_true_iff in D. destruct D as [W D].
      assert (stick : Qabs (vN w) <= eps * vN s -> all_rest n eps m s w ->
        exists m' u, near_disc as_one n eps m m' /\ near_u n eps s w u /\ convex n m' r u).
      { intros A B. exists (fun k => (1 + eps) * (1 + eps) * m k), still.
        assert (N : near_disc as_one n eps m (fun k => (1 + eps) * (1 + eps) * m k))
          by (apply near_disc_scaled; [assumption|apply near_factor_most]).
        split; [assumption|]. split; [now apply near_still|].
        apply convex_as_written; [now apply near_nonneg|]. right. exists 0.
        split; [now apply sticks_pressed|]. unfold still. cbn [vN]. ring. }
      destruct (Qlt_le_dec eps 1) as [LE|LE]; [|destruct (everything_rests LE); auto].
      rewrite !orb_true_iff, andb_true_iff, Qle_bool_iff, rests_true, rows_rest_true in D.
      destruct D as [[D|[A D]]|D]; [lra|auto|]. apply in_wide_cone_true in W.
      apply (slides_sound as_one n eps m s r w He LE Hm sizes_nonneg RP R W) in D.
      destruct D as [(m' & L & L0 & S & A)|[D A]]; [|auto].
      exists m', (slipping m' L (L * vN r)). split; [apply S|]. split.
      * apply near_slipping; [assumption|]. now apply A.
      * apply convex_as_written; [apply near_nonneg, S|]. right. exists L.
        split; [now apply slips_pressed|reflexivity].
  - intros (m' & u & N & U & C). apply convex_as_written in C; [|now apply near_nonneg].
    assert (U' := U). destruct U' as [UN _]. apply abs_le in UN. destruct C as [[[Z T] [A B]]|(L & K & V)].
    + split; [split; [lra|]|].
      * intros k Hk _. auto.
      * destruct (is_zero (vN r)) eqn:E; [|apply is_zero_false in E; contradiction]. cbv zeta.
        rewrite !andb_true_iff, no_tangent_force_true, !Qle_bool_iff. split; [split; [assumption|lra]|].
        pose proof (least_slip_least m' u N U). assert (vN u * vN u <= (vN w + eps * vN s) * (vN w + eps * vN s)) by nra. lra.
    + assert (K' := K). destruct K' as (P & K1 & _). destruct (obeyed_cone m' N K1) as (_ & R & W).
      split; [split; [lra|assumption]|].
      destruct (is_zero (vN r)) eqn:E; [apply is_zero_true in E; lra|].
      rewrite andb_true_iff, in_wide_cone_true. split; [assumption|].
      rewrite !orb_true_iff, andb_true_iff, Qle_bool_iff, rests_true, rows_rest_true.
      destruct (Qlt_le_dec eps 1) as [LE|LE]; [|now left; left].
      destruct (obeyed_pressed m' u L true LE N U K) as [[Z H]|H]; [| |now right].
      * intros _. rewrite <- V. apply abs_le. lra.
      * left. right. split; [|assumption]. rewrite Z in V. apply abs_le. lra.
Qed.
End Contact.

(** Whether a contact with several discs obeys its law for data changed within eps: theorem 2 of the book ("Friction
    cones") for any number of discs. By the law of Coulomb each disc is decided by itself. By the convex law a pressed
    contact is decided by the sums of the ends of intervals, and an open one by a sum of roots. *)

From Etalon Require Export ProductLaw ProductSlide.
From Etalon Require Import BackwardErrorTheorem.

Section Contact.
Variables (discs : nat) (as_one : nat -> bool) (n : nat -> nat) (eps : Q) (m : nat -> nat -> Q) (s r w : wrench).

(** What is within reach: every mu, as one datum a disc or as one a row, and every velocity. *)
Definition product_near (m' : nat -> nat -> Q) : Prop :=
  forall d, (d < discs)%nat -> near_disc (as_one d) (n d) eps (m d) (m' d).
Definition product_near_u (u : wrench) : Prop :=
  Qabs (nN u - nN w) <= eps * nN s /\
  forall d k, (d < discs)%nat -> (k < n d)%nat -> Qabs (nT u d k - nT w d k) <= eps * nT s d k.
Definition product_obeys_within (law : (nat -> nat -> Q) -> wrench -> wrench -> Prop) : Prop :=
  exists m' u, product_near m' /\ product_near_u u /\ law m' r u.

(** ** The decisions. *)
Definition disc_decides (d : nat) : bool :=
  coulomb_decides (as_one d) (n d) eps (m d) (on_disc s d) (on_disc r d) (on_disc w d).

(** The normal row is a disc without rows: there may be no other. *)
Definition product_coulomb_decides : bool :=
  coulomb_decides true 0 eps (fun _ => 0) (on_disc s 0) (on_disc r 0) (on_disc w 0) && all discs disc_decides.

Definition own_multipliers (d : nat) : option interval :=
  multipliers_of (as_one d) (n d) eps (m d) (on_disc s d) (on_disc r d) (on_disc w d).
Definition ends (d : nat) : interval := match own_multipliers d with Some i => i | None => (1, Some 0) end.

(** The least square of the slip of a disc. *)
Definition least_slip_of (d : nat) : Q := least_slip (n d) eps (m d) (on_disc s d) (on_disc w d).

(** [roots_decide] says whether the sum of the roots of such squares is at most a number. *)
Definition product_convex_decides (roots_decide : (nat -> Q) -> Q -> bool) : bool :=
  Qle_bool 0 (nN r) && all discs (fun d => no_force_where_smooth (n d) (m d) (on_disc r d)) &&
  if is_zero (nN r) then
    all discs (fun d => no_tangent_force (n d) (on_disc r d)) && roots_decide least_slip_of (nN w + eps * nN s)
  else all discs (fun d => in_wide_cone (n d) eps (m d) (on_disc r d)) &&
    (Qle_bool 1 eps ||
     all discs (fun d => is_proper (ends d)) &&
     sum_meets discs ends ((nN w - eps * nN s) / nN r) ((nN w + eps * nN s) / nN r)).

(** ** They are right. *)
Hypothesis He : 0 <= eps.
Hypothesis Hm : product_nonneg discs n m.
Hypothesis SN : Qabs (nN w) <= nN s.
Hypothesis ST : forall d k, (d < discs)%nat -> (k < n d)%nat -> Qabs (nT w d k) <= nT s d k.

(** Each disc obeys the law of Coulomb, and the normal row by itself. *)
Lemma coulomb_by_discs m' u :
  product_coulomb discs n m' r u <->
  coulomb 0 (fun _ => 0) (on_disc r 0) (on_disc u 0) /\
  forall d, (d < discs)%nat -> coulomb (n d) (m' d) (on_disc r d) (on_disc u d).
Proof.
  split.
  - intros [[[Z T] U]|(L & [P H] & U)].
    + split; [left; split; [split; [exact Z|lia]|exact U]|].
      intros d Hd. left. split; [split; [exact Z|intros k Hk; now apply T]|exact U].
    + split.
      * right. exists 0. split; [|exact U]. split; [exact P|].
        split; [split; [cbn [on_disc vN]; lra|split; [intros k Hk; lia|]]|].
        -- unfold friction_square. cbn [sum on_disc vN]. nra.
        -- split; [lra|]. split; [right; reflexivity|]. intros k Hk. lia.
      * intros d Hd. right. exists (L d). split; [exact (H d Hd)|exact U].
  - intros [N H]. destruct N as [[[Z _] U]|(L0 & (P & _) & U)].
    + left. split; [split; [exact Z|]|exact U]. intros d k Hd Hk. cbn [on_disc vN] in Z.
      destruct (H d Hd) as [[[_ T] _]|(L & (P & _) & _)]; [now apply T|cbn [on_disc vN] in P; lra].
    + right. cbn [on_disc vN] in P, U.
      destruct (finite_choice 0 discs (fun d L => pressed (n d) (m' d) (on_disc r d) (on_disc u d) L)) as [L HL].
      { intros d Hd. destruct (H d Hd) as [[[Z _] _]|(L & E & _)]; [cbn [on_disc vN] in Z; lra|now exists L]. }
      exists L. split; [split; assumption|exact U].
Qed.

Theorem product_coulomb_decides_correct :
  product_coulomb_decides = true <-> product_obeys_within (product_coulomb discs n).
Proof.
  unfold product_coulomb_decides. rewrite andb_true_iff, all_true.
  rewrite coulomb_decides_correct; [|exact He|intros k Hk; lia|exact SN|intros k Hk; lia].
  assert (E : forall d, (d < discs)%nat -> (disc_decides d = true <->
    obeys_within coulomb (as_one d) (n d) eps (m d) (on_disc s d) (on_disc r d) (on_disc w d))).
  { intros d Hd. apply coulomb_decides_correct; [exact He|now apply Hm|exact SN|]. intros k Hk. now apply ST. }
  split.
  - intros [(m0 & u0 & _ & [N0 _] & C0) H]. cbn [on_disc vN] in N0.
    destruct (finite_choice (fun _ => 0, {| vN := 0; vT := fun _ => 0 |}) discs (fun d (t : (nat -> Q) * parts) =>
      near_disc (as_one d) (n d) eps (m d) (fst t) /\ near_u (n d) eps (on_disc s d) (on_disc w d) (snd t) /\
      coulomb (n d) (fst t) (on_disc r d) (snd t))) as [f Hf].
    { intros d Hd. pose proof (H d Hd) as C. apply E in C; [|exact Hd]. destruct C as (m' & u & A & B & C).
      exists (m', u). auto. }
    (* The velocities along the normal of the discs may differ where r_N = 0; that of the normal row serves all. *)
    exists (fun d => fst (f d)), {| nN := vN u0; nT := fun d => vT (snd (f d)) |}. split; [|split; [split|]].
    + intros d Hd. apply (Hf d Hd).
    + exact N0.
    + intros d k Hd Hk. destruct (Hf d Hd) as (_ & [_ U] & _). exact (U k Hk).
    + apply coulomb_by_discs. split.
      * destruct C0 as [[[Z _] U]|(L & (P & _) & U)].
        -- left. split; [split; [exact Z|lia]|exact U].
        -- right. exists 0. split; [|exact U]. cbn [on_disc vN] in P. split; [exact P|].
           split; [split; [cbn [on_disc vN]; lra|split; [intros k Hk; lia|]]|].
           ++ unfold friction_square. cbn [sum on_disc vN]. nra.
           ++ split; [lra|]. split; [right; reflexivity|]. intros k Hk. lia.
      * intros d Hd. destruct (Hf d Hd) as (_ & _ & [[F U]|(L & Pr & U)]).
        -- destruct C0 as [[_ U0]|(L & (P & _) & _)]; [left; split; [exact F|exact U0]|].
           destruct F as [Z _]. cbn [on_disc vN] in P, Z. lra.
        -- destruct C0 as [[[Z _] _]|(L' & _ & U0)].
           ++ destruct Pr as [P _]. cbn [on_disc vN] in P, Z. lra.
           ++ right. exists L. split; [exact Pr|exact U0].
  - intros (m' & u & N & [UN UT] & C). apply coulomb_by_discs in C. destruct C as [C0 C]. split.
    + exists (fun _ => 0), (on_disc u 0). split; [|split; [split; [exact UN|intros k Hk; lia]|exact C0]].
      exists 1. split; [apply near_factor_itself; exact He|intros k Hk; lia].
    + intros d Hd. apply E; [exact Hd|]. exists (m' d), (on_disc u d). split; [exact (N d Hd)|]. split; [|exact (C d Hd)].
      split; [exact UN|]. intros k Hk. now apply UT.
Qed.

(** *** The convex law. *)
Variable roots_decide : (nat -> Q) -> Q -> bool.
Hypothesis roots_right : forall squares x,
  (forall d, (d < discs)%nat -> 0 <= squares d) -> (roots_decide squares x = true <-> roots_at_most discs squares x).

Lemma near_product_nonneg m' : product_near m' -> product_nonneg discs n m'.
Proof. intros N d Hd. apply (near_nonneg (as_one d) (n d) eps (m d)); [now apply Hm|exact (N d Hd)]. Qed.

Lemma least_slip_of_nonneg d : (d < discs)%nat -> 0 <= least_slip_of d.
Proof.
  intros Hd. apply sum_nonneg. intros k Hk. pose proof (Hm d Hd k Hk) as M.
  destruct (near_factor_least eps He) as [F _].
  assert (0 <= least_factor eps * m d k) by nra.
  pose proof (square_nonneg (left_over eps (vT (on_disc w d) k) (vT (on_disc s d) k))). nra.
Qed.

(** Open: the largest u_N against the least slips, all within reach at once. *)
Lemma open_decides :
  product_no_force discs n r ->
  (roots_at_most discs least_slip_of (nN w + eps * nN s) <-> product_obeys_within (product_convex discs n)).
Proof.
  intros F. pose proof (reach_nonneg eps He _ _ SN) as EN. split.
  - intros H. set (m' := fun d k => least_factor eps * m d k).
    set (u := {| nN := nN w + eps * nN s; nT := fun d k => nearest eps (nT w d k) (nT s d k) |}).
    assert (N : product_near m').
    { intros d Hd. apply near_disc_scaled; [now apply Hm|now apply near_factor_least]. }
    exists m', u. split; [exact N|]. split; [split|].
    + unfold u. cbn [nN]. apply abs_le. lra.
    + intros d k Hd Hk. apply nearest_near, reach_nonneg with (nT w d k); [exact He|now apply ST].
    + apply product_convex_as_written; [now apply near_product_nonneg|]. left. split; [exact F|].
      intros h Hh. apply H. intros d Hd. destruct (Hh d Hd) as [A B]. split; [exact A|].
      eapply Qle_trans; [exact B|]. apply sum_le. intros k Hk. unfold u, m'. cbn [on_disc nT vT].
      destruct (nearest_near eps (nT w d k) (nT s d k)) as [_ E]; [apply reach_nonneg with (nT w d k);
        [exact He|now apply ST]|].
      rewrite E. apply Qle_refl.
  - intros (m' & u & N & [UN UT] & C). apply product_convex_as_written in C; [|now apply near_product_nonneg].
    destruct C as [[_ D]|(L & [P _] & _)]; [|destruct F as [Z _]; lra].
    intros h Hh. apply abs_le in UN. apply Qle_trans with (nN u); [|lra]. apply D. intros d Hd. destruct (Hh d Hd) as [A B].
    split; [exact A|]. eapply Qle_trans; [exact B|].
    apply (least_slip_least (as_one d) (n d) eps (m d) (on_disc s d) (on_disc w d)); [now apply Hm|exact (N d Hd)|].
    split; [apply abs_le; cbn [on_disc vN]; lra|]. intros k Hk. now apply UT.
Qed.

(** Pressed, eps < 1: the multipliers of the discs are independent, and u_N is their sum times r_N. *)
Lemma disc_serves d L :
  (d < discs)%nat -> eps < 1 -> 0 < nN r -> smooth_free (n d) (m d) (on_disc r d) ->
  in_wide_cone (n d) eps (m d) (on_disc r d) = true -> 0 <= L ->
  (in_some L (own_multipliers d) <->
   exists m' u, near_disc (as_one d) (n d) eps (m d) m' /\
     (forall k, (k < n d)%nat -> Qabs (u k - nT w d k) <= eps * nT s d k) /\
     pressed (n d) m' (on_disc r d) {| vN := 0; vT := u |} L).
Proof.
  intros Hd Le P R W L0.
  assert (sizes : forall k, (k < n d)%nat -> 0 <= vT (on_disc s d) k).
  { apply (sizes_nonneg (n d) (on_disc s d) (on_disc w d)). intros k Hk. now apply ST. }
  assert (W' := W). apply in_wide_cone_true in W'. unfold own_multipliers.
  rewrite multipliers_correct; [|exact He|exact Le|now apply Hm|exact sizes|exact P|exact R|exact W'|exact L0].
  assert (T : forall k, (k < n d)%nat -> Qabs (vT (on_disc w d) k) <= vT (on_disc s d) k) by (intros k Hk; now apply ST).
  (* The normal velocity of [on_disc w d] is left out of account. *)
  set (w0 := {| vN := 0; vT := nT w d |}). split.
  - intros [[m' S]|[Z A]].
    + exists m', (vT (slipping (m d) (on_disc r d) (on_disc w d) m' L 0)). split; [apply S|]. split.
      * intros k Hk. assert (G := near_slipping (as_one d) (n d) eps (m d) (on_disc s d) (on_disc r d) w0 He (Hm d Hd)).
        assert (G' : near_u (n d) eps (on_disc s d) w0 (slipping (m d) (on_disc r d) w0 m' L 0)).
        { apply G; [exact T|exact S|]. pose proof (reach_nonneg eps He _ _ SN). cbn [on_disc vN w0]. now apply same_reach. }
        exact (proj2 G' k Hk).
      * apply (slips_pressed (as_one d) (n d) eps (m d) (on_disc s d) (on_disc r d) (on_disc w d)); auto.
    + exists (fun k => (1 + eps) * (1 + eps) * m d k), (vT (still (m d) (on_disc w d))). split; [|split].
      * apply near_disc_scaled; [now apply Hm|now apply near_factor_most].
      * intros k Hk. assert (G : near_u (n d) eps (on_disc s d) w0 (still (m d) w0)).
        { apply near_still; [exact He|now apply Hm|exact T| |exact A].
          pose proof (reach_nonneg eps He _ _ SN) as E. cbn [on_disc vN w0]. exact E. }
        exact (proj2 G k Hk).
      * assert (G := sticks_pressed (n d) eps (m d) (on_disc r d) (on_disc w d) He (Hm d Hd) P R W).
        destruct G as (A1 & A2 & A3 & _ & A5). split; [exact A1|]. split; [exact A2|]. split; [exact L0|].
        split; [right; exact Z|]. intros k Hk Mk. rewrite Z. exact (A5 k Hk Mk).
  - intros (m' & u & N & U & Pr).
    destruct (Qeq_dec L 0) as [Z|Z].
    + right. split; [exact Z|]. intros k Hk Mk. destruct Pr as (_ & _ & _ & _ & S). specialize (U k Hk).
      assert (Mk' : 0 < m' k) by (apply (rough_stays (as_one d) (n d) eps (m d)); auto; now apply Hm).
      specialize (S k Hk Mk'). cbn [vT] in S. rewrite S in U. setoid_rewrite Z in U.
      setoid_replace (- 0 * vT (on_disc r d) k / m' k - nT w d k) with (- nT w d k) in U by (unfold Qdiv; ring).
      now rewrite Qabs_opp in U.
    + left. exists m'. destruct Pr as (_ & _ & _ & B & S). split; [exact N|].
      split; [destruct B; [assumption|contradiction]|].
      intros k Hk Mk. assert (Mk' : 0 < m' k) by (apply (rough_stays (as_one d) (n d) eps (m d)); auto; now apply Hm).
      specialize (S k Hk Mk'). cbn [vT] in S. rewrite <- S. now apply U.
Qed.

Lemma ends_in_interval d L : is_proper (ends d) = true -> (in_interval L (ends d) <-> in_some L (own_multipliers d)).
Proof.
  unfold ends. destruct (own_multipliers d) as [i|]; [reflexivity|].
  unfold is_proper, fst, snd. rewrite Qle_bool_iff. lra.
Qed.

Lemma pressed_decides :
  eps < 1 -> 0 < nN r -> (forall d, (d < discs)%nat -> smooth_free (n d) (m d) (on_disc r d)) ->
  (forall d, (d < discs)%nat -> in_wide_cone (n d) eps (m d) (on_disc r d) = true) ->
  (all discs (fun d => is_proper (ends d)) &&
     sum_meets discs ends ((nN w - eps * nN s) / nN r) ((nN w + eps * nN s) / nN r) = true <->
   product_obeys_within (product_convex discs n)).
Proof.
  intros Le P R W. pose proof (reach_nonneg eps He _ _ SN) as EN. rewrite andb_true_iff, all_true.
  assert (XY : (nN w - eps * nN s) / nN r <= (nN w + eps * nN s) / nN r).
  { apply Qle_shift_div_l; [exact P|].
    setoid_replace ((nN w - eps * nN s) / nN r * nN r) with (nN w - eps * nN s) by (field; lra). lra. }
  split.
  - intros [Pr S]. apply sum_meets_correct in S; [|exact Pr|exact XY]. destruct S as (L & H & A & B).
    assert (O : forall d, (d < discs)%nat -> in_some (L d) (own_multipliers d)).
    { intros d Hd. apply ends_in_interval; [now apply Pr|now apply H]. }
    destruct (finite_choice (fun _ => 0, fun _ => 0) discs (fun d (t : (nat -> Q) * (nat -> Q)) =>
      near_disc (as_one d) (n d) eps (m d) (fst t) /\
      (forall k, (k < n d)%nat -> Qabs (snd t k - nT w d k) <= eps * nT s d k) /\
      pressed (n d) (fst t) (on_disc r d) {| vN := 0; vT := snd t |} (L d))) as [f Hf].
    { intros d Hd. specialize (O d Hd). apply disc_serves in O; auto.
      - destruct O as (m' & u & C). exists (m', u). exact C.
      - now apply multipliers_nonneg in O. }
    exists (fun d => fst (f d)), {| nN := sum discs L * nN r; nT := fun d => snd (f d) |}.
    assert (N : product_near (fun d => fst (f d))) by (intros d Hd; apply (Hf d Hd)).
    split; [exact N|]. split; [split|].
    + cbn [nN]. apply abs_le.
      assert (A' : nN w - eps * nN s <= sum discs L * nN r).
      { setoid_replace (nN w - eps * nN s) with ((nN w - eps * nN s) / nN r * nN r) by (field; lra).
        apply Qmult_le_compat_r; [exact A|lra]. }
      assert (B' : sum discs L * nN r <= nN w + eps * nN s).
      { setoid_replace (nN w + eps * nN s) with ((nN w + eps * nN s) / nN r * nN r) by (field; lra).
        apply Qmult_le_compat_r; [exact B|lra]. }
      lra.
    + intros d k Hd Hk. destruct (Hf d Hd) as (_ & U & _). exact (U k Hk).
    + apply product_convex_as_written; [now apply near_product_nonneg|]. right. exists L.
      split; [split; [exact P|]|reflexivity].
      intros d Hd. apply (Hf d Hd).
  - intros (m' & u & N & [UN UT] & C). apply product_convex_as_written in C; [|now apply near_product_nonneg].
    destruct C as [[[Z _] _]|(L & [_ H] & U)]; [lra|].
    assert (L0 : forall d, (d < discs)%nat -> 0 <= L d) by (intros d Hd; apply (H d Hd)).
    assert (O : forall d, (d < discs)%nat -> in_some (L d) (own_multipliers d)).
    { intros d Hd. apply disc_serves; auto. exists (m' d), (nT u d). split; [exact (N d Hd)|]. split; [|exact (H d Hd)].
      intros k Hk. now apply UT. }
    assert (Pr : forall d, (d < discs)%nat -> is_proper (ends d) = true).
    { intros d Hd. apply proper_inhabited. exists (L d). specialize (O d Hd). unfold ends.
      destruct (own_multipliers d); [exact O|contradiction]. }
    split; [exact Pr|]. apply sum_meets_correct; [exact Pr|exact XY|]. exists L. split; [|split].
    + intros d Hd. apply ends_in_interval; [now apply Pr|now apply O].
    + apply abs_le in UN. apply Qle_shift_div_r; [exact P|]. lra.
    + apply abs_le in UN. apply Qle_shift_div_l; [exact P|]. lra.
Qed.

(** With eps >= 1 everything can be brought to rest. *)
Lemma all_rest_within :
  1 <= eps -> 0 < nN r -> (forall d, (d < discs)%nat -> smooth_free (n d) (m d) (on_disc r d)) ->
  (forall d, (d < discs)%nat -> in_wide_cone (n d) eps (m d) (on_disc r d) = true) ->
  product_obeys_within (product_convex discs n).
Proof.
  intros E P R W. set (m' := fun d k => (1 + eps) * (1 + eps) * m d k).
  assert (N : product_near m') by (intros d Hd; apply near_disc_scaled; [now apply Hm|now apply near_factor_most]).
  exists m', {| nN := 0; nT := fun d => vT (still (m d) (on_disc w d)) |}. split; [exact N|].
  assert (rest : forall d, (d < discs)%nat -> near_u (n d) eps (on_disc s d) (on_disc w d) (still (m d) (on_disc w d))).
  { intros d Hd. assert (T : forall k, (k < n d)%nat -> Qabs (vT (on_disc w d) k) <= vT (on_disc s d) k)
      by (intros k Hk; now apply ST).
    destruct (everything_rests (n d) eps (m d) (on_disc s d) (on_disc w d) SN T E) as [A B].
    now apply near_still; try apply Hm. }
  split; [split|].
  - cbn [nN]. apply to_zero. pose proof (Qabs_nonneg (nN w)). nra.
  - intros d k Hd Hk. exact (proj2 (rest d Hd) k Hk).
  - apply product_convex_as_written; [now apply near_product_nonneg|]. right. exists (fun _ => 0).
    split; [split; [exact P|]|].
    + intros d Hd. exact (sticks_pressed (n d) eps (m d) (on_disc r d) (on_disc w d) He (Hm d Hd) P (R d Hd) (W d Hd)).
    + cbn [nN]. rewrite sum_zero by reflexivity. ring.
Qed.

Theorem product_convex_decides_correct :
  product_convex_decides roots_decide = true <-> product_obeys_within (product_convex discs n).
Proof.
  unfold product_convex_decides. rewrite !andb_true_iff, Qle_bool_iff, all_true.
  assert (S : (forall d, (d < discs)%nat -> no_force_where_smooth (n d) (m d) (on_disc r d) = true) <->
    forall d, (d < discs)%nat -> smooth_free (n d) (m d) (on_disc r d)).
  { split; intros H d Hd; apply no_force_where_smooth_true; auto. }
  rewrite S.
  assert (T : all discs (fun d => no_tangent_force (n d) (on_disc r d)) = true <->
    forall d k, (d < discs)%nat -> (k < n d)%nat -> nT r d k == 0).
  { rewrite all_true. split.
    - intros H d k Hd Hk. specialize (H d Hd). now apply (proj1 (no_tangent_force_true (n d) (on_disc r d)) H).
    - intros H d Hd. apply no_tangent_force_true. intros k Hk. now apply H. }
  assert (shape : product_obeys_within (product_convex discs n) ->
    0 <= nN r /\ (forall d, (d < discs)%nat -> smooth_free (n d) (m d) (on_disc r d)) /\
    (nN r == 0 -> forall d k, (d < discs)%nat -> (k < n d)%nat -> nT r d k == 0) /\
    (forall d, (d < discs)%nat -> in_wide_cone (n d) eps (m d) (on_disc r d) = true)).
  { intros (m' & u & N & _ & [R0 K] & _). split; [exact R0|].
    assert (A : forall d, (d < discs)%nat -> 0 <= nN r /\ smooth_free (n d) (m d) (on_disc r d) /\
      friction_square (n d) (m d) (on_disc r d) <= (1 + eps) * (1 + eps) * (nN r * nN r)).
    { intros d Hd. apply (obeyed_cone (as_one d) (n d) eps (m d) (on_disc r d) He (Hm d Hd) (m' d) (N d Hd) (K d Hd)). }
    split; [intros d Hd; apply (A d Hd)|]. split.
    - intros Z d k Hd Hk. apply (cone_no_force (n d) (m' d) (on_disc r d)); auto.
      now apply near_product_nonneg.
    - intros d Hd. apply in_wide_cone_true. apply (A d Hd). }
  destruct (is_zero (nN r)) eqn:Z.
  - apply is_zero_true in Z. rewrite andb_true_iff, T, roots_right by (intros d Hd; now apply least_slip_of_nonneg). split.
    + intros [_ [F D]]. apply open_decides; [split; assumption|exact D].
    + intros H. destruct (shape H) as (A & B & C & _). split; [split; assumption|]. split; [now apply C|].
      apply open_decides; [split; auto|exact H].
  - apply is_zero_false in Z. rewrite andb_true_iff, all_true, orb_true_iff, Qle_bool_iff. split.
    + intros [[A B] [W D]]. assert (P : 0 < nN r) by lra. destruct (Qlt_le_dec eps 1) as [L|L].
      * destruct D as [D|D]; [lra|]. now apply pressed_decides.
      * now apply all_rest_within.
    + intros H. destruct (shape H) as (A & B & _ & W). split; [split; assumption|]. split; [exact W|].
      destruct (Qlt_le_dec eps 1) as [L|L]; [right|now left]. apply pressed_decides; auto. lra.
Qed.
End Contact.

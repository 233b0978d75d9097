(** A contact that is pressed, in the limit: where its velocities tend to a slip against the force, on the boundary of the
    cone or with multiplier 0, both laws hold in the limit. *)

From Etalon Require Export Limits.
From Etalon Require Import BackwardErrorTheorem.

Lemma sum_same n x : sum n (fun _ => x) == inject_Z (Z.of_nat n) * x.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [sum]. rewrite IH, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. ring.
Qed.

Section Disc.
Variables (n : nat) (m : nat -> Q) (r u : nat -> parts) (L : nat -> Q).

(** u_k tends to - L r_k / mu_k^2; and L (|r|_d^2 - r_N^2) to 0: the disc slides, or L does. *)
Definition slips_in_limit : Prop :=
  (forall k, (k < n)%nat -> 0 < m k -> null (fun t => vT (u t) k + L t * (vT (r t) k / m k))) /\
  null (fun t => L t * (friction_square n m (r t) - vN (r t) * vN (r t))).

Hypothesis Hm : nonneg n m.
Hypothesis Bounds : forall k, (k < n)%nat -> bounded (fun t => vT (r t) k) /\ bounded (fun t => vT (u t) k).
Hypothesis BL : bounded L.
Hypothesis Free : forall t k, (k < n)%nat -> m k == 0 -> vT (r t) k == 0.
Hypothesis S : slips_in_limit.

Lemma bounded_share k : (k < n)%nat -> bounded (fun t => vT (r t) k / m k).
Proof. intros Hk. apply (bounded_times (fun t => vT (r t) k) (fun _ => / m k)); [now apply Bounds|apply bounded_number]. Qed.

Lemma bounded_square : bounded (fun t => friction_square n m (r t)).
Proof.
  apply (bounded_sum n (fun k t => vT (r t) k * vT (r t) k / m k)). intros k Hk.
  apply (bounded_times (fun t => vT (r t) k * vT (r t) k) (fun _ => / m k)); [|apply bounded_number].
  apply (bounded_times (fun t => vT (r t) k)); now apply Bounds.
Qed.

(** What the work and the square of the slip tend to. *)
Lemma work_in_limit : null (fun t => along n (r t) (u t) + L t * friction_square n m (r t)).
Proof.
  apply (null_ext (fun t => sum n (fun k => vT (r t) k * vT (u t) k + L t * (vT (r t) k * vT (r t) k / m k)))).
  { intros t. rewrite sum_plus, sum_scale. reflexivity. }
  apply (null_sum n (fun k t => vT (r t) k * vT (u t) k + L t * (vT (r t) k * vT (r t) k / m k))). intros k Hk.
  destruct (Qeq_dec (m k) 0) as [Z|Z].
  - apply null_zero. intros t. rewrite (Free t k Hk Z). unfold Qdiv. ring.
  - apply (null_ext (fun t => vT (r t) k * (vT (u t) k + L t * (vT (r t) k / m k)))); [intros t; field; exact Z|].
    apply (null_times (fun t => vT (r t) k)); [now apply Bounds|]. apply S; [exact Hk|]. specialize (Hm k Hk). lra.
Qed.

Lemma slip_in_limit : null (fun t => slip_square n m (u t) - L t * L t * friction_square n m (r t)).
Proof.
  apply (null_ext (fun t => sum n (fun k => m k * (vT (u t) k * vT (u t) k) - L t * L t * (vT (r t) k * vT (r t) k / m k)))).
  { intros t. rewrite sum_minus, sum_scale. reflexivity. }
  apply (null_sum n (fun k t => m k * (vT (u t) k * vT (u t) k) - L t * L t * (vT (r t) k * vT (r t) k / m k))). intros k Hk.
  destruct (Qeq_dec (m k) 0) as [Z|Z].
  - apply null_zero. intros t. rewrite (Free t k Hk Z), Z. unfold Qdiv. ring.
  - apply (null_ext (fun t => m k * (vT (u t) k + - L t * (vT (r t) k / m k)) * (vT (u t) k + L t * (vT (r t) k / m k))));
      [intros t; field; exact Z|].
    apply (null_times (fun t => m k * (vT (u t) k + - L t * (vT (r t) k / m k)))).
    + apply (bounded_times (fun _ => m k)); [apply bounded_number|].
      apply (bounded_plus (fun t => vT (u t) k)); [now apply Bounds|].
      apply (bounded_times (fun t => - L t)); [|now apply bounded_share]. destruct BL as [b B]. exists b. intros t.
      rewrite Qabs_opp. apply B.
    + apply S; [exact Hk|]. specialize (Hm k Hk). lra.
Qed.
End Disc.

Section Contact.
Variables (discs : nat) (n : nat -> nat) (m : nat -> nat -> Q) (r u : nat -> wrench) (L : nat -> nat -> Q).

Hypothesis Hm : product_nonneg discs n m.
Hypothesis BN : bounded (fun t => nN (r t)) /\ bounded (fun t => nN (u t)).
Hypothesis BT : forall d k, (d < discs)%nat -> (k < n d)%nat -> bounded (fun t => nT (r t) d k) /\ bounded (fun t =>
  nT (u t) d k).
Hypothesis BL : forall d, (d < discs)%nat -> bounded (L d).
Hypothesis L0 : forall d t, (d < discs)%nat -> 0 <= L d t.
Hypothesis Free : forall t d k, (d < discs)%nat -> (k < n d)%nat -> m d k == 0 -> nT (r t) d k == 0.
Hypothesis R0 : forall t, 0 <= nN (r t).
Hypothesis Inside : forall d, (d < discs)%nat -> not_negative (fun t => nN (r t) * nN (r t) - force_square n m (r t) d).
Hypothesis S : forall d, (d < discs)%nat ->
  slips_in_limit (n d) (m d) (fun t => on_disc (r t) d) (fun t => on_disc (u t) d) (L d).

Lemma disc_limits d : (d < discs)%nat ->
  null (fun t => work n (r t) (u t) d + L d t * force_square n m (r t) d) /\
  null (fun t => velocity_square n m (u t) d - L d t * L d t * force_square n m (r t) d) /\
  null (fun t => L d t * (force_square n m (r t) d - nN (r t) * nN (r t))) /\ bounded (fun t => force_square n m (r t) d).
Proof.
  intros Hd. assert (B : forall k, (k < n d)%nat -> bounded (fun t => vT (on_disc (r t) d) k) /\ bounded (fun t => vT
    (on_disc (u t) d) k))
    by (intros k Hk; now apply BT).
  assert (F : forall t k, (k < n d)%nat -> m d k == 0 -> vT (on_disc (r t) d) k == 0) by (intros t k Hk Z; now apply Free).
  split; [|split; [|split]].
  - exact (work_in_limit _ _ _ _ _ (Hm d Hd) B F (S d Hd)).
  - exact (slip_in_limit _ _ _ _ _ (Hm d Hd) B (BL d Hd) F (S d Hd)).
  - apply (S d Hd).
  - exact (bounded_square _ _ _ _ B).
Qed.

Lemma inside_in_limit : cone_in_limit discs n m r.
Proof.
  split; [now apply never_negative|]. intros d Hd. split; [|now apply Inside].
  intros k Hk Z. apply null_zero. intros t. now apply Free.
Qed.

Lemma force_nonneg t d : (d < discs)%nat -> 0 <= force_square n m (r t) d.
Proof. intros Hd. apply friction_nonneg. now apply Hm. Qed.

Theorem pressed_by_coulomb : null (fun t => nN (u t)) -> coulomb_in_limit discs n m r u.
Proof.
  intros U. split; [apply inside_in_limit|]. split; [now apply null_not_negative|].
  split; [apply null_times; [apply BN|exact U]|].
  intros d Hd. destruct (disc_limits d Hd) as (W & V & B & FB). pose proof (BL d Hd) as BLd. split.
  - apply (not_negative_ext (fun t => L d t * force_square n m (r t) d + - (work n (r t) (u t) d + L d t *
      force_square n m (r t) d)));
      [intros t; ring|].
    apply not_negative_plus; [|now apply null_opp]. apply never_negative. intros t.
    apply Qmult_le_0_compat; [now apply L0|now apply force_nonneg].
  - (* With A = work + L F, B = L (F - r_N^2): work^2 - r_N^2 T = A (work - L F) + L F B - r_N^2 (T - L^2 F). *)
    apply (null_ext (fun t => (work n (r t) (u t) d + - (L d t * force_square n m (r t) d)) * (work n (r t) (u t) d +
      L d t * force_square n m (r t) d)
      + (L d t * force_square n m (r t) d * (L d t * (force_square n m (r t) d - nN (r t) * nN (r t)))
         + - (nN (r t) * nN (r t)) * (velocity_square n m (u t) d - L d t * L d t * force_square n m (r t) d)))).
    { intros t. ring. }
    assert (LF : bounded (fun t => L d t * force_square n m (r t) d)) by now apply bounded_times.
    assert (opp : forall a, bounded a -> bounded (fun t => - a t)) by (intros a [b Hb]; exists b; intros t;
      rewrite Qabs_opp; apply Hb).
    apply null_plus; [|apply null_plus].
    + apply (null_times (fun t => work n (r t) (u t) d + - (L d t * force_square n m (r t) d))); [|exact W].
      apply bounded_plus; [|now apply opp]. apply (bounded_sum (n d) (fun k t => nT (r t) d k * nT (u t) d k)). intros k Hk.
      destruct (BT d k Hd Hk). now apply bounded_times.
    + apply (null_times (fun t => L d t * force_square n m (r t) d)); [exact LF|exact B].
    + apply (null_times (fun t => - (nN (r t) * nN (r t)))); [|exact V]. apply (opp (fun t => nN (r t) * nN (r t))).
      apply bounded_times; apply BN.
Qed.

Theorem pressed_by_convex :
  null (fun t => nN (u t) - sum discs (fun d => L d t) * nN (r t)) -> convex_in_limit discs n m r u.
Proof.
  intros U. split; [apply inside_in_limit|]. split.
  - (* T_d <= (L_d r_N + e')^2 in the end. *)
    intros e E. set (e' := e / (2 * (inject_Z (Z.of_nat discs) + 1))).
    assert (D0 : 0 <= inject_Z (Z.of_nat discs)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
    assert (E0 : 0 < e') by (unfold e'; apply Qlt_shift_div_l; lra).
    assert (EE : e' * (2 * (inject_Z (Z.of_nat discs) + 1)) == e) by (unfold e'; field; lra).
    assert (each : forall d, (d < discs)%nat -> exists N : nat, forall t, (N <= t)%nat ->
      velocity_square n m (u t) d <= (L d t * nN (r t) + e') * (L d t * nN (r t) + e')).
    { intros d Hd. destruct (disc_limits d Hd) as (_ & V & B & _).
      assert (G : null (fun t => (velocity_square n m (u t) d - L d t * L d t * force_square n m (r t) d)
        + L d t * (L d t * (force_square n m (r t) d - nN (r t) * nN (r t))))).
      { apply null_plus; [exact V|]. apply null_times; [now apply BL|exact B]. }
      destruct (G (e' * e')) as [N HN]; [nra|]. exists N. intros t Ht. specialize (HN t Ht). apply abs_le in HN.
      pose proof (L0 d t Hd). pose proof (R0 t). assert (0 <= L d t * nN (r t)) by nra.
      assert (0 <= 2 * (L d t * nN (r t)) * e') by nra. lra. }
    destruct (finite_choice 0%nat discs (fun d N => forall t, (N <= t)%nat ->
      velocity_square n m (u t) d <= (L d t * nN (r t) + e') * (L d t * nN (r t) + e')) each) as [f Hf].
    destruct (U (e / 2)) as [N0 HN0]; [apply Qlt_shift_div_l; lra|].
    assert (most : exists N, (N0 <= N)%nat /\ forall d, (d < discs)%nat -> (f d <= N)%nat).
    { clear - f. induction discs as [|k [N [A B]]]; [exists N0; split; lia|]. exists (Nat.max N (f k)). split; [lia|].
      intros d Hd. destruct (Nat.eq_dec d k) as [->|Ne]; [lia|]. specialize (B d ltac:(lia)). lia. }
    destruct most as (N & A & B). exists N. intros t Ht.
    apply (roots_more _ _ (sum discs (fun d => L d t * nN (r t) + e'))).
    + apply above_roots. intros d Hd. pose proof (L0 d t Hd). pose proof (R0 t). specialize (B d Hd). split; [nra|].
      apply (Hf d Hd). lia.
    + specialize (HN0 t ltac:(lia)). apply abs_le in HN0. rewrite sum_plus, sum_scale_right.
      rewrite (sum_same discs e'). assert (E2 : e / 2 * 2 == e) by field. lra.
  - apply (null_ext (fun t => nN (r t) * (nN (u t) - sum discs (fun d => L d t) * nN (r t))
      + sum discs (fun d => (work n (r t) (u t) d + L d t * force_square n m (r t) d)
          + - (L d t * (force_square n m (r t) d - nN (r t) * nN (r t)))))).
    { intros t. unfold product_dot.
      assert (E : sum discs (fun d => (work n (r t) (u t) d + L d t * force_square n m (r t) d)
            + - (L d t * (force_square n m (r t) d - nN (r t) * nN (r t))))
          == sum discs (work n (r t) (u t)) + sum discs (fun d => L d t) * (nN (r t) * nN (r t))).
      { rewrite <- sum_scale_right, <- sum_plus. apply sum_ext. intros. ring. }
      rewrite E. unfold work. ring. }
    apply null_plus; [apply null_times; [apply BN|exact U]|].
    apply (null_sum discs (fun d t => (work n (r t) (u t) d + L d t * force_square n m (r t) d)
          + - (L d t * (force_square n m (r t) d - nN (r t) * nN (r t))))). intros d Hd.
    destruct (disc_limits d Hd) as (W & _ & B & _). apply null_plus; [exact W|now apply null_opp].
Qed.
End Contact.

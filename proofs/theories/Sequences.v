(** Sequences of fractions: what tends to 0, what settles as the fractions of a real number do, and what is not negative in
    the limit. Nothing is assumed of real numbers. *)

From Etalon Require Export Sums.
From Etalon Require Import BackwardErrorTheorem.

(** ** Sequences of fractions: those that tend to 0, and those that are real numbers (Cauchy). *)
Definition null (a : nat -> Q) : Prop := forall e, 0 < e -> exists N, forall t, (N <= t)%nat -> Qabs (a t) <= e.
Definition settles (a : nat -> Q) : Prop :=
  forall e, 0 < e -> exists N, forall t t', (N <= t)%nat -> (N <= t')%nat -> Qabs (a t - a t') <= e.

Fixpoint power (x : Q) (n : nat) : Q := match n with O => 1 | S k => x * power x k end.

Lemma power_bounds x n : 0 <= x -> x < 1 -> 0 <= power x n /\ power x n <= 1 /\
  power x n * (1 + inject_Z (Z.of_nat n) * (1 - x)) <= 1.
Proof.
  intros X L. induction n as [|n (P0 & P1 & P2)].
  - cbn [power]. change (inject_Z (Z.of_nat 0)) with 0. lra.
  - cbn [power]. assert (N0 : 0 <= inject_Z (Z.of_nat n)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
    rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1.
    set (k := inject_Z (Z.of_nat n)) in *. set (p := power x n) in *.
    split; [now apply Qmult_le_0_compat|]. assert (x * p <= 1 * p) by (apply Qmult_le_compat_r; lra). split; [lra|].
    assert (0 <= (1 - x) * (1 - x) * (k + 1)) by (apply Qmult_le_0_compat; [apply Qmult_le_0_compat; lra|lra]).
    assert (Y : x * (1 + (k + 1) * (1 - x)) <= 1 + k * (1 - x)) by lra.
    assert (p * (x * (1 + (k + 1) * (1 - x))) <= p * (1 + k * (1 - x))).
    { rewrite !(Qmult_comm p). apply Qmult_le_compat_r; assumption. }
    lra.
Qed.

Lemma power_null x c : 0 <= x -> x < 1 -> 0 <= c -> null (fun t => power x t * c).
Proof.
  intros X L C e E. destruct (Qarchimedean (c / (e * (1 - x)))) as [p Hp]. exists (Pos.to_nat p). intros t Ht.
  destruct (power_bounds x t X L) as (P0 & _ & P). assert (D : 0 < e * (1 - x)) by nra.
  assert (T : inject_Z (Z.pos p) <= inject_Z (Z.of_nat t)) by (rewrite <- Zle_Qle; lia).
  assert (G : c < inject_Z (Z.of_nat t) * (e * (1 - x))).
  { setoid_replace c with (c / (e * (1 - x)) * (e * (1 - x))) by (field; lra). apply Qmult_lt_r; [exact D|].
    apply Qlt_le_trans with (inject_Z (Z.pos p)); assumption. }
  rewrite Qabs_pos by nra. set (k := inject_Z (Z.of_nat t)) in *. set (w := power x t) in *.
  assert (A : w * c <= w * (k * (e * (1 - x)))) by nra. assert (w * (k * (1 - x)) <= 1) by lra.
  assert (e * (w * (k * (1 - x))) <= e * 1) by nra. lra.
Qed.

Lemma abs_le_zero x : Qabs x <= 0 -> x == 0.
Proof. intros H. pose proof (Qle_Qabs x). pose proof (Qle_Qabs (- x)) as B. rewrite Qabs_opp in B. lra. Qed.

Lemma abs_product x y a b : Qabs x <= a -> Qabs y <= b -> Qabs (x * y) <= a * b.
Proof. intros A B. rewrite Qabs_Qmult. pose proof (Qabs_nonneg x). pose proof (Qabs_nonneg y). nra. Qed.

(** ** Bounded sequences, and those that are not negative in the limit. *)
Definition bounded (a : nat -> Q) : Prop := exists b, forall t, Qabs (a t) <= b.
Definition not_negative (a : nat -> Q) : Prop := forall e, 0 < e -> exists N, forall t, (N <= t)%nat -> - e <= a t.

Lemma null_ext a b : (forall t, a t == b t) -> null a -> null b.
Proof. intros E H e He. destruct (H e He) as [N HN]. exists N. intros t Ht. rewrite <- E. auto. Qed.

Lemma null_zero a : (forall t, a t == 0) -> null a.
Proof. intros E e He. exists 0%nat. intros t _. rewrite E. change (Qabs 0) with 0. lra. Qed.

Lemma null_plus a b : null a -> null b -> null (fun t => a t + b t).
Proof.
  intros A B e He. destruct (A (e / 2)) as [N HN]; [apply Qlt_shift_div_l; lra|]. destruct (B (e / 2)) as [N' HN'];
    [apply Qlt_shift_div_l; lra|].
  exists (Nat.max N N'). intros t Ht. eapply Qle_trans; [apply Qabs_triangle|].
  specialize (HN t ltac:(lia)). specialize (HN' t ltac:(lia)). setoid_replace e with (e / 2 + e / 2) by (field). lra.
Qed.

Lemma null_times a b : bounded a -> null b -> null (fun t => a t * b t).
Proof.
  intros [k K] B e He. assert (K0 : 0 <= k) by (pose proof (K 0%nat); pose proof (Qabs_nonneg (a 0%nat)); lra).
  destruct (B (e / (k + 1))) as [N HN]; [apply Qlt_shift_div_l; lra|]. exists N. intros t Ht. specialize (HN t Ht).
  specialize (K t).
  rewrite Qabs_Qmult. pose proof (Qabs_nonneg (a t)). pose proof (Qabs_nonneg (b t)).
  assert (E : e / (k + 1) * (k + 1) == e) by (field; lra).
  assert (Qabs (a t) * Qabs (b t) <= (k + 1) * (e / (k + 1))); [|lra].
  assert (0 <= e / (k + 1)) by (apply Qle_shift_div_l; lra). nra.
Qed.

Lemma null_opp a : null a -> null (fun t => - a t).
Proof. intros A e He. destruct (A e He) as [N HN]. exists N. intros t Ht. rewrite Qabs_opp. auto. Qed.

Lemma null_sum n (a : nat -> nat -> Q) : (forall k, (k < n)%nat -> null (a k)) -> null (fun t => sum n (fun k => a k t)).
Proof.
  induction n as [|n IH]; intros H; [apply null_zero; reflexivity|]. cbn [sum].
  apply (null_plus (fun t => sum n (fun k => a k t))); [apply IH; intros; apply H; lia|apply H; lia].
Qed.

Lemma bounded_plus a b : bounded a -> bounded b -> bounded (fun t => a t + b t).
Proof.
  intros [k K] [l L]. exists (k + l). intros t. eapply Qle_trans; [apply Qabs_triangle|]. specialize (K t).
  specialize (L t). lra.
Qed.

Lemma bounded_times a b : bounded a -> bounded b -> bounded (fun t => a t * b t).
Proof. intros [k K] [l L]. exists (k * l). intros t. now apply abs_product. Qed.

Lemma bounded_number x : bounded (fun _ => x).
Proof. exists (Qabs x). intros t. apply Qle_refl. Qed.

Lemma bounded_sum n (a : nat -> nat -> Q) : (forall k,
  (k < n)%nat -> bounded (a k)) -> bounded (fun t => sum n (fun k => a k t)).
Proof.
  induction n as [|n IH]; intros H; [exact (bounded_number 0)|]. cbn [sum].
  apply (bounded_plus (fun t => sum n (fun k => a k t))); [apply IH; intros; apply H; lia|apply H; lia].
Qed.

Lemma null_number x : null (fun _ => x) <-> x == 0.
Proof.
  split; [|intros E; now apply null_zero]. intros H. destruct (Qlt_le_dec 0 (Qabs x)) as [L|L];
    [exfalso|now apply abs_le_zero].
  destruct (H (Qabs x / 2)) as [N HN]; [apply Qlt_shift_div_l; lra|]. specialize (HN N (Nat.le_refl N)).
  assert (E : Qabs x / 2 * 2 == Qabs x) by field. lra.
Qed.

Lemma not_negative_number x : not_negative (fun _ => x) <-> 0 <= x.
Proof.
  split; [|intros H e He; exists 0%nat; intros; lra]. intros H. destruct (Qlt_le_dec x 0) as [L|L]; [exfalso|exact L].
  destruct (H (- x / 2)) as [N HN]; [apply Qlt_shift_div_l; lra|]. specialize (HN N (Nat.le_refl N)).
  assert (E : - x / 2 * 2 == - x) by field. lra.
Qed.

Lemma null_not_negative a : null a -> not_negative a.
Proof. intros A e He. destruct (A e He) as [N HN]. exists N. intros t Ht. specialize (HN t Ht). apply abs_le in HN. lra. Qed.

Lemma not_negative_plus a b : not_negative a -> null b -> not_negative (fun t => a t + b t).
Proof.
  intros A B e He. destruct (A (e / 2)) as [N HN]; [apply Qlt_shift_div_l; lra|]. destruct (B (e / 2)) as [N' HN'];
    [apply Qlt_shift_div_l; lra|].
  exists (Nat.max N N'). intros t Ht. specialize (HN t ltac:(lia)). specialize (HN' t ltac:(lia)). apply abs_le in HN'.
  assert (E : e / 2 * 2 == e) by field. lra.
Qed.

Lemma never_negative a : (forall t, 0 <= a t) -> not_negative a.
Proof. intros H e He. exists 0%nat. intros t _. specialize (H t). lra. Qed.

Lemma not_negative_ext a b : (forall t, a t == b t) -> not_negative a -> not_negative b.
Proof. intros E H e He. destruct (H e He) as [N HN]. exists N. intros t Ht. rewrite <- E. auto. Qed.

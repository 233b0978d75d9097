(** Whether the sum of up to four roots is at most a number: a contact has at most four discs. Four roots are decided by
    squaring three times, with one root left; that squares decide is shown in the limit, of fractions below the roots. *)

From Etalon Require Export Roots Sequences.
From Coq Require Import Qround.

(** ** Fractions below a root, as near as one likes: integer square roots, over t + 1. *)
Definition over (t : nat) : Q := inject_Z (Z.of_nat (S t)).
Definition root_below (T : Q) (t : nat) : Q := inject_Z (Z.sqrt (Qfloor (T * (over t * over t)))) / over t.

Lemma over_positive t : 1 <= over t.
Proof. unfold over. change 1 with (inject_Z 1). rewrite <- Zle_Qle. lia. Qed.

Lemma root_below_bounds T t : 0 <= T ->
  0 <= root_below T t /\ root_below T t * root_below T t <= T /\
  T <= (root_below T t + / over t) * (root_below T t + / over t).
Proof.
  intros T0. pose proof (over_positive t) as N. set (n := over t) in *. unfold root_below. fold n.
  assert (NN : 0 < n * n) by nra. set (z := Qfloor (T * (n * n))).
  assert (Z0 : (0 <= z)%Z).
  { unfold z. change 0%Z with (Qfloor 0). apply Qfloor_resp_le. nra. }
  pose proof (Z.sqrt_spec z Z0) as [S1 S2]. pose proof (Z.sqrt_nonneg z) as K0. set (k := Z.sqrt z) in *.
  assert (F1 : inject_Z z <= T * (n * n)) by apply Qfloor_le. assert (F2 : T * (n * n) < inject_Z (z + 1)) by apply Qlt_floor.
  assert (A : inject_Z k * inject_Z k <= inject_Z z) by (rewrite <- inject_Z_mult, <- Zle_Qle; exact S1).
  assert (B : inject_Z (z + 1) <= (inject_Z k + 1) * (inject_Z k + 1)).
  { assert (E : (inject_Z k + 1) * (inject_Z k + 1) == inject_Z ((k + 1) * (k + 1)))
      by (rewrite inject_Z_mult, inject_Z_plus; reflexivity).
    rewrite E, <- Zle_Qle. lia. }
  assert (K : 0 <= inject_Z k) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact K0).
  split; [apply Qle_shift_div_l; lra|]. split.
  - setoid_replace (inject_Z k / n * (inject_Z k / n)) with (inject_Z k * inject_Z k / (n * n)) by (field; lra).
    apply Qle_shift_div_r; [exact NN|]. lra.
  - setoid_replace ((inject_Z k / n + / n) * (inject_Z k / n + / n)) with ((inject_Z k + 1) * (inject_Z k + 1) / (n *
      n)) by (field; lra).
    apply Qle_shift_div_l; [exact NN|]. lra.
Qed.

Lemma over_null : null (fun t => / over t).
Proof.
  intros e E. destruct (Qarchimedean (/ e)) as [p Hp]. exists (Pos.to_nat p). intros t Ht.
  pose proof (over_positive t) as N. assert (P : / e < over t).
  { eapply Qlt_le_trans; [exact Hp|]. unfold over.
    change (inject_Z (Z.pos p) <= inject_Z (Z.of_nat (S t))). rewrite <- Zle_Qle. lia. }
  rewrite Qabs_pos by (apply Qinv_le_0_compat; lra).
  assert (X : / e * e == 1) by (field; lra). setoid_replace (/ over t) with (1 / over t) by (field; lra).
  apply Qle_shift_div_r; [lra|]. nra.
Qed.

Lemma root_bounded_by T t : 0 <= T -> Qabs (root_below T t) <= T + 1.
Proof.
  intros T0. destruct (root_below_bounds T t T0) as (A & B & _). rewrite Qabs_pos by exact A. now apply root_bounded.
Qed.

Lemma bounded_root T : 0 <= T -> bounded (root_below T).
Proof. intros T0. exists (T + 1). intros t. now apply root_bounded_by. Qed.

Lemma root_square T : 0 <= T -> null (fun t => root_below T t * root_below T t - T).
Proof.
  intros T0 e E. assert (D : 0 < 2 * (T + 1) + 1) by lra.
  destruct (over_null (e / (2 * (T + 1) + 1))) as [N HN]; [apply Qlt_shift_div_l; lra|]. exists N. intros t Ht.
  specialize (HN t Ht). destruct (root_below_bounds T t T0) as (A & B & C). pose proof (root_bounded _ _ A B) as R.
  pose proof (over_positive t) as O. assert (I0 : 0 <= / over t) by (apply Qinv_le_0_compat; lra).
  rewrite Qabs_pos in HN by exact I0. assert (I1 : / over t <= 1).
  { setoid_replace (/ over t) with (1 / over t) by (field; lra). apply Qle_shift_div_r; lra. }
  set (i := / over t) in *. set (h := root_below T t) in *.
  assert (X : e / (2 * (T + 1) + 1) * (2 * (T + 1) + 1) == e) by (field; lra).
  assert (Y : i * (2 * (T + 1) + 1) <= e / (2 * (T + 1) + 1) * (2 * (T + 1) + 1)) by (apply Qmult_le_compat_r; lra).
  rewrite Qabs_neg by lra. assert (h * i <= (T + 1) * i) by (apply Qmult_le_compat_r; lra).
  assert (i * i <= 1 * i) by (apply Qmult_le_compat_r; lra). lra.
Qed.

(** The sum of roots is at most x if in the limit it is. *)
Lemma roots_in_limit n squares x : (forall d, (d < n)%nat -> 0 <= squares d) ->
  (roots_at_most n squares x <-> not_negative (fun t => x - sum n (fun d => root_below (squares d) t))).
Proof.
  intros S. split.
  - intros R. apply never_negative. intros t. assert (sum n (fun d => root_below (squares d) t) <= x); [|lra].
    apply R. intros d Hd. destruct (root_below_bounds (squares d) t (S d Hd)) as (A & B & _). auto.
  - intros L h Hh. set (k := sum n (fun _ => 1)). assert (K : 0 <= k) by (apply sum_nonneg; intros; lra).
    apply (up_to_any _ _ (k + 1)); [lra|]. intros e E _. destruct (L e E) as [N HN]. destruct (over_null e E) as [N' HN'].
    set (t := Nat.max N N'). specialize (HN t ltac:(unfold t; lia)). specialize (HN' t ltac:(unfold t; lia)).
    pose proof (Qle_Qabs (/ over t)) as I. cbv beta in HN'. pose proof (over_positive t) as O.
    assert (I0 : 0 <= / over t) by (apply Qinv_le_0_compat; lra).
    assert (G : sum n h <= sum n (fun d => root_below (squares d) t + e * 1)).
    { apply sum_le. intros d Hd. destruct (Hh d Hd) as [A B].
      destruct (root_below_bounds (squares d) t (S d Hd)) as (C & _ & F).
      assert (h d <= root_below (squares d) t + / over t); [|lra]. apply (square_le (h d)); lra. }
    rewrite sum_plus, sum_scale in G. fold k in G. lra.
Qed.

(** ** Squaring, in the limit. *)
Lemma square_in_limit A B :
  (forall t, 0 <= A t) -> bounded A -> bounded B ->
  (not_negative (fun t => B t - A t) <-> not_negative B /\ not_negative (fun t => B t * B t - A t * A t)).
Proof.
  intros A0 BA BB. split.
  - intros H. split.
    + intros e E. destruct (H e E) as [N HN]. exists N. intros t Ht. specialize (HN t Ht). specialize (A0 t). lra.
    + (* (B - A)(B + A) *)
      destruct BA as [a Ha]. destruct BB as [b Hb].
      assert (D : 0 < a + b + 1).
      { specialize (Ha 0%nat). specialize (Hb 0%nat). pose proof (Qabs_nonneg (A 0%nat)).
        pose proof (Qabs_nonneg (B 0%nat)). lra. }
      intros e E. assert (E1 : 0 < e / (a + b + 1)) by (apply Qlt_shift_div_l; lra).
      destruct (H (e / (a + b + 1)) E1) as [N HN]. exists N. intros t Ht. specialize (HN t Ht). specialize (A0 t).
      specialize (Ha t). specialize (Hb t). pose proof (Qle_Qabs (A t)). pose proof (Qle_Qabs (B t)).
      assert (X : e / (a + b + 1) * (a + b + 1) == e) by (field; lra). set (f := e / (a + b + 1)) in *.
      setoid_replace (B t * B t - A t * A t) with ((B t - A t) * (B t + A t)) by ring.
      destruct (Qlt_le_dec (B t) (A t)) as [L|L]; [|nra].
      destruct (Qlt_le_dec (B t + A t) 0) as [L'|L']; [nra|].
      assert ((A t - B t) * (B t + A t) <= f * (a + b + 1)); [|lra].
      apply Qle_trans with (f * (B t + A t)); [apply Qmult_le_compat_r; lra|]. rewrite !(Qmult_comm f).
      apply Qmult_le_compat_r; lra.
  - intros [HB HS] e E. destruct (HB (e / 4)) as [N HN]; [apply Qlt_shift_div_l; lra|].
    destruct (HS (e * e / 4)) as [N' HN']; [apply Qlt_shift_div_l; nra|]. exists (Nat.max N N'). intros t Ht.
    specialize (HN t ltac:(lia)). specialize (HN' t ltac:(lia)).
    assert (X : e / 4 * 4 == e) by field. assert (Y : e * e / 4 * 4 == e * e) by field.
    destruct (Qlt_le_dec (B t - A t) (- e)) as [L|L]; [exfalso|exact L].
    assert (e * (A t + B t) <= (A t - B t) * (A t + B t)) by (apply Qmult_le_compat_r; lra).
    assert (e * (e / 2) <= e * (A t + B t)).
    { rewrite !(Qmult_comm e). apply Qmult_le_compat_r; [|lra]. assert (Z : e / 2 * 2 == e) by field. lra. }
    assert (Z : e * (e / 2) * 2 == e * e) by field. assert (0 < e * e) by nra. lra.
Qed.

Lemma same_in_limit f g : null (fun t => f t - g t) -> (not_negative f <-> not_negative g).
Proof.
  intros H. split; intros N.
  - apply (not_negative_ext (fun t => f t + - (f t - g t))); [intros; ring|].
    apply not_negative_plus; [exact N|now apply null_opp].
  - apply (not_negative_ext (fun t => g t + (f t - g t))); [intros; ring|]. now apply not_negative_plus.
Qed.

(** One root is left: whether g + d sqrt(s) is at least 0. *)
Definition one_left (g d s : Q) : bool :=
  if Qle_bool 0 g then Qle_bool 0 d || Qle_bool (d * d * s) (g * g) else Qle_bool 0 d && Qle_bool (g * g) (d * d * s).

Lemma one_left_correct g d s r :
  (forall t, 0 <= r t) -> bounded r -> null (fun t => r t * r t - s) ->
  (one_left g d s = true <-> not_negative (fun t => g + d * r t)).
Proof.
  intros R0 BR RS. unfold one_left.
  assert (sq : forall k, null (fun t => k * (r t * r t) - k * s)).
  { intros k. apply (null_ext (fun t => k * (r t * r t - s))); [intros; ring|].
    apply null_times; [apply bounded_number|exact RS]. }
  destruct (Qle_bool 0 g) eqn:G; [apply Qle_bool_iff in G|apply Qle_bool_false in G].
  - rewrite orb_true_iff, !Qle_bool_iff. destruct (Qlt_le_dec d 0) as [D|D].
    + assert (A : not_negative (fun t => g + d * r t) <-> not_negative (fun _ => g) /\ not_negative (fun t => g * g -
        (- d * r t) * (- d * r t))).
      { rewrite <- (square_in_limit (fun t => - d * r t) (fun _ => g)).
        - split; apply not_negative_ext; intros; ring.
        - intros t. specialize (R0 t). nra.
        - apply bounded_times; [apply bounded_number|exact BR].
        - apply bounded_number. }
      assert (B : not_negative (fun t => g * g - (- d * r t) * (- d * r t)) <-> not_negative (fun _ => g * g - d * d * s)).
      { apply same_in_limit. apply (null_ext (fun t => - (d * d * (r t * r t) - d * d * s))); [intros; ring|].
        apply null_opp, sq. }
      rewrite A, B, !not_negative_number. lra.
    + split; [|auto]. intros _. apply never_negative. intros t. specialize (R0 t). nra.
  - rewrite andb_true_iff, !Qle_bool_iff. destruct (Qlt_le_dec d 0) as [D|D].
    + split; [lra|]. intros N. exfalso. destruct (N (- g / 2)) as [n Hn]; [apply Qlt_shift_div_l; lra|].
      specialize (Hn n (Nat.le_refl n)). specialize (R0 n). assert (X : - g / 2 * 2 == - g) by field. nra.
    + assert (A : not_negative (fun t => g + d * r t) <-> not_negative (fun t => d * r t) /\ not_negative (fun t => d
        * r t * (d * r t) - (- g) * (- g))).
      { rewrite <- (square_in_limit (fun _ => - g) (fun t => d * r t)).
        - split; apply not_negative_ext; intros; ring.
        - intros _. lra.
        - apply bounded_number.
        - apply bounded_times; [apply bounded_number|exact BR]. }
      assert (B : not_negative (fun t => d * r t * (d * r t) - (- g) * (- g)) <-> not_negative (fun _ => d * d * s - g * g)).
      { apply same_in_limit. apply (null_ext (fun t => d * d * (r t * r t) - d * d * s)); [intros; ring|]. apply sq. }
      rewrite A, B, not_negative_number. split; [|lra]. intros [_ H]. split; [|lra]. apply never_negative. intros t.
      specialize (R0 t). nra.
Qed.

(** ** Four roots. With s = 4cd, sqrt(a) + sqrt(b) <= x - sqrt(c) - sqrt(d) is squared to
    2 sqrt(ab) + 2x (sqrt(c) + sqrt(d)) <= y + sqrt(s), this to 8x sqrt(ab) (sqrt(c) + sqrt(d)) <= alpha + beta sqrt(s),
    and this to 0 <= gamma + delta sqrt(s). *)
Definition four_roots (a b c d x : Q) : bool :=
  let s := 4 * (c * d) in
  let y := x * x + c + d - a - b in
  let alpha := y * y + s - 4 * (a * b) - 4 * (x * x) * (c + d) in
  let beta := 2 * y - 4 * (x * x) in
  let k := 64 * (x * x) * (a * b) in
  two_roots c d x && one_left y 1 s && one_left alpha beta s &&
  one_left (alpha * alpha + beta * beta * s - k * (c + d)) (2 * alpha * beta - k) s.

Definition four_of (a b c d : Q) (i : nat) : Q := match i with 0%nat => a | 1%nat => b | 2%nat => c | _ => d end.

Lemma four_roots_correct a b c d x :
  0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> (four_roots a b c d x = true <-> roots_at_most 4 (four_of a b c d) x).
Proof.
  intros A0 B0 C0 D0. rewrite roots_in_limit by (intros [|[|[|[|i]]]] Hi; (assumption || lia)).
  unfold four_roots. cbv zeta. set (s := 4 * (c * d)). set (y := x * x + c + d - a - b).
  set (alpha := y * y + s - 4 * (a * b) - 4 * (x * x) * (c + d)). set (beta := 2 * y - 4 * (x * x)).
  set (k := 64 * (x * x) * (a * b)). rewrite !andb_true_iff, (two_roots_correct c d x C0 D0).
  rewrite (roots_in_limit 2) by (intros [|[|i]] Hi; (assumption || lia)).
  set (ra := root_below a). set (rb := root_below b). set (rc := root_below c). set (rd := root_below d).
  assert (Pa : forall t, 0 <= ra t) by (intros t; now apply root_below_bounds).
  assert (Pb : forall t, 0 <= rb t) by (intros t; now apply root_below_bounds).
  assert (Pc : forall t, 0 <= rc t) by (intros t; now apply root_below_bounds).
  assert (Pd : forall t, 0 <= rd t) by (intros t; now apply root_below_bounds).
  pose proof (bounded_root a A0) as Ba. pose proof (bounded_root b B0) as Bb. pose proof (bounded_root c C0) as Bc.
  pose proof (bounded_root d D0) as Bd. fold ra in Ba. fold rb in Bb. fold rc in Bc. fold rd in Bd.
  pose proof (root_square a A0) as Na. pose proof (root_square b B0) as Nb. pose proof (root_square c C0) as Nc.
  pose proof (root_square d D0) as Nd. fold ra in Na. fold rb in Nb. fold rc in Nc. fold rd in Nd.
  set (rs := fun t => 2 * (rc t * rd t)).
  assert (Ps : forall t, 0 <= rs t) by (intros t; unfold rs; specialize (Pc t); specialize (Pd t); nra).
  assert (Bcd : bounded (fun t => rc t * rd t)) by now apply bounded_times.
  assert (Bs : bounded rs) by (apply bounded_times; [apply bounded_number|exact Bcd]).
  assert (scaled : forall q f, null f -> null (fun t => q * f t)) by (intros q f N; apply null_times;
    [apply bounded_number|exact N]).
  assert (products : forall f g u v, bounded f -> bounded g -> null (fun t => f t * f t - u) -> null (fun t => g t * g
    t - v) ->
    null (fun t => f t * f t * (g t * g t) - u * v)).
  { intros f g u v Bf Bg Nf Ng. apply (null_ext (fun t => g t * g t * (f t * f t - u) + u * (g t * g t - v)));
      [intros; ring|].
    apply null_plus; [apply null_times; [now apply bounded_times|exact Nf]|now apply scaled]. }
  pose proof (products ra rb a b Ba Bb Na Nb) as Nab. pose proof (products rc rd c d Bc Bd Nc Nd) as Ncd.
  assert (Ns : null (fun t => rs t * rs t - s)).
  { apply (null_ext (fun t => 4 * (rc t * rc t * (rd t * rd t) - c * d))); [intros; unfold rs, s; ring|]. now apply scaled. }
  rewrite (one_left_correct y 1 s rs Ps Bs Ns), (one_left_correct alpha beta s rs Ps Bs Ns),
    (one_left_correct _ (2 * alpha * beta - k) s rs Ps Bs Ns).
  (* The first square. *)
  assert (S1 : not_negative (fun t => x - sum 4 (fun i => root_below (four_of a b c d i) t)) <->
    not_negative (fun t => x - (rc t + rd t)) /\
    not_negative (fun t => (x - (rc t + rd t)) * (x - (rc t + rd t)) - (ra t + rb t) * (ra t + rb t))).
  { rewrite <- (square_in_limit (fun t => ra t + rb t) (fun t => x - (rc t + rd t))).
    - split; apply not_negative_ext; intros; simpl; unfold ra, rb, rc, rd; ring.
    - intros t. specialize (Pa t). specialize (Pb t). lra.
    - now apply bounded_plus.
    - apply (bounded_plus (fun _ => x) (fun t => - (rc t + rd t))); [apply bounded_number|].
      destruct (bounded_plus _ _ Bc Bd) as [q Hq]. exists q. intros t. rewrite Qabs_opp. apply Hq. }
  assert (E1 : not_negative (fun t => (x - (rc t + rd t)) * (x - (rc t + rd t)) - (ra t + rb t) * (ra t + rb t)) <->
    not_negative (fun t => (y + 1 * rs t) - (2 * (ra t * rb t) + 2 * x * (rc t + rd t)))).
  { apply same_in_limit. apply (null_ext (fun t => ((rc t * rc t - c) + (rd t * rd t - d)) + - ((ra t * ra t - a) +
      (rb t * rb t - b)))).
    - intros t. unfold y, rs. ring.
    - apply null_plus; [now apply null_plus|]. apply null_opp. now apply null_plus. }
  assert (E0 : not_negative (fun t => x - sum 2 (fun i => root_below (pair_of c d i) t)) <-> not_negative (fun t => x
    - (rc t + rd t))).
  { split; apply not_negative_ext; intros; simpl; unfold rc, rd; ring. }
  rewrite S1, E1, E0.
  (* x is at least 0 from here on. *)
  assert (X : not_negative (fun t => x - (rc t + rd t)) -> 0 <= x).
  { intros N. apply not_negative_number. intros e E. destruct (N e E) as [n Hn]. exists n. intros t Ht. specialize (Hn t Ht).
    specialize (Pc t). specialize (Pd t). lra. }
  assert (Bab : bounded (fun t => ra t * rb t)) by now apply bounded_times.
  assert (Bcpd : bounded (fun t => rc t + rd t)) by now apply bounded_plus.
  assert (By : forall g h, bounded (fun t => g + h * rs t)).
  { intros g h. apply bounded_plus; [apply bounded_number|]. apply bounded_times; [apply bounded_number|exact Bs]. }
  assert (S2 : 0 <= x -> (not_negative (fun t => (y + 1 * rs t) - (2 * (ra t * rb t) + 2 * x * (rc t + rd t))) <->
    not_negative (fun t => y + 1 * rs t) /\ not_negative (fun t => (alpha + beta * rs t) - 8 * x * (ra t * rb t * (rc
      t + rd t))))).
  { intros X0. rewrite (square_in_limit (fun t => 2 * (ra t * rb t) + 2 * x * (rc t + rd t)) (fun t => y + 1 * rs t)).
    - assert (E : not_negative (fun t => (y + 1 * rs t) * (y + 1 * rs t)
          - (2 * (ra t * rb t) + 2 * x * (rc t + rd t)) * (2 * (ra t * rb t) + 2 * x * (rc t + rd t))) <->
        not_negative (fun t => (alpha + beta * rs t) - 8 * x * (ra t * rb t * (rc t + rd t)))); [|rewrite E; tauto].
      apply same_in_limit. apply (null_ext (fun t => (rs t * rs t - s) +
        - (4 * (ra t * ra t * (rb t * rb t) - a * b) + 4 * (x * x) * ((rc t * rc t - c) + (rd t * rd t - d))))).
      + intros t. unfold alpha, beta, rs. ring.
      + apply null_plus; [exact Ns|]. apply null_opp. apply null_plus; [now apply scaled|]. apply scaled. now apply null_plus.
    - intros t. specialize (Pa t). specialize (Pb t). specialize (Pc t). specialize (Pd t).
      assert (0 <= ra t * rb t) by nra. assert (0 <= x * (rc t + rd t)) by nra. lra.
    - apply bounded_plus; [apply bounded_times; [apply bounded_number|exact Bab]|].
      apply bounded_times; [apply bounded_number|exact Bcpd].
    - apply By. }
  assert (S3 : 0 <= x -> (not_negative (fun t => (alpha + beta * rs t) - 8 * x * (ra t * rb t * (rc t + rd t))) <->
    not_negative (fun t => alpha + beta * rs t) /\
    not_negative (fun t => (alpha * alpha + beta * beta * s - k * (c + d)) + (2 * alpha * beta - k) * rs t))).
  { intros X0. rewrite (square_in_limit (fun t => 8 * x * (ra t * rb t * (rc t + rd t))) (fun t => alpha + beta * rs t)).
    - assert (E : not_negative (fun t => (alpha + beta * rs t) * (alpha + beta * rs t)
          - 8 * x * (ra t * rb t * (rc t + rd t)) * (8 * x * (ra t * rb t * (rc t + rd t)))) <->
        not_negative (fun t => (alpha * alpha + beta * beta * s - k * (c + d)) + (2 * alpha * beta - k) * rs t));
          [|rewrite E; tauto].
      apply same_in_limit. apply (null_ext (fun t => beta * beta * (rs t * rs t - s) +
        - (64 * (x * x) * ((c + d + rs t) * (ra t * ra t * (rb t * rb t) - a * b)
             + ra t * rb t * (ra t * rb t) * ((rc t * rc t - c) + (rd t * rd t - d)))))).
      + intros t. unfold k, rs. ring.
      + apply null_plus; [now apply scaled|]. apply null_opp. apply scaled. apply null_plus.
        * apply null_times; [|exact Nab]. apply (bounded_plus (fun _ => c + d)); [apply bounded_number|exact Bs].
        * apply null_times; [now apply bounded_times|]. now apply null_plus.
    - intros t. specialize (Pa t). specialize (Pb t). specialize (Pc t). specialize (Pd t).
      assert (0 <= ra t * rb t) by nra. assert (0 <= ra t * rb t * (rc t + rd t)) by nra. nra.
    - apply bounded_times; [apply bounded_number|]. now apply bounded_times.
    - apply By. }
  split.
  - intros [[[N1 N2] N3] N4]. pose proof (X N1) as X0. split; [exact N1|]. apply (S2 X0). split; [exact N2|].
    apply (S3 X0). auto.
  - intros [N1 N]. pose proof (X N1) as X0. apply (S2 X0) in N. destruct N as [N2 N]. apply (S3 X0) in N. tauto.
Qed.

(** Up to four roots are decided. *)
Definition up_to_four (n : nat) (squares : nat -> Q) (x : Q) : bool :=
  match n with
  | 4%nat => four_roots (squares 0%nat) (squares 1%nat) (squares 2%nat) (squares 3%nat) x
  | _ => few_roots n squares x
  end.

Theorem up_to_four_correct n squares x :
  (n <= 4)%nat -> (forall d, (d < n)%nat -> 0 <= squares d) -> (up_to_four n squares x = true <-> roots_at_most n squares x).
Proof.
  intros N S. destruct (Nat.eq_dec n 4) as [->|Ne].
  - unfold up_to_four. rewrite four_roots_correct by (apply S; lia).
    split; apply roots_ext; intros [|[|[|[|d]]]] Hd; (reflexivity || lia).
  - assert (E : up_to_four n squares x = few_roots n squares x) by (destruct n as [|[|[|[|[|n]]]]]; (reflexivity || lia)).
    rewrite E. apply few_roots_correct; [lia|exact S].
Qed.

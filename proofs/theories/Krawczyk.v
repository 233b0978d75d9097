(** Krawczyk's theorem: equations have one zero in a box (book: "Certificates", section "A solution is near").

    The zero need not be of fractions. It is the limit of points of the box with coordinates in fractions: these
      points settle,
    as the fractions of a real number do, and at them the equations tend to 0. No theory of real numbers is needed to
    say so, and nothing is assumed. *)

From Etalon Require Export Onto Sequences.
From Etalon Require Import BackwardErrorTheorem.

(** ** Equations: sums of products of a number and two linear expressions, which have their values at the center c. *)
Record affine := { value_at : Q; slopes : nat -> Q }.
Definition equation := list (Q * (affine * affine)).

Section Box.
Variables (n : nat) (c d : nat -> Q).

Definition in_box (x : nat -> Q) : Prop := forall j, (j < n)%nat -> Qabs (x j - c j) <= d j.
Definition at_point (a : affine) (x : nat -> Q) : Q := value_at a + sum n (fun j => slopes a j * (x j - c j)).
Definition reach (a : affine) : Q := sum n (fun j => Qabs (slopes a j) * d j).

Fixpoint evaluate (f : equation) (x : nat -> Q) : Q :=
  match f with [] => 0 | (k, (a, b)) :: rest => k * (at_point a x * at_point b x) + evaluate rest x end.
Fixpoint at_center (f : equation) : Q :=
  match f with [] => 0 | (k, (a, b)) :: rest => k * (value_at a * value_at b) + at_center rest end.
Fixpoint gradient (f : equation) (j : nat) : Q :=
  match f with
  | [] => 0 | (k, (a, b)) :: rest => k * (value_at a * slopes b j + value_at b * slopes a j) + gradient rest j
  end.
(** The sum over j, k of |F''| d_j d_k, or more. *)
Fixpoint curvature (f : equation) : Q :=
  match f with [] => 0 | (k, (a, b)) :: rest => 2 * Qabs k * (reach a * reach b) + curvature rest end.

Hypothesis Hd : forall j, (j < n)%nat -> 0 < d j.

Lemma sum_bounded f g : (forall j, (j < n)%nat -> Qabs (f j) <= g j) -> Qabs (sum n f) <= sum n g.
Proof. intros H. eapply Qle_trans; [apply sum_abs|]. now apply sum_le. Qed.

Lemma moves a (t : nat -> Q) rho :
  0 <= rho -> (forall j, (j < n)%nat -> Qabs (t j) <= rho * d j) -> Qabs (sum n (fun j => slopes a j * t j)) <= rho * reach a.
Proof.
  intros R H. unfold reach. rewrite <- sum_scale. apply sum_bounded. intros j Hj. rewrite Qabs_Qmult.
  specialize (H j Hj). pose proof (Qabs_nonneg (slopes a j)). nra.
Qed.

(** The ends of what a linear expression can be in the box. *)
Lemma linear_ends a x : in_box x -> value_at a - reach a <= at_point a x /\ at_point a x <= value_at a + reach a.
Proof.
  intros X. assert (H : Qabs (sum n (fun j => slopes a j * (x j - c j))) <= 1 * reach a).
  { apply moves; [lra|]. intros j Hj. rewrite Qmult_1_l. now apply X. }
  unfold at_point. apply abs_le in H. lra.
Qed.

Lemma reach_not_negative a : 0 <= reach a.
Proof. apply sum_nonneg. intros j Hj. specialize (Hd j Hj). pose proof (Qabs_nonneg (slopes a j)). nra. Qed.

(** Between two points of the box an equation changes by its gradient at the center, but for the curvature. *)
Lemma taylor f x y rho :
  in_box x -> in_box y -> 0 <= rho -> (forall j, (j < n)%nat -> Qabs (x j - y j) <= rho * d j) ->
  Qabs (evaluate f x - evaluate f y - sum n (fun j => gradient f j * (x j - y j))) <= rho * curvature f.
Proof.
  intros X Y R H. induction f as [|[k [a b]] f IH].
  - cbn [evaluate gradient curvature]. rewrite (sum_zero n) by (intros; ring). setoid_replace (0 - 0 - 0) with 0 by ring.
    change (Qabs 0) with 0. lra.
  - cbn [evaluate gradient curvature].
    set (A := sum n (fun j => slopes a j * (x j - y j))). set (B := sum n (fun j => slopes b j * (x j - y j))).
    assert (EA : at_point a x - at_point a y == A).
    { unfold at_point, A. rewrite (sum_ext n (fun j => slopes a j * (x j - y j))
        (fun j => slopes a j * (x j - c j) - slopes a j * (y j - c j))) by (intros; ring). rewrite sum_minus. ring. }
    assert (EB : at_point b x - at_point b y == B).
    { unfold at_point, B. rewrite (sum_ext n (fun j => slopes b j * (x j - y j))
        (fun j => slopes b j * (x j - c j) - slopes b j * (y j - c j))) by (intros; ring). rewrite sum_minus. ring. }
    assert (EG : sum n (fun j => (k * (value_at a * slopes b j + value_at b * slopes a j) + gradient f j) * (x j - y j))
      == k * (value_at a * B + value_at b * A) + sum n (fun j => gradient f j * (x j - y j))).
    { unfold A, B. rewrite <- !sum_scale, <- sum_plus, <- sum_scale, <- sum_plus. apply sum_ext. intros. ring. }
    rewrite EG.
    set (p := sum n (fun j => slopes b j * (x j - c j))). set (q := sum n (fun j => slopes a j * (y j - c j))).
    setoid_replace (k * (at_point a x * at_point b x) + evaluate f x - (k * (at_point a y * at_point b y) + evaluate f y)
        - (k * (value_at a * B + value_at b * A) + sum n (fun j => gradient f j * (x j - y j))))
      with (k * (A * p + q * B) + (evaluate f x - evaluate f y - sum n (fun j => gradient f j * (x j - y j)))).
    2:{ setoid_replace (at_point a x) with (at_point a y + A) by lra.
    setoid_replace (at_point b y) with (at_point b x - B) by lra.
        unfold at_point. fold p q. ring. }
    eapply Qle_trans; [apply Qabs_triangle|].
    assert (PA : Qabs A <= rho * reach a) by now apply moves. assert (PB : Qabs B <= rho * reach b) by now apply moves.
    assert (PP : Qabs p <= 1 * reach b) by (apply moves; [lra|]; intros j Hj; rewrite Qmult_1_l; now apply X).
    assert (PQ : Qabs q <= 1 * reach a) by (apply moves; [lra|]; intros j Hj; rewrite Qmult_1_l; now apply Y).
    assert (T : Qabs (k * (A * p + q * B)) <= Qabs k * (rho * reach a * (1 * reach b) + 1 * reach a * (rho * reach b))).
    { rewrite Qabs_Qmult. rewrite (Qmult_comm (Qabs k)), (Qmult_comm (Qabs k)). apply Qmult_le_compat_r; [|apply Qabs_nonneg].
      eapply Qle_trans; [apply Qabs_triangle|]. apply Qplus_le_compat; now apply abs_product. }
    lra.
Qed.

Lemma evaluate_center f : evaluate f c == at_center f.
Proof.
  induction f as [|[k [a b]] f IH]; [reflexivity|]. cbn [evaluate at_center]. rewrite IH. unfold at_point.
  rewrite !(sum_zero n) by (intros; ring). ring.
Qed.

(** ** The check, for as many equations as unknowns and any matrix C. *)
Variables (f : nat -> equation) (C : nat -> nat -> Q).

Definition defect (i j : nat) : Q := unit i j - sum n (fun l => C i l * gradient (f l) j).
Definition shrinks (i : nat) : Q :=
  sum n (fun j => Qabs (defect i j) * d j) + sum n (fun l => Qabs (C i l) * curvature (f l)).
Definition residual (x : nat -> Q) (i : nat) : Q := sum n (fun l => C i l * evaluate (f l) x).
Definition krawczyk : Prop :=
  forall i, (i < n)%nat -> Qabs (sum n (fun l => C i l * at_center (f l))) + shrinks i < d i.

Hypothesis K : krawczyk.

Lemma curvature_nonneg g : 0 <= curvature g.
Proof.
  induction g as [|[k [a b]] g IH]; cbn [curvature]; [lra|]. pose proof (Qabs_nonneg k).
  pose proof (reach_not_negative a). pose proof (reach_not_negative b). assert (0 <= reach a * reach b) by nra. nra.
Qed.

Lemma shrinks_parts i : 0 <= sum n (fun j => Qabs (defect i j) * d j) /\ 0 <= sum n (fun l => Qabs (C i l) * curvature (f l)).
Proof.
  split; apply sum_nonneg; intros j Hj.
  - specialize (Hd j Hj). pose proof (Qabs_nonneg (defect i j)). nra.
  - pose proof (curvature_nonneg (f j)). pose proof (Qabs_nonneg (C i j)). nra.
Qed.

(** One factor for all unknowns. *)
Lemma one_factor : exists theta, 0 <= theta /\ theta < 1 /\ forall i, (i < n)%nat -> shrinks i <= theta * d i.
Proof.
  assert (G : forall m, (m <= n)%nat -> exists theta, 0 <= theta /\ theta < 1 /\ forall i,
    (i < m)%nat -> shrinks i <= theta * d i).
  { induction m as [|m IH]; intros Hm; [exists 0; split; [lra|]; split; [lra|lia]|].
    destruct IH as (t & T0 & T1 & T); [lia|]. assert (Hm' : (m < n)%nat) by lia. pose proof (Hd m Hm') as D.
    pose proof (K m Hm') as Km. pose proof (Qabs_nonneg (sum n (fun l => C m l * at_center (f l)))) as A0.
    destruct (shrinks_parts m) as [S1 S2]. set (u := shrinks m / d m).
    assert (U : u * d m == shrinks m) by (unfold u; field; lra).
    assert (U0 : 0 <= u) by (unfold u; apply Qle_shift_div_l; unfold shrinks; lra).
    assert (U1 : u < 1) by (unfold u; apply Qlt_shift_div_r; lra).
    destruct (Qlt_le_dec t u) as [L|L]; [exists u|exists t]; (split; [assumption|]; split; [assumption|]);
      intros i Hi; destruct (Nat.eq_dec i m) as [->|N]; try (specialize (T i ltac:(lia));
        pose proof (Hd i ltac:(lia))); nra. }
  exact (G n (Nat.le_refl n)).
Qed.

Definition improve (x : nat -> Q) (i : nat) : Q := x i - residual x i.

(** The map contracts. *)
Lemma contracts x y rho i :
  in_box x -> in_box y -> 0 <= rho -> (forall j, (j < n)%nat -> Qabs (x j - y j) <= rho * d j) -> (i < n)%nat ->
  Qabs (improve x i - improve y i) <= rho * shrinks i.
Proof.
  intros X Y R H Hi. set (rest := fun l => evaluate (f l) x - evaluate (f l) y - sum n (fun j => gradient (f l) j * (x
    j - y j))).
  assert (E : improve x i - improve y i == sum n (fun j => defect i j * (x j - y j)) - sum n (fun l => C i l * rest l)).
  { unfold improve, residual, defect, rest.
    rewrite (sum_ext n (fun l => C i l * (evaluate (f l) x - evaluate (f l) y - sum n (fun j => gradient (f l) j * (x
      j - y j))))
      (fun l => C i l * evaluate (f l) x - C i l * evaluate (f l) y - sum n (fun j => C i l * gradient (f l) j * (x j
        - y j)))).
    2:{ intros l _. rewrite (sum_ext n (fun j => C i l * gradient (f l) j * (x j - y j))
          (fun j => C i l * (gradient (f l) j * (x j - y j)))) by (intros; ring). rewrite sum_scale. ring. }
    rewrite !sum_minus.
    rewrite (sum_ext n (fun j => (unit i j - sum n (fun l => C i l * gradient (f l) j)) * (x j - y j))
      (fun j => unit i j * (x j - y j) - sum n (fun l => C i l * gradient (f l) j * (x j - y j)))).
    2:{ intros j _. rewrite sum_scale_right. ring. }
    rewrite sum_minus, (sum_unit n i (fun j => x j - y j) Hi).
    rewrite (sum_swap n n (fun j l => C i l * gradient (f l) j * (x j - y j))). ring. }
  rewrite E. unfold shrinks. eapply Qle_trans; [apply Qabs_triangle|]. rewrite Qabs_opp, Qmult_plus_distr_r.
  rewrite <- !sum_scale. apply Qplus_le_compat; apply sum_bounded.
  - intros j Hj. setoid_replace (rho * (Qabs (defect i j) * d j)) with (Qabs (defect i j) * (rho * d j)) by ring.
    apply abs_product; [lra|now apply H].
  - intros l Hl. setoid_replace (rho * (Qabs (C i l) * curvature (f l))) with (Qabs (C i l) * (rho * curvature (f l)))
      by ring.
    apply abs_product; [lra|now apply taylor].
Qed.

Lemma center_in_box : in_box c.
Proof. intros j Hj. setoid_replace (c j - c j) with 0 by ring. change (Qabs 0) with 0. specialize (Hd j Hj). lra. Qed.

Lemma stays_in_box x : in_box x -> in_box (improve x).
Proof.
  intros X i Hi. pose proof (K i Hi) as Ki.
  assert (G : Qabs (improve x i - improve c i) <= 1 * shrinks i).
  { apply contracts; [exact X|apply center_in_box|lra| |exact Hi]. intros j Hj. rewrite Qmult_1_l. now apply X. }
  assert (S : improve c i - c i == - sum n (fun l => C i l * at_center (f l))).
  { unfold improve, residual. rewrite (sum_ext n (fun l => C i l * evaluate (f l) c) (fun l => C i l * at_center (f l)))
      by (intros; now rewrite evaluate_center). ring. }
  setoid_replace (improve x i - c i) with ((improve x i - improve c i) + (improve c i - c i)) by ring.
  eapply Qle_trans; [apply Qabs_triangle|]. rewrite S, Qabs_opp. lra.
Qed.

Fixpoint iterate (t : nat) : nat -> Q := match t with O => c | S k => improve (iterate k) end.

Lemma iterate_in_box t : in_box (iterate t).
Proof. induction t as [|t IH]; [apply center_in_box|now apply stays_in_box]. Qed.

(** The more often it is improved, the less a point moves. *)
Lemma iterates_near theta t s i :
  0 <= theta -> (forall i, (i < n)%nat -> shrinks i <= theta * d i) -> (i < n)%nat ->
  Qabs (iterate (s + t) i - iterate t i) <= power theta t * d i.
Proof.
  intros T0 T. revert s i. induction t as [|t IH]; intros s i Hi.
  - cbn [power iterate]. rewrite Qmult_1_l. rewrite Nat.add_0_r. now apply iterate_in_box.
  - replace (s + S t)%nat with (S (s + t)) by lia. cbn [iterate power].
    assert (P0 : 0 <= power theta t).
    { clear - T0. induction t as [|t IH]; cbn [power]; [lra|now apply Qmult_le_0_compat]. }
    eapply Qle_trans; [apply (contracts _ _ (power theta t)); auto using iterate_in_box|].
    specialize (T i Hi). setoid_replace (theta * power theta t * d i) with (power theta t * (theta * d i)) by ring.
    rewrite !(Qmult_comm (power theta t)). now apply Qmult_le_compat_r.
Qed.

(** What C F is small at is small itself: in the weights d, v is at most what (C F') v is, times a constant. *)
Lemma grows theta g v :
  theta < 1 -> 0 <= g -> (forall i, (i < n)%nat -> shrinks i <= theta * d i) ->
  (forall i, (i < n)%nat -> Qabs (v i) <= g * d i + sum n (fun j => Qabs (defect i j) * Qabs (v j))) ->
  forall i, (i < n)%nat -> Qabs (v i) <= g / (1 - theta) * d i.
Proof.
  intros T1 G T H i Hi. destruct (largest n (fun j => Qabs (v j) / d j)) as (k & Hk & Most); [lia|].
  set (rho := Qabs (v k) / d k) in *.
  assert (within_rho : forall j, (j < n)%nat -> Qabs (v j) <= rho * d j).
  { intros j Hj. pose proof (Hd j Hj). specialize (Most j Hj). cbv beta in Most.
    setoid_replace (Qabs (v j)) with (Qabs (v j) / d j * d j) by (field; lra). apply Qmult_le_compat_r; lra. }
  pose proof (Hd k Hk) as Dk. assert (E : rho * d k == Qabs (v k)) by (unfold rho; field; lra).
  assert (R0 : 0 <= rho) by (unfold rho; apply Qle_shift_div_l; [exact Dk|]; pose proof (Qabs_nonneg (v k)); lra).
  assert (S : sum n (fun j => Qabs (defect k j) * Qabs (v j)) <= rho * (theta * d k)).
  { destruct (shrinks_parts k) as [_ S2]. specialize (T k Hk). unfold shrinks in T.
    assert (A : sum n (fun j => Qabs (defect k j) * Qabs (v j)) <= rho * sum n (fun j => Qabs (defect k j) * d j)).
    { rewrite <- sum_scale. apply sum_le. intros j Hj. specialize (within_rho j Hj).
      pose proof (Qabs_nonneg (defect k j)). nra. }
    nra. }
  specialize (H k Hk). assert (R : rho <= g / (1 - theta)).
  { apply Qle_shift_div_l; [lra|]. assert (Q1 : rho * d k * (1 - theta) <= g * d k) by lra.
    assert (rho * (1 - theta) * d k <= g * d k) by lra. apply (Qmult_le_r _ _ (d k)); assumption. }
  specialize (within_rho i Hi). pose proof (Hd i Hi). nra.
Qed.

Definition jacobian (l j : nat) : Q := gradient (f l) j.

Lemma through_jacobian v i : (i < n)%nat ->
  v i == sum n (fun l => C i l * mv n jacobian v l) + sum n (fun j => defect i j * v j).
Proof.
  intros Hi. unfold defect, mv, jacobian.
  rewrite (sum_ext n (fun j => (unit i j - sum n (fun l => C i l * gradient (f l) j)) * v j)
    (fun j => unit i j * v j - sum n (fun l => C i l * gradient (f l) j * v j))).
  2:{ intros j _. rewrite sum_scale_right. ring. }
  rewrite sum_minus, (sum_unit n i v Hi), (sum_swap n n (fun j l => C i l * gradient (f l) j * v j)).
  rewrite (sum_ext n (fun l => C i l * sum n (fun j => gradient (f l) j * v j))
    (fun l => sum n (fun j => C i l * gradient (f l) j * v j))); [ring|].
  intros l _. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

Lemma jacobian_bound theta g v :
  theta < 1 -> 0 <= g -> (forall i, (i < n)%nat -> shrinks i <= theta * d i) ->
  (forall i, (i < n)%nat -> Qabs (sum n (fun l => C i l * mv n jacobian v l)) <= g * d i) ->
  forall i, (i < n)%nat -> Qabs (v i) <= g / (1 - theta) * d i.
Proof.
  intros T1 G T H. apply (grows theta g v T1 G T). intros i Hi. rewrite (through_jacobian v i Hi) at 1.
  eapply Qle_trans; [apply Qabs_triangle|]. apply Qplus_le_compat; [now apply H|].
  apply sum_bounded. intros j Hj. rewrite Qabs_Qmult. apply Qle_refl.
Qed.

(** F' is regular, so every value of F is F' v for some v, which is small where C F is. *)
Lemma values_small theta g y :
  theta < 1 -> 0 <= g -> (forall i, (i < n)%nat -> shrinks i <= theta * d i) ->
  (forall i, (i < n)%nat -> Qabs (sum n (fun l => C i l * y l)) <= g * d i) ->
  forall l, (l < n)%nat -> Qabs (y l) <= g / (1 - theta) * sum n (fun j => Qabs (jacobian l j) * d j).
Proof.
  intros T1 G T H l Hl. destruct (onto n jacobian y) as [v V].
  - intros x Z j Hj. assert (B : Qabs (x j) <= 0 / (1 - theta) * d j).
    { apply (jacobian_bound theta 0 x T1); [lra|exact T| |exact Hj]. intros i Hi. rewrite sum_zero.
      - change (Qabs 0) with 0. lra.
      - intros k Hk. rewrite (Z k Hk). ring. }
    unfold Qdiv in B. rewrite !Qmult_0_l in B. apply abs_le_zero. exact B.
  - assert (S : forall j, (j < n)%nat -> Qabs (v j) <= g / (1 - theta) * d j).
    { apply (jacobian_bound theta g v T1 G T). intros i Hi.
      rewrite (sum_ext n (fun k => C i k * mv n jacobian v k) (fun k => C i k * y k)); [now apply H|].
      intros k Hk. now rewrite (V k Hk). }
    rewrite <- (V l Hl). unfold mv. rewrite <- sum_scale. apply sum_bounded. intros j Hj. rewrite Qabs_Qmult.
    specialize (S j Hj). pose proof (Qabs_nonneg (jacobian l j)). nra.
Qed.

(** ** The box holds a zero: points of it settle, and the equations tend to 0 at them. *)
Theorem krawczyk_zero : exists x : nat -> nat -> Q,
  (forall t, in_box (x t)) /\ (forall i, (i < n)%nat -> settles (fun t => x t i)) /\
  (forall l, (l < n)%nat -> null (fun t => evaluate (f l) (x t))).
Proof.
  destruct one_factor as (theta & T0 & T1 & T). exists iterate. split; [exact iterate_in_box|]. split.
  - intros i Hi e E. pose proof (Hd i Hi) as D. destruct (power_null theta (2 * d i) T0 T1 ltac:(lra) e E) as [N HN].
    exists N. intros t t' Ht Ht'. specialize (HN N (Nat.le_refl N)).
    destruct (power_bounds theta N T0 T1) as (P0 & _). rewrite Qabs_pos in HN by nra.
    pose proof (iterates_near theta N (t - N) i T0 T Hi) as A. pose proof (iterates_near theta N (t' - N) i T0 T Hi) as B.
    replace (t - N + N)%nat with t in A by lia. replace (t' - N + N)%nat with t' in B by lia.
    setoid_replace (iterate t i - iterate t' i) with ((iterate t i - iterate N i) + - (iterate t' i - iterate N i)) by ring.
    eapply Qle_trans; [apply Qabs_triangle|]. rewrite Qabs_opp. lra.
  - intros l Hl e E. set (b := sum n (fun j => Qabs (jacobian l j) * d j)).
    assert (B0 : 0 <= b / (1 - theta)).
    { apply Qle_shift_div_l; [lra|]. rewrite Qmult_0_l. apply sum_nonneg. intros j Hj. specialize (Hd j Hj).
      pose proof (Qabs_nonneg (jacobian l j)). nra. }
    destruct (power_null theta (b / (1 - theta)) T0 T1 B0 e E) as [N HN]. exists N. intros t Ht.
    destruct (power_bounds theta t T0 T1) as (P0 & _). specialize (HN t Ht). rewrite Qabs_pos in HN by nra.
    eapply Qle_trans; [|exact HN].
    setoid_replace (power theta t * (b / (1 - theta))) with (power theta t / (1 - theta) * b) by (field; lra).
    apply (values_small theta (power theta t) (fun l => evaluate (f l) (iterate t))); auto. intros i Hi.
    pose proof (iterates_near theta t 1 i T0 T Hi) as A. cbn [Nat.add iterate] in A. unfold improve in A.
    setoid_replace (iterate t i - residual (iterate t) i - iterate t i) with (- residual (iterate t) i) in A by ring.
    rewrite Qabs_opp in A. exact A.
Qed.

(** And no other: points at which the equations are small are near to each other. So two sequences as above have the
    same limits. *)
Theorem krawczyk_one_zero : exists k, 0 <= k /\ forall x y g,
  in_box x -> in_box y -> 0 <= g ->
  (forall i, (i < n)%nat -> Qabs (residual x i) <= g * d i) -> (forall i, (i < n)%nat -> Qabs (residual y i) <= g * d i) ->
  forall i, (i < n)%nat -> Qabs (x i - y i) <= k * g * d i.
Proof.
  destruct one_factor as (theta & T0 & T1 & T). exists (2 / (1 - theta)). split; [apply Qle_shift_div_l; lra|].
  intros x y g X Y G RX RY i Hi. destruct (largest n (fun j => Qabs (x j - y j) / d j)) as (k & Hk & Most); [lia|].
  set (rho := Qabs (x k - y k) / d k) in *.
  assert (near : forall j, (j < n)%nat -> Qabs (x j - y j) <= rho * d j).
  { intros j Hj. pose proof (Hd j Hj). specialize (Most j Hj). cbv beta in Most.
    setoid_replace (Qabs (x j - y j)) with (Qabs (x j - y j) / d j * d j) by (field; lra). apply Qmult_le_compat_r; lra. }
  pose proof (Hd k Hk) as Dk. assert (E : rho * d k == Qabs (x k - y k)) by (unfold rho; field; lra).
  assert (R0 : 0 <= rho) by (unfold rho; apply Qle_shift_div_l; [exact Dk|]; pose proof (Qabs_nonneg (x k - y k)); lra).
  pose proof (contracts x y rho k X Y R0 near Hk) as A. specialize (RX k Hk). specialize (RY k Hk). specialize (T k Hk).
  assert (B : Qabs (x k - y k) <= Qabs (improve x k - improve y k) + (Qabs (residual x k) + Qabs (residual y k))).
  { unfold improve. setoid_replace (x k - y k) with ((x k - residual x k - (y k - residual y k)) + (residual x k + -
      residual y k)) at 1 by ring.
    eapply Qle_trans; [apply Qabs_triangle|]. apply Qplus_le_compat; [apply Qle_refl|].
    eapply Qle_trans; [apply Qabs_triangle|]. rewrite Qabs_opp. apply Qle_refl. }
  assert (F : rho * shrinks k <= rho * (theta * d k)) by nra.
  assert (R : rho <= 2 / (1 - theta) * g).
  { setoid_replace (2 / (1 - theta) * g) with (2 * g / (1 - theta)) by (field; lra). apply Qle_shift_div_l; [lra|].
    assert (Q1 : rho * (1 - theta) * d k <= 2 * g * d k) by lra. apply (Qmult_le_r _ _ (d k)); assumption. }
  specialize (near i Hi). pose proof (Hd i Hi). nra.
Qed.
End Box.

(** Whether a disc can slide for data changed within eps: which multipliers L serve (book: "Friction cones", the
    sets S_d of theorem 2). *)

From Etalon Require Export ConeNear Feasible.
From Etalon Require Import BackwardError.

Section Disc.
Variables (as_one : bool) (n : nat) (eps : Q) (m : nat -> Q) (s r w : parts).

(** Squares of mu within eps for which r is on the boundary, and slip with L that every row can reach. *)
Definition slides_at (m' : nat -> Q) (L : Q) : Prop :=
  near_disc as_one n eps m m' /\ friction_square n m' r == vN r * vN r /\
  forall k, (k < n)%nat -> 0 < m k -> Qabs (- L * vT r k / m' k - vT w k) <= eps * vT s k.

(** ** One mu: the factor is forced, and with l = L / factor all is linear. *)
Definition forced : Q := friction_square n m r / (vN r * vN r).
Definition beyond_narrow_cone : bool :=
  Qle_bool ((1 - eps) * (1 - eps) * (vN r * vN r)) (friction_square n m r).
Definition row_as_one (k : nat) : list (Q * Q) :=
  if is_zero (m k) then [] else in_reach (vT w k) (vT r k / m k) (eps * vT s k).

(** ** A mu for each row: L r_k^2 / mu_k'^2 is between these, and their sum is L r_N^2. *)
Definition least_share (k : nat) : Q * Q :=
  if is_zero (m k) then (0, 0) else (vT r k * vT r k / (m k * ((1 + eps) * (1 + eps))), 0).
Definition most_share (k : nat) : Q * Q :=
  if is_zero (m k) then (0, 0) else (vT r k * vT r k / (m k * ((1 - eps) * (1 - eps))), 0).
Definition least_reach (k : nat) : Q * Q :=
  if is_zero (m k) then (0, 0) else (0, - (vT w k * vT r k) - eps * vT s k * Qabs (vT r k)).
Definition most_reach (k : nat) : Q * Q :=
  if is_zero (m k) then (0, 0) else (0, - (vT w k * vT r k) + eps * vT s k * Qabs (vT r k)).

Definition row_each (k : nat) : list (Q * Q) :=
  if is_zero (m k) then []
  else if is_zero (vT r k) then in_reach (vT w k) 0 (eps * vT s k)
  else [(fst (least_share k), snd (most_reach k)); (- fst (most_share k), - snd (least_reach k))].

Definition opposite (f : Q * Q) : Q * Q := (- fst f, - snd f).
Definition sums_each : list (Q * Q) :=
  map (fun t => (fst t - vN r * vN r, - snd t)) (choices n least_share least_reach) ++
  map (fun t => (fst t + vN r * vN r, - snd t))
    (choices n (fun k => opposite (most_share k)) (fun k => opposite (most_reach k))).

(** Whether some L serves; [along_normal] asks for u_N = L r_N within reach, too. *)
Definition slides (along_normal : bool) : bool :=
  if as_one then
    beyond_narrow_cone &&
    feasible (each_row n row_as_one ++
      if along_normal then in_reach (vN w) (- (friction_square n m r / vN r)) (eps * vN s) else [])
  else
    feasible (each_row n row_each ++ sums_each ++
      if along_normal then in_reach (vN w) (- vN r) (eps * vN s) else []).

(** ** They are right. *)
Hypothesis He : 0 <= eps.
Hypothesis Le : eps < 1.
Hypothesis Hm : nonneg n m.
Hypothesis Hs : forall k, (k < n)%nat -> 0 <= vT s k.
Hypothesis P : 0 < vN r.
Hypothesis Free : smooth_free n m r.
Hypothesis Wide : friction_square n m r <= (1 + eps) * (1 + eps) * (vN r * vN r).

Definition normal_reaches (along_normal : bool) (L : Q) : Prop :=
  along_normal = true -> Qabs (L * vN r - vN w) <= eps * vN s.

Lemma normal_square : 0 < vN r * vN r.
Proof. nra. Qed.

Lemma narrow : 0 < (1 - eps) * (1 - eps).
Proof. nra. Qed.

Lemma wide : 0 < (1 + eps) * (1 + eps).
Proof. nra. Qed.

Lemma rough k : (k < n)%nat -> is_zero (m k) = false -> 0 < m k.
Proof. intros Hk Z. apply is_zero_false in Z. specialize (Hm k Hk). lra. Qed.

(** *** One mu. *)
Lemma as_one_to_slides (along_normal : bool) l :
  as_one = true -> 0 <= l -> beyond_narrow_cone = true ->
  meets_all l (each_row n row_as_one ++
    if along_normal then in_reach (vN w) (- (friction_square n m r / vN r)) (eps * vN s) else []) ->
  exists m' L, 0 <= L /\ slides_at m' L /\ normal_reaches along_normal L.
Proof.
  pose proof normal_square as PP. pose proof narrow as NP.
  intros O L0 B H. apply meets_all_app in H. destruct H as [HR HN]. rewrite each_row_correct in HR.
  unfold beyond_narrow_cone in B. apply Qle_bool_iff in B.
  assert (F0 : 0 < friction_square n m r) by nra.
  assert (FP : 0 < forced) by (unfold forced; apply Qlt_shift_div_l; lra).
  exists (fun k => forced * m k), (l * forced). split; [nra|]. split; [split; [|split]|].
  - apply near_disc_scaled; [assumption|]. unfold near_mu, forced. split; [apply Qle_shift_div_l; lra|]. split.
    + apply Qle_shift_div_r; [assumption|]. lra.
    + intros _. apply Qle_shift_div_l; [assumption|]. lra.
  - assert (E : friction_square n (fun k => forced * m k) r == / forced * friction_square n m r).
    { unfold friction_square. rewrite <- sum_scale. apply sum_ext. intros k Hk.
      destruct (Qeq_dec (m k) 0) as [Z|Z]; [rewrite (Free k Hk Z); unfold Qdiv; ring|field; split; [assumption|lra]]. }
    rewrite E. unfold forced. field. split; lra.
  - intros k Hk Mk. specialize (HR k Hk). unfold row_as_one in HR.
    destruct (is_zero (m k)) eqn:Z; [apply is_zero_true in Z; lra|]. apply in_reach_correct in HR.
    setoid_replace (- (l * forced) * vT r k / (forced * m k) - vT w k) with (- (vT w k + l * (vT r k / m k)))
      by (field; split; lra).
    now rewrite Qabs_opp.
  - intros A. rewrite A in HN. apply in_reach_correct in HN.
    setoid_replace (l * forced * vN r - vN w) with (- (vN w + l * - (friction_square n m r / vN r)))
      by (unfold forced; field; lra).
    now rewrite Qabs_opp.
Qed.

Lemma slides_to_as_one (along_normal : bool) m' L :
  as_one = true -> 0 <= L -> slides_at m' L -> normal_reaches along_normal L -> slides along_normal = true.
Proof.
  pose proof normal_square as PP. pose proof narrow as NP.
  intros O L0 (N & F & R) A. unfold slides. rewrite O in *. destruct N as (f & (F0 & F1 & F2) & E).
  specialize (F2 Le). assert (FP : 0 < f) by nra.
  assert (FE : friction_square n m r == f * (vN r * vN r)).
  { rewrite <- F. unfold friction_square. rewrite <- sum_scale. apply sum_ext. intros k Hk. rewrite (E k Hk).
    destruct (Qeq_dec (m k) 0) as [Z|Z]; [rewrite (Free k Hk Z); unfold Qdiv; ring|field; split; [assumption|lra]]. }
  apply andb_true_iff. split.
  - unfold beyond_narrow_cone. apply Qle_bool_iff. rewrite FE. nra.
  - apply feasible_correct. exists (L / f). split; [apply Qle_shift_div_l; lra|]. apply meets_all_app. split.
    + apply each_row_correct. intros k Hk. unfold row_as_one.
      destruct (is_zero (m k)) eqn:Z; [intros c []|]. pose proof (rough k Hk Z) as Mk. apply in_reach_correct.
      setoid_replace (vT w k + L / f * (vT r k / m k)) with (- (- L * vT r k / m' k - vT w k))
        by (rewrite (E k Hk); field; split; lra).
      rewrite Qabs_opp. auto.
    + destruct along_normal; [|intros c []]. apply in_reach_correct.
      setoid_replace (vN w + L / f * - (friction_square n m r / vN r)) with (- (L * vN r - vN w))
        by (rewrite FE; field; lra).
      rewrite Qabs_opp. auto.
Qed.

(** *** A mu for each row: the shares t_k = L r_k^2 / mu_k'^2 and their bounds. *)
Definition least (L : Q) (k : nat) : Q := larger (at_ L (least_share k)) (at_ L (least_reach k)).
Definition most (L : Q) (k : nat) : Q := smaller (at_ L (most_share k)) (at_ L (most_reach k)).

Lemma sums_each_correct L :
  meets_all L sums_each <-> sum n (least L) <= L * (vN r * vN r) /\ L * (vN r * vN r) <= sum n (most L).
Proof.
  unfold sums_each. rewrite meets_all_app.
  assert (A : meets_all L (map (fun t => (fst t - vN r * vN r, - snd t)) (choices n least_share least_reach))
    <-> sum n (least L) <= L * (vN r * vN r)).
  { unfold least. rewrite <- choices_correct. unfold meets_all, at_. split.
    - intros H t I. specialize (H _ (in_map _ _ _ I)). cbn [fst snd] in H. lra.
    - intros H c I. apply in_map_iff in I. destruct I as (t & <- & I). specialize (H t I). cbn [fst snd]. lra. }
  assert (B : meets_all L (map (fun t => (fst t + vN r * vN r, - snd t))
      (choices n (fun k => opposite (most_share k)) (fun k => opposite (most_reach k))))
    <-> L * (vN r * vN r) <= sum n (most L)).
  { assert (E : sum n (fun k => larger (at_ L (opposite (most_share k))) (at_ L (opposite (most_reach k))))
      == - sum n (most L)).
    { rewrite <- sum_opp. apply sum_ext. intros k _. unfold most. rewrite <- larger_opposite. unfold at_, opposite.
      cbn [fst snd]. unfold larger.
      destruct (Qle_bool (- fst (most_share k) * L + - snd (most_share k)) (- fst (most_reach k) * L + - snd (most_reach k))) eqn:E1,
        (Qle_bool (- (fst (most_share k) * L + snd (most_share k))) (- (fst (most_reach k) * L + snd (most_reach k)))) eqn:E2;
        try ring; try apply Qle_bool_iff in E1; try apply Qle_bool_iff in E2;
        try apply Qle_bool_false in E1; try apply Qle_bool_false in E2; lra. }
    pose proof (choices_correct n (fun k => opposite (most_share k)) (fun k => opposite (most_reach k)) L
      (- (L * (vN r * vN r)))) as C. rewrite E in C. unfold meets_all, at_ in *. split.
    - intros H. assert (G : - sum n (most L) <= - (L * (vN r * vN r))); [|lra]. apply C. intros t I.
      specialize (H _ (in_map _ _ _ I)). cbn [fst snd] in H. lra.
    - intros H c I. apply in_map_iff in I. destruct I as (t & <- & I).
      assert (G : - sum n (most L) <= - (L * (vN r * vN r))) by lra.
      pose proof (proj2 C G t I). cbn [fst snd]. lra. }
  rewrite A, B. reflexivity.
Qed.

Lemma at_least_share k L : is_zero (m k) = false ->
  at_ L (least_share k) == L * (vT r k * vT r k) / (m k * ((1 + eps) * (1 + eps))).
Proof. intros Z. unfold at_, least_share. rewrite Z. cbn [fst snd]. unfold Qdiv. ring. Qed.

Lemma at_most_share k L : is_zero (m k) = false ->
  at_ L (most_share k) == L * (vT r k * vT r k) / (m k * ((1 - eps) * (1 - eps))).
Proof. intros Z. unfold at_, most_share. rewrite Z. cbn [fst snd]. unfold Qdiv. ring. Qed.

Lemma at_least_reach k L : is_zero (m k) = false ->
  at_ L (least_reach k) == - (vT w k * vT r k) - eps * vT s k * Qabs (vT r k).
Proof. intros Z. unfold at_, least_reach. rewrite Z. cbn [fst snd]. ring. Qed.

Lemma at_most_reach k L : is_zero (m k) = false ->
  at_ L (most_reach k) == - (vT w k * vT r k) + eps * vT s k * Qabs (vT r k).
Proof. intros Z. unfold at_, most_reach. rewrite Z. cbn [fst snd]. ring. Qed.

Lemma no_share k L : is_zero (m k) = true -> least L k == 0 /\ most L k == 0.
Proof.
  intros Z. unfold least, most, at_, least_share, least_reach, most_share, most_reach. rewrite Z. cbn [fst snd].
  unfold larger, smaller. destruct (Qle_bool (0 * L + 0) (0 * L + 0)); lra.
Qed.

(** A share between its bounds, in the words of mu' and u. *)
Lemma share_between k L t :
  is_zero (m k) = false ->
  (least L k <= t /\ t <= most L k <->
   (L * (vT r k * vT r k) / (m k * ((1 + eps) * (1 + eps))) <= t /\
    t <= L * (vT r k * vT r k) / (m k * ((1 - eps) * (1 - eps)))) /\
   Qabs (t + vT w k * vT r k) <= eps * vT s k * Qabs (vT r k)).
Proof.
  intros Z. unfold least, most. rewrite larger_most, smaller_least, abs_le.
  rewrite at_least_share, at_most_share, at_least_reach, at_most_reach by assumption.
  split; intros H; repeat split; lra.
Qed.

Lemma abs_cancel x y e : ~ y == 0 -> (Qabs (x * y) <= e * Qabs y <-> Qabs x <= e).
Proof.
  intros Y. rewrite Qabs_Qmult.
  assert (A : 0 < Qabs y).
  { pose proof (Qabs_nonneg y). destruct (Qeq_dec (Qabs y) 0) as [E|E]; [|lra].
    exfalso. apply Y. pose proof (Qle_Qabs y). pose proof (Qle_Qabs (- y)) as B. rewrite Qabs_opp in B. lra. }
  apply Qmult_le_r. assumption.
Qed.

Lemma near_mu_itself k : (k < n)%nat -> near_mu eps (m k) (m k).
Proof.
  intros Hk. specialize (Hm k Hk). assert (0 <= eps * m k) by nra. assert (0 <= eps * (eps * m k)) by nra.
  unfold near_mu. split; [assumption|]. split; [lra|]. intros _. assert (0 <= (2 - eps) * (eps * m k)) by nra. lra.
Qed.

(** What is asked of a row: its two intervals meet. *)
Lemma row_each_bounds L k :
  is_zero (m k) = false -> is_zero (vT r k) = false ->
  (meets_all L (row_each k) <->
   at_ L (least_share k) <= at_ L (most_reach k) /\ at_ L (least_reach k) <= at_ L (most_share k)).
Proof.
  intros Z R. unfold row_each, meets_all, at_. rewrite Z, R.
  assert (F1 : snd (least_share k) == 0) by (unfold least_share; rewrite Z; reflexivity).
  assert (F2 : snd (most_share k) == 0) by (unfold most_share; rewrite Z; reflexivity).
  assert (F3 : fst (least_reach k) == 0) by (unfold least_reach; rewrite Z; reflexivity).
  assert (F4 : fst (most_reach k) == 0) by (unfold most_reach; rewrite Z; reflexivity).
  rewrite F1, F2, F3, F4. split.
  - intros H. assert (A := H _ (or_introl eq_refl)). assert (B := H _ (or_intror (or_introl eq_refl))).
    cbn [fst snd] in A, B. lra.
  - intros [A B] c [<-|[<-|[]]]; cbn [fst snd]; lra.
Qed.

Lemma row_each_least L k :
  (k < n)%nat -> 0 <= L -> meets_all L (row_each k) -> least L k <= most L k.
Proof.
  intros Hk L0 H. destruct (is_zero (m k)) eqn:Z.
  { destruct (no_share k L Z). lra. }
  pose proof (rough k Hk Z) as Mk. pose proof narrow as NP. pose proof wide as WP.
  pose proof (square_nonneg (vT r k)) as RR. specialize (Hs k Hk).
  assert (E0 : 0 <= eps * vT s k * Qabs (vT r k)).
  { pose proof (Qabs_nonneg (vT r k)). assert (0 <= eps * vT s k) by nra. nra. }
  assert (X : 0 <= L * (vT r k * vT r k)) by nra.
  assert (S : L * (vT r k * vT r k) / (m k * ((1 + eps) * (1 + eps)))
      <= L * (vT r k * vT r k) / (m k * ((1 - eps) * (1 - eps)))).
  { apply Qle_shift_div_l; [nra|].
    setoid_replace (L * (vT r k * vT r k) / (m k * ((1 + eps) * (1 + eps))) * (m k * ((1 - eps) * (1 - eps))))
      with (L * (vT r k * vT r k) * ((1 - eps) * (1 - eps)) / ((1 + eps) * (1 + eps))) by (field; split; lra).
    apply Qle_shift_div_r; [assumption|]. nra. }
  unfold least, most. rewrite larger_most, !smaller_least.
  rewrite at_least_share, at_most_share, at_least_reach, at_most_reach by assumption.
  destruct (is_zero (vT r k)) eqn:R.
  - apply is_zero_true in R. rewrite R in *. setoid_replace (Qabs 0) with 0 by reflexivity.
    unfold Qdiv. repeat split; lra.
  - apply row_each_bounds in H; [|assumption|assumption].
    rewrite at_least_share, at_most_share, at_least_reach, at_most_reach in H by assumption. repeat split; lra.
Qed.

Lemma each_to_slides L :
  as_one = false -> 0 < L -> meets_all L (each_row n row_each) -> meets_all L sums_each -> exists m', slides_at m' L.
Proof.
  intros O LP HR HS. rewrite each_row_correct in HR. apply sums_each_correct in HS. destruct HS as [A B].
  pose proof narrow as NP. pose proof wide as WP. pose proof normal_square as PP.
  destruct (between_sums n (least L) (most L) (L * (vN r * vN r))) as (t & T & S); [|assumption|assumption|].
  { intros k Hk. apply row_each_least; [assumption|lra|auto]. }
  set (m' := fun k => if is_zero (m k) || is_zero (vT r k) then m k else L * (vT r k * vT r k) / t k).
  (* What is known of a row with friction and force. *)
  assert (row : forall k, (k < n)%nat -> is_zero (m k) = false -> is_zero (vT r k) = false ->
    0 < m k /\ 0 < L * (vT r k * vT r k) /\ 0 < t k /\
    L * (vT r k * vT r k) <= m k * ((1 + eps) * (1 + eps)) * t k /\
    m k * ((1 - eps) * (1 - eps)) * t k <= L * (vT r k * vT r k) /\
    Qabs (t k + vT w k * vT r k) <= eps * vT s k * Qabs (vT r k)).
  { intros k Hk Z R. pose proof (rough k Hk Z) as Mk. specialize (T k Hk). apply (share_between k L (t k) Z) in T.
    destruct T as [[T1 T2] T3]. apply is_zero_false in R.
    assert (RR : 0 < vT r k * vT r k).
    { pose proof (square_nonneg (vT r k)). destruct (Qeq_dec (vT r k * vT r k) 0) as [E|E]; [|lra].
      exfalso. apply R, square_zero. lra. }
    assert (X : 0 < L * (vT r k * vT r k)) by nra.
    assert (D1 : 0 < m k * ((1 + eps) * (1 + eps))) by nra. assert (D2 : 0 < m k * ((1 - eps) * (1 - eps))) by nra.
    assert (Y1 : L * (vT r k * vT r k) <= m k * ((1 + eps) * (1 + eps)) * t k).
    { setoid_replace (L * (vT r k * vT r k)) with
        (m k * ((1 + eps) * (1 + eps)) * (L * (vT r k * vT r k) / (m k * ((1 + eps) * (1 + eps))))) by (field; split; lra).
      apply Qmult_le_l; assumption. }
    assert (Y2 : m k * ((1 - eps) * (1 - eps)) * t k <= L * (vT r k * vT r k)).
    { setoid_replace (L * (vT r k * vT r k)) with
        (m k * ((1 - eps) * (1 - eps)) * (L * (vT r k * vT r k) / (m k * ((1 - eps) * (1 - eps))))) by (field; split; lra).
      apply Qmult_le_l; assumption. }
    repeat split; try assumption. destruct (Qlt_le_dec 0 (t k)); [assumption|exfalso; nra]. }
  exists m'. split; [|split].
  - unfold near_disc. rewrite O. intros k Hk. unfold m'.
    destruct (is_zero (m k)) eqn:Z; [now apply near_mu_itself|].
    destruct (is_zero (vT r k)) eqn:R; [now apply near_mu_itself|]. cbn [orb].
    destruct (row k Hk Z R) as (Mk & X & T0 & Y1 & Y2 & _).
    unfold near_mu. split; [apply Qle_shift_div_l; lra|]. split.
    + apply Qle_shift_div_r; [assumption|]. lra.
    + intros _. apply Qle_shift_div_l; [assumption|]. lra.
  - assert (E : L * friction_square n m' r == sum n t).
    { unfold friction_square. rewrite <- sum_scale. apply sum_ext. intros k Hk. unfold m'.
      destruct (is_zero (m k)) eqn:Z.
      - pose proof (proj1 (is_zero_true _) Z) as M0. cbn [orb]. rewrite (Free k Hk M0).
        destruct (no_share k L Z) as [E1 E2]. specialize (T k Hk). unfold Qdiv. lra.
      - destruct (is_zero (vT r k)) eqn:R; cbn [orb].
        + apply is_zero_true in R. specialize (T k Hk). apply (share_between k L (t k) Z) in T. destruct T as [[T1 T2] _].
          rewrite R in T1, T2 |- *. unfold Qdiv in *. lra.
        + destruct (row k Hk Z R) as (Mk & X & T0 & _). apply is_zero_false in R. field. repeat split; lra. }
    rewrite S in E. apply Qmult_inj_l in E; [assumption|lra].
  - intros k Hk Mk. unfold m'. destruct (is_zero (m k)) eqn:Z; [apply is_zero_true in Z; lra|].
    destruct (is_zero (vT r k)) eqn:R; cbn [orb].
    + specialize (HR k Hk). unfold row_each in HR. rewrite Z, R in HR. apply in_reach_correct in HR.
      apply is_zero_true in R.
      setoid_replace (- L * vT r k / m k - vT w k) with (- (vT w k + L * 0)) by (rewrite R; unfold Qdiv; ring).
      now rewrite Qabs_opp.
    + destruct (row k Hk Z R) as (_ & X & T0 & _ & _ & Y). apply is_zero_false in R.
      apply (abs_cancel _ (vT r k)); [assumption|].
      setoid_replace ((- L * vT r k / (L * (vT r k * vT r k) / t k) - vT w k) * vT r k)
        with (- (t k + vT w k * vT r k)) by (field; repeat split; lra).
      now rewrite Qabs_opp.
Qed.

Lemma slides_to_each (along_normal : bool) m' L :
  as_one = false -> 0 <= L -> slides_at m' L -> normal_reaches along_normal L -> slides along_normal = true.
Proof.
  intros O L0 (N & F & R) A. unfold slides. unfold near_disc in N. rewrite O in *.
  pose proof narrow as NP. pose proof wide as WP.
  assert (T : forall k, (k < n)%nat -> let t := if is_zero (m k) then 0 else L * (vT r k * vT r k) / m' k in
    least L k <= t /\ t <= most L k).
  { intros k Hk. destruct (is_zero (m k)) eqn:Z; [destruct (no_share k L Z); split; lra|].
    pose proof (rough k Hk Z) as Mk. destruct (N k Hk) as (_ & M1 & M2). specialize (M2 Le).
    assert (D1 : 0 < m k * ((1 + eps) * (1 + eps))) by nra. assert (D2 : 0 < m k * ((1 - eps) * (1 - eps))) by nra.
    assert (M' : 0 < m' k) by nra. pose proof (square_nonneg (vT r k)).
    assert (X : 0 <= L * (vT r k * vT r k)) by nra. cbv zeta. apply share_between; [assumption|].
    set (x := L * (vT r k * vT r k)) in *. split; [split|].
    - apply Qle_shift_div_l; [assumption|].
      setoid_replace (x / (m k * ((1 + eps) * (1 + eps))) * m' k) with (x * m' k / (m k * ((1 + eps) * (1 + eps))))
        by (field; split; lra).
      apply Qle_shift_div_r; [assumption|]. nra.
    - apply Qle_shift_div_l; [assumption|].
      setoid_replace (x / m' k * (m k * ((1 - eps) * (1 - eps)))) with (x * (m k * ((1 - eps) * (1 - eps))) / m' k)
        by (field; lra).
      apply Qle_shift_div_r; [assumption|]. nra.
    - setoid_replace (x / m' k + vT w k * vT r k) with (- ((- L * vT r k / m' k - vT w k) * vT r k))
        by (unfold x; field; lra).
      rewrite Qabs_opp, Qabs_Qmult. apply Qmult_le_compat_r; [auto|apply Qabs_nonneg]. }
  cbv zeta in T.
  assert (S : sum n (fun k => if is_zero (m k) then 0 else L * (vT r k * vT r k) / m' k) == L * (vN r * vN r)).
  { rewrite <- F. unfold friction_square. rewrite <- sum_scale. apply sum_ext. intros k Hk.
    destruct (is_zero (m k)) eqn:Z; [|unfold Qdiv; ring].
    apply is_zero_true in Z. rewrite (Free k Hk Z). unfold Qdiv. ring. }
  apply feasible_correct. exists L. split; [assumption|]. apply meets_all_app. split; [|apply meets_all_app; split].
  - apply each_row_correct. intros k Hk. destruct (is_zero (m k)) eqn:Z.
    { unfold row_each. rewrite Z. intros c []. }
    pose proof (rough k Hk Z) as Mk. destruct (is_zero (vT r k)) eqn:E.
    + unfold row_each. rewrite Z, E. apply in_reach_correct. specialize (R k Hk Mk). apply is_zero_true in E.
      setoid_replace (vT w k + L * 0) with (- (- L * vT r k / m' k - vT w k)) by (rewrite E; unfold Qdiv; ring).
      now rewrite Qabs_opp.
    + apply row_each_bounds; [assumption|assumption|]. specialize (T k Hk). unfold least, most in T. rewrite Z in T.
      rewrite larger_most, smaller_least in T. lra.
  - apply sums_each_correct. rewrite <- S. split; apply sum_le; intros k Hk; apply (T k Hk).
  - destruct along_normal; [|intros c []]. apply in_reach_correct.
    setoid_replace (vN w + L * - vN r) with (- (L * vN r - vN w)) by ring. rewrite Qabs_opp. auto.
Qed.

(** ** The decision is right; where L = 0 serves, the disc can as well stick. *)
Definition all_rest : Prop := forall k, (k < n)%nat -> 0 < m k -> Qabs (vT w k) <= eps * vT s k.

Lemma slides_sound (along_normal : bool) :
  slides along_normal = true ->
  (exists m' L, 0 <= L /\ slides_at m' L /\ normal_reaches along_normal L) \/
  (all_rest /\ (along_normal = true -> Qabs (vN w) <= eps * vN s)).
Proof.
  unfold slides. destruct as_one eqn:O.
  - rewrite andb_true_iff, feasible_correct. intros (B & l & L0 & H). left. apply as_one_to_slides in H; auto.
  - rewrite feasible_correct. intros (L & L0 & H). apply meets_all_app in H. destruct H as [HR H].
    apply meets_all_app in H. destruct H as [HS HN].
    assert (A : along_normal = true -> Qabs (L * vN r - vN w) <= eps * vN s).
    { intros E. rewrite E in HN. apply in_reach_correct in HN.
      setoid_replace (L * vN r - vN w) with (- (vN w + L * - vN r)) by ring. now rewrite Qabs_opp. }
    destruct (Qeq_dec L 0) as [E|E].
    + right. split.
      * intros k Hk Mk. rewrite each_row_correct in HR. specialize (HR k Hk).
        destruct (is_zero (m k)) eqn:Z; [apply is_zero_true in Z; lra|]. destruct (is_zero (vT r k)) eqn:R.
        -- unfold row_each in HR. rewrite Z, R in HR. apply in_reach_correct in HR.
           setoid_replace (vT w k) with (vT w k + L * 0) by ring. assumption.
        -- apply row_each_bounds in HR; [|assumption|assumption]. destruct HR as [H1 H2].
           rewrite at_least_share, at_most_reach in H1 by assumption. rewrite at_least_reach, at_most_share in H2 by assumption.
           rewrite E in H1, H2. apply is_zero_false in R. apply (abs_cancel _ (vT r k)); [assumption|].
           unfold Qdiv in *. apply abs_le. lra.
      * intros N. specialize (A N). rewrite E in A. setoid_replace (0 * vN r - vN w) with (- vN w) in A by ring.
        now rewrite Qabs_opp in A.
    + left. destruct (each_to_slides L) as [m' S]; auto; [lra|]. exists m', L. auto.
Qed.

Lemma slides_complete (along_normal : bool) m' L :
  0 <= L -> slides_at m' L -> normal_reaches along_normal L -> slides along_normal = true.
Proof.
  intros L0 S A. destruct as_one eqn:O; [now apply (slides_to_as_one along_normal m' L)|now apply (slides_to_each along_normal m' L)].
Qed.
End Disc.

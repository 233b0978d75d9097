(** The multipliers with which a disc of a pressed contact can stick or slide for data changed within eps, as an interval
    (book: "Friction cones", the sets S_d and Lambda_d of theorem 2). *)

From Etalon Require Export ConeError Intervals.
From Etalon Require Import BackwardError.

Lemma meets_all_ext l l' cs : l == l' -> meets_all l cs -> meets_all l' cs.
Proof. intros E H c I. rewrite <- E. auto. Qed.

Section Disc.
Variables (as_one : bool) (n : nat) (eps : Q) (m : nat -> Q) (s r w : parts).

(** With one mu the multiplier is [forced] times what the conditions of [ConeSlide] are about. *)
Definition row_forced (k : nat) : list (Q * Q) :=
  if is_zero (m k) then [] else in_reach (vT w k) (vT r k / m k / forced n m r) (eps * vT s k).
Definition conditions : list (Q * Q) :=
  if as_one then each_row n row_forced else each_row n (row_each eps m s r w) ++ sums_each n eps m s r w.

(** Where |r|_d is below what the narrowest cone allows, a disc can only stick. With a mu for each row the conditions
    say so. What rests is never refused by them. *)
Definition multipliers_of : option interval :=
  if as_one && negb (beyond_narrow_cone n eps m r) then if rows_rest n eps m s w then Some (0, Some 0) else None
  else interval_of conditions.

Hypothesis He : 0 <= eps.
Hypothesis Le : eps < 1.
Hypothesis Hm : nonneg n m.
Hypothesis Hs : forall k, (k < n)%nat -> 0 <= vT s k.
Hypothesis P : 0 < vN r.
Hypothesis Free : smooth_free n m r.
Hypothesis Wide : friction_square n m r <= (1 + eps) * (1 + eps) * (vN r * vN r).

(** A multiplier serves where the disc slides with it, or where it is 0 and the disc sticks. *)
Definition serves (L : Q) : Prop :=
  (exists m', slides_at as_one n eps m s r w m' L) \/ (L == 0 /\ all_rest n eps m s w).

(** The decision of [ConeSlide] about one multiplier: a normal row without any freedom asks for L. *)
Definition asked (L : Q) : parts := {| vN := L * vN r; vT := vT w |}.
Definition exactly : parts := {| vN := 0; vT := vT s |}.

Lemma reached L x : normal_reaches eps exactly r (asked L) true x <-> x == L.
Proof.
  unfold normal_reaches, exactly, asked. cbn [vN]. split.
  - intros H. specialize (H eq_refl). apply abs_le in H.
    assert (E : x * vN r == L * vN r) by lra. apply Qmult_inj_r in E; [exact E|lra].
  - intros E _. rewrite E. apply abs_le. lra.
Qed.

Lemma slides_at_ext m' L L' : L == L' -> slides_at as_one n eps m s r w m' L -> slides_at as_one n eps m s r w m' L'.
Proof.
  intros E (N & F & R). split; [exact N|]. split; [exact F|]. intros k Hk Mk. rewrite <- E. exact (R k Hk Mk).
Qed.

Lemma slides_serves L : 0 <= L ->
  (slides as_one n eps m exactly r (asked L) true = true \/ (L == 0 /\ all_rest n eps m s w) <-> serves L).
Proof.
  intros L0. split.
  - intros [H|H]; [|right; exact H].
    apply (slides_sound as_one n eps m exactly r (asked L) He Le Hm Hs P Free Wide) in H.
    destruct H as [(m' & x & X0 & S & R)|[A R]].
    + apply reached in R. left. exists m'. exact (slides_at_ext m' x L R S).
    + right. split; [|exact A]. specialize (R eq_refl). unfold asked, exactly in R. cbn [vN] in R.
      apply abs_le in R. assert (E : L * vN r == 0) by lra. apply Qmult_integral in E. destruct E; lra.
  - intros [[m' S]|H]; [left|right; exact H].
    apply (slides_complete as_one n eps m exactly r (asked L) He Le Hm P Free true m' L); [exact L0|exact S|].
    now apply reached.
Qed.

(** Those decisions, put together, are the conditions. *)
Lemma slides_conditions L : 0 <= L ->
  (slides as_one n eps m exactly r (asked L) true = true <->
   (as_one = true -> beyond_narrow_cone n eps m r = true) /\ meets_all L conditions).
Proof.
  intros L0. pose proof (normal_square r P) as PP. pose proof (narrow eps Le) as NP. unfold slides, conditions.
  destruct as_one.
  - rewrite andb_true_iff, feasible_correct. split.
    + intros (B & l & l0 & H). split; [auto|]. unfold beyond_narrow_cone in B. apply Qle_bool_iff in B.
      assert (F0 : 0 < friction_square n m r) by nra.
      assert (FP : 0 < forced n m r) by (unfold forced; apply Qlt_shift_div_l; lra).
      apply meets_all_app in H. destruct H as [H HN].
      cbn [asked exactly vN] in HN. apply in_reach_correct, abs_le in HN.
      assert (E : l == L / forced n m r).
      { unfold forced. assert (E : L * vN r == l * (friction_square n m r / vN r)) by lra.
        setoid_replace L with (L * vN r / vN r) by (field; lra). rewrite E. field. split; lra. }
      rewrite each_row_correct in H |- *. intros k Hk. specialize (H k Hk). unfold row_as_one in H. unfold row_forced.
      destruct (is_zero (m k)) eqn:Z; [intros c []|]. apply in_reach_correct in H. apply in_reach_correct.
      apply is_zero_false in Z.
      setoid_replace (L * (vT r k / m k / forced n m r)) with (l * (vT r k / m k)) by (rewrite E; field; split; lra).
      exact H.
    + intros [B H]. specialize (B eq_refl). split; [exact B|]. unfold beyond_narrow_cone in B. apply Qle_bool_iff in B.
      assert (F0 : 0 < friction_square n m r) by nra.
      assert (FP : 0 < forced n m r) by (unfold forced; apply Qlt_shift_div_l; lra).
      exists (L / forced n m r). split; [apply Qle_shift_div_l; lra|]. apply meets_all_app. split.
      * rewrite each_row_correct in H |- *. intros k Hk. specialize (H k Hk). unfold row_forced in H. unfold row_as_one.
        destruct (is_zero (m k)) eqn:Z; [intros c []|]. apply in_reach_correct in H. apply in_reach_correct.
        apply is_zero_false in Z. cbn [asked exactly vT].
        setoid_replace (L / forced n m r * (vT r k / m k)) with (L * (vT r k / m k / forced n m r)) by (field; split; lra).
        exact H.
      * cbn [asked exactly vN]. apply in_reach_correct, abs_le.
        setoid_replace (L / forced n m r * - (friction_square n m r / vN r)) with (- (L * vN r))
          by (unfold forced; field; split; lra). lra.
  - rewrite feasible_correct. split.
    + intros (l & l0 & H). split; [discriminate|]. rewrite app_assoc in H. apply meets_all_app in H. destruct H as [H HN].
      cbn [asked exactly vN] in HN. apply in_reach_correct, abs_le in HN.
      apply (meets_all_ext l); [|exact H]. assert (E : l * vN r == L * vN r) by lra. apply Qmult_inj_r in E; [exact E|lra].
    + intros [_ H]. exists L. split; [exact L0|]. rewrite app_assoc. apply meets_all_app. split; [exact H|].
      cbn [asked exactly vN]. apply in_reach_correct, abs_le. lra.
Qed.

(** A disc that rests meets all conditions with L = 0. *)
Lemma rest_meets : all_rest n eps m s w -> meets_all 0 conditions.
Proof.
  intros A.
  assert (row : forall k, (k < n)%nat -> is_zero (m k) = false -> Qabs (vT w k) <= eps * vT s k).
  { intros k Hk Z. apply A; [exact Hk|]. apply is_zero_false in Z. specialize (Hm k Hk). lra. }
  assert (products : forall k, (k < n)%nat -> is_zero (m k) = false ->
    - (eps * vT s k * Qabs (vT r k)) <= vT w k * vT r k /\ vT w k * vT r k <= eps * vT s k * Qabs (vT r k)).
  { intros k Hk Z. apply abs_le. rewrite Qabs_Qmult. apply Qmult_le_compat_r; [auto|apply Qabs_nonneg]. }
  unfold conditions. destruct as_one.
  - apply each_row_correct. intros k Hk. unfold row_forced. destruct (is_zero (m k)) eqn:Z; [intros c []|].
    apply in_reach_correct. setoid_replace (vT w k + 0 * (vT r k / m k / forced n m r)) with (vT w k) by ring. auto.
  - apply meets_all_app. split.
    + apply each_row_correct. intros k Hk. destruct (is_zero (m k)) eqn:Z; [unfold row_each; rewrite Z; intros c []|].
      destruct (is_zero (vT r k)) eqn:R.
      * unfold row_each. rewrite Z, R. apply in_reach_correct. setoid_replace (vT w k + 0 * 0) with (vT w k) by ring. auto.
      * apply row_each_bounds; [exact Z|exact R|]. rewrite at_least_share, at_most_share, at_least_reach,
          at_most_reach by exact Z.
        destruct (products k Hk Z). unfold Qdiv. lra.
    + apply sums_each_correct. split.
      * rewrite (sum_ext n _ (fun _ => 0)); [rewrite sum_zero by reflexivity; lra|]. intros k Hk.
        destruct (is_zero (m k)) eqn:Z; [now destruct (no_share eps m s r w k 0 Z)|].
        destruct (products k Hk Z) as [L U].
        assert (E1 := at_least_share eps m r k 0 Z). assert (E2 := at_least_reach eps m s r w k 0 Z).
        unfold least, larger. destruct (Qle_bool _ _) eqn:B.
        -- apply Qle_bool_iff in B. rewrite E1, E2 in B. rewrite E2. unfold Qdiv in B. lra.
        -- rewrite E1. unfold Qdiv. ring.
      * assert (S : 0 <= sum n (most eps m s r w 0)); [|lra]. apply sum_nonneg. intros k Hk.
        destruct (is_zero (m k)) eqn:Z; [destruct (no_share eps m s r w k 0 Z); lra|].
        destruct (products k Hk Z) as [L U]. unfold most. apply smaller_least.
        rewrite at_most_share, at_most_reach by exact Z. unfold Qdiv. lra.
Qed.

(** The interval holds exactly the multipliers that serve. *)
Theorem multipliers_correct L : 0 <= L -> (in_some L multipliers_of <-> serves L).
Proof.
  intros L0. rewrite <- slides_serves, slides_conditions by exact L0. unfold multipliers_of.
  destruct (as_one && negb (beyond_narrow_cone n eps m r)) eqn:O.
  - apply andb_true_iff in O. destruct O as [O B]. apply negb_true_iff in B. rewrite O, B.
    pose proof (rows_rest_true n eps m s w Hm) as R. destruct (rows_rest n eps m s w).
    + assert (W : in_some L (Some (0, Some 0)) <-> 0 <= L /\ L <= 0) by reflexivity. rewrite W. split.
      * intros [A B0]. right. split; [lra|]. now apply R.
      * intros [[H _]|[H _]]; [specialize (H eq_refl); discriminate|lra].
    + simpl. split; [tauto|]. intros [[H _]|[_ H]]; [specialize (H eq_refl); discriminate|]. apply R in H. discriminate.
  - rewrite interval_of_correct. assert (G : as_one = true -> beyond_narrow_cone n eps m r = true).
    { intros E. rewrite E in O. simpl in O. now apply negb_false_iff in O. }
    split.
    + intros [_ H]. left. split; [exact G|exact H].
    + intros [[_ H]|[Z H]]; (split; [exact L0|]); [exact H|]. apply (meets_all_ext 0); [lra|]. now apply rest_meets.
Qed.

Lemma multipliers_nonneg L : in_some L multipliers_of -> 0 <= L.
Proof.
  unfold multipliers_of. destruct (as_one && negb (beyond_narrow_cone n eps m r)).
  - destruct (rows_rest n eps m s w); [intros [H _]; exact H|simpl; tauto].
  - rewrite interval_of_correct. tauto.
Qed.
End Disc.

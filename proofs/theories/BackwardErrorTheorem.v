(** The closed form of the backward error is right: friction rows, and all rows together. *)

From Etalon Require Export BackwardError.

(** ** Rows whose bounds are those of friction. *)
Section Friction.
Variables (g : weights) (P : problem) (z : nat -> Q) (i : nat) (eps : Q) (l u : bound).
Hypothesis Dom : dominates g P.
Hypothesis Hi : (i < size P)%nat.
Hypothesis He : 0 <= eps.
Hypothesis F : friction_of P i = Some u.
Hypothesis Lo : lo P i = Some l.
Hypothesis Up : up P i = Some u.
Hypothesis C : constant l == 0.
Hypothesis D : constant u == 0.
Hypothesis E : slope l == - slope u.
Hypothesis B : base l = base u.
Hypothesis N : 0 < slope u.
Let x := z i.
Let m := slope u * z (base u).
Hypothesis A : above (lo P i) z x.
Hypothesis A' : below (up P i) z x.

Lemma friction_valid : valid_row P i.
Proof. unfold valid_row. rewrite F. exists l. repeat split; assumption. Qed.

Lemma friction_values : value l z == - m /\ value u z == m.
Proof. unfold value, m. rewrite C, D, E, B. split; lra. Qed.

Lemma friction_between : - m <= x /\ x <= m.
Proof.
  destruct friction_values as [V V']. rewrite Lo in A. rewrite Up in A'. simpl in A, A'. lra.
Qed.

Lemma normal_force : 0 < m -> 0 < z (base u).
Proof. unfold m. intros H. destruct (Qlt_le_dec 0 (z (base u))); [assumption|]. nra. Qed.

(** What is reached at a changed mu. *)
Lemma reached wx mu :
  Qabs (wx - w P z i) <= eps * s g P z i -> Qabs (mu - slope u) <= eps * slope u ->
  - (mu * z (base u)) <= x -> x <= mu * z (base u) ->
  (x == - (mu * z (base u)) \/ wx <= 0) -> (x == mu * z (base u) \/ 0 <= wx) -> reachable g eps P z i.
Proof.
  intros W K H1 H2 H3 H4. exists wx, (friction_bound (- mu) (base u)), (friction_bound mu (base u)).
  split; [assumption|]. split.
  - unfold near_bounds. rewrite F. exists mu. auto.
  - unfold row_ok, friction_bound. simpl. unfold value. simpl. fold x.
    repeat split; [lra|lra| |]; [destruct H3; [left|right]|destruct H4; [left|right]]; lra.
Qed.

Lemma reached_inverse :
  reachable g eps P z i -> exists wx mu,
  - (eps * s g P z i) <= wx - w P z i /\ wx - w P z i <= eps * s g P z i /\
  - (eps * slope u) <= mu - slope u /\ mu - slope u <= eps * slope u /\
  - (mu * z (base u)) <= x /\ x <= mu * z (base u) /\
  (x == - (mu * z (base u)) \/ wx <= 0) /\ (x == mu * z (base u) \/ 0 <= wx).
Proof.
  intros (wx & l' & u' & W & K & R). unfold near_bounds in K. rewrite F in K.
  destruct K as (mu & K & -> & ->). exists wx, mu.
  apply abs_le in W. apply abs_le in K. unfold row_ok, friction_bound in R. simpl in R.
  unfold value in R. simpl in R. fold x in R. destruct R as (R1 & R2 & R3 & R4).
  repeat split; lra.
Qed.

Lemma row_friction : row_eta g P z i <= eps <-> reachable g eps P z i.
Proof.
  pose proof friction_valid as V. pose proof friction_between as [XL XU].
  destruct friction_values as [VL VU].
  pose proof (w_le_s g P z i Dom Hi) as WS. apply abs_le in WS. set (wi := w P z i) in *.
  set (si := s g P z i) in *.
  assert (S0 : 0 <= si) by lra. assert (ES : 0 <= eps * si) by nra.
  assert (stay : row_ok (lo P i) (up P i) z x wi -> reachable g eps P z i) by (now apply reach_stay).
  assert (to_zero : - (eps * si) <= wi -> wi <= eps * si -> reachable g eps P z i).
  { intros. apply reach_zero; auto. apply abs_le. fold wi si. lra. }
  assert (TL : is_at (lo P i) z x = true <-> x == - m).
  { rewrite is_at_true, Lo. simpl. rewrite VL. reflexivity. }
  assert (TU : is_at (up P i) z x = true <-> x == m).
  { rewrite is_at_true, Up. simpl. rewrite VU. reflexivity. }
  assert (ok : (x == - m \/ wi <= 0) -> (x == m \/ 0 <= wi) -> row_ok (lo P i) (up P i) z x wi).
  { intros H1 H2. unfold row_ok. repeat split; auto.
    - rewrite Lo. simpl. rewrite VL. assumption.
    - rewrite Up. simpl. rewrite VU. assumption. }
  unfold row_eta, violation. rewrite F. fold x wi si m.
  destruct (is_at (lo P i) z x) eqn:AL, (is_at (up P i) z x) eqn:AU.
  - (* At both bounds. *)
    simpl. split; [intros _|auto]. apply stay, ok; left; [now apply TL|now apply TU].
  - (* At the lower one. *)
    assert (XM : x == - m) by (now apply TL).
    assert (M0 : 0 < m).
    { destruct (Qlt_le_dec 0 m); [assumption|]. exfalso. assert (T : x == m) by lra. apply TU in T. congruence. }
    destruct (Qle_bool 0 wi) eqn:W; [apply Qle_bool_iff in W|apply Qle_bool_false in W].
    + simpl. split; [intros _|auto]. apply stay, ok; auto.
    + replace (Qeq_bool (- wi) 0) with false by (symmetry; apply not_true_iff_false; rewrite Qeq_bool_iff; lra).
      assert (PW : positive wi = false) by (apply not_true_iff_false; rewrite positive_true; lra).
      assert (XN : Qle_bool 0 x = false) by (apply Qle_bool_false; lra).
      rewrite PW, XN, andb_false_r. simpl. rewrite quotient_le by lra. split.
      * intros H. apply to_zero; lra.
      * intros R. apply reached_inverse in R.
        destruct R as (wx & mu & R1 & R2 & R3 & R4 & R5 & R6 & R7 & [R8|R8]); fold wi si in R1, R2; lra.
  - (* At the upper one. *)
    assert (XM : x == m) by (now apply TU).
    assert (M0 : 0 < m).
    { destruct (Qlt_le_dec 0 m); [assumption|]. exfalso. assert (T : x == - m) by lra. apply TL in T. congruence. }
    destruct (Qle_bool wi 0) eqn:W; [apply Qle_bool_iff in W|apply Qle_bool_false in W].
    + simpl. split; [intros _|auto]. apply stay, ok; auto.
    + replace (Qeq_bool wi 0) with false by (symmetry; apply not_true_iff_false; rewrite Qeq_bool_iff; lra).
      assert (NW : negative wi = false) by (apply not_true_iff_false; rewrite negative_true; lra).
      assert (XN : Qle_bool x 0 = false) by (apply Qle_bool_false; lra).
      rewrite NW, XN, andb_false_r. simpl. rewrite quotient_le by lra. split.
      * intros H. apply to_zero; lra.
      * intros R. apply reached_inverse in R.
        destruct R as (wx & mu & R1 & R2 & R3 & R4 & R5 & R6 & [R7|R7] & R8); fold wi si in R1, R2; lra.
  - (* Between them. *)
    assert (NL : ~ x == - m) by (rewrite <- TL; discriminate).
    assert (NU : ~ x == m) by (rewrite <- TU; discriminate).
    assert (M0 : 0 < m).
    { destruct (Qlt_le_dec 0 m); [assumption|]. exfalso. apply NU. lra. }
    pose proof (normal_force M0) as Z0. set (t := z (base u)) in *.
    assert (M1 : m == slope u * t) by reflexivity.
    assert (M2 : eps * m == eps * slope u * t) by (rewrite M1; ring).
    destruct (Qeq_bool (Qabs wi) 0) eqn:W0.
    { apply Qeq_bool_iff in W0. split; [intros _|auto]. apply to_zero;
        assert (Z : - 0 <= wi /\ wi <= 0) by (apply abs_le; lra); lra. }
    apply Qeq_bool_neq in W0.
    assert (WN : ~ wi == 0) by (intros T; apply W0; rewrite T; reflexivity).
    destruct (Q_dec wi 0) as [[W|W]|W]; [| |contradiction].
    + assert (PW : positive wi = false) by (apply not_true_iff_false; rewrite positive_true; lra).
      assert (NW : negative wi = true) by (now apply negative_true).
      assert (AW : Qabs wi == - wi) by (apply Qabs_neg; lra).
      rewrite PW, NW. cbn [andb]. destruct (Qle_bool 0 x) eqn:X; [apply Qle_bool_iff in X|apply Qle_bool_false in X].
      * rewrite lesser_le, !quotient_le, AW by lra. split.
        -- intros [H|H]; [apply to_zero; lra|].
           assert (T : x / t * t == x) by (field; lra).
           apply (reached wi (x / t)); fold t wi si.
           ++ apply abs_le. lra.
           ++ apply abs_le.
              assert (G : slope u * t - x <= eps * slope u * t) by lra.
              assert (- (x / t - slope u) <= eps * slope u).
              { apply Qmult_le_r with (z := t); [assumption|]. lra. }
              assert (x / t <= slope u).
              { apply Qmult_le_r with (z := t); [assumption|]. lra. }
              assert (0 <= eps * slope u) by nra. lra.
           ++ lra.
           ++ lra.
           ++ right. lra.
           ++ left. lra.
        -- intros R. apply reached_inverse in R.
           destruct R as (wx & mu & R1 & R2 & R3 & R4 & R5 & R6 & R7 & R8); fold wi si in R1, R2; fold t in R5, R6, R7, R8.
           destruct R8 as [R8|R8]; [right|left; lra].
           assert (- (eps * slope u) * t <= (mu - slope u) * t) by nra. lra.
      * rewrite quotient_le, AW by lra. split.
        -- intros H. apply to_zero; lra.
        -- intros R. apply reached_inverse in R.
           destruct R as (wx & mu & R1 & R2 & R3 & R4 & R5 & R6 & R7 & R8); fold wi si in R1, R2; fold t in R5, R6, R7, R8.
           destruct R8 as [R8|R8]; lra.
    + assert (PW : positive wi = true) by (now apply positive_true).
      assert (NW : negative wi = false) by (apply not_true_iff_false; rewrite negative_true; lra).
      assert (AW : Qabs wi == wi) by (apply Qabs_pos; lra).
      rewrite PW, NW. cbn [andb]. destruct (Qle_bool x 0) eqn:X; [apply Qle_bool_iff in X|apply Qle_bool_false in X].
      * rewrite lesser_le, !quotient_le, AW by lra. split.
        -- intros [H|H]; [apply to_zero; lra|].
           assert (T : - x / t * t == - x) by (field; lra).
           apply (reached wi (- x / t)); fold t wi si.
           ++ apply abs_le. lra.
           ++ apply abs_le.
              assert (- (- x / t - slope u) <= eps * slope u).
              { apply Qmult_le_r with (z := t); [assumption|]. lra. }
              assert (- x / t <= slope u).
              { apply Qmult_le_r with (z := t); [assumption|]. lra. }
              assert (0 <= eps * slope u) by nra. lra.
           ++ lra.
           ++ lra.
           ++ left. lra.
           ++ right. lra.
        -- intros R. apply reached_inverse in R.
           destruct R as (wx & mu & R1 & R2 & R3 & R4 & R5 & R6 & R7 & R8); fold wi si in R1, R2; fold t in R5, R6, R7, R8.
           destruct R7 as [R7|R7]; [right|left; lra].
           assert (- (eps * slope u) * t <= (mu - slope u) * t) by nra. lra.
      * rewrite quotient_le, AW by lra. split.
        -- intros H. apply to_zero; lra.
        -- intros R. apply reached_inverse in R.
           destruct R as (wx & mu & R1 & R2 & R3 & R4 & R5 & R6 & R7 & R8); fold wi si in R1, R2; fold t in R5, R6, R7, R8.
           destruct R7 as [R7|R7]; lra.
Qed.
End Friction.

(** ** Any row. *)
Theorem row_theorem g P z i eps :
  dominates g P -> (i < size P)%nat -> 0 <= eps -> valid_row P i -> above (lo P i) z (z i) -> below (up P i) z (z i) ->
  (row_eta g P z i <= eps <-> reachable g eps P z i).
Proof.
  intros Dom Hi He V A B. pose proof V as V'. unfold valid_row in V'.
  destruct (friction_of P i) as [u|] eqn:F.
  - destruct V' as (l & L & C & D & E & K & N).
    assert (U : up P i = Some u).
    { unfold friction_of in F. destruct (up P i) as [c|]; [|discriminate].
      destruct (nonzero (slope c)); congruence. }
    now apply (row_friction g P z i eps l u).
  - rewrite <- row_fixed by assumption. unfold row_eta. rewrite F.
    destruct (Qeq_bool (violation P z i) 0) eqn:E.
    + apply Qeq_bool_iff in E. rewrite E. pose proof (w_le_s g P z i Dom Hi). pose proof (Qabs_nonneg (w P z i)).
      split; intros; nra.
    + apply Qeq_bool_neq in E. rewrite quotient_le; [reflexivity|].
      pose proof (w_le_s g P z i Dom Hi) as S. apply abs_le in S. unfold violation in E.
      destruct (Qlt_le_dec 0 (s g P z i)) as [|L]; [assumption|exfalso]. apply E.
      assert (W : w P z i == 0) by lra.
      destruct (is_at (lo P i) z (z i)), (is_at (up P i) z (z i)).
      * reflexivity.
      * destruct (Qle_bool 0 (w P z i)); lra.
      * destruct (Qle_bool (w P z i) 0); lra.
      * rewrite W. reflexivity.
Qed.

(** ** All rows: each is changed by itself. *)
Lemma finite_choice {T} (t0 : T) n (R : nat -> T -> Prop) :
  (forall i, (i < n)%nat -> exists t, R i t) -> exists f, forall i, (i < n)%nat -> R i (f i).
Proof.
  induction n as [|n IH]; intros H; [exists (fun _ => t0); lia|].
  destruct IH as [f Hf]; [intros; apply H; lia|]. destruct (H n) as [t Ht]; [lia|].
  exists (fun i => if Nat.eqb i n then t else f i). intros i Hi.
  destruct (Nat.eqb_spec i n) as [->|]; [assumption|]. apply Hf. lia.
Qed.

Definition sign (x : Q) : Q := if positive x then 1 else if negative x then -1 else 0.

Lemma sign_abs x : sign x * x == Qabs x /\ Qabs (sign x) <= 1.
Proof.
  unfold sign. destruct (positive x) eqn:P; [|destruct (negative x) eqn:N].
  - apply positive_true in P. rewrite Qabs_pos by lra. split; [lra|discriminate].
  - apply negative_true in N. rewrite Qabs_neg by lra. split; [lra|discriminate].
  - assert (E : x == 0).
    { apply not_true_iff_false in P. apply not_true_iff_false in N.
      rewrite positive_true in P. rewrite negative_true in N. lra. }
    rewrite E. split; [reflexivity|discriminate].
Qed.

(** The perturbation that moves row i by theta s_i. *)
Definition moved (g : weights) (P : problem) z (theta : nat -> Q) (l u : nat -> option bound) : problem :=
  {| size := size P;
     M := fun i j => M P i j + theta i * (of_M g i j * sign (z j));
     q := fun i => q P i + theta i * of_q g i; lo := l; up := u |}.

Lemma moved_w g P z theta l u i : w (moved g P z theta l u) z i == w P z i + theta i * s g P z i.
Proof.
  unfold w, s, mv. simpl.
  rewrite (sum_ext _ _ (fun j => M P i j * z j + theta i * (of_M g i j * Qabs (z j)))).
  - rewrite sum_plus, sum_scale. ring.
  - intros j _. destruct (sign_abs (z j)) as [E _]. rewrite <- E. ring.
Qed.

Lemma abs_scaled t x y : Qabs t <= x -> 0 <= y -> Qabs (t * y) <= x * y.
Proof. intros T Y. rewrite Qabs_Qmult, (Qabs_pos y) by assumption. nra. Qed.

Theorem eta_is_backward_error g P z eps :
  dominates g P -> 0 <= eps -> (forall i, (i < size P)%nat -> valid_row P i) -> in_bounds P z ->
  (eta g P z <= eps <-> exists P', near g eps P P' /\ solves P' z).
Proof.
  intros Dom He V B. unfold eta. rewrite largest_of_le by assumption. split.
  - intros H.
    destruct (finite_choice (0, (None, None)) (size P) (fun i (t : Q * (option bound * option bound)) =>
      Qabs (fst t) <= eps /\ near_bounds eps P i (fst (snd t)) (snd (snd t)) /\
      row_ok (fst (snd t)) (snd (snd t)) z (z i) (w P z i + fst t * s g P z i))) as [f Hf].
    { intros i Hi. destruct (B i Hi) as [B1 B2].
      specialize (H i Hi). apply row_theorem in H; auto. destruct H as (wx & l & u & W & N & R).
      pose proof (w_le_s g P z i Dom Hi) as WS. apply abs_le in WS.
      destruct (Qeq_dec (s g P z i) 0) as [E|E].
      - exists (0, (l, u)). cbn [fst snd]. split; [assumption|]. split; [assumption|].
        destruct R as (R1 & R2 & R3 & R4). rewrite E in W. apply abs_le in W.
        repeat split; auto; [destruct R3|destruct R4]; auto; right; rewrite E; lra.
      - exists ((wx - w P z i) / s g P z i, (l, u)). cbn [fst snd]. assert (S0 : 0 < s g P z i) by lra.
        assert (G : (wx - w P z i) / s g P z i * s g P z i == wx - w P z i) by (field; assumption).
        apply abs_le in W. split; [|split; [assumption|]].
        + apply abs_le. split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; lra.
        + destruct R as (R1 & R2 & R3 & R4).
          repeat split; auto; [destruct R3|destruct R4]; auto; right; rewrite G; lra. }
    exists (moved g P z (fun i => fst (f i)) (fun i => fst (snd (f i))) (fun i => snd (snd (f i)))).
    split; [split; [reflexivity|split; [|split]]|].
    + intros i j Hi Hj. unfold moved. cbn [M]. destruct (Hf i Hi) as [T _].
      setoid_replace (M P i j + fst (f i) * (of_M g i j * sign (z j)) - M P i j)
        with (fst (f i) * sign (z j) * of_M g i j) by ring.
      destruct (Dom i Hi) as [_ DM]. specialize (DM j Hj). pose proof (Qabs_nonneg (M P i j)).
      apply abs_scaled; [|lra]. rewrite Qabs_Qmult.
      destruct (sign_abs (z j)) as [_ S]. pose proof (Qabs_nonneg (fst (f i))).
      pose proof (Qabs_nonneg (sign (z j))). nra.
    + intros i Hi. unfold moved. cbn [q]. destruct (Hf i Hi) as [T _].
      setoid_replace (q P i + fst (f i) * of_q g i - q P i) with (fst (f i) * of_q g i) by ring.
      destruct (Dom i Hi) as [Dq _]. pose proof (Qabs_nonneg (q P i)). apply abs_scaled; [assumption|lra].
    + intros i Hi. now destruct (Hf i Hi) as (_ & N & _).
    + intros i Hi. destruct (Hf i Hi) as (_ & _ & R1 & R2 & R3 & R4). unfold row_solved.
      rewrite moved_w. simpl. auto.
  - intros (P' & (N & NM & Nq & NB) & S) i Hi. destruct (B i Hi) as [B1 B2].
    apply row_theorem; auto. unfold solves in S. rewrite N in S.
    exists (w P' z i), (lo P' i), (up P' i). split; [|split; [auto|]].
    + unfold w, s. rewrite N. unfold mv.
      setoid_replace (sum (size P) (fun j => M P' i j * z j) + q P' i - (sum (size P) (fun j => M P i j * z j) + q P i))
        with (sum (size P) (fun j => (M P' i j - M P i j) * z j) + (q P' i - q P i)).
      * eapply Qle_trans; [apply Qabs_triangle|]. rewrite Qmult_plus_distr_r.
        apply Qplus_le_compat; [|auto].
        eapply Qle_trans; [apply sum_abs|]. rewrite <- sum_scale. apply sum_le. intros j Hj.
        rewrite Qabs_Qmult. specialize (NM i j Hi Hj). pose proof (Qabs_nonneg (z j)). nra.
      * rewrite (sum_ext _ (fun j => (M P' i j - M P i j) * z j) (fun j => M P' i j * z j - M P i j * z j))
          by (intros; ring).
        rewrite sum_minus. ring.
    + destruct (S i Hi) as (S1 & S2 & S3 & S4). repeat split; auto.
Qed.

(** No change of the data by more than their size is ever needed. *)
Theorem eta_at_most_one g P z :
  dominates g P -> (forall i, (i < size P)%nat -> valid_row P i) -> in_bounds P z -> eta g P z <= 1.
Proof.
  intros Dom V B. unfold eta. apply largest_of_le; [lra|]. intros i Hi. destruct (B i Hi) as [B1 B2].
  apply row_theorem; auto; [lra|]. apply reach_zero; auto; [lra|].
  pose proof (w_le_s g P z i Dom Hi). lra.
Qed.

(** The book's error: every entry by its own size. *)
Corollary componentwise_error P z eps :
  0 <= eps -> (forall i, (i < size P)%nat -> valid_row P i) -> in_bounds P z ->
  (eta (own_sizes P) P z <= eps <-> exists P', near (own_sizes P) eps P P' /\ solves P' z).
Proof. intros. apply eta_is_backward_error; auto using own_sizes_dominate. Qed.

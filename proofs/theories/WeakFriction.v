(** Where friction is weak, all solutions under the law of Coulomb have one w (book: "Certificates", section "Weak friction";
    that there is a solution is proved on paper). The tangents' velocities may be irrational in the book's proof, through
    g(u); here they are compared by squares alone. *)

From Etalon Require Export ProductFarkas.
From Etalon Require Import Unique BackwardErrorTheorem.

(** Cauchy and Schwarz for a semidefinite matrix. *)
Lemma semidefinite_schwarz n A x y :
  symmetric n A -> semidefinite n A -> bil n A x y * bil n A x y <= quad n A x * quad n A y.
Proof.
  intros S D. pose proof (D x) as X. pose proof (D y) as Y. destruct (Qeq_dec (quad n A y) 0) as [Z|Z].
  - assert (E : bil n A x y == 0).
    { apply sum_zero. intros i Hi. rewrite (semidefinite_kernel n A y S D) by (lra || assumption). ring. }
    rewrite E, Z. lra.
  - assert (P : 0 < quad n A y) by lra. set (t := - bil n A x y / quad n A y).
    pose proof (D (fun i => x i + t * y i)) as L. rewrite quad_line in L. rewrite (bil_symmetric n A y x S) in L.
    assert (E : t * quad n A y == - bil n A x y) by (unfold t; field; lra).
    assert (0 <= (quad n A x + t * (bil n A x y + bil n A x y) + t * t * quad n A y) * quad n A y) by nra.
    setoid_replace ((quad n A x + t * (bil n A x y + bil n A x y) + t * t * quad n A y) * quad n A y)
      with (quad n A x * quad n A y + 2 * (t * quad n A y) * bil n A x y + t * quad n A y * (t * quad n A y)) in H by ring.
    rewrite E in H. lra.
Qed.

(** The slips of two velocities with lengths g and g' differ by at least g - g'. *)
Lemma slip_difference n m u u' g g' :
  nonneg n m -> 0 <= g -> 0 <= g' -> g * g == slip_square n m u -> g' * g' == slip_square n m u' ->
  (g - g') * (g - g') <= slip_square n m {| vN := 0; vT := fun k => vT u k - vT u' k |}.
Proof.
  intros Hm G G' E E'. set (mu_u := {| vN := 0; vT := fun k => m k * vT u k |}).
  assert (F : friction_square n m mu_u == slip_square n m u).
  { apply sum_ext. intros k Hk. unfold mu_u. cbn [vT]. destruct (Qeq_dec (m k) 0) as [Z|Z].
    - rewrite (div_zero _ _ Z), Z. ring.
    - field. exact Z. }
  assert (R : smooth_free n m mu_u) by (intros k Hk Z; unfold mu_u; cbn [vT]; rewrite Z; ring).
  pose proof (cauchy_schwarz n m mu_u u' Hm R) as C. rewrite F, <- E, <- E' in C.
  assert (P : 0 <= g * g') by nra. destruct (square_le (along n mu_u u') (g * g') P) as [_ Q]; [lra|].
  assert (S : slip_square n m {| vN := 0; vT := fun k => vT u k - vT u' k |}
    == slip_square n m u - 2 * along n mu_u u' + slip_square n m u').
  { unfold slip_square, along, mu_u. rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros k _.
    cbn [vT]. ring. }
  rewrite S, <- E, <- E'. lra.
Qed.

(** ** One contact with two forces and velocities by the law of Coulomb. *)
Section Contact.
Variables (discs : nat) (n : nat -> nat) (m : nat -> nat -> Q).
Hypothesis Hm : product_nonneg discs n m.

Definition slip_of (u : wrench) (d : nat) : Q := slip_square (n d) (m d) (on_disc u d).

(** dr'du is at most a sum of numbers, a disc one, whose squares are at most dr_N^2 times those of the changes of slip. *)
Definition held_by (r u r' u' : wrench) : Prop := exists X : nat -> Q,
  product_dot discs n (less r r') (less u u') <= sum discs X /\
  forall d, (d < discs)%nat -> X d * X d <= nN (less r r') * nN (less r r') * slip_of (less u u') d.

Lemma open_or_pressed r u r' u' L' :
  product_no_force discs n r -> 0 <= nN u -> product_pressed discs n m r' u' L' -> nN u' == 0 -> held_by r u r' u'.
Proof.
  intros [Z T] U [P H] U'. set (a := fun d => along (n d) (on_disc r' d) (on_disc (less u u') d)).
  exists (fun d => Qabs (a d)). split.
  - unfold product_dot, less. cbn [nN]. rewrite Z, U'.
    assert (E : sum discs (fun d => along (n d) (on_disc {| nN := nN r - nN r'; nT := fun e k => nT r e k - nT r' e k |} d)
      (on_disc {| nN := nN u - nN u'; nT := fun e k => nT u e k - nT u' e k |} d)) == - sum discs a).
    { rewrite <- sum_opp. apply sum_ext. intros d Hd. unfold a, along. rewrite <- sum_opp. apply sum_ext. intros k Hk.
      cbn [on_disc vT nT less]. rewrite (T d k Hd Hk). ring. }
    rewrite E. assert (B : - sum discs a <= sum discs (fun d => Qabs (a d))).
    { rewrite <- sum_opp. apply sum_le. intros d _. pose proof (Qle_Qabs (- a d)) as Y. rewrite Qabs_opp in Y. exact Y. }
    nra.
  - intros d Hd. rewrite abs_square. destruct (H d Hd) as (_ & (_ & R & F) & _).
    pose proof (cauchy_schwarz _ _ _ (on_disc (less u u') d) (Hm d Hd) R) as C. fold (a d) in C.
    pose proof (slip_nonneg _ _ (on_disc (less u u') d) (Hm d Hd)) as S0. unfold slip_of. cbn [less nN].
    cbn [on_disc vN] in F.
    setoid_replace ((nN r - nN r') * (nN r - nN r')) with (nN r' * nN r') by (rewrite Z; ring). nra.
Qed.

Lemma both_pressed r u r' u' L L' :
  product_pressed discs n m r u L -> nN u == 0 -> product_pressed discs n m r' u' L' -> nN u' == 0 -> held_by r u r' u'.
Proof.
  intros [P H] U [P' H'] U'. exists (fun d => - (nN r - nN r') * (L d * nN r - L' d * nN r')).
  assert (each : forall d, (d < discs)%nat ->
    along (n d) (on_disc (less r r') d) (on_disc (less u u') d) <= - (nN r - nN r') * (L d * nN r - L' d * nN r') /\
    (L d * nN r - L' d * nN r') * (L d * nN r - L' d * nN r') <= slip_of (less u u') d).
  { intros d Hd. destruct (H d Hd) as (_ & (_ & R & F) & L0 & B & S).
    destruct (H' d Hd) as (_ & (_ & R' & F') & L0' & B' & S').
    cbn [on_disc vN] in F, F', B, B'.
    destruct (slips_sums _ _ _ _ _ (Hm d Hd) R S) as [W E]. destruct (slips_sums _ _ _ _ _ (Hm d Hd) R' S') as [W' E'].
    set (g := L d * nN r). set (g' := L' d * nN r').
    assert (G : 0 <= g) by (unfold g; nra). assert (G' : 0 <= g') by (unfold g'; nra).
    assert (EG : g * g == slip_square (n d) (m d) (on_disc u d)) by (rewrite E; unfold g; destruct B as [B|B];
      rewrite B; ring).
    assert (EG' : g' * g' == slip_square (n d) (m d) (on_disc u' d)) by (rewrite E'; unfold g';
      destruct B' as [B'|B']; rewrite B'; ring).
    split; [|exact (slip_difference (n d) (m d) (on_disc u d) (on_disc u' d) g g' (Hm d Hd) G G' EG EG')].
    assert (A : along (n d) (on_disc (less r r') d) (on_disc (less u u') d)
      == along (n d) (on_disc r d) (on_disc u d) - along (n d) (on_disc r d) (on_disc u' d)
         - along (n d) (on_disc r' d) (on_disc u d) + along (n d) (on_disc r' d) (on_disc u' d)).
    { unfold along. rewrite <- !sum_minus, <- sum_plus. apply sum_ext. intros k _. cbn [on_disc vT less nT]. ring. }
    assert (V : along (n d) (on_disc r d) (on_disc u d) == - g * nN r) by (rewrite W; unfold g; destruct B as [B|B];
      rewrite B; ring).
    assert (V' : along (n d) (on_disc r' d) (on_disc u' d) == - g' * nN r') by (rewrite W'; unfold g';
      destruct B' as [B'|B']; rewrite B'; ring).
    pose proof (cauchy_schwarz _ _ _ (on_disc u' d) (Hm d Hd) R) as C. rewrite <- EG' in C.
    pose proof (cauchy_schwarz _ _ _ (on_disc u d) (Hm d Hd) R') as C'. rewrite <- EG in C'.
    assert (Y : 0 <= nN r * g') by nra. assert (Y' : 0 <= nN r' * g) by nra.
    assert (C1 : - (nN r * g') <= along (n d) (on_disc r d) (on_disc u' d)).
    { apply (square_le _ _ Y). pose proof (square_nonneg g'). nra. }
    assert (C2 : - (nN r' * g) <= along (n d) (on_disc r' d) (on_disc u d)).
    { apply (square_le _ _ Y'). pose proof (square_nonneg g). nra. }
    rewrite A, V, V'. lra. }
  split.
  - unfold product_dot. assert (N : nN (less u u') == 0) by (unfold less; cbn [nN]; lra). rewrite N.
    assert (S : sum discs (fun d => along (n d) (on_disc (less r r') d) (on_disc (less u u') d))
      <= sum discs (fun d => - (nN r - nN r') * (L d * nN r - L' d * nN r'))) by (apply sum_le; intros d Hd; now apply each).
    lra.
  - intros d Hd. destruct (each d Hd) as [_ E]. cbn [less nN]. pose proof (square_nonneg (nN r - nN r')).
    setoid_replace (- (nN r - nN r') * (L d * nN r - L' d * nN r') * (- (nN r - nN r') * (L d * nN r - L' d * nN r')))
      with ((nN r - nN r') * (nN r - nN r') * ((L d * nN r - L' d * nN r') * (L d * nN r - L' d * nN r'))) by ring.
    nra.
Qed.

Lemma held_by_swap r u r' u' : held_by r' u' r u -> held_by r u r' u'.
Proof.
  intros (X & A & B). exists X. split.
  - eapply Qle_trans; [|exact A]. apply Qle_lteq. right. unfold product_dot, along, less. cbn [nN].
    apply Qplus_comp; [ring|]. apply sum_ext. intros d _. apply sum_ext. intros k _. cbn [on_disc vT nT]. ring.
  - intros d Hd. eapply Qle_trans; [exact (B d Hd)|]. apply Qle_lteq. right. unfold slip_of, slip_square, less. cbn [nN].
    apply Qmult_comp; [ring|]. apply sum_ext. intros k _. cbn [on_disc vT nT]. ring.
Qed.

Lemma coulomb_held r u r' u' : product_coulomb discs n m r u -> product_coulomb discs n m r' u' -> held_by r u r' u'.
Proof.
  intros [[F U]|(L & H & U)] [[F' U']|(L' & H' & U')].
  - exists (fun _ => 0). destruct F as [Z T]. destruct F' as [Z' T']. split.
    + unfold product_dot. cbn [less nN]. rewrite Z, Z', !sum_zero; [lra|reflexivity|]. intros d Hd. apply sum_zero.
      intros k Hk.
      cbn [on_disc vT less nT]. rewrite (T d k Hd Hk), (T' d k Hd Hk). ring.
    + intros d Hd. pose proof (slip_nonneg _ _ (on_disc (less u u') d) (Hm d Hd)). unfold slip_of.
      pose proof (square_nonneg (nN (less r r'))). nra.
  - now apply (open_or_pressed r u r' u' L').
  - apply held_by_swap. now apply (open_or_pressed r' u' r u L).
  - now apply (both_pressed r u r' u' L L').
Qed.

(** With a weight h > 0: 2 dr'du is at most h dr_N^2 and the slips times the number of discs over h. *)
Lemma coulomb_weighted h r u r' u' :
  0 < h -> product_coulomb discs n m r u -> product_coulomb discs n m r' u' ->
  2 * product_dot discs n (less r r') (less u u')
  <= h * (nN (less r r') * nN (less r r')) + inject_Z (Z.of_nat discs) / h * sum discs (slip_of (less u u')).
Proof.
  intros Hh C C'. destruct (coulomb_held r u r' u' C C') as (X & A & B). set (N := nN (less r r') * nN (less r r')) in *.
  assert (N0 : 0 <= N) by apply square_nonneg. set (D := inject_Z (Z.of_nat discs)).
  assert (D0 : 0 <= D) by (unfold D; change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
  destruct (Qeq_dec D 0) as [Z|Z].
  - assert (E : discs = 0%nat).
    { assert (F : Z.of_nat discs = 0%Z) by (apply inject_Z_injective; exact Z). lia. }
    rewrite sum_zero in A by (intros d Hd; lia). rewrite (sum_zero discs (slip_of _)) by (intros d Hd; lia).
    assert (0 <= h * N) by nra. lra.
  - assert (DP : 0 < D) by lra.
    assert (S : sum discs (fun d => 2 * X d) <= sum discs (fun d => h / D * N + D / h * slip_of (less u u') d)).
    { apply sum_le. intros d Hd. specialize (B d Hd). set (T := slip_of (less u u') d) in *.
      assert (T0 : 0 <= T) by (apply slip_nonneg; now apply Hm).
      assert (H1 : 0 <= h / D * N) by (apply Qmult_le_0_compat; [apply Qle_shift_div_l; lra|exact N0]).
      assert (H2 : 0 <= D / h * T) by (apply Qmult_le_0_compat; [apply Qle_shift_div_l; lra|exact T0]).
      assert (H3 : h / D * N * (D / h * T) == N * T) by (field; split; lra).
      apply (square_le (2 * X d) (h / D * N + D / h * T)); [lra|].
      pose proof (square_nonneg (h / D * N - D / h * T)). lra. }
    rewrite sum_scale, sum_plus, (sum_scale discs (D / h)) in S.
    assert (E : sum discs (fun _ => h / D * N) == h * N).
    { transitivity (D * (h / D * N)); [|field; lra]. unfold D. clear.
      generalize (h / inject_Z (Z.of_nat discs) * N). intros x. induction discs as [|k IH]; [reflexivity|].
      cbn [sum]. rewrite IH, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. ring. }
    rewrite E in S. lra.
Qed.
End Contact.

(** ** All contacts. *)
Section Problem.
Variables (P : problem) (cs : product_contacts) (h : nat -> Q) (theta : Q).
Let W := M P.

Definition normal_part (x : nat -> Q) : Q :=
  sum (how_many cs) (fun k => h k * (x (its_normal (contact_of cs k)) * x (its_normal (contact_of cs k)))).
Definition tangent_part (x : nat -> Q) : Q :=
  sum (how_many cs) (fun k => let c := contact_of cs k in h k / inject_Z (Z.of_nat (its_discs c)) *
    sum (its_discs c) (fun d => friction_square (its_rows c d) (its_mu2 c d) (on_disc (wrench_at x c) d))).
(** Vectors of tangents with friction. *)
Definition of_tangents (x : nat -> Q) : Prop := forall k, (k < how_many cs)%nat -> let c := contact_of cs k in
  x (its_normal c) == 0 /\
  forall d, (d < its_discs c)%nat -> smooth_free (its_rows c d) (its_mu2 c d) (on_disc (wrench_at x c) d).

Record weak_friction : Prop := {
  all_in_contacts : forall i, (i < size P)%nat -> owner_of cs i <> None;
  all_coulomb : forall k, (k < how_many cs)%nat -> is_associated (contact_of cs k) = false;
  weights_positive : forall k, (k < how_many cs)%nat -> 0 < h k;
  theta_small : 0 <= theta /\ theta < 1;
  w_symmetric : symmetric (size P) W;
  normals_strong : forall x, normal_part x <= quad (size P) W x;
  tangents_weak : forall x, of_tangents x -> quad (size P) W x <= theta * tangent_part x
}.

Theorem weak_friction_unique x y :
  all_owned (size P) cs -> weak_friction -> product_cone_solves P cs x -> product_cone_solves P cs y ->
  same (size P) (w P x) (w P y) /\ (definite (size P) W -> same (size P) x y).
Proof.
  intros O [In Coul Hpos [T0 T1] Sym Strong Weak] X Y. assert (O' := O). destruct O' as [WO _].
  set (e := fun j => x j - y j). set (du := mv (size P) W e).
  assert (Psd : semidefinite (size P) W).
  { intros a. eapply Qle_trans; [|apply Strong]. apply sum_nonneg. intros k Hk. specialize (Hpos k Hk).
    pose proof (square_nonneg (a (its_normal (contact_of cs k)))). nra. }
  set (Qe := quad (size P) W e). assert (Q0 : 0 <= Qe) by apply Psd.
  set (change_of := fun k => let c := contact_of cs k in less (wrench_at (w P x) c) (wrench_at (w P y) c)).
  set (slips := fun k => let c := contact_of cs k in sum (its_discs c) (slip_of (its_rows c) (its_mu2 c) (change_of k))).
  set (size_of := fun k => inject_Z (Z.of_nat (its_discs (contact_of cs k)))).
  set (S := sum (how_many cs) (fun k => size_of k / h k * slips k)).
  (* Twice the form is at most that of the normals and S. *)
  assert (A : 2 * Qe <= normal_part e + S).
  { set (dots := fun k => let c := contact_of cs k in
      product_dot (its_discs c) (its_rows c) (less (wrench_at x c) (wrench_at y c)) (change_of k)).
    assert (B : Qe <= sum (how_many cs) dots)
      by exact (parts_of_difference P cs x y O (fun i Hi E => False_ind _ (In i Hi E)) X Y).
    assert (D : 2 * sum (how_many cs) dots <= normal_part e + S); [|lra].
    unfold normal_part, S. rewrite <- sum_scale, <- sum_plus. apply sum_le. intros k Hk. cbv zeta.
    destruct X as [_ XC]. destruct Y as [_ YC]. specialize (XC k Hk). specialize (YC k Hk). cbv zeta in XC, YC.
    unfold product_law in XC, YC. rewrite (Coul k Hk) in XC, YC.
    exact (coulomb_weighted _ _ _ (its_mu_nonneg _ _ _ _ (WO k Hk)) (h k) _ _ _ _ (Hpos k Hk) XC YC). }
  (* The vector of tangents that gives S. *)
  set (v := fun i => match owner_of cs i with
    | None => 0
    | Some k => let c := contact_of cs k in spread c {| nN := 0;
      nT := fun d j => size_of k / h k * its_mu2 c d j * du (its_row c d j) |} i
    end).
  assert (VN : forall k, (k < how_many cs)%nat -> v (its_normal (contact_of cs k)) == 0).
  { intros k Hk. unfold v. rewrite (its_normal_owned _ _ _ _ (WO k Hk)). unfold spread. cbv zeta.
    rewrite Nat.eqb_refl. reflexivity. }
  assert (VT : forall k d j, (k < how_many cs)%nat -> (d < its_discs (contact_of cs k))%nat -> (j < its_rows
    (contact_of cs k) d)%nat ->
    v (its_row (contact_of cs k) d j) == size_of k / h k * its_mu2 (contact_of cs k) d j * du (its_row (contact_of cs
      k) d j)).
  { intros k d j Hk Hd Hj. unfold v. rewrite (its_row_owned _ _ _ _ (WO k Hk)) by assumption. cbv zeta.
    now rewrite (spread_row (size P) (owner_of cs) (contact_of cs k) k _ d j (WO k Hk) Hd Hj). }
  assert (DU : forall i, w P x i - w P y i == du i) by (intros i; unfold du, e, W; now rewrite w_difference).
  assert (VS : bil (size P) W v e == S).
  { unfold bil. rewrite (split_rows _ cs _ O), sum_zero.
    2:{ intros i Hi. unfold plain_rows. destruct (owner_of cs i) eqn:E; [reflexivity|exfalso; now apply (In i Hi)]. }
    rewrite Qplus_0_l. unfold S. apply sum_ext. intros k Hk. unfold rows_of. rewrite (VN k Hk). unfold slips. cbv zeta.
    rewrite <- sum_scale, Qmult_0_l, Qplus_0_l. apply sum_ext. intros d Hd. unfold slip_of, slip_square. rewrite <- sum_scale.
    apply sum_ext. intros j Hj. rewrite (VT k d j Hk Hd Hj). unfold change_of. cbv zeta. cbn [on_disc less wrench_at vT nT].
    rewrite !DU. unfold du, W. ring. }
  assert (VV : tangent_part v == S).
  { unfold tangent_part, S. apply sum_ext. intros k Hk. unfold slips. cbv zeta. specialize (Hpos k Hk).
    destruct (its_discs (contact_of cs k)) as [|discs] eqn:ED.
    { unfold size_of. rewrite ED. cbn [sum]. ring. }
    assert (NZ : ~ size_of k == 0).
    { unfold size_of. rewrite ED. intros F.
      assert (G : Z.of_nat (Datatypes.S discs) = 0%Z) by (apply inject_Z_injective; exact F). lia. }
    rewrite <- ED. fold (size_of k). rewrite <- !sum_scale. apply sum_ext. intros d Hd.
    unfold slip_of, slip_square, friction_square.
    rewrite <- !sum_scale. apply sum_ext. intros j Hj. unfold change_of. cbv zeta. cbn [on_disc less wrench_at vT nT].
    rewrite !DU, (VT k d j Hk Hd Hj). destruct (Qeq_dec (its_mu2 (contact_of cs k) d j) 0) as [Z|Z].
    - rewrite (div_zero _ _ Z), Z. ring.
    - field. repeat split; (exact Z || exact NZ || lra). }
  assert (OT : of_tangents v).
  { intros k Hk. cbv zeta. split; [now apply VN|]. intros d Hd j Hj Z. cbn [on_disc wrench_at vT nT].
    rewrite (VT k d j Hk Hd Hj), Z. ring. }
  assert (S0 : 0 <= S).
  { apply sum_nonneg. intros k Hk. specialize (Hpos k Hk). apply Qmult_le_0_compat.
    - apply Qle_shift_div_l; [exact Hpos|]. unfold size_of. rewrite Qmult_0_l. change 0 with (inject_Z 0).
      rewrite <- Zle_Qle. lia.
    - apply sum_nonneg. intros d Hd. apply slip_nonneg. now apply (its_mu_nonneg _ _ _ _ (WO k Hk)). }
  (* S^2 = (v'We)^2 <= v'Wv e'We <= theta S e'We. *)
  assert (B : S <= theta * Qe).
  { pose proof (semidefinite_schwarz (size P) W v e Sym Psd) as C. rewrite VS in C. fold Qe in C.
    pose proof (Weak v OT) as D. rewrite VV in D. destruct (Qeq_dec S 0) as [Z|Z]; [rewrite Z; nra|].
    assert (SP : 0 < S) by lra. assert (E : S * S <= theta * Qe * S) by nra. apply (Qmult_le_r _ _ S SP). lra. }
  pose proof (Strong e) as N. fold Qe in N. assert (Zero : Qe <= 0) by nra. split.
  - intros i Hi. pose proof (semidefinite_kernel _ _ _ Sym Psd Zero i Hi) as Z. fold du in Z. pose proof (DU i). lra.
  - intros D i Hi. specialize (D _ Zero i Hi). unfold e in D. cbv beta in D. lra.
Qed.
End Problem.

(** A box of which the modes of contacts and rows and Krawczyk's theorem are checked holds a solution, one in real numbers
    (book: "Certificates", section "A solution is near"). *)

From Etalon Require Export Pressed.
From Etalon Require Import BackwardErrorTheorem.

(** ** What is proved: z is a sequence of fractions that settles, and all laws hold in the limit. *)
Definition row_in_limit (P : problem) (z : nat -> nat -> Q) (i : nat) : Prop :=
  match lo P i with None => True | Some b => not_negative (fun t => z t i - value b (z t)) end /\
  match up P i with None => True | Some b => not_negative (fun t => value b (z t) - z t i) end /\
  (match lo P i with None => False | Some b => null (fun t => z t i - value b (z t)) end \/
    not_negative (fun t => - w P (z t) i)) /\
  (match up P i with None => False | Some b => null (fun t => value b (z t) - z t i) end \/
    not_negative (fun t => w P (z t) i)).

Definition contact_in_limit (P : problem) (c : product_contact) (z : nat -> nat -> Q) : Prop :=
  (if is_associated c then convex_in_limit else coulomb_in_limit) (its_discs c) (its_rows c) (its_mu2 c)
    (fun t => wrench_at (z t) c) (fun t => wrench_at (w P (z t)) c).

Definition real_solution (P : problem) (cs : product_contacts) (z : nat -> nat -> Q) : Prop :=
  (forall i, (i < size P)%nat -> settles (fun t => z t i)) /\
  (forall i, (i < size P)%nat -> owner_of cs i = None -> row_in_limit P z i) /\
  (forall k, (k < how_many cs)%nat -> contact_in_limit P (contact_of cs k) z).

(** Of fractions these are the solutions of the definition. *)
Lemma row_of_fractions P z i : row_in_limit P (fun _ => z) i <-> row_solved P z i.
Proof.
  unfold row_in_limit, row_solved, above, below, at_bound.
  assert (N : forall x y, not_negative (fun _ => x - y) <-> y <= x) by (intros x y; rewrite not_negative_number; lra).
  assert (Z : forall x y, null (fun _ => x - y) <-> x == y) by (intros x y; rewrite null_number; lra).
  assert (A : not_negative (fun _ => - w P z i) <-> w P z i <= 0) by (rewrite not_negative_number; lra).
  rewrite A, (not_negative_number (w P z i)).
  destruct (lo P i) as [l|], (up P i) as [h|]; rewrite ?N, ?Z; try tauto;
    assert (E : value h z == z i <-> z i == value h z) by (split; intros E; now rewrite E); rewrite E; tauto.
Qed.

Theorem real_solution_of_fractions P cs z :
  all_owned (size P) cs ->
  (real_solution P cs (fun _ => z) <-> product_solves P cs (fun k => its_mu2 (contact_of cs k)) z).
Proof.
  intros [WO _]. unfold real_solution, product_solves.
  assert (K : forall k, (k < how_many cs)%nat -> let c := contact_of cs k in
    contact_in_limit P c (fun _ => z) <-> product_law c (its_mu2 c) (wrench_at z c) (wrench_at (w P z) c)).
  { intros k Hk. unfold contact_in_limit, product_law. cbv zeta. pose proof (its_mu_nonneg _ _ _ _ (WO k Hk)).
    destruct (is_associated (contact_of cs k)); [apply convex_limit_of_fractions|now apply coulomb_limit_of_fractions]. }
  split.
  - intros (_ & R & L). split; [intros i Hi O; now apply row_of_fractions, R|]. intros k Hk. now apply K, L.
  - intros [R L]. split; [|split].
    + intros i _ e E. exists 0%nat. intros. setoid_replace (z i - z i) with 0 by ring. change (Qabs 0) with 0. lra.
    + intros i Hi O. now apply row_of_fractions, R.
    + intros k Hk. now apply K, L.
Qed.

(** ** What is checked. *)
Inductive contact_mode :=
| Opens
| Presses (slides : nat -> bool)   (* each disc sticks or slides; by the convex law they stick *)
| SlidesLifted.                    (* the one disc of a contact slides by the convex law *)

Section Enclosure.
Variables (P : problem) (cs : product_contacts).
(** The unknowns, with their equations; entries of z are unknowns or fixed numbers. *)
Variables (n : nat) (c d : nat -> Q) (f : nat -> equation) (C : nat -> nat -> Q).
Variables (unknown : nat -> option nat) (fixed_at : nat -> Q).

Definition z_at (x : nat -> Q) (i : nat) : Q := match unknown i with Some j => x j | None => fixed_at i end.

(** An expression in z that is 0 at the zero, as it is a sum of the equations, each times a number; and what holds in
    all of the box. *)
Definition follows (e : (nat -> Q) -> Q) : Prop :=
  exists by_, forall x, e (z_at x) == sum n (fun l => by_ l * evaluate n c (f l) x).
Definition always (A : (nat -> Q) -> Prop) : Prop := forall x, in_box n c d x -> A (z_at x).

Definition plain_mode (i : nat) : Prop :=
  always (fun z => above (lo P i) z (z i) /\ below (up P i) z (z i)) /\
  (match lo P i with None => False | Some b => follows (fun z => z i - value b z) end \/
    follows (fun z => w P z i) \/ always (fun z => w P z i <= 0)) /\
  (match up P i with None => False | Some b => follows (fun z => value b z - z i) end \/
    follows (fun z => w P z i) \/ always (fun z => 0 <= w P z i)).

Definition circle (k : product_contact) (e : nat) (z : nat -> Q) : Q :=
  force_square (its_rows k) (its_mu2 k) (wrench_at z k) e - z (its_normal k) * z (its_normal k).

Definition disc_sticks (k : product_contact) (e : nat) : Prop :=
  (forall j, (j < its_rows k e)%nat -> 0 < its_mu2 k e j -> follows (fun z => w P z (its_row k e j))) /\
  always (fun z => circle k e z <= 0).

Definition disc_slides (k : product_contact) (e : nat) : Prop :=
  exists p low, (p < its_rows k e)%nat /\ 0 < its_mu2 k e p /\ 0 < low /\
    let p_row := its_row k e p in
    always (fun z => low <= Qabs (z p_row) /\ w P z p_row * z p_row <= 0) /\ follows (circle k e) /\
    forall j, (j < its_rows k e)%nat -> 0 < its_mu2 k e j -> j <> p ->
      follows (fun z => w P z (its_row k e j) * z p_row / its_mu2 k e p - w P z p_row * z (its_row k e j) / its_mu2 k e j).

Definition mode_holds (k : product_contact) (mode : contact_mode) : Prop :=
  (forall e j, (e < its_discs k)%nat -> (j < its_rows k e)%nat -> its_mu2 k e j == 0 -> always (fun z => z (its_row k
    e j) == 0)) /\
  match mode with
  | Opens => always (fun z => product_no_force (its_discs k) (its_rows k) (wrench_at z k) /\
      if is_associated k then product_dual (its_discs k) (its_rows k) (its_mu2 k) (wrench_at (w P z) k)
      else 0 <= w P z (its_normal k))
  | Presses slides => always (fun z => 0 <= z (its_normal k)) /\ follows (fun z => w P z (its_normal k)) /\
      forall e, (e < its_discs k)%nat -> if slides e then is_associated k = false /\ disc_slides k e else disc_sticks k e
  | SlidesLifted => is_associated k = true /\ its_discs k = 1%nat /\ follows (circle k 0) /\
      exists low, 0 < low /\ always (fun z => low <= z (its_normal k) /\ 0 <= w P z (its_normal k)) /\
      forall j, (j < its_rows k 0)%nat -> 0 < its_mu2 k 0 j ->
        follows (fun z => w P z (its_row k 0 j) * z (its_normal k) + w P z (its_normal k) * z (its_row k 0 j) / its_mu2 k 0 j)
  end.

Hypothesis Owned : all_owned (size P) cs.
Hypothesis Unknown : forall i j, unknown i = Some j -> (j < n)%nat.

(** Along points of the box at which the equations tend to 0. *)
Section Sequence.
Variable x : nat -> nat -> Q.
Hypothesis In : forall t, in_box n c d (x t).
Hypothesis Zero : forall l, (l < n)%nat -> null (fun t => evaluate n c (f l) (x t)).
Let z t := z_at (x t).

Lemma follows_null e : follows e -> null (fun t => e (z t)).
Proof.
  intros [b B]. apply (null_ext (fun t => sum n (fun l => b l * evaluate n c (f l) (x t)))); [intros t; now rewrite <- B|].
  apply (null_sum n (fun l t => b l * evaluate n c (f l) (x t))). intros l Hl.
  apply (null_times (fun _ => b l)); [apply bounded_number|now apply Zero].
Qed.

Lemma bounded_z i : bounded (fun t => z t i).
Proof.
  unfold z, z_at. destruct (unknown i) as [j|] eqn:E; [|apply bounded_number]. exists (Qabs (c j) + d j). intros t.
  pose proof (In t j (Unknown i j E)) as H. setoid_replace (x t j) with (c j + (x t j - c j)) by ring.
  eapply Qle_trans; [apply Qabs_triangle|]. lra.
Qed.

Lemma bounded_w i : bounded (fun t => w P (z t) i).
Proof.
  apply (bounded_plus (fun t => mv (size P) (M P) (z t) i) (fun _ => q P i)); [|apply bounded_number].
  apply (bounded_sum (size P) (fun j t => M P i j * z t j)). intros j _.
  apply bounded_times; [apply bounded_number|apply bounded_z].
Qed.

Lemma plain_in_limit i : plain_mode i -> row_in_limit P z i.
Proof.
  intros (A & L & U). unfold row_in_limit.
  assert (A' : forall t, above (lo P i) (z t) (z t i) /\ below (up P i) (z t) (z t i)) by (intros t; exact (A _ (In t))).
  assert (nonpos : follows (fun z => w P z i) \/ always (fun z => w P z i <= 0) -> not_negative (fun t => - w P (z t) i)).
  { intros [H|H]; [apply null_not_negative, null_opp; exact (follows_null (fun z => w P z i) H)|].
    apply never_negative. intros t.
    specialize (H _ (In t)). cbv beta in H. fold (z t) in H. lra. }
  assert (nonneg : follows (fun z => w P z i) \/ always (fun z => 0 <= w P z i) -> not_negative (fun t => w P (z t) i)).
  { intros [H|H]; [apply null_not_negative; exact (follows_null (fun z => w P z i) H)|]. apply never_negative. intros t.
    exact (H _ (In t)). }
  split; [|split; [|split]].
  - destruct (lo P i) as [b|]; [|exact I]. apply never_negative. intros t. destruct (A' t) as [H _]. simpl in H. lra.
  - destruct (up P i) as [b|]; [|exact I]. apply never_negative. intros t. destruct (A' t) as [_ H]. simpl in H. lra.
  - destruct L as [L|L]; [left|right; auto]. destruct (lo P i) as [b|]; [|exact L].
    now apply (follows_null (fun z => z i - value b z)).
  - destruct U as [U|U]; [left|right; auto]. destruct (up P i) as [b|]; [|exact U].
    now apply (follows_null (fun z => value b z - z i)).
Qed.

Variable k : product_contact.
Let r t := wrench_at (z t) k.
Let u t := wrench_at (w P (z t)) k.

Lemma bounded_inverse a low : 0 < low -> (forall t, low <= Qabs (a t)) -> bounded (fun t => / a t).
Proof.
  intros L H. exists (/ low). intros t. specialize (H t). destruct (Qeq_dec (a t) 0) as [E|E].
  { rewrite E in H. change (Qabs 0) with 0 in H. lra. }
  rewrite Qabs_Qinv. assert (0 < Qabs (a t)) by lra.
  setoid_replace (/ Qabs (a t)) with (1 / Qabs (a t)) by (field; lra). setoid_replace (/ low) with (1 / low) by (field; lra).
  apply Qle_shift_div_r; [assumption|]. setoid_replace (1 / low * Qabs (a t)) with (Qabs (a t) / low) by (field; lra).
  apply Qle_shift_div_l; [exact L|]. lra.
Qed.

Lemma null_inside e : follows (circle k e) -> not_negative (fun t => nN (r t) * nN (r t) - force_square (its_rows k)
  (its_mu2 k) (r t) e).
Proof.
  intros H. apply (not_negative_ext (fun t => - circle k e (z t))); [intros t; unfold circle, r; cbn [wrench_at nN]; ring|].
  apply null_not_negative, null_opp. exact (follows_null (circle k e) H).
Qed.

(** A multiplier for each disc. *)
Definition has_multiplier (e : nat) (L : nat -> Q) : Prop :=
  bounded L /\ (forall t, 0 <= L t) /\
  slips_in_limit (its_rows k e) (its_mu2 k e) (fun t => on_disc (r t) e) (fun t => on_disc (u t) e) L /\
  not_negative (fun t => nN (r t) * nN (r t) - force_square (its_rows k) (its_mu2 k) (r t) e).

Lemma sticks_multiplier e : disc_sticks k e -> has_multiplier e (fun _ => 0).
Proof.
  intros [W Cc]. split; [apply bounded_number|]. split; [intros; lra|]. split; [split|].
  - intros j Hj Mj. apply (null_ext (fun t => w P (z t) (its_row k e j))); [intros t; unfold u;
      cbn [on_disc wrench_at vT nT]; ring|].
    apply (follows_null (fun z => w P z (its_row k e j))). now apply W.
  - apply null_zero. intros t. ring.
  - apply never_negative. intros t. pose proof (Cc _ (In t)) as H. cbv beta in H. unfold circle in H. fold (z t) in H.
    unfold r. cbn [wrench_at nN]. cbn [wrench_at] in H. lra.
Qed.

Lemma slides_multiplier e : disc_slides k e -> exists L, has_multiplier e L.
Proof.
  intros (p & low & Hp & Mp & Low & H). cbv zeta in H. set (p_row := its_row k e p) in *. destruct H as (A & Cc & W).
  assert (A' : forall t, low <= Qabs (z t p_row) /\ w P (z t) p_row * z t p_row <= 0) by (intros t; exact (A _ (In t))).
  assert (NZ : forall t, ~ z t p_row == 0).
  { intros t E. destruct (A' t) as [B _]. rewrite E in B. change (Qabs 0) with 0 in B. lra. }
  assert (Inv : bounded (fun t => / z t p_row)) by (apply (bounded_inverse _ low Low); intros t; apply A').
  set (L := fun t => - (w P (z t) p_row * its_mu2 k e p) * / z t p_row).
  assert (BL : bounded L).
  { apply bounded_times; [|exact Inv]. destruct (bounded_times _ _ (bounded_w p_row) (bounded_number (its_mu2 k e p)))
      as [b B].
    exists b. intros t. rewrite Qabs_opp. apply B. }
  exists L. split; [exact BL|]. split; [|split; [split|now apply null_inside]].
  - intros t. unfold L. destruct (A' t) as [_ B]. assert (S : 0 < z t p_row * z t p_row).
    { pose proof (square_nonneg (z t p_row)). destruct (Qeq_dec (z t p_row * z t p_row) 0) as [E|E]; [|lra].
      exfalso. apply (NZ t), square_zero. lra. }
    setoid_replace (- (w P (z t) p_row * its_mu2 k e p) * / z t p_row)
      with (- (w P (z t) p_row * z t p_row) * its_mu2 k e p / (z t p_row * z t p_row)) by (field; apply NZ).
    apply Qle_shift_div_l; [exact S|]. nra.
  - intros j Hj Mj. unfold r, u. cbn [on_disc wrench_at vT nT]. destruct (Nat.eq_dec j p) as [->|Ne].
    + apply null_zero. intros t. unfold L. fold p_row. field. split; [lra|apply NZ].
    + apply (null_ext (fun t => (its_mu2 k e p * / z t p_row) *
        (w P (z t) (its_row k e j) * z t p_row / its_mu2 k e p - w P (z t) p_row * z t (its_row k e j) / its_mu2 k e j))).
      { intros t. unfold L. field. repeat split; try lra. apply NZ. }
      apply null_times; [apply bounded_times; [apply bounded_number|exact Inv]|].
      apply (follows_null (fun z => w P z (its_row k e j) * z p_row / its_mu2 k e p - w P z p_row * z (its_row k e j)
        / its_mu2 k e j)).
      now apply W.
  - apply null_times; [exact BL|]. now apply (follows_null (circle k e)).
Qed.

Lemma contact_limit mode owner number :
  owns_discs (size P) owner k number -> mode_holds k mode -> contact_in_limit P k z.
Proof.
  intros Own [Smooth H]. pose proof (its_mu_nonneg _ _ _ _ Own) as Hm.
  assert (Free : forall t e j, (e < its_discs k)%nat -> (j < its_rows k e)%nat -> its_mu2 k e j == 0 -> nT (r t) e j == 0).
  { intros t e j He Hj E. exact (Smooth e j He Hj E _ (In t)). }
  assert (BN : bounded (fun t => nN (r t)) /\ bounded (fun t => nN (u t))) by (split; [apply bounded_z|apply bounded_w]).
  assert (BT : forall e j, (e < its_discs k)%nat -> (j < its_rows k e)%nat ->
    bounded (fun t => nT (r t) e j) /\ bounded (fun t => nT (u t) e j)) by (intros; split; [apply bounded_z|apply bounded_w]).
  unfold contact_in_limit. fold r u. destruct mode as [|slides|].
  - (* Open: each point of the box obeys the law. *)
    assert (A : forall t, product_law k (its_mu2 k) (r t) (u t)).
    { intros t. pose proof (H _ (In t)) as [F B]. unfold product_law. destruct (is_associated k).
      - apply product_convex_as_written; [exact Hm|]. left. split; [exact F|exact B].
      - left. split; [exact F|exact B]. }
    unfold product_law in A. destruct (is_associated k).
    + assert (B := fun t => A t). split; [split|split].
      * apply never_negative. intros t. apply (B t).
      * intros e He. split.
        -- intros j Hj E. apply null_zero. intros t. now apply Free.
        -- apply never_negative. intros t. destruct (B t) as ([_ K] & _ & _). destruct (K e He) as (_ & _ & F).
           cbn [on_disc vN] in F. unfold force_square. lra.
      * intros e E. exists 0%nat. intros t _. destruct (B t) as (_ & D & _). apply (roots_more _ _ (nN (u t))); [exact D|lra].
      * apply null_zero. intros t. apply (B t).
    + assert (B : forall t, coulomb_equations (its_discs k) (its_rows k) (its_mu2 k) (r t) (u t))
        by (intros t; now apply coulomb_by_equations).
      split; [split|split; [|split]].
      * apply never_negative. intros t. apply (B t).
      * intros e He. split.
        -- intros j Hj E. apply null_zero. intros t. now apply Free.
        -- apply never_negative. intros t. destruct (B t) as (_ & _ & _ & K). apply (K e He).
      * apply never_negative. intros t. apply (B t).
      * apply null_zero. intros t. apply (B t).
      * intros e He. split; [apply never_negative|apply null_zero]; intros t; destruct (B t) as (_ & _ & _ & K);
          apply (K e He).
  - destruct H as (R0 & W & D).
    assert (R0' : forall t, 0 <= nN (r t)) by (intros t; exact (R0 _ (In t))).
    assert (W' : null (fun t => nN (u t))) by exact (follows_null _ W).
    destruct (is_associated k) eqn:Law.
    + assert (M : forall e, (e < its_discs k)%nat -> has_multiplier e (fun _ => 0)).
      { intros e He. specialize (D e He). destruct (slides e); [destruct D; discriminate|now apply sticks_multiplier]. }
      apply (pressed_by_convex _ _ _ _ _ (fun _ _ => 0) Hm BN BT); auto; try (intros e He; apply (M e He)); try (intros; lra).
      apply (null_ext (fun t => nN (u t))); [|exact W']. intros t. rewrite sum_zero by reflexivity. ring.
    + destruct (finite_choice (fun _ => 0) (its_discs k) has_multiplier) as [L HL].
      { intros e He. specialize (D e He). destruct (slides e).
        - apply slides_multiplier. apply D.
        - exists (fun _ => 0). now apply sticks_multiplier. }
      apply (pressed_by_coulomb _ _ _ _ _ L Hm BN BT); auto; intros; now apply HL.
  - destruct H as (Law & One & Cc & low & Low & A & W). rewrite Law.
    assert (A' : forall t, low <= z t (its_normal k) /\ 0 <= w P (z t) (its_normal k)) by (intros t; exact (A _ (In t))).
    assert (Inv : bounded (fun t => / z t (its_normal k))).
    { apply (bounded_inverse _ low Low). intros t. destruct (A' t). pose proof (Qle_Qabs (z t (its_normal k))). lra. }
    set (L := fun t => w P (z t) (its_normal k) * / z t (its_normal k)).
    assert (BL : bounded L) by (apply bounded_times; [apply bounded_w|exact Inv]).
    apply (pressed_by_convex _ _ _ _ _ (fun _ => L) Hm BN BT); auto.
    + intros e t _. unfold L. destruct (A' t) as [R U]. apply Qmult_le_0_compat; [exact U|]. apply Qinv_le_0_compat. lra.
    + intros t. destruct (A' t). unfold r. cbn [wrench_at nN]. lra.
    + intros e He. replace e with 0%nat by lia. now apply null_inside.
    + intros e He. replace e with 0%nat by lia. split.
      * intros j Hj Mj. unfold r, u. cbn [on_disc wrench_at vT nT].
        apply (null_ext (fun t => / z t (its_normal k) *
          (w P (z t) (its_row k 0 j) * z t (its_normal k) + w P (z t) (its_normal k) * z t (its_row k 0 j) / its_mu2 k 0 j))).
        { intros t. unfold L. destruct (A' t). field. split; lra. }
        apply null_times; [exact Inv|].
        apply (follows_null (fun z => w P z (its_row k 0 j) * z (its_normal k) + w P z (its_normal k) * z (its_row k 0
          j) / its_mu2 k 0 j)).
        now apply W.
      * apply null_times; [exact BL|]. now apply (follows_null (circle k 0)).
    + apply null_zero. intros t. rewrite One. cbn [sum]. unfold L, u, r. cbn [wrench_at nN]. destruct (A' t). field. lra.
Qed.
End Sequence.

(** The theorem: where all modes hold and the box is mapped into itself, it holds a solution. *)
Theorem enclosure_sound (modes : nat -> contact_mode) :
  (forall j, (j < n)%nat -> 0 < d j) -> krawczyk n d f C ->
  (forall i, (i < size P)%nat -> owner_of cs i = None -> plain_mode i) ->
  (forall k, (k < how_many cs)%nat -> mode_holds (contact_of cs k) (modes k)) ->
  exists x, (forall t, in_box n c d (x t)) /\ real_solution P cs (fun t => z_at (x t)).
Proof.
  intros Hd K Plain Contacts. destruct (krawczyk_zero n c d Hd f C K) as (x & In & Settles & Zero).
  exists x. split; [exact In|]. split; [|split].
  - intros i Hi. unfold z_at. destruct (unknown i) as [j|] eqn:E; [apply Settles; now apply (Unknown i)|].
    intros e He. exists 0%nat. intros. setoid_replace (fixed_at i - fixed_at i) with 0 by ring. change (Qabs 0) with 0. lra.
  - intros i Hi O. apply plain_in_limit; auto.
  - intros k Hk. destruct Owned as [WO _]. apply (contact_limit x In Zero (contact_of cs k) (modes k) (owner_of cs) k); auto.
Qed.
End Enclosure.

(** Trees that branch on what a contact with several discs does: it is open, or it is pressed, and then each disc sticks or
    slides by itself; and on the side of a line on which the force of a disc is. Where no leaf holds anything, the problem
    has no solution.

    A pressed contact is the sum of its discs: each obeys its law alone, with a share of u_N. So what [ConeCover] asks of a
    contact with one disc is asked of each disc, and the numbers that the discs have in common are divided among them. *)

From Etalon Require Export ConeCover ProductFarkas.
From Etalon Require Import Cover.

(** A disc as a contact by itself, and its part of a velocity, with a share g of u_N. *)
Definition disc_of (c : product_contact) (d : nat) : contact :=
  {| normal := its_normal c; tangents := its_rows c d; tangent := its_row c d; mu2 := its_mu2 c d;
     as_one := is_one c d; is_convex := is_associated c |}.
Definition with_share (u : wrench) (d : nat) (g : Q) : parts := {| vN := g; vT := nT u d |}.

Inductive phase := AnyPhase | IsOpen | IsPressed.
Record contact_knowledge := { phase_of : phase; disc_known : nat -> knowledge }.
Definition nothing_known : contact_knowledge := {| phase_of := AnyPhase; disc_known := fun _ => nothing |}.

Definition sides_hold (c : product_contact) (x : nat -> knowledge) (r : wrench) : Prop :=
  forall d i, (d < its_discs c)%nat -> (i < sides (x d))%nat -> 0 <= dot (its_rows c d) (side (x d) i) (on_disc r d).
Definition in_shares (c : product_contact) (x : nat -> knowledge) (r u : wrench) : Prop :=
  0 < nN r /\ exists g, nN u == sum (its_discs c) g /\ forall d, (d < its_discs c)%nat ->
    law_of (disc_of c d) (its_mu2 c d) (on_disc r d) (with_share u d (g d)) /\
    is_known (disc_of c d) (x d) (on_disc r d) (with_share u d (g d)).
Definition contact_known (c : product_contact) (x : contact_knowledge) (r u : wrench) : Prop :=
  match phase_of x with
  | AnyPhase => sides_hold c (disc_known x) r
  | IsOpen => product_no_force (its_discs c) (its_rows c) r /\ sides_hold c (disc_known x) r
  | IsPressed => in_shares c (disc_known x) r u
  end.

(** Without what is known of modes. *)
Definition sides_alone (x : knowledge) : knowledge := {| mode_of := Anything; sides := sides x; side := side x |}.

(** A contact that obeys its law is open, or each of its discs obeys its own. *)
Lemma phases c x r u :
  product_nonneg (its_discs c) (its_rows c) (its_mu2 c) -> product_law c (its_mu2 c) r u -> sides_hold c x r ->
  product_no_force (its_discs c) (its_rows c) r \/ in_shares c (fun d => sides_alone (x d)) r u.
Proof.
  intros Hm H S.
  assert (E : product_no_force (its_discs c) (its_rows c) r \/ (0 < nN r /\ exists g, nN u == sum (its_discs c) g /\
    forall d, (d < its_discs c)%nat -> law_of (disc_of c d) (its_mu2 c d) (on_disc r d) (with_share u d (g d)))).
  { unfold product_law in H. destruct (is_associated c) eqn:A.
    - apply product_convex_as_written in H; [|exact Hm]. destruct H as [[H _]|(L & [P H] & U)]; [now left|right].
      split; [exact P|]. exists (fun d => L d * nN r). split; [rewrite U; now rewrite sum_scale_right|].
      intros d Hd. unfold law_of, disc_of. cbn [is_convex tangents]. rewrite A.
      apply convex_as_written; [now apply Hm|]. right. exists (L d). split; [exact (H d Hd)|reflexivity].
    - destruct H as [[H _]|(L & [P H] & U)]; [now left|right]. split; [exact P|]. exists (fun _ => 0).
      split; [rewrite U; symmetry; now apply sum_zero|]. intros d Hd. unfold law_of, disc_of. cbn [is_convex tangents].
      rewrite A. right. exists (L d). split; [exact (H d Hd)|reflexivity]. }
  destruct E as [E|(P & g & U & L)]; [now left|right]. split; [exact P|]. exists g. split; [exact U|]. intros d Hd.
  split; [now apply L|]. split; [exact I|]. intros i Hi. exact (S d i Hd Hi).
Qed.

(** ** What is asked for in a leaf. The normal multiplier of forces is divided among the discs. *)
Definition disc_forces (c : product_contact) (x : nat -> knowledge) (extra : nat -> nat -> Q) (part : nat -> Q)
    (left : wrench) : Prop :=
  sum (its_discs c) part <= nN left /\ forall d, (d < its_discs c)%nat ->
    nonneg (sides (x d)) (extra d) /\
    in_dual (its_rows c d) (its_mu2 c d) (mended (x d) (extra d) {| vN := part d; vT := nT left d |}).

Definition product_velocity (c : product_contact) (v : wrench) : Prop :=
  if is_associated c then product_cone (its_discs c) (its_rows c) (its_mu2 c) v
  else 0 <= nN v /\ forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat -> nT v d j == 0.

Definition leaf_signs (c : product_contact) (x : contact_knowledge) (of_force of_velocity : nat -> nat -> Q)
    (part : nat -> Q) (v left : wrench) : Prop :=
  match phase_of x with
  | AnyPhase => product_velocity c v /\ disc_forces c (disc_known x) of_force part left
  | IsOpen => product_velocity c v
  | IsPressed => disc_forces c (disc_known x) of_force part left /\ forall d, (d < its_discs c)%nat ->
      velocity_signs (disc_of c d) (disc_known x d) (of_velocity d) (on_disc v d)
  end.

Lemma product_as_sum c x y g :
  nN y == sum (its_discs c) g ->
  product_dot (its_discs c) (its_rows c) x y
  == sum (its_discs c) (fun d => dot (its_rows c d) (on_disc x d) (with_share y d (g d))).
Proof.
  intros E. unfold product_dot, dot. cbn [on_disc with_share vN]. rewrite E, sum_plus, sum_scale. reflexivity.
Qed.

Lemma forces_nonneg c x extra part left r :
  product_nonneg (its_discs c) (its_rows c) (its_mu2 c) -> product_cone (its_discs c) (its_rows c) (its_mu2 c) r ->
  sides_hold c x r -> disc_forces c x extra part left -> 0 <= product_dot (its_discs c) (its_rows c) left r.
Proof.
  intros Hm K S [Part D]. rewrite product_dot_swap. destruct K as [R0 K].
  assert (A : 0 <= sum (its_discs c)
    (fun d => dot (its_rows c d) (on_disc r d) {| vN := part d; vT := nT left d |})).
  { apply sum_nonneg. intros d Hd. destruct (D d Hd) as [E F].
    apply (mended_nonneg (disc_of c d) (x d) (extra d)); [now apply Hm|exact E|now apply K| |exact F].
    intros i Hi. exact (S d i Hd Hi). }
  unfold dot in A. rewrite sum_plus in A. cbn [on_disc vN] in A. rewrite sum_scale in A. unfold product_dot.
  assert (E : sum (its_discs c) (fun d => along (its_rows c d) (on_disc r d) {| vN := part d; vT := nT left d |})
    == sum (its_discs c) (fun d => along (its_rows c d) (on_disc r d) (on_disc left d))) by reflexivity.
  unfold on_disc in *. rewrite E in A. assert (nN r * sum (its_discs c) part <= nN r * nN left) by nra. lra.
Qed.

Lemma open_velocity c v r u :
  product_nonneg (its_discs c) (its_rows c) (its_mu2 c) -> product_law c (its_mu2 c) r u -> product_velocity c v ->
  0 <= product_dot (its_discs c) (its_rows c) v u.
Proof.
  intros Hm L V. assert (Z : product_signs c v {| nN := 0; nT := fun _ _ => 0 |}).
  { split; [exact V|]. unfold product_dual. cbn [nN]. intros h Hh. assert (S : sum (its_discs c) h == 0); [|lra].
    apply sum_zero. intros d Hd. destruct (Hh d Hd) as [A B].
    assert (E : slip_square (its_rows c d) (its_mu2 c d) (on_disc {| nN := 0; nT := fun _ _ => 0 |} d) == 0).
    { apply sum_zero. intros j _. cbn [on_disc vT nT]. ring. }
    rewrite E in B. nra. }
  pose proof (product_contact_nonneg c v _ r u Hm Z L) as H.
  assert (E : product_dot (its_discs c) (its_rows c) {| nN := 0; nT := fun _ _ => 0 |} r == 0).
  { unfold product_dot. cbn [nN]. rewrite sum_zero; [ring|]. intros d _. apply sum_zero. intros j _. cbn [on_disc vT nT].
    ring. }
  lra.
Qed.

Lemma leaf_nonneg c x of_force of_velocity part v left r u :
  product_nonneg (its_discs c) (its_rows c) (its_mu2 c) -> product_law c (its_mu2 c) r u -> contact_known c x r u ->
  leaf_signs c x of_force of_velocity part v left ->
  0 <= product_dot (its_discs c) (its_rows c) v u + product_dot (its_discs c) (its_rows c) left r.
Proof.
  intros Hm L K S. pose proof (product_law_cone c _ r u L) as RK. unfold contact_known in K. unfold leaf_signs in S.
  destruct (phase_of x).
  - destruct S as [V F]. pose proof (open_velocity c v r u Hm L V). pose proof (forces_nonneg c _ _ _ left r Hm RK K F). lra.
  - pose proof (open_velocity c v r u Hm L S). destruct K as [[N T] _].
    assert (E : product_dot (its_discs c) (its_rows c) left r == 0); [|lra].
    unfold product_dot. rewrite N, sum_zero; [ring|]. intros d Hd. apply sum_zero. intros j Hj. cbn [on_disc vT].
    rewrite T by assumption. ring.
  - destruct S as [F V]. destruct K as (P & g & U & D).
    assert (SH : sides_hold c (disc_known x) r) by (intros d i Hd Hi; destruct (D d Hd) as [_ [_ H]]; exact (H i Hi)).
    pose proof (forces_nonneg c _ _ _ left r Hm RK SH F).
    assert (A : 0 <= product_dot (its_discs c) (its_rows c) v u); [|lra].
    rewrite (product_as_sum c v u g U). apply sum_nonneg. intros d Hd. destruct (D d Hd) as [LD KD].
    exact (velocity_nonneg (disc_of c d) _ _ _ _ _ (Hm d Hd) LD KD (V d Hd)).
Qed.

(** ** Trees. A leaf has a vector, and for each disc of each contact what mends its parts, and its part of the normal
    multiplier. *)
Inductive product_tree :=
| Ends (m : multipliers) (of_force of_velocity : nat -> nat -> nat -> Q) (part : nat -> nat -> Q)
| OnLower (i : nat) (at_bound w_nonpositive : product_tree)          (* z_i = L_i, or w_i <= 0 *)
| OnUpper (i : nat) (at_bound w_nonnegative : product_tree)          (* z_i = U_i, or w_i >= 0 *)
| ByPhase (k : nat) (opens presses : product_tree)
| ByDisc (k d : nat) (sticks slides : product_tree)                  (* of a contact that is pressed *)
| ByDiscSide (k d : nat) (h : nat -> Q) (positive negative : product_tree)
| DiscChord (k d i i' : nat) (a b g : nat -> Q) (t : product_tree).

Definition at_k {A : Type} (known : nat -> A) (k : nat) (x : A) : nat -> A := fun l => if Nat.eqb l k then x else known l.
Definition with_phase (x : phase) (known : nat -> contact_knowledge) (k : nat) : nat -> contact_knowledge :=
  at_k known k {| phase_of := x; disc_known := fun d => sides_alone (disc_known (known k) d) |}.
Definition with_disc (known : nat -> contact_knowledge) (k : nat) (to : nat -> knowledge) : nat -> contact_knowledge :=
  at_k known k {| phase_of := phase_of (known k); disc_known := to |}.

Fixpoint all_closed (P : problem) (cs : product_contacts) (st : state) (known : nat -> contact_knowledge)
    (t : product_tree) : Prop :=
  let disc_mode x k d := with_disc known k (with_mode x (disc_known (known k)) d) in
  let disc_side h k d := with_disc known k (with_side h (disc_known (known k)) d) in
  match t with
  | Ends m of_force of_velocity part =>
      (forall i, (i < size P)%nat -> owner_of cs i = None -> signs (st i) m i = true /\ coefficient P m i == 0) /\
      (forall k, (k < how_many cs)%nat -> let c := contact_of cs k in
        leaf_signs c (known k) (of_force k) (of_velocity k) (part k) (wrench_at (v m) c)
          (wrench_at (fun j => - coefficient P m j) c)) /\
      form_constant P m < 0
  | OnLower i s t => (i < size P)%nat /\ owner_of cs i = None /\
      all_closed P cs (learn st i with_LO) known s /\ all_closed P cs (learn st i with_LE) known t
  | OnUpper i s t => (i < size P)%nat /\ owner_of cs i = None /\
      all_closed P cs (learn st i with_UP) known s /\ all_closed P cs (learn st i with_GE) known t
  | ByPhase k o p => (k < how_many cs)%nat /\ phase_of (known k) = AnyPhase /\
      all_closed P cs st (with_phase IsOpen known k) o /\ all_closed P cs st (with_phase IsPressed known k) p
  | ByDisc k d s l => (k < how_many cs)%nat /\ (d < its_discs (contact_of cs k))%nat /\ phase_of (known k) = IsPressed /\
      all_closed P cs st (disc_mode Sticks k d) s /\ all_closed P cs st (disc_mode Slides k d) l
  | ByDiscSide k d h p n => (k < how_many cs)%nat /\ (d < its_discs (contact_of cs k))%nat /\
      all_closed P cs st (disc_side {| vN := 0; vT := h |} k d) p /\
      all_closed P cs st (disc_side {| vN := 0; vT := fun j => - h j |} k d) n
  | DiscChord k d i i' a b g t => (k < how_many cs)%nat /\ (d < its_discs (contact_of cs k))%nat /\
      phase_of (known k) = IsPressed /\
      chord_holds (disc_of (contact_of cs k) d) (disc_known (known k) d) i i' a b g /\
      all_closed P cs st (disc_side {| vN := -1; vT := g |} k d) t
  end.

(** What is known of z: the facts of plain rows, and of contacts. *)
Definition all_known P cs (st : state) (known : nat -> contact_knowledge) z : Prop :=
  (forall i, (i < size P)%nat -> owner_of cs i = None -> has P (st i) z i) /\
  (forall k, (k < how_many cs)%nat -> let c := contact_of cs k in
    contact_known c (known k) (wrench_at z c) (wrench_at (w P z) c)).

Lemma known_fact P cs st known z i g :
  all_known P cs st known z -> (has P (st i) z i -> has P (g (st i)) z i) -> all_known P cs (learn st i g) known z.
Proof.
  intros [H K] G. split; [|exact K]. intros j Hj O. unfold learn.
  destruct (Nat.eqb_spec j i) as [->|_]; [apply G|]; auto.
Qed.

Lemma known_at P cs st known z k x :
  all_known P cs st known z ->
  (let c := contact_of cs k in contact_known c x (wrench_at z c) (wrench_at (w P z) c)) ->
  all_known P cs st (at_k known k x) z.
Proof.
  intros [H K] G. split; [exact H|]. intros l Hl. unfold at_k. destruct (Nat.eqb_spec l k) as [->|_]; [exact G|now apply K].
Qed.

(** A function of the forces of a disc that is not negative is one more thing that is known. *)
Lemma one_more_side c d x h r u :
  is_known c x r u -> 0 <= dot (tangents c) h r -> is_known c (with_side h (fun _ => x) d d) r u.
Proof.
  intros [M F] H. unfold with_side. rewrite Nat.eqb_refl. split; [exact M|]. intros i Hi. cbn [sides side] in *.
  destruct (Nat.eqb_spec i (sides x)) as [->|N]; [exact H|apply F; lia].
Qed.

Lemma known_side c x d h r u :
  contact_known c x r u -> 0 <= dot (its_rows c d) h (on_disc r d) ->
  contact_known c {| phase_of := phase_of x; disc_known := with_side h (disc_known x) d |} r u.
Proof.
  intros K H. unfold contact_known in *. cbn [phase_of disc_known].
  assert (S : sides_hold c (disc_known x) r -> sides_hold c (with_side h (disc_known x) d) r).
  { intros F e i He Hi. unfold with_side in *. destruct (Nat.eqb_spec e d) as [->|N]; [|now apply F].
    cbn [sides side] in *. destruct (Nat.eqb_spec i (sides (disc_known x d))) as [->|N]; [exact H|apply F; [exact He|lia]]. }
  destruct (phase_of x); [now apply S|destruct K as [A B]; split; [exact A|now apply S]|].
  destruct K as (P & g & U & D). split; [exact P|]. exists g. split; [exact U|]. intros e He. destruct (D e He) as [L F].
  split; [exact L|]. unfold with_side. destruct (Nat.eqb_spec e d) as [->|N]; [|exact F].
  pose proof (one_more_side _ d _ h _ _ F H) as Y. unfold with_side in Y. rewrite Nat.eqb_refl in Y. exact Y.
Qed.

Lemma all_closed_sound P cs t z :
  well_formed P -> all_owned (size P) cs ->
  (forall i k, owner_of cs i = Some k -> lo P i = None /\ up P i = None) -> product_cone_solves P cs z ->
  forall st known, all_known P cs st known z -> ~ all_closed P cs st known t.
Proof.
  intros W O B [ZP ZC]. assert (O' := O). destruct O' as [WO _].
  assert (Hm : forall k, (k < how_many cs)%nat -> let c := contact_of cs k in
    product_nonneg (its_discs c) (its_rows c) (its_mu2 c)) by (intros k Hk; exact (its_mu_nonneg _ _ _ _ (WO k Hk))).
  induction t as [m of_force of_velocity part|i s IHs t IHt|i s IHs t IHt|k o IHo p IHp|k d s IHs l IHl|k d h p IHp n IHn|
    k d i i' a b g t IHt]; intros st known K C; simpl in C.
  - destruct C as (HP & HC & Neg). destruct K as [KP KC]. assert (C : 0 <= form_constant P m); [|lra].
    apply (product_form_not_negative P cs m z W O B).
    + intros i Hi E. destruct (HP i Hi E) as [S C]. split; [|exact C]. apply (term_nonneg P (st i)); auto.
    + intros k Hk. exact (leaf_nonneg _ _ _ _ _ _ _ _ _ (Hm k Hk) (ZC k Hk) (KC k Hk) (HC k Hk)).
  - destruct C as (Hi & N & A & C). destruct (ZP i Hi N) as (_ & _ & [D|D] & _).
    + apply (IHs (learn st i with_LO) known); [|assumption]. apply known_fact; [assumption|]. unfold has; simpl. tauto.
    + apply (IHt (learn st i with_LE) known); [|assumption]. apply known_fact; [assumption|]. unfold has; simpl. tauto.
  - destruct C as (Hi & N & A & C). destruct (ZP i Hi N) as (_ & _ & _ & [D|D]).
    + apply (IHs (learn st i with_UP) known); [|assumption]. apply known_fact; [assumption|]. unfold has; simpl. tauto.
    + apply (IHt (learn st i with_GE) known); [|assumption]. apply known_fact; [assumption|]. unfold has; simpl. tauto.
  - destruct C as (Hk & Any & A & C). destruct K as [KP KC]. pose proof (KC k Hk) as KK. cbv zeta in KK.
    unfold contact_known in KK. rewrite Any in KK. pose proof (phases _ _ _ _ (Hm k Hk) (ZC k Hk) KK) as [F|F].
    + apply (IHo st (with_phase IsOpen known k)); [|exact A]. apply known_at; [now split|]. split; [exact F|exact KK].
    + apply (IHp st (with_phase IsPressed known k)); [|exact C]. apply known_at; [now split|exact F].
  - destruct C as (Hk & Hd & Pr & A & C). destruct K as [KP KC]. pose proof (KC k Hk) as KK. cbv zeta in KK.
    unfold contact_known in KK. rewrite Pr in KK. destruct KK as (R0 & g & U & D).
    (* The mode of disc d; the others stay as they were. *)
    assert (Y : forall x, in_mode (disc_of (contact_of cs k) d) x (on_disc (wrench_at z (contact_of cs k)) d)
        (with_share (wrench_at (w P z) (contact_of cs k)) d (g d)) ->
      all_known P cs st (with_disc known k (with_mode x (disc_known (known k)) d)) z).
    { intros x Mx. apply known_at; [now split|]. cbv zeta. unfold contact_known. cbn [phase_of disc_known]. rewrite Pr.
      split; [exact R0|]. exists g. split; [exact U|]. intros e He. destruct (D e He) as [L F]. split; [exact L|].
      unfold with_mode. destruct (Nat.eqb_spec e d) as [->|_]; [|exact F]. split; [exact Mx|apply F]. }
    destruct (D d Hd) as [L _]. destruct (modes (disc_of (contact_of cs k) d) _ _ (Hm k Hk d Hd) L) as [M|[M|M]].
    + destruct M as [M _]. cbn [on_disc vN] in M. lra.
    + exact (IHs _ _ (Y Sticks M) A).
    + exact (IHl _ _ (Y Slides M) C).
  - destruct C as (Hk & Hd & A & C). set (c := contact_of cs k). pose proof (proj2 K k Hk) as KK. cbv zeta in KK.
    destruct (Qlt_le_dec (sum (its_rows c d) (fun j => h j * z (its_row c d j))) 0) as [L|L].
    + refine (IHn st _ _ C). apply known_at; [exact K|]. apply known_side; [exact KK|]. fold c.
      unfold dot, along, wrench_at. cbn [on_disc vN vT nN nT].
      rewrite (sum_ext _ _ (fun j => - (h j * z (its_row c d j)))) by (intros; ring). rewrite sum_opp. lra.
    + refine (IHp st _ _ A). apply known_at; [exact K|]. apply known_side; [exact KK|]. fold c.
      unfold dot, along, wrench_at. cbn [on_disc vN vT nN nT]. lra.
  - destruct C as (Hk & Hd & Pr & A & C). refine (IHt st _ _ C). apply known_at; [exact K|].
    pose proof (proj2 K k Hk) as KK. cbv zeta in *. apply known_side; [exact KK|]. unfold contact_known in KK.
    rewrite Pr in KK. destruct KK as (_ & g' & _ & D). destruct (D d Hd) as [L F].
    pose proof (law_cone (disc_of (contact_of cs k) d) _ _ _ L) as RK.
    exact (chord_sound (disc_of (contact_of cs k) d) _ _ _ _ _ _ _ _ (Hm k Hk d Hd) RK F A).
Qed.

(** Nobody is in a leaf: the problem has no solution. *)
Theorem product_cover_sound P cs t z :
  well_formed P -> all_owned (size P) cs ->
  (forall i k, owner_of cs i = Some k -> lo P i = None /\ up P i = None) ->
  all_closed P cs (start P) (fun _ => nothing_known) t -> ~ product_cone_solves P cs z.
Proof.
  intros W O B C Z. apply (all_closed_sound P cs t z W O B Z (start P) (fun _ => nothing_known)); [|assumption].
  destruct Z as [ZP _]. split.
  - intros i Hi E. apply plain_start. auto.
  - intros k Hk. cbv zeta. intros d i Hd Hi. simpl in Hi. lia.
Qed.

(** Trees that branch on what a contact does: it is open, it sticks, or it slides; and on the side of a line on which
    its tangential force is, so that a few such facts are a sector (book: "Certificates", section "No solution: modes and
    sectors"). Where no leaf holds anything, the problem has no solution. *)

From Etalon Require Export ConeFarkas.
From Etalon Require Import Cover.

Inductive mode := Anything | Open | Sticks | Slides.

(** What a leaf knows of a contact: its mode, and linear functions h'r of its forces that are not negative. *)
Record knowledge := { mode_of : mode; sides : nat; side : nat -> parts }.
Definition nothing : knowledge := {| mode_of := Anything; sides := 0; side := fun _ => {| vN := 0; vT := fun _ => 0 |} |}.

Definition in_mode (c : contact) (x : mode) (r u : parts) : Prop :=
  match x with
  | Anything => True
  | Open => no_force (tangents c) r
  | Sticks => vN u == 0 /\ forall j, (j < tangents c)%nat -> 0 < mu2 c j -> vT u j == 0
  | Slides => friction_square (tangents c) (mu2 c) r == vN r * vN r /\
      exists L, 0 <= L /\ slips (tangents c) (mu2 c) r u L /\ vN u == if is_convex c then L * vN r else 0
  end.
Definition is_known (c : contact) (x : knowledge) (r u : parts) : Prop :=
  in_mode c (mode_of x) r u /\
  forall i, (i < sides x)%nat -> 0 <= dot (tangents c) (side x i) r.

(** A contact that obeys its law is open, sticks or slides. *)
Lemma modes c r u :
  nonneg (tangents c) (mu2 c) -> law_of c (mu2 c) r u ->
  in_mode c Open r u \/ in_mode c Sticks r u \/ in_mode c Slides r u.
Proof.
  intros Hm H. assert (E : no_force (tangents c) r \/ exists L, pressed (tangents c) (mu2 c) r u L /\
    vN u == if is_convex c then L * vN r else 0).
  { unfold law_of in H. destruct (is_convex c).
    - apply convex_as_written in H; [|assumption]. destruct H as [[R _]|H]; auto.
    - destruct H as [[R _]|H]; auto. }
  destruct E as [R|(L & (_ & _ & L0 & [B|B] & S) & U)]; [now left|right; right; split; eauto|right; left].
  split.
  - rewrite U. destruct (is_convex c); [rewrite B; ring|reflexivity].
  - intros j Hj Mj. rewrite (S j Hj Mj), B. unfold Qdiv. ring.
Qed.

(** ** What is asked for in a leaf, of the multipliers v of velocities and of c, which is left of the coefficients
    with its sign turned. A vector may be mended by multiples [extra] of what is known of the sides of forces. *)
Definition of_sides (x : knowledge) (extra : nat -> Q) : parts :=
  {| vN := sum (sides x) (fun i => extra i * vN (side x i));
     vT := fun j => sum (sides x) (fun i => extra i * vT (side x i) j) |}.
Definition mended (x : knowledge) (extra : nat -> Q) (y : parts) : parts :=
  {| vN := vN y - vN (of_sides x extra); vT := fun j => vT y j - vT (of_sides x extra) j |}.

Definition force_signs (c : contact) (x : knowledge) (extra : nat -> Q) (left : parts) : Prop :=
  match mode_of x with
  | Open => True
  | _ => nonneg (sides x) extra /\ in_dual (tangents c) (mu2 c) (mended x extra left)
  end.

(** The slip - L r_k / mu_k^2 turns v_k into - v_k / mu_k^2 on r_k. *)
Definition turned (c : contact) (v : parts) : parts := {| vN := vN v; vT := fun j => - vT v j / mu2 c j |}.

Definition velocity_signs (c : contact) (x : knowledge) (extra : nat -> Q) (v : parts) : Prop :=
  let n := tangents c in
  let smooth := forall j, (j < n)%nat -> mu2 c j == 0 -> vT v j == 0 in
  match mode_of x with
  | Sticks => smooth
  | Slides => smooth /\ nonneg (sides x) extra /\
      if is_convex c then in_dual n (mu2 c) (mended x extra (turned c v))
      else vN (of_sides x extra) <= 0 /\
        forall j, (j < n)%nat -> - vT v j / mu2 c j == vT (of_sides x extra) j
  | _ => if is_convex c then in_cone n (mu2 c) v else 0 <= vN v /\ forall j, (j < n)%nat -> vT v j == 0
  end.

Lemma sides_nonneg c x extra r :
  nonneg (sides x) extra -> (forall i, (i < sides x)%nat -> 0 <= dot (tangents c) (side x i) r) ->
  0 <= dot (tangents c) r (of_sides x extra).
Proof.
  intros E S. assert (H : 0 <= sum (sides x) (fun i => extra i * dot (tangents c) (side x i) r)).
  { apply sum_nonneg. intros i Hi. specialize (E i Hi). specialize (S i Hi). nra. }
  unfold dot, along, of_sides in *. cbn [vN vT].
  rewrite (sum_ext (tangents c) (fun k => vT r k * sum (sides x) (fun i => extra i * vT (side x i) k))
    (fun k => sum (sides x) (fun i => vT r k * (extra i * vT (side x i) k)))) by (intros; now rewrite sum_scale).
  rewrite sum_swap, <- sum_scale, <- sum_plus.
  rewrite (sum_ext (sides x) _
    (fun i => extra i * (vN (side x i) * vN r + sum (tangents c) (fun k => vT (side x i) k * vT r k)))).
  - exact H.
  - intros i _. rewrite (sum_ext _ (fun j => vT r j * (extra i * vT (side x i) j))
      (fun j => extra i * (vT (side x i) j * vT r j))) by (intros; ring). rewrite sum_scale. ring.
Qed.

Lemma dot_mended n x extra y r : dot n r (mended x extra y) == dot n r y - dot n r (of_sides x extra).
Proof.
  unfold dot, along, mended. cbn [vN vT].
  rewrite (sum_ext _ (fun k => vT r k * (vT y k - vT (of_sides x extra) k))
    (fun k => vT r k * vT y k - vT r k * vT (of_sides x extra) k)) by (intros; ring).
  rewrite sum_minus. ring.
Qed.

Lemma mended_nonneg c x extra y r :
  nonneg (tangents c) (mu2 c) -> nonneg (sides x) extra -> in_cone (tangents c) (mu2 c) r ->
  (forall i, (i < sides x)%nat -> 0 <= dot (tangents c) (side x i) r) ->
  in_dual (tangents c) (mu2 c) (mended x extra y) -> 0 <= dot (tangents c) r y.
Proof.
  intros Hm E K S D. pose proof (dual_nonneg _ _ _ _ Hm K D) as H. rewrite dot_mended in H.
  pose proof (sides_nonneg c x extra r E S). lra.
Qed.

Lemma force_nonneg c x extra left r u :
  nonneg (tangents c) (mu2 c) -> law_of c (mu2 c) r u -> is_known c x r u -> force_signs c x extra left ->
  0 <= dot (tangents c) left r.
Proof.
  intros Hm L [M S] F. pose proof (law_cone c _ r u L) as K. rewrite dot_swap. unfold force_signs in F.
  assert (G : nonneg (sides x) extra /\ in_dual (tangents c) (mu2 c) (mended x extra left) ->
    0 <= dot (tangents c) r left) by (intros [E D]; now apply (mended_nonneg c x extra)).
  destruct (mode_of x); auto. simpl in M. destruct (no_force_sums _ (mu2 c) r M) as [A _]. destruct M as [N _].
  unfold dot. rewrite A, N. lra.
Qed.

Lemma velocity_nonneg c x extra v r u :
  nonneg (tangents c) (mu2 c) -> law_of c (mu2 c) r u -> is_known c x r u -> velocity_signs c x extra v ->
  0 <= dot (tangents c) v u.
Proof.
  intros Hm L [M S] F. pose proof (law_cone c _ r u L) as K. unfold velocity_signs in F. cbv zeta in F.
  assert (G : (if is_convex c then in_cone (tangents c) (mu2 c) v
      else 0 <= vN v /\ forall j, (j < tangents c)%nat -> vT v j == 0) -> 0 <= dot (tangents c) v u).
  { unfold law_of in L. destruct (is_convex c).
    - intros V. destruct L as (_ & U & _). now apply (dual_nonneg _ (mu2 c)).
    - intros [A B]. unfold dot, along. rewrite sum_zero by (intros j Hj; rewrite B by assumption; ring).
      assert (0 <= vN u) by (destruct L as [(_ & H)|(_ & _ & H)]; lra). nra. }
  destruct (mode_of x); auto; simpl in M.
  - destruct M as [N T]. unfold dot, along. rewrite N, sum_zero; [lra|]. intros j Hj.
    destruct (Qeq_dec (mu2 c j) 0) as [E|E]; [rewrite F by assumption; ring|].
    specialize (Hm j Hj). rewrite T by (auto; lra). ring.
  - destruct M as (_ & l & l0 & T & N). destruct F as (Z & E & D).
    (* v'u is L times the product of the turned v and r, but for v_N by the law of Coulomb. *)
    assert (A : along (tangents c) v u == l * along (tangents c) r (turned c v)).
    { unfold along, turned. cbn [vT]. rewrite <- sum_scale. apply sum_ext. intros j Hj. specialize (Hm j Hj).
      destruct (Qeq_dec (mu2 c j) 0) as [Y|Y].
      - rewrite (Z j Hj Y). unfold Qdiv. ring.
      - rewrite (T j Hj) by lra. field. assumption. }
    unfold dot. rewrite A, N. destruct (is_convex c).
    + pose proof (mended_nonneg c x extra (turned c v) r Hm E K S D) as H. unfold dot in H.
      change (vN (turned c v)) with (vN v) in H.
      assert (0 <= l * (vN r * vN v + along (tangents c) r (turned c v))) by nra. lra.
    + destruct D as [DN D]. destruct K as (R0 & _). pose proof (sides_nonneg c x extra r E S) as Y. unfold dot in Y.
      assert (H : along (tangents c) r (turned c v) == along (tangents c) r (of_sides x extra)).
      { apply sum_ext. intros j Hj. unfold turned. cbn [vT]. now rewrite (D j Hj). }
      assert (0 <= along (tangents c) r (turned c v)) by (rewrite H; nra). nra.
Qed.

(** ** Trees. A leaf has a vector, and for each contact what mends its parts. *)
Inductive cone_tree :=
| Leaf (m : multipliers) (of_force of_velocity : nat -> nat -> Q)
| AtLower (i : nat) (at_bound w_nonpositive : cone_tree)   (* z_i = L_i, or w_i <= 0 *)
| AtUpper (i : nat) (at_bound w_nonnegative : cone_tree)   (* z_i = U_i, or w_i >= 0 *)
| ByMode (k : nat) (opens sticks slides : cone_tree)
| BySide (k : nat) (h : nat -> Q) (positive negative : cone_tree)    (* h'r >= 0, or h'r <= 0, of contact k *)
| Chord (k i i' : nat) (a b g : nat -> Q) (t : cone_tree).           (* r = (i) a + (i') b is a sector; g'r >= r_N *)

Definition with_mode (x : mode) (known : nat -> knowledge) (k : nat) : nat -> knowledge :=
  fun l => if Nat.eqb l k then {| mode_of := x; sides := sides (known l); side := side (known l) |} else known l.
Definition with_side (h : parts) (known : nat -> knowledge) (k : nat) : nat -> knowledge :=
  fun l => if Nat.eqb l k
    then {| mode_of := mode_of (known l); sides := S (sides (known l));
            side := fun i => if Nat.eqb i (sides (known l)) then h else side (known l) i |}
    else known l.

(** A sector of vectors alpha a + beta b, where alpha and beta are two functions that are known not to be negative.
    On the boundary of the cone r_N is at most g'r there, if that is so at a and at b. *)
Definition chord_holds (c : contact) (x : knowledge) (i i' : nat) (a b g : nat -> Q) : Prop :=
  let n := tangents c in
  let as_force (y : nat -> Q) := {| vN := 0; vT := y |} in
  let product y := along n (as_force g) (as_force y) in
  mode_of x = Slides /\ (i < sides x)%nat /\ (i' < sides x)%nat /\ vN (side x i) == 0 /\ vN (side x i') == 0 /\
  (forall j, (j < n)%nat -> 0 < mu2 c j) /\
  (forall j l, (j < n)%nat -> (l < n)%nat -> a j * vT (side x i) l + b j * vT (side x i') l == unit j l) /\
  0 <= product a /\ friction_square n (mu2 c) (as_force a) <= product a * product a /\
  0 <= product b /\ friction_square n (mu2 c) (as_force b) <= product b * product b.

Fixpoint closed (P : problem) (cs : contacts) (st : state) (known : nat -> knowledge) (t : cone_tree) : Prop :=
  match t with
  | Leaf m of_force of_velocity =>
      (forall i, (i < size P)%nat -> owner cs i = None -> signs (st i) m i = true /\ coefficient P m i == 0) /\
      (forall k, (k < count cs)%nat -> let c := contact_at cs k in
        force_signs c (known k) (of_force k) (at_contact (fun j => - coefficient P m j) c) /\
        velocity_signs c (known k) (of_velocity k) (at_contact (v m) c)) /\
      form_constant P m < 0
  | AtLower i s t => owner cs i = None /\
      closed P cs (learn st i with_LO) known s /\ closed P cs (learn st i with_LE) known t
  | AtUpper i s t => owner cs i = None /\
      closed P cs (learn st i with_UP) known s /\ closed P cs (learn st i with_GE) known t
  | ByMode k o s l => closed P cs st (with_mode Open known k) o /\ closed P cs st (with_mode Sticks known k) s /\
      closed P cs st (with_mode Slides known k) l
  | BySide k h p n => closed P cs st (with_side {| vN := 0; vT := h |} known k) p /\
      closed P cs st (with_side {| vN := 0; vT := fun j => - h j |} known k) n
  | Chord k i i' a b g t =>
      (k < count cs)%nat /\ chord_holds (contact_at cs k) (known k) i i' a b g /\
      closed P cs st (with_side {| vN := -1; vT := g |} known k) t
  end.

(** What is known of z: the facts of plain rows, and of contacts. *)
Definition knows P cs (st : state) (known : nat -> knowledge) z : Prop :=
  (forall i, (i < size P)%nat -> owner cs i = None -> has P (st i) z i) /\
  (forall k, (k < count cs)%nat -> let c := contact_at cs k in
    is_known c (known k) (at_contact z c) (at_contact (w P z) c)).

Lemma knows_fact P cs st known z i g :
  knows P cs st known z -> (has P (st i) z i -> has P (g (st i)) z i) -> knows P cs (learn st i g) known z.
Proof.
  intros [H K] G. split; [|exact K]. intros j Hj O. unfold learn.
  destruct (Nat.eqb_spec j i) as [->|_]; [apply G|]; auto.
Qed.

Lemma knows_mode P cs st known z k x :
  knows P cs st known z ->
  ((k < count cs)%nat -> let c := contact_at cs k in in_mode c x (at_contact z c) (at_contact (w P z) c)) ->
  knows P cs st (with_mode x known k) z.
Proof.
  intros [H K] G. split; [exact H|]. intros l Hl. cbv zeta. unfold with_mode.
  destruct (Nat.eqb_spec l k) as [->|_]; [|now apply K]. split; [now apply G|]. apply (K k Hl).
Qed.

Lemma knows_side P cs st known z k h :
  knows P cs st known z ->
  ((k < count cs)%nat -> 0 <= dot (tangents (contact_at cs k)) h (at_contact z (contact_at cs k))) ->
  knows P cs st (with_side h known k) z.
Proof.
  intros [H K] G. split; [exact H|]. intros l Hl. cbv zeta. unfold with_side.
  destruct (Nat.eqb_spec l k) as [->|_]; [|now apply K]. destruct (K k Hl) as [M F]. split; [exact M|].
  intros i Hi. cbn [sides side] in *. destruct (Nat.eqb_spec i (sides (known k))) as [->|N]; [now apply G|apply F; lia].
Qed.

(** The triangle inequality, in squares. *)
Lemma chord_sound c x i i' a b g r u :
  nonneg (tangents c) (mu2 c) -> in_cone (tangents c) (mu2 c) r -> is_known c x r u -> chord_holds c x i i' a b g ->
  0 <= dot (tangents c) {| vN := -1; vT := g |} r.
Proof.
  intros Hm (R0 & _) [M S] (Mo & Hi & Hi' & NI & NI' & Rough & Basis & PA & A & PB & B). rewrite Mo in M.
  destruct M as [F _]. pose proof (S i Hi) as SA. pose proof (S i' Hi') as SB.
  set (n := tangents c) in *. set (m := mu2 c) in *.
  set (fa := {| vN := 0; vT := a |}) in *. set (fb := {| vN := 0; vT := b |}) in *. set (fg := {| vN := 0; vT := g |}) in *.
  unfold dot in SA, SB. rewrite NI in SA. rewrite NI' in SB.
  set (alpha := along n (side x i) r) in *. set (beta := along n (side x i') r) in *.
  assert (A0 : 0 <= alpha) by lra. assert (B0 : 0 <= beta) by lra.
  assert (R : forall j, (j < n)%nat -> vT r j == alpha * a j + beta * b j).
  { intros j Hj. rewrite <- (sum_unit n j (vT r) Hj). unfold alpha, beta, along. rewrite <- !sum_scale_right, <- sum_plus.
    apply sum_ext. intros l Hl. rewrite <- (Basis j l Hj Hl). ring. }
  set (mixed := sum n (fun j => a j * b j / m j)).
  assert (FR : friction_square n m r == alpha * alpha * friction_square n m fa
      + (2 * alpha * beta * mixed + beta * beta * friction_square n m fb)).
  { unfold friction_square, mixed, fa, fb. cbn [vT]. rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros j Hj.
    rewrite (R j Hj). specialize (Rough j Hj). field. lra. }
  assert (C : mixed * mixed <= friction_square n m fa * friction_square n m fb).
  { assert (H := cauchy_schwarz n m fa {| vN := 0; vT := fun j => b j / m j |} Hm).
    assert (E1 : along n fa {| vN := 0; vT := fun j => b j / m j |} == mixed).
    { apply sum_ext. intros j Hj. unfold fa. cbn [vT]. unfold Qdiv. ring. }
    assert (E2 : slip_square n m {| vN := 0; vT := fun j => b j / m j |} == friction_square n m fb).
    { apply sum_ext. intros j Hj. unfold fb. cbn [vT]. specialize (Rough j Hj). field. lra. }
    rewrite E1, E2 in H. apply H. intros j Hj Z. specialize (Rough j Hj). lra. }
  set (p := along n fg fa) in *. set (q := along n fg fb) in *.
  pose proof (friction_nonneg n m fa Hm) as FA. pose proof (friction_nonneg n m fb Hm) as FB.
  assert (D : mixed <= p * q).
  { apply (square_le mixed (p * q)); [nra|].
    assert (friction_square n m fa * friction_square n m fb <= p * p * friction_square n m fb) by nra.
    assert (p * p * friction_square n m fb <= p * p * (q * q)) by (pose proof (square_nonneg p); nra). lra. }
  assert (G : along n fg r == alpha * p + beta * q).
  { unfold p, q, along, fg, fa, fb. cbn [vT]. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros j Hj.
    rewrite (R j Hj). ring. }
  assert (T : vN r * vN r <= (alpha * p + beta * q) * (alpha * p + beta * q)).
  { rewrite <- F, FR.
    assert (alpha * alpha * friction_square n m fa <= alpha * alpha * (p * p)) by (pose proof (square_nonneg alpha); nra).
    assert (beta * beta * friction_square n m fb <= beta * beta * (q * q)) by (pose proof (square_nonneg beta); nra).
    assert (0 <= alpha * beta) by nra. assert (alpha * beta * mixed <= alpha * beta * (p * q)) by nra. lra. }
  assert (Y : 0 <= alpha * p + beta * q) by nra.
  destruct (square_le (vN r) _ Y T) as [_ U]. unfold dot. cbn [vN].
  change (along n {| vN := -1; vT := g |} r) with (along n fg r). rewrite G. lra.
Qed.

Lemma closed_sound P cs t z :
  well_formed P -> well_owned (size P) cs ->
  (forall i k, owner cs i = Some k -> lo P i = None /\ up P i = None) -> cone_solves P cs z ->
  forall st known, knows P cs st known z -> ~ closed P cs st known t.
Proof.
  intros W O B [ZP ZC].
  induction t as [m of_force of_velocity|i s IHs t IHt|i s IHs t IHt|k o IHo s IHs l IHl|k h p IHp n IHn|k i i' a b g t IHt];
    intros st known K C; simpl in C.
  - destruct C as (HP & HC & Neg). destruct K as [KP KC]. assert (C : 0 <= form_constant P m); [|lra].
    apply (form_not_negative P cs m z W O B).
    + intros i Hi E. destruct (HP i Hi E) as [S C]. split; [|exact C]. apply (term_nonneg P (st i)); auto.
    + intros k Hk. destruct (HC k Hk) as [F V]. specialize (ZC k Hk). specialize (KC k Hk). destruct O as [WO _].
      pose proof (mu_nonneg _ _ _ _ (WO k Hk)) as Hm. cbv zeta in *.
      pose proof (force_nonneg _ _ _ _ _ _ Hm ZC KC F). pose proof (velocity_nonneg _ _ _ _ _ _ Hm ZC KC V). lra.
  - destruct C as (N & A & C). destruct (lt_dec i (size P)) as [Hi|Hi].
    + destruct (ZP i Hi N) as (_ & _ & [D|D] & _).
      * apply (IHs (learn st i with_LO) known); [|assumption]. apply knows_fact; [assumption|]. unfold has; simpl. tauto.
      * apply (IHt (learn st i with_LE) known); [|assumption]. apply knows_fact; [assumption|]. unfold has; simpl. tauto.
    + apply (IHs (learn st i with_LO) known); [|assumption]. destruct K as [KP KC]. split; [|exact KC].
      intros j Hj E. unfold learn. destruct (Nat.eqb_spec j i) as [->|_]; [contradiction|auto].
  - destruct C as (N & A & C). destruct (lt_dec i (size P)) as [Hi|Hi].
    + destruct (ZP i Hi N) as (_ & _ & _ & [D|D]).
      * apply (IHs (learn st i with_UP) known); [|assumption]. apply knows_fact; [assumption|]. unfold has; simpl. tauto.
      * apply (IHt (learn st i with_GE) known); [|assumption]. apply knows_fact; [assumption|]. unfold has; simpl. tauto.
    + apply (IHs (learn st i with_UP) known); [|assumption]. destruct K as [KP KC]. split; [|exact KC].
      intros j Hj E. unfold learn. destruct (Nat.eqb_spec j i) as [->|_]; [contradiction|auto].
  - destruct C as (A & C & D). destruct (lt_dec k (count cs)) as [Hk|Hk].
    + destruct O as [WO WI]. destruct (modes _ _ _ (mu_nonneg _ _ _ _ (WO k Hk)) (ZC k Hk)) as [M|[M|M]].
      * apply (IHo st (with_mode Open known k)); [|assumption]. apply knows_mode; auto.
      * apply (IHs st (with_mode Sticks known k)); [|assumption]. apply knows_mode; auto.
      * apply (IHl st (with_mode Slides known k)); [|assumption]. apply knows_mode; auto.
    + apply (IHo st (with_mode Open known k)); [|assumption]. apply knows_mode; [assumption|]. intros H. contradiction.
  - destruct C as [A C]. set (c := contact_at cs k).
    destruct (Qlt_le_dec (sum (tangents c) (fun j => h j * z (tangent c j))) 0) as [L|L].
    + apply (IHn st (with_side {| vN := 0; vT := fun j => - h j |} known k)); [|assumption].
      apply knows_side; [assumption|]. intros _. fold c. unfold dot, along, at_contact. cbn [vN vT].
      rewrite (sum_ext _ _ (fun j => - (h j * z (tangent c j)))) by (intros; ring). rewrite sum_opp. lra.
    + apply (IHp st (with_side {| vN := 0; vT := h |} known k)); [|assumption].
      apply knows_side; [assumption|]. intros _. fold c. unfold dot, along, at_contact. cbn [vN vT]. lra.
  - destruct C as (Hk & A & C). apply (IHt st (with_side {| vN := -1; vT := g |} known k)); [|assumption].
    apply knows_side; [assumption|]. intros _. destruct O as [WO _]. destruct K as [_ KC].
    pose proof (mu_nonneg _ _ _ _ (WO k Hk)). specialize (ZC k Hk). specialize (KC k Hk). cbv zeta in *.
    eapply chord_sound; eauto. eapply law_cone; eauto.
Qed.

(** Nobody is in a leaf: the problem has no solution. *)
Theorem cone_cover_sound P cs t z :
  well_formed P -> well_owned (size P) cs ->
  (forall i k, owner cs i = Some k -> lo P i = None /\ up P i = None) ->
  closed P cs (start P) (fun _ => nothing) t -> ~ cone_solves P cs z.
Proof.
  intros W O B C Z. apply (closed_sound P cs t z W O B Z (start P) (fun _ => nothing)); [|assumption].
  destruct Z as [ZP _]. split.
  - intros i Hi E. apply plain_start. auto.
  - intros k Hk. split; [exact I|]. intros i Hi. simpl in Hi. lia.
Qed.

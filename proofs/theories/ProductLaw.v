(** One contact with several discs, each of any number of rows: its laws (book: "Friction cones", section "The
    problem"). A second disc is rolling friction, say. The discs have the normal force in common.

    The dual cone asks for u_N >= the sum over discs of a root, which need not be a fraction. So u_N is held against all
    sums of fractions that are no larger than the roots; that is the same, because there are such fractions as near to
    the roots as one likes. *)

From Etalon Require Export ConeLaw.

(** A force, or a velocity: along the normal, and along row k of disc d. *)
Record wrench := { nN : Q; nT : nat -> nat -> Q }.
Definition on_disc (r : wrench) (d : nat) : parts := {| vN := nN r; vT := nT r d |}.

(** The sum of the roots of the first n numbers is at most x. *)
Definition roots_at_most (n : nat) (squares : nat -> Q) (x : Q) : Prop :=
  forall h, (forall d, (d < n)%nat -> 0 <= h d /\ h d * h d <= squares d) -> sum n h <= x.

(** Between u and a root above it is another number. *)
Lemma below_root u T : 0 <= u -> u * u < T -> exists h, u < h /\ h * h <= T.
Proof.
  intros U H. set (gap := T - u * u). assert (G : 0 < gap) by (unfold gap; lra).
  set (t := gap / (2 * u + 1 + gap)). assert (D : 0 < 2 * u + 1 + gap) by lra.
  assert (t0 : 0 < t) by (unfold t; apply Qlt_shift_div_l; lra).
  assert (t1 : t <= 1) by (unfold t; apply Qle_shift_div_r; lra).
  assert (E : t * (2 * u + 1 + gap) == gap) by (unfold t; field; lra).
  exists (u + t). split; [lra|]. unfold gap in *. assert (t * t <= t) by nra. assert (0 <= t * (T - u * u)) by nra. lra.
Qed.

Lemma one_root T x : 0 <= T 0%nat -> (roots_at_most 1 T x <-> 0 <= x /\ T 0%nat <= x * x).
Proof.
  intros T0. unfold roots_at_most. split.
  - intros H. assert (X : 0 <= x).
    { specialize (H (fun _ => 0)). simpl in H. assert (A : 0 + 0 <= x); [|lra].
      apply H. intros [|d] Hd; [|lia]. lra. }
    split; [exact X|]. destruct (Qlt_le_dec (x * x) (T 0%nat)) as [L|L]; [exfalso|exact L].
    destruct (below_root x (T 0%nat) X L) as (h & A & B). specialize (H (fun _ => h)). simpl in H.
    assert (0 + h <= x); [|lra]. apply H. intros [|d] Hd; [|lia]. lra.
  - intros [X H] h Hh. simpl. destruct (Hh 0%nat ltac:(lia)) as [A B]. destruct (square_le (h 0%nat) x X); lra.
Qed.

(** Numbers above the roots. *)
Lemma above_roots n squares g :
  (forall d, (d < n)%nat -> 0 <= g d /\ squares d <= g d * g d) -> roots_at_most n squares (sum n g).
Proof.
  intros H h Hh. apply sum_le. intros d Hd. destruct (H d Hd) as [A B]. destruct (Hh d Hd) as [C E].
  destruct (square_le (h d) (g d) A); lra.
Qed.

Lemma roots_more n squares x y : roots_at_most n squares x -> x <= y -> roots_at_most n squares y.
Proof. intros H L h Hh. specialize (H h Hh). lra. Qed.

Section Product.
Variables (discs : nat) (n : nat -> nat).

Definition product_dot (r u : wrench) : Q :=
  nN r * nN u + sum discs (fun d => along (n d) (on_disc r d) (on_disc u d)).

Definition product_cone (m : nat -> nat -> Q) (r : wrench) : Prop :=
  0 <= nN r /\ forall d, (d < discs)%nat -> in_cone (n d) (m d) (on_disc r d).
Definition product_dual (m : nat -> nat -> Q) (u : wrench) : Prop :=
  roots_at_most discs (fun d => slip_square (n d) (m d) (on_disc u d)) (nN u).

Definition product_no_force (r : wrench) : Prop :=
  nN r == 0 /\ forall d k, (d < discs)%nat -> (k < n d)%nat -> nT r d k == 0.

(** Pressed: every disc sticks or slides by itself, with a multiplier of its own. *)
Definition product_pressed (m : nat -> nat -> Q) (r u : wrench) (L : nat -> Q) : Prop :=
  0 < nN r /\ forall d, (d < discs)%nat -> pressed (n d) (m d) (on_disc r d) (on_disc u d) (L d).

Definition product_coulomb (m : nat -> nat -> Q) (r u : wrench) : Prop :=
  (product_no_force r /\ 0 <= nN u) \/ (exists L, product_pressed m r u L /\ nN u == 0).
Definition product_convex (m : nat -> nat -> Q) (r u : wrench) : Prop :=
  product_cone m r /\ product_dual m u /\ product_dot r u == 0.

Definition product_nonneg (m : nat -> nat -> Q) : Prop := forall d, (d < discs)%nat -> nonneg (n d) (m d).

Lemma product_no_force_in_cone m r : product_no_force r -> product_cone m r.
Proof.
  intros [N T]. split; [lra|]. intros d Hd. apply no_force_in_cone. split; [exact N|]. intros k Hk. now apply T.
Qed.

(** On a disc, (r'u)^2 is at most r_N^2 times the square of the slip. *)
Lemma disc_product m r u d :
  product_nonneg m -> product_cone m r -> (d < discs)%nat ->
  let a := along (n d) (on_disc r d) (on_disc u d) in
  a * a <= nN r * nN r * slip_square (n d) (m d) (on_disc u d).
Proof.
  intros Hm [_ K] Hd a. destruct (K d Hd) as (_ & R & F). pose proof (Hm d Hd) as M.
  pose proof (cauchy_schwarz _ _ _ (on_disc u d) M R) as C. pose proof (slip_nonneg _ _ (on_disc u d) M) as S.
  cbn [on_disc vN] in F. fold a in C. nra.
Qed.

(** What the discs would need of u_N by themselves. *)
Definition own_share (r u : wrench) (d : nat) : Q := - along (n d) (on_disc r d) (on_disc u d) / nN r.

Lemma own_share_square m r u d :
  product_nonneg m -> product_cone m r -> 0 < nN r -> (d < discs)%nat ->
  own_share r u d * own_share r u d <= slip_square (n d) (m d) (on_disc u d).
Proof.
  intros Hm K P Hd. pose proof (disc_product m r u d Hm K Hd) as C. cbv zeta in C. unfold own_share.
  set (a := along (n d) (on_disc r d) (on_disc u d)) in *. assert (0 < nN r * nN r) by nra.
  setoid_replace (- a / nN r * (- a / nN r)) with (a * a / (nN r * nN r)) by (field; lra).
  apply Qle_shift_div_r; [assumption|]. lra.
Qed.

Lemma own_share_sum r u : 0 < nN r -> product_dot r u == nN r * (nN u - sum discs (own_share r u)).
Proof.
  intros P. unfold product_dot, own_share.
  rewrite (sum_ext discs (fun d => - along (n d) (on_disc r d) (on_disc u d) / nN r)
    (fun d => - / nN r * along (n d) (on_disc r d) (on_disc u d))) by (intros; field; lra).
  rewrite sum_scale. field. lra.
Qed.

Lemma abs_square x : Qabs x * Qabs x == x * x.
Proof. rewrite <- Qabs_Qmult. apply Qabs_pos, square_nonneg. Qed.

(** The product of a force of the cone and a velocity of its dual is never negative. *)
Lemma product_dual_nonneg m r u : product_nonneg m -> product_cone m r -> product_dual m u -> 0 <= product_dot r u.
Proof.
  intros Hm K D. assert (K' := K). destruct K' as [R0 K']. destruct (Qlt_le_dec 0 (nN r)) as [P|P].
  - rewrite own_share_sum by assumption. assert (S : sum discs (own_share r u) <= nN u); [|nra].
    eapply Qle_trans; [apply sum_le; intros d Hd; apply Qle_Qabs|].
    apply D. intros d Hd. split; [apply Qabs_nonneg|]. rewrite abs_square. now apply own_share_square.
  - assert (Z : nN r == 0) by lra. unfold product_dot. rewrite Z, sum_zero; [lra|]. intros d Hd.
    assert (F : no_force (n d) (on_disc r d)) by (apply (cone_no_force _ (m d)); [now apply Hm|now apply K'|exact Z]).
    apply (no_force_sums _ (m d) _ F).
Qed.

(** ** A pressed contact obeys the convex law if each disc does, with its share of u_N. *)
Lemma convex_by_shares m r u :
  product_nonneg m -> 0 < nN r ->
  (product_convex m r u <-> exists g, nN u == sum discs g /\
    forall d, (d < discs)%nat -> convex (n d) (m d) (on_disc r d) {| vN := g d; vT := nT u d |}).
Proof.
  intros Hm P. split.
  - intros (K & D & Z). rewrite own_share_sum in Z by assumption.
    assert (U : nN u == sum discs (own_share r u)).
    { apply Qmult_integral in Z. destruct Z as [Z|Z]; lra. }
    assert (K' := K). destruct K' as [_ K'].
    (* No share is less than the root: else another sum of numbers below the roots would be more than u_N. *)
    assert (least : forall e h, (e < discs)%nat -> 0 <= h -> h * h <= slip_square (n e) (m e) (on_disc u e) ->
      h <= own_share r u e).
    { intros e h He H0 H. set (f := fun d => if Nat.eqb d e then h else Qabs (own_share r u d)).
      assert (S : sum discs f <= nN u).
      { apply D. intros d Hd. unfold f. destruct (Nat.eqb_spec d e) as [->|_]; [split; assumption|].
        split; [apply Qabs_nonneg|]. rewrite abs_square. now apply own_share_square. }
      assert (Y : sum discs (fun d => own_share r u d + unit e d * (h - own_share r u e)) <= sum discs f).
      { apply sum_le. intros d Hd. unfold f. destruct (Nat.eqb_spec d e) as [->|Ne].
        - rewrite unit_same. lra.
        - rewrite unit_other by assumption. pose proof (Qle_Qabs (own_share r u d)). lra. }
      rewrite sum_plus, (sum_unit discs e (fun _ => h - own_share r u e) He) in Y. lra. }
    exists (own_share r u). split; [exact U|]. intros d Hd.
    pose proof (slip_nonneg _ _ (on_disc u d) (Hm d Hd)) as S0.
    assert (G : 0 <= own_share r u d) by (apply least; [assumption|lra|lra]).
    split; [now apply K'|]. split.
    + split; [exact G|]. cbn [vN]. change (slip_square (n d) (m d) {| vN := own_share r u d; vT := nT u d |})
        with (slip_square (n d) (m d) (on_disc u d)).
      destruct (Qlt_le_dec (own_share r u d * own_share r u d) (slip_square (n d) (m d) (on_disc u d))) as [L|L]; [|exact L].
      destruct (below_root _ _ G L) as (h & A & B). specialize (least d h Hd). lra.
    + unfold dot. cbn [vN]. change (along (n d) (on_disc r d) {| vN := own_share r u d; vT := nT u d |})
        with (along (n d) (on_disc r d) (on_disc u d)).
      unfold own_share. cbn [on_disc vN]. field. lra.
  - intros (g & U & C).
    assert (K : product_cone m r) by (split; [lra|]; intros d Hd; apply (C d Hd)).
    split; [exact K|]. split.
    + unfold product_dual. apply (roots_more _ _ (sum discs g)); [|lra]. apply above_roots. intros d Hd.
      destruct (C d Hd) as (_ & [A B] & _). cbn [vN] in *. split; assumption.
    + rewrite own_share_sum, U by assumption. rewrite (sum_ext discs g (own_share r u)); [ring|]. intros d Hd.
      destruct (C d Hd) as (_ & _ & E). unfold dot in E. cbn [on_disc vN] in E.
      change (along (n d) (on_disc r d) {| vN := g d; vT := nT u d |}) with (along (n d) (on_disc r d) (on_disc u d)) in E.
      assert (F : - along (n d) (on_disc r d) (on_disc u d) == nN r * g d) by (unfold on_disc in *; lra).
      unfold own_share. rewrite F. field. lra.
Qed.

(** ** The convex law as the book writes it: open with u in K*; or pressed, and u_N = (sum of L) r_N. *)
Theorem product_convex_as_written m r u :
  product_nonneg m ->
  (product_convex m r u <-> (product_no_force r /\ product_dual m u) \/
    (exists L, product_pressed m r u L /\ nN u == sum discs L * nN r)).
Proof.
  intros Hm. destruct (Qlt_le_dec 0 (nN r)) as [P|P].
  - rewrite convex_by_shares by assumption. split.
    + intros (g & U & C). right.
      assert (E : forall d, (d < discs)%nat ->
        pressed (n d) (m d) (on_disc r d) (on_disc u d) (g d / nN r)).
      { intros d Hd. pose proof (C d Hd) as H. apply convex_as_written in H; [|now apply Hm].
        destruct H as [[[Z _] _]|(L & H & V)]; [cbn [on_disc vN] in Z; lra|]. cbn [on_disc vN] in V.
        assert (EL : g d / nN r == L) by (rewrite V; field; lra).
        destruct H as (A & B & L0 & H & S). split; [exact A|]. split; [exact B|]. split; [rewrite EL; exact L0|].
        split; [rewrite EL; exact H|]. intros k Hk Mk. rewrite EL. exact (S k Hk Mk). }
      exists (fun d => g d / nN r). split; [split; assumption|].
      rewrite U, <- sum_scale_right. apply sum_ext. intros d _. field. lra.
    + intros [[[Z _] _]|(L & [_ H] & U)]; [lra|]. exists (fun d => L d * nN r). split.
      * rewrite U, sum_scale_right. reflexivity.
      * intros d Hd. apply convex_as_written; [now apply Hm|]. right. exists (L d). split; [exact (H d Hd)|reflexivity].
  - split.
    + intros ([R0 K] & D & _). left. split; [|exact D]. assert (Z : nN r == 0) by lra. split; [exact Z|].
      intros d k Hd Hk. apply (cone_no_force (n d) (m d) (on_disc r d)); auto.
    + intros [[F D]|(L & [Q0 _] & _)]; [|lra]. split; [now apply product_no_force_in_cone|]. split; [exact D|].
      destruct F as [Z T]. unfold product_dot. rewrite Z, sum_zero; [lra|]. intros d Hd. apply sum_zero. intros k Hk.
      cbn [on_disc vT]. rewrite T by assumption. ring.
Qed.

(** De Saxce and Feng, for several discs: by the law of Coulomb, or by the convex law with u_N lifted by g(u). *)
Theorem product_lifted m r u g :
  product_nonneg m ->
  (forall d, (d < discs)%nat -> 0 <= g d /\ g d * g d == slip_square (n d) (m d) (on_disc u d)) ->
  (product_coulomb m r u <-> product_convex m r {| nN := nN u + sum discs g; nT := nT u |}).
Proof.
  intros Hm G. rewrite product_convex_as_written by assumption.
  assert (dual : product_dual m {| nN := nN u + sum discs g; nT := nT u |} <-> 0 <= nN u).
  { unfold product_dual. cbn [nN]. split.
    - intros H. assert (sum discs g <= nN u + sum discs g); [|lra]. apply H. intros d Hd. destruct (G d Hd) as [A B].
      split; [exact A|]. rewrite B. apply Qle_refl.
    - intros H. apply (roots_more _ _ (sum discs g)); [|lra]. apply above_roots. intros d Hd. destruct (G d Hd) as [A B].
      split; [exact A|]. rewrite B. apply Qle_refl. }
  assert (lift : forall L, product_pressed m r u L -> sum discs g == sum discs L * nN r).
  { intros L [P H]. rewrite <- sum_scale_right. apply sum_ext. intros d Hd.
    destruct (H d Hd) as (_ & (_ & R & _) & L0 & B & S).
    destruct (slips_sums _ _ _ _ _ (Hm d Hd) R S) as [_ E]. destruct (G d Hd) as [A F]. cbn [on_disc vN] in B.
    assert (Y : 0 <= L d * nN r) by nra.
    assert (F' : g d * g d == L d * nN r * (L d * nN r)) by (rewrite F, E; destruct B as [B|B]; rewrite B; ring).
    destruct (square_le (g d) _ Y) as [_ A1]; [rewrite F'; lra|].
    destruct (square_le (L d * nN r) (g d) A) as [_ A2]; [rewrite F'; lra|]. lra. }
  unfold product_coulomb. rewrite dual. split.
  - intros [H|(L & H & U)]; [left; exact H|right]. exists L. split; [exact H|]. cbn [nN]. rewrite U, (lift L H). ring.
  - intros [H|(L & H & U)]; [left; exact H|right]. exists L. split; [exact H|].
    cbn [nN] in U. pose proof (lift L H). lra.
Qed.
End Product.

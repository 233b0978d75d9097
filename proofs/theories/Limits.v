(** What laws of contacts say of real numbers, given as limits of fractions: equations and inequalities between sums and
    products of forces and velocities, which hold in the limit (book: "Friction cones", "Certificates"). *)

From Etalon Require Export Krawczyk ProductProblem.
From Etalon Require Import BackwardErrorTheorem.

(** ** The law of Coulomb as equations and inequalities, with no case and no multiplier. *)
Section Laws.
Variables (discs : nat) (n : nat -> nat) (m : nat -> nat -> Q).

Definition work (r u : wrench) (d : nat) : Q := along (n d) (on_disc r d) (on_disc u d).
Definition force_square (r : wrench) (d : nat) : Q := friction_square (n d) (m d) (on_disc r d).
Definition velocity_square (u : wrench) (d : nat) : Q := slip_square (n d) (m d) (on_disc u d).

Definition coulomb_equations (r u : wrench) : Prop :=
  0 <= nN r /\ 0 <= nN u /\ nN r * nN u == 0 /\
  forall d, (d < discs)%nat -> smooth_free (n d) (m d) (on_disc r d) /\ 0 <= nN r * nN r - force_square r d /\
    0 <= - work r u d /\ work r u d * work r u d - nN r * nN r * velocity_square u d == 0.

Theorem coulomb_by_equations r u : product_nonneg discs n m -> (product_coulomb discs n m r u <-> coulomb_equations r u).
Proof.
  intros Hm. split.
  - intros [[F U]|(L & [P H] & U)].
    + destruct F as [Z T]. split; [lra|]. split; [exact U|]. split; [rewrite Z; ring|]. intros d Hd.
      assert (F : no_force (n d) (on_disc r d)) by (split; [exact Z|intros k Hk; now apply T]).
      destruct (no_force_sums _ (m d) _ F) as [W S]. unfold force_square, work. rewrite S, W, Z.
      split; [intros k Hk _; now apply T|]. lra.
    + split; [lra|]. split; [lra|]. split; [rewrite U; ring|]. intros d Hd.
      destruct (H d Hd) as (_ & (_ & R & K) & L0 & B & S). destruct (slips_sums _ _ _ _ _ (Hm d Hd) R S) as [W E].
      pose proof (friction_nonneg _ _ (on_disc r d) (Hm d Hd)) as F0. unfold work, force_square, velocity_square.
      cbn [on_disc vN] in K, B. split; [exact R|]. split; [lra|]. rewrite W, E. split; [nra|].
      destruct B as [B|B]; rewrite B; ring.
  - intros (R0 & U0 & Z & H). destruct (Qlt_le_dec 0 (nN r)) as [P|P].
    + right. assert (U : nN u == 0) by (apply Qmult_integral in Z; destruct Z; lra).
      destruct (finite_choice 0 discs (fun d L => pressed (n d) (m d) (on_disc r d) (on_disc u d) L)) as [L HL].
      { intros d Hd. destruct (H d Hd) as (R & K & W & E). unfold work, force_square, velocity_square in *.
        set (g := own_share n r u d). assert (EG : g == - along (n d) (on_disc r d) (on_disc u d) / nN r) by reflexivity.
        assert (G0 : 0 <= g) by (rewrite EG; apply Qle_shift_div_l; lra).
        assert (C : convex (n d) (m d) (on_disc r d) {| vN := g; vT := nT u d |}).
        { split; [split; [exact R0|split; [exact R|cbn [on_disc vN]; lra]]|]. split.
          - split; [exact G0|]. cbn [vN]. change (slip_square (n d) (m d) {| vN := g; vT := nT u d |})
              with (slip_square (n d) (m d) (on_disc u d)). apply Qle_lteq. right. rewrite EG.
            assert (RR : ~ nN r * nN r == 0) by nra. apply (Qmult_inj_l _ _ (nN r * nN r) RR).
            setoid_replace (nN r * nN r * (- along (n d) (on_disc r d) (on_disc u d) / nN r * (- along (n d) (on_disc
              r d) (on_disc u d) / nN r)))
              with (along (n d) (on_disc r d) (on_disc u d) * along (n d) (on_disc r d) (on_disc u d)) by (field; lra). lra.
          - unfold dot. change (along (n d) (on_disc r d) {| vN := g;
              vT := nT u d |}) with (along (n d) (on_disc r d) (on_disc u d)).
            cbn [on_disc vN]. rewrite EG. field. lra. }
        apply convex_as_written in C; [|now apply Hm]. destruct C as [[[F _] _]|(L & C & _)]; [cbn [on_disc vN] in F; lra|].
        exists L. exact C. }
      exists L. split; [split; assumption|exact U].
    + left. assert (E : nN r == 0) by lra. split; [|exact U0]. split; [exact E|]. intros d k Hd Hk.
      destruct (H d Hd) as (R & K & _). apply (cone_no_force (n d) (m d) (on_disc r d)); auto.
      split; [exact R0|]. split; [exact R|]. unfold force_square in K. cbn [on_disc vN]. lra.
Qed.

(** ** The laws in the limit. *)
Definition cone_in_limit (r : nat -> wrench) : Prop :=
  not_negative (fun t => nN (r t)) /\
  forall d, (d < discs)%nat -> (forall k, (k < n d)%nat -> m d k == 0 -> null (fun t => nT (r t) d k)) /\
    not_negative (fun t => nN (r t) * nN (r t) - force_square (r t) d).

Definition coulomb_in_limit (r u : nat -> wrench) : Prop :=
  cone_in_limit r /\ not_negative (fun t => nN (u t)) /\ null (fun t => nN (r t) * nN (u t)) /\
  forall d, (d < discs)%nat -> not_negative (fun t => - work (r t) (u t) d) /\
    null (fun t => work (r t) (u t) d * work (r t) (u t) d - nN (r t) * nN (r t) * velocity_square (u t) d).

Definition convex_in_limit (r u : nat -> wrench) : Prop :=
  cone_in_limit r /\
  (forall e, 0 < e -> exists N, forall t, (N <= t)%nat -> roots_at_most discs (velocity_square (u t)) (nN (u t) + e)) /\
  null (fun t => product_dot discs n (r t) (u t)).

(** Of fractions themselves they are the laws. *)
Theorem coulomb_limit_of_fractions r u :
  product_nonneg discs n m -> (coulomb_in_limit (fun _ => r) (fun _ => u) <-> product_coulomb discs n m r u).
Proof.
  intros Hm. rewrite coulomb_by_equations by exact Hm. unfold coulomb_in_limit, cone_in_limit, coulomb_equations.
  rewrite !not_negative_number, null_number. split.
  - intros ([A B] & C & D & E). repeat (split; [assumption|]). intros d Hd. destruct (B d Hd) as [B1 B2].
    destruct (E d Hd) as [E1 E2].
    apply not_negative_number in B2, E1. apply null_number in E2. split; [|auto].
    intros k Hk Z. cbn [on_disc vT]. now apply null_number, B1.
  - intros (A & C & D & E). split; [split; [assumption|]|split; [assumption|split; [assumption|]]];
      intros d Hd; destruct (E d Hd) as (E1 & E2 & E3 & E4).
    + split; [|now apply not_negative_number]. intros k Hk Z. now apply null_number, E1.
    + split; [now apply not_negative_number|now apply null_number].
Qed.

Theorem convex_limit_of_fractions r u : convex_in_limit (fun _ => r) (fun _ => u) <-> product_convex discs n m r u.
Proof.
  unfold convex_in_limit, cone_in_limit, product_convex, product_cone, in_cone, product_dual.
  rewrite not_negative_number, null_number.
  split.
  - intros ([A B] & D & E). split; [split; [exact A|]|split; [|exact E]].
    + intros d Hd. destruct (B d Hd) as [B1 B2]. apply not_negative_number in B2. split; [exact A|]. split.
      * intros k Hk Z. cbn [on_disc vT]. now apply null_number, B1.
      * unfold force_square in B2. cbn [on_disc vN]. lra.
    + intros h Hh. apply (up_to_any _ _ 1); [lra|]. intros e E0 _. destruct (D e E0) as [N HN].
      specialize (HN N (Nat.le_refl N) h Hh). lra.
  - intros ([A B] & D & E). split; [split; [exact A|]|split; [|exact E]].
    + intros d Hd. destruct (B d Hd) as (_ & B1 & B2). split.
      * intros k Hk Z. apply null_number. now apply B1.
      * apply not_negative_number. unfold force_square. cbn [on_disc vN] in B2. lra.
    + intros e E0. exists 0%nat. intros t _. apply (roots_more _ _ (nN u)); [exact D|lra].
Qed.
End Laws.

(** Energy over one linear step (book: "Time stepping", section "Energy"; the steps of Stewart and
    Trinkle 1996 as `crates/time-stepping` takes them).

    Contacts that close have their gap in the step, contacts that bounce Newton's restitution; friction
    at contacts is bounded by mu c_n, friction of no contact by a number (section 3.5 of the paper). *)

From Etalon Require Export Sums.
From Etalon Require Import Unique.

Definition inner (m : nat) (x y : nat -> Q) : Q := sum m (fun a => x a * y a).

(** ** The data and the unknowns of a step. *)
Record step := {
  dim : nat;                        (* coordinates *)
  mass : nat -> nat -> Q;           (* the mass matrix *)
  h : Q;                            (* the step size *)
  force : nat -> Q;                 (* k, the applied forces *)
  position : nat -> Q;              (* q, before *)
  velocity : nat -> Q;              (* v, before *)
  velocity' : nat -> Q;             (* v+, after *)
  touching : nat;                   (* contacts *)
  gradient : nat -> nat -> Q;       (* n of each contact *)
  alpha : nat -> Q;                 (* the gap is n'q - alpha *)
  bounce : nat -> option Q;         (* e n'v before, of a contact that bounces *)
  impulse : nat -> Q;               (* c_n *)
  ways : nat;                       (* directions of friction, of all owners *)
  direction : nat -> nat -> Q;      (* d_j *)
  weight : nat -> Q;                (* beta_j *)
  owners : nat;                     (* contacts, and frictions of no contact *)
  owned : nat -> nat;               (* the owner of a direction *)
  slip : nat -> Q;                  (* lambda of an owner *)
  limit : nat -> Q                  (* mu c_n of a contact's friction; the bound of another one *)
}.

Section Step.
Variable S : step.
Let m := dim S.
Let dv (a : nat) : Q := velocity' S a - velocity S a.
Definition position' (a : nat) : Q := position S a + h S * velocity' S a.
Definition old_gap (i : nat) : Q := inner m (gradient S i) (position S) - alpha S i.
Definition new_gap (i : nat) : Q := inner m (gradient S i) position' - alpha S i.

(** U = v'Mv / 2 - k'q. *)
Definition energy (v x : nat -> Q) : Q := (1 # 2) * quad m (mass S) v - inner m (force S) x.

(** What the row of a normal impulse asks to be at least 0. *)
Definition normal_gap (i : nat) : Q :=
  match bounce S i with
  | None => new_gap i / h S
  | Some rebound => inner m (gradient S i) (velocity' S) + rebound
  end.

(** ** The equations of a step: momentum, and the three complementarities. *)
Record obeys : Prop := {
  positive_step : 0 < h S;
  mass_symmetric : symmetric m (mass S);
  in_range : forall j, (j < ways S)%nat -> (owned S j < owners S)%nat;
  momentum : forall a, (a < m)%nat ->
    mv m (mass S) dv a == sum (touching S) (fun i => impulse S i * gradient S i a)
      + sum (ways S) (fun j => weight S j * direction S j a) + h S * force S a;
  signorini : forall i, (i < touching S)%nat -> impulse S i * normal_gap i == 0;
  friction : forall j, (j < ways S)%nat ->
    weight S j * (inner m (direction S j) (velocity' S) + slip S (owned S j)) == 0;
  bound : forall o, (o < owners S)%nat ->
    slip S o * (limit S o - sum (ways S) (fun j => unit (owned S j) o * weight S j)) == 0
}.

(** ** The terms of the balance. *)
Definition friction_loss : Q := sum (owners S) (fun o => slip S o * limit S o).
Definition numerical_loss : Q := (1 # 2) * quad m (mass S) dv.
(** Of a contact that closes c_n (old gap) / h; of one that bounces c_n e n'v, which is not positive: what is
    given back. *)
Definition normal_term (i : nat) : Q :=
  impulse S i * match bounce S i with None => old_gap i / h S | Some rebound => rebound end.
Definition position_loss : Q := sum (touching S) normal_term.

Lemma inner_sum n c f y : inner m (fun a => sum n (fun i => c i * f i a)) y == sum n (fun i => c i * inner m (f i) y).
Proof.
  unfold inner. rewrite (sum_ext n (fun i => c i * sum m (fun a => f i a * y a))
    (fun i => sum m (fun a => c i * f i a * y a))).
  - rewrite <- sum_swap. apply sum_ext. intros a _. now rewrite <- sum_scale_right.
  - intros i _. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

Lemma gap_speed i : h S * inner m (gradient S i) (velocity' S) == new_gap i - old_gap i.
Proof.
  unfold new_gap, old_gap, position', inner.
  rewrite (sum_ext m (fun a => gradient S i a * (position S a + h S * velocity' S a))
    (fun a => gradient S i a * position S a + h S * (gradient S i a * velocity' S a))) by (intros; ring).
  rewrite sum_plus, sum_scale. ring.
Qed.

(** v+'M(v+ - v) is half the difference of v+'Mv+ and v'Mv, and half the square of the difference. *)
Lemma square_difference : symmetric m (mass S) ->
  bil m (mass S) (velocity' S) dv
  == (1 # 2) * quad m (mass S) (velocity' S) - (1 # 2) * quad m (mass S) (velocity S)
     + (1 # 2) * quad m (mass S) dv.
Proof.
  intros Y. pose proof (quad_line m (mass S) (velocity' S) dv (-1)) as L.
  rewrite (bil_symmetric m (mass S) dv (velocity' S) Y) in L.
  assert (E : quad m (mass S) (fun i => velocity' S i + -1 * dv i) == quad m (mass S) (velocity S)).
  { apply bil_ext; [intros ? ? _ _; reflexivity|intros i _; unfold dv; ring..]. }
  rewrite E in L. lra.
Qed.

Theorem energy_identity : obeys ->
  energy (velocity' S) position' ==
  energy (velocity S) (position S) - friction_loss - numerical_loss - position_loss.
Proof.
  intros O. destruct O as [H Y R Mo Si Fr Bo].
  (* The work of the impulses on v+. *)
  assert (W : bil m (mass S) (velocity' S) dv ==
    sum (touching S) (fun i => impulse S i * inner m (gradient S i) (velocity' S))
    + sum (ways S) (fun j => weight S j * inner m (direction S j) (velocity' S))
    + h S * inner m (force S) (velocity' S)).
  { rewrite <- !inner_sum. unfold bil, inner. rewrite <- sum_scale, <- !sum_plus.
    apply sum_ext. intros a Ha. rewrite (Mo a Ha). ring. }
  rewrite square_difference in W by assumption.
  (* Friction: each weight works against its slip, and slip comes with the full weights. *)
  assert (F : sum (ways S) (fun j => weight S j * inner m (direction S j) (velocity' S)) == - friction_loss).
  { rewrite (sum_ext (ways S) _ (fun j => - (sum (owners S) (fun o => slip S o * (unit (owned S j) o * weight S j))))).
    - rewrite sum_opp, sum_swap. unfold friction_loss.
      rewrite (sum_ext (owners S) (fun o => sum (ways S) (fun j => slip S o * (unit (owned S j) o * weight S j)))
        (fun o => slip S o * limit S o)); [reflexivity|].
      intros o Ho. rewrite sum_scale. specialize (Bo o Ho). lra.
    - intros j Hj. specialize (Fr j Hj).
      rewrite (sum_ext (owners S) _ (fun o => unit (owned S j) o * (slip S o * weight S j))) by (intros; ring).
      rewrite (sum_unit (owners S) (owned S j) (fun o => slip S o * weight S j)) by auto. lra. }
  (* Contacts: the impulse acts where the new gap is closed, or where the bounce is as asked for. *)
  assert (N : sum (touching S) (fun i => impulse S i * inner m (gradient S i) (velocity' S)) == - position_loss).
  { unfold position_loss. rewrite <- sum_opp. apply sum_ext. intros i Hi. specialize (Si i Hi).
    unfold normal_gap, normal_term in *. destruct (bounce S i) as [rebound|]; [lra|].
    pose proof (gap_speed i) as G.
    assert (E : inner m (gradient S i) (velocity' S) == new_gap i / h S - old_gap i / h S).
    { setoid_replace (new_gap i / h S - old_gap i / h S) with ((new_gap i - old_gap i) / h S) by (field; lra).
      rewrite <- G. field. lra. }
    rewrite E. lra. }
  (* The applied forces. *)
  assert (K : h S * inner m (force S) (velocity' S) ==
    inner m (force S) position' - inner m (force S) (position S)).
  { unfold inner, position'.
    rewrite (sum_ext m (fun a => force S a * (position S a + h S * velocity' S a))
      (fun a => force S a * position S a + h S * (force S a * velocity' S a))) by (intros; ring).
    rewrite sum_plus, sum_scale. ring. }
  rewrite F, N, K in W. unfold energy, numerical_loss. lra.
Qed.

(** ** The sign of each term. *)
Theorem friction_loss_nonneg :
  (forall o, (o < owners S)%nat -> 0 <= slip S o /\ 0 <= limit S o) -> 0 <= friction_loss.
Proof. intros H. apply sum_nonneg. intros o Ho. destruct (H o Ho). nra. Qed.

Theorem numerical_loss_nonneg : semidefinite m (mass S) -> 0 <= numerical_loss.
Proof. intros P. unfold numerical_loss. specialize (P dv). lra. Qed.

(** Where the old gap is not negative, a contact that closes takes no energy from positions. *)
Theorem normal_term_nonneg i :
  0 < h S -> 0 <= impulse S i -> bounce S i = None -> 0 <= old_gap i -> 0 <= normal_term i.
Proof.
  intros H C B G. unfold normal_term. rewrite B.
  assert (0 <= old_gap i / h S) by (apply Qle_shift_div_l; lra). nra.
Qed.

(** Restitution gives back: the term is not positive, as rebound = e n'v and n'v < 0 before. *)
Theorem bounce_term_nonpos i rebound :
  0 <= impulse S i -> bounce S i = Some rebound -> rebound <= 0 -> normal_term i <= 0.
Proof. intros C B R. unfold normal_term. rewrite B. nra. Qed.

(** A step without restitution, from gaps that are not negative, never gains energy. *)
Theorem dissipative : obeys ->
  semidefinite m (mass S) ->
  (forall o, (o < owners S)%nat -> 0 <= slip S o /\ 0 <= limit S o) ->
  (forall i, (i < touching S)%nat -> 0 <= impulse S i /\ bounce S i = None /\ 0 <= old_gap i) ->
  energy (velocity' S) position' <= energy (velocity S) (position S).
Proof.
  intros O P F N. rewrite (energy_identity O).
  pose proof (friction_loss_nonneg F). pose proof (numerical_loss_nonneg P).
  assert (0 <= position_loss).
  { apply sum_nonneg. intros i Hi. destruct (N i Hi) as (C & B & G).
    apply normal_term_nonneg; auto. apply O. }
  lra.
Qed.
End Step.

(** Squares of mu within reach of eps (book: "Friction cones", "The backward error"). A disc with one mu has one datum,
    which changes as one; with a mu for each row every one changes by itself. *)

From Etalon Require Export ConeLaw.
From Etalon Require Import BackwardError.

(** ** Within reach: mu by eps mu. In squares mu' ranges over [((1 - eps)^+)^2 m, (1 + eps)^2 m]. *)
Definition near_mu (eps m m' : Q) : Prop :=
  0 <= m' /\ m' <= (1 + eps) * (1 + eps) * m /\ (eps < 1 -> (1 - eps) * (1 - eps) * m <= m').

(** That is what it says of mu and mu' themselves. *)
Lemma near_mu_of_squares eps mu mu' :
  0 <= eps -> 0 <= mu -> 0 <= mu' ->
  (near_mu eps (mu * mu) (mu' * mu') <-> Qabs (mu' - mu) <= eps * mu).
Proof.
  intros He M M'. rewrite abs_le. unfold near_mu.
  setoid_replace ((1 + eps) * (1 + eps) * (mu * mu)) with ((mu + eps * mu) * (mu + eps * mu)) by ring.
  setoid_replace ((1 - eps) * (1 - eps) * (mu * mu)) with ((mu - eps * mu) * (mu - eps * mu)) by ring.
  assert (E : 0 <= eps * mu) by nra. split.
  - intros (_ & H1 & H2). destruct (square_le mu' (mu + eps * mu)) as [_ U]; [lra|assumption|].
    split; [|lra]. destruct (Qlt_le_dec eps 1) as [L|L].
    + specialize (H2 L). destruct (square_le (mu - eps * mu) mu') as [_ V]; [assumption|assumption|]. lra.
    + assert (mu <= eps * mu) by nra. lra.
  - intros [L U]. split; [apply square_nonneg|]. split; [nra|].
    intros E1. assert (0 <= mu - eps * mu) by nra. nra.
Qed.

(** The squares of a disc's mu: each by itself, or all by one factor. *)
Definition near_disc (as_one : bool) n eps (m m' : nat -> Q) : Prop :=
  if as_one then exists f, near_mu eps 1 f /\ forall k, (k < n)%nat -> m' k == f * m k
  else forall k, (k < n)%nat -> near_mu eps (m k) (m' k).

Lemma near_disc_each as_one n eps m m' k :
  nonneg n m -> near_disc as_one n eps m m' -> (k < n)%nat -> near_mu eps (m k) (m' k).
Proof.
  intros Hm H Hk. unfold near_disc in H. destruct as_one; [|auto]. destruct H as (f & (F0 & F1 & F2) & E).
  specialize (Hm k Hk). unfold near_mu. rewrite (E k Hk). split; [nra|]. split; [nra|]. intros L. specialize (F2 L). nra.
Qed.

Lemma near_disc_scaled as_one n eps m f :
  nonneg n m -> near_mu eps 1 f -> near_disc as_one n eps m (fun k => f * m k).
Proof.
  intros Hm (F0 & F1 & F2). unfold near_disc. destruct as_one.
  - exists f. split; [split; auto|]. reflexivity.
  - intros k Hk. specialize (Hm k Hk). unfold near_mu. split; [nra|]. split; [nra|]. intros L. specialize (F2 L). nra.
Qed.

Definition is_zero (x : Q) : bool := Qeq_bool x 0.

Lemma is_zero_true x : is_zero x = true <-> x == 0.
Proof. apply Qeq_bool_iff. Qed.

Lemma is_zero_false x : is_zero x = false <-> ~ x == 0.
Proof. rewrite <- not_true_iff_false, is_zero_true. reflexivity. Qed.

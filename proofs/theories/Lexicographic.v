(** The lexicographic order of vectors, by which Lemke's method breaks ties. *)

From Etalon Require Export Sums.

(** The first of [n] entries that is not 0 is positive. *)
Fixpoint lexpos (n : nat) (x : nat -> Q) : Prop :=
  match n with
  | O => False
  | S k => 0 < x 0%nat \/ (x 0%nat == 0 /\ lexpos k (tail x))
  end.

Definition lexless n (x y : nat -> Q) : Prop := lexpos n (fun i => y i - x i).

Lemma lexpos_ext n : forall x y, same n x y -> lexpos n x -> lexpos n y.
Proof.
  induction n as [|n IH]; intros x y E H; [exact H|].
  assert (E0 : x 0%nat == y 0%nat) by (apply E; lia).
  destruct H as [H|[H0 H]]; [left; lra|right]. split; [lra|].
  apply (IH (tail x)); [|assumption]. intros i Hi. apply E. lia.
Qed.

Lemma lexpos_plus n : forall x y, lexpos n x -> lexpos n y -> lexpos n (fun i => x i + y i).
Proof.
  induction n as [|n IH]; intros x y H G; [exact H|]. simpl.
  destruct H as [H|[H0 H]], G as [G|[G0 G]]; try (left; lra).
  right. split; [lra|]. apply (IH (tail x) (tail y)); assumption.
Qed.

Lemma lexpos_scale n c : 0 < c -> forall x, lexpos n x -> lexpos n (fun i => c * x i).
Proof.
  intros C. induction n as [|n IH]; intros x H; [exact H|]. simpl.
  destruct H as [H|[H0 H]]; [left; nra|right]. split; [rewrite H0; lra|]. apply (IH (tail x)); assumption.
Qed.

Lemma lexpos_not_both n : forall x, lexpos n x -> lexpos n (fun i => - x i) -> False.
Proof.
  induction n as [|n IH]; intros x H G; [exact H|]. simpl in G.
  destruct H as [H|[H0 H]], G as [G|[G0 G]]; try lra. apply (IH (tail x)); assumption.
Qed.

Lemma lexpos_or n : forall x, lexpos n x \/ lexpos n (fun i => - x i) \/ forall i, (i < n)%nat -> x i == 0.
Proof.
  induction n as [|n IH]; intros x; [right; right; intros i Hi; lia|].
  destruct (Q_dec (x 0%nat) 0) as [[L|L]|E].
  - right. left. left. lra.
  - left. left. lra.
  - destruct (IH (tail x)) as [H|[H|H]].
    + left. right. auto.
    + right. left. right. split; [lra|assumption].
    + right. right. intros [|i] Hi; [assumption|]. apply H. lia.
Qed.

(** Whether some l >= 0 satisfies |w + l c| <= e for a few (w, c, e): what is asked of the multiplier of a disc
    that slides. The least one that can serve is 0 or the lower end of one of the intervals. *)

From Etalon Require Export Sums.
From Etalon Require Import BackwardError.

Definition meets (l : Q) (k : Q * Q * Q) : bool :=
  match k with (w, c, e) => Qle_bool (Qabs (w + l * c)) e end.
Definition lowest (k : Q * Q * Q) : Q :=
  match k with (w, c, e) =>
    if positive c then (- e - w) / c else if negative c then (e - w) / c else 0
  end.
Definition feasible (ks : list (Q * Q * Q)) : bool :=
  existsb (fun l => Qle_bool 0 l && forallb (meets l) ks) (0 :: map lowest ks).

Lemma list_largest (l : list Q) x : exists y, In y (x :: l) /\ forall t, In t (x :: l) -> t <= y.
Proof.
  revert x. induction l as [|z l IH]; intros x.
  - exists x. split; [now left|]. intros t [->|[]]. lra.
  - destruct (IH z) as (y & I & H). destruct (Qlt_le_dec y x) as [L|L].
    + exists x. split; [now left|]. intros t [->|T]; [lra|]. specialize (H t T). lra.
    + exists y. split; [now right|]. intros t [->|T]; [assumption|auto].
Qed.

Lemma meets_between k l t :
  lowest k <= l -> l <= t -> meets t k = true -> meets l k = true.
Proof.
  destruct k as [[w c] e]. unfold meets, lowest. rewrite !Qle_bool_iff, !abs_le. intros L T [H1 H2].
  destruct (positive c) eqn:P; [|destruct (negative c) eqn:N].
  - apply positive_true in P. assert ((- e - w) / c * c == - e - w) by (field; lra). split; nra.
  - apply negative_true in N. assert ((e - w) / c * c == e - w) by (field; lra). split; nra.
  - assert (E : c == 0).
    { apply not_true_iff_false in P. rewrite positive_true in P. apply not_true_iff_false in N.
      rewrite negative_true in N. lra. }
    rewrite E in *. split; lra.
Qed.

Lemma lowest_below k t : 0 <= t -> meets t k = true -> lowest k <= t.
Proof.
  destruct k as [[w c] e]. unfold meets, lowest. rewrite Qle_bool_iff, abs_le. intros T [H1 H2].
  destruct (positive c) eqn:P; [|destruct (negative c) eqn:N]; [| |assumption].
  - apply positive_true in P. apply Qle_shift_div_r; [assumption|lra].
  - apply negative_true in N. setoid_replace ((e - w) / c) with ((w - e) / - c) by (field; lra).
    apply Qle_shift_div_r; [lra|]. lra.
Qed.

Lemma feasible_correct ks :
  feasible ks = true <-> exists l, 0 <= l /\ forall k, In k ks -> meets l k = true.
Proof.
  unfold feasible. rewrite existsb_exists. split.
  - intros (l & _ & H). rewrite andb_true_iff, Qle_bool_iff, forallb_forall in H. eauto.
  - intros (t & T & H). destruct (list_largest (map lowest ks) 0) as (l & I & G).
    exists l. split; [assumption|]. rewrite andb_true_iff, Qle_bool_iff, forallb_forall.
    split; [apply G; now left|]. intros k K. apply (meets_between k l t); auto.
    + apply G. right. now apply in_map.
    + destruct I as [<-|I]; [assumption|]. apply in_map_iff in I. destruct I as (k' & <- & I).
      apply lowest_below; auto.
Qed.

(** Whether some l >= 0 satisfies a l <= b for a few (a, b): what is asked of the multiplier of a disc that
    slides. The least one that can serve is 0 or one of the b / a with a < 0. *)

From Etalon Require Export Sums.
From Etalon Require Import BackwardError.

Definition meets (l : Q) (c : Q * Q) : bool := Qle_bool (fst c * l) (snd c).
Definition lowest (c : Q * Q) : Q := if negative (fst c) then snd c / fst c else 0.
Definition feasible (cs : list (Q * Q)) : bool :=
  existsb (fun l => Qle_bool 0 l && forallb (meets l) cs) (0 :: map lowest cs).

Definition meets_all (l : Q) (cs : list (Q * Q)) : Prop := forall c, In c cs -> fst c * l <= snd c.

Lemma meets_all_true l cs : forallb (meets l) cs = true <-> meets_all l cs.
Proof.
  unfold meets_all. rewrite forallb_forall. split; intros H c I; specialize (H c I);
    unfold meets in *; now apply Qle_bool_iff.
Qed.

Lemma meets_all_app l cs ds : meets_all l (cs ++ ds) <-> meets_all l cs /\ meets_all l ds.
Proof.
  unfold meets_all. split.
  - intros H. split; intros c I; apply H, in_app_iff; auto.
  - intros [A B] c I. apply in_app_iff in I. destruct I; auto.
Qed.

Lemma list_largest (l : list Q) x : exists y, In y (x :: l) /\ forall t, In t (x :: l) -> t <= y.
Proof.
  revert x. induction l as [|z l IH]; intros x.
  - exists x. split; [now left|]. intros t [->|[]]. lra.
  - destruct (IH z) as (y & I & H). destruct (Qlt_le_dec y x) as [L|L].
    + exists x. split; [now left|]. intros t [->|T]; [lra|]. specialize (H t T). lra.
    + exists y. split; [now right|]. intros t [->|T]; [assumption|auto].
Qed.

Lemma meets_between c l t :
  lowest c <= l -> l <= t -> fst c * t <= snd c -> fst c * l <= snd c.
Proof.
  destruct c as [a b]. unfold lowest. cbn [fst snd]. intros L T H. destruct (negative a) eqn:N.
  - apply negative_true in N. assert (b / a * a == b) by (field; lra). nra.
  - apply not_true_iff_false in N. rewrite negative_true in N. nra.
Qed.

Lemma lowest_below c t : 0 <= t -> fst c * t <= snd c -> lowest c <= t.
Proof.
  destruct c as [a b]. unfold lowest. cbn [fst snd]. intros T H. destruct (negative a) eqn:N; [|assumption].
  apply negative_true in N. setoid_replace (b / a) with (- b / - a) by (field; lra).
  apply Qle_shift_div_r; lra.
Qed.

Lemma feasible_correct cs : feasible cs = true <-> exists l, 0 <= l /\ meets_all l cs.
Proof.
  unfold feasible. rewrite existsb_exists. split.
  - intros (l & _ & H). rewrite andb_true_iff, Qle_bool_iff, meets_all_true in H. eauto.
  - intros (t & T & H). destruct (list_largest (map lowest cs) 0) as (l & I & G).
    exists l. split; [assumption|]. rewrite andb_true_iff, Qle_bool_iff, meets_all_true.
    split; [apply G; now left|]. intros c K. apply (meets_between c l t); auto.
    + apply G. right. now apply in_map.
    + destruct I as [<-|I]; [assumption|]. apply in_map_iff in I. destruct I as (d & <- & I).
      apply lowest_below; auto.
Qed.

(** |w + l c| <= e. *)
Definition in_reach (w c e : Q) : list (Q * Q) := [(c, e - w); (- c, e + w)].

Lemma in_reach_correct w c e l : meets_all l (in_reach w c e) <-> Qabs (w + l * c) <= e.
Proof.
  unfold meets_all, in_reach. rewrite abs_le. split.
  - intros H. pose proof (H _ (or_introl eq_refl)) as A. pose proof (H _ (or_intror (or_introl eq_refl))) as B.
    cbn [fst snd] in *. lra.
  - intros [A B] d [<-|[<-|[]]]; cbn [fst snd]; lra.
Qed.

(** What is asked for each of the first [n] rows. *)
Definition each_row (n : nat) (f : nat -> list (Q * Q)) : list (Q * Q) := flat_map f (seq 0 n).

Lemma each_row_correct n f l :
  meets_all l (each_row n f) <-> forall k, (k < n)%nat -> meets_all l (f k).
Proof.
  unfold meets_all, each_row. split.
  - intros H k Hk c I. apply H, in_flat_map. exists k. split; [apply in_seq; lia|assumption].
  - intros H c I. apply in_flat_map in I. destruct I as (k & S & I). apply in_seq in S. apply (H k); [lia|assumption].
Qed.

(** ** A sum of the larger ones of two linear functions of l is the largest of the sums with a choice in each term. *)
Definition larger (x y : Q) : Q := if Qle_bool x y then y else x.
Definition smaller (x y : Q) : Q := if Qle_bool x y then x else y.

Lemma larger_most x y z : larger x y <= z <-> x <= z /\ y <= z.
Proof.
  unfold larger. destruct (Qle_bool x y) eqn:E.
  - apply Qle_bool_iff in E. lra.
  - apply Qle_bool_false in E. lra.
Qed.

Lemma smaller_least x y z : z <= smaller x y <-> z <= x /\ z <= y.
Proof.
  unfold smaller. destruct (Qle_bool x y) eqn:E.
  - apply Qle_bool_iff in E. lra.
  - apply Qle_bool_false in E. lra.
Qed.

Lemma larger_opposite x y : larger (- x) (- y) == - smaller x y.
Proof.
  unfold larger, smaller. destruct (Qle_bool (- x) (- y)) eqn:E, (Qle_bool x y) eqn:F; try reflexivity.
  - apply Qle_bool_iff in E. apply Qle_bool_iff in F. lra.
  - apply Qle_bool_false in E. apply Qle_bool_false in F. lra.
Qed.

(** Linear functions of l as (slope, constant). *)
Definition at_ (l : Q) (f : Q * Q) : Q := fst f * l + snd f.

Fixpoint choices (n : nat) (f g : nat -> Q * Q) : list (Q * Q) :=
  match n with
  | O => [(0, 0)]
  | S k => flat_map (fun t => [(fst (f k) + fst t, snd (f k) + snd t); (fst (g k) + fst t, snd (g k) + snd t)])
             (choices k f g)
  end.

Lemma choices_correct n f g l X :
  (forall t, In t (choices n f g) -> at_ l t <= X)
  <-> sum n (fun k => larger (at_ l (f k)) (at_ l (g k))) <= X.
Proof.
  revert X. induction n as [|n IH]; intros X.
  - simpl. split; [intros H; specialize (H _ (or_introl eq_refl))|intros H t [<-|[]]]; unfold at_ in *; simpl in *; lra.
  - simpl sum. set (S := sum n _) in *.
    assert (E : S + larger (at_ l (f n)) (at_ l (g n)) <= X <-> S <= X - at_ l (f n) /\ S <= X - at_ l (g n)).
    { pose proof (larger_most (at_ l (f n)) (at_ l (g n)) (X - S)) as M. split.
      - intros H. assert (H' : larger (at_ l (f n)) (at_ l (g n)) <= X - S) by lra. apply M in H'. lra.
      - intros H. assert (H' : larger (at_ l (f n)) (at_ l (g n)) <= X - S) by (apply M; lra). lra. }
    rewrite E, <- !IH. simpl choices. split.
    + intros H. split; intros t I.
      * assert (J := H (fst (f n) + fst t, snd (f n) + snd t)). unfold at_ in *. cbn [fst snd] in J.
        assert (K := J ltac:(apply in_flat_map; exists t; split; [assumption|now left])). lra.
      * assert (J := H (fst (g n) + fst t, snd (g n) + snd t)). unfold at_ in *. cbn [fst snd] in J.
        assert (K := J ltac:(apply in_flat_map; exists t; split; [assumption|right; now left])). lra.
    + intros [A B] t I. apply in_flat_map in I. destruct I as (t' & I & [<-|[<-|[]]]).
      * specialize (A t' I). unfold at_ in *. cbn [fst snd]. lra.
      * specialize (B t' I). unfold at_ in *. cbn [fst snd]. lra.
Qed.

(** ** Numbers of intervals with a given sum: there are some if it is between the sums of the ends. *)
Lemma between_sums n x y T :
  (forall k, (k < n)%nat -> x k <= y k) -> sum n x <= T -> T <= sum n y ->
  exists t, (forall k, (k < n)%nat -> x k <= t k /\ t k <= y k) /\ sum n t == T.
Proof.
  intros H A B. destruct (Qlt_le_dec (sum n x) (sum n y)) as [L|L].
  - set (theta := (T - sum n x) / (sum n y - sum n x)).
    assert (T0 : 0 <= theta) by (unfold theta; apply Qle_shift_div_l; lra).
    assert (T1 : theta <= 1) by (unfold theta; apply Qle_shift_div_r; lra).
    exists (fun k => x k + theta * (y k - x k)). split.
    + intros k Hk. specialize (H k Hk). split; nra.
    + rewrite sum_plus, sum_scale, sum_minus. unfold theta. field. lra.
  - exists x. split; [|lra]. intros k Hk. specialize (H k Hk). lra.
Qed.

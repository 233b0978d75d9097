(** The numbers l >= 0 with a l <= b for a few (a, b) are an interval; and a sum of numbers of intervals takes all values
    between the sums of their ends. So discs of one contact, which share only the sum of their multipliers, are decided
    by these sums (book: "Friction cones", theorem 2). *)

From Etalon Require Export Feasible.
From Etalon Require Import BackwardError.

(** The lower end, and the upper one where there is one. No lower end is below 0. *)
Definition interval := (Q * option Q)%type.
Definition in_interval (l : Q) (i : interval) : Prop := fst i <= l /\ match snd i with None => True | Some h => l <= h end.
Definition is_proper (i : interval) : bool := match snd i with None => true | Some h => Qle_bool (fst i) h end.

Fixpoint interval_of (cs : list (Q * Q)) : option interval :=
  match cs with
  | [] => Some (0, None)
  | (a, b) :: rest =>
      match interval_of rest with
      | None => None
      | Some (l, h) =>
          if negative a then Some (larger l (b / a), h)
          else if positive a then Some (l, Some (match h with None => b / a | Some h => smaller h (b / a) end))
          else if Qle_bool 0 b then Some (l, h) else None
      end
  end.

Definition in_some (l : Q) (i : option interval) : Prop := match i with None => False | Some i => in_interval l i end.

Lemma negative_slope a b l : a < 0 -> (a * l <= b <-> b / a <= l).
Proof.
  intros A. assert (E : b / a * a == b) by (field; lra). split; intros H.
  - setoid_replace (b / a) with (- b / - a) by (field; lra). apply Qle_shift_div_r; lra.
  - nra.
Qed.

Lemma positive_slope a b l : 0 < a -> (a * l <= b <-> l <= b / a).
Proof.
  intros A. assert (E : b / a * a == b) by (field; lra). split; intros H; [|nra].
  apply Qle_shift_div_l; lra.
Qed.

Lemma meets_all_cons l c cs : meets_all l (c :: cs) <-> fst c * l <= snd c /\ meets_all l cs.
Proof.
  unfold meets_all. split.
  - intros H. split; [apply H; now left|]. intros d I. apply H. now right.
  - intros [A B] d [<-|I]; auto.
Qed.

Lemma interval_of_correct cs l : in_some l (interval_of cs) <-> 0 <= l /\ meets_all l cs.
Proof.
  induction cs as [|[a b] cs IH]; cbn [interval_of].
  - split; [intros [A _]; split; [exact A|intros c []]|intros [A _]; split; [exact A|exact I]].
  - rewrite meets_all_cons. cbn [fst snd].
    assert (E : 0 <= l /\ a * l <= b /\ meets_all l cs <-> in_some l (interval_of cs) /\ a * l <= b) by (rewrite IH; tauto).
    rewrite E. destruct (interval_of cs) as [[x h]|]; [|simpl; tauto]. clear IH E.
    destruct (negative a) eqn:N; [|destruct (positive a) eqn:Pos].
    + apply negative_true in N. rewrite negative_slope by assumption. unfold in_some, in_interval. cbn [fst snd].
      rewrite larger_most. tauto.
    + apply positive_true in Pos. rewrite positive_slope by assumption. unfold in_some, in_interval. cbn [fst snd].
      destruct h as [h|]; [rewrite smaller_least|]; tauto.
    + apply not_true_iff_false in N. rewrite negative_true in N. apply not_true_iff_false in Pos.
      rewrite positive_true in Pos. assert (Z : a * l == 0) by (setoid_replace a with 0 by lra; ring).
      destruct (Qle_bool 0 b) eqn:B.
      * apply Qle_bool_iff in B. unfold in_some. rewrite Z. tauto.
      * apply Qle_bool_false in B. unfold in_some. rewrite Z. split; [tauto|]. intros [_ H]. lra.
Qed.

Lemma proper_inhabited i : is_proper i = true <-> exists l, in_interval l i.
Proof.
  destruct i as [l [h|]]; unfold is_proper, in_interval; cbn [fst snd].
  - rewrite Qle_bool_iff. split; [intros H; exists l; lra|intros (x & H); lra].
  - split; [intros _; exists l; split; [lra|exact I]|reflexivity].
Qed.

(** ** Sums of intervals. *)
Section Sum.
Variables (n : nat) (i : nat -> interval).

Definition lowest_sum : Q := sum n (fun k => fst (i k)).
Definition has_no_end (k : nat) : bool := match snd (i k) with None => true | Some _ => false end.
Definition highest_sum : Q := sum n (fun k => match snd (i k) with None => fst (i k) | Some h => h end).

(** Whether the sum can be between x and y. *)
Definition sum_meets (x y : Q) : bool :=
  Qle_bool lowest_sum y && (negb (all n (fun k => negb (has_no_end k))) || Qle_bool x highest_sum).

Lemma some_has_no_end : all n (fun k => negb (has_no_end k)) = false -> exists k, (k < n)%nat /\ has_no_end k = true.
Proof.
  induction n as [|k IH]; simpl; [discriminate|]. rewrite andb_false_iff, negb_false_iff. intros [H|H].
  - exists k. split; [lia|assumption].
  - destruct (IH H) as (j & Hj & E). exists j. split; [lia|assumption].
Qed.

Lemma sum_meets_correct x y :
  (forall k, (k < n)%nat -> is_proper (i k) = true) -> x <= y ->
  (sum_meets x y = true <-> exists l, (forall k, (k < n)%nat -> in_interval (l k) (i k)) /\ x <= sum n l /\ sum n l <= y).
Proof.
  intros Pr XY. unfold sum_meets. rewrite andb_true_iff, orb_true_iff, negb_true_iff, !Qle_bool_iff. split.
  - intros [A B].
    (* An interval without an end is cut where the sum is large enough. *)
    set (pad := larger 0 (x - lowest_sum)).
    assert (P0 : 0 <= pad /\ x - lowest_sum <= pad) by (apply larger_most; unfold pad; lra).
    set (top := fun k => match snd (i k) with None => fst (i k) + pad | Some h => h end).
    assert (T : forall k, (k < n)%nat -> fst (i k) <= top k).
    { intros k Hk. specialize (Pr k Hk). unfold top, is_proper in *. destruct (snd (i k)); [now apply Qle_bool_iff|lra]. }
    assert (X : x <= sum n top).
    { destruct B as [B|B].
      - destruct (some_has_no_end B) as (e & He & E).
        assert (lowest_sum + pad <= sum n top); [|lra]. unfold lowest_sum.
        rewrite <- (sum_unit n e (fun _ => pad) He), <- sum_plus. apply sum_le. intros k Hk.
        destruct (Nat.eq_dec k e) as [->|N].
        + rewrite unit_same. unfold top, has_no_end in *. destruct (snd (i e)); [discriminate|lra].
        + rewrite unit_other by assumption. specialize (T k Hk). lra.
      - eapply Qle_trans; [exact B|]. apply sum_le. intros k Hk. unfold top.
        destruct (snd (i k)); lra. }
    destruct (between_sums n (fun k => fst (i k)) top (larger x lowest_sum)) as (t & Ht & S).
    + exact T.
    + assert (Z := proj1 (larger_most x lowest_sum (larger x lowest_sum)) ltac:(lra)). unfold lowest_sum in *. lra.
    + apply larger_most. split; [exact X|]. apply sum_le. exact T.
    + exists t. split; [|split].
      * intros k Hk. destruct (Ht k Hk) as [L U]. split; [exact L|]. unfold top in U. destruct (snd (i k)); [exact U|exact I].
      * rewrite S. apply (larger_most x lowest_sum). lra.
      * rewrite S. apply larger_most. split; assumption.
  - intros (l & H & A & B). split.
    + eapply Qle_trans; [|exact B]. apply sum_le. intros k Hk. apply (H k Hk).
    + destruct (all n (fun k => negb (has_no_end k))) eqn:E; [right|now left]. rewrite all_true in E.
      eapply Qle_trans; [exact A|]. apply sum_le. intros k Hk. specialize (E k Hk). destruct (H k Hk) as [_ U].
      unfold has_no_end in E. destruct (snd (i k)); [exact U|discriminate].
Qed.
End Sum.

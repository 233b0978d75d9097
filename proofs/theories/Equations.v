(** Linear equations in fractions, whose rank is found in integers: the bridge between the two. *)

From Etalon Require Export Rank.

(** Numerator and denominator of the reduced fraction. *)
Definition znum (x : Q) : Z := Qnum (Qred x).
Definition zden (x : Q) : Z := Zpos (Qden (Qred x)).

Lemma zden_positive x : (0 < zden x)%Z.
Proof. reflexivity. Qed.

Lemma znum_zden x : inject_Z (znum x) == inject_Z (zden x) * x.
Proof.
  unfold znum, zden. rewrite <- (Qred_correct x) at 3. destruct (Qred x) as [n d].
  unfold inject_Z, Qeq, Qmult. cbn [Qnum Qden]. rewrite Pos.mul_1_l. lia.
Qed.

(** The least common denominator of a list, and a number times it. *)
Definition common (l : list Q) : Z := fold_right (fun x D => Z.lcm (zden x) D) 1%Z l.
Definition cleared (D : Z) (x : Q) : Z := (znum x * (D / zden x))%Z.
Definition clear (l : list Q) : list Z := let D := common l in map (cleared D) l.

Lemma common_positive l : (0 < common l)%Z.
Proof.
  induction l as [|x l IH]; simpl; [lia|]. pose proof (zden_positive x).
  pose proof (Z.lcm_nonneg (zden x) (common l)).
  assert (Z.lcm (zden x) (common l) <> 0)%Z by (rewrite Z.lcm_eq_0; lia). lia.
Qed.

Lemma common_divides l x : In x l -> (zden x | common l)%Z.
Proof.
  induction l as [|y l IH]; simpl; [tauto|]. intros [->|H].
  - apply Z.divide_lcm_l.
  - eapply Z.divide_trans; [apply IH; assumption|apply Z.divide_lcm_r].
Qed.

Lemma cleared_value D x : (zden x | D)%Z -> inject_Z (cleared D x) == inject_Z D * x.
Proof.
  intros [c ->]. unfold cleared. pose proof (zden_positive x).
  rewrite Z.div_mul by lia. rewrite !inject_Z_mult, znum_zden. ring.
Qed.

(** Products of lists. *)
Fixpoint qdot (r d : list Q) : Q :=
  match r, d with x :: r', y :: d' => x * y + qdot r' d' | _, _ => 0 end.

Lemma zdot_cleared D E r d :
  (forall x, In x r -> (zden x | D)%Z) -> (forall x, In x d -> (zden x | E)%Z) ->
  inject_Z (zdot (map (cleared D) r) (map (cleared E) d)) == inject_Z D * inject_Z E * qdot r d.
Proof.
  revert d. induction r as [|x r IH]; intros d Hr Hd; [simpl; ring|].
  destruct d as [|y d]; [simpl; ring|]. simpl in *.
  rewrite inject_Z_plus, inject_Z_mult, IH by auto. rewrite !cleared_value by auto. ring.
Qed.

(** The first n values of a function, as a list. *)
Definition table {T} (n : nat) (f : nat -> T) : list T := map f (seq 0 n).

Lemma table_length {T} n (f : nat -> T) : length (table n f) = n.
Proof. unfold table. rewrite length_of_map. apply length_of_seq. Qed.

Lemma table_in {T} n (f : nat -> T) i : (i < n)%nat -> In (f i) (table n f).
Proof. intros H. apply in_map, in_seq. lia. Qed.

Lemma qdot_app r1 r2 d1 d2 :
  length r1 = length d1 -> qdot (r1 ++ r2) (d1 ++ d2) == qdot r1 d1 + qdot r2 d2.
Proof.
  revert d1. induction r1 as [|x r1 IH]; intros [|y d1] E; try discriminate; simpl; [ring|].
  rewrite IH by (simpl in E; congruence). ring.
Qed.

Lemma qdot_table n f d : qdot (table n f) (table n d) == sum n (fun j => f j * d j).
Proof.
  induction n as [|n IH]; [reflexivity|]. unfold table in *. rewrite seq_S, !map_app.
  rewrite qdot_app by (now rewrite !length_of_map). simpl. rewrite IH. ring.
Qed.

Lemma clear_length n (f : nat -> Q) : length (clear (table n f)) = n.
Proof. unfold clear. cbv zeta. rewrite length_of_map. apply table_length. Qed.

(** ** Equations sum over j of f j * d j = 0, of which d = 0 is the only solution. *)
Definition full_rank (m : Z) (inverse : Z -> Z) (n : nat) (equations : list (nat -> Q)) : bool :=
  (1 <? m)%Z && no_kernel m inverse n (map (fun f => clear (table n f)) equations).

Theorem full_rank_sound m inverse n equations d :
  full_rank m inverse n equations = true ->
  (forall f, In f equations -> sum n (fun j => f j * d j) == 0) -> forall j, (j < n)%nat -> d j == 0.
Proof.
  unfold full_rank. rewrite andb_true_iff, Z.ltb_lt. intros [Hm K] H.
  assert (F : Forall (fun x => x = 0%Z) (clear (table n d))).
  { apply (no_kernel_integers m inverse n (map (fun f => clear (table n f)) equations)); auto.
    - intros row Hr. apply in_map_iff in Hr. destruct Hr as (f & <- & _). apply clear_length.
    - apply clear_length.
    - intros row Hr. apply in_map_iff in Hr. destruct Hr as (f & <- & Hf).
      unfold clear. cbv zeta.
      pose proof (zdot_cleared (common (table n f)) (common (table n d)) (table n f) (table n d)
        (common_divides _) (common_divides _)) as E.
      rewrite qdot_table, (H f Hf) in E.
apply inject_Z_injective. etransitivity; [exact E|]. change (inject_Z 0) with 0. ring. }
  intros j Hj. unfold clear in F. cbv zeta in F. rewrite Forall_forall in F.
  specialize (F (cleared (common (table n d)) (d j))
    ltac:(apply in_map, table_in; assumption)).
  pose proof (cleared_value _ _ (common_divides _ _ (table_in n d j Hj))) as E.
  rewrite F in E. pose proof (common_positive (table n d)) as P.
  destruct (Qmult_integral (inject_Z (common (table n d))) (d j)) as [G|G]; [now symmetry| |assumption].
  assert (common (table n d) = 0%Z) by (apply inject_Z_injective; exact G). lia.
Qed.

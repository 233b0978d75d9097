(** No two ratios are equal: where anything stops the entering variable, one basic variable alone has the
    lexicographically least ratio. So Lemke's path goes on from every basis but one that ends it. *)

From Etalon Require Export Lemke.

Section Ratio.
Variable n : nat.
Variable M : nat -> nat -> Q.
Variables q d : nat -> Q.
Variables (B : basis) (T R : nat -> nat -> Q).
Hypothesis D : dictionary n M d B T R.

(** The right side for which given values of all variables solve the system. *)
Definition right_side (x : nat -> Q) (i : nat) : Q :=
  x i - sum n (fun j => M i j * x (n + j)%nat) - d i * x (artificial n).

Lemma right_side_solves x : system n M d (right_side x) x.
Proof. intros i _. unfold right_side. ring. Qed.

(** Rows of the inverse of a basis are not proportional. *)
Lemma rows_differ b c t :
  (b < variables n)%nat -> (c < variables n)%nat -> B b = true -> B c = true -> b <> c ->
  ~ (forall i, (i < n)%nat -> R b i == t * R c i).
Proof.
  intros Hb Hc Bb Bc N P. set (x := unit b). pose proof (proj1 (D _ _) (right_side_solves x)) as S.
  assert (Z : forall k, sum (variables n) (nonbasic B (fun j => T k j * x j)) == 0).
  { intros k. apply sum_zero. intros j _. unfold nonbasic, x.
    destruct (Nat.eq_dec j b) as [->|E]; [rewrite Bb; reflexivity|].
    rewrite unit_other by assumption. destruct (B j); ring. }
  pose proof (S b Hb Bb) as S1. pose proof (S c Hc Bc) as S2. rewrite Z in S1, S2.
  unfold x in S1 at 1. rewrite unit_same in S1.
  unfold x in S2 at 1. rewrite unit_other in S2 by congruence.
  rewrite (sum_ext n _ (fun i => t * (R c i * right_side x i))) in S1
    by (intros i Hi; rewrite (P i Hi); ring).
  rewrite sum_scale in S1.
  assert (E : sum n (fun i => R c i * right_side x i) == 0) by lra. rewrite E in S1. lra.
Qed.

Variable e : nat.
Let blocks (b : nat) : Prop := B b = true /\ T b e < 0.

Lemma ratios_differ b c :
  (b < variables n)%nat -> (c < variables n)%nat -> blocks b -> blocks c -> b <> c ->
  lexless (S n) (ratio n q T R e b) (ratio n q T R e c) \/ lexless (S n) (ratio n q T R e c) (ratio n q T R e b).
Proof.
  intros Hb Hc [Bb Tb] [Bc Tc] N. unfold lexless.
  destruct (lexpos_or (S n) (fun i => ratio n q T R e c i - ratio n q T R e b i)) as [H|[H|H]]; [now left| |exfalso].
  - right. eapply lexpos_ext; [|exact H]. intros i _. cbv beta. ring.
  - apply (rows_differ b c (T b e / T c e) Hb Hc Bb Bc N). intros i Hi.
    specialize (H (S i) ltac:(lia)). cbv beta in H. unfold ratio, constants in H. simpl in H.
    assert (E : R b i == R b i / - T b e * - T b e) by (field; lra).
    assert (F : R b i / - T b e == R c i / - T c e) by lra.
    rewrite E, F. field. lra.
Qed.

Lemma lexless_trans k x y z : lexless k x y -> lexless k y z -> lexless k x z.
Proof.
  intros H G. eapply lexpos_ext; [|exact (lexpos_plus k _ _ H G)]. intros i _. cbv beta. ring.
Qed.

(** The least of the ratios below k, if there is one. *)
Lemma least_ratio k : (k <= variables n)%nat ->
  (forall b, (b < k)%nat -> B b = true -> 0 <= T b e) \/
  (exists l, (l < k)%nat /\ blocks l /\ forall b, (b < k)%nat -> blocks b -> b <> l ->
     lexless (S n) (ratio n q T R e l) (ratio n q T R e b)).
Proof.
  induction k as [|k IH]; intros Hk; [left; lia|].
  assert (dec : blocks k \/ (B k = true -> 0 <= T k e)).
  { unfold blocks. destruct (B k); [|right; discriminate].
    destruct (Qlt_le_dec (T k e) 0); [left|right]; auto. }
  destruct (IH ltac:(lia)) as [H|(l & Hl & Kl & H)], dec as [K|K].
  - right. exists k. split; [lia|]. split; [assumption|]. intros b Hb [Bb Tb] N.
    specialize (H b ltac:(lia) Bb). lra.
  - left. intros b Hb Bb. destruct (Nat.eq_dec b k) as [->|]; [auto|]. apply H; [lia|assumption].
  - destruct (ratios_differ l k ltac:(lia) ltac:(lia) Kl K ltac:(lia)) as [L|L].
    + right. exists l. split; [lia|]. split; [assumption|]. intros b Hb Kb N.
      destruct (Nat.eq_dec b k) as [->|]; [assumption|]. apply H; [lia|assumption|assumption].
    + right. exists k. split; [lia|]. split; [assumption|]. intros b Hb Kb N.
      destruct (Nat.eq_dec b l) as [->|]; [assumption|].
      apply (lexless_trans _ _ (ratio n q T R e l)); [assumption|]. apply H; [lia|assumption|assumption].
  - right. exists l. split; [lia|]. split; [assumption|]. intros b Hb Kb N.
    destruct (Nat.eq_dec b k) as [->|].
    + destruct Kb as [Bk Tk]. specialize (K Bk). lra.
    + apply H; [lia|assumption|assumption].
Qed.
End Ratio.

(** From every feasible basis the entering variable leads to another one, or along a ray. *)
Theorem step_or_ray n M q d B e :
  feasible_basis n M q d B -> (e < variables n)%nat -> B e = false ->
  (exists T R, dictionary n M d B T R /\ forall b, (b < variables n)%nat -> B b = true -> 0 <= T b e) \/
  (exists l, lemke_step n M q d B e l (exchange B e l)).
Proof.
  intros (T & R & D & F) He Be.
  destruct (least_ratio n M q d B T R D e (variables n) (le_n _)) as [H|(l & Hl & [Bl Tl] & H)].
  - left. exists T, R. auto.
  - right. exists l. split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [assumption|].
    split; [intros j Hj; reflexivity|]. exists T, R. split; [assumption|]. split; [assumption|].
    intros b Hb Bb N Tb. apply H; auto.
Qed.

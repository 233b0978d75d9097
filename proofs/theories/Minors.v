(** P-matrices without determinants: M reverses the sign of no vector if and only if a diagonal
    entry is positive and both the block without its row and column, and the Schur complement of the
    entry, are of the same kind (Tsatsomeros and Li 2000). *)

From Etalon Require Export Exists.

Fixpoint inP (n : nat) (A : nat -> nat -> Q) : Prop :=
  match n with
  | O => True
  | S k => 0 < A 0%nat 0%nat /\ inP k (block A) /\ inP k (schur A)
  end.

Lemma inP_ext n : forall A B, same_matrix n A B -> inP n A -> inP n B.
Proof.
  induction n as [|n IH]; intros A B E H; [exact I|]. destruct H as (P & HB & HS).
  assert (E0 : forall i j, (i < S n)%nat -> (j < S n)%nat -> B i j == A i j)
    by (intros; symmetry; apply E; assumption).
  split; [rewrite E0 by lia; assumption|split].
  - apply (IH (block A)); [|assumption]. intros i j Hi Hj. apply E; lia.
  - apply (IH (schur A)); [|assumption]. intros i j Hi Hj. unfold schur.
    rewrite !E0 by lia. reflexivity.
Qed.

(** A positive factor changes nothing. *)
Lemma inP_scale n : forall c A, 0 < c -> inP n A -> inP n (fun i j => c * A i j).
Proof.
  induction n as [|n IH]; intros c A C H; [exact I|]. destruct H as (P & HB & HS).
  split; [nra|split].
  - apply (IH c (block A)); assumption.
  - apply (inP_ext n (fun i j => c * schur A i j)); [|now apply IH].
    intros i j Hi Hj. unfold schur. field. split; [nra|lra].
Qed.

(** No reversal: in P. *)
Theorem no_reversal_inP n : forall A, no_reversal n A -> inP n A.
Proof.
  induction n as [|n IH]; intros A N; [exact I|]. split; [|split].
  - now apply (no_reversal_pivot n).
  - apply IH. now apply no_reversal_block.
  - apply IH. now apply no_reversal_schur.
Qed.

(** ** P is closed under segments of rank one. *)
Definition less_rank_one (A : nat -> nat -> Q) (t : Q) (u v : nat -> Q) i j := A i j - t * (u i * v j).

Lemma between_positive p s t : 0 < p -> 0 < p - s -> 0 <= t -> t <= 1 -> 0 < p - t * s.
Proof.
  intros P S T0 T1. destruct (Qlt_le_dec 0 t) as [L|L].
  - assert (0 < t * (p - s)) by nra. assert (0 <= (1 - t) * p) by nra. lra.
  - assert (E : t == 0) by lra. rewrite E. lra.
Qed.

Lemma schur_segment A t u v :
  let p := A 0%nat 0%nat in let s := u 0%nat * v 0%nat in
  0 < p -> 0 < p - s -> 0 <= t -> t <= 1 -> forall i j,
  schur (less_rank_one A t u v) i j
  == less_rank_one (schur A) (t * (p - s) / (p - t * s))
       (fun i => (p * u (S i) - A (S i) 0%nat * u 0%nat) / p)
       (fun j => (p * v (S j) - v 0%nat * A 0%nat (S j)) / (p - s)) i j.
Proof.
  intros p s P S T0 T1 i j. unfold schur, less_rank_one.
  assert (D : 0 < p - t * s) by (apply between_positive; assumption). unfold s in *. fold p.
  field. repeat split; lra.
Qed.

Lemma segment n : forall A u v t,
  inP n A -> inP n (less_rank_one A 1 u v) -> 0 <= t -> t <= 1 -> inP n (less_rank_one A t u v).
Proof.
  induction n as [|n IH]; intros A u v t H H1 T0 T1; [exact I|].
  destruct H as (P & HB & HS), H1 as (P1 & HB1 & HS1).
  set (p := A 0%nat 0%nat) in *. set (s := u 0%nat * v 0%nat).
  assert (PS : 0 < p - s) by (unfold less_rank_one in P1; fold p s in P1; lra).
  assert (D : 0 < p - t * s) by (apply between_positive; assumption).
  split; [|split].
  - unfold less_rank_one. fold p s. lra.
  - apply (IH (block A) (fun i => u (S i)) (fun j => v (S j))); assumption.
  - eapply inP_ext.
    { intros i j _ _. symmetry. apply (schur_segment A t u v); assumption. }
    apply IH; [assumption| | |].
    + eapply inP_ext; [|exact HS1]. intros i j _ _.
      pose proof (schur_segment A 1 u v P PS ltac:(lra) ltac:(lra) i j) as E.
      fold p s in E. rewrite E. unfold less_rank_one. fold p s. field. repeat split; lra.
    + fold p s. apply Qle_shift_div_l; [assumption|]. nra.
    + fold p s. apply Qle_shift_div_r; [assumption|]. nra.
Qed.

Lemma square_positive x : ~ x == 0 -> 0 < x * x.
Proof. intros N. destruct (Q_dec x 0) as [[?|?]|?]; [nra|nra|contradiction]. Qed.

(** In P: no reversal. A vector that is reversed is reversed by the block, by the Schur complement,
    or by a matrix between the two. *)
Theorem inP_no_reversal n : forall A, inP n A -> no_reversal n A.
Proof.
  induction n as [|n IH]; intros A H x R i Hi; [lia|]. destruct H as (P & HB & HS).
  set (p := A 0%nat 0%nat) in *. set (x0 := x 0%nat).
  set (g := sum n (fun j => A 0%nat (S j) * x (S j))).
  assert (R0 : x0 * (p * x0 + g) <= 0).
  { specialize (R 0%nat ltac:(lia)). rewrite mv_first in R. fold p x0 g in R. exact R. }
  (* If the tail of x vanishes, so does x. *)
  assert (enough : (forall k, (k < n)%nat -> tail x k == 0) -> x i == 0).
  { intros T. assert (G : g == 0).
    { apply sum_zero. intros j Hj. specialize (T j Hj). unfold tail in T. rewrite T. lra. }
    assert (x0 == 0).
    { rewrite G in R0. destruct (Qeq_dec x0 0) as [|E]; [assumption|exfalso].
      pose proof (square_positive x0 E). assert (0 < p * (x0 * x0)) by nra. lra. }
    destruct i as [|i]; [assumption|]. apply T. lia. }
  apply enough. clear enough i Hi.
  assert (RS : forall k, (k < n)%nat ->
    tail x k * (A (S k) 0%nat * x0 + sum n (fun j => A (S k) (S j) * tail x j)) <= 0).
  { intros k Hk. specialize (R (S k) ltac:(lia)). rewrite mv_first in R. exact R. }
  assert (key : forall t, 0 <= t -> t <= 1 -> p * x0 == - t * g -> forall k, (k < n)%nat -> tail x k == 0).
  { intros t T0 T1 E.
    set (u := fun i => A (S i) 0%nat). set (v := fun j => A 0%nat (S j) / p).
    assert (PT : inP n (less_rank_one (block A) t u v)).
    { apply segment; try assumption. eapply inP_ext; [|exact HS]. intros i j _ _.
      unfold less_rank_one, schur, block, u, v. fold p. field. lra. }
    apply (IH _ PT). intros k Hk.
    assert (F : mv n (less_rank_one (block A) t u v) (tail x) k ==
      A (S k) 0%nat * x0 + sum n (fun j => A (S k) (S j) * tail x j)).
    { unfold mv, less_rank_one.
      rewrite (sum_ext n _ (fun j => A (S k) (S j) * tail x j - (t * u k / p) * (A 0%nat (S j) * x (S j))))
        by (intros; unfold block, v, tail; field; lra).
      rewrite sum_minus, sum_scale. fold g. unfold u.
      setoid_replace x0 with (- t * g / p) by (rewrite <- E; field; lra). field. lra. }
    rewrite F. auto. }
  destruct (Qeq_dec x0 0) as [E|E]; [apply (key 0); try lra; rewrite E; lra|].
  pose proof (square_positive x0 E) as X2. assert (PX : 0 < p * (x0 * x0)) by nra.
  assert (GX : x0 * g < 0) by lra.
  assert (G : ~ g == 0) by (intros G; rewrite G in GX; lra).
  (* t = - p x_0 / g, times x_0 above and below. *)
  set (t := p * (x0 * x0) / (- (x0 * g))).
  assert (Ht : t * - (x0 * g) == p * (x0 * x0)) by (unfold t; field; auto).
  apply (key t).
  - unfold t. apply Qle_shift_div_l; lra.
  - unfold t. apply Qle_shift_div_r; lra.
  - unfold t. field. auto.
Qed.

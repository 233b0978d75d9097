(** Two more proofs that M reverses the sign of no vector: diagonal dominance with weights, and all
    principal minors. *)

From Etalon Require Export Classes.

(** ** M_ii d_i > sum over j other than i of |M_ij| d_j, for weights d > 0. *)
Definition off_diagonal n (A : nat -> nat -> Q) (d : nat -> Q) i : Q :=
  sum n (fun j => if Nat.eqb i j then 0 else Qabs (A i j) * d j).

Definition check_dominant (d : nat -> Q) n A : bool :=
  all n (fun i => positive (d i)) &&
  all n (fun i => positive (A i i * d i - off_diagonal n A d i)).

(** Of a vector x take the row with the largest |x_i| / d_i: there (Ax)_i has the sign of x_i. *)
Theorem check_dominant_sound d n A : check_dominant d n A = true -> no_reversal n A.
Proof.
  unfold check_dominant. rewrite andb_true_iff, !all_true. intros [D K] x R.
  destruct n as [|n]; [intros i Hi; lia|].
  destruct (largest (S n) (fun i => Qabs (x i) / d i)) as (i & Hi & L); [lia|].
  assert (Di : 0 < d i) by (apply positive_true, D; assumption).
  pose proof (K i Hi) as Ki. apply positive_true in Ki. unfold off_diagonal in Ki.
  set (t := Qabs (x i) / d i) in *.
  assert (T : Qabs (x i) == t * d i) by (unfold t; field; lra).
  assert (T0 : 0 <= t) by (unfold t; apply Qle_shift_div_l; [assumption|]; rewrite Qmult_0_l; apply Qabs_nonneg).
  assert (B : forall j, (j < S n)%nat -> Qabs (x j) <= t * d j).
  { intros j Hj. assert (Dj : 0 < d j) by (apply positive_true, D; assumption).
    specialize (L j Hj). simpl in L. setoid_replace (Qabs (x j)) with (Qabs (x j) / d j * d j) by (field; lra).
    nra. }
  assert (X2 : x i * x i == t * d i * (t * d i)).
  { rewrite <- T, <- Qabs_Qmult. symmetry. apply Qabs_pos. destruct (Qlt_le_dec (x i) 0); nra. }
  assert (low : t * d i * t * (A i i * d i - off_diagonal (S n) A d i) <= x i * mv (S n) A x i).
  { unfold mv, off_diagonal.
    assert (E : t * d i * t * (A i i * d i) == sum (S n) (fun j => unit i j * (t * d i * t * (A i i * d i)))).
    { rewrite (sum_unit (S n) i (fun _ => t * d i * t * (A i i * d i))) by assumption. reflexivity. }
    setoid_replace (t * d i * t * (A i i * d i - sum (S n) (fun j => if Nat.eqb i j then 0 else Qabs (A i j) * d j)))
      with (t * d i * t * (A i i * d i) - t * d i * t * sum (S n) (fun j => if Nat.eqb i j then 0 else Qabs (A i j) * d j)) by ring.
    rewrite E, <- !sum_scale, <- sum_minus. apply sum_le. intros j Hj.
    destruct (Nat.eqb_spec i j) as [<-|N].
    - rewrite unit_same. setoid_replace (x i * (A i i * x i)) with (A i i * (x i * x i)) by ring.
      rewrite X2. ring_simplify. apply Qle_refl.
    - rewrite unit_other by congruence.
      assert (F : Qabs (x i * (A i j * x j)) <= t * d i * t * (Qabs (A i j) * d j)).
      { rewrite !Qabs_Qmult, T. specialize (B j Hj). pose proof (Qabs_nonneg (A i j)).
        pose proof (Qabs_nonneg (x j)).
        assert (0 <= t * d i) by nra.
        assert (Qabs (A i j) * Qabs (x j) <= Qabs (A i j) * (t * d j)) by nra.
        setoid_replace (t * d i * t * (Qabs (A i j) * d j)) with (t * d i * (Qabs (A i j) * (t * d j))) by ring.
        nra. }
      apply Qabs_Qle_condition in F. destruct F as [F _]. lra. }
  specialize (R i Hi). unfold off_diagonal in low.
  assert (TZ : t == 0).
  { destruct (Qlt_le_dec 0 t) as [P|]; [exfalso|lra].
    assert (PT : 0 < t * d i * t) by (apply Qmult_lt_0_compat; [apply Qmult_lt_0_compat|]; assumption).
    pose proof (Qmult_lt_0_compat _ _ PT Ki). lra. }
  intros j Hj. specialize (B j Hj). pose proof (Qabs_nonneg (x j)).
  assert (Z : Qabs (x j) == 0) by (rewrite TZ in B; lra).
  revert Z. apply Qabs_case; intros; lra.
Qed.

(** ** All principal minors, for at most 16 rows. *)
Fixpoint check_inP (n : nat) (previous : Q) (r : rows) : bool :=
  match n, r with
  | O, _ => true
  | S k, (p :: above) :: rest =>
      positive p && check_inP k previous (map without rest) &&
      check_inP k p (map (reduce previous p above) rest)
  | _, _ => false
  end.

Lemma check_inP_sound n : forall previous r,
  square n r -> 0 < previous -> check_inP n previous r = true -> inP n (get r).
Proof.
  induction n as [|n IH]; intros previous r Q R C; [exact I|].
  destruct r as [|[|p above] rest]; try discriminate. simpl in C.
  rewrite !andb_true_iff, positive_true in C. destruct C as [[P CB] CS].
  split; [assumption|split].
  - apply (inP_ext n (get (map without rest))).
    + intros i j _ _. rewrite (get_without (p :: above)). reflexivity.
    + apply (IH previous); [eapply without_square; eassumption|assumption|assumption].
  - apply (inP_ext n (fun i j => previous / p * get (map (reduce previous p above) rest) i j)).
    + intros i j Hi Hj. rewrite (get_reduce n) by assumption. field. lra.
    + apply inP_scale; [apply Qlt_shift_div_l; lra|].
      apply (IH p); [eapply reduce_square; eassumption|assumption|assumption].
Qed.

Definition check_minors (c : Q) n (A : nat -> nat -> Q) : bool :=
  Nat.leb n 16 && positive c && check_inP n 1 (to_rows n (fun i j => c * A i j)).

Theorem check_minors_sound c n A : check_minors c n A = true -> no_reversal n A.
Proof.
  unfold check_minors. rewrite !andb_true_iff, positive_true. intros [[_ C] K].
  apply inP_no_reversal. apply (inP_ext n (fun i j => / c * (c * A i j))).
  { intros i j _ _. field. lra. }
  apply (inP_scale n (/ c) (fun i j => c * A i j)); [now apply Qinv_lt_0_compat|].
  apply (inP_ext n (get (to_rows n (fun i j => c * A i j)))).
  { intros i j Hi Hj. now rewrite get_to_rows. }
  apply (check_inP_sound n 1); [apply to_rows_square|reflexivity|assumption].
Qed.

(** The linear form of a certificate's vector (book: "Certificates", sections "The problem",
    "The form" and "No solution: a Farkas vector"). *)

From Etalon Require Export Problem.

(** ** Facts: what is known of a row. *)
Record facts := {
  LO : bool; (* z is at its lower bound *)
  LE : bool; (* w <= 0 *)
  UP : bool; (* z is at its upper bound *)
  GE : bool  (* w >= 0 *)
}.
Definition state := nat -> facts.

(** z has the facts of a row. *)
Definition has (P : problem) (f : facts) (z : nat -> Q) (i : nat) : Prop :=
  (LO f = true -> at_bound (lo P i) z (z i)) /\ (LE f = true -> w P z i <= 0) /\
  (UP f = true -> at_bound (up P i) z (z i)) /\ (GE f = true -> 0 <= w P z i).
Definition holds (P : problem) (st : state) (z : nat -> Q) : Prop :=
  forall i, (i < size P)%nat -> has P (st i) z i.

(** What every solution has: w <= 0 without a lower bound to be at, w >= 0 without an upper one. *)
Definition absent (o : option bound) : bool := match o with None => true | Some _ => false end.
Definition start (P : problem) : state := fun i =>
  {| LO := false; LE := absent (lo P i); UP := false; GE := absent (up P i) |}.

Lemma start_holds P z : solves P z -> holds P (start P) z.
Proof.
  intros S i Hi. destruct (S i Hi) as (_ & _ & C & D). unfold has, start; simpl.
  repeat split; try discriminate.
  - destruct (lo P i); simpl in *; [discriminate|tauto].
  - destruct (up P i); simpl in *; [discriminate|tauto].
Qed.

(** ** The form: sum over i of v_i w_i + a_i (z_i - L_i) + b_i (U_i - z_i). *)
Record multipliers := { v : nat -> Q; a : nat -> Q; b : nat -> Q }.

(** z - L and U - z; 0 where there is no such bound. *)
Definition lower_gap (P : problem) z i : Q :=
  match lo P i with None => 0 | Some l => z i - value l z end.
Definition upper_gap (P : problem) z i : Q :=
  match up P i with None => 0 | Some u => value u z - z i end.

Definition term (P : problem) (m : multipliers) z i : Q :=
  v m i * w P z i + a m i * lower_gap P z i + b m i * upper_gap P z i.

(** The coefficient of z_j in these gaps, and their constants. *)
Definition lower_slope (P : problem) i j : Q :=
  match lo P i with None => 0 | Some l => unit i j - slope l * unit (base l) j end.
Definition upper_slope (P : problem) i j : Q :=
  match up P i with None => 0 | Some u => slope u * unit (base u) j - unit i j end.
Definition lower_constant (P : problem) i : Q :=
  match lo P i with None => 0 | Some l => - constant l end.
Definition upper_constant (P : problem) i : Q :=
  match up P i with None => 0 | Some u => constant u end.

(** The coefficient of z_j in the form, and the form's constant C. *)
Definition coefficient (P : problem) m j : Q :=
  sum (size P) (fun i => v m i * M P i j + (a m i * lower_slope P i j + b m i * upper_slope P i j)).
Definition form_constant (P : problem) m : Q :=
  sum (size P) (fun i => v m i * q P i + (a m i * lower_constant P i + b m i * upper_constant P i)).

Lemma sum_gap n i k s z :
  (i < n)%nat -> (k < n)%nat -> sum n (fun j => (unit i j - s * unit k j) * z j) == z i - s * z k.
Proof.
  intros Hi Hk.
  rewrite (sum_ext n _ (fun j => unit i j * z j - s * (unit k j * z j))) by (intros; lra).
  rewrite sum_minus, sum_scale, !sum_unit by assumption. reflexivity.
Qed.

Lemma lower_gap_linear P z i : well_formed P -> (i < size P)%nat ->
  lower_gap P z i == sum (size P) (fun j => lower_slope P i j * z j) + lower_constant P i.
Proof.
  intros W Hi. destruct (W i Hi) as [WL _].
  unfold lower_gap, lower_slope, lower_constant. destruct (lo P i) as [l|]; simpl in WL.
  - rewrite sum_gap by assumption. unfold value. lra.
  - rewrite sum_zero by (intros; lra). lra.
Qed.

Lemma upper_gap_linear P z i : well_formed P -> (i < size P)%nat ->
  upper_gap P z i == sum (size P) (fun j => upper_slope P i j * z j) + upper_constant P i.
Proof.
  intros W Hi. destruct (W i Hi) as [_ WU].
  unfold upper_gap, upper_slope, upper_constant. destruct (up P i) as [u|]; simpl in WU.
  - rewrite (sum_ext _ _ (fun j => - ((unit i j - slope u * unit (base u) j) * z j))) by (intros; lra).
    rewrite sum_opp, sum_gap by assumption. unfold value. lra.
  - rewrite sum_zero by (intros; lra). lra.
Qed.

(** The form is linear in z with these coefficients, whatever z is. *)
Theorem form_identity P m z : well_formed P ->
  sum (size P) (term P m z)
  == sum (size P) (fun j => coefficient P m j * z j) + form_constant P m.
Proof.
  intros W. set (n := size P).
  set (entry := fun i j => v m i * M P i j + (a m i * lower_slope P i j + b m i * upper_slope P i j)).
  rewrite (sum_ext n (term P m z) (fun i => sum n (fun j => entry i j * z j) +
    (v m i * q P i + (a m i * lower_constant P i + b m i * upper_constant P i)))).
  - rewrite sum_plus, sum_swap. unfold form_constant. fold n.
    rewrite (sum_ext n (fun j => sum n (fun i => entry i j * z j)) (fun j => coefficient P m j * z j)).
    + reflexivity.
    + intros j _. unfold coefficient. fold n. now rewrite sum_scale_right.
  - intros i Hi. unfold term. rewrite lower_gap_linear, upper_gap_linear by assumption.
    assert (E : sum n (fun j => entry i j * z j) == v m i * mv n (M P) z i
      + (a m i * sum n (fun j => lower_slope P i j * z j)
         + b m i * sum n (fun j => upper_slope P i j * z j))).
    { unfold mv. rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros. unfold entry. lra. }
    rewrite E. unfold w. fold n. lra.
Qed.

(** ** Signs: no term of a row is negative where these facts are known. *)
Definition signs (f : facts) (m : multipliers) (i : nat) : bool :=
  (Qle_bool (v m i) 0 || GE f) && (Qle_bool 0 (v m i) || LE f) &&
  (Qle_bool 0 (a m i) || LO f) && (Qle_bool 0 (b m i) || UP f).

Lemma term_parts P f m z i :
  row_solved P z i -> has P f z i -> signs f m i = true ->
  0 <= v m i * w P z i /\ 0 <= a m i * lower_gap P z i /\ 0 <= b m i * upper_gap P z i.
Proof.
  unfold row_solved, has, signs, lower_gap, upper_gap.
  rewrite !andb_true_iff, !orb_true_iff, !Qle_bool_iff.
  intros (A & B & _) (HLO & HLE & HUP & HGE) (((S1 & S2) & S3) & S4).
  split; [|split].
  - destruct (Qlt_le_dec 0 (v m i)) as [L|L].
    + destruct S1 as [S1|S1]; [lra|]. specialize (HGE S1). nra.
    + destruct S2 as [S2|S2]; [|specialize (HLE S2); nra].
      assert (E : v m i == 0) by lra. rewrite E. lra.
  - destruct (lo P i) as [l|]; simpl in *; [|lra].
    destruct S3 as [S3|S3]; [nra|].
    specialize (HLO S3). assert (E : z i - value l z == 0) by lra. rewrite E. lra.
  - destruct (up P i) as [u|]; simpl in *; [|lra].
    destruct S4 as [S4|S4]; [nra|].
    specialize (HUP S4). assert (E : value u z - z i == 0) by lra. rewrite E. lra.
Qed.

Lemma term_nonneg P f m z i :
  row_solved P z i -> has P f z i -> signs f m i = true -> 0 <= term P m z i.
Proof. intros R H S. destruct (term_parts P f m z i R H S) as (A & B & C). unfold term. lra. Qed.

(** A form whose coefficients are all 0, with no negative term under the facts of [st]. *)
Definition check_form (P : problem) (st : state) (m : multipliers) : bool :=
  all (size P) (fun i => signs (st i) m i) &&
  all (size P) (fun j => Qeq_bool (coefficient P m j) 0).

Lemma check_form_sound P st m z :
  well_formed P -> check_form P st m = true -> solves P z -> holds P st z ->
  (forall i, (i < size P)%nat -> 0 <= term P m z i) /\ sum (size P) (term P m z) == form_constant P m.
Proof.
  unfold check_form. rewrite andb_true_iff, !all_true. intros W [S C] Z H. split.
  - intros i Hi. eapply term_nonneg; eauto.
  - rewrite form_identity by assumption. rewrite sum_zero; [lra|].
    intros j Hj. specialize (C j Hj). apply Qeq_bool_iff in C. rewrite C. lra.
Qed.

(** ** Nobody has these facts: the constant is negative, and no term is. *)
Definition check_empty (P : problem) (st : state) (m : multipliers) : bool :=
  check_form P st m && negative (form_constant P m).

Theorem check_empty_sound P st m :
  well_formed P -> check_empty P st m = true -> forall z, solves P z -> holds P st z -> False.
Proof.
  unfold check_empty. rewrite andb_true_iff, negative_true. intros W [F C] z Z H.
  destruct (check_form_sound P st m z W F Z H) as [T E].
  apply sum_nonneg in T. lra.
Qed.

(** A Farkas vector: the problem has no solution. *)
Theorem farkas_sound P m :
  well_formed P -> check_empty P (start P) m = true -> forall z, ~ solves P z.
Proof. intros W C z Z. eapply check_empty_sound; eauto using start_holds. Qed.

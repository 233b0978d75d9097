(** Covers and enumerations: binary trees of facts that account for every solution (book:
    "Certificates", sections "No solution: a cover" and "All solutions: an enumeration"). *)

From Etalon Require Export Form Equations.

Definition vector := nat -> Q.

(** A branch is one of the two disjunctions in the definition of a solution. *)
Inductive tree :=
| Lower (i : nat) (at_bound w_nonpositive : tree)   (* z_i = L_i, or w_i <= 0 *)
| Upper (i : nat) (at_bound w_nonnegative : tree)   (* z_i = U_i, or w_i >= 0 *)
| Empty (m : multipliers)                           (* nobody is here *)
| Point (m : multipliers) (z : vector)              (* only z is here *)
| Face (vertices rays : list vector).               (* all that has the facts is a solution *)

(** One more fact. *)
Definition learn (st : state) (i : nat) (g : facts -> facts) : state :=
  fun k => if Nat.eqb k i then g (st k) else st k.
Definition with_LO f := {| LO := true; LE := LE f; UP := UP f; GE := GE f |}.
Definition with_LE f := {| LO := LO f; LE := true; UP := UP f; GE := GE f |}.
Definition with_UP f := {| LO := LO f; LE := LE f; UP := true; GE := GE f |}.
Definition with_GE f := {| LO := LO f; LE := LE f; UP := UP f; GE := true |}.

Lemma learn_holds P st i g z :
  holds P st z -> ((i < size P)%nat -> has P (st i) z i -> has P (g (st i)) z i) ->
  holds P (learn st i g) z.
Proof.
  intros H G k Hk. unfold learn. destruct (Nat.eqb_spec k i) as [->|_]; [apply G|]; auto.
Qed.

(** ** One solution alone. *)

(** The equations that every solution in the leaf satisfies, without their constants. Those of
    bounds come first, because a number leaves one unknown in them. *)
Definition of_rows (n : nat) (chosen : nat -> bool) (f : nat -> nat -> Q) : list (nat -> Q) :=
  map f (filter chosen (seq 0 n)).
Definition equations (P : problem) (st : state) (m : multipliers) : list (nat -> Q) :=
  of_rows (size P) (fun i => LO (st i) || nonzero (a m i)) (lower_slope P) ++
  of_rows (size P) (fun i => UP (st i) || nonzero (b m i)) (upper_slope P) ++
  of_rows (size P) (fun i => LE (st i) && GE (st i) || nonzero (v m i)) (M P).

Lemma of_rows_in n chosen f g :
  In g (of_rows n chosen f) -> exists i, (i < n)%nat /\ chosen i = true /\ g = f i.
Proof.
  unfold of_rows. rewrite in_map_iff. intros (i & <- & H). apply filter_In in H.
  destruct H as [H C]. apply in_seq in H. exists i. repeat split; auto. lia.
Qed.

Section Leaves.
(** The number modulo which rank is found, and the hint of inverses. *)
Variable modulus : Z.
Variable inverse : Z -> Z.

Definition check_alone (P : problem) (st : state) (m : multipliers) : bool :=
  check_form P st m && Qeq_bool (form_constant P m) 0 &&
  full_rank modulus inverse (size P) (equations P st m).

(** Every term is 0 where the constant is. *)
Lemma terms_vanish P st m z :
  well_formed P -> check_form P st m = true -> form_constant P m == 0 -> solves P z ->
  holds P st z -> forall i, (i < size P)%nat ->
  v m i * w P z i == 0 /\ a m i * lower_gap P z i == 0 /\ b m i * upper_gap P z i == 0.
Proof.
  intros W C E Z H i Hi. destruct (check_form_sound P st m z W C Z H) as [N S].
  assert (T : term P m z i == 0) by (apply (sum_nonneg_zero (size P)); auto; rewrite S, E; lra).
  unfold check_form in C. rewrite andb_true_iff, !all_true in C. destruct C as [C _].
  destruct (term_parts P (st i) m z i (Z i Hi) (H i Hi) (C i Hi)) as (A & B & D).
  unfold term in T. repeat split; lra.
Qed.

Lemma factor_zero x y : x * y == 0 -> nonzero x = true -> y == 0.
Proof. rewrite nonzero_true. intros E N. destruct (Qmult_integral _ _ E); [contradiction|auto]. Qed.

(** What a solution in the leaf satisfies. *)
Lemma equations_hold P st m z :
  well_formed P -> check_form P st m = true -> form_constant P m == 0 -> solves P z ->
  holds P st z -> forall i, (i < size P)%nat ->
  (LO (st i) || nonzero (a m i) = true -> lower_gap P z i == 0) /\
  (UP (st i) || nonzero (b m i) = true -> upper_gap P z i == 0) /\
  (LE (st i) && GE (st i) || nonzero (v m i) = true -> w P z i == 0).
Proof.
  intros W C E Z H i Hi. destruct (terms_vanish P st m z W C E Z H i Hi) as (V & A & B).
  destruct (H i Hi) as (HLO & HLE & HUP & HGE). rewrite !orb_true_iff, andb_true_iff.
  repeat split.
  - intros [F|F]; [|eapply factor_zero; eauto]. specialize (HLO F). unfold lower_gap.
    destruct (lo P i); simpl in HLO; lra.
  - intros [F|F]; [|eapply factor_zero; eauto]. specialize (HUP F). unfold upper_gap.
    destruct (up P i); simpl in HUP; lra.
  - intros [[F G]|F]; [|eapply factor_zero; eauto]. specialize (HLE F). specialize (HGE G). lra.
Qed.

Theorem check_alone_sound P st m x y :
  well_formed P -> check_alone P st m = true ->
  solves P x -> holds P st x -> solves P y -> holds P st y -> same (size P) x y.
Proof.
  unfold check_alone. rewrite !andb_true_iff, Qeq_bool_iff. intros W [[C E] R] X HX Y HY.
  assert (D : forall j, (j < size P)%nat -> x j - y j == 0); [|intros j Hj; specialize (D j Hj); lra].
  apply (full_rank_sound _ _ _ _ (fun j => x j - y j) R). intros f Hf. unfold equations in Hf.
  pose proof (equations_hold P st m x W C E X HX) as EX.
  pose proof (equations_hold P st m y W C E Y HY) as EY.
  assert (L : forall f, sum (size P) (fun j => f j * (x j - y j)) ==
    sum (size P) (fun j => f j * x j) - sum (size P) (fun j => f j * y j)).
  { intros g. rewrite <- sum_minus. apply sum_ext. intros. lra. }
  rewrite L. clear L. rewrite !in_app_iff in Hf.
  destruct Hf as [Hf|[Hf|Hf]]; apply of_rows_in in Hf; destruct Hf as (i & Hi & T & ->);
    destruct (EX i Hi) as (EX1 & EX2 & EX3), (EY i Hi) as (EY1 & EY2 & EY3).
  - pose proof (lower_gap_linear P x i W Hi). pose proof (lower_gap_linear P y i W Hi).
    specialize (EX1 T). specialize (EY1 T). lra.
  - pose proof (upper_gap_linear P x i W Hi). pose proof (upper_gap_linear P y i W Hi).
    specialize (EX2 T). specialize (EY2 T). lra.
  - specialize (EX3 T). specialize (EY3 T). unfold w, mv in EX3, EY3. lra.
Qed.

(** ** Faces. *)

(** Both disjunctions of the definition are decided. *)
Definition decided (f : facts) : bool := (LO f || LE f) && (UP f || GE f).

(** z is within its bounds, and has the facts. *)
Definition on_face (P : problem) (st : state) (z : vector) : Prop :=
  forall i, (i < size P)%nat ->
    above (lo P i) z (z i) /\ below (up P i) z (z i) /\ has P (st i) z i.

Definition check_has (P : problem) (f : facts) (z : vector) (i : nat) : bool :=
  (negb (LO f) || is_at (lo P i) z (z i)) && (negb (UP f) || is_at (up P i) z (z i)) &&
  let own := w P z i in (negb (LE f) || Qle_bool own 0) && (negb (GE f) || Qle_bool 0 own).
Definition check_member (P : problem) (st : state) (z : vector) : bool :=
  check_solution P z && all (size P) (fun i => check_has P (st i) z i).

(** The same rows without q and without the numbers among the bounds: what directions obey. *)
Definition without_constant (o : option bound) : option bound :=
  match o with None => None | Some c => Some {| constant := 0; slope := slope c; base := base c |} end.
Definition homogeneous (P : problem) : problem :=
  {| size := size P; M := M P; q := fun _ => 0;
     lo := fun i => without_constant (lo P i); up := fun i => without_constant (up P i) |}.

Definition check_ray (P : problem) (st : state) (z : vector) : bool :=
  check_member (homogeneous P) st z && negb (all (size P) (fun i => Qeq_bool (z i) 0)).

Lemma check_has_correct P f z i : check_has P f z i = true <-> has P f z i.
Proof.
  unfold check_has, has. cbv zeta.
  rewrite !andb_true_iff, !orb_true_iff, !negb_true_iff, !is_at_true, !Qle_bool_iff.
  destruct (LO f), (LE f), (UP f), (GE f); intuition discriminate.
Qed.

Lemma check_member_correct P st z : check_member P st z = true <-> solves P z /\ holds P st z.
Proof.
  unfold check_member, holds. rewrite andb_true_iff, check_solution_correct, all_true.
  split; intros [S H]; split; auto; intros i Hi; apply check_has_correct; auto.
Qed.

Lemma member_on_face P st z : solves P z -> holds P st z -> on_face P st z.
Proof. intros S H i Hi. destruct (S i Hi) as (A & B & _). auto. Qed.

(** Everything on a face is a solution. *)
Theorem face_solves P st z :
  (forall i, (i < size P)%nat -> decided (st i) = true) -> on_face P st z -> solves P z.
Proof.
  intros D F i Hi. destruct (F i Hi) as (A & B & HLO & HLE & HUP & HGE).
  specialize (D i Hi). unfold decided in D. rewrite andb_true_iff, !orb_true_iff in D.
  unfold row_solved. intuition.
Qed.

(** From any point of a face one may go along its rays for ever. *)
Theorem face_ray P st z r k :
  0 <= k -> on_face P st z -> on_face (homogeneous P) st r ->
  on_face P st (fun j => z j + k * r j).
Proof.
  intros Hk F G i Hi. destruct (F i Hi) as (A & B & HLO & HLE & HUP & HGE).
  destruct (G i Hi) as (A' & B' & HLO' & HLE' & HUP' & HGE'). simpl in *.
  assert (W : w P (fun j => z j + k * r j) i == w P z i + k * w (homogeneous P) r i).
  { unfold w. simpl. rewrite mv_plus_scale. lra. }
  repeat split.
  - destruct (lo P i) as [l|]; simpl in *; [|exact I]. unfold value in *; simpl in *. nra.
  - destruct (up P i) as [u|]; simpl in *; [|exact I]. unfold value in *; simpl in *. nra.
  - intros T. specialize (HLO T). specialize (HLO' T). destruct (lo P i) as [l|]; [|assumption].
    simpl in *. unfold value in *; simpl in *. rewrite HLO' at 1. lra.
  - intros T. specialize (HLE T). specialize (HLE' T). rewrite W. nra.
  - intros T. specialize (HUP T). specialize (HUP' T). destruct (up P i) as [u|]; [|assumption].
    simpl in *. unfold value in *; simpl in *. rewrite HUP' at 1. lra.
  - intros T. specialize (HGE T). specialize (HGE' T). rewrite W. nra.
Qed.

(** ** Trees. *)
Definition open_lower f := negb (LO f || LE f).
Definition open_upper f := negb (UP f || GE f).

Fixpoint check_tree (P : problem) (st : state) (t : tree) : bool :=
  match t with
  | Lower i s t => Nat.ltb i (size P) && open_lower (st i) &&
      check_tree P (learn st i with_LO) s && check_tree P (learn st i with_LE) t
  | Upper i s t => Nat.ltb i (size P) && open_upper (st i) &&
      check_tree P (learn st i with_UP) s && check_tree P (learn st i with_GE) t
  | Empty m => check_empty P st m
  | Point m z => check_member P st z && check_alone P st m
  | Face vertices rays =>
      all (size P) (fun i => decided (st i)) && negb (Nat.eqb (length vertices) 0) &&
      forallb (check_ray P st) rays && forallb (check_member P st) vertices
  end.

(** The points of a tree, and its faces: their facts, vertices and rays. *)
Fixpoint points (t : tree) : list vector :=
  match t with
  | Lower _ s t | Upper _ s t => points s ++ points t
  | Point _ z => [z]
  | Empty _ | Face _ _ => []
  end.
Fixpoint faces (st : state) (t : tree) : list (state * (list vector * list vector)) :=
  match t with
  | Lower i s t => faces (learn st i with_LO) s ++ faces (learn st i with_LE) t
  | Upper i s t => faces (learn st i with_UP) s ++ faces (learn st i with_GE) t
  | Face vertices rays => [(st, (vertices, rays))]
  | Empty _ | Point _ _ => []
  end.

(** Every solution is one of the points, or on a face. *)
Theorem cover_sound P t st z :
  well_formed P -> check_tree P st t = true -> solves P z -> holds P st z ->
  (exists p, In p (points t) /\ same (size P) z p) \/
  (exists f, In f (faces st t) /\ holds P (fst f) z).
Proof.
  intros W. revert st.
  induction t as [i s IHs t IHt|i s IHs t IHt|m|m p|vs rs]; intros st C Z H; simpl in *.
  - rewrite !andb_true_iff, Nat.ltb_lt in C. destruct C as [[[Hi _] Cs] Ct].
    destruct (Z i Hi) as (_ & _ & [L|L] & _).
    + destruct (IHs _ Cs Z) as [(p & I & E)|(f & I & E)].
      * apply learn_holds; [assumption|]. unfold has; simpl. tauto.
      * left. exists p. rewrite in_app_iff. tauto.
      * right. exists f. rewrite in_app_iff. tauto.
    + destruct (IHt _ Ct Z) as [(p & I & E)|(f & I & E)].
      * apply learn_holds; [assumption|]. unfold has; simpl. tauto.
      * left. exists p. rewrite in_app_iff. tauto.
      * right. exists f. rewrite in_app_iff. tauto.
  - rewrite !andb_true_iff, Nat.ltb_lt in C. destruct C as [[[Hi _] Cs] Ct].
    destruct (Z i Hi) as (_ & _ & _ & [L|L]).
    + destruct (IHs _ Cs Z) as [(p & I & E)|(f & I & E)].
      * apply learn_holds; [assumption|]. unfold has; simpl. tauto.
      * left. exists p. rewrite in_app_iff. tauto.
      * right. exists f. rewrite in_app_iff. tauto.
    + destruct (IHt _ Ct Z) as [(p & I & E)|(f & I & E)].
      * apply learn_holds; [assumption|]. unfold has; simpl. tauto.
      * left. exists p. rewrite in_app_iff. tauto.
      * right. exists f. rewrite in_app_iff. tauto.
  - exfalso. eapply check_empty_sound; eauto.
  - rewrite andb_true_iff, check_member_correct in C. destruct C as [[S F] A].
    left. exists p. split; [auto|]. eapply check_alone_sound; eauto.
  - right. exists (st, (vs, rs)). auto.
Qed.

(** All that a tree states are solutions: its points, the vertices of its faces, and whatever has
    the facts of a face within the bounds, which vertices do and what rays lead to. *)
Theorem cover_complete P t st :
  check_tree P st t = true ->
  (forall p, In p (points t) -> solves P p) /\
  (forall f, In f (faces st t) ->
    (forall z, on_face P (fst f) z -> solves P z) /\
    fst (snd f) <> [] /\
    (forall z, In z (fst (snd f)) -> solves P z /\ on_face P (fst f) z) /\
    (forall r, In r (snd (snd f)) ->
      on_face (homogeneous P) (fst f) r /\ exists i, (i < size P)%nat /\ ~ r i == 0)).
Proof.
  revert st. induction t as [i s IHs t IHt|i s IHs t IHt|m|m p|vs rs]; intros st C; simpl in *.
  1,2: rewrite !andb_true_iff in C; destruct C as [[_ Cs] Ct];
    destruct (IHs _ Cs) as [A B], (IHt _ Ct) as [A' B']; split; intros x I;
    apply in_app_iff in I; destruct I; auto.
  - split; intros x [].
  - rewrite andb_true_iff, check_member_correct in C. destruct C as [[S _] _].
    split; intros x; [intros [<-|[]]; assumption|intros []].
  - rewrite !andb_true_iff, all_true, !forallb_forall, negb_true_iff, Nat.eqb_neq in C.
    destruct C as [[[D N] R] V]. split; [intros x []|]. intros f [<-|[]]. simpl.
    split; [|split; [|split]].
    + intros z. apply face_solves. assumption.
    + intros ->. simpl in N. contradiction.
    + intros z I. specialize (V z I). apply check_member_correct in V. destruct V as [S H].
      auto using member_on_face.
    + intros r I. specialize (R r I). unfold check_ray in R.
      rewrite andb_true_iff, negb_true_iff, check_member_correct in R. destruct R as [[S H] E].
      split; [now apply member_on_face|].
      apply not_true_iff_false in E. rewrite all_true in E.
      clear - E. assert (G : forall n, ~ (forall i, (i < n)%nat -> Qeq_bool (r i) 0 = true) ->
        exists i, (i < n)%nat /\ ~ r i == 0).
      { induction n as [|n IH]; intros F; [exfalso; apply F; lia|].
        destruct (Qeq_bool (r n) 0) eqn:T.
        - destruct IH as (i & Hi & Hr).
          + intros G. apply F. intros i Hi. destruct (Nat.eq_dec i n) as [->|]; [assumption|].
            apply G. lia.
          + exists i. split; [lia|assumption].
        - exists n. split; [lia|]. now apply Qeq_bool_neq. }
      now apply G.
Qed.
End Leaves.

(** The checker, and the one theorem that users are told: what it says of a problem is so. *)

From Etalon Require Export Cover Dominant.

(** Certificates, as the reader of records hands them over. Nothing of them is believed: not the
    multipliers, which the reader works out from a vector, nor the factors [c], which make
    matrices integral, nor [inverse], which is asked for inverses modulo a number. *)
Inductive certificate :=
| NoCertificate
| Farkas (m : multipliers)
| CoverOf (t : tree)
| Enumeration (t : tree)
| SymmetricPsd (c : Q)
| PositiveDefinite (c : Q)
| DiagonallyDominant (d : vector)
| PrincipalMinors (c : Q)
| SecondSolution (z : vector).

Inductive uniqueness := NotProved | UniqueW | UniqueZ.

(** What is proved of a problem. *)
Record truth := {
  solvable : option bool;
  unique : uniqueness;
  known : list vector;
  has_all : bool
}.

(** ** What each word of a [truth] means. *)
Definition means (P : problem) (t : truth) : Prop :=
  (match solvable t with
   | Some true => exists z, solves P z
   | Some false => forall z, ~ solves P z
   | None => True
   end) /\
  (match unique t with
   | UniqueZ => forall x y, solves P x -> solves P y -> same (size P) x y
   | UniqueW => forall x y, solves P x -> solves P y -> same (size P) (w P x) (w P y)
   | NotProved => True
   end) /\
  (forall z, In z (known t) -> solves P z) /\
  (has_all t = true -> forall z, solves P z -> exists p, In p (known t) /\ same (size P) z p).

(** ** The checker. *)
Definition is_same n (x y : vector) : bool := all n (fun i => Qeq_bool (x i) (y i)).
Definition is_one n (l : list vector) : bool :=
  match l with [] => false | z :: rest => forallb (is_same n z) rest end.
Definition is_empty {T} (l : list T) : bool := match l with [] => true | _ => false end.

Definition has_solution (l : list vector) : option bool := if is_empty l then None else Some true.

Definition of_solutions (l : list vector) : truth :=
  {| solvable := has_solution l; unique := NotProved; known := l; has_all := false |}.

Definition unsolvable (l : list vector) : option truth :=
  if is_empty l
  then Some {| solvable := Some false; unique := NotProved; known := []; has_all := true |}
  else None.

Definition of_p_matrix (l : list vector) : truth :=
  {| solvable := Some true; unique := UniqueZ; known := l; has_all := negb (is_empty l) |}.

Definition vertices (P : problem) (t : tree) : list vector :=
  flat_map (fun f => fst (snd f)) (faces (start P) t).

Definition of_tree (P : problem) (t : tree) (l : list vector) : option truth :=
  let corners := vertices P t in
  let found := points t ++ corners in
  if is_empty found then unsolvable l
  else
    let every := l ++ found in
    Some {| solvable := Some true;
            unique := if is_empty corners && is_one (size P) every then UniqueZ else NotProved;
            known := every; has_all := is_empty corners |}.

Section Checker.
Variable modulus : Z.
Variable inverse : Z -> Z.

Definition when {T} (b : bool) (x : option T) : option T := if b then x else None.

Definition verify_certificate (P : problem) (l : list vector) (c : certificate) : option truth :=
  match c with
  | NoCertificate => Some (of_solutions l)
  | Farkas m => when (check_empty P (start P) m) (unsolvable l)
  | CoverOf t =>
      when (check_tree modulus inverse P (start P) t && is_empty (points t ++ vertices P t)) (unsolvable l)
  | Enumeration t => when (check_tree modulus inverse P (start P) t) (of_tree P t l)
  | SymmetricPsd c =>
      when (check_fixed P && check_semidefinite c (size P) (M P))
        (Some {| solvable := has_solution l; unique := UniqueW; known := l; has_all := false |})
  | PositiveDefinite c =>
      when (check_fixed P && check_definite c (size P) (M P)) (Some (of_p_matrix l))
  | DiagonallyDominant d =>
      when (check_fixed P && check_dominant d (size P) (M P)) (Some (of_p_matrix l))
  | PrincipalMinors c =>
      when (check_fixed P && check_minors c (size P) (M P)) (Some (of_p_matrix l))
  | SecondSolution z => when (check_solution P z) (Some (of_solutions (l ++ [z])))
  end.

Definition verify (P : problem) (solutions : list vector) (c : certificate) : option truth :=
  when (check_well_formed P && forallb (check_solution P) solutions)
    (verify_certificate P solutions c).

(** ** Why it may be believed. *)
Lemma when_some {T} b (x : option T) t : when b x = Some t -> b = true /\ x = Some t.
Proof. destruct b; simpl; [auto|discriminate]. Qed.

Lemma is_empty_true {T} (l : list T) : is_empty l = true <-> l = [].
Proof. destruct l; simpl; split; congruence. Qed.

Lemma is_same_true n x y : is_same n x y = true <-> same n x y.
Proof.
  unfold is_same, same. rewrite all_true. split; intros H i Hi; apply Qeq_bool_iff; auto.
Qed.

Lemma same_trans n x y z : same n x y -> same n y z -> same n x z.
Proof. intros E F i Hi. specialize (E i Hi). specialize (F i Hi). now rewrite E. Qed.
Lemma same_sym n x y : same n x y -> same n y x.
Proof. intros E i Hi. symmetry. auto. Qed.

Definition all_solve P (l : list vector) : Prop := forall z, In z l -> solves P z.

Lemma has_solution_means P l :
  all_solve P l -> match has_solution l with Some _ => exists z, solves P z | None => True end.
Proof. unfold has_solution. destruct l as [|z l]; simpl; [auto|]. intros H. exists z. apply H. now left. Qed.

Lemma of_solutions_means P l : all_solve P l -> means P (of_solutions l).
Proof.
  intros H. pose proof (has_solution_means P l H).
  split; [|split; [|split]]; simpl; auto; [|intros E; discriminate E].
  unfold has_solution in *. destruct (is_empty l); auto.
Qed.

Lemma unsolvable_means P l t :
  (forall z, ~ solves P z) -> unsolvable l = Some t -> means P t.
Proof.
  unfold unsolvable. destruct (is_empty l); [|discriminate]. intros N E. injection E as <-.
  split; [|split; [|split]]; simpl; auto; [tauto|]. intros _ z Z. destruct (N z Z).
Qed.

Lemma of_p_matrix_means P l :
  well_formed P -> check_fixed P = true -> no_reversal (size P) (M P) -> all_solve P l ->
  means P (of_p_matrix l).
Proof.
  intros W F N H. apply check_fixed_sound in F. destruct F as [F O].
  split; [|split; [|split]]; simpl; auto.
  - now apply exists_solution.
  - intros x y X Y. now apply unique_z.
  - destruct l as [|p l]; [discriminate|]. intros _ z Z. exists p. split; [now left|].
    apply unique_z; auto. apply H. now left.
Qed.

Lemma in_vertices P t z :
  In z (vertices P t) -> exists f, In f (faces (start P) t) /\ In z (fst (snd f)).
Proof. unfold vertices. rewrite in_flat_map. auto. Qed.

Lemma of_tree_means P t l u :
  well_formed P -> check_tree modulus inverse P (start P) t = true -> all_solve P l ->
  of_tree P t l = Some u -> means P u.
Proof.
  intros W C H E.
  destruct (cover_complete _ _ P t _ C) as [CP CF].
  assert (every : forall z, solves P z -> vertices P t = [] ->
    exists p, In p (points t) /\ same (size P) z p).
  { intros z Z V. destruct (cover_sound _ _ P t _ z W C Z (start_holds P z Z)) as [L|(f & I & _)]; [assumption|].
    exfalso. destruct (CF f I) as (_ & N & _). destruct (fst (snd f)) as [|x rest] eqn:X; [now apply N|].
    assert (J : In x (vertices P t)).
    { unfold vertices. apply in_flat_map. exists f. split; [assumption|]. rewrite X. now left. }
    rewrite V in J. contradiction. }
  unfold of_tree in E. destruct (is_empty (points t ++ vertices P t)) eqn:N.
  - apply is_empty_true, app_eq_nil in N. destruct N as [NP NV].
    apply (unsolvable_means P l); [|assumption]. intros z Z.
    destruct (every z Z NV) as (p & I & _). now rewrite NP in I.
  - injection E as <-. set (found := points t ++ vertices P t) in *.
    assert (HF : all_solve P (l ++ found)).
    { intros z I. unfold found in I. rewrite !in_app_iff in I. destruct I as [I|[I|I]]; auto.
      apply in_vertices in I. destruct I as (f & I & J). destruct (CF f I) as (_ & _ & V & _).
      now apply V. }
    assert (A : is_empty (vertices P t) = true -> forall z, solves P z ->
      exists p, In p (l ++ found) /\ same (size P) z p).
    { intros V z Z. apply is_empty_true in V. destruct (every z Z V) as (p & I & S).
      exists p. split; [|assumption]. unfold found. rewrite !in_app_iff. auto. }
    split; [|split; [|split]]; simpl; auto.
    + destruct found as [|z rest]; [discriminate|]. exists z. apply HF, in_app_iff. right. now left.
    + destruct (is_empty (vertices P t)) eqn:V; simpl; auto.
      destruct (is_one (size P) (l ++ found)) eqn:O; simpl; auto.
      intros x y X Y. destruct (A eq_refl x X) as (p & Ip & Sp), (A eq_refl y Y) as (p' & Ip' & Sp').
      assert (G : forall s, In s (l ++ found) -> exists h, forall s', In s' (l ++ found) -> same (size P) h s').
      { intros s _. unfold is_one in O. destruct (l ++ found) as [|h rest]; [discriminate|].
        exists h. rewrite forallb_forall in O. intros s' [<-|I]; [intros ? _; reflexivity|].
        now apply is_same_true, O. }
      destruct (G p Ip) as [h Hh].
      apply (same_trans _ x p); [assumption|]. apply (same_trans _ p h); [now apply same_sym, Hh|].
      apply (same_trans _ h p'); [now apply Hh|now apply same_sym].
Qed.

(** Whatever the problem, the solutions and the certificate are: if the checker says t, t is true. *)
Theorem verify_sound P solutions c t : verify P solutions c = Some t -> means P t.
Proof.
  unfold verify. intros E. apply when_some in E. destruct E as [B E].
  rewrite andb_true_iff, check_well_formed_correct, forallb_forall in B. destruct B as [W L].
  assert (H : all_solve P solutions) by (intros z I; now apply check_solution_correct, L).
  destruct c as [|m|u|u|c|c|d|c|z]; simpl in E.
  - injection E as <-. now apply of_solutions_means.
  - apply when_some in E. destruct E as [C E]. apply (unsolvable_means P solutions); [|assumption].
    now apply (farkas_sound P m).
  - apply when_some in E. destruct E as [C E]. rewrite andb_true_iff in C. destruct C as [C N].
    apply (of_tree_means P u solutions); try assumption. unfold of_tree. now rewrite N.
  - apply when_some in E. destruct E as [C E]. now apply (of_tree_means P u solutions).
  - apply when_some in E. destruct E as [C E]. injection E as <-. rewrite andb_true_iff in C.
    destruct C as [F S]. apply check_fixed_sound in F. apply check_semidefinite_sound in S.
    pose proof (has_solution_means P solutions H).
    split; [|split; [|split]]; simpl; auto; [| |intros E; discriminate E].
    + unfold has_solution in *. destruct (is_empty solutions); auto.
    + intros x y X Y i Hi. now apply unique_w.
  - apply when_some in E. destruct E as [C E]. injection E as <-. rewrite andb_true_iff in C.
    destruct C as [F D]. apply of_p_matrix_means; auto. now apply (check_definite_sound c).
  - apply when_some in E. destruct E as [C E]. injection E as <-. rewrite andb_true_iff in C.
    destruct C as [F D]. apply of_p_matrix_means; auto. now apply (check_dominant_sound d).
  - apply when_some in E. destruct E as [C E]. injection E as <-. rewrite andb_true_iff in C.
    destruct C as [F D]. apply of_p_matrix_means; auto. now apply (check_minors_sound c).
  - apply when_some in E. destruct E as [C E]. injection E as <-. apply of_solutions_means.
    intros x I. apply in_app_iff in I. destruct I as [I|[<-|[]]]; [auto|].
    now apply check_solution_correct.
Qed.
End Checker.

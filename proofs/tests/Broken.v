(** Attempts to break the main theorems: variants that are false, each refuted by an example. Where the theorem
    said a little more than it does, or its checker asked for a little less, one of these could not be proved. *)

From Etalon Require Import Verify BackwardErrorTheorem Energy ConeCover LemkePath.

(** One row: w = m z + c, and bounds. *)
Definition row m c l u : problem :=
  {| size := 1; M := fun _ _ => m; q := fun _ => c; lo := fun _ => l; up := fun _ => u |}.
Definition number c : option bound := Some {| constant := c; slope := 0; base := 0 |}.
Definition const (c : Q) : nat -> Q := fun _ => c.
Definition only_v c : multipliers := {| v := const c; a := const 0; b := const 0 |}.

Ltac row_case := intros i Hi; replace i with 0%nat by (simpl in Hi; lia); unfold row_solved; vm_compute;
  repeat split; try discriminate; try (left; reflexivity); try (right; discriminate).

(** Solutions: a z within its bounds is not one by that alone. *)
Goal exists P z, (forall i, (i < size P)%nat -> above (lo P i) z (z i) /\ below (up P i) z (z i)) /\ ~ solves P z.
Proof.
  exists (row 1 (-1) (number 0) None), (const 0). split.
  - intros i _. vm_compute. split; [discriminate|exact I].
  - intros S. apply check_solution_correct in S. vm_compute in S. discriminate.
Qed.

(** The two disjunctions cannot be exchanged: at the lower bound w >= 0, not <= 0. *)
Goal exists P z, (forall i, (i < size P)%nat -> (at_bound (lo P i) z (z i) \/ 0 <= w P z i) /\
    (at_bound (up P i) z (z i) \/ w P z i <= 0)) /\ ~ solves P z.
Proof.
  exists (row 0 (-1) (number 0) None), (const 0). split.
  - intros i _. vm_compute. split; [left; reflexivity|right; discriminate].
  - intros S. apply check_solution_correct in S. vm_compute in S. discriminate.
Qed.

(** Farkas: C = 0 proves nothing. *)
Goal exists P m, well_formed P /\ check_form P (start P) m = true /\ form_constant P m <= 0 /\ exists z, solves P z.
Proof.
  exists (row 1 0 (number 0) None), (only_v 0). split; [|split; [|split]].
  - intros i Hi. vm_compute. auto.
  - vm_compute. reflexivity.
  - vm_compute. discriminate.
  - exists (const 0). row_case.
Qed.

(** Farkas: without the signs a negative constant proves nothing. *)
Goal exists P m, well_formed P /\ (forall j, (j < size P)%nat -> coefficient P m j == 0) /\
    form_constant P m < 0 /\ exists z, solves P z.
Proof.
  exists (row 0 1 (number 0) None), (only_v (-1)). split; [|split; [|split]].
  - intros i Hi. vm_compute. auto.
  - intros j _. vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - exists (const 0). row_case.
Qed.

(** Points: without the rank a leaf may hold many. *)
Goal exists P m x y, well_formed P /\ check_form P (start P) m = true /\ form_constant P m == 0 /\
    solves P x /\ solves P y /\ ~ same (size P) x y.
Proof.
  exists (row 0 0 (number 0) None), (only_v 0), (const 0), (const 1).
  split; [|split; [|split; [|split; [|split]]]].
  - intros i Hi. vm_compute. auto.
  - vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - row_case.
  - row_case.
  - intros E. specialize (E 0%nat ltac:(simpl; lia)). vm_compute in E. discriminate.
Qed.

(** w is shared where M is symmetric positive semidefinite, z is not. *)
Goal exists P x y, fixed_bounds P /\ symmetric (size P) (M P) /\ semidefinite (size P) (M P) /\
    solves P x /\ solves P y /\ ~ same (size P) x y.
Proof.
  exists (row 0 0 (number 0) None), (const 0), (const 1). split; [|split; [|split; [|split; [|split]]]].
  - intros i _. vm_compute. auto.
  - intros i j _ _. reflexivity.
  - intros x. unfold quad, bil, mv. simpl. lra.
  - row_case.
  - row_case.
  - intros E. specialize (E 0%nat ltac:(simpl; lia)). vm_compute in E. discriminate.
Qed.

(** Without semidefiniteness, w is not shared either. *)
Goal exists P x y, fixed_bounds P /\ symmetric (size P) (M P) /\ solves P x /\ solves P y /\
    ~ same (size P) (w P x) (w P y).
Proof.
  exists (row (-1) 1 (number 0) None), (const 0), (const 1). split; [|split; [|split; [|split]]].
  - intros i _. vm_compute. auto.
  - intros i j _ _. reflexivity.
  - row_case.
  - row_case.
  - intros E. specialize (E 0%nat ltac:(simpl; lia)). vm_compute in E. discriminate.
Qed.

(** Existence: crossed bounds leave nothing, whatever M is. *)
Goal exists P, fixed_bounds P /\ no_reversal (size P) (M P) /\ forall z, ~ solves P z.
Proof.
  exists (row 1 0 (number 1) (number 0)). split; [|split].
  - intros i _. vm_compute. auto.
  - apply (check_definite_sound 1). vm_compute. reflexivity.
  - intros z S. destruct (S 0%nat) as (A & B & _); [simpl; lia|]. simpl in A, B.
    unfold value in *. simpl in *. lra.
Qed.

(** Minors: the diagonal alone decides nothing. *)
Definition large_off (i j : nat) : Q := if Nat.eqb i j then 1 else 2.
Goal (forall i, (i < 2)%nat -> 0 < large_off i i) /\ ~ no_reversal 2 large_off /\ check_minors 1 2 large_off = false.
Proof.
  split; [|split].
  - intros [|[|i]] Hi; try lia; reflexivity.
  - intros N. apply no_reversal_inP in N. destruct N as (_ & _ & N & _). vm_compute in N. discriminate.
  - vm_compute. reflexivity.
Qed.

(** Dominance has to be strict, and weights positive. *)
Goal check_dominant (const 1) 2 (fun _ _ => 1) = false /\ ~ no_reversal 2 (fun _ _ => 1) /\
    check_dominant (const 0) 1 (fun _ _ => 1) = false.
Proof.
  split; [|split]; try (vm_compute; reflexivity).
  intros N. apply no_reversal_inP in N. destruct N as (_ & _ & N & _). vm_compute in N. discriminate.
Qed.

(** Rank: of integers 2 d = 0 alone is full rank modulo 3, and is none modulo 2. *)
Goal no_kernel 3 (fun h => h) 1 [[2%Z]] = true /\ no_kernel 2 (fun h => h) 1 [[2%Z]] = false.
Proof. split; vm_compute; reflexivity. Qed.

(** The backward error is no less: with half of it no problem is solved. *)
Goal let P := row 1 1 (number 0) None in eta (own_sizes P) P (const 1) == 1 /\
    ~ exists P', near (own_sizes P) (1 # 2) P P' /\ solves P' (const 1).
Proof.
  intros P. split; [vm_compute; reflexivity|]. intros H.
  assert (E : eta (own_sizes P) P (const 1) <= 1 # 2); [|vm_compute in E; apply E; reflexivity].
  apply componentwise_error; [lra| | |assumption].
  - intros i _. vm_compute. exact I.
  - intros i _. vm_compute. split; [discriminate|exact I].
Qed.

(** Cones: a force outside of its cone by more than eps is not obeyed. *)
Definition disc x y z : parts := {| vN := x; vT := fun k => match k with O => y | _ => z end |}.
Goal coulomb_decides true 2 (1 # 10) (const 1) (disc 1 1 1) (disc 1 (11 # 10) 0) (disc 0 0 0) = true /\
    coulomb_decides true 2 (1 # 10) (const 1) (disc 1 1 1) (disc 1 (12 # 10) 0) (disc 0 0 0) = false.
Proof. split; vm_compute; reflexivity. Qed.

(** The laws differ where something slides: by Coulomb's law u_N = 0, by the convex one u_N = mu |u_T|. *)
Lemma slides_to_the_left : pressed 2 (const 1) (disc 1 1 0) (disc 0 (-1) 0) 1.
Proof.
  split; [reflexivity|]. split; [split; [vm_compute; discriminate|split; [|vm_compute; discriminate]]|].
  - intros k _ E. vm_compute in E. discriminate.
  - split; [lra|]. split; [left; reflexivity|]. intros [|[|k]] Hk _; try reflexivity; lia.
Qed.
Goal coulomb 2 (const 1) (disc 1 1 0) (disc 0 (-1) 0) /\ ~ convex 2 (const 1) (disc 1 1 0) (disc 0 (-1) 0) /\
    convex 2 (const 1) (disc 1 1 0) (disc 1 (-1) 0) /\ ~ coulomb 2 (const 1) (disc 1 1 0) (disc 1 (-1) 0).
Proof.
  split; [|split; [|split]].
  - right. exists 1. split; [exact slides_to_the_left|reflexivity].
  - intros (_ & [_ D] & _). vm_compute in D. apply D. reflexivity.
  - apply convex_as_written; [intros k _; vm_compute; discriminate|]. right. exists 1.
    split; [exact slides_to_the_left|reflexivity].
  - intros [[[E _] _]|(L & _ & E)]; vm_compute in E; discriminate.
Qed.

(** With mu = 1 along one row and 2 along the other a slip against the force, u_k = - L r_k, is not the law's. *)
Definition one_and_four (k : nat) : Q := match k with O => 1 | _ => 4 end.
Goal coulomb 2 one_and_four (disc 1 (3 # 5) (8 # 5)) (disc 0 (- (3 # 5)) (- (2 # 5))) /\
    ~ coulomb 2 one_and_four (disc 1 (3 # 5) (8 # 5)) (disc 0 (- (3 # 5)) (- (8 # 5))).
Proof.
  split.
  - right. exists 1. split; [|reflexivity]. split; [reflexivity|].
    split; [split; [vm_compute; discriminate|split; [|vm_compute; discriminate]]|].
    + intros [|k] _ E; vm_compute in E; discriminate.
    + split; [lra|]. split; [left; reflexivity|]. intros [|[|k]] Hk _; try reflexivity; lia.
  - intros [[[E _] _]|(L & (_ & _ & _ & _ & S) & _)]; [vm_compute in E; discriminate|].
    assert (A := S 0%nat ltac:(lia) ltac:(reflexivity)). assert (B := S 1%nat ltac:(lia) ltac:(reflexivity)).
    change (- (3 # 5) == - L * (3 # 5) * 1) in A. change (- (8 # 5) == - L * (8 # 5) * (1 # 4)) in B. lra.
Qed.

(** It makes a difference whether the mu of the rows change as one; and that every row can reach its slip is not
    enough, because r has to be on the boundary. *)
Goal let w := disc 0 (- (84 # 100)) (- (4 # 5)) in let s := disc 1 (84 # 100) (4 # 5) in
    coulomb_decides false 2 (1 # 10) (const 1) s (disc 1 (3 # 5) (4 # 5)) w = true /\
    coulomb_decides true 2 (1 # 10) (const 1) s (disc 1 (3 # 5) (4 # 5)) w = false.
Proof. split; vm_compute; reflexivity. Qed.
Goal let w := disc 0 (-1) 0 in let s := disc 1 1 0 in let r := disc 1 (1 # 2) 0 in
    feasible (each_row 1 (row_each (1 # 10) (const 1) s r w)) = true /\
    slides false 1 (1 # 10) (const 1) s r w false = false.
Proof. split; vm_compute; reflexivity. Qed.

(** Under Coulomb's law a positive definite M has no unique w (which the convex law gives it). *)
Goal exists P cs x y, definite (size P) (M P) /\ cone_solves P cs x /\ cone_solves P cs y /\
    ~ same (size P) (w P x) (w P y).
Proof.
  destruct three_solutions as (_ & D & A & B & _ & N & _).
  exists three_problem, three_contacts, takes_off, stays. auto.
Qed.

(** What a tree over modes and sectors proves, and no Farkas vector: one contact without a solution, although M is
    positive semidefinite and the linear inequalities have solutions (book: "Certificates", "Friction cones"). *)
Definition row_M (i j : nat) : Q := match i, j with O, O => 1 | O, S O => 2 | S O, O => 2 | S O, S O => 4 | _, _ => 0 end.
Definition without : problem :=
  {| size := 3; M := row_M; q := fun i => match i with O => -1 | S O => -1 | _ => 0 end;
     lo := fun _ => None; up := fun _ => None |}.
Definition one_contact : contacts :=
  {| count := 1;
     contact_at := fun _ => {| normal := 0; tangents := 2; tangent := S; mu2 := fun _ => 1; as_one := true; is_convex := false |};
     owner := fun i => if Nat.ltb i 3 then Some 0%nat else None |}.
Definition pair (x y : Q) (j : nat) : Q := match j with O => x | _ => y end.
Definition three_v (x y z : Q) : multipliers :=
  {| v := fun i => match i with O => x | S O => y | _ => z end; a := const 0; b := const 0 |}.
Definition at_index (i : nat) (x : Q) (k j : nat) : Q := if Nat.eqb j i then x else 0.
Definition none_extra (k j : nat) : Q := 0.
Definition its_tree : cone_tree :=
  ByMode 0 (Leaf (three_v 1 0 0) none_extra none_extra) (Leaf (three_v 2 (-1) 0) none_extra none_extra)
    (BySide 0 (pair (- (1 # 6)) (1 # 8))
      (BySide 0 (pair (- (1 # 6)) (- (1 # 8)))
        (Chord 0 0 1 (pair (-3) 4) (pair (-3) (-4)) (pair (- (5 # 3)) 0)
          (Leaf (three_v 1 0 0) (at_index 2 (6 # 5)) none_extra))
        (Leaf (three_v 2 (-1) (- (3 # 4))) none_extra (at_index 1 6)))
      (Leaf (three_v 2 (-1) (3 # 4)) none_extra (at_index 0 6))).
Ltac indices := let i := fresh in let H := fresh in
  intros [|[|[|i]]] H; try (simpl in H; lia); vm_compute; first [reflexivity|discriminate|idtac].
Ltac in_leaf := split; [intros i Hi E; simpl in Hi; do 3 (destruct i as [|i]; [simpl in E; discriminate|]); lia|];
  split; [intros [|k] Hk; [|simpl in Hk; lia]; split; simpl|vm_compute; reflexivity].
Lemma its_tree_closed : closed without one_contact (start without) (fun _ => nothing) its_tree.
Proof.
  split; [|split; [|split; [split|]]].
  - in_leaf; [exact I|]. split; [vm_compute; discriminate|indices].
  - in_leaf.
    + split; [intros i Hi; simpl in Hi; lia|]. vm_compute. split; discriminate.
    + intros j Hj E. vm_compute in E. discriminate.
  - split; [simpl; lia|]. split.
    + repeat split; try (simpl; lia); try reflexivity; try (vm_compute; discriminate).
      intros [|[|j]] [|[|l]] Hj Hl; try (simpl in Hj, Hl; lia); vm_compute; reflexivity.
    + in_leaf.
      * split; [indices|]. vm_compute. split; discriminate.
      * split; [intros j Hj E; vm_compute in E; discriminate|]. split; [indices|]. split; [vm_compute; discriminate|indices].
  - in_leaf.
    + split; [indices|]. vm_compute. split; discriminate.
    + split; [intros j Hj E; vm_compute in E; discriminate|]. split; [indices|]. split; [vm_compute; discriminate|indices].
  - in_leaf.
    + split; [indices|]. vm_compute. split; discriminate.
    + split; [intros j Hj E; vm_compute in E; discriminate|]. split; [indices|]. split; [vm_compute; discriminate|indices].
Qed.
Goal forall z, ~ cone_solves without one_contact z.
Proof.
  intros z. apply (cone_cover_sound without one_contact its_tree z); [| | |exact its_tree_closed].
  - intros i Hi. split; exact I.
  - split.
    + intros [|k] Hk; [|simpl in Hk; lia]. constructor; simpl; try lia; try reflexivity.
      * intros [|[|j]] Hj; try lia; reflexivity.
      * intros j _. vm_compute. discriminate.
    + intros i k E. simpl in E. destruct (Nat.ltb i 3) eqn:L; [|discriminate]. injection E as <-. split; [simpl; lia|].
      apply Nat.ltb_lt in L. destruct i as [|i]; [now left|right]. exists i. simpl. split; [lia|reflexivity].
  - intros i k _. split; reflexivity.
Qed.

(** Energy: a gap that was violated gives energy, so [dissipative] needs gaps that are not negative. *)
Definition falls_out : step :=
  {| dim := 1; mass := fun _ _ => 1; h := 1; force := const 0; position := const (-1); velocity := const 0;
     velocity' := const 1; touching := 1; gradient := fun _ _ => 1; alpha := const 0; bounce := fun _ => None;
     impulse := const 1; ways := 0; direction := fun _ _ => 0; weight := const 0; owners := 0;
     owned := fun _ => 0%nat; slip := const 0; limit := const 0 |}.
Goal obeys falls_out /\
    energy falls_out (velocity falls_out) (position falls_out)
    < energy falls_out (velocity' falls_out) (position' falls_out).
Proof.
  split; [|vm_compute; reflexivity].
  constructor; try (intros [|x] Hx; simpl in Hx; try lia; vm_compute; reflexivity); try (vm_compute; reflexivity).
Qed.

(** None of these goes through. *)
Fail Check (fun P m (W : well_formed P) (C : check_form P (start P) m = true) => farkas_sound P m W C).
Fail Check (fun P m z (W : well_formed P) (C : check_empty P (fun _ => with_LO (start P 0)) m = true) =>
  farkas_sound P m W C z).
Fail Check (fun P c x y (F : fixed_bounds P) (C : check_semidefinite c (size P) (M P) = true) =>
  unique_z P x y F (check_definite_sound c _ _ C)).

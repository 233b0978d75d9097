(** Attempts to break the theorem about trees over the modes of several discs; and such a tree. *)

From Etalon Require Import ProductCover.

Definition const (c : Q) : nat -> Q := fun _ => c.
Definition pair (x y : Q) (j : nat) : Q := match j with O => x | _ => y end.
Definition on_rows (x y z t : Q) : multipliers :=
  {| v := fun i => match i with O => x | 1%nat => y | 2%nat => z | _ => t end; a := const 0; b := const 0 |}.
Ltac lists := let i := fresh in let H := fresh in
  intros [|[|[|i]]] H; try (simpl in H; lia); vm_compute; first [reflexivity|discriminate|idtac].

(** The normal multiplier of forces is divided among the discs. If each had all of it, then this vector would refute a
    problem that has a solution: two discs of one row each, with mu = 1, and w_N = - r_N - r_1 - r_2 - 1. *)
Definition both : product_contact :=
  {| its_normal := 0; its_discs := 2; its_rows := fun _ => 1%nat; its_row := fun d _ => S d; its_mu2 := fun _ _ => 1;
     is_one := fun _ => true; is_associated := false |}.
Definition both_alone : product_contacts :=
  {| how_many := 1; contact_of := fun _ => both; owner_of := fun i => if Nat.ltb i 3 then Some 0%nat else None |}.
Definition carried : problem :=
  {| size := 3; M := fun i _ => match i with O => -1 | _ => 0 end; q := fun i => match i with O => -1 | _ => 0 end;
     lo := fun _ => None; up := fun _ => None |}.
Goal let m := on_rows 1 0 0 0 in let left := wrench_at (fun j => - coefficient carried m j) both in
  product_velocity both (wrench_at (v m) both) /\
  (forall d, (d < 2)%nat -> in_dual 1 (its_mu2 both d) {| vN := nN left; vT := nT left d |}) /\
  form_constant carried m < 0 /\ product_cone_solves carried both_alone (fun i => match i with O => 1 | _ => -1 end).
Proof.
  cbv zeta. split; [|split; [|split]].
  - split; [vm_compute; discriminate|]. intros [|[|d]] [|j] Hd Hj; simpl in Hd, Hj; try lia; reflexivity.
  - intros [|[|d]] Hd; try lia; vm_compute; split; discriminate.
  - vm_compute. reflexivity.
  - split.
    + intros i Hi E. simpl in Hi, E. destruct i as [|[|[|i]]]; try discriminate. lia.
    + intros [|k] Hk; [|simpl in Hk; lia]. right. exists (const 0). split; [|vm_compute; reflexivity].
      split; [vm_compute; reflexivity|]. intros [|[|d]] Hd; [| |simpl in Hd; lia].
      all: split; [vm_compute; reflexivity|]; split; [split; [vm_compute; discriminate|]; split|].
      all: try (intros k _ E; vm_compute in E; discriminate); try (vm_compute; discriminate).
      all: split; [vm_compute; discriminate|]; split; [right; reflexivity|].
      all: intros [|k] Hk' _; [vm_compute; reflexivity|simpl in Hk'; lia].
Qed.

(** The contact of Broken.v that only a tree refutes, with a second disc of one row, which bears nothing on the first. *)
Definition with_rolling : product_contact :=
  {| its_normal := 0; its_discs := 2; its_rows := fun d => match d with O => 2%nat | _ => 1%nat end;
     its_row := fun d j => match d with O => S j | _ => 3%nat end; its_mu2 := fun _ _ => 1; is_one := fun _ => true;
     is_associated := false |}.
Definition rolling_alone : product_contacts :=
  {| how_many := 1; contact_of := fun _ => with_rolling; owner_of := fun i => if Nat.ltb i 4 then Some 0%nat else None |}.
Definition row_M (i j : nat) : Q := match i, j with O, O => 1 | O, S O => 2 | S O, O => 2 | S O, S O => 4 | _, _ => 0 end.
Definition without : problem :=
  {| size := 4; M := row_M; q := fun i => match i with O => -1 | S O => -1 | _ => 0 end;
     lo := fun _ => None; up := fun _ => None |}.
Definition first_disc (i : nat) (x : Q) (k d j : nat) : Q := if Nat.eqb d 0 then if Nat.eqb j i then x else 0 else 0.
Definition none_extra (k d j : nat) : Q := 0.
Definition of_first (x : Q) (k d : nat) : Q := if Nat.eqb d 0 then x else 0.
Definition its_tree : product_tree :=
  ByPhase 0 (Ends (on_rows 1 0 0 0) none_extra none_extra (of_first 0))
    (ByDisc 0 0 (Ends (on_rows 2 (-1) 0 0) none_extra none_extra (of_first 0))
      (ByDiscSide 0 0 (pair (- (1 # 6)) (1 # 8))
        (ByDiscSide 0 0 (pair (- (1 # 6)) (- (1 # 8)))
          (DiscChord 0 0 0 1 (pair (-3) 4) (pair (-3) (-4)) (pair (- (5 # 3)) 0)
            (Ends (on_rows 1 0 0 0) (first_disc 2 (6 # 5)) none_extra (of_first (-1))))
          (Ends (on_rows 2 (-1) (- (3 # 4)) 0) none_extra (first_disc 1 6) (of_first 0)))
        (Ends (on_rows 2 (-1) (3 # 4) 0) none_extra (first_disc 0 6) (of_first 0)))).
Ltac branch := split; [simpl; lia|]; try (split; [simpl; lia|]); try (split; [reflexivity|]).
Ltac forces := split; [vm_compute; discriminate|]; intros [|[|d]] Hd; [| |simpl in Hd; lia];
  (split; [lists|vm_compute; split; discriminate]).
Ltac second := split; [vm_compute; discriminate|intros [|j] Hj; [reflexivity|simpl in Hj; lia]].
Ltac ends := split; [intros i Hi E; simpl in Hi, E; do 4 (destruct i as [|i]; [discriminate|]); lia|];
  split; [intros [|k] Hk; [|simpl in Hk; lia]|vm_compute; reflexivity].
Ltac slides := split; [intros j Hj E; vm_compute in E; discriminate|]; split; [lists|];
  split; [vm_compute; discriminate|lists].
Ltac sliding_leaf := ends; split; [forces|]; intros [|[|d]] Hd; [slides|second|simpl in Hd; lia].

Lemma its_tree_closed : all_closed without rolling_alone (start without) (fun _ => nothing_known) its_tree.
Proof.
  simpl. branch. split.
  - ends. split; [vm_compute; discriminate|].
    intros [|[|d]] [|[|j]] Hd Hj; simpl in Hd, Hj; try lia; reflexivity.
  - branch. split.
    + ends. split; [forces|]. intros [|[|d]] Hd; [|second|simpl in Hd; lia].
      intros j Hj E. vm_compute in E. discriminate.
    + branch. split; [branch; split; [branch; split|]|]; try sliding_leaf.
      repeat split; try (simpl; lia); try reflexivity; try (vm_compute; discriminate).
      intros [|[|j]] [|[|l]] Hj Hl; try (simpl in Hj, Hl; lia); vm_compute; reflexivity.
Qed.
Goal forall z, ~ product_cone_solves without rolling_alone z.
Proof.
  intros z. apply (product_cover_sound without rolling_alone its_tree z); [| | |exact its_tree_closed].
  - intros i Hi. split; exact I.
  - split.
    + intros [|k] Hk; [|simpl in Hk; lia]. constructor; simpl; try lia; try reflexivity.
      all: try (intros [|[|d]] [|[|j]] Hd Hj; simpl in *; try lia; reflexivity).
      * intros [|[|d]] j [|[|d']] j' Hd Hj Hd' Hj' E; simpl in *; lia.
      * intros d Hd j _. vm_compute. discriminate.
    + intros i k E. simpl in E. destruct (Nat.ltb i 4) eqn:L; [|discriminate]. injection E as <-. split; [simpl; lia|].
      apply Nat.ltb_lt in L. destruct i as [|[|[|[|i]]]]; [now left|right..|lia].
      * exists 0%nat, 0%nat. repeat split; simpl; lia.
      * exists 0%nat, 1%nat. repeat split; simpl; lia.
      * exists 1%nat, 0%nat. repeat split; simpl; lia.
  - intros i k _. split; reflexivity.
Qed.

(** Attempts to break the theorems about contacts with several discs: false variants, each refuted by an example. *)

From Etalon Require Import ProductProblem.

(** Two discs of one row each, with mu = 1: forces and velocities are (normal, first, second). *)
Definition two (x y z : Q) : wrench := {| nN := x; nT := fun d _ => match d with O => y | _ => z end |}.
Definition ones : nat -> nat -> Q := fun _ _ => 1.
Definition one_row : nat -> nat := fun _ => 1%nat.
Definition each_one : nat -> bool := fun _ => true.
Definition associated_decides discs eps s r w := product_convex_decides discs each_one one_row eps ones s r w
  (up_to_four discs).
Definition coulomb_says discs eps s r w := product_coulomb_decides discs each_one one_row eps ones s r w.

(** Two discs are not one with the rows of both: each is as large as r_N allows. *)
Goal product_cone 2 one_row ones (two 1 1 1) /\
    ~ in_cone 2 (fun _ => 1) {| vN := 1; vT := fun _ => 1 |}.
Proof.
  split.
  - split; [vm_compute; discriminate|]. intros [|[|d]] Hd; try lia;
      (split; [vm_compute; discriminate|split; [|vm_compute; discriminate]]); intros k _ E; vm_compute in E; discriminate.
  - intros (_ & _ & F). vm_compute in F. apply F. reflexivity.
Qed.

(** An open contact: u_N is at least the sum of the lengths, not the length of all. *)
Goal associated_decides 2 0 (two 1 1 1) (two 0 0 0) (two 1 (3 # 5) (4 # 5)) = false /\
    associated_decides 2 0 (two 2 1 1) (two 0 0 0) (two (7 # 5) (3 # 5) (4 # 5)) = true.
Proof. split; vm_compute; reflexivity. Qed.

(** A pressed one: both discs slide with L = 1, and u_N is the sum. With u_N = 1 each disc would be right by itself. By
    the law of Coulomb u_N = 0. *)
Goal associated_decides 1 0 (two 1 1 1) (two 1 1 1) (two 1 (-1) (-1)) = true /\
    associated_decides 2 0 (two 1 1 1) (two 1 1 1) (two 1 (-1) (-1)) = false /\
    associated_decides 2 0 (two 2 1 1) (two 1 1 1) (two 2 (-1) (-1)) = true /\
    coulomb_says 2 0 (two 2 1 1) (two 1 1 1) (two 2 (-1) (-1)) = false /\
    coulomb_says 2 0 (two 2 1 1) (two 1 1 1) (two 0 (-1) (-1)) = true.
Proof. repeat split; vm_compute; reflexivity. Qed.

(** The ends of the intervals have to be summed with what is within reach: with eps = 1/10 each L is at least 9/10, so
    1.6 is 0.2 from their sum, which 1/10 of s_N = 2 reaches, and 1.5 is too far. *)
Goal associated_decides 2 (1 # 10) (two 2 1 1) (two 1 1 1) (two (16 # 10) (-1) (-1)) = true /\
    associated_decides 2 (1 # 10) (two 2 1 1) (two 1 1 1) (two (13 # 10) (-1) (-1)) = false.
Proof. split; vm_compute; reflexivity. Qed.

(** One disc that neither sticks nor slides is enough to refuse, by both laws. *)
Goal coulomb_says 2 0 (two 1 1 1) (two 1 0 0) (two 0 0 1) = false /\
    associated_decides 2 0 (two 1 1 1) (two 1 0 0) (two 0 0 1) = false /\
    coulomb_says 1 0 (two 1 1 1) (two 1 0 0) (two 0 0 1) = true.
Proof. repeat split; vm_compute; reflexivity. Qed.

(** Without discs the contact is a plain row. *)
Goal coulomb_says 0 0 (two 1 0 0) (two (-1) 0 0) (two 0 0 0) = false /\
    associated_decides 0 0 (two 1 0 0) (two 1 0 0) (two 1 0 0) = false /\
    associated_decides 0 0 (two 1 0 0) (two 1 0 0) (two 0 0 0) = true.
Proof. repeat split; vm_compute; reflexivity. Qed.

(** Roots: that x^2 is at least the sum of the squares is not enough. *)
Goal (3 # 2) * (3 # 2) >= 1 + 1 /\ two_roots 1 1 (3 # 2) = false /\ two_roots 1 1 2 = true /\
    three_roots 1 4 9 6 = true /\ three_roots 1 4 9 (599 # 100) = false.
Proof. repeat split; vm_compute; (reflexivity || discriminate). Qed.

(** Four of them: a tie of fractions, and sqrt(2) + sqrt(3) + sqrt(5) + sqrt(7), which is 8.02808... *)
Goal four_roots 1 4 9 16 10 = true /\ four_roots 1 4 9 16 (9999 # 1000) = false /\
    four_roots 2 3 5 7 (802809 # 100000) = true /\ four_roots 2 3 5 7 (802808 # 100000) = false /\
    four_roots 7 5 3 2 (802809 # 100000) = true /\ four_roots 7 5 3 2 (802808 # 100000) = false.
Proof. repeat split; vm_compute; reflexivity. Qed.

(** [few_roots] is about three roots at most: of four it forgets one. *)
Goal few_roots 4 (fun _ => 1) 3 = true /\ ~ roots_at_most 4 (fun _ => 1) 3.
Proof.
  split; [vm_compute; reflexivity|]. intros R. assert (H : sum 4 (fun _ => 1) <= 3); [|vm_compute in H; apply H; reflexivity].
  apply R. intros d _. lra.
Qed.

(** Fractions below the roots accept nothing without what they are short of. *)
Goal exists squares h, below_by 1 1 squares h /\ sum 1 h <= 0 /\ ~ roots_at_most 1 squares 0.
Proof.
  exists (fun _ => 1), (fun _ => 0). split; [intros d _; lra|]. split; [simpl; lra|].
  intros R. assert (H : sum 1 (fun _ => 1) <= 0); [|vm_compute in H; apply H; reflexivity].
  apply R. intros d _. lra.
Qed.

(** None of these goes through. *)
Fail Check (few_roots_correct 4 (fun _ => 1) 3 (le_n 4)).
Fail Check (up_to_four_correct 5 (fun _ => 1) 3 (le_n 5)).
Fail Check (fun discs n m r u (Hm : product_nonneg discs n m) =>
  proj1 (product_convex_as_written discs n m r u Hm) : product_convex discs n m r u -> product_no_force discs n r).

(** Attempts to break the theorems about enclosures: false variants, each refuted by an example; and an enclosure of a
    solution that no fractions are. *)

From Etalon Require Import Enclosure BackwardErrorTheorem.

(** Numbers, and the unknown x_j, as linear expressions at a center c. *)
Definition number_of (x : Q) : affine := {| value_at := x; slopes := fun _ => 0 |}.
Definition unknown_of (c : nat -> Q) (j : nat) : affine := {| value_at := c j; slopes := unit j |}.
Definition constant_of (x : Q) : equation := [(1, (number_of x, number_of 1))].

(** The box has to be mapped to its inside: with <= in place of <, C = 0 proves that 1 = 0 somewhere. *)
Goal Qabs (sum 1 (fun _ => 0 * at_center (constant_of 1))) +
      shrinks 1 (fun _ => 1) (fun _ => constant_of 1) (fun _ _ => 0) 0 <= 1 /\
    forall x, ~ evaluate 1 (fun _ => 0) (constant_of 1) x == 0.
Proof. split; [vm_compute; discriminate|]. intros x E. vm_compute in E. discriminate. Qed.

(** Without the curvature x^2 + 1 = 0 has a zero within 2 of 1. *)
Definition at_one : nat -> Q := fun _ => 1.
Definition square_plus_one : equation := [(1, (unknown_of at_one 0, unknown_of at_one 0)); (1, (number_of 1, number_of 1))].
Goal Qabs ((1 # 2) * at_center square_plus_one)
      + Qabs (defect 1 (fun _ => square_plus_one) (fun _ _ => 1 # 2) 0 0) * 2 < 2 /\
    (forall x, ~ evaluate 1 at_one square_plus_one x == 0) /\
    ~ krawczyk 1 (fun _ => 2) (fun _ => square_plus_one) (fun _ _ => 1 # 2).
Proof.
  split; [vm_compute; reflexivity|]. split.
  - intros x E. unfold evaluate, square_plus_one, at_point, unknown_of, number_of, at_one in E. simpl in E.
    pose proof (square_nonneg (x 0%nat)) as S. unfold unit in E. simpl in E. lra.
  - intros K. specialize (K 0%nat ltac:(lia)). vm_compute in K. discriminate.
Qed.

(** Equations without signs: where friction pushes along the slip all equations of a disc that slides hold, and the law
    does not. *)
Definition along_slip (x y : Q) : wrench := {| nN := x; nT := fun _ _ => y |}.
Goal force_square (fun _ => 1%nat) (fun _ _ => 1) (along_slip 1 1) 0 - 1 * 1 == 0 /\
    ~ coulomb_equations 1 (fun _ => 1%nat) (fun _ _ => 1) (along_slip 1 1) (along_slip 0 1).
Proof.
  split; [vm_compute; reflexivity|]. intros (_ & _ & _ & H). destruct (H 0%nat ltac:(lia)) as (_ & _ & W & _).
  vm_compute in W. apply W. reflexivity.
Qed.

(** A block of mass 1 that slides along the diagonal: w = z + (-1, 1, 1), mu = 1. Its force has the tangential parts
    - 1/sqrt(2), which are no fractions, and the box 1/20 about (1, -7/10, -7/10) holds it. *)
Definition block : problem :=
  {| size := 3; M := unit; q := fun i => match i with O => -1 | _ => 1 end; lo := fun _ => None; up := fun _ => None |}.
Definition on_floor : product_contact :=
  {| its_normal := 0; its_discs := 1; its_rows := fun _ => 2%nat; its_row := fun _ => S; its_mu2 := fun _ _ => 1;
     is_one := fun _ => true; is_associated := false |}.
Definition floor_alone : product_contacts :=
  {| how_many := 1; contact_of := fun _ => on_floor; owner_of := fun i => if Nat.ltb i 3 then Some 0%nat else None |}.
Definition middle (i : nat) : Q := match i with O => 1 | _ => - (7 # 10) end.
Definition radius (i : nat) : Q := 1 # 20.
Definition own_equation (i : nat) : equation :=
  let x := unknown_of middle in let one := number_of 1 in
  match i with
  | O => [(1, (x 0%nat, one)); (-1, (one, one))]
  | S O => [(1, (x 1%nat, x 1%nat)); (1, (x 2%nat, x 2%nat)); (-1, (x 0%nat, x 0%nat))]
  | _ => [(1, (x 1%nat, one)); (-1, (x 2%nat, one))]
  end.
Definition own_inverse (i l : nat) : Q :=
  match i, l with
  | O, O => 1 | O, _ => 0
  | _, O => - (5 # 7) | _, S O => - (5 # 14) | S O, _ => 1 # 2 | _, _ => - (1 # 2)
  end.
Definition all_unknown (i : nat) : option nat := if Nat.ltb i 3 then Some i else None.

Lemma block_w z i : (i < 3)%nat -> w block z i == z i + q block i.
Proof. intros Hi. unfold w, mv. cbn [M size block]. now rewrite sum_unit. Qed.
Lemma z_is x i : (i < 3)%nat -> z_at all_unknown (fun _ => 0) x i = x i.
Proof. intros Hi. unfold z_at, all_unknown. destruct (Nat.ltb_spec i 3); [reflexivity|lia]. Qed.
Lemma unknown_at x j : (j < 3)%nat -> at_point 3 middle (unknown_of middle j) x == x j.
Proof. intros Hj. unfold at_point, unknown_of. cbn [value_at slopes].
rewrite (sum_unit 3 j (fun i => x i - middle i)) by exact Hj. ring. Qed.
Lemma number_at x y : at_point 3 middle (number_of y) x == y.
Proof. unfold at_point, number_of. cbn [value_at slopes]. rewrite sum_zero by (intros; ring). ring. Qed.

Theorem slides_diagonally : exists x, (forall t, in_box 3 middle radius (x t)) /\
  real_solution block floor_alone (fun t => z_at all_unknown (fun _ => 0) (x t)).
Proof.
  assert (W : forall x, let z := z_at all_unknown (fun _ => 0) x in
    w block z 0 == x 0%nat + -1 /\ w block z 1 == x 1%nat + 1 /\ w block z 2 == x 2%nat + 1).
  { intros x z. rewrite !block_w by lia. unfold z. rewrite !z_is by lia. repeat split; reflexivity. }
  apply (enclosure_sound block floor_alone 3 middle radius own_equation own_inverse all_unknown (fun _ => 0)) with
    (modes := fun _ => Presses (fun _ => true)).
  - split.
    + intros [|k] Hk; [|simpl in Hk; lia]. constructor; simpl; try reflexivity; try lia.
      * intros d j Hd Hj. destruct j as [|[|j]]; try lia; reflexivity.
      * intros d Hd j _. vm_compute. discriminate.
    + intros i k E. simpl in E. destruct (Nat.ltb_spec i 3); [|discriminate]. injection E as <-. split; [simpl; lia|].
      destruct i as [|i]; [now left|right]. exists 0%nat, i. simpl. repeat split; lia.
  - intros i j E. unfold all_unknown in E. destruct (Nat.ltb_spec i 3); [|discriminate]. injection E as <-. assumption.
  - intros j _. reflexivity.
  - intros [|[|[|i]]] Hi; try lia; vm_compute; reflexivity.
  - intros i Hi O. simpl in Hi, O. destruct (Nat.ltb_spec i 3); [discriminate|lia].
  - intros k _. split; [intros e j _ _ E; vm_compute in E; discriminate|]. split; [|split].
    + intros x X. specialize (X 0%nat ltac:(lia)). apply abs_le in X. unfold middle, radius in X.
      cbn [its_normal on_floor contact_of floor_alone].
      rewrite z_is by lia. lra.
    + exists (unit 0). intros x. destruct (W x) as (E & _). cbn [its_normal on_floor contact_of floor_alone]. rewrite E.
      rewrite (sum_unit 3 0 (fun l => evaluate 3 middle (own_equation l) x)) by lia. cbn [own_equation evaluate].
      rewrite unknown_at, !number_at by lia. ring.
    + intros e He. split; [reflexivity|]. exists 0%nat, (1 # 2).
      cbn [its_rows its_mu2 its_row on_floor contact_of floor_alone].
      split; [lia|]. split; [reflexivity|]. split; [reflexivity|]. split; [|split].
      * intros x X. destruct (W x) as (_ & E & _). specialize (X 1%nat ltac:(lia)). apply abs_le in X.
        unfold middle, radius in X.
        rewrite E, z_is by lia. rewrite Qabs_neg by lra. split; [lra|nra].
      * exists (unit 1). intros x. rewrite (sum_unit 3 1 (fun l => evaluate 3 middle (own_equation l) x)) by lia.
        cbn [own_equation evaluate]. rewrite !unknown_at by lia.
        unfold circle, force_square, friction_square. cbn [sum on_disc wrench_at vT nT its_row its_rows its_mu2
          its_normal on_floor contact_of floor_alone].
        rewrite !z_is by lia. field.
      * intros [|[|j]] Hj _ N; try lia. exists (unit 2). intros x. destruct (W x) as (_ & E1 & E2).
        rewrite (sum_unit 3 2 (fun l => evaluate 3 middle (own_equation l) x)) by lia. cbn [own_equation evaluate].
        rewrite !unknown_at, !number_at by lia. rewrite E1, E2, !z_is by lia. field.
Qed.

(** None of these goes through. *)
Fail Check (krawczyk_zero 1 (fun _ => 0) (fun _ => 0) (fun j H => eq_refl)).

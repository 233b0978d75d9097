(** Attempts to break the theorems about Farkas vectors and about weak friction, for contacts with several discs: false
    variants, each refuted by an example. *)

From Etalon Require Import WeakFriction Classes ConeFarkas.

(** The contact of [three_solutions], with mu^2 as it is asked for. *)
Definition its_contact (mu2 : Q) : product_contact :=
  {| its_normal := 0; its_discs := 1; its_rows := fun _ => 2%nat; its_row := fun _ => S; its_mu2 := fun _ _ => mu2;
     is_one := fun _ => true; is_associated := false |}.
Definition alone (c : product_contact) : product_contacts :=
  {| how_many := 1; contact_of := fun _ => c; owner_of := fun i => if Nat.ltb i 3 then Some 0%nat else None |}.

Lemma alone_owned mu2 : 0 <= mu2 -> all_owned 3 (alone (its_contact mu2)).
Proof.
  intros M. split.
  - intros [|k] Hk; [|simpl in Hk; lia]. constructor; simpl; try reflexivity; try lia.
    + intros d j Hd Hj. destruct j as [|[|j]]; try lia; reflexivity.
    + intros d Hd j _. exact M.
  - intros i k E. simpl in E. destruct (Nat.ltb_spec i 3); [|discriminate]. injection E as <-. split; [simpl; lia|].
    destruct i as [|i]; [now left|right]. exists 0%nat, i. simpl. repeat split; lia.
Qed.

Lemma three_quad x : quad 3 three_M x == x 0%nat * x 0%nat + 2 * (x 0%nat * x 1%nat) + 2 * (x 1%nat * x 1%nat) + x
  2%nat * x 2%nat.
Proof. unfold quad, bil, mv. simpl. ring. Qed.

(** With h = 1/2 and mu^2 = 1/8 friction is weak. *)
Theorem weak_is_weak : weak_friction three_problem (alone (its_contact (1 # 8))) (fun _ => 1 # 2) (1 # 2).
Proof.
  constructor.
  - intros i Hi E. simpl in Hi, E. destruct (Nat.ltb_spec i 3); [discriminate|lia].
  - reflexivity.
  - intros. reflexivity.
  - lra.
  - intros [|[|[|i]]] [|[|[|j]]] _ _; reflexivity.
  - intros x. change (M three_problem) with three_M. rewrite three_quad. unfold normal_part. simpl.
    pose proof (square_nonneg (x 0%nat + 2 * x 1%nat)). pose proof (square_nonneg (x 2%nat)). lra.
  - intros x H. destruct (H 0%nat ltac:(simpl; lia)) as [Z _]. simpl in Z. change (M three_problem) with three_M.
    rewrite three_quad. unfold tangent_part. simpl how_many. cbn [sum]. unfold friction_square. simpl. rewrite Z.
    setoid_replace (x 1%nat * x 1%nat / (1 # 8)) with (8 * (x 1%nat * x 1%nat)) by (field).
    setoid_replace (x 2%nat * x 2%nat / (1 # 8)) with (8 * (x 2%nat * x 2%nat)) by (field).
    change (inject_Z 1) with 1. pose proof (square_nonneg (x 2%nat)).
    setoid_replace ((1 # 2) / 1) with (1 # 2) by reflexivity. lra.
Qed.

(** With mu = 2 everything holds but theta < 1, and two solutions have different w. *)
Goal let cs := alone (its_contact 4) in
    (forall x, normal_part cs (fun _ => 1 # 2) x <= quad 3 three_M x) /\
    (forall x, of_tangents cs x -> quad 3 three_M x <= 16 * tangent_part cs (fun _ => 1 # 2) x) /\
    exists x y, product_cone_solves three_problem cs x /\ product_cone_solves three_problem cs y /\
      ~ same 3 (w three_problem x) (w three_problem y).
Proof.
  intros cs. split; [|split].
  - intros x. rewrite three_quad. unfold normal_part. simpl.
    pose proof (square_nonneg (x 0%nat + 2 * x 1%nat)). pose proof (square_nonneg (x 2%nat)). lra.
  - intros x H. destruct (H 0%nat ltac:(simpl; lia)) as [Z _]. simpl in Z. rewrite three_quad.
    unfold tangent_part. simpl how_many. cbn [sum]. unfold friction_square. simpl. rewrite Z.
    setoid_replace (x 1%nat * x 1%nat / 4) with ((1 # 4) * (x 1%nat * x 1%nat)) by (field).
    setoid_replace (x 2%nat * x 2%nat / 4) with ((1 # 4) * (x 2%nat * x 2%nat)) by (field).
    setoid_replace ((1 # 2) / inject_Z 1) with (1 # 2) by reflexivity.
    pose proof (square_nonneg (x 2%nat)). lra.
  - assert (plain : forall z i, (i < 3)%nat -> owner_of cs i = None -> row_solved three_problem z i).
    { intros z i Hi E. simpl in E. destruct (Nat.ltb_spec i 3); [discriminate|lia]. }
    exists takes_off, stays. split; [|split].
    + split; [apply plain|]. intros k _. left. split; [split; [reflexivity|]|vm_compute; discriminate].
      intros d j _ _. reflexivity.
    + split; [apply plain|]. intros k _. right. exists (fun _ => 0). split; [split; [reflexivity|]|reflexivity].
      intros d Hd. split; [reflexivity|]. split; [split; [vm_compute; discriminate|split; [|vm_compute; discriminate]]|].
      * intros j _ E. vm_compute in E. discriminate.
      * split; [lra|]. split; [right; reflexivity|]. intros [|[|j]] Hj _; try reflexivity.
    + intros E. specialize (E 0%nat ltac:(lia)). vm_compute in E. discriminate.
Qed.

(** A vector has to be in K* with the sum of the discs, not with each: left = (1, 1, 1) is in the dual of both discs, and
    the force (1, -1, -1) of the product has a negative product with it. *)
Definition of_two (x y z : Q) : wrench := {| nN := x; nT := fun d _ => match d with O => y | _ => z end |}.
Goal (forall d, (d < 2)%nat -> in_dual 1 (fun _ => 1) (on_disc (of_two 1 1 1) d)) /\
    product_cone 2 (fun _ => 1%nat) (fun _ _ => 1) (of_two 1 (-1) (-1)) /\
    product_dot 2 (fun _ => 1%nat) (of_two 1 (-1) (-1)) (of_two 1 1 1) < 0 /\
    ~ product_dual 2 (fun _ => 1%nat) (fun _ _ => 1) (of_two 1 1 1).
Proof.
  split; [|split; [|split]].
  - intros [|[|d]] Hd; try lia; vm_compute; split; discriminate.
  - split; [vm_compute; discriminate|]. intros [|[|d]] Hd; try lia;
      (split; [vm_compute; discriminate|split; [|vm_compute; discriminate]]); intros k _ E; vm_compute in E; discriminate.
  - vm_compute. reflexivity.
  - intros D. assert (H : sum 2 (fun _ => 1) <= 1); [|vm_compute in H; apply H; reflexivity].
    apply D. intros [|[|d]] Hd; try lia; (split; [lra|vm_compute; discriminate]).
Qed.

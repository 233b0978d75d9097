(** Problems with friction cones: vectors that prove that there is no solution, uniqueness under the convex
    law, and three solutions under Coulomb's (book: "Certificates", sections "Friction cones" and "What the
    class of M proves"). *)

From Etalon Require Export ConeProblem.
From Etalon Require Import Unique Classes.

(** ** Sums over rows as sums over plain rows and contacts. *)
Definition plain_part (cs : contacts) (f : nat -> Q) (i : nat) : Q :=
  match owner cs i with None => f i | Some _ => 0 end.
Definition contact_part (cs : contacts) (f : nat -> Q) (k : nat) : Q :=
  let c := contact_at cs k in f (normal c) + f (tangent1 c) + f (tangent2 c).

Definition belongs (cs : contacts) (k i : nat) : bool :=
  match owner cs i with Some j => Nat.eqb j k | None => false end.

(** Of the rows of one contact. *)
Lemma sum_three n f i j k :
  (i < n)%nat -> (j < n)%nat -> (k < n)%nat -> i <> j -> i <> k -> j <> k ->
  (forall l, (l < n)%nat -> l <> i -> l <> j -> l <> k -> f l == 0) -> sum n f == f i + f j + f k.
Proof.
  intros Hi Hj Hk Nij Nik Njk Z.
  rewrite (sum_ext n f (fun l => unit i l * f l + (unit j l * f l + unit k l * f l))).
  - rewrite !sum_plus, !sum_unit by assumption. ring.
  - intros l Hl. destruct (Nat.eq_dec l i) as [->|Ni]; [|destruct (Nat.eq_dec l j) as [->|Nj];
      [|destruct (Nat.eq_dec l k) as [->|Nk]]].
    + rewrite unit_same, !unit_other by congruence. ring.
    + rewrite unit_same, !unit_other by congruence. ring.
    + rewrite unit_same, !unit_other by congruence. ring.
    + rewrite (Z l Hl Ni Nj Nk). ring.
Qed.

Lemma sum_split n cs f :
  well_owned n cs -> sum n f == sum n (plain_part cs f) + sum (count cs) (contact_part cs f).
Proof.
  intros [WO WI].
  rewrite (sum_ext (count cs) (contact_part cs f)
    (fun k => sum n (fun i => if belongs cs k i then f i else 0))).
  - rewrite <- sum_swap, <- sum_plus. apply sum_ext. intros i Hi. unfold plain_part.
    destruct (owner cs i) as [k|] eqn:O.
    + destruct (WI i k O) as [Hk _]. rewrite (sum_only (count cs) k); [|assumption|].
      * unfold belongs. rewrite O, Nat.eqb_refl. ring.
      * intros j _ N. unfold belongs. rewrite O. destruct (Nat.eqb_spec k j); [congruence|reflexivity].
    + rewrite sum_zero; [ring|]. intros k _. unfold belongs. rewrite O. reflexivity.
  - intros k Hk. destruct (WO k Hk) as ((HN & H1 & H2) & N1 & N2 & N3 & ON & O1 & O2 & _). cbv zeta in *.
    unfold contact_part. cbv zeta.
    assert (B : forall i, owner cs i = Some k -> belongs cs k i = true).
    { intros i O. unfold belongs. rewrite O. apply Nat.eqb_refl. }
    rewrite (sum_three n (fun i => if belongs cs k i then f i else 0) _ _ _ HN H1 H2 N1 N2 N3).
    + rewrite (B _ ON), (B _ O1), (B _ O2). reflexivity.
    + intros l Hl L1 L2 L3. destruct (belongs cs k l) eqn:E; [|reflexivity]. exfalso.
      unfold belongs in E. destruct (owner cs l) as [j|] eqn:O; [|discriminate].
      apply Nat.eqb_eq in E. subst j. destruct (WI l k O) as [_ W]. cbv zeta in W.
      destruct W as [W|[W|W]]; contradiction.
Qed.

(** ** A vector whose form is negative: there is no solution. *)

(** Under the law of Coulomb v_N >= 0 and v_T = 0, under the convex one v in K; and c, what is left of the
    coefficients with its sign turned, in K*. Then v'u + c'r is never negative. *)
Definition dual_signs (c : contact) (v left : three) : Prop :=
  (if is_convex c then in_cone (mu2 c) v else 0 <= vN v /\ v1 v == 0 /\ v2 v == 0) /\
  in_dual (mu2 c) left.

Lemma law_cone c m r u : 0 <= m -> law_of c m r u -> in_cone m r.
Proof.
  intros Hm. unfold law_of. destruct (is_convex c); [intros [H _]; exact H|].
  intros [(E & E1 & E2 & _)|(P & _ & [(_ & _ & H)|(H & _)])]; split; try lra.
  unfold square_of_tangent. rewrite E, E1, E2. lra.
Qed.

Lemma contact_nonneg c v left r u :
  0 <= mu2 c -> dual_signs c v left -> law_of c (mu2 c) r u -> 0 <= dot v u + dot left r.
Proof.
  intros Hm [V L] H. pose proof (law_cone c _ r u Hm H) as K.
  pose proof (dual_nonneg _ _ _ Hm K L) as D1.
  assert (D2 : dot left r == dot r left) by (unfold dot; ring).
  assert (D3 : 0 <= dot v u); [|lra].
  unfold law_of in H. destruct (is_convex c).
  - destruct H as (_ & U & _). now apply (dual_nonneg (mu2 c)).
  - destruct V as (A & B & C). unfold dot. rewrite B, C.
    assert (0 <= vN u) by (destruct H as [(_ & _ & _ & H)|(_ & H & _)]; lra). nra.
Qed.

(** Plain rows have their terms and no coefficient is left there; contacts have the signs above. *)
Definition refutes (P : problem) (cs : contacts) (m : multipliers) : Prop :=
  (forall i, (i < size P)%nat -> owner cs i = None ->
    signs (start P i) m i = true /\ coefficient P m i == 0) /\
  (forall i k, owner cs i = Some k -> lo P i = None /\ up P i = None) /\
  (forall k, (k < count cs)%nat -> let c := contact_at cs k in
    dual_signs c (at_contact (v m) c) (at_contact (fun j => - coefficient P m j) c)) /\
  form_constant P m < 0.

Theorem farkas_cones_sound P cs m z :
  well_formed P -> well_owned (size P) cs -> refutes P cs m -> ~ cone_solves P cs z.
Proof.
  intros W O (HP & HB & HC & Neg) [ZP ZC]. assert (O' := O). destruct O' as [WO WI].
  pose proof (form_identity P m z W) as I.
  rewrite (sum_split _ cs (term P m z) O) in I.
  rewrite (sum_split _ cs (fun j => coefficient P m j * z j) O) in I.
  assert (A : 0 <= sum (size P) (plain_part cs (term P m z))).
  { apply sum_nonneg. intros i Hi. unfold plain_part. destruct (owner cs i) eqn:E; [lra|].
    destruct (HP i Hi E) as [S _]. eapply term_nonneg; eauto.
    destruct (ZP i Hi E) as (_ & _ & C & D). unfold has, start; simpl. repeat split; try discriminate.
    - destruct (lo P i); simpl in *; [discriminate|tauto].
    - destruct (up P i); simpl in *; [discriminate|tauto]. }
  assert (B : sum (size P) (plain_part cs (fun j => coefficient P m j * z j)) == 0).
  { apply sum_zero. intros i Hi. unfold plain_part. destruct (owner cs i) eqn:E; [reflexivity|].
    destruct (HP i Hi E) as [_ C]. rewrite C. ring. }
  assert (C : 0 <= sum (count cs) (fun k => contact_part cs (term P m z) k
      - contact_part cs (fun j => coefficient P m j * z j) k)).
  { apply sum_nonneg. intros k Hk. specialize (HC k Hk). specialize (ZC k Hk).
    destruct (WO k Hk) as (_ & _ & _ & _ & ON & O1 & O2 & Hm). cbv zeta in *.
    pose proof (contact_nonneg _ _ _ _ _ Hm HC ZC) as G.
    assert (T : forall i, owner cs i = Some k -> term P m z i == v m i * w P z i).
    { intros i Oi. destruct (HB i k Oi) as [L U]. unfold term, lower_gap, upper_gap. rewrite L, U. ring. }
    unfold contact_part. cbv zeta. rewrite (T _ ON), (T _ O1), (T _ O2).
    unfold dot, at_contact in G. cbn [vN v1 v2] in G. lra. }
  rewrite sum_minus in C. lra.
Qed.

(** ** Under the convex law the class of M proves uniqueness. *)
Lemma convex_reverse m r u r' u' :
  0 <= m -> convex m r u -> convex m r' u' ->
  (vN r - vN r') * (vN u - vN u') + (v1 r - v1 r') * (v1 u - v1 u') + (v2 r - v2 r') * (v2 u - v2 u') <= 0.
Proof.
  intros Hm (K & D & E) (K' & D' & E').
  pose proof (dual_nonneg m r u' Hm K D') as A. pose proof (dual_nonneg m r' u Hm K' D) as B.
  unfold dot in *. lra.
Qed.

(** Two solutions x and y of a problem with contacts under the convex law, and bounds that are numbers. *)
Theorem convex_solutions_reverse P cs x y :
  well_owned (size P) cs -> (forall k, (k < count cs)%nat -> is_convex (contact_at cs k) = true) ->
  (forall i, (i < size P)%nat -> owner cs i = None -> fixed (lo P i) /\ fixed (up P i)) ->
  cone_solves P cs x -> cone_solves P cs y -> quad (size P) (M P) (fun j => x j - y j) <= 0.
Proof.
  intros O C F [XP XC] [YP YC]. assert (O' := O). destruct O' as [WO _]. unfold quad, bil.
  rewrite (sum_split _ cs _ O).
  assert (A : 0 <= sum (size P) (fun i => - plain_part cs (fun i => (x i - y i) * mv (size P) (M P) (fun j => x j - y j) i) i)).
  { apply sum_nonneg. intros i Hi. unfold plain_part. destruct (owner cs i) eqn:E; [lra|].
    rewrite w_difference. destruct (F i Hi E) as [FL FU].
    destruct (Q_dec (x i) (y i)) as [[L|L]|L].
    - destruct (larger_solution P y x i FL FU (YP i Hi E) (XP i Hi E) L). nra.
    - destruct (larger_solution P x y i FL FU (XP i Hi E) (YP i Hi E) L). nra.
    - rewrite L. lra. }
  assert (B : 0 <= sum (count cs) (fun k => - contact_part cs (fun i => (x i - y i) * mv (size P) (M P) (fun j => x j - y j) i) k)).
  { apply sum_nonneg. intros k Hk. specialize (XC k Hk). specialize (YC k Hk). specialize (C k Hk).
    destruct (WO k Hk) as (_ & _ & _ & _ & _ & _ & _ & Hm). cbv zeta in *. unfold law_of in *. rewrite C in *.
    pose proof (convex_reverse _ _ _ _ _ Hm XC YC) as R. unfold contact_part. cbv zeta.
    rewrite !w_difference. unfold at_contact in R. cbn [vN v1 v2] in R. lra. }
  rewrite sum_opp in A, B. lra.
Qed.

Theorem convex_unique_w P cs x y :
  well_owned (size P) cs -> (forall k, (k < count cs)%nat -> is_convex (contact_at cs k) = true) ->
  (forall i, (i < size P)%nat -> owner cs i = None -> fixed (lo P i) /\ fixed (up P i)) ->
  symmetric (size P) (M P) -> semidefinite (size P) (M P) ->
  cone_solves P cs x -> cone_solves P cs y -> same (size P) (w P x) (w P y).
Proof.
  intros O C F S D X Y i Hi. pose proof (convex_solutions_reverse P cs x y O C F X Y) as R.
  pose proof (semidefinite_kernel _ _ _ S D R i Hi) as Z. rewrite w_difference in Z. lra.
Qed.

Theorem convex_unique_z P cs x y :
  well_owned (size P) cs -> (forall k, (k < count cs)%nat -> is_convex (contact_at cs k) = true) ->
  (forall i, (i < size P)%nat -> owner cs i = None -> fixed (lo P i) /\ fixed (up P i)) ->
  definite (size P) (M P) -> cone_solves P cs x -> cone_solves P cs y -> same (size P) x y.
Proof.
  intros O C F D X Y i Hi. pose proof (convex_solutions_reverse P cs x y O C F X Y) as R.
  specialize (D _ R i Hi). cbv beta in D. lra.
Qed.

(** ** Under the law of Coulomb it does not: one contact, M positive definite, three solutions. *)
Definition three_M (i j : nat) : Q :=
  match i, j with
  | 0%nat, 0%nat => 1 | 0%nat, 1%nat => 1 | 1%nat, 0%nat => 1 | 1%nat, 1%nat => 2 | 2%nat, 2%nat => 1
  | _, _ => 0
  end.
Definition three_problem : problem :=
  {| size := 3; M := three_M; q := fun i => match i with 0%nat => 1 | 1%nat => 5 | _ => 0 end;
     lo := fun _ => None; up := fun _ => None |}.
(** mu = 2. *)
Definition three_contacts : contacts :=
  {| count := 1; contact_at := fun _ => {| normal := 0; tangent1 := 1; tangent2 := 2; mu2 := 4; is_convex := false |};
     owner := fun i => if Nat.ltb i 3 then Some 0%nat else None |}.
Definition takes_off (i : nat) : Q := 0.
Definition sticks (i : nat) : Q := match i with 0%nat => 3 | 1%nat => -4 | _ => 0 end.
Definition slides (i : nat) : Q := match i with 0%nat => 1 | 1%nat => -2 | _ => 0 end.

Theorem three_solutions :
  symmetric 3 three_M /\ definite 3 three_M /\
  cone_solves three_problem three_contacts takes_off /\
  cone_solves three_problem three_contacts sticks /\
  cone_solves three_problem three_contacts slides /\
  ~ same 3 (w three_problem takes_off) (w three_problem sticks) /\
  ~ same 3 (w three_problem takes_off) (w three_problem slides) /\
  ~ same 3 (w three_problem sticks) (w three_problem slides).
Proof.
  assert (plain : forall z, (forall i, (i < 3)%nat -> owner three_contacts i = None -> row_solved three_problem z i)).
  { intros z i Hi E. simpl in E. apply Nat.ltb_lt in Hi. rewrite Hi in E. discriminate. }
  split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]].
  - intros [|[|[|i]]] [|[|[|j]]] _ _; reflexivity.
  - assert (C : check_definite 1 3 three_M = true) by (vm_compute; reflexivity).
    apply is_quadratic_sound in C. now apply C.
  - split; [apply plain|]. intros k _. left. vm_compute. repeat split; discriminate.
  - split; [apply plain|]. intros k _. right. split; [reflexivity|]. split; [vm_compute; reflexivity|].
    left. split; [vm_compute; reflexivity|]. split; [vm_compute; reflexivity|]. vm_compute. discriminate.
  - split; [apply plain|]. intros k _. right. split; [reflexivity|]. split; [vm_compute; reflexivity|].
    right. split; [vm_compute; reflexivity|]. right. exists 1. split; [lra|]. split; vm_compute; reflexivity.
  - intros E. specialize (E 0%nat ltac:(lia)). vm_compute in E. discriminate.
  - intros E. specialize (E 0%nat ltac:(lia)). vm_compute in E. discriminate.
  - intros E. specialize (E 1%nat ltac:(lia)). vm_compute in E. discriminate.
Qed.

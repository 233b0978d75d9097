(** Problems with friction cones: vectors that prove that there is no solution, uniqueness under the convex
    law, and three solutions under Coulomb's (book: "Certificates", sections "Friction cones" and "What the
    class of M proves"). *)

From Etalon Require Export ConeProblem.
From Etalon Require Import Unique Classes.

(** ** Sums over rows as sums over plain rows and contacts. *)
Definition plain_part (cs : contacts) (f : nat -> Q) (i : nat) : Q :=
  match owner cs i with None => f i | Some _ => 0 end.
Definition contact_part (cs : contacts) (f : nat -> Q) (k : nat) : Q :=
  let c := contact_at cs k in f (normal c) + sum (tangents c) (fun j => f (tangent c j)).

Definition belongs (cs : contacts) (k i : nat) : bool :=
  match owner cs i with Some j => Nat.eqb j k | None => false end.

(** The rows of a contact, counted: each of its own once, others never. *)
Lemma count_rows n cs k i :
  well_owned n cs -> (k < count cs)%nat ->
  let c := contact_at cs k in
  unit (normal c) i + sum (tangents c) (fun j => unit (tangent c j) i) == if belongs cs k i then 1 else 0.
Proof.
  intros [WO WI] Hk. pose proof (WO k Hk) as Own. cbv zeta in *. set (c := contact_at cs k) in *.
  assert (other : forall j, (j < tangents c)%nat -> i <> tangent c j -> unit (tangent c j) i == 0).
  { intros j _ N. rewrite unit_other by assumption. reflexivity. }
  unfold belongs. destruct (owner cs i) as [l|] eqn:O; [destruct (Nat.eqb_spec l k) as [E|E]|].
  - subst l. destruct (WI i k O) as [_ [N|(j & Hj & N)]]; cbv zeta in N; fold c in N.
    + rewrite N, unit_same, sum_zero; [lra|]. intros j Hj. rewrite unit_other; [reflexivity|].
      intros F. now apply (tangent_not_normal _ _ _ _ Own j Hj).
    + fold c in Hj. rewrite (sum_only _ j); [|assumption|].
      * rewrite N, unit_same, unit_other; [lra|]. now apply (tangent_not_normal _ _ _ _ Own).
      * intros l Hl Nl. apply other; [assumption|]. intros F. apply Nl, (tangent_once _ _ _ _ Own); congruence.
  - rewrite sum_zero; [rewrite unit_other; [lra|]|].
    + intros F. pose proof (normal_owned _ _ _ _ Own). congruence.
    + intros j Hj. apply other; [assumption|]. intros F. pose proof (tangent_owned _ _ _ _ Own j Hj). congruence.
  - rewrite sum_zero; [rewrite unit_other; [lra|]|].
    + intros F. pose proof (normal_owned _ _ _ _ Own). congruence.
    + intros j Hj. apply other; [assumption|]. intros F. pose proof (tangent_owned _ _ _ _ Own j Hj). congruence.
Qed.

Lemma sum_split n cs f :
  well_owned n cs -> sum n f == sum n (plain_part cs f) + sum (count cs) (contact_part cs f).
Proof.
  intros W. assert (W' := W). destruct W' as [WO WI].
  rewrite (sum_ext (count cs) (contact_part cs f)
    (fun k => sum n (fun i => if belongs cs k i then f i else 0))).
  - rewrite <- sum_swap, <- sum_plus. apply sum_ext. intros i Hi. unfold plain_part.
    destruct (owner cs i) as [k|] eqn:O.
    + destruct (WI i k O) as [Hk _]. rewrite (sum_only (count cs) k); [|assumption|].
      * unfold belongs. rewrite O, Nat.eqb_refl. ring.
      * intros j _ N. unfold belongs. rewrite O. destruct (Nat.eqb_spec k j); [congruence|reflexivity].
    + rewrite sum_zero; [ring|]. intros k _. unfold belongs. rewrite O. reflexivity.
  - intros k Hk. pose proof (WO k Hk) as Own. unfold contact_part. cbv zeta in *. set (c := contact_at cs k) in *.
    rewrite (sum_ext n _ (fun i => unit (normal c) i * f i + sum (tangents c) (fun j => unit (tangent c j) i * f i))).
    + rewrite sum_plus, sum_unit by apply Own. rewrite sum_swap.
      rewrite (sum_ext (tangents c) (fun j => sum n (fun i => unit (tangent c j) i * f i)) (fun j => f (tangent c j))).
      * reflexivity.
      * intros j Hj. apply sum_unit. now apply (tangent_below _ _ _ _ Own).
    + intros i Hi. pose proof (count_rows n cs k i W Hk) as C. cbv zeta in C. fold c in C.
      rewrite sum_scale_right.
      setoid_replace (unit (normal c) i * f i + sum (tangents c) (fun j => unit (tangent c j) i) * f i)
        with ((unit (normal c) i + sum (tangents c) (fun j => unit (tangent c j) i)) * f i) by ring.
      rewrite C. destruct (belongs cs k i); ring.
Qed.

(** ** A vector whose form is negative: there is no solution. *)

(** Under the law of Coulomb v_N >= 0 and v_T = 0, under the convex one v in K; and c, what is left of the
    coefficients with its sign turned, in K*. Then v'u + c'r is never negative. *)
Definition dual_signs (c : contact) (v left : parts) : Prop :=
  (if is_convex c then in_cone (tangents c) (mu2 c) v
   else 0 <= vN v /\ forall j, (j < tangents c)%nat -> vT v j == 0) /\
  in_dual (tangents c) (mu2 c) left.

Lemma law_cone c m r u : law_of c m r u -> in_cone (tangents c) m r.
Proof.
  unfold law_of. destruct (is_convex c); [intros [H _]; exact H|].
  intros [[H _]|(L & (_ & H & _) & _)]; [now apply no_force_in_cone|exact H].
Qed.

Lemma dot_swap n x y : dot n x y == dot n y x.
Proof. unfold dot, along. rewrite (sum_ext n _ (fun k => vT y k * vT x k)) by (intros; ring). ring. Qed.

Lemma contact_nonneg c v left r u :
  nonneg (tangents c) (mu2 c) -> dual_signs c v left -> law_of c (mu2 c) r u ->
  0 <= dot (tangents c) v u + dot (tangents c) left r.
Proof.
  intros Hm [V L] H. pose proof (law_cone c _ r u H) as K.
  pose proof (dual_nonneg _ _ _ _ Hm K L) as D1. rewrite (dot_swap _ left r).
  assert (D3 : 0 <= dot (tangents c) v u); [|lra].
  unfold law_of in H. destruct (is_convex c).
  - destruct H as (_ & U & _). now apply (dual_nonneg _ (mu2 c)).
  - destruct V as (A & B). unfold dot, along.
    rewrite sum_zero by (intros j Hj; rewrite B by assumption; ring).
    assert (0 <= vN u) by (destruct H as [(_ & H)|(_ & _ & H)]; lra). nra.
Qed.

(** Plain rows have their terms and no coefficient is left there; contacts have the signs above. *)
Definition refutes (P : problem) (cs : contacts) (m : multipliers) : Prop :=
  (forall i, (i < size P)%nat -> owner cs i = None ->
    signs (start P i) m i = true /\ coefficient P m i == 0) /\
  (forall i k, owner cs i = Some k -> lo P i = None /\ up P i = None) /\
  (forall k, (k < count cs)%nat -> let c := contact_at cs k in
    dual_signs c (at_contact (v m) c) (at_contact (fun j => - coefficient P m j) c)) /\
  form_constant P m < 0.

(** Where no term of a plain row and no product of a contact is negative, C is not. *)
Lemma form_not_negative P cs m z :
  well_formed P -> well_owned (size P) cs ->
  (forall i k, owner cs i = Some k -> lo P i = None /\ up P i = None) ->
  (forall i, (i < size P)%nat -> owner cs i = None -> 0 <= term P m z i /\ coefficient P m i == 0) ->
  (forall k, (k < count cs)%nat -> let c := contact_at cs k in
    0 <= dot (tangents c) (at_contact (v m) c) (at_contact (w P z) c)
       + dot (tangents c) (at_contact (fun j => - coefficient P m j) c) (at_contact z c)) ->
  0 <= form_constant P m.
Proof.
  intros W O HB HP HC. assert (O' := O). destruct O' as [WO _].
  pose proof (form_identity P m z W) as I.
  rewrite (sum_split _ cs (term P m z) O) in I.
  rewrite (sum_split _ cs (fun j => coefficient P m j * z j) O) in I.
  assert (A : 0 <= sum (size P) (plain_part cs (term P m z))).
  { apply sum_nonneg. intros i Hi. unfold plain_part. destruct (owner cs i) eqn:E; [lra|]. now apply HP. }
  assert (B : sum (size P) (plain_part cs (fun j => coefficient P m j * z j)) == 0).
  { apply sum_zero. intros i Hi. unfold plain_part. destruct (owner cs i) eqn:E; [reflexivity|].
    destruct (HP i Hi E) as [_ C]. rewrite C. ring. }
  assert (C : 0 <= sum (count cs) (fun k => contact_part cs (term P m z) k
      - contact_part cs (fun j => coefficient P m j * z j) k)).
  { apply sum_nonneg. intros k Hk. pose proof (HC k Hk) as G. pose proof (WO k Hk) as Own. cbv zeta in *.
    assert (T : forall i, owner cs i = Some k -> term P m z i == v m i * w P z i).
    { intros i Oi. destruct (HB i k Oi) as [L U]. unfold term, lower_gap, upper_gap. rewrite L, U. ring. }
    unfold contact_part. cbv zeta. rewrite (T _ (normal_owned _ _ _ _ Own)).
    rewrite (sum_ext _ (fun j => term P m z (tangent (contact_at cs k) j))
      (fun j => v m (tangent (contact_at cs k) j) * w P z (tangent (contact_at cs k) j)))
      by (intros j Hj; apply T; now apply (tangent_owned _ _ _ _ Own)).
    unfold dot, along, at_contact in G. cbn [vN vT] in G.
    rewrite (sum_ext _ (fun j => - coefficient P m (tangent (contact_at cs k) j) * z (tangent (contact_at cs k) j))
      (fun j => - (coefficient P m (tangent (contact_at cs k) j) * z (tangent (contact_at cs k) j)))) in G
      by (intros; ring).
    rewrite sum_opp in G. lra. }
  rewrite sum_minus in C. lra.
Qed.

Lemma plain_start P z i : row_solved P z i -> has P (start P i) z i.
Proof.
  intros (_ & _ & C & D). unfold has, start; simpl. repeat split; try discriminate.
  - destruct (lo P i); simpl in *; [discriminate|tauto].
  - destruct (up P i); simpl in *; [discriminate|tauto].
Qed.

Theorem farkas_cones_sound P cs m z :
  well_formed P -> well_owned (size P) cs -> refutes P cs m -> ~ cone_solves P cs z.
Proof.
  intros W O (HP & HB & HC & Neg) [ZP ZC]. assert (C : 0 <= form_constant P m); [|lra].
  apply (form_not_negative P cs m z W O HB).
  - intros i Hi E. destruct (HP i Hi E) as [S C]. split; [|exact C].
    apply (term_nonneg P (start P i)); auto using plain_start.
  - intros k Hk. destruct O as [WO _]. pose proof (mu_nonneg _ _ _ _ (WO k Hk)).
    apply contact_nonneg; auto.
Qed.

(** ** Under the convex law the class of M proves uniqueness. *)
Definition minus (x y : parts) : parts := {| vN := vN x - vN y; vT := fun k => vT x k - vT y k |}.

Lemma dot_minus n r u r' u' :
  dot n (minus r r') (minus u u') == dot n r u - dot n r u' - dot n r' u + dot n r' u'.
Proof.
  unfold dot, minus. cbn [vN vT].
  assert (E : along n {| vN := vN r - vN r'; vT := fun k => vT r k - vT r' k |}
      {| vN := vN u - vN u'; vT := fun k => vT u k - vT u' k |}
    == along n r u - along n r u' - along n r' u + along n r' u').
  { unfold along. cbn [vT]. rewrite <- !sum_minus, <- sum_plus. apply sum_ext. intros k _. ring. }
  rewrite E. ring.
Qed.

Lemma convex_reverse n m r u r' u' :
  nonneg n m -> convex n m r u -> convex n m r' u' -> dot n (minus r r') (minus u u') <= 0.
Proof.
  intros Hm (K & D & E) (K' & D' & E').
  pose proof (dual_nonneg n m r u' Hm K D') as A. pose proof (dual_nonneg n m r' u Hm K' D) as B.
  rewrite dot_minus. lra.
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
    pose proof (WO k Hk) as Own. cbv zeta in *. unfold law_of in *. rewrite C in *.
    pose proof (convex_reverse _ _ _ _ _ _ (mu_nonneg _ _ _ _ Own) XC YC) as R. unfold contact_part. cbv zeta.
    rewrite w_difference. unfold dot, along, minus, at_contact in R. cbn [vN vT] in R.
    rewrite (sum_ext _ _ (fun j => (x (tangent (contact_at cs k) j) - y (tangent (contact_at cs k) j)) *
      (w P x (tangent (contact_at cs k) j) - w P y (tangent (contact_at cs k) j))))
      by (intros; now rewrite w_difference). lra. }
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
  {| count := 1;
     contact_at := fun _ => {| normal := 0; tangents := 2; tangent := S; mu2 := fun _ => 4; as_one := true; is_convex := false |};
     owner := fun i => if Nat.ltb i 3 then Some 0%nat else None |}.
Definition takes_off (i : nat) : Q := 0.
Definition stays (i : nat) : Q := match i with 0%nat => 3 | 1%nat => -4 | _ => 0 end.
Definition slides_off (i : nat) : Q := match i with 0%nat => 1 | 1%nat => -2 | _ => 0 end.

Theorem three_solutions :
  symmetric 3 three_M /\ definite 3 three_M /\
  cone_solves three_problem three_contacts takes_off /\
  cone_solves three_problem three_contacts stays /\
  cone_solves three_problem three_contacts slides_off /\
  ~ same 3 (w three_problem takes_off) (w three_problem stays) /\
  ~ same 3 (w three_problem takes_off) (w three_problem slides_off) /\
  ~ same 3 (w three_problem stays) (w three_problem slides_off).
Proof.
  assert (plain : forall z, (forall i, (i < 3)%nat -> owner three_contacts i = None -> row_solved three_problem z i)).
  { intros z i Hi E. simpl in E. apply Nat.ltb_lt in Hi. rewrite Hi in E. discriminate. }
  split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]].
  - intros [|[|[|i]]] [|[|[|j]]] _ _; reflexivity.
  - assert (C : check_definite 1 3 three_M = true) by (vm_compute; reflexivity).
    apply is_quadratic_sound in C. now apply C.
  - split; [apply plain|]. intros k _. left. split; [split|].
    + reflexivity.
    + intros j _. reflexivity.
    + vm_compute. discriminate.
  - split; [apply plain|]. intros k _. right. exists 0. split; [|reflexivity].
    split; [reflexivity|]. split; [split; [|split]|].
    + vm_compute. discriminate.
    + intros j _ E. vm_compute in E. discriminate.
    + vm_compute. discriminate.
    + split; [lra|]. split; [right; reflexivity|]. intros [|[|j]] Hj _; try reflexivity; simpl in Hj; lia.
  - split; [apply plain|]. intros k _. right. exists 4. split; [|reflexivity].
    split; [reflexivity|]. split; [split; [|split]|].
    + vm_compute. discriminate.
    + intros j _ E. vm_compute in E. discriminate.
    + vm_compute. discriminate.
    + split; [lra|]. split; [left; reflexivity|]. intros [|[|j]] Hj _; try reflexivity; simpl in Hj; lia.
  - intros E. specialize (E 0%nat ltac:(lia)). vm_compute in E. discriminate.
  - intros E. specialize (E 0%nat ltac:(lia)). vm_compute in E. discriminate.
  - intros E. specialize (E 1%nat ltac:(lia)). vm_compute in E. discriminate.
Qed.

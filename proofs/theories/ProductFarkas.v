(** Problems with contacts of several discs: vectors that prove that there is no solution, and uniqueness under the convex
    law (book: "Certificates", sections "No solution: modes and sectors" and "What the class of M proves"). *)

From Etalon Require Export ProductProblem.
From Etalon Require Import Unique Classes ConeFarkas.

(** ** Sums over rows as sums over plain rows and contacts. *)
Definition rows_of (c : product_contact) (f : nat -> Q) : Q :=
  f (its_normal c) + sum (its_discs c) (fun d => sum (its_rows c d) (fun j => f (its_row c d j))).
Definition plain_rows (cs : product_contacts) (f : nat -> Q) (i : nat) : Q :=
  match owner_of cs i with None => f i | Some _ => 0 end.
Definition is_of (cs : product_contacts) (k i : nat) : bool :=
  match owner_of cs i with Some j => Nat.eqb j k | None => false end.

(** The rows of a contact, counted: each of its own once, others never. *)
Lemma count_rows_of n cs k i :
  all_owned n cs -> (k < how_many cs)%nat -> rows_of (contact_of cs k) (fun j => unit j i) == if is_of cs k i then 1 else 0.
Proof.
  intros [WO WI] Hk. pose proof (WO k Hk) as Own. set (c := contact_of cs k) in *. unfold is_of, rows_of.
  assert (none : (forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat -> i <> its_row c d j) ->
    sum (its_discs c) (fun d => sum (its_rows c d) (fun j => unit (its_row c d j) i)) == 0).
  { intros H. apply sum_zero. intros d Hd. apply sum_zero. intros j Hj. rewrite unit_other by now apply H. reflexivity. }
  assert (other : owner_of cs i <> Some k -> unit (its_normal c) i +
    sum (its_discs c) (fun d => sum (its_rows c d) (fun j => unit (its_row c d j) i)) == 0).
  { intros N. rewrite none, unit_other; [lra| |].
    - intros E. apply N. rewrite E. apply Own.
    - intros d j Hd Hj E. apply N. rewrite E. now apply (its_row_owned _ _ _ _ Own). }
  destruct (owner_of cs i) as [l|] eqn:O; [destruct (Nat.eqb_spec l k) as [E|E]|]; [|apply other;
    congruence|apply other; congruence].
  subst l. destruct (WI i k O) as [_ W]. cbv zeta in W. fold c in W. destruct W as [E|(d & j & Hd & Hj & E)].
  - rewrite none, E, unit_same; [lra|]. intros d j Hd Hj F. apply (its_row_not_normal _ _ _ _ Own d j Hd Hj). congruence.
  - rewrite unit_other by (rewrite E; now apply (its_row_not_normal _ _ _ _ Own)). rewrite (sum_only _ d); [|exact Hd|].
    + rewrite (sum_only _ j); [rewrite E, unit_same; lra|exact Hj|]. intros l Hl Ne. rewrite unit_other; [reflexivity|].
      rewrite E. intros F. apply Ne. destruct (its_row_once _ _ _ _ Own d j d l Hd Hj Hd Hl F). auto.
    + intros e He Ne. apply sum_zero. intros l Hl. rewrite unit_other; [reflexivity|]. rewrite E. intros F. apply Ne.
      destruct (its_row_once _ _ _ _ Own d j e l Hd Hj He Hl F). auto.
Qed.

Lemma rows_of_sum c n (f : nat -> Q) :
  (its_normal c < n)%nat -> (forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat -> (its_row c d j < n)%nat) ->
  rows_of c f == sum n (fun i => rows_of c (fun j => unit j i) * f i).
Proof.
  intros N R. unfold rows_of.
  rewrite (sum_ext n _ (fun i => unit (its_normal c) i * f i +
    sum (its_discs c) (fun d => sum (its_rows c d) (fun j => unit (its_row c d j) i * f i)))).
  - rewrite sum_plus, (sum_unit n _ f N), sum_swap. apply Qplus_comp; [reflexivity|]. apply sum_ext. intros d Hd.
    rewrite sum_swap. apply sum_ext. intros j Hj. symmetry. now apply sum_unit, R.
  - intros i _. rewrite Qmult_plus_distr_l, <- sum_scale_right. apply Qplus_comp; [reflexivity|].
    apply sum_ext. intros d _. now rewrite sum_scale_right.
Qed.

Lemma split_rows n cs f :
  all_owned n cs -> sum n f == sum n (plain_rows cs f) + sum (how_many cs) (fun k => rows_of (contact_of cs k) f).
Proof.
  intros A. assert (A' := A). destruct A' as [WO WI].
  rewrite (sum_ext (how_many cs) _ (fun k => sum n (fun i => if is_of cs k i then f i else 0))).
  - rewrite <- sum_swap, <- sum_plus. apply sum_ext. intros i Hi. unfold plain_rows, is_of.
    destruct (owner_of cs i) as [k|] eqn:O.
    + destruct (WI i k O) as [Hk _]. rewrite (sum_only (how_many cs) k); [|exact Hk|].
      * rewrite Nat.eqb_refl. ring.
      * intros j _ N. destruct (Nat.eqb_spec k j); [congruence|reflexivity].
    + rewrite sum_zero by reflexivity. ring.
  - intros k Hk. pose proof (WO k Hk) as Own. rewrite (rows_of_sum _ n); [|apply Own|apply Own].
    apply sum_ext. intros i Hi. rewrite (count_rows_of n cs k i A Hk). destruct (is_of cs k i); ring.
Qed.

(** A contact's part of a sum of products. *)
Lemma rows_of_product c x y :
  rows_of c (fun i => x i * y i) == product_dot (its_discs c) (its_rows c) (wrench_at x c) (wrench_at y c).
Proof. reflexivity. Qed.

Lemma product_dot_swap discs n x y : product_dot discs n x y == product_dot discs n y x.
Proof.
  unfold product_dot. rewrite (sum_ext discs _ (fun d => along (n d) (on_disc y d) (on_disc x d))); [ring|].
  intros d _. apply sum_ext. intros k _. ring.
Qed.

(** ** A vector whose form is negative: there is no solution. *)
Definition product_signs (c : product_contact) (v left : wrench) : Prop :=
  (if is_associated c then product_cone (its_discs c) (its_rows c) (its_mu2 c) v
   else 0 <= nN v /\ forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat -> nT v d j == 0) /\
  product_dual (its_discs c) (its_rows c) (its_mu2 c) left.

Lemma product_law_cone c m r u : product_law c m r u -> product_cone (its_discs c) (its_rows c) m r.
Proof.
  unfold product_law. destruct (is_associated c); [intros [H _]; exact H|].
  intros [[H _]|(L & [P H] & _)]; [now apply product_no_force_in_cone|]. split; [lra|]. intros d Hd. apply (H d Hd).
Qed.

Lemma product_contact_nonneg c v left r u :
  product_nonneg (its_discs c) (its_rows c) (its_mu2 c) -> product_signs c v left -> product_law c (its_mu2 c) r u ->
  0 <= product_dot (its_discs c) (its_rows c) v u + product_dot (its_discs c) (its_rows c) left r.
Proof.
  intros Hm [V L] H. pose proof (product_law_cone c _ r u H) as K. rewrite (product_dot_swap _ _ left r).
  pose proof (product_dual_nonneg _ _ _ _ _ Hm K L) as D1.
  assert (D2 : 0 <= product_dot (its_discs c) (its_rows c) v u); [|lra].
  unfold product_law in H. destruct (is_associated c).
  - destruct H as (_ & U & _). now apply (product_dual_nonneg _ _ (its_mu2 c)).
  - destruct V as (A & B). unfold product_dot. rewrite sum_zero.
    + assert (0 <= nN u) by (destruct H as [(_ & H)|(_ & _ & H)]; lra). nra.
    + intros d Hd. apply sum_zero. intros j Hj. cbn [on_disc vT]. rewrite B by assumption. ring.
Qed.

Definition product_refutes (P : problem) (cs : product_contacts) (m : multipliers) : Prop :=
  (forall i, (i < size P)%nat -> owner_of cs i = None -> signs (start P i) m i = true /\ coefficient P m i == 0) /\
  (forall i k, owner_of cs i = Some k -> lo P i = None /\ up P i = None) /\
  (forall k, (k < how_many cs)%nat -> let c := contact_of cs k in
    product_signs c (wrench_at (v m) c) (wrench_at (fun j => - coefficient P m j) c)) /\
  form_constant P m < 0.

Definition product_cone_solves P cs z : Prop := product_solves P cs (fun k => its_mu2 (contact_of cs k)) z.

(** Where no term of a plain row and no product of a contact is negative, C is not. *)
Lemma product_form_not_negative P cs m z :
  well_formed P -> all_owned (size P) cs ->
  (forall i k, owner_of cs i = Some k -> lo P i = None /\ up P i = None) ->
  (forall i, (i < size P)%nat -> owner_of cs i = None -> 0 <= term P m z i /\ coefficient P m i == 0) ->
  (forall k, (k < how_many cs)%nat -> let c := contact_of cs k in
    0 <= product_dot (its_discs c) (its_rows c) (wrench_at (v m) c) (wrench_at (w P z) c)
       + product_dot (its_discs c) (its_rows c) (wrench_at (fun j => - coefficient P m j) c) (wrench_at z c)) ->
  0 <= form_constant P m.
Proof.
  intros W O HB HP HC. assert (O' := O). destruct O' as [WO _].
  pose proof (form_identity P m z W) as I.
  rewrite (split_rows _ cs (term P m z) O) in I. rewrite (split_rows _ cs (fun j => coefficient P m j * z j) O) in I.
  assert (A : 0 <= sum (size P) (plain_rows cs (term P m z))).
  { apply sum_nonneg. intros i Hi. unfold plain_rows. destruct (owner_of cs i) eqn:E; [lra|]. now apply HP. }
  assert (B : sum (size P) (plain_rows cs (fun j => coefficient P m j * z j)) == 0).
  { apply sum_zero. intros i Hi. unfold plain_rows. destruct (owner_of cs i) eqn:E; [reflexivity|].
    destruct (HP i Hi E) as [_ C]. rewrite C. ring. }
  assert (C : 0 <= sum (how_many cs) (fun k => rows_of (contact_of cs k) (term P m z)
      - rows_of (contact_of cs k) (fun j => coefficient P m j * z j))).
  { apply sum_nonneg. intros k Hk. pose proof (WO k Hk) as Own. set (c := contact_of cs k) in *.
    assert (T : forall i, owner_of cs i = Some k -> term P m z i == v m i * w P z i).
    { intros i Oi. destruct (HB i k Oi) as [L U]. unfold term, lower_gap, upper_gap. rewrite L, U. ring. }
    assert (E1 : rows_of c (term P m z) == rows_of c (fun i => v m i * w P z i)).
    { unfold rows_of. rewrite (T _ (its_normal_owned _ _ _ _ Own)). apply Qplus_comp; [reflexivity|].
      apply sum_ext. intros d Hd. apply sum_ext. intros j Hj. apply T. now apply (its_row_owned _ _ _ _ Own). }
    assert (E2 : rows_of c (fun i => - coefficient P m i * z i) == - rows_of c (fun j => coefficient P m j * z j)).
    { unfold rows_of. rewrite (sum_ext (its_discs c) (fun d => sum (its_rows c d) (fun j => - coefficient P m (its_row
        c d j) * z (its_row c d j)))
        (fun d => - sum (its_rows c d) (fun j => coefficient P m (its_row c d j) * z (its_row c d j)))).
      - rewrite sum_opp. ring.
      - intros d _. rewrite <- sum_opp. apply sum_ext. intros. ring. }
    assert (G : 0 <= rows_of c (fun i => v m i * w P z i) + rows_of c (fun i => - coefficient P m i * z i))
      by exact (HC k Hk).
    rewrite E2 in G. rewrite E1. lra. }
  rewrite sum_minus in C. lra.
Qed.

Theorem farkas_products_sound P cs m z :
  well_formed P -> all_owned (size P) cs -> product_refutes P cs m -> ~ product_cone_solves P cs z.
Proof.
  intros W O (HP & HB & HC & Neg) [ZP ZC]. assert (C : 0 <= form_constant P m); [|lra].
  apply (product_form_not_negative P cs m z W O HB).
  - intros i Hi E. destruct (HP i Hi E) as [S C]. split; [|exact C].
    apply (term_nonneg P (start P i)); auto using plain_start.
  - intros k Hk. destruct O as [WO _]. pose proof (its_mu_nonneg _ _ _ _ (WO k Hk)).
    exact (product_contact_nonneg _ _ _ _ _ (its_mu_nonneg _ _ _ _ (WO k Hk)) (HC k Hk) (ZC k Hk)).
Qed.

(** ** Under the convex law the class of M proves uniqueness. *)
Definition less (x y : wrench) : wrench := {| nN := nN x - nN y; nT := fun d k => nT x d k - nT y d k |}.

Lemma product_dot_less discs n r u r' u' :
  product_dot discs n (less r r') (less u u')
  == product_dot discs n r u - product_dot discs n r u' - product_dot discs n r' u + product_dot discs n r' u'.
Proof.
  unfold product_dot, less. cbn [nN].
  rewrite (sum_ext discs _ (fun d => along (n d) (on_disc r d) (on_disc u d) - along (n d) (on_disc r d) (on_disc u' d)
    - along (n d) (on_disc r' d) (on_disc u d) + along (n d) (on_disc r' d) (on_disc u' d))).
  - rewrite sum_plus, !sum_minus. ring.
  - intros d _. unfold along. rewrite <- !sum_minus, <- sum_plus. apply sum_ext. intros k _. cbn [on_disc vT nT]. ring.
Qed.

(** Two solutions: contacts and plain rows have a part of (x - y)'M(x - y) each. *)
Lemma parts_of_difference P cs x y :
  all_owned (size P) cs ->
  (forall i, (i < size P)%nat -> owner_of cs i = None -> fixed (lo P i) /\ fixed (up P i)) ->
  product_cone_solves P cs x -> product_cone_solves P cs y ->
  quad (size P) (M P) (fun j => x j - y j) <= sum (how_many cs) (fun k => let c := contact_of cs k in
    product_dot (its_discs c) (its_rows c) (less (wrench_at x c) (wrench_at y c)) (less (wrench_at (w P x) c)
      (wrench_at (w P y) c))).
Proof.
  intros O F [XP _] [YP _]. unfold quad, bil. set (g := fun i => (x i - y i) * mv (size P) (M P) (fun j => x j - y j) i).
  rewrite (split_rows _ cs g O).
  assert (A : sum (size P) (plain_rows cs g) <= 0).
  { setoid_replace (sum (size P) (plain_rows cs g)) with (- sum (size P) (fun i => - plain_rows cs g i)) by (rewrite
      sum_opp; ring).
    assert (A : 0 <= sum (size P) (fun i => - plain_rows cs g i)); [|lra].
    apply sum_nonneg. intros i Hi. unfold plain_rows, g. destruct (owner_of cs i) eqn:E; [lra|].
    rewrite w_difference. destruct (F i Hi E) as [FL FU]. destruct (Q_dec (x i) (y i)) as [[L|L]|L].
    - destruct (larger_solution P y x i FL FU (YP i Hi E) (XP i Hi E) L). nra.
    - destruct (larger_solution P x y i FL FU (XP i Hi E) (YP i Hi E) L). nra.
    - rewrite L. lra. }
  assert (B : sum (how_many cs) (fun k => rows_of (contact_of cs k) g)
    == sum (how_many cs) (fun k => let c := contact_of cs k in
    product_dot (its_discs c) (its_rows c) (less (wrench_at x c) (wrench_at y c)) (less (wrench_at (w P x) c)
      (wrench_at (w P y) c)))).
  { apply sum_ext. intros k _. cbv zeta. unfold rows_of, g, product_dot, less, wrench_at. cbn [nN nT].
    rewrite w_difference. apply Qplus_comp; [reflexivity|]. apply sum_ext. intros d _. apply sum_ext. intros j _.
    cbn [on_disc vT nT]. now rewrite w_difference. }
  cbv zeta in B. rewrite B. lra.
Qed.

Theorem products_convex_unique P cs x y :
  all_owned (size P) cs -> (forall k, (k < how_many cs)%nat -> is_associated (contact_of cs k) = true) ->
  (forall i, (i < size P)%nat -> owner_of cs i = None -> fixed (lo P i) /\ fixed (up P i)) ->
  product_cone_solves P cs x -> product_cone_solves P cs y ->
  (symmetric (size P) (M P) -> semidefinite (size P) (M P) -> same (size P) (w P x) (w P y)) /\
  (definite (size P) (M P) -> same (size P) x y).
Proof.
  intros O C F X Y. pose proof (parts_of_difference P cs x y O F X Y) as R.
  assert (N : quad (size P) (M P) (fun j => x j - y j) <= 0).
  { eapply Qle_trans; [exact R|]. assert (G : 0 <= sum (how_many cs) (fun k => - (let c := contact_of cs k in
      product_dot (its_discs c) (its_rows c) (less (wrench_at x c) (wrench_at y c)) (less (wrench_at (w P x) c)
        (wrench_at (w P y) c)))));
      [|cbv zeta in *; rewrite sum_opp in G; lra].
    apply sum_nonneg. intros k Hk. cbv zeta. destruct X as [_ XC]. destruct Y as [_ YC]. specialize (XC k Hk).
    specialize (YC k Hk).
    destruct O as [WO _]. pose proof (its_mu_nonneg _ _ _ _ (WO k Hk)) as Hm. cbv zeta in *. unfold product_law in *.
    rewrite (C k Hk) in *. destruct XC as (K & D & E). destruct YC as (K' & D' & E'). rewrite product_dot_less.
    pose proof (product_dual_nonneg _ _ _ _ _ Hm K D'). pose proof (product_dual_nonneg _ _ _ _ _ Hm K' D). lra. }
  split.
  - intros S D i Hi. pose proof (semidefinite_kernel _ _ _ S D N i Hi) as Z. rewrite w_difference in Z. lra.
  - intros D i Hi. specialize (D _ N i Hi). cbv beta in D. lra.
Qed.

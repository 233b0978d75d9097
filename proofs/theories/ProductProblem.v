(** Problems with contacts of several discs: the backward error and the block error, row by row and contact by contact,
    and vectors that prove that there is no solution (book: "Friction cones"). *)

From Etalon Require Export ProductError FourRoots ConeProblem.
From Etalon Require Import BackwardErrorTheorem.

(** A contact: its normal row, and the rows of its discs with the squares of their mu, which are one datum a disc or one
    a row. *)
Record product_contact := {
  its_normal : nat; its_discs : nat; its_rows : nat -> nat; its_row : nat -> nat -> nat;
  its_mu2 : nat -> nat -> Q; is_one : nat -> bool; is_associated : bool
}.
Definition wrench_at (x : nat -> Q) (c : product_contact) : wrench :=
  {| nN := x (its_normal c); nT := fun d j => x (its_row c d j) |}.
Definition product_law (c : product_contact) : (nat -> nat -> Q) -> wrench -> wrench -> Prop :=
  if is_associated c then product_convex (its_discs c) (its_rows c) else product_coulomb (its_discs c) (its_rows c).

Record product_contacts := { how_many : nat; contact_of : nat -> product_contact; owner_of : nat -> option nat }.

(** Each contact owns its rows, which are different. *)
Record owns_discs (n : nat) (owner : nat -> option nat) (c : product_contact) (k : nat) : Prop := {
  its_normal_below : (its_normal c < n)%nat;
  its_normal_owned : owner (its_normal c) = Some k;
  its_row_below : forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat -> (its_row c d j < n)%nat;
  its_row_owned : forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat -> owner (its_row c d j) = Some k;
  its_row_not_normal : forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat -> its_row c d j <> its_normal c;
  its_row_once : forall d j d' j', (d < its_discs c)%nat -> (j < its_rows c d)%nat ->
    (d' < its_discs c)%nat -> (j' < its_rows c d')%nat -> its_row c d j = its_row c d' j' -> d = d' /\ j = j';
  its_mu_nonneg : product_nonneg (its_discs c) (its_rows c) (its_mu2 c)
}.
Definition all_owned (n : nat) (cs : product_contacts) : Prop :=
  (forall k, (k < how_many cs)%nat -> owns_discs n (owner_of cs) (contact_of cs k) k) /\
  (forall i k, owner_of cs i = Some k -> (k < how_many cs)%nat /\
    let c := contact_of cs k in
    i = its_normal c \/ exists d j, (d < its_discs c)%nat /\ (j < its_rows c d)%nat /\ i = its_row c d j).

(** z solves the problem in which contacts have squares of mu given by [m]. *)
Definition product_solves (P : problem) (cs : product_contacts) (m : nat -> nat -> nat -> Q) (z : nat -> Q) : Prop :=
  (forall i, (i < size P)%nat -> owner_of cs i = None -> row_solved P z i) /\
  (forall k, (k < how_many cs)%nat ->
    let c := contact_of cs k in product_law c (m k) (wrench_at z c) (wrench_at (w P z) c)).

(** ** A problem that moves every row as it is asked to. *)
Definition plain_bounds P (owner : nat -> option nat) z : Prop :=
  forall i, (i < size P)%nat -> owner i = None ->
    valid_row P i /\ above (lo P i) z (z i) /\ below (up P i) z (z i).
Definition near_rows (g : weights) eps P (owner : nat -> option nat) (P' : problem) : Prop :=
  size P' = size P /\
  (forall i j, (i < size P)%nat -> (j < size P)%nat -> Qabs (M P' i j - M P i j) <= eps * of_M g i j) /\
  (forall i, (i < size P)%nat -> Qabs (q P' i - q P i) <= eps * of_q g i) /\
  (forall i, (i < size P)%nat -> owner i = None -> near_bounds eps P i (lo P' i) (up P' i)).

Lemma rows_move g eps P owner z (target : nat -> Q) :
  dominates g P -> 0 <= eps -> plain_bounds P owner z ->
  (forall i, (i < size P)%nat -> owner i = None -> row_eta g P z i <= eps) ->
  (forall i, (i < size P)%nat -> owner i <> None -> Qabs (target i - w P z i) <= eps * s g P z i) ->
  exists P', near_rows g eps P owner P' /\
    (forall i, (i < size P)%nat -> owner i = None -> row_solved P' z i) /\
    (forall i, (i < size P)%nat -> owner i <> None -> w P' z i == target i).
Proof.
  intros D He V HP HT.
  destruct (finite_choice (0, (None, None)) (size P) (fun i (t : Q * (option bound * option bound)) =>
    Qabs (fst t) <= eps /\
    let moved_to := w P z i + fst t * s g P z i in
    (owner i = None -> near_bounds eps P i (fst (snd t)) (snd (snd t)) /\
      row_ok (fst (snd t)) (snd (snd t)) z (z i) moved_to) /\
    (owner i <> None -> moved_to == target i))) as [h Hh].
  { intros i Hi. destruct (owner i) as [k|] eqn:O.
    - destruct (share g eps P z i (target i) D Hi He) as (theta & T & W); [apply HT; [exact Hi|congruence]|].
      exists (theta, (None, None)). split; [exact T|]. split; [congruence|]. intros _. exact W.
    - destruct (V i Hi O) as (Vi & A & B). pose proof (HP i Hi O) as H. apply row_theorem in H; auto.
      destruct H as (wx & l & u & W & N & R).
      destruct (share g eps P z i wx D Hi He W) as (theta & T & E).
      exists (theta, (l, u)). cbn [fst snd]. split; [exact T|]. split; [|congruence]. intros _. split; [exact N|].
      destruct R as (R1 & R2 & R3 & R4).
      repeat split; auto; [destruct R3|destruct R4]; auto; right; rewrite E; assumption. }
  exists (moved g P z (fun i => fst (h i)) (fun i => fst (snd (h i))) (fun i => snd (snd (h i)))).
  split; [split; [reflexivity|split; [|split]]|split].
  - intros i j Hi Hj. unfold moved. cbn [M]. destruct (Hh i Hi) as [T _].
    setoid_replace (M P i j + fst (h i) * (of_M g i j * sign (z j)) - M P i j)
      with (fst (h i) * sign (z j) * of_M g i j) by ring.
    destruct (D i Hi) as [_ DM]. specialize (DM j Hj). pose proof (Qabs_nonneg (M P i j)).
    apply abs_scaled; [|lra]. rewrite Qabs_Qmult. destruct (sign_abs (z j)) as [_ S].
    pose proof (Qabs_nonneg (fst (h i))). pose proof (Qabs_nonneg (sign (z j))). nra.
  - intros i Hi. unfold moved. cbn [q]. destruct (Hh i Hi) as [T _].
    setoid_replace (q P i + fst (h i) * of_q g i - q P i) with (fst (h i) * of_q g i) by ring.
    destruct (D i Hi) as [Dq _]. pose proof (Qabs_nonneg (q P i)). apply abs_scaled; [assumption|lra].
  - intros i Hi O. destruct (Hh i Hi) as (_ & T & _). apply (T O).
  - intros i Hi O. destruct (Hh i Hi) as (_ & T & _). destruct (T O) as (_ & R1 & R2 & R3 & R4).
    unfold row_solved. rewrite moved_w. auto.
  - intros i Hi O. destruct (Hh i Hi) as (_ & _ & T). rewrite moved_w. now apply T.
Qed.

(** ** The decision: plain rows and contacts each by themselves. *)
Definition product_decides (g : weights) eps P (c : product_contact) z : bool :=
  let s := wrench_at (s g P z) c in
  if is_associated c
  then product_convex_decides (its_discs c) (is_one c) (its_rows c) eps (its_mu2 c) s (wrench_at z c) (wrench_at (w P z) c)
         (up_to_four (its_discs c))
  else product_coulomb_decides (its_discs c) (is_one c) (its_rows c) eps (its_mu2 c) s (wrench_at z c) (wrench_at (w P z) c).

Definition products_decide (g : weights) eps P cs z : bool :=
  all (size P) (fun i => match owner_of cs i with None => Qle_bool (row_eta g P z i) eps | Some _ => true end) &&
  all (how_many cs) (fun k => product_decides g eps P (contact_of cs k) z).

(** A contact has up to four discs, the roots of which are decided; the law of Coulomb has no roots. *)
Definition few_discs (cs : product_contacts) : Prop :=
  forall k, (k < how_many cs)%nat -> is_associated (contact_of cs k) = true -> (its_discs (contact_of cs k) <= 4)%nat.

Definition near_products (g : weights) eps P cs (P' : problem) (m' : nat -> nat -> nat -> Q) : Prop :=
  near_rows g eps P (owner_of cs) P' /\
  (forall k, (k < how_many cs)%nat -> let c := contact_of cs k in
    product_near (its_discs c) (is_one c) (its_rows c) eps (its_mu2 c) (m' k)).

Lemma product_decides_correct g eps P owner (c : product_contact) k z :
  dominates g P -> 0 <= eps -> owns_discs (size P) owner c k -> (is_associated c = true -> (its_discs c <= 4)%nat) ->
  (product_decides g eps P c z = true <->
   product_obeys_within (its_discs c) (is_one c) (its_rows c) eps (its_mu2 c)
     (wrench_at (s g P z) c) (wrench_at z c) (wrench_at (w P z) c) (product_law c)).
Proof.
  intros D He O F. unfold product_decides, product_law.
  assert (N : Qabs (w P z (its_normal c)) <= s g P z (its_normal c)) by (apply w_le_s; [assumption|apply O]).
  assert (T : forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat ->
    Qabs (w P z (its_row c d j)) <= s g P z (its_row c d j)).
  { intros d j Hd Hj. apply w_le_s; [assumption|]. now apply (its_row_below _ _ _ _ O). }
  pose proof (its_mu_nonneg _ _ _ _ O) as M. cbv zeta. destruct (is_associated c).
  - apply product_convex_decides_correct; auto. intros squares x S. apply up_to_four_correct; auto.
  - apply product_coulomb_decides_correct; auto.
Qed.

(** The laws depend on the values of velocities alone. *)
Definition same_wrench (c : product_contact) (u u' : wrench) : Prop :=
  nN u == nN u' /\ forall d j, (d < its_discs c)%nat -> (j < its_rows c d)%nat -> nT u d j == nT u' d j.

Lemma product_law_ext c m r u u' : same_wrench c u u' -> product_law c m r u -> product_law c m r u'.
Proof.
  intros [N T]. unfold product_law. destruct (is_associated c).
  - intros (K & D & Z). split; [exact K|]. split.
    + intros h Hh. rewrite <- N. apply D. intros d Hd. destruct (Hh d Hd) as [A B]. split; [exact A|].
      eapply Qle_trans; [exact B|]. apply sum_le. intros j Hj. cbn [on_disc vT]. rewrite (T d j Hd Hj). apply Qle_refl.
    + rewrite <- Z. unfold product_dot. rewrite N. apply Qplus_comp; [reflexivity|]. apply sum_ext. intros d Hd.
      apply sum_ext. intros j Hj. cbn [on_disc vT]. now rewrite (T d j Hd Hj).
  - intros [[F U]|(L & [P H] & U)]; [left|right].
    + rewrite <- N. auto.
    + exists L. rewrite <- N. split; [split; [exact P|]|exact U]. intros d Hd. destruct (H d Hd) as (A1 & A2 & A3 & A4 & A5).
      repeat (split; [assumption|]). intros j Hj Mj. cbn [on_disc vT]. rewrite <- (T d j Hd Hj). exact (A5 j Hj Mj).
Qed.

(** The velocities of a contact as those of rows. *)
Definition spread (c : product_contact) (u : wrench) (i : nat) : Q :=
  if Nat.eqb i (its_normal c) then nN u
  else sum (its_discs c) (fun d => sum (its_rows c d) (fun j => unit (its_row c d j) i * nT u d j)).

Lemma spread_row n owner c k u d j :
  owns_discs n owner c k -> (d < its_discs c)%nat -> (j < its_rows c d)%nat -> spread c u (its_row c d j) == nT u d j.
Proof.
  intros O Hd Hj. unfold spread. destruct (Nat.eqb_spec (its_row c d j) (its_normal c)) as [E|_].
  { exfalso. now apply (its_row_not_normal _ _ _ _ O d j). }
  rewrite (sum_only _ d); [|exact Hd|].
  - rewrite (sum_only _ j); [|exact Hj|].
    + rewrite unit_same. ring.
    + intros l Hl Ne. rewrite unit_other; [ring|]. intros E. apply Ne.
      destruct (its_row_once _ _ _ _ O d j d l); auto.
  - intros e He Ne. apply sum_zero. intros l Hl. rewrite unit_other; [ring|]. intros E. apply Ne.
    destruct (its_row_once _ _ _ _ O d j e l); auto.
Qed.

Lemma spread_same n owner c k u x :
  owns_discs n owner c k -> (forall i, (i < n)%nat -> owner i = Some k -> x i == spread c u i) -> same_wrench c u
    (wrench_at x c).
Proof.
  intros O H. split; cbn [wrench_at nN nT].
  - rewrite H; [|apply O|apply O]. unfold spread. now rewrite Nat.eqb_refl.
  - intros d j Hd Hj. rewrite H; [|now apply (its_row_below _ _ _ _ O)|now apply (its_row_owned _ _ _ _ O)].
    symmetry. now apply (spread_row n owner c k).
Qed.

(** The decision is right, for contacts with any number of discs by the law of Coulomb, and with up to four by the
    convex law. *)
Theorem products_decide_correct g eps P cs z :
  dominates g P -> 0 <= eps -> all_owned (size P) cs -> plain_bounds P (owner_of cs) z -> few_discs cs ->
  (products_decide g eps P cs z = true <->
   exists P' m', near_products g eps P cs P' m' /\ product_solves P' cs m' z).
Proof.
  intros D He [WO WI] V F. unfold products_decide. rewrite andb_true_iff, !all_true. split.
  - intros [HP HC].
    destruct (finite_choice (fun _ _ => 0, {| nN := 0; nT := fun _ _ => 0 |}) (how_many cs)
      (fun k (t : (nat -> nat -> Q) * wrench) => let c := contact_of cs k in
        product_near (its_discs c) (is_one c) (its_rows c) eps (its_mu2 c) (fst t) /\
        product_near_u (its_discs c) (its_rows c) eps (wrench_at (s g P z) c) (wrench_at (w P z) c) (snd t) /\
        product_law c (fst t) (wrench_at z c) (snd t))) as [f Hf].
    { intros k Hk. pose proof (HC k Hk) as C. apply (product_decides_correct g eps P (owner_of cs) _ k) in C; auto.
      destruct C as (m' & u & A & B & C). exists (m', u). auto. }
    set (target := fun i => match owner_of cs i with Some k => spread (contact_of cs k) (snd (f k)) i | None => 0 end).
    destruct (rows_move g eps P (owner_of cs) z target D He V) as (P' & N & S & W).
    + intros i Hi O. specialize (HP i Hi). rewrite O in HP. now apply Qle_bool_iff.
    + intros i Hi O. unfold target. destruct (owner_of cs i) as [k|] eqn:E; [|congruence].
      destruct (WI i k E) as [Hk WIk]. destruct (Hf k Hk) as (_ & [UN UT] & _). pose proof (WO k Hk) as Own.
      cbv zeta in WIk. destruct WIk as [Ei|(d & j & Hd & Hj & Ei)].
      * rewrite Ei. unfold spread. rewrite Nat.eqb_refl. exact UN.
      * rewrite Ei, (spread_row (size P) (owner_of cs) _ k) by auto. exact (UT d j Hd Hj).
    + exists P', (fun k => fst (f k)). split; [split; [exact N|]|split].
      * intros k Hk. apply (Hf k Hk).
      * intros i Hi O. destruct N as [Sz _]. rewrite Sz in Hi. now apply S.
      * intros k Hk. destruct (Hf k Hk) as (_ & _ & L). pose proof (WO k Hk) as Own. cbv zeta in *.
        refine (product_law_ext _ _ _ (snd (f k)) _ _ L). apply (spread_same (size P) (owner_of cs) _ k); [exact Own|].
        intros i Hi O. rewrite W; [|exact Hi|congruence]. unfold target. now rewrite O.
  - intros (P' & m' & ((N & NM & Nq & NB) & Nm) & S & L).
    assert (W : forall i, (i < size P)%nat -> Qabs (w P' z i - w P z i) <= eps * s g P z i).
    { intros i Hi. apply near_to_moved; auto. }
    split.
    + intros i Hi. destruct (owner_of cs i) as [k|] eqn:O; [reflexivity|]. apply Qle_bool_iff.
      destruct (V i Hi O) as (Vi & A & B). apply row_theorem; auto.
      exists (w P' z i), (lo P' i), (up P' i). split; [auto|]. split; [auto|].
      rewrite N in S. destruct (S i Hi O) as (S1 & S2 & S3 & S4). repeat split; auto.
    + intros k Hk. pose proof (WO k Hk) as Own. apply (product_decides_correct g eps P (owner_of cs) _ k); auto.
      exists (m' k), (wrench_at (w P' z) (contact_of cs k)). split; [apply (Nm k Hk)|]. split; [|apply (L k Hk)].
      split; [apply W, Own|]. intros d j Hd Hj. apply W. now apply (its_row_below _ _ _ _ Own).
Qed.

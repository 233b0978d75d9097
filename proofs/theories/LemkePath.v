(** Lemke's path: it begins at the basis that the artificial variable enters, goes from one almost
    complementary basis to the next, and never comes to one twice. *)

From Etalon Require Export Lemke.

Section LemkePath.
Variable n : nat.
Variable M : nat -> nat -> Q.
Variables q d : nat -> Q.
Hypothesis covering : forall i, (i < n)%nat -> 0 < d i.

Notation artificial := (artificial n).
Notation variables := (variables n).
Notation dictionary := (dictionary n M d).
Notation feasible_basis := (feasible_basis n M q d).
Notation lemke_step := (lemke_step n M q d).
Notation same_basis := (same_basis n).

(** w_i and z_i. *)
Definition partner (v : nat) : nat := if Nat.ltb v n then (v + n)%nat else (v - n)%nat.

Lemma partner_facts v : (v < 2 * n)%nat ->
  (partner v < 2 * n)%nat /\ partner v <> v /\ partner (partner v) = v.
Proof.
  intros H. unfold partner. destruct (Nat.ltb_spec v n).
  - destruct (Nat.ltb_spec (v + n) n); lia.
  - destruct (Nat.ltb_spec (v - n) n); lia.
Qed.

(** Both of a pair are nonbasic. *)
Definition opens (B : basis) (v : nat) : Prop :=
  (v < 2 * n)%nat /\ B v = false /\ B (partner v) = false.

(** Almost complementary: one pair is nonbasic, of each other pair one is basic, and so is z_0. *)
Definition almost_complementary (B : basis) : Prop :=
  B artificial = true /\
  exists v, opens B v /\
    forall u, (u < 2 * n)%nat -> u <> v -> u <> partner v -> B u = negb (B (partner u)).

(** A step of the path: one of the open pair enters, and the artificial variable stays. *)
Definition path_step (B : basis) (e l : nat) (B' : basis) : Prop :=
  opens B e /\ l <> artificial /\ lemke_step B e l B'.
Definition good (B : basis) : Prop := feasible_basis B /\ almost_complementary B.

Lemma opens_two B u v : good B -> opens B u -> opens B v -> u = v \/ u = partner v.
Proof.
  intros [_ [_ (t & (Ht & T & T') & H)]] (Hu & U & U') (Hv & V & V').
  assert (K : forall x, (x < 2 * n)%nat -> B x = false -> B (partner x) = false -> x = t \/ x = partner t).
  { intros x Hx X X'. destruct (Nat.eq_dec x t); [auto|]. destruct (Nat.eq_dec x (partner t)); [auto|].
    specialize (H x Hx n0 n1). rewrite X, X' in H. discriminate. }
  destruct (partner_facts t Ht) as (_ & _ & P).
  destruct (K u Hu U U') as [->| ->], (K v Hv V V') as [->| ->]; auto.
Qed.

Lemma opens_same B B' v : same_basis B B' -> opens B v -> opens B' v.
Proof.
  intros E (Hv & V & V'). destruct (partner_facts v Hv) as (P & _).
  unfold Lemke.same_basis, Lemke.variables, Lemke.artificial in E.
  split; [assumption|]. split; rewrite <- E by lia; assumption.
Qed.

Lemma leaving_below B e l B' : path_step B e l B' -> (l < 2 * n)%nat /\ B l = true.
Proof.
  intros (_ & N & _ & Hl & _ & Bl & _). unfold Lemke.variables, Lemke.artificial in *. split; [lia|assumption].
Qed.

Lemma opens_entered B e l B' : good B -> path_step B e l B' -> opens B' l.
Proof.
  intros [_ [_ (t & (Ht & T & T') & H)]] S. destruct (leaving_below B e l B' S) as [Hl Bl].
  destruct S as ((He & E & E') & N & _ & _ & _ & _ & X & _).
  destruct (partner_facts l Hl) as (Pl & Pn & Pp). destruct (partner_facts e He) as (_ & _ & Pe).
  unfold Lemke.same_basis, Lemke.variables, Lemke.artificial in X.
  split; [assumption|]. split.
  - rewrite X by lia. unfold exchange. destruct (Nat.eqb_spec l e); [congruence|]. now rewrite Nat.eqb_refl.
  - rewrite X by lia. unfold exchange. destruct (Nat.eqb_spec (partner l) e) as [F|].
    + rewrite <- F, Pp in E'. congruence.
    + destruct (Nat.eqb_spec (partner l) l); [contradiction|].
      assert (Lt : l <> t) by congruence.
      assert (Lt' : l <> partner t) by congruence.
      specialize (H l Hl Lt Lt'). rewrite Bl in H. destruct (B (partner l)); [discriminate|reflexivity].
Qed.

Lemma good_after B e l B' : good B -> path_step B e l B' -> good B'.
Proof.
  intros G S. pose proof (opens_entered B e l B' G S) as O. destruct (leaving_below B e l B' S) as [Hl Bl].
  pose proof G as [F A]. pose proof S as ((He & E & E') & N & L).
  split; [now apply (after_step n M q d B e l B')|].
  destruct L as (He' & _ & _ & _ & X & _). destruct A as [Ba (t & Ot & H)].
  unfold Lemke.same_basis, Lemke.variables, Lemke.artificial in *.
  destruct (partner_facts l Hl) as (Pl & Pn & Pp). destruct (partner_facts e He) as (Pe & Pen & Pep).
  split.
  - unfold Lemke.artificial. rewrite X by lia. unfold exchange. destruct (Nat.eqb_spec (2 * n) e); [reflexivity|].
    destruct (Nat.eqb_spec (2 * n) l); [congruence|assumption].
  - exists l. split; [assumption|]. intros u Hu Nl Npl.
    destruct (partner_facts u Hu) as (Pu & Pun & Pup).
    assert (Npu : partner u <> l) by (intros F'; apply Npl; rewrite <- F', Pup; reflexivity).
    rewrite (X u) by lia. rewrite (X (partner u)) by lia. unfold exchange.
    destruct (Nat.eqb_spec u l); [contradiction|]. destruct (Nat.eqb_spec (partner u) l); [contradiction|].
    destruct (Nat.eqb_spec u e) as [->|Ue].
    + destruct (Nat.eqb_spec (partner e) e); [contradiction|]. now rewrite E'.
    + destruct (Nat.eqb_spec (partner u) e) as [F'|Upe].
      * rewrite <- F', Pup in E'. now rewrite E'.
      * apply H; [assumption| |].
        -- intros ->. destruct (opens_two B t e G Ot (conj He (conj E E'))) as [->| ->]; congruence.
        -- intros ->. destruct (opens_two B t e G Ot (conj He (conj E E'))) as [->| ->]; [|congruence].
           destruct (partner_facts e He) as (_ & _ & P'). congruence.
Qed.

(** ** The first basis: z_0 enters the basis of all w, and w_r leaves. *)
Definition all_w : basis := fun j => Nat.ltb j n.
Definition first_T (b j : nat) : Q :=
  if Nat.ltb j n then 0 else if Nat.ltb j (2 * n) then M b (j - n)%nat else d b.

Lemma sum_last k f : sum (S k) f = sum k f + f k.
Proof. reflexivity. Qed.

Lemma sum_shift k f : (* the second half of 2 k *)
  sum (k + k) f == sum k f + sum k (fun j => f (k + j)%nat).
Proof.
  assert (G : forall m, sum (k + m) f == sum k f + sum m (fun j => f (k + j)%nat)).
  { induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; ring|]. rewrite Nat.add_succ_r. simpl. rewrite IH. ring. }
  apply G.
Qed.

Lemma all_w_dictionary : dictionary all_w first_T unit.
Proof.
  intros p x.
  assert (E : forall b, (b < n)%nat -> sum n (fun i => unit b i * p i)
      + sum variables (nonbasic all_w (fun j => first_T b j * x j))
    == p b + sum n (fun j => M b j * x (n + j)%nat) + d b * x artificial).
  { intros b Hb. rewrite sum_unit by assumption. unfold Lemke.variables, Lemke.artificial.
    rewrite sum_last. set (z0 := (2 * n)%nat) at 2 3. replace (2 * n)%nat with (n + n)%nat at 1 by lia. rewrite sum_shift.
    rewrite (sum_zero n (nonbasic all_w (fun j => first_T b j * x j))).
    - rewrite (sum_ext n (fun j => nonbasic all_w (fun j => first_T b j * x j) (n + j)%nat) (fun j => M b j * x (n + j)%nat)).
      + unfold nonbasic at 1, all_w, first_T. destruct (Nat.ltb_spec z0 n); [lia|].
        destruct (Nat.ltb_spec z0 (2 * n)); [lia|]. ring.
      + intros j Hj. unfold nonbasic, all_w, first_T. destruct (Nat.ltb_spec (n + j) n); [lia|].
        destruct (Nat.ltb_spec (n + j) (2 * n)); [|lia]. replace (n + j - n)%nat with j by lia. reflexivity.
    - intros j Hj. unfold nonbasic, all_w. destruct (Nat.ltb_spec j n); [reflexivity|lia]. }
  unfold system. split.
  - intros S b Hb Bb. unfold all_w in Bb. apply Nat.ltb_lt in Bb. rewrite (E b Bb). auto.
  - intros D i Hi. rewrite <- (E i Hi). apply D.
    + unfold Lemke.variables, Lemke.artificial. lia.
    + unfold all_w. now apply Nat.ltb_lt.
Qed.

(** (q, I)_i, and the row r that leaves: it alone has the least (q, I)_i / d_i, which is negative. *)
Definition start_value (i : nat) : nat -> Q := cons (q i) (unit i).
Definition first_leaves (r : nat) : Prop :=
  (r < n)%nat /\ lexpos (S n) (fun k => - start_value r k) /\
  forall b, (b < n)%nat -> b <> r ->
    lexless (S n) (fun k => start_value r k / d r) (fun k => start_value b k / d b).

Variable r : nat.
Hypothesis leaves : first_leaves r.
Definition first_basis : basis := exchange all_w artificial r.
Let T1 := pivot_T first_T artificial r.
Let R1 := pivot_R first_T unit artificial r.

Lemma first_d b : first_T b artificial = d b.
Proof.
  unfold first_T, Lemke.artificial. destruct (Nat.ltb_spec (2 * n) n); [lia|].
  destruct (Nat.ltb_spec (2 * n) (2 * n)); [lia|reflexivity].
Qed.

Lemma first_dictionary : dictionary first_basis T1 R1.
Proof.
  destruct leaves as (Hr & _). specialize (covering r Hr).
  apply pivot_dictionary.
  - unfold Lemke.variables, Lemke.artificial. lia.
  - unfold Lemke.variables, Lemke.artificial. lia.
  - unfold all_w, Lemke.artificial. destruct (Nat.ltb_spec (2 * n) n); [lia|reflexivity].
  - unfold all_w. now apply Nat.ltb_lt.
  - rewrite first_d. lra.
  - apply all_w_dictionary.
Qed.

Lemma start_constants b : (b < n)%nat -> same (S n) (constants n q unit b) (start_value b).
Proof.
  intros Hb [|i] Hi; unfold constants, start_value; simpl; [now apply sum_unit|reflexivity].
Qed.

Lemma first_basis_cases b : (b < variables)%nat -> first_basis b = true ->
  b = artificial \/ ((b < n)%nat /\ b <> r).
Proof.
  unfold first_basis, exchange, all_w. intros Hb. destruct (Nat.eqb_spec b artificial); [auto|].
  destruct (Nat.eqb_spec b r); [discriminate|]. rewrite Nat.ltb_lt. auto.
Qed.

Lemma first_good : good first_basis.
Proof.
  destruct leaves as (Hr & Neg & Min). pose proof (covering r Hr) as Dr.
  assert (Na : r <> artificial) by (unfold Lemke.artificial; lia).
  split.
  - exists T1, R1. split; [apply first_dictionary|]. intros b Hb Bb.
    destruct (first_basis_cases b Hb Bb) as [->|[Hn Nr]].
    + eapply lexpos_ext; [|apply (lexpos_scale (S n) (/ d r) (Qinv_lt_0_compat _ Dr) _ Neg)].
      intros i Hi. cbv beta. pose proof (start_constants r Hr i Hi) as C. rewrite <- C.
      destruct i as [|i]; unfold constants, R1, pivot_R; simpl; rewrite Nat.eqb_refl, first_d.
      * rewrite <- sum_opp, <- sum_scale. apply sum_ext. intros k _. field. lra.
      * field. lra.
    + specialize (Min b Hn Nr). pose proof (covering b Hn) as Db.
      eapply lexpos_ext; [|apply (lexpos_scale (S n) (d b) Db _ Min)].
      assert (Nb : Nat.eqb b artificial = false) by (apply Nat.eqb_neq; unfold Lemke.artificial; lia).
      intros i Hi. cbv beta.
      pose proof (start_constants r Hr i Hi) as C. pose proof (start_constants b Hn i Hi) as C'.
      rewrite <- C, <- C'.
      destruct i as [|i]; unfold constants, R1, pivot_R; simpl; rewrite Nb, !first_d.
      * setoid_replace (d b * (sum n (fun i => unit b i * q i) / d b - sum n (fun i => unit r i * q i) / d r))
          with (sum n (fun i => unit b i * q i) + - (d b / d r) * sum n (fun i => unit r i * q i)) by (field; lra).
        rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros k _. field. lra.
      * field. lra.
  - assert (first : forall j, (j < n)%nat -> first_basis j = negb (Nat.eqb j r)).
    { intros j Hj. unfold first_basis, exchange, all_w, Lemke.artificial.
      destruct (Nat.eqb_spec j (2 * n)); [lia|]. destruct (Nat.eqb j r); [reflexivity|]. now apply Nat.ltb_lt. }
    assert (second : forall j, (n <= j < 2 * n)%nat -> first_basis j = false).
    { intros j Hj. unfold first_basis, exchange, all_w, Lemke.artificial.
      destruct (Nat.eqb_spec j (2 * n)); [lia|]. destruct (Nat.eqb j r); [reflexivity|]. apply Nat.ltb_ge. lia. }
    split.
    + unfold first_basis, exchange. now rewrite Nat.eqb_refl.
    + exists r. unfold opens, partner. destruct (Nat.ltb_spec r n); [|lia]. split.
      * split; [lia|]. rewrite first, Nat.eqb_refl by assumption. split; [reflexivity|]. apply second. lia.
      * intros u Hu Nu Npu. destruct (Nat.ltb_spec u n).
        -- rewrite first by assumption. rewrite second by lia. apply Nat.eqb_neq in Nu. now rewrite Nu.
        -- rewrite second by lia. rewrite first by lia.
           assert (Z : Nat.eqb (u - n) r = false) by (apply Nat.eqb_neq; lia). now rewrite Z.
Qed.

(** Entering w_r again goes on for ever: the primary ray. *)
Lemma no_way_back B l B' : same_basis first_basis B -> ~ lemke_step B r l B'.
Proof.
  intros E (He & Hl & Be & Bl & _ & T & R & D & P & _).
  destruct leaves as (Hr & _). pose proof (covering r Hr) as Dr.
  assert (E' : same_basis B first_basis) by (intros j Hj; symmetry; auto).
  apply (dictionary_same n M d B first_basis _ _ E') in D.
  assert (Bl' : first_basis l = true) by (rewrite E; assumption).
  assert (Br : first_basis r = false) by (rewrite E; assumption).
  destruct (dictionary_unique n M d first_basis T R T1 R1 l D first_dictionary Hl Bl') as [U _].
  specialize (U r He Br). rewrite U in P. clear U.
  destruct (first_basis_cases l Hl Bl') as [->|[Hn Nr]]; unfold T1, pivot_T in P.
  - rewrite !Nat.eqb_refl, first_d in P. assert (0 < / d r) by (now apply Qinv_lt_0_compat). lra.
  - assert (Nl : Nat.eqb l artificial = false) by (apply Nat.eqb_neq; unfold Lemke.artificial; lia).
    rewrite Nl, Nat.eqb_refl, !first_d in P. pose proof (covering l Hn).
    assert (0 < / d r) by (now apply Qinv_lt_0_compat). nra.
Qed.

(** ** The path. *)
Variables (m : nat) (N : nat -> basis) (e l : nat -> nat).
Hypothesis first : same_basis first_basis (N 0%nat).
Hypothesis first_entering : e 0%nat = partner r.
Hypothesis steps : forall t, (t < m)%nat -> lemke_step (N t) (e t) (l t) (N (S t)).
Hypothesis stays : forall t, (t < m)%nat -> l t <> artificial.
Hypothesis goes_on : forall t, (S t < m)%nat -> e (S t) = partner (l t).

Lemma same_sym B B' : same_basis B B' -> same_basis B' B.
Proof. intros H j Hj. symmetry. auto. Qed.

Lemma same_trans A B C : same_basis A B -> same_basis B C -> same_basis A C.
Proof. intros H G j Hj. rewrite H by assumption. auto. Qed.

Lemma good_same B B' : same_basis B B' -> good B -> good B'.
Proof.
  intros E [(T & R & D & V) [A (v & O & H)]]. split.
  - exists T, R. split; [now apply (dictionary_same n M d B B')|]. intros b Hb Bb. apply V; auto.
    rewrite E; assumption.
  - unfold Lemke.same_basis, Lemke.variables, Lemke.artificial in *. split.
    + unfold Lemke.artificial. rewrite <- E by lia. assumption.
    + exists v. split; [now apply (opens_same B B')|].
      intros u Hu N1 N2. destruct (partner_facts u Hu) as (P & _). rewrite <- !E by lia. auto.
Qed.

Lemma path_good t : (t <= m)%nat -> good (N t) /\ ((t < m)%nat -> opens (N t) (e t)).
Proof.
  destruct leaves as (Hr & _).
  induction t as [|t IH]; intros Ht.
  - assert (G : good (N 0%nat)) by (apply (good_same first_basis); [assumption|apply first_good]).
    split; [assumption|]. intros _. rewrite first_entering. apply (opens_same first_basis); [assumption|].
    pose proof first_good as [_ [_ (v & O & H)]].
    assert (Or : first_basis r = false).
    { unfold first_basis, exchange, Lemke.artificial. destruct (Nat.eqb_spec r (2 * n)); [lia|]. now rewrite Nat.eqb_refl. }
    assert (H2 : (r < 2 * n)%nat) by lia. destruct (partner_facts r H2) as (P & _ & PP).
    split; [assumption|]. rewrite PP. split; [|assumption].
    unfold first_basis, exchange, all_w, partner, Lemke.artificial.
    destruct (Nat.ltb_spec r n); [|lia]. destruct (Nat.eqb_spec (r + n) (2 * n)); [lia|].
    destruct (Nat.eqb_spec (r + n) r); [reflexivity|]. apply Nat.ltb_ge. lia.
  - destruct (IH ltac:(lia)) as [G O]. specialize (O ltac:(lia)).
    assert (S' : path_step (N t) (e t) (l t) (N (S t))) by (split; [assumption|split; [apply stays|apply steps]; lia]).
    split; [now apply (good_after (N t) (e t) (l t))|]. intros L.
    pose proof (opens_entered _ _ _ _ G S') as (A & B & C). destruct (partner_facts (l t) A) as (P & _ & PP).
    rewrite goes_on by lia. split; [assumption|]. rewrite PP. auto.
Qed.

(** No basis comes twice. *)
Theorem lemke_no_basis_twice : forall s t, (s < t)%nat -> (t <= m)%nat -> ~ same_basis (N s) (N t).
Proof.
  intros s t Hs Ht.
  assert (PS : forall t, (t < m)%nat -> path_step (N t) (e t) (l t) (N (S t))).
  { intros k Hk. destruct (path_good k ltac:(lia)) as [_ O]. split; [auto|]. split; [now apply stays|now apply steps]. }
  apply (no_node_twice basis nat same_basis path_step partner good) with (opens := opens) (m := m) (e := e) (l := l);
    try assumption.
  - apply same_sym.
  - intros N1 N2 v l1 l2 N1' N2' _ _ E (_ & _ & S1) (_ & _ & S2).
    exact (step_settled n M q d N1 N2 v l1 l2 N1' N2' E S1 S2).
  - intros A v k A' G S1. pose proof (opens_entered _ _ _ _ G S1) as O. destruct G as [F _].
    destruct S1 as ((Hv & _) & _ & S1). split; [assumption|]. split.
    + unfold Lemke.artificial. lia.
    + now apply (after_step n M q d A v k A').
  - apply opens_same.
  - apply opens_two.
  - apply opens_entered.
  - intros A v k A' _ S1 (_ & O & _). destruct (leaving_below _ _ _ _ S1) as [_ K]. congruence.
  - intros k Hk. apply (path_good k); lia.
  - intros k Hk. apply (path_good k); lia.
  - intros k Hk. destruct (leaving_below _ _ _ _ (PS k Hk)) as [L _]. now apply partner_facts.
  - intros k Hk. destruct (leaving_below _ _ _ _ (PS k Hk)) as [L _]. now apply partner_facts.
  - intros N0 l' N' E (_ & _ & S1). destruct leaves as (Hr & _).
    assert (H2 : (r < 2 * n)%nat) by lia. destruct (partner_facts r H2) as (_ & _ & PP).
    rewrite first_entering, PP in S1. apply (no_way_back N0 l' N'); [|assumption].
    now apply (same_trans _ (N 0%nat)).
Qed.

(** There are finitely many bases, so every path ends. *)
Fixpoint all_bases (k : nat) : list (list bool) :=
  match k with
  | O => [[]]
  | S k => map (List.cons true) (all_bases k) ++ map (List.cons false) (all_bases k)
  end.

Lemma all_bases_length k : length (all_bases k) = (2 ^ k)%nat.
Proof. induction k as [|k IH]; [reflexivity|]. simpl. rewrite length_of_app, !length_of_map, IH. lia. Qed.

Lemma all_bases_in k : forall x, length x = k -> In x (all_bases k).
Proof.
  induction k as [|k IH]; intros [|b x] E; try discriminate; [now left|]. simpl. apply in_or_app.
  destruct b; [left|right]; apply in_map, IH; simpl in E; congruence.
Qed.

Definition listed (B : basis) : list bool := map B (seq 0 variables).

Lemma listed_same B B' : listed B = listed B' -> same_basis B B'.
Proof.
  intros E j Hj. assert (F : nth j (listed B) (B 0%nat) = nth j (listed B') (B 0%nat)) by (now rewrite E).
  unfold listed in F.
  rewrite (map_nth B), seq_nth in F by assumption.
  rewrite (nth_indep _ (B 0%nat) (B' 0%nat)) in F by (now rewrite length_of_map, length_of_seq).
  rewrite (map_nth B'), seq_nth in F by assumption. exact F.
Qed.

Theorem lemke_terminates : (m < 2 ^ variables)%nat.
Proof.
  assert (G : (length (map (fun t => listed (N t)) (seq 0 (S m))) <= length (all_bases variables))%nat).
  { apply NoDup_incl_length.
    - assert (D : forall k a, (a + k <= S m)%nat -> NoDup (map (fun t => listed (N t)) (seq a k))).
      { induction k as [|k IH]; intros a Hk; [constructor|]. simpl. constructor; [|apply IH; lia].
        intros I. apply in_map_iff in I. destruct I as (t & E & I). apply in_seq in I.
        apply (lemke_no_basis_twice a t); [lia|lia|]. apply listed_same. now symmetry. }
      apply D. lia.
    - intros x I. apply in_map_iff in I. destruct I as (t & <- & _). apply all_bases_in.
      unfold listed. now rewrite length_of_map, length_of_seq. }
  rewrite length_of_map, length_of_seq, all_bases_length in G. lia.
Qed.
End LemkePath.

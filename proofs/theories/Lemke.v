(** Lexicographic Lemke does not repeat a basis (book: "Lemke's method", section "Why it ends").

    The variables are w_0 ... w_(n-1), z_0 ... z_(n-1) and the artificial one, by the numbers 0 ... 2n, of
    w = p + Mz + d z_0. A basis says which of them are basic. Its dictionary gives the basic variables by
    the others and by p. *)

From Etalon Require Export Lexicographic Path.

Section Lemke.
Variable n : nat.
Variable M : nat -> nat -> Q.
Variables q d : nat -> Q.

Definition artificial : nat := (2 * n)%nat.
Definition variables : nat := S artificial.
Definition basis := nat -> bool.

(** The equations, for any right side p. *)
Definition system (p x : nat -> Q) : Prop :=
  forall i, (i < n)%nat -> x i == p i + sum n (fun j => M i j * x (n + j)%nat) + d i * x artificial.

(** A dictionary: for every p and x the system says that each basic variable is this. *)
Definition nonbasic (B : basis) (f : nat -> Q) (j : nat) : Q := if B j then 0 else f j.
Definition dictionary (B : basis) (T R : nat -> nat -> Q) : Prop :=
  forall p x, system p x <-> forall b, (b < variables)%nat -> B b = true ->
    x b == sum n (fun i => R b i * p i) + sum variables (nonbasic B (fun j => T b j * x j)).

(** ** A pivot: e enters, l leaves. *)
Definition exchange (B : basis) e l : basis := fun j =>
  if Nat.eqb j e then true else if Nat.eqb j l then false else B j.
Definition pivot_T (T : nat -> nat -> Q) e l b j : Q :=
  let up := if Nat.eqb j l then / T l e else - (T l j / T l e) in
  if Nat.eqb b e then up else (if Nat.eqb j l then 0 else T b j) + T b e * up.
Definition pivot_R (T R : nat -> nat -> Q) e l b i : Q :=
  let up := - (R l i / T l e) in if Nat.eqb b e then up else R b i + T b e * up.

(** The sum over nonbasic variables with one of them taken apart. *)
Lemma take_apart B k f :
  (k < variables)%nat -> B k = false ->
  sum variables (nonbasic B f) == f k + sum variables (fun j => if Nat.eqb j k then 0 else nonbasic B f j).
Proof.
  intros Hk Bk.
  rewrite (sum_ext variables (nonbasic B f) (fun j => unit k j * f k + (if Nat.eqb j k then 0 else nonbasic B f j))).
  - rewrite sum_plus, (sum_unit variables k (fun _ => f k)) by assumption. reflexivity.
  - intros j _. unfold nonbasic, unit. rewrite (Nat.eqb_sym k j).
    destruct (Nat.eqb_spec j k) as [->|]; [rewrite Bk; ring|ring].
Qed.

(** What is left after both the entering and the leaving variable have been taken apart. *)
Definition others (B : basis) e l (f : nat -> Q) : Q :=
  sum variables (fun j => if Nat.eqb j e then 0 else if Nat.eqb j l then 0 else nonbasic B f j).

Lemma apart_before B e l f : (e < variables)%nat -> B e = false -> B l = true ->
  sum variables (nonbasic B f) == f e + others B e l f.
Proof.
  intros He Be Bl. rewrite (take_apart B e f) by assumption. unfold others.
  rewrite (sum_ext variables (fun j => if Nat.eqb j e then 0 else nonbasic B f j)
    (fun j => if Nat.eqb j e then 0 else if Nat.eqb j l then 0 else nonbasic B f j)); [reflexivity|].
  intros j _. destruct (Nat.eqb j e); [reflexivity|].
  destruct (Nat.eqb_spec j l) as [->|]; [unfold nonbasic; rewrite Bl|]; reflexivity.
Qed.

Lemma apart_after B e l f : (l < variables)%nat -> e <> l ->
  sum variables (nonbasic (exchange B e l) f) == f l + others B e l f.
Proof.
  intros Hl N. rewrite (take_apart (exchange B e l) l f).
  - unfold others. rewrite (sum_ext variables (fun j => if Nat.eqb j l then 0 else nonbasic (exchange B e l) f j)
      (fun j => if Nat.eqb j e then 0 else if Nat.eqb j l then 0 else nonbasic B f j)); [reflexivity|].
    intros j _. unfold nonbasic, exchange.
    destruct (Nat.eqb_spec j e) as [->|]; [destruct (Nat.eqb e l); reflexivity|].
    destruct (Nat.eqb j l); reflexivity.
  - assumption.
  - unfold exchange. destruct (Nat.eqb_spec l e); [congruence|]. now rewrite Nat.eqb_refl.
Qed.

Lemma others_scale B e l f c : others B e l (fun j => c * f j) == c * others B e l f.
Proof.
  unfold others. rewrite <- sum_scale. apply sum_ext. intros j _. unfold nonbasic.
  destruct (Nat.eqb j e), (Nat.eqb j l), (B j); ring.
Qed.

Lemma others_plus B e l f g : others B e l (fun j => f j + g j) == others B e l f + others B e l g.
Proof.
  unfold others. rewrite <- sum_plus. apply sum_ext. intros j _. unfold nonbasic.
  destruct (Nat.eqb j e), (Nat.eqb j l), (B j); ring.
Qed.

Lemma others_ext B e l f g : (forall j, j <> e -> j <> l -> f j == g j) -> others B e l f == others B e l g.
Proof.
  intros E. apply sum_ext. intros j _. unfold nonbasic.
  destruct (Nat.eqb_spec j e), (Nat.eqb_spec j l), (B j); try reflexivity. auto.
Qed.

(** Rows of the new dictionary, by rows of the old one. *)
Lemma pivot_row B T R e l p x b :
  (e < variables)%nat -> (l < variables)%nat -> B e = false -> B l = true -> e <> l -> ~ T l e == 0 ->
  let up := sum n (fun i => pivot_R T R e l e i * p i)
            + sum variables (nonbasic (exchange B e l) (fun j => pivot_T T e l e j * x j)) in
  let row k := sum n (fun i => R k i * p i) + others B e l (fun j => T k j * x j) in
  up == x l / T l e - row l / T l e /\
  (b <> e -> sum n (fun i => pivot_R T R e l b i * p i)
     + sum variables (nonbasic (exchange B e l) (fun j => pivot_T T e l b j * x j)) == row b + T b e * up).
Proof.
  intros He Hl Be Bl N P up row.
  assert (Ee : Nat.eqb e e = true) by apply Nat.eqb_refl.
  assert (El : Nat.eqb l l = true) by apply Nat.eqb_refl.
  assert (U : up == x l / T l e - row l / T l e).
  { unfold up, row, pivot_R, pivot_T. rewrite Ee. rewrite apart_after by assumption. rewrite El.
    rewrite (sum_ext n _ (fun i => - / T l e * (R l i * p i))) by (intros; field; assumption).
    rewrite (others_ext B e l _ (fun j => - / T l e * (T l j * x j))).
    - rewrite sum_scale, others_scale. field. assumption.
    - intros j _ Nl. destruct (Nat.eqb_spec j l); [contradiction|]. field. assumption. }
  split; [assumption|]. intros Nb.
  assert (Eb : Nat.eqb b e = false) by (now apply Nat.eqb_neq).
  rewrite U. unfold row, pivot_R, pivot_T. rewrite Eb. rewrite apart_after by assumption. rewrite El.
  rewrite (sum_ext n _ (fun i => R b i * p i + (- (T b e / T l e)) * (R l i * p i))) by (intros; field; assumption).
  rewrite (others_ext B e l _ (fun j => T b j * x j + (- (T b e / T l e)) * (T l j * x j))).
  - rewrite sum_plus, sum_scale, others_plus, others_scale. field. assumption.
  - intros j _ Nl. destruct (Nat.eqb_spec j l); [contradiction|]. field. assumption.
Qed.

Lemma pivot_dictionary B T R e l :
  (e < variables)%nat -> (l < variables)%nat -> B e = false -> B l = true -> ~ T l e == 0 ->
  dictionary B T R -> dictionary (exchange B e l) (pivot_T T e l) (pivot_R T R e l).
Proof.
  intros He Hl Be Bl P D p x. rewrite (D p x). clear D.
  assert (N : e <> l) by congruence.
  assert (old : forall b, sum n (fun i => R b i * p i) + sum variables (nonbasic B (fun j => T b j * x j))
    == sum n (fun i => R b i * p i) + others B e l (fun j => T b j * x j) + T b e * x e).
  { intros b. rewrite (apart_before B e l (fun j => T b j * x j)) by assumption. cbv beta. ring. }
  split; intros H b Hb Bb.
  - pose proof (H l Hl Bl) as HL. rewrite old in HL.
    destruct (pivot_row B T R e l p x b He Hl Be Bl N P) as [U V]. cbv zeta in *.
    assert (XE : x e == x l / T l e
      - (sum n (fun i => R l i * p i) + others B e l (fun j => T l j * x j)) / T l e).
    { rewrite HL. field. assumption. }
    destruct (Nat.eq_dec b e) as [->|Nb]; [rewrite U; exact XE|].
    rewrite (V Nb), U, <- XE. rewrite (H b Hb); [apply old|].
    unfold exchange in Bb. destruct (Nat.eqb_spec b e); [contradiction|].
    destruct (Nat.eqb_spec b l); [discriminate|assumption].
  - destruct (pivot_row B T R e l p x b He Hl Be Bl N P) as [U V]. cbv zeta in *.
    assert (Xe : exchange B e l e = true) by (unfold exchange; now rewrite Nat.eqb_refl).
    pose proof (H e He Xe) as HE. rewrite U in HE. rewrite old.
    destruct (Nat.eq_dec b l) as [->|Nl].
    + rewrite HE. field. assumption.
    + assert (Nb : b <> e) by congruence.
      assert (Xb : exchange B e l b = true).
      { unfold exchange. destruct (Nat.eqb_spec b e); [contradiction|]. destruct (Nat.eqb_spec b l); [contradiction|assumption]. }
      rewrite (H b Hb Xb), (V Nb), U, HE. reflexivity.
Qed.

(** ** A basis has one dictionary. *)
Definition same_basis (B B' : basis) : Prop := forall j, (j < variables)%nat -> B j = B' j.

Lemma dictionary_same B B' T R : same_basis B B' -> dictionary B T R -> dictionary B' T R.
Proof.
  intros E D p x. rewrite (D p x).
  assert (F : forall f, sum variables (nonbasic B f) == sum variables (nonbasic B' f)).
  { intros f. apply sum_ext. intros j Hj. unfold nonbasic. now rewrite (E j Hj). }
  split; intros H b Hb Bb; [rewrite <- F|rewrite F]; apply H; auto; [rewrite E|rewrite <- E]; auto.
Qed.

(** The basic variables that a dictionary gives to a right side and nonbasic values. *)
Definition completed (B : basis) (T R : nat -> nat -> Q) (p y : nat -> Q) (b : nat) : Q :=
  if B b then sum n (fun i => R b i * p i) + sum variables (nonbasic B (fun j => T b j * y j)) else y b.

Lemma completed_solves B T R p y : dictionary B T R -> system p (completed B T R p y).
Proof.
  intros D. apply (proj2 (D _ _)). intros b _ Bb. unfold completed at 1. rewrite Bb.
  apply Qplus_comp; [reflexivity|]. apply sum_ext. intros j _. unfold nonbasic, completed.
  destruct (B j); reflexivity.
Qed.

Lemma dictionary_unique B T R T' R' b :
  dictionary B T R -> dictionary B T' R' -> (b < variables)%nat -> B b = true ->
  (forall j, (j < variables)%nat -> B j = false -> T b j == T' b j) /\
  (forall i, (i < n)%nat -> R b i == R' b i).
Proof.
  intros D D' Hb Bb.
  assert (both : forall p y, sum n (fun i => R b i * p i) + sum variables (nonbasic B (fun j => T b j * y j))
    == sum n (fun i => R' b i * p i) + sum variables (nonbasic B (fun j => T' b j * y j))).
  { intros p y. pose proof (completed_solves B T R p y D) as S. apply (proj1 (D' _ _)) with (b := b) in S; [|assumption..].
    unfold completed at 1 in S. rewrite Bb in S. rewrite S.
    apply Qplus_comp; [reflexivity|]. apply sum_ext. intros j _. unfold nonbasic, completed.
    destruct (B j); reflexivity. }
  split.
  - intros j Hj Bj. specialize (both (fun _ => 0) (unit j)).
    rewrite !(sum_zero n) in both by (intros; ring).
    assert (U : forall T, sum variables (nonbasic B (fun k => T b k * unit j k)) == T b j).
    { intros X. rewrite (sum_only variables j); [unfold nonbasic; rewrite Bj, unit_same; ring|assumption|].
      intros k _ N. unfold nonbasic. rewrite unit_other by assumption. destruct (B k); ring. }
    rewrite !U in both. lra.
  - intros i Hi. specialize (both (unit i) (fun _ => 0)).
    assert (Z : forall X : nat -> nat -> Q, sum variables (nonbasic B (fun k => X b k * 0)) == 0).
    { intros X. apply sum_zero. intros k _. unfold nonbasic. destruct (B k); ring. }
    rewrite !Z in both.
    assert (U : forall X : nat -> nat -> Q, sum n (fun k => X b k * unit i k) == X b i).
    { intros X. rewrite (sum_ext n _ (fun k => unit i k * X b k)) by (intros; ring). now apply sum_unit. }
    rewrite !U in both. lra.
Qed.

(** ** The ratio test. *)

(** The value of a basic variable for q + (eps, eps^2, ...): a vector, compared lexicographically. *)
Definition constants (R : nat -> nat -> Q) (b : nat) : nat -> Q := cons (sum n (fun i => R b i * q i)) (R b).
Definition ratio (T R : nat -> nat -> Q) e b (k : nat) : Q := constants R b k / - T b e.

Definition feasible_basis (B : basis) : Prop :=
  exists T R, dictionary B T R /\ forall b, (b < variables)%nat -> B b = true -> lexpos (S n) (constants R b).

(** e enters B, l alone has the least ratio, and B' is the next basis. *)
Definition lemke_step (B : basis) (e l : nat) (B' : basis) : Prop :=
  (e < variables)%nat /\ (l < variables)%nat /\ B e = false /\ B l = true /\
  same_basis B' (exchange B e l) /\
  exists T R, dictionary B T R /\ T l e < 0 /\
    forall b, (b < variables)%nat -> B b = true -> b <> l -> T b e < 0 ->
      lexless (S n) (ratio T R e l) (ratio T R e b).

Lemma constants_ext R R' b : (forall i, (i < n)%nat -> R b i == R' b i) -> same (S n) (constants R b) (constants R' b).
Proof.
  intros E [|i] Hi; simpl; [apply sum_ext; intros; rewrite E by assumption; reflexivity|]. apply E. lia.
Qed.

Lemma ratio_ext T R T' R' e b :
  T b e == T' b e -> (forall i, (i < n)%nat -> R b i == R' b i) -> same (S n) (ratio T R e b) (ratio T' R' e b).
Proof.
  intros E F i Hi. unfold ratio. rewrite E. pose proof (constants_ext R R' b F i Hi) as G. now rewrite G.
Qed.

(** The variable that leaves is settled by the basis and by the one that enters. *)
Lemma step_settled B1 B2 e l1 l2 B1' B2' :
  same_basis B1 B2 -> lemke_step B1 e l1 B1' -> lemke_step B2 e l2 B2' -> l1 = l2 /\ same_basis B1' B2'.
Proof.
  intros E (He & H1 & Be & Bl1 & X1 & T1 & R1 & D1 & N1 & L1) (_ & H2 & Be2 & Bl2 & X2 & T2 & R2 & D2 & N2 & L2).
  assert (E' : same_basis B2 B1) by (intros j Hj; symmetry; auto).
  apply (dictionary_same B2 B1) in D2; [|assumption].
  assert (Bl2' : B1 l2 = true) by (rewrite E; assumption).
  assert (L : l1 = l2).
  { destruct (Nat.eq_dec l1 l2) as [|N]; [assumption|exfalso].
    destruct (dictionary_unique B1 T1 R1 T2 R2 l1 D1 D2 H1 Bl1) as [U1 V1].
    destruct (dictionary_unique B1 T1 R1 T2 R2 l2 D1 D2 H2 Bl2') as [U2 V2].
    specialize (U1 e He Be). specialize (U2 e He Be).
    assert (A : lexless (S n) (ratio T1 R1 e l1) (ratio T1 R1 e l2)) by (apply L1; auto; lra).
    assert (B : lexless (S n) (ratio T2 R2 e l2) (ratio T2 R2 e l1)).
    { apply L2; auto; [rewrite <- E; assumption|lra]. }
    pose proof (ratio_ext T1 R1 T2 R2 e l1 U1 V1) as F1. pose proof (ratio_ext T1 R1 T2 R2 e l2 U2 V2) as F2.
    apply (lexpos_not_both (S n) _ A). eapply lexpos_ext; [|exact B].
    intros i Hi. specialize (F1 i Hi). specialize (F2 i Hi). cbv beta in *. rewrite F1, F2. ring. }
  split; [assumption|]. subst l2. intros j Hj. rewrite (X1 j Hj), (X2 j Hj). unfold exchange.
  destruct (Nat.eqb j e), (Nat.eqb j l1); auto.
Qed.

(** After a step all values are positive again, and entering what has left takes it back. *)
Lemma after_step B e l B' :
  feasible_basis B -> lemke_step B e l B' -> feasible_basis B' /\ lemke_step B' l e B.
Proof.
  intros (T0 & R0 & D0 & F) (He & Hl & Be & Bl & X & T & R & D & P & L).
  assert (N : e <> l) by congruence.
  assert (V : forall b, (b < variables)%nat -> B b = true -> lexpos (S n) (constants R b)).
  { intros b Hb Bb. destruct (dictionary_unique B T0 R0 T R b D0 D Hb Bb) as [_ U].
    eapply lexpos_ext; [apply constants_ext; exact U|]. now apply F. }
  assert (PN : ~ T l e == 0) by lra.
  pose proof (pivot_dictionary B T R e l He Hl Be Bl PN D) as D1.
  set (T1 := pivot_T T e l) in *. set (R1 := pivot_R T R e l) in *.
  assert (X' : same_basis (exchange B e l) B') by (intros j Hj; symmetry; auto).
  assert (DB : dictionary B' T1 R1) by (now apply (dictionary_same (exchange B e l))).
  assert (CE : same (S n) (constants R1 e) (fun k => / - T l e * constants R l k)).
  { intros [|i] Hi; simpl; unfold R1, pivot_R; rewrite Nat.eqb_refl.
    - rewrite <- sum_scale. apply sum_ext. intros i _. field. assumption.
    - field. assumption. }
  assert (CB : forall b, b <> e -> same (S n) (constants R1 b) (fun k => constants R b k + T b e * (/ - T l e * constants R l k))).
  { intros b Nb [|i] Hi; simpl; unfold R1, pivot_R; apply Nat.eqb_neq in Nb; rewrite Nb.
    - rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros i _. field. assumption.
    - field. assumption. }
  assert (IP : 0 < / - T l e) by (apply Qinv_lt_0_compat; lra).
  assert (VE : lexpos (S n) (fun k => / - T l e * constants R l k)) by (apply lexpos_scale; auto).
  assert (V1 : forall b, (b < variables)%nat -> exchange B e l b = true -> lexpos (S n) (constants R1 b)).
  { intros b Hb Xb. unfold exchange in Xb. destruct (Nat.eqb_spec b e) as [->|Nb].
    - eapply lexpos_ext; [intros i Hi; symmetry; now apply CE|assumption].
    - destruct (Nat.eqb_spec b l) as [|Nl]; [discriminate|].
      eapply lexpos_ext; [intros i Hi; symmetry; now apply (CB b Nb)|].
      destruct (Qlt_le_dec (T b e) 0) as [Z|Z].
      + specialize (L b Hb Xb Nl Z). assert (Q0 : 0 < - T b e) by lra.
        apply (lexpos_scale (S n) (- T b e) Q0) in L. eapply lexpos_ext; [|exact L].
        intros i Hi. unfold ratio. cbv beta. field. lra.
      + destruct (Qlt_le_dec 0 (T b e)) as [Z'|Z'].
        * apply lexpos_plus; [auto|]. apply (lexpos_scale (S n) (T b e) Z'). assumption.
        * assert (E : T b e == 0) by lra. eapply lexpos_ext; [|apply (V b Hb Xb)].
          intros i Hi. cbv beta. rewrite E. ring. }
  split.
  - exists T1, R1. split; [assumption|]. intros b Hb Bb. apply V1; [assumption|]. rewrite X'; assumption.
  - assert (B'e : B' e = true) by (rewrite <- X' by assumption; unfold exchange; now rewrite Nat.eqb_refl).
    assert (B'l : B' l = false).
    { rewrite <- X' by assumption. unfold exchange. destruct (Nat.eqb_spec l e); [congruence|]. now rewrite Nat.eqb_refl. }
    split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [assumption|]. split.
    { intros j Hj. unfold exchange. rewrite <- X' by assumption. unfold exchange.
      destruct (Nat.eqb_spec j l) as [->|]; [assumption|]. destruct (Nat.eqb_spec j e) as [->|]; auto. }
    assert (TEL : T1 e l == / T l e) by (unfold T1, pivot_T; rewrite !Nat.eqb_refl; reflexivity).
    assert (IN : / T l e < 0).
    { assert (I : / T l e == - / - T l e) by (field; assumption). lra. }
    exists T1, R1. split; [assumption|]. split; [lra|].
    intros b Hb Bb Nb Z.
    assert (Nl : b <> l) by congruence.
    assert (TBL : T1 b l == T b e / T l e).
    { unfold T1, pivot_T. rewrite Nat.eqb_refl. apply Nat.eqb_neq in Nb. rewrite Nb. field. assumption. }
    (* T b e > 0, and the ratio of b is that of e and more. *)
    assert (TP : 0 < T b e).
    { assert (G : T b e == T1 b l * T l e) by (rewrite TBL; field; assumption). nra. }
    assert (Bb' : B b = true).
    { rewrite <- X' in Bb by assumption. unfold exchange in Bb. destruct (Nat.eqb_spec b e); [contradiction|].
      destruct (Nat.eqb_spec b l); [contradiction|assumption]. }
    assert (K : 0 < - T l e / T b e) by (apply Qlt_shift_div_l; lra).
    pose proof (lexpos_scale (S n) _ K _ (V b Hb Bb')) as G. eapply lexpos_ext; [|exact G].
    intros i Hi. unfold ratio. cbv beta.
    pose proof (CE i Hi) as C1. pose proof (CB b Nb i Hi) as C2. cbv beta in C1, C2.
    rewrite C1, C2, TEL, TBL. field. repeat split; lra.
Qed.
End Lemke.

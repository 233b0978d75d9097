(** Whether a sum of roots is at most a number, without a root. Up to three roots are decided by squaring; any number of
    them by fractions below the roots, which decide unless the two sides are as near to each other as these fractions
    are to the roots (book: "Friction cones", after theorem 2). *)

From Etalon Require Export ProductLaw.
From Coq Require Import ZArith.

(** ** Up to three roots. *)
Definition two_roots (a b x : Q) : bool :=
  let c := x * x - a - b in Qle_bool 0 x && Qle_bool 0 c && Qle_bool (4 * a * b) (c * c).
(** sqrt(a) + sqrt(b) <= x - sqrt(c), squared, has two roots: sqrt(4ab) + sqrt(4x^2c) <= x^2 + c - a - b. *)
Definition three_roots (a b c x : Q) : bool :=
  Qle_bool 0 x && Qle_bool c (x * x) && two_roots (4 * a * b) (4 * (x * x) * c) (x * x + c - a - b).
Definition few_roots (n : nat) (squares : nat -> Q) (x : Q) : bool :=
  match n with
  | 0%nat => Qle_bool 0 x
  | 1%nat => Qle_bool 0 x && Qle_bool (squares 0%nat) (x * x)
  | 2%nat => two_roots (squares 0%nat) (squares 1%nat) x
  | _ => three_roots (squares 0%nat) (squares 1%nat) (squares 2%nat) x
  end.

(** Fractions as near below a root as one likes. *)
Lemma near_root T e : 0 <= T -> 0 < e -> exists h, 0 <= h /\ h * h <= T /\ T <= (h + e) * (h + e).
Proof.
  intros T0 E.
  (* The first multiple of e whose next one is not below the root. *)
  assert (G : exists N : nat, T <= (inject_Z (Z.of_nat N) * e) * (inject_Z (Z.of_nat N) * e)).
  { destruct (Qarchimedean ((T + 1) / e)) as [p Hp]. exists (Pos.to_nat p). rewrite positive_nat_Z.
    assert (A : T + 1 < inject_Z (Z.pos p) * e).
    { setoid_replace (T + 1) with ((T + 1) / e * e) by (field; lra). apply Qmult_lt_r; assumption. }
    nra. }
  destruct G as [N G]. induction N as [|N IH].
  - exists 0. simpl in G. assert (T <= 0 * e * (0 * e)) by exact G. split; [lra|]. split; [lra|]. nra.
  - destruct (Qlt_le_dec ((inject_Z (Z.of_nat N) * e) * (inject_Z (Z.of_nat N) * e)) T) as [L|L]; [|auto].
    exists (inject_Z (Z.of_nat N) * e). split; [|split; [lra|]].
    + assert (0 <= inject_Z (Z.of_nat N)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia). nra.
    + setoid_replace (inject_Z (Z.of_nat N) * e + e) with (inject_Z (Z.of_nat (S N)) * e); [exact G|].
      rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. ring.
Qed.

(** What holds up to any small share of a number holds. *)
Lemma up_to_any x y k : 0 <= k -> (forall e, 0 < e -> e <= 1 -> x <= y + k * e) -> x <= y.
Proof.
  intros K H. destruct (Qlt_le_dec y x) as [L|L]; [exfalso|exact L].
  set (e := (x - y) / (2 * (k + 1 + (x - y)))). assert (D : 0 < 2 * (k + 1 + (x - y))) by lra.
  assert (E0 : 0 < e) by (unfold e; apply Qlt_shift_div_l; lra).
  assert (E1 : e <= 1) by (unfold e; apply Qle_shift_div_r; lra).
  specialize (H e E0 E1). assert (E : e * (2 * (k + 1 + (x - y))) == x - y) by (unfold e; field; lra). nra.
Qed.

Lemma root_bounded h T : 0 <= h -> h * h <= T -> h <= T + 1.
Proof. intros. nra. Qed.

Definition pair_of (a b : Q) (d : nat) : Q := match d with 0%nat => a | _ => b end.
Definition triple_of (a b c : Q) (d : nat) : Q := match d with 0%nat => a | 1%nat => b | _ => c end.

(** Two roots: then these are numbers above them with the sum x. *)
Lemma two_roots_above a b x :
  0 <= a -> 0 <= b -> two_roots a b x = true ->
  exists g h, 0 <= g /\ 0 <= h /\ a <= g * g /\ b <= h * h /\ g + h <= x.
Proof.
  intros A B. unfold two_roots. cbv zeta. rewrite !andb_true_iff, !Qle_bool_iff. intros [[X C] D].
  destruct (Qeq_dec x 0) as [Z|Z].
  - exists 0, 0. assert (x * x == 0) by (rewrite Z; ring). assert (a == 0 /\ b == 0) by lra. lra.
  - assert (P : 0 < x) by lra.
    exists ((x * x + a - b) / (2 * x)), ((x * x + b - a) / (2 * x)).
    split; [apply Qle_shift_div_l; lra|]. split; [apply Qle_shift_div_l; lra|].
    assert (XX : 0 < 2 * x * (2 * x)) by nra.
    split; [|split].
    + setoid_replace ((x * x + a - b) / (2 * x) * ((x * x + a - b) / (2 * x)))
        with ((x * x + a - b) * (x * x + a - b) / (2 * x * (2 * x))) by (field; lra).
      apply Qle_shift_div_l; [exact XX|]. lra.
    + setoid_replace ((x * x + b - a) / (2 * x) * ((x * x + b - a) / (2 * x)))
        with ((x * x + b - a) * (x * x + b - a) / (2 * x * (2 * x))) by (field; lra).
      apply Qle_shift_div_l; [exact XX|]. lra.
    + apply Qle_lteq. right. field. lra.
Qed.

Lemma two_roots_correct a b x :
  0 <= a -> 0 <= b -> (two_roots a b x = true <-> roots_at_most 2 (pair_of a b) x).
Proof.
  intros A B. split.
  - intros H. destruct (two_roots_above a b x A B H) as (g & h & G0 & H0 & G & H1 & S).
    apply (roots_more _ _ (sum 2 (pair_of g h))); [|simpl; lra]. apply above_roots.
    intros [|[|d]] Hd; [simpl; lra|simpl; lra|lia].
  - intros R. assert (X : 0 <= x).
    { assert (sum 2 (fun _ => 0) <= x); [|simpl in *; lra]. apply R. intros [|[|d]] Hd; simpl; lra || lia. }
    assert (near : forall e, 0 < e -> e <= 1 -> exists g h, 0 <= g /\ 0 <= h /\ g <= a + 1 /\ h <= b + 1 /\
      g * g <= a /\ h * h <= b /\ a <= (g + e) * (g + e) /\ b <= (h + e) * (h + e) /\ g + h <= x).
    { intros e E0 E1. destruct (near_root a e A E0) as (g & G0 & G1 & G2).
      destruct (near_root b e B E0) as (h & H0 & H1 & H2).
      exists g, h. pose proof (root_bounded g a G0 G1). pose proof (root_bounded h b H0 H1).
      assert (sum 2 (pair_of g h) <= x) by (apply R; intros [|[|d]] Hd; [simpl; lra|simpl; lra|lia]).
      simpl in *. repeat split; lra. }
    (* The product of the roots is at most half of c = x^2 - a - b, up to any small number. *)
    set (c := x * x - a - b). set (k := 4 * (a + b + 3)).
    assert (product : forall e, 0 < e -> e <= 1 -> exists p, 0 <= p /\ 4 * a * b <= p * p /\ p <= c + k * e).
    { intros e E0 E1. destruct (near e E0 E1) as (g & h & G0 & H0 & GB & HB & G1 & H1 & G2 & H2 & S).
      exists (2 * ((g + e) * (h + e))). assert (0 <= g + e) by lra. assert (0 <= h + e) by lra.
      assert (0 <= (g + e) * (h + e)) by nra. split; [lra|]. split.
      - assert (a * b <= (g + e) * (g + e) * ((h + e) * (h + e))).
        { assert (0 <= (g + e) * (g + e)) by nra. assert (a * b <= (g + e) * (g + e) * b) by nra.
          assert ((g + e) * (g + e) * b <= (g + e) * (g + e) * ((h + e) * (h + e))) by nra. lra. }
        lra.
      - unfold c, k. assert ((g + h) * (g + h) <= x * x) by nra.
        assert (g * e <= (a + 1) * e) by nra. assert (h * e <= (b + 1) * e) by nra. assert (e * e <= e) by nra.
        assert (0 <= (a + b) * e) by (apply Qmult_le_0_compat; lra). lra. }
    assert (K : 0 <= k) by (unfold k; lra).
    assert (C : 0 <= c).
    { apply (up_to_any 0 c k K). intros e E0 E1. destruct (product e E0 E1) as (p & P0 & _ & P). lra. }
    unfold two_roots. cbv zeta. fold c. rewrite !andb_true_iff, !Qle_bool_iff. split; [split; assumption|].
    apply (up_to_any _ _ (2 * c * k + k * k)); [assert (0 <= c * k) by nra; assert (0 <= k * k) by nra; lra|].
    intros e E0 E1. destruct (product e E0 E1) as (p & P0 & P1 & P2).
    assert (p * p <= (c + k * e) * (c + k * e)) by nra. assert (0 <= k * k) by nra. assert (e * e <= e) by nra.
    assert (k * k * (e * e) <= k * k * e) by nra. lra.
Qed.

Lemma three_roots_correct a b c x :
  0 <= a -> 0 <= b -> 0 <= c -> (three_roots a b c x = true <-> roots_at_most 3 (triple_of a b c) x).
Proof.
  intros A B C. assert (AB : 0 <= 4 * a * b) by nra.
  assert (XX : 0 <= x * x) by apply square_nonneg. assert (XC : 0 <= 4 * (x * x) * c) by nra.
  unfold three_roots. rewrite !andb_true_iff, !Qle_bool_iff. set (y := x * x + c - a - b). split.
  - intros [[X L] H]. destruct (two_roots_above _ _ _ AB XC H) as (p & s & P0 & S0 & P & S & PS). unfold y in PS.
    intros h Hh. simpl. destruct (Hh 0%nat ltac:(lia)) as [F0 F]. destruct (Hh 1%nat ltac:(lia)) as [G0 G].
    destruct (Hh 2%nat ltac:(lia)) as [K0 K]. simpl in F, G, K.
    set (f := h 0%nat) in *. set (g := h 1%nat) in *. set (k := h 2%nat) in *.
    (* 2 f g <= p and 2 x k <= s, so (f + g)^2 <= (x - k)^2 + something of k^2 - c, which k <= x turns around. *)
    assert (FG : 2 * (f * g) <= p).
    { apply (square_le _ p P0). assert (f * f * (g * g) <= a * b).
      { assert (0 <= f * f) by nra. assert (0 <= g * g) by nra. assert (f * f * (g * g) <= f * f * b) by nra.
        assert (f * f * b <= a * b) by nra. lra. } lra. }
    assert (KX : k <= x) by (apply (square_le k x X); lra).
    destruct (Qeq_dec x 0) as [Z|Z].
    { assert (Z2 : x * x == 0) by (rewrite Z; ring). assert (a == 0 /\ b == 0) by lra.
      assert (f == 0) by (apply square_zero; lra). assert (g == 0) by (apply square_zero; lra).
      assert (k == 0) by lra. lra. }
    assert (P1 : 0 < x) by lra. set (t := s / (2 * x)).
    assert (T : t * (2 * x) == s) by (unfold t; field; lra).
    assert (T0 : 0 <= t) by (unfold t; apply Qle_shift_div_l; lra).
    assert (TC : c <= t * t).
    { setoid_replace (t * t) with (s * s / (4 * (x * x))) by (unfold t; field; lra). apply Qle_shift_div_l; [nra|]. lra. }
    assert (KT : k <= t) by (apply (square_le k t T0); lra).
    assert (TX : t <= x) by (destruct (Qlt_le_dec x t); [exfalso; nra|assumption]).
    assert (FGX : f + g <= x - t).
    { apply (square_le (f + g) (x - t)); [lra|].
      setoid_replace ((f + g) * (f + g)) with (f * f + g * g + 2 * (f * g)) by ring.
      setoid_replace ((x - t) * (x - t)) with (x * x - t * (2 * x) + t * t) by ring. lra. }
    lra.
  - intros R. assert (X : 0 <= x).
    { assert (sum 3 (fun _ => 0) <= x); [|simpl in *; lra]. apply R. intros [|[|[|d]]] Hd; simpl; lra || lia. }
    assert (L : c <= x * x).
    { destruct (Qlt_le_dec (x * x) c) as [L|L]; [exfalso|exact L]. destruct (below_root x c X L) as (h & H1 & H2).
      assert (sum 3 (triple_of 0 0 h) <= x); [|simpl in *; lra].
      apply R. intros [|[|[|d]]] Hd; simpl; lra || lia. }
    split; [split; assumption|]. apply two_roots_correct; [exact AB|exact XC|]. intros ps Hps. simpl.
    destruct (Hps 0%nat ltac:(lia)) as [P0 P]. destruct (Hps 1%nat ltac:(lia)) as [S0 S]. simpl in P, S.
    set (p := ps 0%nat) in *. set (s := ps 1%nat) in *.
    assert (K : 0 <= 4 * (a + b + c + x + 3)) by lra.
    assert (G : p + s <= y); [|lra]. apply (up_to_any _ _ _ K). intros e E0 E1.
    destruct (near_root a e A E0) as (f & F0 & F1 & F2). destruct (near_root b e B E0) as (g & G0 & G1 & G2).
    destruct (near_root c e C E0) as (k & K0 & K1 & K2).
    pose proof (root_bounded f a F0 F1). pose proof (root_bounded g b G0 G1). pose proof (root_bounded k c K0 K1).
    assert (U : sum 3 (triple_of f g k) <= x) by (apply R; intros [|[|[|d]]] Hd; simpl; lra || lia). simpl in U.
    assert (V : (f + g) * (f + g) <= (x - k) * (x - k)) by nra.
    assert (PF : p <= 2 * ((f + e) * (g + e))).
    { assert (Y : 0 <= (f + e) * (g + e)) by nra. apply (square_le p _); [lra|].
      assert (a * b <= (f + e) * (f + e) * ((g + e) * (g + e))).
      { assert (0 <= (f + e) * (f + e)) by nra. assert (a * b <= (f + e) * (f + e) * b) by (apply Qmult_le_compat_r; lra).
        assert ((f + e) * (f + e) * b <= (f + e) * (f + e) * ((g + e) * (g + e))) by nra. lra. } lra. }
    assert (SK : s <= 2 * x * (k + e)).
    { assert (Y : 0 <= 2 * x * (k + e)) by (apply Qmult_le_0_compat; lra). apply (square_le s _ Y).
      assert (x * x * c <= x * x * ((k + e) * (k + e)))
        by (rewrite !(Qmult_comm (x * x)); apply Qmult_le_compat_r; [lra|apply square_nonneg]). lra. }
    unfold y. assert (f * e <= (a + 1) * e) by (apply Qmult_le_compat_r; lra).
    assert (g * e <= (b + 1) * e) by (apply Qmult_le_compat_r; lra).
    assert (e * e <= 1 * e) by (apply Qmult_le_compat_r; lra).
    assert (0 <= a * e) by (apply Qmult_le_0_compat; lra). assert (0 <= b * e) by (apply Qmult_le_0_compat; lra).
    assert (0 <= c * e) by (apply Qmult_le_0_compat; lra). assert (0 <= x * e) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma roots_ext n f g x : (forall d, (d < n)%nat -> f d == g d) -> roots_at_most n f x -> roots_at_most n g x.
Proof. intros E H h Hh. apply H. intros d Hd. destruct (Hh d Hd) as [A B]. rewrite E by exact Hd. auto. Qed.

(** Up to three roots are decided. *)
Theorem few_roots_correct n squares x :
  (n <= 3)%nat -> (forall d, (d < n)%nat -> 0 <= squares d) ->
  (few_roots n squares x = true <-> roots_at_most n squares x).
Proof.
  intros N S. destruct n as [|[|[|[|n]]]]; [| | | |lia]; unfold few_roots.
  - rewrite Qle_bool_iff. split; [intros H h _; exact H|intros H; exact (H (fun _ => 0) ltac:(intros d Hd; lia))].
  - rewrite andb_true_iff, !Qle_bool_iff. symmetry. apply one_root. apply S. lia.
  - rewrite two_roots_correct by (apply S; lia). split; apply roots_ext; intros [|[|d]] Hd; (reflexivity || lia).
  - rewrite three_roots_correct by (apply S; lia). split; apply roots_ext; intros [|[|[|d]]] Hd; (reflexivity || lia).
Qed.

(** ** Any number of roots, by fractions below them that are less than [unit] away: what the kernel does with integer
    square roots, where [unit] is a power of 1/2. *)
Definition below_by (step : Q) (n : nat) (squares h : nat -> Q) : Prop :=
  forall d, (d < n)%nat -> 0 <= h d /\ h d * h d <= squares d /\ squares d <= (h d + step) * (h d + step).

Theorem roots_refused step n squares h x :
  below_by step n squares h -> x < sum n h -> ~ roots_at_most n squares x.
Proof.
  intros B L R. assert (sum n h <= x); [|lra]. apply R. intros d Hd. destruct (B d Hd) as (H0 & H1 & _). split; assumption.
Qed.

Theorem roots_accepted step n squares h x :
  0 <= step -> below_by step n squares h -> sum n h + sum n (fun _ => step) <= x -> roots_at_most n squares x.
Proof.
  intros S B L. apply (roots_more _ _ (sum n (fun d => h d + step))); [|rewrite sum_plus; lra]. apply above_roots.
  intros d Hd. destruct (B d Hd) as (H0 & _ & H2). split; lra.
Qed.

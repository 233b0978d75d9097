(** One contact with a friction cone: one disc of two tangential rows with one mu (book: "Friction
    cones", section "The problem").

    Both laws depend on mu through its square alone, so mu^2 is the datum here and no root is needed:
    [m] stands for mu^2. Forces are r = (r_N, r_1, r_2), velocities u. *)

From Etalon Require Export Sums.

Record three := { vN : Q; v1 : Q; v2 : Q }.

Definition square_of_tangent (x : three) : Q := v1 x * v1 x + v2 x * v2 x.
Definition dot (x y : three) : Q := vN x * vN y + v1 x * v1 y + v2 x * v2 y.

(** The cone K, where |r_T| <= mu r_N, and its dual K*, where u_N >= mu |u_T|. *)
Definition in_cone (m : Q) (r : three) : Prop :=
  0 <= vN r /\ square_of_tangent r <= m * (vN r * vN r).
Definition in_dual (m : Q) (u : three) : Prop :=
  0 <= vN u /\ m * square_of_tangent u <= vN u * vN u.

(** ** The law of Coulomb, row by row: open; or pressed, and it sticks or slides. With mu = 0 there is
    no friction, and slip is free. *)
Definition coulomb (m : Q) (r u : three) : Prop :=
  (vN r == 0 /\ v1 r == 0 /\ v2 r == 0 /\ 0 <= vN u) \/
  (0 < vN r /\ vN u == 0 /\
   ((v1 u == 0 /\ v2 u == 0 /\ square_of_tangent r <= m * (vN r * vN r)) \/
    (square_of_tangent r == m * (vN r * vN r) /\
     (m == 0 \/ exists l, 0 <= l /\ v1 u == - l * v1 r /\ v2 u == - l * v2 r)))).

(** ** The convex law: r in K, u in K*, r'u = 0. *)
Definition convex (m : Q) (r u : three) : Prop := in_cone m r /\ in_dual m u /\ dot r u == 0.

(** Cauchy and Schwarz, in squares. *)
Lemma cauchy_schwarz (r u : three) :
  (v1 r * v1 u + v2 r * v2 u) * (v1 r * v1 u + v2 r * v2 u) <= square_of_tangent r * square_of_tangent u.
Proof.
  unfold square_of_tangent.
  assert (0 <= (v1 r * v2 u - v2 r * v1 u) * (v1 r * v2 u - v2 r * v1 u)).
  { destruct (Qlt_le_dec (v1 r * v2 u - v2 r * v1 u) 0); nra. }
  lra.
Qed.

Lemma tangent_nonneg x : 0 <= square_of_tangent x.
Proof.
  unfold square_of_tangent. destruct (Qlt_le_dec (v1 x) 0), (Qlt_le_dec (v2 x) 0); nra.
Qed.

Lemma square_nonneg (x : Q) : 0 <= x * x.
Proof. destruct (Qlt_le_dec x 0); nra. Qed.

Lemma square_le (x y : Q) : 0 <= y -> x * x <= y * y -> - y <= x /\ x <= y.
Proof.
  intros Y H. split.
  - destruct (Qlt_le_dec x (- y)); [exfalso|assumption]. nra.
  - destruct (Qlt_le_dec y x); [exfalso|assumption]. nra.
Qed.

Lemma square_zero (x : Q) : x * x <= 0 -> x == 0.
Proof. intros H. destruct (Q_dec x 0) as [[?|?]|?]; [nra|nra|assumption]. Qed.

Lemma tangent_zero x : square_of_tangent x <= 0 -> v1 x == 0 /\ v2 x == 0.
Proof.
  unfold square_of_tangent. intros H. pose proof (square_nonneg (v1 x)). pose proof (square_nonneg (v2 x)).
  split; apply square_zero; lra.
Qed.

(** The product of a force of the cone and a velocity of its dual is never negative. *)
Lemma dual_nonneg m r u : 0 <= m -> in_cone m r -> in_dual m u -> 0 <= dot r u.
Proof.
  intros Hm [R1 R2] [U1 U2]. pose proof (cauchy_schwarz r u) as C.
  pose proof (tangent_nonneg r) as TR. pose proof (tangent_nonneg u) as TU.
  set (x := v1 r * v1 u + v2 r * v2 u) in *. set (y := vN r * vN u).
  assert (Y : 0 <= y) by (unfold y; nra).
  assert (H : x * x <= y * y).
  { assert (E1 : square_of_tangent r * square_of_tangent u <= m * (vN r * vN r) * square_of_tangent u) by nra.
    assert (E2 : (vN r * vN r) * (m * square_of_tangent u) <= (vN r * vN r) * (vN u * vN u)).
    { pose proof (square_nonneg (vN r)). nra. }
    assert (E3 : y * y == (vN r * vN r) * (vN u * vN u)) by (unfold y; ring).
    rewrite E3. lra. }
  destruct (square_le x y Y H) as [H1 H2]. unfold dot. fold y.
  setoid_replace (y + v1 r * v1 u + v2 r * v2 u) with (y + x) by (unfold x; ring). lra.
Qed.

(** ** The convex law as the book writes it: open with u in K*; or pressed with a multiplier L that is 0
    unless |r_T| = mu r_N, u_N = L r_N and u_k = -L r_k / mu^2. *)
Theorem convex_as_written m r u :
  0 < m ->
  (convex m r u <->
   (vN r == 0 /\ v1 r == 0 /\ v2 r == 0 /\ in_dual m u) \/
   (0 < vN r /\ in_cone m r /\ exists L, 0 <= L /\
    (square_of_tangent r == m * (vN r * vN r) \/ L == 0) /\
    vN u == L * vN r /\ v1 u == - L * v1 r / m /\ v2 u == - L * v2 r / m)).
Proof.
  intros Hm. split.
  - intros ([R1 R2] & [U1 U2] & D). pose proof (tangent_nonneg r) as TR. pose proof (tangent_nonneg u) as TU.
    destruct (Qlt_le_dec 0 (vN r)) as [P|P].
    + right. split; [assumption|]. split; [split; assumption|].
      (* With L = u_N / r_N the velocity is the one of the law: the squares of the differences add up to 0. *)
      set (L := vN u / vN r). assert (EL : vN u == L * vN r) by (unfold L; field; lra).
      assert (L0 : 0 <= L) by (unfold L; apply Qle_shift_div_l; lra).
      assert (EX : v1 r * v1 u + v2 r * v2 u == - (L * (vN r * vN r))).
      { unfold dot in D. rewrite EL in D. lra. }
      assert (S : (v1 u * m + L * v1 r) * (v1 u * m + L * v1 r) + (v2 u * m + L * v2 r) * (v2 u * m + L * v2 r) <= 0).
      { assert (E : (v1 u * m + L * v1 r) * (v1 u * m + L * v1 r) + (v2 u * m + L * v2 r) * (v2 u * m + L * v2 r)
          == m * (m * square_of_tangent u) + 2 * m * L * (v1 r * v1 u + v2 r * v2 u) + L * L * square_of_tangent r)
          by (unfold square_of_tangent; ring).
        rewrite E, EX.
        assert (m * (m * square_of_tangent u) <= m * (L * L * (vN r * vN r))).
        { rewrite EL in U2. assert (m * square_of_tangent u <= L * L * (vN r * vN r)) by lra. nra. }
        assert (0 <= L * L) by (apply square_nonneg).
        assert (L * L * square_of_tangent r <= L * L * (m * (vN r * vN r))) by nra. lra. }
      pose proof (square_nonneg (v1 u * m + L * v1 r)). pose proof (square_nonneg (v2 u * m + L * v2 r)).
      assert (Z1 : v1 u * m + L * v1 r == 0) by (apply square_zero; lra).
      assert (Z2 : v2 u * m + L * v2 r == 0) by (apply square_zero; lra).
      exists L. split; [assumption|]. split; [|split; [assumption|]].
      * destruct (Qeq_dec L 0) as [E|E]; [right; assumption|left].
        assert (LP : 0 < L) by lra. apply Qle_antisym; [assumption|].
        assert (G : L * square_of_tangent r == L * (m * (vN r * vN r))).
        { unfold square_of_tangent.
          assert (A1 : L * v1 r == - (v1 u * m)) by lra. assert (A2 : L * v2 r == - (v2 u * m)) by lra.
          setoid_replace (L * (v1 r * v1 r + v2 r * v2 r)) with (L * v1 r * v1 r + L * v2 r * v2 r) by ring.
          rewrite A1, A2.
          setoid_replace (- (v1 u * m) * v1 r + - (v2 u * m) * v2 r) with (- m * (v1 r * v1 u + v2 r * v2 u)) by ring.
          rewrite EX. ring. }
        apply Qmult_inj_l in G; [lra|]. lra.
      * split.
        -- setoid_replace (- L * v1 r / m) with ((v1 u * m - (v1 u * m + L * v1 r)) / m) by (field; lra).
           rewrite Z1. field. lra.
        -- setoid_replace (- L * v2 r / m) with ((v2 u * m - (v2 u * m + L * v2 r)) / m) by (field; lra).
           rewrite Z2. field. lra.
    + left. assert (E : vN r == 0) by lra.
      assert (T : square_of_tangent r <= 0) by (rewrite E in R2; lra).
      destruct (tangent_zero r T). repeat split; auto.
  - intros [(E & E1 & E2 & U)|(P & R & L & L0 & B & EN & E1 & E2)].
    + split; [|split; [assumption|]].
      * split; [lra|]. unfold square_of_tangent. rewrite E, E1, E2. lra.
      * unfold dot. rewrite E, E1, E2. ring.
    + split; [assumption|].
      assert (ST : square_of_tangent u == L * L * square_of_tangent r / (m * m)).
      { unfold square_of_tangent. rewrite E1, E2. field. lra. }
      assert (D : vN r * vN u + v1 r * v1 u + v2 r * v2 u == L * (vN r * vN r) - L * square_of_tangent r / m).
      { unfold square_of_tangent. rewrite EN, E1, E2. field. lra. }
      destruct B as [B|B].
      * split; [split|].
        -- rewrite EN. nra.
        -- rewrite ST, B, EN. assert (E : m * (L * L * (m * (vN r * vN r)) / (m * m)) == L * vN r * (L * vN r)) by (field; lra).
           rewrite E. lra.
        -- unfold dot. rewrite D, B. field. lra.
      * split; [split|].
        -- rewrite EN, B. lra.
        -- rewrite ST, EN, B. assert (E : m * (0 * 0 * square_of_tangent r / (m * m)) == 0) by (field; lra).
           rewrite E. lra.
        -- unfold dot. rewrite D, B. field. lra.
Qed.

(** De Saxce and Feng: a contact obeys the law of Coulomb if and only if it obeys the convex law with
    u_N lifted by g = mu |u_T|. *)
Theorem lifted m r u g :
  0 < m -> 0 <= g -> g * g == m * square_of_tangent u ->
  (coulomb m r u <-> convex m r {| vN := vN u + g; v1 := v1 u; v2 := v2 u |}).
Proof.
  intros Hm Hg G. rewrite convex_as_written by assumption. unfold in_dual. simpl vN. simpl v1. simpl v2.
  change (square_of_tangent {| vN := vN u + g; v1 := v1 u; v2 := v2 u |}) with (square_of_tangent u).
  assert (dual : (0 <= vN u + g /\ m * square_of_tangent u <= (vN u + g) * (vN u + g)) <-> 0 <= vN u).
  { rewrite <- G. split.
    - intros [A B]. destruct (Qlt_le_dec (vN u) 0); [exfalso|assumption]. nra.
    - intros A. split; [lra|nra]. }
  rewrite dual. unfold coulomb. split.
  - intros [H|(P & UN & [(U1 & U2 & K)|(B & [Z|(l & L0 & E1 & E2)])])].
    + left. tauto.
    + right. assert (GZ : g == 0).
      { apply square_zero. rewrite G. unfold square_of_tangent. rewrite U1, U2. lra. }
      split; [assumption|]. split; [split; [lra|assumption]|]. exists 0.
      repeat split; [lra|right; reflexivity|rewrite UN, GZ; lra|rewrite U1; field; lra|rewrite U2; field; lra].
    + lra.
    + right. split; [assumption|]. split; [split; lra|]. exists (l * m).
      assert (GL : g == l * m * vN r).
      { assert (Y : 0 <= l * m * vN r) by (apply Qmult_le_0_compat; [apply Qmult_le_0_compat|]; lra).
        assert (E : g * g == l * m * vN r * (l * m * vN r)).
        { rewrite G. assert (ST : square_of_tangent u == l * l * square_of_tangent r)
            by (unfold square_of_tangent; rewrite E1, E2; ring).
          rewrite ST, B. ring. }
        destruct (square_le g _ Y) as [_ A1]; [rewrite E; lra|].
        destruct (square_le (l * m * vN r) g Hg) as [_ A2]; [rewrite E; lra|]. lra. }
      repeat split; [nra|left; assumption|rewrite UN, GL; ring|rewrite E1; field; lra|rewrite E2; field; lra].
  - intros [H|(P & [_ K] & L & L0 & B & EN & E1 & E2)].
    + left. tauto.
    + right. split; [assumption|].
      assert (GL : g == L * vN r).
      { assert (Y : 0 <= L * vN r) by nra.
        assert (E : g * g == L * vN r * (L * vN r)).
        { rewrite G. assert (ST : square_of_tangent u == L * L * square_of_tangent r / (m * m))
            by (unfold square_of_tangent; rewrite E1, E2; field; lra).
          rewrite ST. destruct B as [B|B]; rewrite B; field; lra. }
        destruct (square_le g _ Y) as [_ A1]; [rewrite E; lra|].
        destruct (square_le (L * vN r) g Hg) as [_ A2]; [rewrite E; lra|]. lra. }
      split; [lra|]. destruct B as [B|B].
      * right. split; [assumption|]. right. exists (L / m).
        repeat split; [apply Qle_shift_div_l; lra|rewrite E1; field; lra|rewrite E2; field; lra].
      * left. repeat split; [rewrite E1, B; field; lra|rewrite E2, B; field; lra|assumption].
Qed.

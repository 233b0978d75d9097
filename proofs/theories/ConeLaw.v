(** One contact with a friction cone: one disc of any number of rows, each with its mu (book: "Friction
    cones", section "The problem").

    Both laws depend on mu through its square alone, so mu^2 is the datum here and no root is needed:
    [m k] stands for mu_k^2. In Coq x / 0 is 0, so a row without friction adds nothing to sums of r_k^2 / mu_k^2. *)

From Etalon Require Export Sums.

(** A force r = (r_N, r_0, r_1, ...), or a velocity u. *)
Record parts := { vN : Q; vT : nat -> Q }.

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

Lemma div_zero (x y : Q) : y == 0 -> x / y == 0.
Proof. intros E. unfold Qdiv. rewrite E. unfold Qinv. simpl. ring. Qed.

Lemma div_nonneg (x y : Q) : 0 <= x -> 0 <= y -> 0 <= x / y.
Proof.
  intros X Y. destruct (Qeq_dec y 0) as [E|E]; [rewrite div_zero by assumption; lra|].
  apply Qle_shift_div_l; lra.
Qed.

Section Disc.
Variable n : nat.

Definition along (r u : parts) : Q := sum n (fun k => vT r k * vT u k).
Definition dot (r u : parts) : Q := vN r * vN u + along r u.

(** (|r|_d)^2, and the square of g(u): the sums of (r_k / mu_k)^2 and of (mu_k u_k)^2. *)
Definition friction_square (m : nat -> Q) (r : parts) : Q := sum n (fun k => vT r k * vT r k / m k).
Definition slip_square (m : nat -> Q) (u : parts) : Q := sum n (fun k => m k * (vT u k * vT u k)).

(** No force where there is no friction. *)
Definition smooth_free (m : nat -> Q) (r : parts) : Prop := forall k, (k < n)%nat -> m k == 0 -> vT r k == 0.

(** The cone K, where |r|_d <= r_N, and its dual K*, where u_N >= g(u). *)
Definition in_cone (m : nat -> Q) (r : parts) : Prop :=
  0 <= vN r /\ smooth_free m r /\ friction_square m r <= vN r * vN r.
Definition in_dual (m : nat -> Q) (u : parts) : Prop :=
  0 <= vN u /\ slip_square m u <= vN u * vN u.

Definition no_force (r : parts) : Prop := vN r == 0 /\ forall k, (k < n)%nat -> vT r k == 0.

(** Slip against the force, u_k = - L r_k / mu_k^2; the contact sticks where L = 0. Rows without friction slip
    as they like. *)
Definition slips (m : nat -> Q) (r u : parts) (L : Q) : Prop :=
  forall k, (k < n)%nat -> 0 < m k -> vT u k == - L * vT r k / m k.

(** Pressed: it sticks, or it slides with a force on the boundary of the cone. *)
Definition pressed (m : nat -> Q) (r u : parts) (L : Q) : Prop :=
  0 < vN r /\ in_cone m r /\ 0 <= L /\ (friction_square m r == vN r * vN r \/ L == 0) /\ slips m r u L.

(** ** The law of Coulomb: open, or pressed without moving along the normal. *)
Definition coulomb (m : nat -> Q) (r u : parts) : Prop :=
  (no_force r /\ 0 <= vN u) \/ (exists L, pressed m r u L /\ vN u == 0).

(** ** The convex law: r in K, u in K*, r'u = 0. *)
Definition convex (m : nat -> Q) (r u : parts) : Prop := in_cone m r /\ in_dual m u /\ dot r u == 0.

(** ** Squares. *)
Definition nonneg (m : nat -> Q) : Prop := forall k, (k < n)%nat -> 0 <= m k.

Lemma friction_nonneg m r : nonneg m -> 0 <= friction_square m r.
Proof. intros Hm. apply sum_nonneg. intros k Hk. apply div_nonneg; [apply square_nonneg|auto]. Qed.

Lemma slip_nonneg m u : nonneg m -> 0 <= slip_square m u.
Proof. intros Hm. apply sum_nonneg. intros k Hk. specialize (Hm k Hk). pose proof (square_nonneg (vT u k)). nra. Qed.

(** One more term on both sides of Cauchy's and Schwarz's inequality. *)
Lemma one_more A X Y a x y :
  0 <= X -> 0 <= Y -> 0 <= x -> 0 <= y -> A * A <= X * Y -> a * a <= x * y ->
  (A + a) * (A + a) <= (X + x) * (Y + y).
Proof.
  intros HX HY Hx Hy HA Ha.
  assert (P : 0 <= X * y) by nra. assert (R : 0 <= x * Y) by nra.
  assert (S : (2 * (A * a)) * (2 * (A * a)) <= (X * y + x * Y) * (X * y + x * Y)).
  { pose proof (square_nonneg (X * y - x * Y)). pose proof (square_nonneg A). pose proof (square_nonneg a).
    assert (A * A * (a * a) <= X * Y * (x * y)).
    { assert (A * A * (a * a) <= X * Y * (a * a)) by nra. assert (0 <= X * Y) by nra.
      assert (X * Y * (a * a) <= X * Y * (x * y)) by nra. lra. }
    lra. }
  destruct (square_le (2 * (A * a)) (X * y + x * Y)) as [_ H]; [lra|assumption|]. lra.
Qed.

Lemma cauchy_schwarz m r u :
  nonneg m -> smooth_free m r -> along r u * along r u <= friction_square m r * slip_square m u.
Proof.
  unfold nonneg, smooth_free, along, friction_square, slip_square.
  induction n as [|k IH]; intros Hm Hr; simpl; [lra|].
  assert (Hk : 0 <= m k) by (apply Hm; lia).
  assert (X : 0 <= sum k (fun k => vT r k * vT r k / m k)).
  { apply sum_nonneg. intros i Hi. apply div_nonneg; [apply square_nonneg|apply Hm; lia]. }
  assert (Y : 0 <= sum k (fun k => m k * (vT u k * vT u k))).
  { apply sum_nonneg. intros i Hi. assert (0 <= m i) by (apply Hm; lia). pose proof (square_nonneg (vT u i)). nra. }
  apply one_more; [exact X|exact Y| | | |].
  - apply div_nonneg; [apply square_nonneg|assumption].
  - pose proof (square_nonneg (vT u k)). nra.
  - apply IH; intros; [apply Hm|apply Hr]; auto; lia.
  - destruct (Qeq_dec (m k) 0) as [E|E].
    + rewrite (Hr k), E by (auto; lia). lra.
    + apply Qle_lteq. right. field. assumption.
Qed.

(** The product of a force of the cone and a velocity of its dual is never negative. *)
Lemma dual_nonneg m r u : nonneg m -> in_cone m r -> in_dual m u -> 0 <= dot r u.
Proof.
  intros Hm (R1 & R2 & R3) [U1 U2]. pose proof (cauchy_schwarz m r u Hm R2) as C.
  pose proof (friction_nonneg m r Hm). pose proof (slip_nonneg m u Hm).
  assert (Y : 0 <= vN r * vN u) by nra.
  assert (S : along r u * along r u <= vN r * vN u * (vN r * vN u)).
  { assert (friction_square m r * slip_square m u <= vN r * vN r * slip_square m u) by nra.
    pose proof (square_nonneg (vN r)).
    assert (vN r * vN r * slip_square m u <= vN r * vN r * (vN u * vN u)) by nra. lra. }
  destruct (square_le _ _ Y S). unfold dot. lra.
Qed.

(** What a slip against the force is worth. *)
Lemma slips_sums m r u L :
  nonneg m -> smooth_free m r -> slips m r u L ->
  along r u == - L * friction_square m r /\ slip_square m u == L * L * friction_square m r.
Proof.
  intros Hm Hr S. unfold along, slip_square, friction_square. rewrite <- !sum_scale.
  split; apply sum_ext; intros k Hk; specialize (Hm k Hk); specialize (S k Hk);
    (destruct (Qeq_dec (m k) 0) as [E|E];
     [rewrite (Hr k Hk E); rewrite ?E; unfold Qdiv; ring|rewrite S by lra; field; assumption]).
Qed.

(** A contact without force does nothing against it. *)
Lemma no_force_sums m r : no_force r -> (forall u, along r u == 0) /\ friction_square m r == 0.
Proof.
  intros [_ R]. split.
  - intros u. apply sum_zero. intros k Hk. rewrite R by assumption. ring.
  - apply sum_zero. intros k Hk. rewrite R by assumption. unfold Qdiv. ring.
Qed.

Lemma no_force_in_cone m r : no_force r -> in_cone m r.
Proof.
  intros H. destruct (no_force_sums m r H) as [_ F]. destruct H as [N T]. split; [lra|]. split.
  - intros k Hk _. auto.
  - rewrite F, N. lra.
Qed.

Lemma cone_no_force m r : nonneg m -> in_cone m r -> vN r == 0 -> no_force r.
Proof.
  intros Hm (_ & R2 & R3) E. split; [assumption|]. intros k Hk.
  destruct (Qeq_dec (m k) 0) as [Z|Z]; [auto|].
  assert (T : vT r k * vT r k / m k == 0).
  { refine (sum_nonneg_zero n (fun k => vT r k * vT r k / m k) _ _ k Hk).
    - intros i Hi. apply div_nonneg; [apply square_nonneg|auto].
    - unfold friction_square in R3. rewrite E in R3. lra. }
  apply square_zero. setoid_replace (vT r k * vT r k) with (vT r k * vT r k / m k * m k) by (field; assumption).
  rewrite T. lra.
Qed.

(** ** The convex law as the book writes it: open with u in K*; or pressed, and u_N = L r_N. *)
Theorem convex_as_written m r u :
  nonneg m ->
  (convex m r u <-> (no_force r /\ in_dual m u) \/ (exists L, pressed m r u L /\ vN u == L * vN r)).
Proof.
  intros Hm. split.
  - intros (K & [U1 U2] & D). destruct K as (R1 & R2 & R3).
    destruct (Qlt_le_dec 0 (vN r)) as [P|P]; [right|left].
    + (* With L = u_N / r_N the velocity is the one of the law: the squares of the differences add up to 0. *)
      set (L := vN u / vN r). assert (EL : vN u == L * vN r) by (unfold L; field; lra).
      assert (L0 : 0 <= L) by (unfold L; apply Qle_shift_div_l; lra).
      assert (EX : along r u == - L * (vN r * vN r)) by (unfold dot in D; rewrite EL in D; lra).
      set (gap := fun k => (m k * vT u k + L * vT r k) * (m k * vT u k + L * vT r k) / m k).
      assert (G : sum n gap == slip_square m u + (2 * L * along r u + L * L * friction_square m r)).
      { unfold slip_square, along, friction_square. rewrite <- !sum_scale, <- !sum_plus. apply sum_ext.
        intros k Hk. unfold gap. destruct (Qeq_dec (m k) 0) as [E|E].
        - rewrite (div_zero _ _ E), (div_zero _ _ E), (R2 k Hk E), E. ring.
        - field. assumption. }
      assert (Z : forall k, (k < n)%nat -> gap k == 0).
      { apply sum_nonneg_zero.
        - intros k Hk. apply div_nonneg; [apply square_nonneg|auto].
        - rewrite G, EX. rewrite EL in U2. pose proof (square_nonneg L).
          assert (L * L * friction_square m r <= L * L * (vN r * vN r)) by nra. lra. }
      assert (S : slips m r u L).
      { intros k Hk MP. specialize (Z k Hk). unfold gap in Z.
        assert (E : m k * vT u k + L * vT r k == 0).
        { apply square_zero.
          setoid_replace ((m k * vT u k + L * vT r k) * (m k * vT u k + L * vT r k))
            with ((m k * vT u k + L * vT r k) * (m k * vT u k + L * vT r k) / m k * m k) by (field; lra).
          rewrite Z. lra. }
        setoid_replace (- L * vT r k / m k) with ((m k * vT u k - (m k * vT u k + L * vT r k)) / m k) by (field; lra).
        rewrite E. field. lra. }
      exists L. split; [|assumption]. split; [assumption|]. split; [repeat split; assumption|].
      split; [assumption|]. split; [|assumption].
      destruct (Qeq_dec L 0) as [E|E]; [right; assumption|left].
      destruct (slips_sums m r u L Hm R2 S) as [A _]. rewrite EX in A.
      assert (F : L * (vN r * vN r) == L * friction_square m r) by lra.
      apply Qmult_inj_l in F; [symmetry; assumption|assumption].
    + split; [|split; assumption]. apply (cone_no_force m); auto; [repeat split; assumption|lra].
  - intros [(R & U)|(L & (P & K & L0 & B & S) & EN)].
    + destruct (no_force_sums m r R) as [A _]. split; [now apply no_force_in_cone|]. split; [assumption|].
      unfold dot. rewrite A. destruct R as [N _]. rewrite N. ring.
    + destruct K as (R1 & R2 & R3). destruct (slips_sums m r u L Hm R2 S) as [A G].
      split; [repeat split; assumption|]. split.
      * split; [rewrite EN; nra|]. rewrite G, EN. destruct B as [B|B]; rewrite B; lra.
      * unfold dot. rewrite A, EN. destruct B as [B|B]; rewrite B; ring.
Qed.

(** De Saxce and Feng: a contact obeys the law of Coulomb if and only if it obeys the convex law with
    u_N lifted by g(u). *)
Theorem lifted m r u g :
  nonneg m -> 0 <= g -> g * g == slip_square m u ->
  (coulomb m r u <-> convex m r {| vN := vN u + g; vT := vT u |}).
Proof.
  intros Hm Hg G. rewrite convex_as_written by assumption.
  assert (dual : in_dual m {| vN := vN u + g; vT := vT u |} <-> 0 <= vN u).
  { unfold in_dual. cbn [vN]. change (slip_square m {| vN := vN u + g; vT := vT u |}) with (slip_square m u).
    rewrite <- G. split.
    - intros [A B]. destruct (Qlt_le_dec (vN u) 0); [exfalso|assumption]. nra.
    - intros A. split; [lra|nra]. }
  assert (gap : forall L, pressed m r u L -> g == L * vN r).
  { intros L (P & (R1 & R2 & R3) & L0 & B & S). destruct (slips_sums m r u L Hm R2 S) as [_ E].
    assert (Y : 0 <= L * vN r) by nra.
    assert (F : g * g == L * vN r * (L * vN r)) by (rewrite G, E; destruct B as [B|B]; rewrite B; ring).
    destruct (square_le g _ Y) as [_ A1]; [rewrite F; lra|].
    destruct (square_le (L * vN r) g Hg) as [_ A2]; [rewrite F; lra|]. lra. }
  unfold coulomb. rewrite dual. split.
  - intros [H|(L & H & UN)]; [left; exact H|right]. exists L. split; [exact H|].
    cbn [vN]. rewrite UN, (gap L H). ring.
  - intros [H|(L & H & EN)]; [left; exact H|right]. exists L. split; [exact H|].
    cbn [vN] in EN. pose proof (gap L H). lra.
Qed.

(** Both laws depend on the values of forces and velocities alone. *)
Definition same_parts (x y : parts) : Prop := vN x == vN y /\ forall k, (k < n)%nat -> vT x k == vT y k.

Lemma coulomb_ext m r u u' : same_parts u u' -> coulomb m r u -> coulomb m r u'.
Proof.
  intros [N T] [(R & U)|(L & (P & K & L0 & B & S) & U)]; [left|right].
  - rewrite <- N. auto.
  - exists L. rewrite <- N. split; [|assumption]. repeat (split; [assumption|]).
    intros k Hk Mk. rewrite <- T by assumption. auto.
Qed.

Lemma convex_ext m r u u' : same_parts u u' -> convex m r u -> convex m r u'.
Proof.
  intros [N T] (K & [U1 U2] & D).
  assert (S : slip_square m u' == slip_square m u).
  { apply sum_ext. intros k Hk. now rewrite <- T. }
  assert (A : along r u' == along r u).
  { apply sum_ext. intros k Hk. now rewrite <- T. }
  unfold convex, in_dual, dot in *. rewrite S, A, <- N. auto.
Qed.
End Disc.

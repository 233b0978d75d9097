(** Where M reverses no vector and bounds are numbers, there is a solution: by induction on the
    number of rows. The smaller problem is solved three times, with the first unknown at its lower
    bound, at its upper bound, and eliminated. If none of the three fits the first row, two of them
    differ by a vector that M reverses. *)

From Etalon Require Export Unique.

(** Blocks and Schur complements reverse nothing either, and the diagonal is positive. *)
Lemma no_reversal_pivot n A : no_reversal (S n) A -> 0 < A 0%nat 0%nat.
Proof.
  intros N. destruct (Qlt_le_dec 0 (A 0%nat 0%nat)) as [|L]; [assumption|exfalso].
  assert (E : unit 0 0 == 0); [|rewrite unit_same in E; lra].
  apply (N (unit 0)); [|lia]. intros i Hi. rewrite mv_unit by lia.
  destruct i as [|i]; [rewrite unit_same; lra|rewrite unit_other by lia; lra].
Qed.

Lemma mv_cons n A v x i : mv (S n) A (cons v x) i == A i 0%nat * v + sum n (fun j => A i (S j) * x j).
Proof. apply mv_first. Qed.

Lemma no_reversal_block n A : no_reversal (S n) A -> no_reversal n (block A).
Proof.
  intros N d R i Hi. change (d i) with (cons 0 d (S i)). apply (N (cons 0 d)); [|lia].
  intros [|k] Hk; simpl.
  - lra.
  - rewrite mv_cons. specialize (R k ltac:(lia)). unfold mv, block in R. lra.
Qed.

Lemma no_reversal_schur n A : no_reversal (S n) A -> no_reversal n (schur A).
Proof.
  intros N d R i Hi. pose proof (no_reversal_pivot n A N) as P.
  set (t := - (/ A 0%nat 0%nat * sum n (fun j => A 0%nat (S j) * d j))).
  assert (Z : A 0%nat 0%nat * t + sum n (fun j => A 0%nat (S j) * d j) == 0).
  { unfold t. field. lra. }
  change (d i) with (cons t d (S i)). apply (N (cons t d)); [|lia].
  intros [|k] Hk; simpl; rewrite mv_cons.
  - rewrite Z. lra.
  - specialize (R k ltac:(lia)). rewrite mv_schur in R by lra.
    setoid_replace (A (S k) 0%nat * t + sum n (fun j => A (S k) (S j) * d j)) with
      (sum n (fun j => A (S k) (S j) * d j)
       - A (S k) 0%nat / A 0%nat 0%nat * sum n (fun j => A 0%nat (S j) * d j)); [assumption|].
    unfold t. field. lra.
Qed.

(** ** The problem with numbers for bounds. *)
Definition number_row (l u : option Q) (x wx : Q) : Prop :=
  (match l with None => True | Some c => c <= x end) /\
  (match u with None => True | Some c => x <= c end) /\
  ((match l with None => False | Some c => x == c end) \/ wx <= 0) /\
  ((match u with None => False | Some c => x == c end) \/ 0 <= wx).

Definition number_solves n A q (l u : nat -> option Q) (z : nat -> Q) : Prop :=
  forall i, (i < n)%nat -> number_row (l i) (u i) (z i) (mv n A z i + q i).

Lemma number_row_w l u x wx wx' : wx == wx' -> number_row l u x wx -> number_row l u x wx'.
Proof. unfold number_row. intros E (A & B & C & D). repeat split; auto; rewrite <- E; auto. Qed.

(** Two points that solve the same row. *)
Lemma number_rows_reverse l u x y wx wy :
  number_row l u x wx -> number_row l u y wy -> (x - y) * (wx - wy) <= 0.
Proof.
  intros (A & B & C & D) (A' & B' & C' & D').
  destruct (Q_dec x y) as [[L|L]|E]; [| |rewrite E; lra].
  - assert (wy <= 0 /\ 0 <= wx); [|nra]. split.
    + destruct C' as [C'|]; [|assumption]. destruct l; [lra|contradiction].
    + destruct D as [D|]; [|assumption]. destruct u; [lra|contradiction].
  - assert (wx <= 0 /\ 0 <= wy); [|nra]. split.
    + destruct C as [C|]; [|assumption]. destruct l; [lra|contradiction].
    + destruct D' as [D'|]; [|assumption]. destruct u; [lra|contradiction].
Qed.

(** Points that solve all rows but the first one cannot have it reversed. *)
Lemma first_not_reversed n A q l u x y :
  no_reversal (S n) A ->
  (forall i, (i < n)%nat -> number_row (l (S i)) (u (S i)) (x (S i)) (mv (S n) A x (S i) + q (S i))) ->
  (forall i, (i < n)%nat -> number_row (l (S i)) (u (S i)) (y (S i)) (mv (S n) A y (S i) + q (S i))) ->
  (x 0%nat - y 0%nat) * (mv (S n) A x 0 - mv (S n) A y 0) <= 0 -> x 0%nat == y 0%nat.
Proof.
  intros N X Y R. assert (x 0%nat - y 0%nat == 0); [|lra].
  apply (N (fun j => x j - y j)); [|lia]. intros [|i] Hi; rewrite mv_minus; [assumption|].
  pose proof (number_rows_reverse _ _ _ _ _ _ (X i ltac:(lia)) (Y i ltac:(lia))) as E.
  setoid_replace (mv (S n) A x (S i) - mv (S n) A y (S i)) with
    (mv (S n) A x (S i) + q (S i) - (mv (S n) A y (S i) + q (S i))) by ring. assumption.
Qed.

Definition in_order (l u : option Q) : Prop :=
  match l, u with Some c, Some d => c <= d | _, _ => True end.

Theorem number_exists n : forall A q l u,
  no_reversal n A -> (forall i, (i < n)%nat -> in_order (l i) (u i)) ->
  exists z, number_solves n A q l u z.
Proof.
  induction n as [|n IH]; intros A q l u N O; [exists (fun _ => 0); intros i Hi; lia|].
  pose proof (no_reversal_pivot n A N) as P.
  assert (O' : forall i, (i < n)%nat -> in_order (l (S i)) (u (S i))) by (intros; apply O; lia).
  assert (HB : forall t, exists z, forall i, (i < n)%nat ->
    number_row (l (S i)) (u (S i)) (z i) (mv (S n) A (cons t z) (S i) + q (S i))).
  { intros t.
    destruct (IH (block A) (fun i => q (S i) + A (S i) 0%nat * t) (fun i => l (S i))
      (fun i => u (S i)) (no_reversal_block n A N) O') as [z Z].
    exists z. intros i Hi. refine (number_row_w _ _ _ _ _ _ (Z i Hi)).
    rewrite mv_cons. unfold mv, block. lra. }
  (* The first unknown eliminated, so that w_0 = 0. *)
  destruct (IH (schur A) (fun i => q (S i) - A (S i) 0%nat / A 0%nat 0%nat * q 0%nat)
    (fun i => l (S i)) (fun i => u (S i)) (no_reversal_schur n A N) O') as [z Z].
  set (t := - ((q 0%nat + sum n (fun j => A 0%nat (S j) * z j)) / A 0%nat 0%nat)).
  assert (W0 : mv (S n) A (cons t z) 0 + q 0%nat == 0).
  { rewrite mv_cons. unfold t. field. lra. }
  assert (WS : forall i, (i < n)%nat ->
    number_row (l (S i)) (u (S i)) (z i) (mv (S n) A (cons t z) (S i) + q (S i))).
  { intros i Hi. refine (number_row_w _ _ _ _ _ _ (Z i Hi)).
    rewrite mv_cons, mv_schur by lra. unfold t. field. lra. }
  assert (fits : forall s y, (forall i, (i < n)%nat ->
      number_row (l (S i)) (u (S i)) (y i) (mv (S n) A (cons s y) (S i) + q (S i))) ->
    number_row (l 0%nat) (u 0%nat) s (mv (S n) A (cons s y) 0 + q 0%nat) ->
    exists z, number_solves (S n) A q l u z).
  { intros s y R R0. exists (cons s y). intros [|i] Hi; [assumption|]. apply R. lia. }
  pose proof (O 0%nat ltac:(lia)) as O0.
  assert (CL : (exists c, l 0%nat = Some c /\ t < c) \/
    match l 0%nat with None => True | Some c => c <= t end).
  { destruct (l 0%nat) as [c|]; [|auto]. destruct (Qlt_le_dec t c); eauto. }
  assert (CU : (exists c, u 0%nat = Some c /\ c < t) \/
    match u 0%nat with None => True | Some c => t <= c end).
  { destruct (u 0%nat) as [c|]; [|auto]. destruct (Qlt_le_dec c t); eauto. }
  destruct CL as [(c & El & Lc)|CL].
  { (* Below the lower bound: with the unknown at the bound the row is solved. *)
    destruct (HB c) as [y Y]. apply (fits c y Y). unfold number_row.
    destruct (Qlt_le_dec (mv (S n) A (cons c y) 0 + q 0%nat) 0) as [L|L].
    - exfalso. assert (c == t); [|lra].
      apply (first_not_reversed n A q l u (cons c y) (cons t z)); auto. simpl. nra.
    - rewrite El in *. split; [lra|]. split; [|split; [left; reflexivity|right; assumption]].
      simpl in O0. destruct (u 0%nat); auto. }
  destruct CU as [(c & Eu & Uc)|CU].
  { (* Above the upper bound: the same, mirrored. *)
    destruct (HB c) as [y Y]. apply (fits c y Y). unfold number_row.
    destruct (Qlt_le_dec 0 (mv (S n) A (cons c y) 0 + q 0%nat)) as [L|L].
    - exfalso. assert (c == t); [|lra].
      apply (first_not_reversed n A q l u (cons c y) (cons t z)); auto. simpl. nra.
    - rewrite Eu in *. split; [|split; [lra|split; [right; assumption|left; reflexivity]]].
      simpl in O0. destruct (l 0%nat); auto. }
  (* Within both: w_0 = 0. *)
  apply (fits t z WS). unfold number_row. rewrite W0.
  repeat split; auto; right; lra.
Qed.

(** ** Existence, for the problem as it is defined. *)
Theorem exists_solution P :
  fixed_bounds P -> ordered_bounds P -> no_reversal (size P) (M P) -> exists z, solves P z.
Proof.
  intros F O N. set (number := fun o : option bound => option_map constant o).
  destruct (number_exists (size P) (M P) (q P) (fun i => number (lo P i)) (fun i => number (up P i)) N)
    as [z Z].
  - intros i Hi. specialize (O i Hi). unfold ordered, number, in_order in *.
    destruct (lo P i), (up P i); simpl; auto.
  - exists z. intros i Hi. destruct (F i Hi) as [FL FU], (Z i Hi) as (A & B & C & D).
    unfold number, row_solved, w in *.
    assert (V : forall c, slope c == 0 -> value c z == constant c).
    { intros c E. unfold value. rewrite E. lra. }
    repeat split.
    + destruct (lo P i) as [c|]; simpl in *; auto. rewrite V; auto.
    + destruct (up P i) as [c|]; simpl in *; auto. rewrite V; auto.
    + destruct C as [C|C]; [left|now right]. destruct (lo P i) as [c|]; simpl in *; auto.
      rewrite V; auto.
    + destruct D as [D|D]; [left|now right]. destruct (up P i) as [c|]; simpl in *; auto.
      rewrite V; auto.
Qed.

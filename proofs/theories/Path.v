(** A path on which every step can be taken back, and never is, does not come to a node twice (Lemke and
    Howson 1964; book: "Lemke's method", section "Why it ends").

    A node is left by entering one of two variables. The path begins where one of the two leads nowhere, and enters
    at each node the partner of the variable that has just left. *)

From Coq Require Import Lia PeanoNat Wf_nat.

Section Path.
Variables node var : Type.
Variable same : node -> node -> Prop.
Variable step : node -> var -> var -> node -> Prop. (* from a node: what enters, what leaves, the next node *)
Variable partner : var -> var.
Variable good : node -> Prop.

Hypothesis same_sym : forall N N', same N N' -> same N' N.

(** What leaves is settled by the node and by what enters. *)
Hypothesis settled : forall N1 N2 e l1 l2 N1' N2', good N1 -> good N2 -> same N1 N2 ->
  step N1 e l1 N1' -> step N2 e l2 N2' -> l1 = l2 /\ same N1' N2'.
(** A step is taken back by entering what has left. *)
Hypothesis taken_back : forall N e l N', good N -> step N e l N' -> step N' l e N.
(** The two variables that a node can be left by: a node entered by [l] leaving has [l] and its partner. *)
Variable opens : node -> var -> Prop.
Hypothesis opens_same : forall N N' v, same N N' -> opens N v -> opens N' v.
Hypothesis opens_two : forall N u v, good N -> opens N u -> opens N v -> u = v \/ u = partner v.
Hypothesis opens_entered : forall N e l N', good N -> step N e l N' -> opens N' l.
Hypothesis leaves_not_open : forall N e l N', good N -> step N e l N' -> ~ opens N l.

(** A path of [m] steps. *)
Variables (m : nat) (N : nat -> node) (e l : nat -> var).
Hypothesis all_good : forall t, t <= m -> good (N t).
Hypothesis steps : forall t, t < m -> step (N t) (e t) (l t) (N (S t)).
Hypothesis enters : forall t, t < m -> opens (N t) (e t).
Hypothesis partner_other : forall t, t < m -> partner (l t) <> l t.
Hypothesis partner_twice : forall t, t < m -> partner (partner (l t)) = l t.
Hypothesis goes_on : forall t, S t < m -> e (S t) = partner (l t).
Hypothesis begins : forall N0 l' N', same (N 0) N0 -> ~ step N0 (partner (e 0)) l' N'.

(** No node comes twice. *)
Theorem no_node_twice : forall t, t <= m -> forall s, s < t -> ~ same (N s) (N t).
Proof.
  induction t as [t IH] using lt_wf_ind. intros Ht s Hs E.
  destruct t as [|t]; [lia|].
  assert (St : step (N t) (e t) (l t) (N (S t))) by (apply steps; lia).
  assert (Gt : good (N t)) by (apply all_good; lia).
  assert (Gt' : good (N (S t))) by (apply all_good; lia).
  assert (Gs : good (N s)) by (apply all_good; lia).
  (* The step back from N (S t) to N t. *)
  pose proof (taken_back _ _ _ _ Gt St) as Back.
  assert (O : opens (N s) (l t)) 
    by (apply (opens_same (N (S t))); [now apply same_sym|now apply (opens_entered (N t) (e t))]).
  assert (Sm : s < m) by lia.
  destruct (opens_two _ _ _ Gs O (enters s Sm)) as [F|F].
  - (* It enters e s, so it leads to N (S s). *)
    assert (Ss : step (N s) (e s) (l s) (N (S s))) by (apply steps; lia).
    rewrite F in Back.
    destruct (settled _ _ _ _ _ _ _ Gs Gt' E Ss Back) as [L A].
    destruct (Nat.eq_dec s t) as [->|D].
    + (* From N t back to itself: l t is open and basic there. *)
      apply (leaves_not_open _ _ _ _ Gt St). assumption.
    + destruct (Nat.eq_dec (S s) t) as [<-|D'].
      * (* Straight back: what entered last is what left before. *)
        rewrite (goes_on s) in L by lia. apply (partner_other s); [lia|congruence].
      * apply (IH t) with (s := S s); try lia. assumption.
  - (* It enters the partner: back to N (s - 1), or nowhere. *)
    destruct s as [|s].
    + rewrite F in Back.
      (* From N 0 the partner of e 0 would lead somewhere. *)
      exact (begins _ _ _ E Back).
    + assert (Sp : step (N s) (e s) (l s) (N (S s))) by (apply steps; lia).
      assert (Gp : good (N s)) by (apply all_good; lia).
      pose proof (taken_back _ _ _ _ Gp Sp) as Back'.
      rewrite (goes_on s) in F by lia. rewrite partner_twice in F by lia. rewrite F in Back.
      destruct (settled _ _ _ _ _ _ _ Gs Gt' E Back' Back) as [_ A].
      apply (IH t) with (s := s); try lia. assumption.
Qed.
End Path.

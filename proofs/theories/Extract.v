(** The checker as a program: [verify] and [eta], in OCaml.

    Fractions become those of zarith, in checker/nums.ml. Every function that is extracted asks
    fractions only what equal fractions answer alike (sums, products, comparisons, numerator and
    denominator of the reduced form), so that it makes no difference that zarith's are reduced.
    Indices become machine integers; the reader lets none come near their end. *)

From Etalon Require Import Verify BackwardError.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.

Extract Inductive BinNums.positive => "Nums.z" [ "Nums.xi" "Nums.xo" "Nums.one" ] "Nums.match_positive".
Extract Inductive Z => "Nums.z" [ "Nums.zero" "Nums.same" "Nums.negated" ] "Nums.match_z".
Extract Inductive Q => "Nums.q" [ "Nums.fraction" ] "Nums.match_q".

Extract Constant Z.add => "Nums.z_add".
Extract Constant Z.sub => "Nums.z_sub".
Extract Constant Z.mul => "Nums.z_mul".
Extract Constant Z.div => "Nums.z_div".
Extract Constant Z.modulo => "Nums.z_modulo".
Extract Constant Z.lcm => "Nums.z_lcm".
Extract Constant Z.eqb => "Nums.z_equal".
Extract Constant Z.ltb => "Nums.z_less".

Extract Constant Qplus => "Nums.add".
Extract Constant Qminus => "Nums.sub".
Extract Constant Qmult => "Nums.mul".
Extract Constant Qdiv => "Nums.div".
Extract Constant Qopp => "Nums.neg".
Extract Constant Qabs => "Nums.abs".
Extract Constant Qeq_bool => "Nums.equal".
Extract Constant Qle_bool => "Nums.at_most".
Extract Constant Equations.znum => "Nums.numerator".
Extract Constant Equations.zden => "Nums.denominator".

Extract Inlined Constant Nat.ltb => "(<)".
Extract Inlined Constant Nat.leb => "(<=)".

(** For the reader, whose words for the fields are not those that extraction may choose. *)
Definition make_problem n m c l u := {| size := n; M := m; q := c; lo := l; up := u |}.

Definition backward_error P z := eta (own_sizes P) P z.

Extraction "build/verified.ml" make_problem verify backward_error.

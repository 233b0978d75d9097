(* Certificates as the extracted checker takes them: multipliers of the form's terms from a vector, points from
   distances, a tree from a list of nodes. Nobody trusts this file: the checker checks all of it. *)

open Verified
module Z = Nums.Z
open Reader

let of_array a i = a.(i)

(* The rows with two bounds, in order: they own the entries n, n + 1, ... of a vector. *)
let doubles p =
  List.filter (fun i -> p.lo i <> None && p.up i <> None) (List.init p.size Fun.id) |> Array.of_list

let moves (b : bound) = Q.sign b.slope <> 0

(* The bound from which z_i is measured, and which cancels z_i in a form: the lower one, else the upper one. *)
let own p i = match p.lo i with Some l -> Some (true, l) | None -> Option.map (fun u -> (false, u)) (p.up i)
let own_moves p i = match own p i with Some (_, b) -> moves b | None -> false

let check_entries p doubles y =
  let entries = p.size + Array.length doubles in
  if Array.length y <> entries then
    refuse "a vector has %d entries where rows and rows with two bounds are %d" (Array.length y) entries

(* v, a and b of a vector y (book: "Certificates", section "The form"). *)
let multipliers p doubles y =
  check_entries p doubles y;
  let n = p.size in
  let make () = Array.make n Nums.nought in
  let v = make () and a = make () and b = make () and c = make () in
  let add j x = c.(j) <- Nums.add c.(j) x in
  for i = 0 to n - 1 do
    v.(i) <- (match own p i with Some (false, _) -> Nums.neg y.(i) | _ -> y.(i));
    if not (Nums.is_nought v.(i)) then
      for j = 0 to n - 1 do add j (Nums.mul v.(i) (p.m i j)) done
  done;
  (* The gap U - z of row i, so many times. *)
  let add_upper i (u : bound) x = add i (Nums.neg x); add u.base (Nums.mul u.slope x) in
  let add_lower i (l : bound) x = add i x; add l.base (Nums.neg (Nums.mul l.slope x)) in
  let double m i =
    b.(i) <- y.(n + m);
    match p.up i with Some u -> add_upper i u b.(i) | None -> () in
  Array.iteri double doubles;
  let cancel moving i =
    if own_moves p i = moving then
      match own p i with
      | Some (true, l) -> a.(i) <- Nums.neg c.(i); add_lower i l a.(i)
      | Some (false, u) -> b.(i) <- c.(i); add_upper i u b.(i)
      | None -> () in
  List.iter (fun moving -> for i = 0 to n - 1 do cancel moving i done) [ true; false ];
  { v = of_array v; a = of_array a; b = of_array b }

(* The point at these distances from the bounds; or the direction, for which numbers among them are 0. *)
let point p doubles ~direction distances =
  check_entries p doubles distances;
  let z = Array.sub distances 0 p.size in
  let place moving i =
    if own_moves p i = moving then
      match own p i with
      | None -> ()
      | Some (lower, b) ->
        let constant = if direction then Nums.nought else b.constant in
        let value = if moves b then Nums.add constant (Nums.mul b.slope z.(b.base)) else constant in
        z.(i) <- if lower then Nums.add value z.(i) else Nums.sub value z.(i) in
  List.iter (fun moving -> for i = 0 to p.size - 1 do place moving i done) [ false; true ];
  of_array z

(* ---- Trees ---- *)

type node =
  | Branch of int * int * int
  | Leaf of tree

let node p doubles token =
  let all = fields token in
  only [ "row"; "z_zero"; "w_zero"; "cone"; "open"; "sticks"; "slides"; "empty"; "point"; "face" ] all;
  let index_of name = optional all name index in
  let leaf_of name f = optional all name f in
  let vector direction y = point p doubles ~direction (numbers y) in
  let empty y = Empty (multipliers p doubles (numbers y)) in
  let at_point token =
    let own = fields token in
    only [ "y"; "z" ] own;
    let m = required own "y" (fun y -> multipliers p doubles (numbers y)) in
    Point (m, required own "z" (vector false)) in
  let face token =
    let own = fields token in
    only [ "vertices"; "rays" ] own;
    let all_of direction name = Array.to_list (required own name (list (vector direction))) in
    Face (all_of false "vertices", all_of true "rays") in
  let branch = (index_of "row", index_of "z_zero", index_of "w_zero") in
  if List.exists (fun name -> maybe all name <> None) [ "cone"; "open"; "sticks"; "slides" ] then
    refuse "friction cones are not covered";
  match (branch, leaf_of "empty" empty, leaf_of "point" at_point, leaf_of "face" face) with
  | (Some row, Some z, Some w), None, None, None -> Branch (row, z, w)
  | (None, None, None), Some leaf, None, None
  | (None, None, None), None, Some leaf, None
  | (None, None, None), None, None, Some leaf -> Leaf leaf
  | _ -> refuse "a node is one of {row, z_zero, w_zero}, {empty}, {point} and {face}"

(* Each node is reached once, from a parent with a smaller number; no path is longer than there are indices, so
   that neither this function nor the checker goes deep. *)
let tree p doubles nodes =
  let count = Array.length nodes and n = p.size in
  let reached = Array.make count false in
  let longest = n + Array.length doubles in
  let rec from parent depth k =
    if k >= count then refuse "there is no node %d" k;
    if k <= parent then refuse "node %d: a child must come after its parent" k;
    if reached.(k) then refuse "two branches share node %d" k;
    reached.(k) <- true;
    match nodes.(k) with
    | Leaf leaf -> leaf
    | Branch (row, z, w) ->
      if depth >= longest then refuse "node %d: a path is longer than there are indices" k;
      let z = from k (depth + 1) z in
      let w = from k (depth + 1) w in
      if row >= n then begin
        if row - n >= Array.length doubles then refuse "node %d: there is no index %d" k row;
        (* z_zero: the multiplier of the upper bound is 0, so w >= 0; w_zero: z is at it. *)
        Upper (doubles.(row - n), w, z)
      end
      else match own p row with
        | Some (false, _) -> Upper (row, z, w)
        | _ -> Lower (row, z, w) in
  let all = from (-1) 0 0 in
  if not (Array.for_all Fun.id reached) then refuse "some nodes are not reached from node 0";
  all

let cover p doubles all =
  let count = function
    | Json.List nodes when Array.length nodes > max_nodes -> refuse "more than %d nodes" max_nodes
    | nodes -> list (node p doubles) nodes in
  tree p doubles (required all "nodes" count)

let has_large_point p tree =
  let rec any = function
    | Lower (_, s, t) | Upper (_, s, t) -> any s || any t
    | Point _ -> true
    | Empty _ | Face _ -> false in
  p.size > max_elimination && any tree

let check_elimination n =
  if n > max_elimination then refuse "too many rows to eliminate exactly (limit %d)" max_elimination

let check_minors n =
  if n > max_minors then refuse "too many rows for all principal minors (limit %d)" max_minors

(* A common denominator of M, times which the eliminations have integers. *)
let scale p =
  let all = ref Z.one in
  for i = 0 to p.size - 1 do
    for j = 0 to p.size - 1 do all := Nums.multiple !all (p.m i j).Q.den done
  done;
  Q.of_bigint !all

let certificate p token =
  let all = fields token and doubles = doubles p in
  match required all "kind" text with
  | "farkas" -> Farkas (multipliers p doubles (required all "y" numbers))
  | "cover" | "cone-cover" -> CoverOf (cover p doubles all)
  | "enumeration" ->
    let tree = cover p doubles all in
    if has_large_point p tree then check_elimination p.size;
    Enumeration tree
  | "symmetric-psd" -> check_elimination p.size; SymmetricPsd (scale p)
  | "p-matrix" ->
    (match required all "proof" text with
     | "positive-definite" -> check_elimination p.size; PositiveDefinite (scale p)
     | "principal-minors" -> check_minors p.size; PrincipalMinors (scale p)
     | "diagonally-dominant" ->
       let weights = required all "weights" numbers in
       if Array.length weights <> p.size then refuse "there is not a weight for each row";
       DiagonallyDominant (of_array weights)
     | other -> refuse "%S is no proof of a P-matrix" other)
  | "second-solution" ->
    SecondSolution (of_array (of_length p.size "z" (required all "z" numbers)))
  | "enclosure" | "cone-feasible" | "contraction" -> refuse "friction cones are not covered"
  | other -> refuse "%S is no kind of certificate" other

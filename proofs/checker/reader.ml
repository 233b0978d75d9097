(* Records, as the extracted checker takes them. The problem is read here and believed; of a certificate
   nothing is believed, so a mistake about one can only refuse it. *)

open Verified
module Z = Nums.Z

exception Refused of string

let refuse format = Printf.ksprintf (fun why -> raise (Refused why)) format

(* ---- Limits: those of docs/formats.md, and of a checker whose forms are dense ---- *)

let max_characters = 1_000_000
let max_exponent = 4_096
let max_exponents = 1 lsl 27 (* of all exact numbers of a record together *)
let max_rows = 1_000
let max_nodes = 200_000
let max_elimination = 500
let max_minors = 16
let max_solutions = 100_000 (* of expect, in lists that some functions go down *)

(* ---- Numbers ---- *)

let is_digit c = c >= '0' && c <= '9'
let is_hexadecimal c = is_digit c || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')

let split_once marks s =
  let n = String.length s in
  let rec find i = if i = n then None else if String.contains marks s.[i] then Some i else find (i + 1) in
  Option.map (fun i -> (String.sub s 0 i, String.sub s (i + 1) (n - i - 1))) (find 0)

let drop k s = String.sub s k (String.length s - k)
let starts s prefix =
  String.length s >= String.length prefix && String.sub s 0 (String.length prefix) = prefix

let signed s =
  if starts s "-" then (true, drop 1 s) else (false, if starts s "+" then drop 1 s else s)

let shown s = if String.length s > 40 then String.sub s 0 40 ^ "..." else s

let digits base s token =
  let fits = if base = 16 then is_hexadecimal else is_digit in
  if s = "" || not (String.for_all fits s) then refuse "%S is no number" (shown token);
  (* zarith takes no sign here, and no underscore: both were excluded. *)
  Z.of_string_base base s

let exponent s limit token =
  let negative, digits = signed s in
  if digits = "" || not (String.for_all is_digit digits) then refuse "%S is no number" (shown token);
  let rec first i = if i < String.length digits && digits.[i] = '0' then first (i + 1) else i in
  let digits = drop (first 0) digits in
  let value = if digits = "" then 0 else if String.length digits > 9 then max_int else int_of_string digits in
  if value > limit then refuse "%S has an exponent beyond the limit" (shown token);
  if negative then - value else value

let exponents = ref 0

let positional body token =
  let hexadecimal = starts body "0x" || starts body "0X" in
  let body = if hexadecimal then drop 2 body else body in
  let base, marks, power, each, limit =
    if hexadecimal then (16, "pP", 2, 4, 4 * max_exponent) else (10, "eE", 10, 1, max_exponent) in
  let mantissa, power_of = match split_once marks body with
    | Some (mantissa, e) -> (mantissa, exponent e limit token)
    | None -> (body, 0) in
  let whole, part = Option.value (split_once "." mantissa) ~default:(mantissa, "") in
  exponents := !exponents + abs power_of;
  if !exponents > max_exponents then refuse "the exponents of exact numbers add up to more than %d" max_exponents;
  let value = digits base (whole ^ part) token in
  let e = power_of - each * String.length part in
  let scale = Z.pow (Z.of_int power) (abs e) in
  if e < 0 then Nums.fraction (value, scale) else Q.of_bigint (Z.mul value scale)

let check_length s =
  if String.length s > max_characters then refuse "a number of more than 1,000,000 characters"

(* A text: taken exactly. *)
let exact s =
  check_length s;
  let negative, body = signed s in
  let size =
    if starts body "0x" || starts body "0X" then positional body s
    else match split_once "/" body with
      | Some (over, under) ->
        let under = digits 10 under s in
        if Z.sign under = 0 then refuse "%S has a zero denominator" (shown s);
        Nums.fraction (digits 10 over s, under)
      | None -> positional body s in
  if negative then Q.neg size else size

(* A JSON number: the nearest binary64. *)
let of_float f =
  let mantissa, e = Float.frexp f in
  let whole = Z.of_float (Float.ldexp mantissa 53) in
  let e = e - 53 in
  if e >= 0 then Q.of_bigint (Z.shift_left whole e) else Nums.fraction (whole, Z.shift_left Z.one (- e))

let binary64 s =
  check_length s;
  (match split_once "eE" s with Some (_, e) -> ignore (exponent e max_exponent s) | None -> ());
  let f = float_of_string s in
  if Float.is_integer f || Float.abs f < Float.infinity then of_float f
  else refuse "%s is beyond the range of binary64" (shown s)

let number = function
  | Json.Number s -> binary64 s
  | Json.Text s -> exact s
  | _ -> refuse "a number is expected"

let list of_item = function
  | Json.List items -> Array.map of_item items
  | _ -> refuse "a list is expected"

let numbers = list number

let index = function
  | Json.Number s when String.for_all is_digit s && String.length s < 19 -> int_of_string s
  | _ -> refuse "an index is expected"

let text = function Json.Text s -> Json.decode s | _ -> refuse "a text is expected"

(* ---- Fields ---- *)

let fields = function
  | Json.Object all ->
    let names = List.sort compare (List.map fst all) in
    let rec twice = function
      | x :: (y :: _ as rest) -> if x = y then refuse "the field %s is given twice" x else twice rest
      | _ -> () in
    twice names; all
  | _ -> refuse "an object is expected"

(* null counts as absent. *)
let maybe all name =
  match List.assoc_opt name all with None | Some Json.Null -> None | Some value -> Some value

let need all name =
  match maybe all name with Some value -> value | None -> refuse "%s: the field is missing" name

let within name f value = try f value with Refused why -> refuse "%s: %s" name why
let optional all name f = Option.map (within name f) (maybe all name)
let required all name f = within name f (need all name)

(* Of what is not extensible, no other fields. *)
let only names all =
  List.iter (fun (name, _) -> if not (List.mem name names) then refuse "unknown field %s" name) all

(* ---- The problem ---- *)

type bound_token = Below | At of Q.t | Above

let bound_token = function
  | Json.Text ("inf" | "+inf") -> Above
  | Json.Text "-inf" -> Below
  | token -> At (number token)

let check_size n = if n > max_rows then refuse "%d rows; this checker has dense forms, for up to %d" n max_rows

let matrix = function
  | Json.Object _ as token ->
    let all = fields token in
    only [ "shape"; "entries" ] all;
    let shape = required all "shape" (list index) in
    if Array.length shape <> 2 || shape.(0) <> shape.(1) then refuse "M is not square";
    check_size shape.(0);
    let m = Array.make_matrix shape.(0) shape.(0) None in
    let entry = function
      | Json.List [| i; j; value |] ->
        let i, j, value = (index i, index j, number value) in
        if i >= shape.(0) || j >= shape.(0) then refuse "an entry of M stands outside of it";
        if m.(i).(j) <> None then refuse "M gives an entry twice";
        m.(i).(j) <- Some value
      | _ -> refuse "an entry of M is [i, j, value]" in
    ignore (required all "entries" (list entry));
    Array.map (Array.map (Option.value ~default:Nums.nought)) m
  | token ->
    let rows = list numbers token in
    check_size (Array.length rows);
    Array.iter (fun row -> if Array.length row <> Array.length rows then refuse "M is not square") rows;
    rows

let of_length n what a =
  if Array.length a <> n then refuse "%s has %d entries, but M has %d rows" what (Array.length a) n;
  a

let constant_bound c = Some { constant = c; slope = Nums.nought; base = 0 }

(* L and U of the rows, from lower and upper. *)
let plain_bounds all n =
  let tokens name default =
    match optional all name (list bound_token) with
    | None -> Array.make n default
    | Some tokens -> of_length n name tokens in
  let lower = tokens "lower" (At Nums.nought) and upper = tokens "upper" Above in
  let pair i = match (lower.(i), upper.(i)) with
    | Above, _ -> refuse "lower[%d] is inf, which leaves z[%d] no value" i i
    | _, Below -> refuse "upper[%d] is -inf, which leaves z[%d] no value" i i
    | At l, At u when Q.gt l u -> refuse "lower[%d] is above upper[%d]: the bounds are crossed" i i
    | l, u ->
      let of_token = function At c -> constant_bound c | _ -> None in
      (of_token l, of_token u) in
  Array.init n pair

(* -mu z_j <= z_i <= mu z_j in place of the bounds of row i. *)
let with_friction all n bounds =
  let entry token =
    let own = fields token in
    only [ "row"; "normal"; "mu" ] own;
    (required own "row" index, required own "normal" index, required own "mu" number) in
  let entries = Option.value (optional all "friction" (list entry)) ~default:[||] in
  let tangential = Array.make n false and plain = Array.copy bounds in
  let bind (i, j, mu) =
    if i >= n || j >= n then refuse "friction: row and normal must be below %d" n;
    if Q.sign mu < 0 then refuse "friction: mu is negative";
    if tangential.(i) then refuse "friction: row %d is bounded twice" i;
    tangential.(i) <- true;
    let side slope = Some { constant = Nums.nought; slope; base = j } in
    bounds.(i) <- (side (Q.neg mu), side mu) in
  Array.iter bind entries;
  let check (_, j, _) =
    if tangential.(j) then refuse "friction: the normal row %d is a friction row itself" j;
    match fst plain.(j) with
    | Some l when Q.sign l.constant >= 0 -> ()
    | _ -> refuse "friction: the normal row %d needs a lower bound of at least 0" j in
  Array.iter check entries

(* Fields that no proof of this checker reads, but that a record may not have wrong. *)
let check_rest all n =
  let taken = Array.make n false in
  let block row =
    if row >= n || taken.(row) then refuse "row %d is outside, or in two blocks" row;
    taken.(row) <- true in
  ignore (optional all "blocks" (list (fun rows -> Array.iter block (list index rows))));
  let size value = if Q.sign (number value) < 0 then refuse "a size is negative" in
  ignore (Option.map (of_length n "scale") (optional all "scale" (list size)));
  ignore (optional all "tags" (list text));
  ignore (optional all "notes" text);
  ignore (optional all "digest" text)

let problem all =
  (match optional all "format" text with
   | Some format when format <> "etalon-problem/1" -> refuse "%S is not the format etalon-problem/1" format
   | _ -> ());
  ignore (required all "name" text);
  let m = required all "M" matrix in
  let n = Array.length m in
  let q = of_length n "q" (required all "q" numbers) in
  let bounds = plain_bounds all n in
  with_friction all n bounds;
  (match maybe all "cones" with
   | None | Some (Json.List [||]) -> ()
   | Some _ -> refuse "friction cones are not covered");
  check_rest all n;
  make_problem n (fun i j -> m.(i).(j)) (fun i -> q.(i)) (fun i -> fst bounds.(i)) (fun i -> snd bounds.(i))

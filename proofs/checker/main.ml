(* etalon-verified FILE...: what the extracted checker says of problem records, one line each. *)

open Verified
module Z = Nums.Z
open Reader

(* Modulo this prime the rank of equations is found, as in the kernel. The checker would believe any number, and
   asks for inverses that it multiplies out. *)
let modulus = Z.pred (Z.shift_left Z.one 61)

let inverse h =
  let residue = Z.erem h modulus in
  if Z.sign residue = 0 then Z.zero else Z.invert residue modulus

type expect = {
  status : string;
  unique : string option;
  solutions : Q.t array array;
  certificate : certificate;
  answer : (Q.t array * Q.t) option;
}

let answer n token =
  let all = fields token in
  let z = of_length n "z" (required all "z" numbers) in
  let stated = function Json.Number s -> of_float (float_of_string s) | _ -> refuse "a number is expected" in
  ignore (optional all "block_error" stated);
  (z, required all "backward_error" stated)

let expect p token =
  let all = fields token in
  let one_of words word = if List.mem word words then word else refuse "%S is not one of the words" word in
  let solution z = of_length p.size "a solution" (numbers z) in
  let solutions = function
    | Json.List all when Array.length all > max_solutions ->
      refuse "over the budget of the checker: more than %d solutions" max_solutions
    | all -> list solution all in
  { status = required all "status" (fun w -> one_of [ "solvable"; "unsolvable"; "perturbed"; "unknown" ] (text w));
    unique = optional all "unique" (fun w -> one_of [ "z"; "w" ] (text w));
    solutions = Option.value (optional all "solutions" solutions) ~default:[||];
    certificate = Option.value (optional all "certificate" (Hints.certificate p)) ~default:NoCertificate;
    answer = optional all "answer" (answer p.size) }

(* ---- What a record states, held against what is proved ---- *)

let check_distinct solutions =
  let order x y =
    let rec from i =
      if i >= Array.length x then 0 else match Nums.order x.(i) y.(i) with 0 -> from (i + 1) | c -> c in
    from 0 in
  let sorted = List.sort order (Array.to_list solutions) in
  let rec go = function
    | x :: (y :: _ as rest) ->
      if Array.for_all2 Q.equal x y then refuse "expect.solutions gives one solution twice" else go rest
    | _ -> () in
  go sorted

let check_inside p z =
  for i = 0 to p.size - 1 do
    let ok side = side (fun j -> z.(j)) z.(i) in
    if not (ok (is_above (p.lo i)) && ok (is_below (p.up i))) then refuse "expect.answer: z is outside its bounds"
  done

(* A solution larger than 1000 times the answer (or 1000) is absurd beside logged data. *)
let check_perturbed p truth (z, stated) =
  let largest = Array.fold_left (fun m x -> Q.max m (Q.abs x)) Q.one z in
  let limit = Q.mul (Q.of_int 1000) largest in
  let sensible s = List.for_all (fun i -> Nums.at_most (Nums.abs (s i)) limit) (List.init p.size Fun.id) in
  if List.exists sensible truth.known then refuse "there is a solution like the answer";
  if truth.solvable = Some true && truth.known = [] then refuse "there is a solution like the answer";
  check_inside p z;
  if Q.gt (Verified.backward_error p (fun i -> z.(i))) stated then refuse "expect.answer: the backward error is larger than stated"

let check_stated p expect truth =
  (match (expect.status, truth.solvable) with
   | "solvable", Some true | "unsolvable", Some false | "unknown", None -> ()
   | "perturbed", _ ->
     (match expect.answer with
      | Some answer -> check_perturbed p truth answer
      | None -> refuse "expect.status is perturbed, but there is no expect.answer")
   | status, _ -> refuse "expect.status is %s, but that is not what is proved" status);
  match (expect.unique, truth.unique) with
  | None, _ | Some "z", UniqueZ | Some "w", (UniqueW | UniqueZ) -> ()
  | _ -> refuse "expect.unique has no proof"

let judge p token =
  let expect = Reader.within "expect" (expect p) token in
  let known = List.map (fun z i -> z.(i)) (Array.to_list expect.solutions) in
  match verify modulus inverse p known expect.certificate with
  | None -> refuse "the solutions or the certificate do not hold"
  | Some truth ->
    check_distinct expect.solutions;
    check_stated p expect truth;
    let status = match truth.solvable with
      | Some true -> "solvable" | Some false -> "unsolvable" | None -> "unknown" in
    let unique = match truth.unique with UniqueZ -> "z" | UniqueW -> "w" | NotProved -> "-" in
    Printf.sprintf "holds %s %s" status unique

(* The backward error of expect.answer, which theories/BackwardErrorTheorem.v is about. *)
let backward_error p token =
  match (Reader.within "expect" (expect p) token).answer with
  | None -> refuse "there is no expect.answer"
  | Some (z, _) -> check_inside p z; "backward-error " ^ Q.to_string (Verified.backward_error p (fun i -> z.(i)))

let line answer record =
  try
    Nums.reset ();
    Reader.exponents := 0;
    if not (Json.is_utf8 record) then refuse "not UTF-8 text";
    let all = fields (Json.parse record) in
    let p = problem all in
    match maybe all "expect" with
    | None -> refuse "there is no expect, so nothing to prove"
    | Some token -> answer p token
  with
  | Refused why | Json.Bad why -> "refused " ^ why
  | Nums.Over_budget -> "refused over the budget of the checker"
  | Stack_overflow | Out_of_memory -> "refused over the budget of the checker"

(* ---- Files ---- *)

let read path =
  let channel = if path = "-" then stdin else open_in_bin path in
  Fun.protect ~finally:(fun () -> if path <> "-" then close_in channel) (fun () ->
      let text = Buffer.create 65536 and chunk = Bytes.create 65536 in
      let rec more () =
        let count = input channel chunk 0 65536 in
        if count > 0 then (Buffer.add_subbytes text chunk 0 count; more ()) in
      more ();
      Buffer.contents text)

let is_blank s = String.for_all (fun c -> c = ' ' || c = '\t' || c = '\r' || c = '\n') s

let records path text =
  if Filename.check_suffix path ".json" then [ text ]
  else List.filter (fun line -> not (is_blank line)) (String.split_on_char '\n' text)

(* The record files in a folder and below, in the order of their names. *)
let rec files path =
  if path <> "-" && Sys.is_directory path then
    let entries = Array.to_list (Sys.readdir path) |> List.sort compare in
    let is_record entry =
      Sys.is_directory (Filename.concat path entry)
      || ((Filename.check_suffix entry ".json" || Filename.check_suffix entry ".jsonl") && entry <> "recipe.json") in
    List.concat_map (fun entry -> files (Filename.concat path entry)) (List.filter is_record entries)
  else [ path ]

let usage = {|usage: etalon-verified [--backward-error] FILE...

Prints a line for each problem record: 'holds solvable|unsolvable|unknown z|w|-' where the checker that is
proved in Coq proves what the record's expect states, 'refused WHY' where it does not. A folder stands for
the records in it, - for standard input. With --backward-error: 'backward-error P/Q', that of expect.answer. Ends with 1 where a record is refused, with 2 where a file cannot be read.
|}

let run answer paths =
  let refused = ref false in
  let judge record =
    let line = line answer record in
    if line.[0] = 'r' then refused := true;
    print_string line; print_char '\n' in
  let judge_file path = List.iter judge (records path (read path)) in
  (try List.iter (fun path -> List.iter judge_file (files path)) paths
   with Sys_error why -> flush stdout; Printf.eprintf "etalon-verified: %s\n" why; exit 2);
  exit (if !refused then 1 else 0)

let () =
  Nums.watch_memory ();
  match List.tl (Array.to_list Sys.argv) with
  | [] | [ "--backward-error" ] -> prerr_string usage; exit 2
  | [ "--help" ] | [ "-h" ] -> print_string usage
  | "--backward-error" :: paths -> run backward_error paths
  | paths -> run judge paths

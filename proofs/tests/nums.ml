(* checker/nums.ml is trusted: its fractions beside those of zarith, on numbers short and long, with and without common
   divisors, and beside Coq's words for a quotient by 0. *)

module Z = Nums.Z

(* An odd number of so many bits, or some more. *)
let long bits =
  let rec grow x = if Z.numbits x >= bits then x else grow (Z.logor (Z.shift_left x 30) (Z.of_int (Random.bits ()))) in
  Z.logor (grow Z.one) Z.one

let draw () =
  let integer () = Z.sub (Z.of_int (Random.int 25)) (Z.of_int 12) in
  let shared = Z.pow (Z.of_int (2 + Random.int 5)) (Random.int 60) in
  match Random.int 6 with
  | 0 -> Q.of_bigint (integer ())
  | 1 -> Q.make (integer ()) (Z.of_int (1 + Random.int 12))
  | 2 -> Q.make (long 300) shared
  | 3 -> Q.make (Z.neg (Z.mul shared (long 80))) (long 200)
  | 4 -> Q.of_bigint (Z.mul shared (integer ()))
  | _ -> Q.make (long 4000) (Z.mul shared (long 2000))

let same what x y expected found =
  let lowest (q : Q.t) = Z.sign q.Q.den > 0 && Z.equal (Z.gcd q.Q.num q.Q.den) Z.one in
  if not (Q.equal expected found && lowest found) then begin
    Printf.printf "%s of %s and %s\n" what (Q.to_string x) (Q.to_string y);
    exit 1
  end

let () =
  Random.init 20;
  for _ = 1 to 20_000 do
    Nums.reset ();
    let x = draw () and y = draw () in
    same "sum" x y (Q.add x y) (Nums.add x y);
    same "difference" x y (Q.sub x y) (Nums.sub x y);
    same "difference with itself" x x Q.zero (Nums.sub x x);
    same "product" x y (Q.mul x y) (Nums.mul x y);
    same "quotient" x y (if Q.sign y = 0 then Q.zero else Q.div x y) (Nums.div x y);
    assert (Nums.at_most x y = Q.leq x y && Nums.equal x y = Q.equal x y);
    assert (Nums.order x x = 0 && (Nums.order x y = 0) = Q.equal x y && Nums.order x y = - Nums.order y x);
    assert (Z.equal (Nums.multiple x.Q.den y.Q.den) (Z.lcm x.Q.den y.Q.den))
  done;
  (* A sum of many unrelated fractions ends by its budget. *)
  Nums.reset ();
  let rec add_up sum = add_up (Nums.add sum (Q.make Z.one (long 2000))) in
  assert (try add_up Q.zero with Nums.Over_budget -> true);
  (* So do a common multiple that is long and stays what it is, and comparisons of long numbers. *)
  let ends operation =
    Nums.reset ();
    let rec again k = k = 0 || (operation (); again (k - 1)) in
    assert (try not (again 1_000_000) with Nums.Over_budget -> true) in
  let all = long 300_000 in
  ends (fun () -> ignore (Nums.multiple all (Z.of_int 3)));
  ends (fun () -> ignore (Nums.order (Q.of_bigint all) (Q.of_bigint all)));
  print_endline "20000 pairs of fractions as those of zarith"

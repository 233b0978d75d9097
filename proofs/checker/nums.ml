(* Integers and fractions of the extracted checker: zarith's, with short cuts for 0 and for integers.
   Trusted: each function here is the Coq function that theories/Extract.v names beside it.

   Whatever it takes is counted, because a short text can ask for numbers without end. Over the
   budget a check ends with [Over_budget], by which nothing is proved or refuted. *)

(* The extracted file has a module Z of its own. *)
module Z = Z

type z = Z.t
type q = Q.t

exception Over_budget

(* Products of 64-bit words that one record may take: as many as the kernel's. They
   are spent before the operation that takes them. An operation on short numbers takes as long as 128 of them. *)
let work_limit = 1 lsl 30
let work = ref 0
let reset () = work := 0

let spend n =
  work := !work + n + 128;
  if !work > work_limit then raise Over_budget

let words x = 1 + Z.size x

(* GMP multiplies long numbers faster than word by word. *)
let long = 4096
let product a b = max a b * min (min a b) long

(* A common divisor: a division, then of the shorter number a step for each word, which is as long as it. *)
let divisor a b =
  let short = min a b in
  product a b + short * (1024 + 16 * min short long)

(* Words of memory that OCaml may hold: 1 GiB. It is looked at whenever the collector has gone through all of it. *)
let memory_limit = 1 lsl 27

let watch_memory () =
  let look () =
    let words = (Gc.quick_stat ()).Gc.heap_words in
    if words > memory_limit then raise Over_budget in
  ignore (Gc.create_alarm look)

(* ---- Integers ---- *)

let zero = Z.zero
let one = Z.one
let same (x : z) = x
let negated = Z.neg
let xo x = Z.shift_left x 1
let xi x = Z.succ (xo x)

let match_positive on_xi on_xo on_xh x =
  if Z.equal x Z.one then on_xh ()
  else if Z.is_odd x then on_xi (Z.shift_right x 1)
  else on_xo (Z.shift_right x 1)

let match_z on_zero on_positive on_negative x =
  let sign = Z.sign x in
  if sign = 0 then on_zero () else if sign > 0 then on_positive x else on_negative (Z.neg x)

let z_add x y = spend (words x); Z.add x y
let z_sub x y = spend (words x); Z.sub x y
let z_mul x y = spend (product (words x) (words y)); Z.mul x y

(* Coq's quotient is rounded down, and by 0 it is 0; its remainder by 0 is the number itself (since
   8.16; the checker asks for neither). *)
let z_div x y =
  spend (product (words x) (words y));
  if Z.sign y = 0 then Z.zero else Z.fdiv x y

let z_modulo x y =
  spend (product (words x) (words y));
  if Z.sign y = 0 then x else Z.sub x (Z.mul y (Z.fdiv x y))

let z_lcm x y =
  let a = words x and b = words y in
  spend (divisor a b + product a b);
  if Z.sign x = 0 || Z.sign y = 0 then Z.zero else Z.lcm x y

(* The least common multiple of so far, and of a denominator. *)
let multiple all d =
  spend (product (words all) (words d));
  if Z.equal d Z.one || Z.divisible all d then all else z_lcm all d

let z_equal = Z.equal
let z_less = Z.lt

(* ---- Fractions, always reduced ---- *)

let integer n : q = { Q.num = n; den = Z.one }
let nought = integer Z.zero
let is_one x = x == Z.one || Z.equal x Z.one
let is_integer (x : q) = is_one x.Q.den
let is_nought (x : q) = Z.sign x.Q.num = 0

let match_q f (x : q) = f x.Q.num x.Q.den
let numerator (x : q) = x.Q.num
let denominator (x : q) = x.Q.den
let size (x : q) = words x.Q.num + words x.Q.den

(* The common divisor of x and a denominator. Most denominators are powers of two, and then bits say it. *)
let common x d =
  if is_one d || is_one x then Z.one
  else
    let twos = Z.trailing_zeros d in
    if twos = Z.numbits d - 1 then
      if Z.is_odd x then Z.one else Z.shift_left Z.one (min twos (Z.trailing_zeros x))
    else (spend (divisor (words x) (words d)); Z.gcd x d)
let over x d = if is_one d then x else Z.divexact x d

(* n / d in lowest terms, where n has only divisors of g in common with d. *)
let lowest n d g =
  if Z.sign n = 0 then nought
  else
    let rest = common n g in
    { Q.num = over n rest; den = over d rest }

(* n / d of a positive d: Coq's constructor. *)
let fraction (n, d) = lowest n d d

(* A sum has in its numerator only divisors of the denominators' common one to cancel (Knuth, 4.5.1): a short fraction
   beside a long one, as in a sum of many, asks for no common divisor of two long numbers. *)
let add (x : q) (y : q) : q =
  if is_nought x then (spend 1; y)
  else if is_nought y then (spend 1; x)
  else begin
    spend (4 * product (size x) (size y));
    if is_integer x && is_integer y then integer (Z.add x.Q.num y.Q.num)
    else if Z.equal x.Q.den y.Q.den then lowest (Z.add x.Q.num y.Q.num) x.Q.den x.Q.den
    else
      let g = common x.Q.den y.Q.den in
      let dx = over x.Q.den g and dy = over y.Q.den g in
      lowest (Z.add (Z.mul x.Q.num dy) (Z.mul y.Q.num dx)) (Z.mul x.Q.den dy) g
  end

let neg (x : q) = spend 1; Q.neg x
let sub x y = add x (neg y)

let mul (x : q) (y : q) : q =
  if is_nought x || is_nought y then (spend 1; nought)
  else begin
    spend (2 * product (size x) (size y));
    if is_integer x && is_integer y then integer (Z.mul x.Q.num y.Q.num)
    else
      let g = common x.Q.num y.Q.den and h = common y.Q.num x.Q.den in
      { Q.num = Z.mul (over x.Q.num g) (over y.Q.num h); den = Z.mul (over x.Q.den h) (over y.Q.den g) }
  end

(* Coq's quotient by 0 is 0. *)
let inverse (x : q) : q =
  if Z.sign x.Q.num > 0 then { Q.num = x.Q.den; den = x.Q.num }
  else { Q.num = Z.neg x.Q.den; den = Z.neg x.Q.num }

let div x y =
  if is_nought x || is_nought y then (spend 1; nought)
  else if is_integer x && is_integer y && Z.divisible x.Q.num y.Q.num then
    (spend (product (words x.Q.num) (words y.Q.num)); integer (Z.divexact x.Q.num y.Q.num))
  else mul x (inverse y)

(* Any total order of reduced fractions, without a product. *)
let order (x : q) (y : q) =
  spend (min (size x) (size y));
  let c = Z.compare x.Q.den y.Q.den in
  if c <> 0 then c else Z.compare x.Q.num y.Q.num

let abs (x : q) = spend 1; Q.abs x
let equal (x : q) (y : q) = spend 1; Q.equal x y

let at_most (x : q) (y : q) =
  if is_integer x && is_integer y then (spend 1; Z.leq x.Q.num y.Q.num)
  else (spend (2 * product (size x) (size y)); Q.leq x y)

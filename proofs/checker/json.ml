(* JSON (RFC 8259), as strictly as the reader in Rust: the text of numbers and strings is kept, so that
   nothing is rounded or decoded before its limits are checked. *)

exception Bad of string

type t =
  | Null
  | Bool of bool
  | Number of string         (* its characters *)
  | Text of string           (* what stands between the quotes, escapes and all *)
  | List of t array
  | Object of (string * t) list  (* names decoded, in order *)

let bad what = raise (Bad what)

(* As many brackets within each other as serde_json takes. *)
let max_depth = 127

let is_utf8 s =
  let n = String.length s in
  let byte i = Char.code (String.unsafe_get s i) in
  let follows i = i < n && byte i land 0xc0 = 0x80 in
  let rec from i =
    if i >= n then true
    else
      let b = byte i in
      if b < 0x80 then from (i + 1)
      else if b >= 0xc2 && b <= 0xdf then follows (i + 1) && from (i + 2)
      else if b >= 0xe0 && b <= 0xef then
        follows (i + 1) && follows (i + 2)
        && (b <> 0xe0 || byte (i + 1) >= 0xa0)
        && (b <> 0xed || byte (i + 1) < 0xa0)
        && from (i + 3)
      else if b >= 0xf0 && b <= 0xf4 then
        follows (i + 1) && follows (i + 2) && follows (i + 3)
        && (b <> 0xf0 || byte (i + 1) >= 0x90)
        && (b <> 0xf4 || byte (i + 1) < 0x90)
        && from (i + 4)
      else false in
  from 0

(* The characters that an escaped text stands for. *)
let decode raw =
  if not (String.contains raw '\\') then raw
  else begin
    let out = Buffer.create (String.length raw) and n = String.length raw in
    let hex i = int_of_string ("0x" ^ String.sub raw i 4) in
    let rec from i =
      if i < n then
        if raw.[i] <> '\\' then (Buffer.add_char out raw.[i]; from (i + 1))
        else
          match raw.[i + 1] with
          | 'u' ->
            let first = hex (i + 2) in
            if first >= 0xd800 && first < 0xdc00 then begin
              let pair = i + 11 < n && raw.[i + 6] = '\\' && raw.[i + 7] = 'u' in
              let second = if pair then hex (i + 8) else 0 in
              if second < 0xdc00 || second > 0xdfff then bad "half a surrogate pair in a string";
              let code = 0x10000 + ((first - 0xd800) lsl 10) + (second - 0xdc00) in
              Buffer.add_utf_8_uchar out (Uchar.of_int code); from (i + 12)
            end else begin
              if first >= 0xdc00 && first <= 0xdfff then bad "half a surrogate pair in a string";
              Buffer.add_utf_8_uchar out (Uchar.of_int first); from (i + 6)
            end
          | c ->
            let plain = match c with
              | 'n' -> '\n' | 't' -> '\t' | 'r' -> '\r' | 'b' -> '\b' | 'f' -> '\012' | c -> c in
            Buffer.add_char out plain; from (i + 2) in
    from 0;
    Buffer.contents out
  end

let parse s =
  let n = String.length s and at = ref 0 in
  let peek () = if !at < n then String.unsafe_get s !at else '\000' in
  let rec blank () =
    match peek () with ' ' | '\n' | '\t' | '\r' when !at < n -> incr at; blank () | _ -> () in
  let expect c =
    if !at < n && s.[!at] = c then incr at
    else bad (if !at >= n then "the JSON ends too early" else Printf.sprintf "no JSON: '%c' expected" c) in
  let word text value =
    let k = String.length text in
    if !at + k <= n && String.sub s !at k = text then (at := !at + k; value) else bad "no JSON value" in
  let digits () =
    let start = !at in
    while !at < n && s.[!at] >= '0' && s.[!at] <= '9' do incr at done;
    if !at = start then bad "a number without digits" in
  let number () =
    let start = !at in
    if peek () = '-' then incr at;
    if peek () = '0' then incr at else digits ();
    if peek () = '.' then (incr at; digits ());
    if peek () = 'e' || peek () = 'E' then begin
      incr at;
      if peek () = '+' || peek () = '-' then incr at;
      digits ()
    end;
    Number (String.sub s start (!at - start)) in
  let is_hex c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') in
  let text () =
    expect '"';
    let start = !at in
    let rec go () =
      if !at >= n then bad "the JSON ends too early"
      else match s.[!at] with
        | '"' -> ()
        | '\\' ->
          (match if !at + 1 < n then s.[!at + 1] else ' ' with
           | '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' -> at := !at + 2
           | 'u' ->
             for k = 2 to 5 do if !at + k >= n || not (is_hex s.[!at + k]) then bad "a bad escape in a string" done;
             at := !at + 6
           | _ -> bad "a bad escape in a string");
          go ()
        | c when c < ' ' -> bad "a control character in a string"
        | _ -> incr at; go () in
    go ();
    let raw = String.sub s start (!at - start) in
    incr at; raw in
  let rec value depth =
    if depth > max_depth then bad "too many brackets within each other";
    blank ();
    match peek () with
    | '{' -> incr at; Object (items depth '}' field)
    | '[' -> incr at; List (Array.of_list (items depth ']' value))
    | '"' -> Text (text ())
    | '-' | '0' .. '9' -> number ()
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | _ -> word "null" Null
  and field depth =
    blank ();
    let name = decode (text ()) in
    blank (); expect ':';
    let own = value depth in
    (name, own)
  and items : 'a. int -> char -> (int -> 'a) -> 'a list = fun depth close item ->
    blank ();
    if peek () = close && !at < n then (incr at; [])
    else begin
      let rec more found =
        let found = item (depth + 1) :: found in
        blank ();
        if peek () = ',' then (incr at; more found) else (expect close; List.rev found) in
      more []
    end in
  let result = value 1 in
  blank ();
  if !at < n then bad "something stands after the end of the record";
  result

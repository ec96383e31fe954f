exception Odd of int

let f i = if i land 1 = 1 then raise (Odd i) else i * 3

let () =
  let sum = ref 0 in
  for i = 0 to 100 do
    (try sum := !sum + f i with Odd k -> sum := !sum + k);
    try sum := !sum + [| 1; 2; 3 |].(i mod 5) with Invalid_argument _ -> incr sum
  done;
  let words = List.init 1000 string_of_int in
  Gc.full_major ();
  List.iter (fun w -> sum := !sum + String.length w) words;
  Printf.printf "%d\n" !sum

#!/usr/bin/env python3
"""Attempts to break what is proved: each has to be noticed.

    python3 proofs/breaks.py              all of them (`make -C proofs` has to have run)
    python3 proofs/breaks.py theorems     a false variant of each main theorem must not go through
    python3 proofs/breaks.py checkers     each change of a checker must change its lines on goldens and their mutants
    python3 proofs/breaks.py --list       whether all of them still fit the text, which takes no time

A false variant is a theorem with a weaker hypothesis or a stronger conclusion, or a theorem whose checker asks for less.
Coq has to take the statement, and to fail within a proof: a variant that is no statement would be noticed for nothing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
THEORIES = os.path.join(HERE, "theories")

# theorem | what stands in it | in place of it. With @name the change is in that definition of the same file.
THEOREMS = r"""
row_solved_as_written | -> 0 <= w P z i) | -> 0 < w P z i)
pure_solves | 0 <= z i /\ | -1 <= z i /\
check_solution_correct | <-> solves P z | <-> solves P z /\ forall i, (i < size P)%nat -> 0 <= w P z i
check_solution_correct@check_row | (is_at (up P i) z (z i) \|\| Qle_bool 0 own) | true
form_identity | well_formed P -> | True ->
farkas_sound | check_empty P (start P) m | check_form P (start P) m
farkas_sound@signs | \|\| LE f | \|\| true
no_kernel_integers | length d = n | length d = S n
full_rank_sound | (j < n)%nat -> d j | (j <= n)%nat -> d j
check_alone_sound | holds P st y -> | True ->
cover_sound | holds P st z -> | True ->
cover_complete | fst (snd f) <> [] | snd (snd f) <> []
face_ray | 0 <= k | -1 <= k
solutions_reverse | i <= 0. | i < 0.
unique_w | -> w P x i == w P y i | -> x i == y i
unique_z | no_reversal (size P) (M P) | semidefinite (size P) (M P)
inP_no_reversal | no_reversal n A | no_reversal (S n) A
no_reversal_inP | -> inP n A | -> inP (S n) A
exists_solution | ordered_bounds P -> | True ->
check_definite_sound | no_reversal n A | no_reversal (S n) A
check_definite_sound@check_definite | true | false
check_dominant_sound | no_reversal n A | no_reversal (S n) A
check_dominant_sound@check_dominant | positive (d i) | nonzero (d i)
check_minors_sound | no_reversal n A | no_reversal (S n) A
verify_sound | -> means P t | -> means P t /\ solvable t <> Some false
verify_sound@verify_certificate | check_empty P | check_form P
eta_is_backward_error | eta g P z <= eps | eta g P z <= 2 * eps
componentwise_error | P z <= eps | P z <= 2 * eps
eta_at_most_one | <= 1 | < 1
convex_as_written | vN u == L * vN r | vN u == 0
lifted | vN u + g | vN u
near_mu_of_squares | <= eps * mu). | <= eps * mu').
slides_sound | 0 <= L | 0 < L
slides_complete | 0 <= L -> | True ->
coulomb_decides_correct | obeys_within coulomb | obeys_within convex
convex_decides_correct | obeys_within convex | obeys_within coulomb
cone_decides_correct | near_cones g eps | near_cones g (eps * (1 # 2))
farkas_cones_sound | well_formed P -> | True ->
cone_cover_sound | lo P i = None /\ up P i = None | True
cone_cover_sound@chord_holds | 0 <= product b /\ friction_square n (mu2 c) (as_force b) <= product b * product b | True
convex_unique_w | is_convex (contact_at cs k) = true | True
convex_unique_z | definite (size P) (M P) | semidefinite (size P) (M P)
three_solutions | ~ same 3 (w three_problem takes_off) (w three_problem stays) | same 3 (w three_problem takes_off) (w three_problem stays)
product_convex_as_written | nN u == sum discs L * nN r | nN u == 0
product_lifted | nN u + sum discs g | nN u
multipliers_correct | <-> serves L | <-> serves (2 * L)
sum_meets_correct | is_proper (i k) = true | True
product_coulomb_decides_correct | (product_coulomb discs n) | (product_convex discs n)
product_convex_decides_correct | (product_convex discs n) | (product_coulomb discs n)
few_roots_correct | (n <= 3)%nat | (n <= 4)%nat
up_to_four_correct | (n <= 4)%nat | (n <= 5)%nat
roots_refused | x < sum n h | x <= sum n h
roots_accepted | sum n h + sum n (fun _ => step) <= x | sum n h <= x
products_decide_correct | near_products g eps | near_products g (eps * (1 # 2))
farkas_products_sound | all_owned (size P) cs -> | True ->
products_convex_unique | is_associated (contact_of cs k) = true | True
product_cover_sound | all_owned (size P) cs -> | True ->
product_cover_sound@disc_forces | sum (its_discs c) part <= nN left | True
product_cover_sound@with_phase | sides_alone (disc_known (known k) d) | disc_known (known k) d
weak_friction_unique | weak_friction -> | True ->
onto | (forall x, (forall i, (i < n)%nat -> mv n A x i == 0) -> forall j, (j < n)%nat -> x j == 0) | True
krawczyk_zero | in_box (x t) | (forall i, (i < n)%nat -> x t i == c i)
krawczyk_one_zero | <= k * g * d i | <= 0 * g * d i
coulomb_by_equations | product_coulomb discs n m | product_convex discs n m
real_solution_of_fractions | all_owned (size P) cs -> | True ->
enclosure_sound | in_box n c d (x t) | in_box n c (fun _ => 0) (x t)
energy_identity | - friction_loss - | -
dissipative | 0 <= old_gap i | True
no_node_twice | s < t | s <= t
lemke_no_basis_twice | (s < t)%nat | (s <= t)%nat
lemke_terminates | 2 ^ variables | variables
step_or_ray | -> 0 <= T b e | -> 0 < T b e
"""

# A function of the extracted program, and what it is replaced by.
FUNCTIONS = """
is_above | let is_above _ _ _ = true
is_below | let is_below _ _ _ = true
is_at | let is_at _ _ _ = true
negative | let negative _ = true
signs | let signs _ _ _ = true
check_form | let check_form _ _ _ = true
check_row | let check_row _ _ _ = true
absent | let absent _ = true
full_rank | let full_rank _ _ _ _ = true
check_has | let check_has _ _ _ _ = true
check_ray | let check_ray _ _ _ = true
decided | let decided _ = true
is_fixed | let is_fixed _ = true
check_quadratic | let check_quadratic _ _ _ _ = true
is_symmetric | let is_symmetric _ _ = true
check_dominant | let check_dominant _ _ _ = true
check_inP | let check_inP _ _ _ = true
is_same | let is_same _ _ _ = true
is_empty | let is_empty _ = true
lower_constant | let lower_constant _ _ = Nums.nought
upper_slope | let upper_slope _ _ _ = Nums.nought
s | let s _ _ _ _ = Nums.integer Nums.one
violation | let violation _ _ _ = Nums.nought
"""

# A file of the checkers | what stands in it | in place of it. Six more were tried, which
# no golden and no mutant shows: tests/nums.ml shows the sign of an inverse, and rare_records of tests/tests/verified.rs the multiplier
# of w on a row with an upper bound only, a node that two branches share, a solution given twice, one like a perturbed answer, and
# an error that is a change of mu (in clean_room.py; backward_errors has thousands for the others).
LINES = r"""
checker/hints.ml | Upper (doubles.(row - n), w, z) | Upper (doubles.(row - n), z, w)
checker/hints.ml | if not (Array.for_all Fun.id reached) then | if false then
checker/hints.ml | if k <= parent then | if false then
checker/reader.ml | let side slope = Some { constant = Nums.nought; slope; base = j } in | let side slope = Some { constant = slope; slope = Nums.nought; base = j } in
checker/reader.ml | (side (Q.neg mu), side mu) | (side mu, side mu)
checker/main.ml | if Q.gt (Verified.backward_error p (fun i -> z.(i))) stated | if false
checker/main.ml | Some "w", (UniqueW \| UniqueZ) | Some _, _
clean_room.py | ensure(not any(sums), "a coefficient is left") | pass
clean_room.py | ensure(constant == 0, "the constant of the form is not 0") | pass
clean_room.py | ensure(pivot, "the equations leave more than one point") | return
clean_room.py | ensure(len(reached) == len(nodes), "some nodes are not reached") | pass
clean_room.py | ensure(pivot > 0 or not strictly and pivot == 0 and not any(m[-1]), "not positive (semi)definite") | pivot = pivot or 1
clean_room.py | ensure(m[-1][-1] > 0, "a principal minor is not positive") | m[-1][-1] = m[-1][-1] or 1
clean_room.py | facts \|= {"GE"} if w >= 0 else set() | facts \|= {"GE"}
clean_room.py | ensure(fact is None or fact in known[i], f"row {i}: a term may be negative") | pass
"""


def table(text):
    """The cells of each line. A bar that is no border is written with a backslash."""
    cells = lambda line: [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)]
    return [cells(line) for line in text.strip("\n").split("\n")]


def read(*path):
    with open(os.path.join(HERE, *path), encoding="utf-8") as file:
        return file.read()


def once(text, old, new, what):
    if text.count(old) != 1:
        sys.exit(f"breaks.py: {what}: {old!r} stands there {text.count(old)} times")
    return text.replace(old, new)


# ---- Theorems ----

def variant(name, old, new):
    """The file of a theorem, and its text with the change."""
    theorem, _, definition = name.partition("@")
    for file in sorted(os.listdir(THEORIES)):
        text = read("theories", file) if file.endswith(".v") else ""
        if not re.search(rf"^(Theorem|Lemma|Corollary) {theorem}\b", text, re.M):
            continue
        start = rf"^(Definition|Fixpoint) {definition}\b" if definition else rf"^(Theorem|Lemma|Corollary) {theorem}\b"
        begin = re.search(start, text, re.M)
        if not begin:
            sys.exit(f"breaks.py: {name}: {file} has no such definition")
        end = re.compile(r"\.\s*\n(?=\S|\n)" if definition else r"^\s*Proof\.", re.M).search(text, begin.start()).end()
        changed = once(text[begin.start():end], old, new, name)
        return file, text[:begin.start()] + changed + text[end:]
    sys.exit(f"breaks.py: no file has {theorem}")


def in_a_proof(text, line, column):
    """Whether a place is between Proof and Qed."""
    lines = text.split("\n")
    before = "\n".join(lines[:line - 1] + [lines[line - 1][:column]])
    return before.rfind("Proof.") > max(before.rfind("Qed."), before.rfind("Defined."))


def break_theorem(name, old, new):
    file, text = variant(name, old, new)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, file)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        done = subprocess.run(["coqc", "-R", THEORIES, "Etalon", path], capture_output=True, text=True, cwd=folder)
    if done.returncode == 0:
        return "it goes through"
    place = re.search(r"line (\d+), characters (\d+)", done.stderr)
    if not place or not in_a_proof(text, *map(int, place.groups())):
        return "not noticed by a proof: " + done.stderr.strip().replace("\n", " ")[:300]
    return None


# ---- Checkers ----

def with_function(text, name, new):
    found = re.search(rf"^let (rec )?{name} .*?(?=\n\n)", text, re.M | re.S)
    if not found:
        sys.exit(f"breaks.py: the extracted program has no {name}")
    return text[:found.start()] + new + text[found.end():]


def build(folder):
    """etalon-verified from the files of a folder, as the Makefile has it."""
    tool = ["ocamlfind", "ocamlopt", "-package", "zarith", "-w", "-a"]
    files = ["nums.ml", "verified.mli", "verified.ml", "json.ml", "reader.ml", "hints.ml", "main.ml"]
    subprocess.run(tool + ["-linkpkg"] + files + ["-o", "etalon-verified"], cwd=folder, check=True)


def lines_of(command, paths):
    """Lines, each refusal without its reason."""
    text = subprocess.run(command + paths, capture_output=True, text=True).stdout
    return re.sub(r"^refused.*", "refused", text, flags=re.M)


def break_checker(file, change, paths, expected):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("nums", "json", "reader", "hints", "main"):
            shutil.copy(os.path.join(HERE, "checker", name + ".ml"), folder)
        for name in ("verified.ml", "verified.mli"):
            shutil.copy(os.path.join(HERE, "build", name), folder)
        shutil.copy(os.path.join(HERE, "clean_room.py"), folder)
        path = os.path.join(folder, os.path.basename(file))
        with open(path, encoding="utf-8") as source:
            text = change(source.read())
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        if file == "clean_room.py":
            command = [sys.executable, path]
        else:
            build(folder)
            command = [os.path.join(folder, "etalon-verified")]
        return "no line is another" if lines_of(command, paths) == expected else None


def functions():
    for name, new in table(FUNCTIONS):
        yield "verified.ml", name, lambda text, name=name, new=new: with_function(text, name, new)


def lines():
    for file, old, new in table(LINES):
        yield file, old, lambda text, file=file, old=old, new=new: once(text, old, new, file)


def break_checkers():
    goldens = os.path.join(HERE, "..", "golden", "problems")
    with tempfile.TemporaryDirectory() as folder:
        mutants = os.path.join(folder, "mutants.jsonl")
        with open(mutants, "w", encoding="utf-8") as out:
            command = [sys.executable, os.path.join(HERE, "mutants.py"), "--count", "12000", "--seed", "20", goldens]
            subprocess.run(command, stdout=out, check=True)
        paths = [goldens, mutants]
        expected = lines_of([os.path.join(HERE, "build", "etalon-verified")], paths)
        for file, what, change in [*functions(), *lines()]:
            yield f"{file}: {what}", break_checker(file, change, paths, expected)


# ---- All ----

def check_texts():
    """Every change fits, and every main theorem has one."""
    asked = set(re.findall(r"^Print Assumptions (\w+)\.", read("tests", "Assumptions.v"), re.M))
    tried = {name.partition("@")[0] for name, _, _ in table(THEOREMS)}
    if asked != tried:
        sys.exit(f"breaks.py: main theorems, and those that were tried, differ in {sorted(asked ^ tried)}")
    for name, old, new in table(THEOREMS):
        variant(name, old, new)
    for file, _, change in lines():
        change(read(file))
    return f"{len(table(THEOREMS))} variants of {len(asked)} theorems, {len(table(FUNCTIONS)) + len(table(LINES))} of checkers"


def main(words):
    if not set(words) <= {"theorems", "checkers", "--list"}:
        sys.exit(__doc__)
    print(check_texts())
    if words == ["--list"]:
        return 0
    def tries():
        if words != ["checkers"]:
            for name, old, new in table(THEOREMS):
                yield name, break_theorem(name, old, new)
        if words != ["theorems"]:
            yield from break_checkers()

    count = missed = 0
    for what, why in tries():
        count += 1
        missed += bool(why)
        print(f"{'MISSED' if why else 'noticed'}  {what}{': ' + why if why else ''}", flush=True)
    print(f"{count - missed} of {count} were noticed")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""A checker of problem records, written from docs/certificates.md, docs/formats.md and docs/backward-error.md
alone. It shares no code with any other checker, uses the standard library, and no float decides anything.

    python3 proofs/clean_room.py PATH...

prints a line for each record: 'holds solvable|unsolvable|unknown z|w|-', or 'refused WHY'. A path is a file of
records (.json: one, else a record a line) or a folder of them. Exit status 1 where a record is refused.
"""

import json
import os
import re
import sys
from fractions import Fraction
from math import inf, lcm

MAX_CHARACTERS, MAX_EXPONENT, MAX_ROWS, MAX_ELIMINATION, MAX_MINORS = 1_000_000, 4096, 1000, 500, 16
PRIME = 2**61 - 1
# A text of the characters of numbers, one of them escaped.
ESCAPED = re.compile(r'"[-+./\w]*\\(?:/|u00(?:2[bdefBDEF]|[346]\w|[57][0-9aA]))(?:[-+./\w]|\\/|\\u00[2-7]\w)*"')


class Refused(Exception):
    """Why nothing is proved of a record."""


def ensure(holds, why):
    if not holds:
        raise Refused(why)


# ---- Numbers (docs/formats.md, "Numbers") ----

class Token(str):
    """A JSON number, as its characters."""


def exponent(text, limit):
    ensure(re.fullmatch(r"[+-]?[0-9]+", text), "no exponent")
    digits = text.lstrip("+-").lstrip("0")
    ensure(len(digits) < 10 and int(digits or "0") <= limit, "an exponent beyond the limit")
    return int(text)


def exact(text):
    ensure(len(text) <= MAX_CHARACTERS, "a number of too many characters")
    body = text[1:] if text[:1] in ("+", "-") else text
    sign = -1 if text[:1] == "-" else 1
    if match := re.fullmatch(r"([0-9]+)/([0-9]+)", body):
        over, under = map(int, match.groups())
        ensure(under, "a zero denominator")
        return sign * Fraction(over, under)
    if match := re.fullmatch(r"0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP](.*))?", body, re.S):
        base, power, each, limit = 16, 2, 4, 4 * MAX_EXPONENT
    else:
        match = re.fullmatch(r"([0-9]*)(?:\.([0-9]*))?(?:[eE](.*))?", body, re.S)
        base, power, each, limit = 10, 10, 1, MAX_EXPONENT
    whole, part, tail = match.groups() if match else ("", "", None)
    part = part or ""
    ensure(whole or part, "no number")
    e = (exponent(tail, limit) if tail is not None else 0) - each * len(part)
    value = int(whole + part, base)
    return sign * (Fraction(value, power**-e) if e < 0 else Fraction(value * power**e))


def number(value):
    """A JSON number is the nearest binary64, a text is exact."""
    if isinstance(value, Token):
        ensure(len(value) <= MAX_CHARACTERS, "a number of too many characters")
        if match := re.search(r"[eE](.*)", value):
            exponent(match.group(1), MAX_EXPONENT)
        near = float(value)
        ensure(abs(near) < inf, "a number beyond the range of binary64")
        return Fraction(near)
    ensure(isinstance(value, str), "no number")
    return exact(value)


def index(value):
    ensure(isinstance(value, Token) and value.isdigit(), "no index")
    return int(value)


def items(value, of):
    ensure(isinstance(value, list), "no list")
    return [of(entry) for entry in value]


def numbers(value, length=None):
    found = items(value, number)
    ensure(length is None or len(found) == length, "a vector of another length")
    return found


def maybe(fields, name, of, default=None):
    ensure(isinstance(fields, dict), "no object")
    return default if fields.get(name) is None else of(fields[name])


def need(fields, name, of):
    ensure(maybe(fields, name, bool) is not None, f"{name} is missing")
    return of(fields[name])


def text(value):
    ensure(isinstance(value, str) and not isinstance(value, Token), "no text")
    return value


def known_only(value, names):
    ensure(isinstance(value, dict) and set(value) <= set(names), f"not one of the fields {names}")
    return value


# ---- The problem (docs/certificates.md, "The problem") ----

class Problem:
    """Rows of M as {column: value}, q, and bounds (constant, slope, base): constant + slope z_base, or None."""

    def __init__(self, fields):
        ensure(maybe(fields, "format", text, "etalon-problem/1") == "etalon-problem/1", "another format")
        need(fields, "name", text)
        self.rows = need(fields, "M", matrix)
        n = self.n = len(self.rows)
        ensure(n <= MAX_ROWS, "too many rows for this checker")
        self.q = need(fields, "q", lambda q: numbers(q, n))
        lower = maybe(fields, "lower", lambda v: items(v, bound), [Fraction(0)] * n)
        upper = maybe(fields, "upper", lambda v: items(v, bound), [inf] * n)
        ensure(len(lower) == len(upper) == n, "bounds of another length")
        ensure(all(l != inf and u != -inf and l <= u for l, u in zip(lower, upper)), "impossible bounds")
        fixed = lambda c: None if c in (inf, -inf) else (c, Fraction(0), 0)
        self.lower, self.upper = [fixed(c) for c in lower], [fixed(c) for c in upper]
        entries = maybe(fields, "friction", lambda v: items(v, friction), [])
        rows = {row for row, _, _ in entries}
        ensure(len(rows) == len(entries), "a row is bounded twice")
        for row, normal, mu in entries:
            ensure(max(row, normal) < n and mu >= 0, "friction of no row, or a negative mu")
            ensure(normal not in rows and lower[normal] >= 0, "a normal row that may be negative")
            self.lower[row], self.upper[row] = (Fraction(0), -mu, normal), (Fraction(0), mu, normal)
        ensure(not maybe(fields, "cones", lambda v: items(v, lambda c: c), []), "friction cones are not covered")
        blocks = sum(maybe(fields, "blocks", lambda v: items(v, lambda b: items(b, index)), []), [])
        ensure(len(set(blocks)) == len(blocks) and all(row < n for row in blocks), "impossible blocks")
        ensure(min(maybe(fields, "scale", lambda v: numbers(v, n), []), default=0) >= 0, "a negative scale")
        for name, of in (("tags", lambda v: items(v, text)), ("notes", text), ("digest", text)):
            maybe(fields, name, of)
        self.doubles = [i for i in range(n) if self.lower[i] and self.upper[i]]

    def w(self, z, i):
        return sum((value * z[j] for j, value in self.rows[i].items()), self.q[i])

    def own(self, i):
        """The bound that z_i is measured from and the sign of its gap: z - L, or U - z where only U is."""
        return (self.lower[i], 1) if self.lower[i] else (self.upper[i], -1)

    def gap(self, side, i):
        """z_i - L_i or U_i - z_i, as coefficients and a constant."""
        at, sign = (self.lower[i], 1) if side == "a" else (self.upper[i], -1)
        if at is None:
            return None
        constant, slope, base = at
        coefficients = {i: Fraction(sign)}
        coefficients[base] = coefficients.get(base, 0) - sign * slope
        return coefficients, -sign * constant


def bound(value):
    words = {"inf": inf, "+inf": inf, "-inf": -inf}
    return words[value] if isinstance(value, str) and value in words else number(value)


def friction(value):
    known_only(value, ("row", "normal", "mu"))
    return tuple(need(value, name, of) for name, of in (("row", index), ("normal", index), ("mu", number)))


def matrix(value):
    if isinstance(value, dict):
        shape = need(known_only(value, ("shape", "entries")), "shape", lambda v: items(v, index))
        ensure(len(shape) == 2 and shape[0] == shape[1] and shape[0] <= MAX_ROWS, "M is not square, or too large")
        rows = [{} for _ in range(shape[0])]
        for entry in need(value, "entries", lambda v: items(v, lambda e: items(e, lambda x: x))):
            ensure(len(entry) == 3, "an entry is [i, j, value]")
            i, j, x = index(entry[0]), index(entry[1]), number(entry[2])
            ensure(max(i, j) < len(rows) and j not in rows[i], "an entry outside, or one twice")
            rows[i][j] = x
        return [{j: x for j, x in row.items() if x} for row in rows]
    dense = items(value, numbers)
    ensure(all(len(row) == len(dense) for row in dense), "M is not square")
    return [{j: x for j, x in enumerate(row) if x} for row in dense]


def row_facts(p, z, i, w):
    """What holds of row i at z; None outside of its bounds."""
    facts = {"LE"} if w <= 0 else set()
    facts |= {"GE"} if w >= 0 else set()
    for side, name in (("a", "LO"), ("b", "UP")):
        gap = p.gap(side, i)
        if gap:
            value = sum((c * z[j] for j, c in gap[0].items()), gap[1])
            if value < 0:
                return None
            facts |= {name} if value == 0 else set()
    return facts


def decided(facts):
    return bool(facts & {"LO", "LE"}) and bool(facts & {"UP", "GE"})


def check_point(p, z, known=None):
    """z solves the problem, and has the facts that are known."""
    for i in range(p.n):
        facts = row_facts(p, z, i, p.w(z, i))
        ensure(facts is not None, f"row {i}: z is outside its bounds")
        ensure(decided(facts), f"row {i}: w has the wrong sign, or z is off the bound that allows it")
        ensure(known is None or known[i] <= facts, f"row {i}: z is not in this node")


# ---- The form (docs/certificates.md, "The form") ----

def start(p):
    return [({"LE"} if not p.lower[i] else set()) | ({"GE"} if not p.upper[i] else set()) for i in range(p.n)]


def form(p, y, known):
    """The multipliers (row, kind) -> value of a vector, whose terms the facts make nonnegative, and C."""
    n = p.n
    ensure(len(y) == n + len(p.doubles), "y has another length than rows and rows with two bounds")
    multipliers, sums, constant = {}, [Fraction(0)] * n, Fraction(0)

    def add(kind, i, x):
        nonlocal constant
        if x:
            multipliers[i, kind] = x
            terms, own = (p.rows[i], p.q[i]) if kind == "v" else p.gap(kind, i)
            for j, c in terms.items():
                sums[j] += x * c
            constant += x * own

    for i in range(n):
        at, sign = p.own(i)
        add("v", i, -y[i] if at and sign < 0 else y[i])
    for m, i in enumerate(p.doubles):
        add("b", i, y[n + m])
    for moving in (True, False):
        for i in range(n):
            at, sign = p.own(i)
            if at and bool(at[1]) == moving:
                add("a" if sign > 0 else "b", i, -sums[i] * sign)
    ensure(not any(sums), "a coefficient is left")
    for (i, kind), x in multipliers.items():
        fact = ("GE" if x > 0 else "LE") if kind == "v" else (None if x > 0 else "LO" if kind == "a" else "UP")
        ensure(fact is None or fact in known[i], f"row {i}: a term may be negative")
    return multipliers, constant


def check_alone(p, y, known):
    """The equations of the leaf leave one point at most: rank n modulo a prime."""
    multipliers, constant = form(p, y, known)
    ensure(constant == 0, "the constant of the form is not 0")
    ensure(p.n <= MAX_ELIMINATION, "too many rows to eliminate exactly")
    equations = []
    for kind, facts in (("a", {"LO"}), ("b", {"UP"}), ("v", {"LE", "GE"})):
        for i in range(p.n):
            if facts <= known[i] or (i, kind) in multipliers:
                terms = p.rows[i] if kind == "v" else (p.gap(kind, i) or ({}, 0))[0]
                common = lcm(*(x.denominator for x in terms.values()))
                equations.append({j: r for j, x in terms.items() if (r := int(x * common) % PRIME)})
    for column in range(p.n):
        pivot = next((e for e in equations if column in e), None)
        ensure(pivot, "the equations leave more than one point")
        equations.remove(pivot)
        inverse = pow(pivot[column], -1, PRIME)
        for e in equations:
            if factor := e.get(column, 0) * inverse % PRIME:
                for j, x in pivot.items():
                    e[j] = (e.get(j, 0) - factor * x) % PRIME
                    if not e[j]:
                        del e[j]


# ---- Trees (docs/certificates.md, "A cover", "An enumeration") ----

def at_distance(p, distances, direction=False):
    ensure(len(distances) == p.n + len(p.doubles), "z has another length than rows and rows with two bounds")
    z = list(distances[: p.n])
    for moving in (False, True):
        for i in range(p.n):
            at, sign = p.own(i)
            if at and bool(at[1]) == moving:
                constant, slope, base = at
                z[i] = (0 if direction else constant) + (slope * z[base] if slope else 0) + sign * z[i]
    return z


def branch(p, row, known):
    """The row of an index that is open, and what its children z_zero and w_zero learn."""
    if row < p.n:
        at, sign = p.own(row)
        facts = ("UP", "GE") if at and sign < 0 else ("LO", "LE")
    else:
        ensure(row - p.n < len(p.doubles), "there is no such index")
        row, facts = p.doubles[row - p.n], ("GE", "UP")
    ensure(not known[row] & set(facts), "its row is not open for a choice here")
    return row, facts


NODE = ("row", "z_zero", "w_zero", "cone", "open", "sticks", "slides", "empty", "point", "face")


def check_face(p, face, known):
    fields = known_only(face, ("vertices", "rays"))
    vertices, rays = (need(fields, name, lambda v: items(v, numbers)) for name in ("vertices", "rays"))
    ensure(all(decided(facts) for facts in known), "a face needs a choice for every row")
    ensure(vertices, "a face needs at least one solution")
    still = Homogeneous(p)
    for ray in rays:
        ray = at_distance(p, ray, direction=True)
        check_point(still, ray, known)
        ensure(any(ray), "a ray is zero")
    vertices = [at_distance(p, vertex) for vertex in vertices]
    for vertex in vertices:
        check_point(p, vertex, known)
    return vertices


class Homogeneous(Problem):
    """The same rows without q and without the numbers among the bounds."""

    def __init__(self, p):
        without = lambda at: at and (Fraction(0), at[1], at[2])
        self.n, self.rows, self.doubles = p.n, p.rows, p.doubles
        self.q = [Fraction(0)] * p.n
        self.lower, self.upper = [without(at) for at in p.lower], [without(at) for at in p.upper]


def check_tree(p, nodes):
    """The points and the vertices of a tree that accounts for every solution."""
    points, vertices, reached = [], [], set()
    stack = [(-1, 0, start(p))]
    while stack:
        parent, k, known = stack.pop()
        ensure(parent < k < len(nodes), f"there is no node {k}, or it comes before its parent")
        ensure(k not in reached, f"two branches share node {k}")
        reached.add(k)
        node = {name: value for name, value in known_only(nodes[k], NODE).items() if value is not None}
        if set(node) == {"row", "z_zero", "w_zero"}:
            row, facts = branch(p, index(node["row"]), known)
            for name, fact in zip(("z_zero", "w_zero"), facts):
                child = [set(own) for own in known]
                child[row].add(fact)
                stack.append((k, index(node[name]), child))
        elif set(node) == {"empty"}:
            ensure(form(p, numbers(node["empty"]), known)[1] < 0, "the constant of the form is not negative")
        elif set(node) == {"point"}:
            z = at_distance(p, need(known_only(node["point"], ("y", "z")), "z", numbers))
            check_point(p, z, known)
            check_alone(p, need(node["point"], "y", numbers), known)
            points.append(z)
        else:
            ensure(set(node) == {"face"}, f"node {k} is no node")
            vertices += check_face(p, node["face"], known)
    ensure(len(reached) == len(nodes), "some nodes are not reached")
    return points, vertices


# ---- Classes of M (docs/certificates.md, "Uniqueness from the class of M") ----

def check_fixed(p):
    ensure(not any(at and at[1] for at in p.lower + p.upper), "a property of M proves nothing with friction rows")


def integral(p):
    ensure(p.n <= MAX_ELIMINATION, "too many rows to eliminate exactly")
    common = lcm(*(x.denominator for row in p.rows for x in row.values()))
    return [[int(row.get(j, 0) * common) for j in range(p.n)] for row in p.rows]


def schur(m, pivot, last):
    """The complement of the last pivot: integers again (Bareiss)."""
    k = len(m) - 1
    return [[(pivot * m[i][j] - m[i][k] * m[k][j]) // last for j in range(k)] for i in range(k)]


def check_quadratic(p, strictly):
    check_fixed(p)
    m = integral(p)
    ensure(strictly or all(m[i][j] == m[j][i] for i in range(p.n) for j in range(i)), "M is not symmetric")
    m, last = [[m[i][j] + m[j][i] for j in range(p.n)] for i in range(p.n)], 1
    while m:
        pivot = m[-1][-1]
        ensure(pivot > 0 or not strictly and pivot == 0 and not any(m[-1]), "not positive (semi)definite")
        m, last = (schur(m, pivot, last), pivot) if pivot else ([row[:-1] for row in m[:-1]], last)


def check_minors(p):
    check_fixed(p)
    ensure(p.n <= MAX_MINORS, "too many rows for all principal minors")
    stack = [(integral(p), 1)]
    while stack:
        m, last = stack.pop()
        if m:
            ensure(m[-1][-1] > 0, "a principal minor is not positive")
            stack += [([row[:-1] for row in m[:-1]], last), (schur(m, m[-1][-1], last), m[-1][-1])]


def check_dominant(p, d):
    check_fixed(p)
    ensure(all(weight > 0 for weight in d), "the weights must be positive")
    for i, row in enumerate(p.rows):
        rest = sum(abs(x) * d[j] for j, x in row.items() if j != i)
        ensure(row.get(i, 0) * d[i] > rest, f"row {i} is not dominated by its diagonal")


# ---- The backward error (docs/backward-error.md, "Closed form") ----

def backward_error(p, z):
    worst = Fraction(0)
    for i in range(p.n):
        w = p.w(z, i)
        facts = row_facts(p, z, i, w)
        ensure(facts is not None, "the answer is outside its bounds")
        wrong = 0 if decided(facts) else abs(w)
        if wrong:
            size = sum(abs(x * z[j]) for j, x in p.rows[i].items()) + abs(p.q[i])
            least = wrong / size
            if p.upper[i] and p.upper[i][1] and not facts & {"LO", "UP"} and z[i] * w <= 0:
                limit = p.upper[i][1] * z[p.upper[i][2]]
                least = min(least, (limit - abs(z[i])) / limit)
            worst = max(worst, least)
    return worst


# ---- Records ----

def stated(value):
    ensure(isinstance(value, Token) and float(value) < inf, "no binary64 number")
    return Fraction(float(value))


def certificate(p, fields, known):
    """Solvable, unique and whether the known solutions are all, as the certificate proves."""
    kind = need(fields, "kind", text)
    if kind == "farkas":
        ensure(form(p, need(fields, "y", numbers), start(p))[1] < 0, "the constant of the form is not negative")
        return False, None
    if kind in ("cover", "enumeration", "cone-cover"):
        points, vertices = check_tree(p, need(fields, "nodes", lambda v: items(v, lambda node: node)))
        ensure(kind == "enumeration" or not points + vertices, "the cover has leaves that are not empty")
        known += points + vertices
        one = points and not vertices and all(z == known[0] for z in known)
        return bool(points + vertices), "z" if one else None
    if kind == "symmetric-psd":
        check_quadratic(p, strictly=False)
        return None, "w"
    if kind == "second-solution":
        z = need(fields, "z", lambda z: numbers(z, p.n))
        check_point(p, z)
        known.append(z)
        return None, None
    ensure(kind == "p-matrix", "no kind of certificate that is covered")
    proof = need(fields, "proof", text)
    proofs = {"positive-definite": lambda: check_quadratic(p, strictly=True), "principal-minors": lambda: check_minors(p),
              "diagonally-dominant": lambda: check_dominant(p, need(fields, "weights", lambda d: numbers(d, p.n)))}
    ensure(proof in proofs, "no proof of a P-matrix")
    proofs[proof]()
    return True, "z"


def judge(fields):
    p = Problem(fields)
    expect = need(fields, "expect", lambda v: v)
    status = need(expect, "status", text)
    ensure(status in ("solvable", "unsolvable", "perturbed", "unknown"), "no status")
    unique = maybe(expect, "unique", text)
    ensure(unique in ("z", "w", None), "no word for unique")
    known = maybe(expect, "solutions", lambda v: items(v, lambda z: numbers(z, p.n)), [])
    ensure(len(set(map(tuple, known))) == len(known), "one solution twice")
    for z in known:
        check_point(p, z)
    answer = maybe(expect, "answer", lambda v: (need(v, "z", lambda z: numbers(z, p.n)), need(v, "backward_error", stated)))
    solvable, proved = maybe(expect, "certificate", lambda v: certificate(p, v, known), (None, None))
    solvable = True if known and solvable is None else solvable
    ensure(not (known and solvable is False), "one proof says solvable, another unsolvable")
    if status == "perturbed":
        ensure(answer, "perturbed without an answer")
        limit = 1000 * max([1] + [abs(x) for x in answer[0]])
        ensure(not any(max(map(abs, z), default=0) <= limit for z in known), "there is a solution like the answer")
        ensure(not (solvable and not known), "there is a solution like the answer")
        ensure(backward_error(p, answer[0]) <= answer[1], "the backward error is larger than stated")
    else:
        ensure({"solvable": True, "unsolvable": False, "unknown": None}[status] is solvable, "another status is proved")
    ensure(unique is None or proved == "z" or proved == unique, "expect.unique has no proof")
    words = {True: "solvable", False: "unsolvable", None: "unknown"}
    return f"holds {words[solvable]} {proved or '-'}"


def once(pairs):
    ensure(len({name for name, _ in pairs}) == len(pairs), "a field is given twice")
    return dict(pairs)


def line(record):
    try:
        ensure(not ESCAPED.search(record), "a number has no escapes")
        return judge(json.loads(record, parse_int=Token, parse_float=Token, parse_constant=number,
                                object_pairs_hook=once))
    except (Refused, ValueError, RecursionError) as why:
        return "refused " + str(why).replace("\n", " ")


def records(path):
    if os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            if os.path.isdir(os.path.join(path, name)) or name.endswith((".json", ".jsonl")) and name != "recipe.json":
                yield from records(os.path.join(path, name))
        return
    with open(path, "rb") as file:
        data = file.read()
    parts = [data] if path.endswith(".json") else [part for part in data.split(b"\n") if part.strip()]
    yield from (part.decode("utf-8", errors="surrogateescape") for part in parts)


def main(paths):
    told = []
    for record in (record for path in paths for record in records(path)):
        told.append(line(record))
        print(told[-1])
    return int(any(words.startswith("refused") for words in told))


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    getattr(sys, "set_int_max_str_digits", lambda _: None)(0)
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)

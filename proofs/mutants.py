#!/usr/bin/env python3
"""Changed golden problems, for checkers to be compared on: the same seed, the same mutants.

    python3 proofs/mutants.py --count 10000 --seed 1 golden/problems >mutants.jsonl

Each mutant is a golden problem without friction cones, of at most 16 rows, with one to three changes of these ten
kinds: an entry of a vector negated, moved by 1, set to 0, doubled, halved, swapped, dropped, or off by 1e-9 (1);
nodes of a tree swapped (2), dropped, alone or with a half of what is below (3), or renumbered (4); children exchanged (5); the kind of certificate exchanged (6);
`unique` or `status` restated (7); q or M (8), bounds (9), or mu (10) changed. Every 20th mutant has a token of a number
instead that readers may take differently.
"""

import argparse
import json
import os
import random
import sys
from fractions import Fraction

TOKENS = ['"1e400"', "1e400", '"0x1.8p-3"', '"0x.p1"', '"1/0"', '"-0/5"', '"+3"', '"--3"', '" 1"', '"1_000"', '"1e4097"',
          "1e-400", "-0", "-0.0", "1E5", '".5"', '"5."', '"."', '"1e"', '"1e+2"', '"0X1P4"', '"1.5/2"', '"NaN"', "NaN", '"inf"',
          "true", "null", "[]", '"1e\\u0033"', '"0x1g"', '"1/-2"', "0.1", "1.7976931348623159e308", "4.9e-324", "2.4e-324",
          "9007199254740993", '"\\u0031"', "01", "1.", '"1e0004096"', '"0x1p-16384"', '"0x1p16385"', '""']


def goldens(paths):
    for path in paths:
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                if name != "recipe.json" and name.endswith((".json", ".jsonl")):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        text = file.read()
                    for record in [text] if name.endswith(".json") else text.splitlines():
                        yield json.loads(record)


def change_vector(draw, vector):
    if not vector:
        return False
    i = draw.randrange(len(vector))
    if isinstance(vector[i], str) and "inf" in vector[i]:
        vector[i] = "1"
        return True
    value = Fraction(vector[i])
    kind = draw.randrange(9)
    if kind == 5:
        j = draw.randrange(len(vector))
        vector[i], vector[j] = vector[j], vector[i]
    elif kind == 6:
        del vector[i]
    else:
        other = [-value, value + 1, value - 1, Fraction(0), 2 * value, None, None, value + Fraction(1, 10**9), value / 2]
        vector[i] = str(other[kind])
    return True


def vectors(record):
    """The vectors of the expected truth."""
    expect = record.get("expect", {})
    found = list(expect.get("solutions", []))
    certificate = expect.get("certificate", {})
    found += [certificate[name] for name in ("y", "z", "weights") if name in certificate]
    for node in certificate.get("nodes", []):
        if "empty" in node:
            found.append(node["empty"])
        found += node.get("point", {}).values()
        found += sum(node.get("face", {}).values(), [])
    if "answer" in expect:
        found.append(expect["answer"]["z"])
    return found


def nodes_of(record):
    return record.get("expect", {}).get("certificate", {}).get("nodes", [])


def entry(draw, record):
    found = vectors(record)
    return bool(found) and change_vector(draw, draw.choice(found))


def swap_nodes(draw, record):
    nodes = nodes_of(record)
    if len(nodes) < 2:
        return False
    i, j = draw.sample(range(len(nodes)), 2)
    nodes[i], nodes[j] = nodes[j], nodes[i]
    return True


def drop_node(draw, record):
    """A node dropped, or a branch with one of its halves, so that what is below the other knows less."""
    nodes = nodes_of(record)
    branches = [k for k, node in enumerate(nodes) if "row" in node]
    if branches and draw.randrange(2):
        cut = draw.choice(branches)
        half = nodes[cut][draw.choice(["z_zero", "w_zero"])]
        kept, stack = [], [(0, None, None)]
        while stack:
            k, parent, side = stack.pop()
            k = half if k == cut else k
            if k >= len(nodes) or len(kept) > len(nodes):
                return False  # changed before into what is no tree
            node = dict(nodes[k])
            if parent is not None:
                kept[parent][side] = len(kept)
            kept.append(node)
            if "row" in node:
                stack += [(node[name], len(kept) - 1, name) for name in ("w_zero", "z_zero")]
        nodes[:] = kept
    elif nodes:
        del nodes[draw.randrange(len(nodes))]
    return bool(nodes)


def renumber(draw, record):
    branches = [node for node in nodes_of(record) if "row" in node]
    if branches:
        node = draw.choice(branches)
        node[draw.choice(["row", "z_zero", "w_zero"])] = draw.randrange(len(nodes_of(record)) + 2)
    return bool(branches)


def exchange_children(draw, record):
    branches = [node for node in nodes_of(record) if "row" in node]
    if branches:
        node = draw.choice(branches)
        node["z_zero"], node["w_zero"] = node["w_zero"], node["z_zero"]
    return bool(branches)


def other_kind(draw, record):
    expect = record["expect"]
    n = len(record["q"])
    certificate = expect.get("certificate", {})
    kinds = [{"kind": "symmetric-psd"}, {"kind": "p-matrix", "proof": "positive-definite"},
             {"kind": "p-matrix", "proof": "principal-minors"},
             {"kind": "p-matrix", "proof": "diagonally-dominant", "weights": ["1"] * n},
             {"kind": "second-solution", "z": (expect.get("solutions") or [["0"] * n])[0]}]
    if "nodes" in certificate:
        kinds += [{"kind": kind, "nodes": certificate["nodes"]} for kind in ("cover", "enumeration")]
    if "y" in certificate:
        kinds.append({"kind": "cover", "nodes": [{"empty": certificate["y"]}]})
    expect["certificate"] = draw.choice(kinds)
    return True


def restate(draw, record):
    expect = record["expect"]
    if draw.randrange(2):
        expect["unique"] = draw.choice(["z", "w", None])
    else:
        expect["status"] = draw.choice(["solvable", "unsolvable", "unknown", "perturbed"])
    return True


def change_data(draw, record):
    m = record["M"]
    if draw.randrange(2):
        return change_vector(draw, record["q"])
    if isinstance(m, dict):
        values = [e[2] for e in m["entries"]]
        if not change_vector(draw, values) or len(values) != len(m["entries"]):
            return False
        m["entries"] = [[e[0], e[1], value] for e, value in zip(m["entries"], values)]
        return True
    return bool(m) and change_vector(draw, draw.choice(m))


def change_bounds(draw, record):
    n = len(record["q"])
    name = draw.choice(["lower", "upper"])
    if name not in record:
        record[name] = ["0" if name == "lower" else "inf"] * n
    i = draw.randrange(max(n, 1))
    if i < len(record[name]) and draw.randrange(2):
        record[name][i] = draw.choice(["0", "1", "-1", "inf", "-inf", "5/2"])
        return True
    return change_vector(draw, record[name])


def change_mu(draw, record):
    entries = record.get("friction", [])
    if entries:
        own = draw.choice(entries)
        mu = [own["mu"]]
        if draw.randrange(4):
            change_vector(draw, mu)
            own["mu"] = (mu or ["0"])[0]
        else:
            own[draw.choice(["row", "normal"])] = draw.randrange(len(record["q"]))
    return bool(entries)


KINDS = [entry, entry, entry, swap_nodes, drop_node, renumber, exchange_children, other_kind, restate, change_data,
         change_bounds, change_mu]


def with_token(draw, record):
    """The record's text with a number replaced by a token of JSON, good or bad."""
    mark = "@@@"
    places = [v for v in vectors(record) + [record["q"]] + (record["M"] if isinstance(record["M"], list) else []) if v]
    vector = draw.choice(places)
    vector[draw.randrange(len(vector))] = mark
    return json.dumps(record).replace(json.dumps(mark), draw.choice(TOKENS))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    small = [r for r in goldens(options.paths) if "cones" not in r and len(r["q"]) <= 16]
    # What is no certificate of this checker is not compared: the error of an answer that may be moved.
    for record in small:
        if record["expect"]["status"] != "perturbed":
            record["expect"].pop("answer", None)
        for remark in ("digest", "source", "notes", "tags"):
            record.pop(remark, None)
    draw = random.Random(options.seed)
    texts = [json.dumps(record) for record in small]
    for k in range(options.count):
        record = json.loads(draw.choice(texts))
        if k % 20 == 19:
            print(with_token(draw, record))
            continue
        left = draw.choice([1, 1, 1, 1, 2, 3])
        while left:
            left -= draw.choice(KINDS)(draw, record)
        print(json.dumps(record))
    return 0


if __name__ == "__main__":
    sys.exit(main())

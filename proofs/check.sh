#!/usr/bin/env bash
# Everything that docs/machine-checked.md promises, from nothing: all proofs compile, none rests on an axiom, the
# independent checker of proofs agrees, and the extracted checker and the one in Python hold all golden problems, by
# the same words. It needs coq, ocaml and libzarith-ocaml-dev (Debian), and python3.
set -euo pipefail
cd "$(dirname "$0")"
goldens=${1:-../golden/problems}

echo "no shortcuts in the text"
if grep -nwE 'Admitted|admit|Axiom|Axioms|Conjecture|Parameter|Parameters|bypass_check|Unset Guard Checking' theories/*.v tests/*.v; then
    echo "check.sh: the line above takes something for granted" >&2
    exit 1
fi

echo "what can be read"
long=$(wc -l theories/*.v | awk '$2 != "total" && $1 > 400')
code=$(python3 - <<'END'
import ast, tokenize
tree, lines = ast.parse(open("clean_room.py").read()), set()
kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
texts = [node.body[0] for node in ast.walk(tree) if isinstance(node, kinds) and ast.get_docstring(node)]
for token in tokenize.generate_tokens(open("clean_room.py").readline):
    if token.string.strip() and token.type != tokenize.COMMENT:
        lines |= set(range(token.start[0], token.end[0] + 1))
print(len(lines - {line for text in texts for line in range(text.lineno, text.end_lineno + 1)}))
END
)
if [ -n "$long" ] || [ "$code" -gt 400 ]; then
    echo "check.sh: over 400 lines: ${long:-clean_room.py with $code lines of code}" >&2
    exit 1
fi
python3 breaks.py --list

echo "proofs and the extracted checker"
make -s -j2

echo "assumptions"
coqc -R theories Etalon -o build/Assumptions.vo tests/Assumptions.v >build/assumptions.txt
asked=$(grep -c '^Print Assumptions' tests/Assumptions.v)
closed=$(grep -c '^Closed under the global context$' build/assumptions.txt)
lines=$(wc -l <build/assumptions.txt)
if [ "$asked" != "$closed" ] || [ "$asked" != "$lines" ]; then
    cat build/assumptions.txt >&2
    echo "check.sh: only $closed of $asked theorems rest on nothing" >&2
    exit 1
fi
echo "$closed theorems, closed under the global context"

echo "false variants"
: >build/broken.txt
for broken in tests/Broken*.v; do
    coqc -R theories Etalon -o "build/$(basename "$broken" .v).vo" "$broken" >>build/broken.txt
done

echo "coqchk"
coqchk -silent -o -R theories Etalon Etalon.Verify Etalon.BackwardErrorTheorem Etalon.Energy Etalon.ProductCover \
    Etalon.WeakFriction Etalon.Enclosure Etalon.LemkePath Etalon.Ratio >build/coqchk.txt 2>&1 || { cat build/coqchk.txt >&2; exit 1; }
if ! grep -A1 '^\* Axioms:' build/coqchk.txt | grep -q '<none>'; then
    cat build/coqchk.txt >&2
    echo "check.sh: coqchk found axioms" >&2
    exit 1
fi

echo "fractions"
make -s build/test-nums
build/test-nums

echo "golden problems"
build/etalon-verified "$goldens" >build/verified.txt || true
python3 clean_room.py "$goldens" >build/clean-room.txt || true
if ! cmp -s build/verified.txt build/clean-room.txt; then
    diff build/verified.txt build/clean-room.txt | head >&2
    echo "check.sh: the extracted checker and clean_room.py differ" >&2
    exit 1
fi
held=$(grep -c '^holds ' build/verified.txt)
cones=$(grep -c '^refused friction cones are not covered$' build/verified.txt)
all=$(wc -l <build/verified.txt)
if [ $((held + cones)) != "$all" ] || [ "$held" -lt 1215 ]; then
    grep -v '^holds \|^refused friction cones are not covered$' build/verified.txt | head >&2
    echo "check.sh: $held of $((all - cones)) golden problems hold" >&2
    exit 1
fi
echo "$held golden problems hold; $cones have friction cones, which this checker does not cover"

echo "changed goldens"
python3 mutants.py --count 1000 --seed 20 "$goldens" >build/mutants.jsonl
build/etalon-verified build/mutants.jsonl >build/verified-mutants.txt || true
python3 clean_room.py build/mutants.jsonl >build/clean-room-mutants.txt || true
sed -i 's/^refused.*/refused/' build/verified-mutants.txt build/clean-room-mutants.txt
if ! cmp -s build/verified-mutants.txt build/clean-room-mutants.txt; then
    diff build/verified-mutants.txt build/clean-room-mutants.txt | head >&2
    echo "check.sh: the two differ on a changed golden" >&2
    exit 1
fi
echo "$(grep -c ^holds build/verified-mutants.txt) of 1000 hold, by both"

#!/bin/sh
# What the GitHub action runs, and what runs without GitHub as well: judges a solver, and writes into a folder
#
#   junit.xml    a test for each problem
#   summary.md   what passed, the kinds of failures, the worst of them; appended to GITHUB_STEP_SUMMARY
#   badge.json   the badge, as shields.io reads it
#   report.txt   all failures in full
#   fuzz/        small problems that a search found, with ETALON_BUDGET
#
# Settings are environment variables, the inputs of action.yml:
#
#   ETALON_COMMAND    the solver's command
#   ETALON_CAN        its capabilities; if empty, the solver is asked
#   ETALON_PATHS      files and folders of problems, one a line; if empty, all golden problems
#   ETALON_BUDGET     time of a search for further wrong answers; if empty, there is none
#   ETALON_SEED       the seed of the search; default 1
#   ETALON_ARGUMENTS  further arguments of etalon diff, divided by blanks
#   ETALON_OUT        the folder; default etalon-results
#
# Exit status: that of etalon: 0 all accepted, 1 something was not accepted, 2 wrong usage or unreadable input.
set -eu
set -f # Words are not patterns.

case ${1:-} in --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;; esac
[ -n "${ETALON_COMMAND:-}" ] || { echo "$0: ETALON_COMMAND, the solver's command, is empty" >&2; exit 2; }
out=${ETALON_OUT:-etalon-results}
mkdir -p "$out"
rm -f "$out/junit.xml" "$out/summary.md" "$out/badge.json" "$out/report.txt"

# A line of paths is one word; an argument ends at a blank.
set --
old_ifs=$IFS
IFS='
'
for path in ${ETALON_PATHS:-}; do set -- "$@" "$path"; done
IFS=$old_ifs
[ -z "${ETALON_CAN:-}" ] || set -- --can "$ETALON_CAN" "$@"

status=0
# shellcheck disable=SC2086 # Blanks divide further arguments.
etalon diff --quiet --solver "$ETALON_COMMAND" ${ETALON_ARGUMENTS:-} \
    --junit "$out/junit.xml" --markdown "$out/summary.md" --badge "$out/badge.json" --out "$out/report.txt" \
    "$@" 2>"$out/errors.txt" || status=$?
cat "$out/errors.txt" >&2

block() { # The file as a block that no line of it can end.
    printf '\n'
    sed 's/^/    /' "$1"
}
if [ ! -e "$out/summary.md" ]; then
    { printf '### Etalon: not judged\n'; block "$out/errors.txt"; } >"$out/summary.md"
    printf '{"schemaVersion":1,"label":"etalon","message":"not judged","color":"lightgrey"}\n' >"$out/badge.json"
fi
rm -f "$out/errors.txt"

if [ -n "${ETALON_BUDGET:-}" ] && [ "$status" != 2 ]; then
    searched=0
    seed=${ETALON_SEED:-1}
    set -- --seed "$seed"
    [ -z "${ETALON_CAN:-}" ] || set -- "$@" --can "$ETALON_CAN"
    etalon fuzz --quiet --solver "$ETALON_COMMAND" --budget "$ETALON_BUDGET" --corpus "$out/fuzz" "$@" \
        >"$out/fuzz.txt" 2>&1 || searched=$?
    cat "$out/fuzz.txt"
    { printf '\n### Etalon: a search of %s with the seed %s\n' "$ETALON_BUDGET" "$seed"; block "$out/fuzz.txt"; } >>"$out/summary.md"
    [ "$searched" -le "$status" ] || status=$searched
fi

[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"
[ -z "${GITHUB_OUTPUT:-}" ] ||
    printf '%s\n' "junit=$out/junit.xml" "summary=$out/summary.md" "badge=$out/badge.json" >>"$GITHUB_OUTPUT"
exit "$status"

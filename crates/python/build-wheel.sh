#!/bin/sh
# Builds the wheel that people install who have no Rust: the package, and the command etalon with it.
#
#   crates/python/build-wheel.sh [--out DIR] [--command FILE] [--compatibility TAG]
#
# --out            where the wheel goes; default dist in this folder
# --command        the program etalon, if there is one already; else crates/cli/build-static.sh builds it
# --compatibility  the manylinux tag; default manylinux2014, that is glibc 2.17 or newer
#
# The module is linked by zig against the old glibc that the tag names, and maturin checks that it needs no newer
# one. The command is static and needs no glibc. Needed: what build-static.sh needs, and Python with venv; maturin and
# zig are installed from PyPI into an environment below the target folder.
set -eu

out=dist command='' tag=manylinux2014
while [ $# -gt 0 ]; do
    case $1 in
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
    --out | --command | --compatibility)
        [ $# -ge 2 ] || { echo "$0: $1 wants a value" >&2; exit 2; }
        case $1 in
        --out) out=$2 ;;
        --command) command=$2 ;;
        --compatibility) tag=$2 ;;
        esac
        shift 2 ;;
    *) echo "$0: $1 is no option; see --help" >&2; exit 2 ;;
    esac
done

here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}
mkdir -p "$target" "$out"
target=$(cd "$target" && pwd)
out=$(cd "$out" && pwd)

# pip puts the files of this folder among the programs. They are there only while the wheel is built, so that a build
# of the tree never takes up an old program.
scripts=$here/etalon.data/scripts
trap 'rm -rf "$scripts"' EXIT
trap 'exit 1' INT TERM HUP
rm -rf "$scripts"
mkdir "$scripts"
if [ -n "$command" ]; then
    install -m 755 "$command" "$scripts/etalon"
else
    "$here/../cli/build-static.sh" "$scripts/etalon"
fi

tools=$target/wheel-tools
[ -x "$tools/bin/maturin" ] || {
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet 'maturin[zig]>=1.9.4,<2'
}
# maturin looks for zig's module in the Python that it finds first.
PATH=$tools/bin:$PATH CARGO_TARGET_DIR=$target "$tools/bin/maturin" build --manifest-path "$here/Cargo.toml" \
    --locked --release --zig --target x86_64-unknown-linux-gnu --compatibility "$tag" --auditwheel check --out "$out"

#!/bin/sh
# Builds the command etalon as one static program, which needs no C library of the system: it runs on every Linux of
# its processor (x86_64), whatever its age, and in an empty container.
#
#   crates/cli/build-static.sh [FILE]
#
# FILE  where the program is put; default etalon-static in this folder
#
# Needed: rustup (for Rust's own library for musl), the C compiler musl-gcc (Debian and Ubuntu: musl-tools), m4 and
# make (GMP is built from source). GMP is LGPL-3.0-or-later: who passes the program on lets others relink it, as
# this script does.
set -eu

case ${1:-} in --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;; esac
file=${1:-etalon-static}
here=$(cd "$(dirname "$0")" && pwd)
target=x86_64-unknown-linux-musl

for tool in musl-gcc m4 make; do
    command -v "$tool" >/dev/null || { echo "$0: $tool is missing: apt-get install musl-tools m4 make" >&2; exit 2; }
done
rustup target add "$target" >/dev/null 2>&1 ||
    { echo "$0: rustup target add $target failed" >&2; exit 2; }
CC=musl-gcc cargo build --manifest-path "$here/Cargo.toml" --locked --release --target "$target" --features cross >&2
install -m 755 "${CARGO_TARGET_DIR:-$here/../../target}/$target/release/etalon" "$file"
echo "$file"

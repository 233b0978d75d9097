#!/bin/sh
# Puts the command etalon on the path of the following steps: the one that is there, else one built from this
# checkout. What it reads is set by GitHub: GITHUB_ACTION_PATH, RUNNER_TEMP, GITHUB_PATH.
set -eu

if command -v etalon >/dev/null; then
    etalon --version
    exit 0
fi
for tool in cc m4 make; do
    command -v "$tool" >/dev/null && continue
    # GMP is built from source.
    [ "$(id -u)" = 0 ] || SUDO=sudo
    ${SUDO:-} apt-get update -qq
    ${SUDO:-} apt-get install -y -qq gcc libc6-dev m4 make >/dev/null
    break
done
root=${RUNNER_TEMP:-/tmp}/etalon
CARGO_TARGET_DIR="$root/target" cargo install --locked --path "$GITHUB_ACTION_PATH/crates/cli" --root "$root"
"$root/bin/etalon" --version
echo "$root/bin" >>"$GITHUB_PATH"

#!/bin/sh
# Builds the C library and installs etalon.h, libetalon.so, libetalon.a, etalon.pc and what CMake's
# find_package(etalon) reads.
#
#   crates/capi/install.sh [--prefix DIR] [--libdir DIR] [--destdir DIR] [--from DIR] [--features LIST]
#
# --prefix    where it will live; default /usr/local
# --libdir    where the libraries go; default PREFIX/lib
# --destdir   put in front of every path when files are written, for packages; default none
# --from      take libetalon_capi.so and libetalon_capi.a from this folder instead of building them
# --features  features of the build, such as system-libs
#
# Where PREFIX/lib is none of the loader's folders, run ldconfig or link with -Wl,-rpath,PREFIX/lib.
set -eu

prefix=/usr/local libdir='' destdir='' from='' features=''
while [ $# -gt 0 ]; do
    case $1 in
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
    --prefix | --libdir | --destdir | --from | --features)
        [ $# -ge 2 ] || { echo "$0: $1 wants a value" >&2; exit 2; }
        case $1 in
        --prefix) prefix=$2 ;;
        --libdir) libdir=$2 ;;
        --destdir) destdir=$2 ;;
        --from) from=$2 ;;
        --features) features=$2 ;;
        esac
        shift 2 ;;
    *) echo "$0: $1 is no option; see --help" >&2; exit 2 ;;
    esac
done
libdir=${libdir:-$prefix/lib}

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "$from" ]; then
    cargo rustc --manifest-path "$here/Cargo.toml" --locked --release --lib --features "$features" \
        --crate-type cdylib,staticlib
    from=${CARGO_TARGET_DIR:-$here/../../target}/release
fi
abi=$(sed -n 's/^#define ETALON_ABI_VERSION \([0-9]*\)$/\1/p' "$here/include/etalon.h")
version=$(cargo pkgid --manifest-path "$here/Cargo.toml" | sed 's/.*[#@]//')

# The way from CMake's folder to the header: by steps up where the libraries are below PREFIX, so that the whole
# may be moved; else its own place.
include=$prefix/include
case $libdir in
"$prefix"/*) include=$(echo "${libdir#"$prefix"}/cmake/etalon" | sed 's|//*[^/][^/]*|../|g')include ;;
esac

mkdir -p "$destdir$prefix/include" "$destdir$libdir/pkgconfig" "$destdir$libdir/cmake/etalon"
install -m 644 "$here/include/etalon.h" "$destdir$prefix/include/etalon.h"
install -m 644 "$from/libetalon_capi.a" "$destdir$libdir/libetalon.a"
install -m 755 "$from/libetalon_capi.so" "$destdir$libdir/libetalon.so.$abi"
ln -sf "libetalon.so.$abi" "$destdir$libdir/libetalon.so"
sed -e "s|@prefix@|$prefix|" -e "s|@libdir@|$libdir|" -e "s|@version@|$version|" "$here/etalon.pc.in" \
    >"$destdir$libdir/pkgconfig/etalon.pc"
for file in etalon-config.cmake etalon-config-version.cmake; do
    sed -e "s|@include@|$include|" -e "s|@abi@|$abi|" -e "s|@version@|$version|" "$here/$file.in" \
        >"$destdir$libdir/cmake/etalon/$file"
done
echo "installed etalon.h, libetalon.so.$abi, libetalon.a, etalon.pc and etalon-config.cmake below $destdir$prefix"

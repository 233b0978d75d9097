//! What this build is: its version, that of the arithmetic below everything, and what it found of
//! the machine.

use std::sync::LazyLock;

use etalon_modular::Backend;
use gmp_mpfr_sys::{gmp, mpfr};

/// Etalon's version with those of GMP and MPFR: `0.1.0 (GMP 6.3.0, MPFR 4.2.2)`.
pub fn short() -> &'static str {
    static SHORT: LazyLock<String> = LazyLock::new(write_short);
    &SHORT
}

/// The same, with the features of the build and the vector instructions of this machine, a line
/// each.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(write_long);
    &LONG
}

fn write_short() -> String {
    let own = env!("CARGO_PKG_VERSION");
    let gmp = [gmp::VERSION, gmp::VERSION_MINOR, gmp::VERSION_PATCHLEVEL];
    let mpfr = [
        mpfr::VERSION_MAJOR,
        mpfr::VERSION_MINOR,
        mpfr::VERSION_PATCHLEVEL,
    ];
    format!("{own} (GMP {}, MPFR {})", dotted(gmp), dotted(mpfr))
}

fn write_long() -> String {
    let libraries = if cfg!(feature = "system-libs") {
        "those of the system (feature system-libs)"
    } else {
        "built from source (feature system-libs off)"
    };
    let exact = Backend::detect().name();
    #[cfg(feature = "fast")]
    let fast = format!(", {} (fast)", etalon_fast::instruction_set());
    #[cfg(not(feature = "fast"))]
    let fast = "";
    format!(
        "{}\nGMP and MPFR: {libraries}\nvector instructions: {exact} (exact){fast}",
        short()
    )
}

fn dotted(parts: [std::ffi::c_int; 3]) -> String {
    parts.map(|part| part.to_string()).join(".")
}

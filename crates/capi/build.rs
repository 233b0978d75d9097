//! Names the shared library as programs will look for it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // The number is ETALON_ABI_VERSION; a program that loads the installed library holds them together.
    if system == "linux" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libetalon.so.1");
    }
}

//! The header that is checked in is the one that the sources make.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

/// The sources with something for C, in the order in which the header shows it.
const SOURCES: [&str; 6] = [
    "status.rs",
    "problem.rs",
    "options.rs",
    "verdict.rs",
    "answer.rs",
    "ffi/mod.rs",
];

fn generated(root: &Path) -> String {
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES {
        builder = builder.with_src(root.join("src").join(source));
    }
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

#[test]
fn the_header_is_the_one_that_the_sources_make() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (path, made) = (root.join("include/etalon.h"), generated(root));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differing = made
        .lines()
        .zip(kept.lines())
        .find(|(made, kept)| made != kept);
    assert!(
        made == kept,
        "include/etalon.h is not what the sources make (first difference: {differing:?}); \
         UPDATE_EXPECT=1 cargo test -p etalon-capi --test header writes it anew"
    );
}

#[test]
fn every_exported_function_is_in_the_header() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = fs::read_to_string(root.join("src/ffi/mod.rs")).unwrap();
    let header = fs::read_to_string(root.join("include/etalon.h")).unwrap();
    let names = source.split("extern \"C\" fn ").skip(1);
    let names: Vec<_> = names.filter_map(|rest| rest.split('(').next()).collect();
    assert!(names.len() > 20);
    for name in names {
        assert!(header.contains(&format!("{name}(")), "{name}");
    }
}

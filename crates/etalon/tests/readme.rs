//! The README's first example shows what the command prints.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

#[test]
fn the_readmes_example_is_what_the_command_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, example) = readme.split_once("```console\n$ etalon ").unwrap();
    let (command, rest) = example.split_once('\n').unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_etalon"))
        .args(command.split(' '))
        .current_dir(root)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), shown);
    assert_eq!(output.status.code(), Some(1));
}

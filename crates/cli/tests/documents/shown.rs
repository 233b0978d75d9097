//! Blocks that are not commands: who runs them, and files that they show.

use libtest_mimic::Failed;

use crate::blocks::Block;
use crate::root;

/// Every block of code is either a file, which is compared, or in a language that some test runs.
pub fn check(block: &Block) -> Result<(), Failed> {
    if let Some(path) = block.remark("file") {
        let file = std::fs::read_to_string(root().join(path))?;
        return hold(block.text == file, &format!("it is not {path}"));
    }
    match &*block.language {
        // What programs print, pieces of formats and drawings.
        "text" => Ok(()),
        "json" => serde_json::from_str::<serde_json::Value>(&block.text)
            .map(|_| ())
            .map_err(|error| error.to_string().into()),
        "rust" | "rust,no_run" => rust(block),
        // Every page is read by the tests of the C library and of the Python package.
        "c" | "cpp" => holds("crates/capi/tests/c.rs", "fn documents("),
        "python" => holds("crates/python/tests/test_documents.py", "def test_"),
        "indented" => commands(block),
        language => Err(format!("nobody runs {language:?}").into()),
    }
}

/// The page is among the documentation tests of the crate, and rustdoc takes nothing on it for Rust that is none.
fn rust(block: &Block) -> Result<(), Failed> {
    let page = block.page.display();
    holds(
        "crates/etalon/src/lib.rs",
        &format!("include_str!(\"../../../{page}\")"),
    )
}

/// Generated pages show the command that makes them by four spaces.
fn commands(block: &Block) -> Result<(), Failed> {
    let mut lines = block
        .text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let continued = |line: &str| line.starts_with("--");
    hold(
        lines.all(|line| {
            line.starts_with("cargo ") || line.starts_with("etalon ") || continued(line)
        }),
        "mark the block with its language",
    )
}

fn holds(file: &str, text: &str) -> Result<(), Failed> {
    let source = std::fs::read_to_string(root().join(file))?;
    hold(
        source.contains(text),
        &format!("{file} does not have {text}"),
    )
}

fn hold(truth: bool, otherwise: &str) -> Result<(), Failed> {
    if truth { Ok(()) } else { Err(otherwise.into()) }
}

//! Thresholds stand in one file, each with where it comes from.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// A file without its tests, and without comments.
struct Source {
    /// Its module: `["contact", "place"]`; none for lib.rs.
    module: Vec<String>,
    file: PathBuf,
    lines: Vec<String>,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let own = files.into_iter().filter(|file| !file.ends_with("tests.rs"));
    let sources: Vec<Source> = own.map(|file| source(&root, file)).collect();
    assert!(sources.len() > 30);
    sources
}

fn source(root: &Path, file: PathBuf) -> Source {
    let parts = file.strip_prefix(root).unwrap().with_extension("");
    let parts = parts.iter().map(|part| part.to_str().unwrap().to_owned());
    let module = parts
        .filter(|part| part != "mod" && part != "lib")
        .collect();
    let text = std::fs::read_to_string(&file).unwrap();
    let before_tests = text.lines().take_while(|line| *line != "#[cfg(test)]");
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    Source {
        module,
        lines: before_tests.map(code).collect(),
        file,
    }
}

/// Whether a line has a float with an exponent, as 1e-9.
fn has_exponent(line: &str) -> bool {
    let bytes = line.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mark = |i: usize| {
        matches!(bytes[i], b'e' | b'E') && i > 0 && (digit(i - 1) || bytes[i - 1] == b'.')
    };
    let sign = |i: usize| matches!(bytes.get(i), Some(b'-' | b'+' | b'_'));
    (0..bytes.len()).any(|i| mark(i) && (digit(i + 1) || sign(i + 1) && digit(i + 2)))
}

#[test]
fn thresholds_stand_in_one_file() {
    assert!(has_exponent("x < 1e-9") && has_exponent("2.E5") && has_exponent("1.5e+3"));
    assert!(!has_exponent("self.edge2e") && !has_exponent("0x1f"));
    let mut found = Vec::new();
    for source in sources() {
        if source.module == ["tolerances"] {
            continue;
        }
        for (i, line) in source.lines.iter().enumerate() {
            if has_exponent(line) {
                found.push(format!("{}:{}: {line}", source.file.display(), i + 1));
            }
        }
    }
    assert!(
        found.is_empty(),
        "name it in tolerances.rs:\n{}",
        found.join("\n")
    );
}

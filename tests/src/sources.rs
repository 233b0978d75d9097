//! The sources of the workspace as text, for tests about how they are built.

use std::path::Path;

/// The Rust files of each crate's `src` without those that only test: the crate's folder, the module, and the code before
/// the first test.
///
/// # Panics
/// When a file cannot be read.
pub fn sources() -> Vec<(String, String, String)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates"));
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let mut folders = vec![folder.join("src")];
        while let Some(inner) = folders.pop() {
            for entry in std::fs::read_dir(inner).into_iter().flatten() {
                let path = entry.unwrap().path();
                let file = path.file_name().unwrap_or_default();
                if path.is_dir() {
                    if file != "tests" {
                        folders.push(path);
                    }
                } else if file != "tests.rs" && path.extension().is_some_and(|e| e == "rs") {
                    let own = path.strip_prefix(folder.join("src")).unwrap();
                    let own = own.with_extension("").to_string_lossy().replace('/', "::");
                    let text = std::fs::read_to_string(&path).unwrap();
                    let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
                    sources.push((name.clone(), own, code.to_owned()));
                }
            }
        }
    }
    assert!(sources.len() > 400, "{}", sources.len());
    sources
}

/// Adds the paths of a `use` tree, each after `before` and by the name that it has where it comes from.
pub fn expand(tree: &str, before: &str, paths: &mut Vec<String>) {
    let Some((head, inner)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or_default();
        paths.push(format!("{before}{}", name.trim()));
        return;
    };
    let before = format!("{before}{}", head.trim());
    let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&inner[start..at], &before, paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    expand(&inner[start..], &before, paths);
}

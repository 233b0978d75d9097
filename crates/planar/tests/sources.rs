//! The order of the crate's own sources: thresholds in one file, functions on one screen, no circles of imports.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A function has at most so many lines.
const LONGEST: usize = 60;

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

#[test]
fn functions_fit_on_a_screen() {
    let mut found = Vec::new();
    for source in sources() {
        for (i, line) in source.lines.iter().enumerate() {
            let indent = &line[..line.len() - line.trim_start().len()];
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some(at) = words.iter().position(|word| *word == "fn") else {
                continue;
            };
            let end = format!("{indent}}}");
            let rest = source.lines[i..].iter();
            let one_line = line.trim_end().ends_with('}') || line.trim_end().ends_with(';');
            let length = rest.take_while(|line| **line != end).count() + 1;
            if !one_line && length > LONGEST {
                found.push(format!(
                    "{}: {} has {length} lines",
                    source.file.display(),
                    words[at + 1]
                ));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// All paths of a text that begin with `crate` or `super`, braces expanded.
fn paths(text: &str) -> Vec<Vec<String>> {
    let starts = ["crate::", "super::"]
        .iter()
        .flat_map(|word| text.match_indices(word));
    let outermost = starts.filter(|(at, _)| !text[..*at].ends_with("::"));
    let whole = outermost.map(|(at, _)| {
        let mut depth = 0;
        let ends = |c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth < 0 || depth == 0 && !(c.is_alphanumeric() || "_:}".contains(c))
        };
        let rest = &text[at..];
        &rest[..rest.find(ends).unwrap_or(rest.len())]
    });
    whole.flat_map(|path| expand(Vec::new(), path)).collect()
}

fn expand(mut before: Vec<String>, path: &str) -> Vec<Vec<String>> {
    let Some((own, rest)) = path.split_once('{') else {
        before.extend(path.split("::").map(|part| part.trim().to_owned()));
        return vec![before];
    };
    before.extend(
        own.split("::")
            .filter(|part| !part.is_empty())
            .map(|part| part.trim().to_owned()),
    );
    let inner = rest.strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut items, mut start) = (0, Vec::new(), 0);
    for (i, c) in inner.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            items.push(&inner[start..i]);
            start = i + 1;
        }
    }
    items.push(&inner[start..]);
    let items = items
        .into_iter()
        .map(str::trim)
        .filter(|item| !item.is_empty());
    items
        .flat_map(|item| expand(before.clone(), item))
        .collect()
}

/// The longest known module that a path from another one leads to.
fn target(from: &[String], path: &[String], known: &BTreeSet<Vec<String>>) -> Vec<String> {
    let supers = path.iter().take_while(|part| *part == "super").count();
    let mut to = match path[0].as_str() {
        "crate" => path[1..].to_vec(),
        _ => from[..from.len() - supers].to_vec(),
    };
    if supers > 0 {
        to.extend_from_slice(&path[supers..]);
    }
    while !known.contains(&to) {
        to.pop();
    }
    to
}

#[test]
fn no_modules_import_each_other() {
    let sources = sources();
    let known: BTreeSet<Vec<String>> = sources.iter().map(|source| source.module.clone()).collect();
    // Between what stands beside each other in one folder; a parent and its children belong together.
    let mut arrows: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.module.is_empty()) {
        for path in paths(&source.lines.join("\n")) {
            let (from, to) = (&source.module, target(&source.module, &path, &known));
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if shared < from.len() && shared < to.len() {
                let arrow = arrows.entry(from[..=shared].to_vec()).or_default();
                arrow.insert(to[..=shared].to_vec());
            }
        }
    }
    assert!(arrows[&vec!["world".to_owned()]].contains(&vec!["model".to_owned()]));
    // What nothing is left to lead to is taken out; what stays is in a circle or leads to one.
    while let Some(end) = arrows
        .keys()
        .find(|from| arrows[*from].iter().all(|to| !arrows.contains_key(to)))
    {
        let end = end.clone();
        arrows.remove(&end);
    }
    assert!(arrows.is_empty(), "circles among {:#?}", arrows.keys());
}

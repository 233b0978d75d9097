//! README.md says of other solvers what the scoreboard says, and shows pictures that are small.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// The rows of the first table whose heading begins with these cells.
fn rows<'a>(page: &'a str, heading: &[&str]) -> Vec<Vec<&'a str>> {
    let from = page
        .lines()
        .skip_while(|line| !cells(line).starts_with(heading));
    let table = from.take_while(|line| line.starts_with('|'));
    table.skip(2).map(cells).collect()
}

#[test]
fn the_counts_are_those_of_the_scoreboard() {
    let (readme, scoreboard) = (text("README.md"), text("docs/scoreboard.md"));
    let stated = rows(&readme, &["solver", "sent", "wrong, called solved"]);
    let counted = rows(
        &scoreboard,
        &["solver", "sent", "solved", "wrong, called solved"],
    );
    assert!(stated.len() >= 3, "{stated:?}");
    for row in stated {
        let name = row[0].split('`').nth(1).unwrap();
        let found = counted.iter().find(|other| other[0] == name).unwrap();
        assert_eq!((row[1], row[2]), (found[1], found[3]), "{name}");
    }
    let solvers = format!(
        "[scoreboard](docs/scoreboard.md) has {} of them",
        counted.len()
    );
    assert!(readme.contains(&solvers), "{solvers}");
}

/// A reader of the README waits for them.
#[test]
fn its_pictures_are_small() {
    let readme = text("README.md");
    let pictures: Vec<_> = readme.split("](docs/pictures/").skip(1).collect();
    assert_eq!(pictures.len(), 2);
    for picture in pictures {
        let name = picture.split(')').next().unwrap();
        let bytes = std::fs::read(root().join("docs/pictures").join(name)).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
        assert!(bytes.len() < 150_000, "{name}: {} bytes", bytes.len());
    }
}

/// The name `etalon` on PyPI belongs to another project, so pip is given a file or a folder.
#[test]
fn nobody_is_sent_to_another_projects_package() {
    let ends = |path: &Path| {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| ["md", "rs", "py", "pyi", "sh", "yml", "toml"].contains(&end))
    };
    let places = [
        "README.md",
        "action",
        "action.yml",
        "docs",
        "crates/cli/src",
        "crates/cli/templates",
        "crates/python",
    ];
    let mut left: Vec<PathBuf> = places.iter().map(|place| root().join(place)).collect();
    let mut read = 0;
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(
                std::fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if ends(&path) {
            read += 1;
            let text = std::fs::read_to_string(&path)
                .unwrap()
                .replace(['"', '\''], "");
            assert!(!text.contains("pip install etalon"), "{}", path.display());
        }
    }
    assert!(read > 100, "{read}");
}

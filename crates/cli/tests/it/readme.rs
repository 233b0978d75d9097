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

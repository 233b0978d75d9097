//! The book as a reader gets it: rendered, with everything that is linked to in its place.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use common::html::{Page, read_page};
use common::{files, root};

/// The rendered pages by their path in the book.
struct Book {
    folder: tempfile::TempDir,
    pages: BTreeMap<PathBuf, Page>,
}

static BOOK: LazyLock<Book> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    etalon_book::build(&root().join("docs"), folder.path()).unwrap();
    let html = files(folder.path(), "html").into_iter();
    // What mdBook makes beside the chapters: the page for addresses that do not exist, and the bare contents.
    let chapters = html.filter(|path| !path.ends_with("404.html") && !path.ends_with("toc.html"));
    let pages = chapters.map(|path| {
        let page = read_page(&folder.path().join(&path));
        (path, page)
    });
    Book {
        pages: pages.collect(),
        folder,
    }
});

#[test]
fn every_page_is_in_the_contents() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let listed: BTreeSet<_> = summary
        .split("](")
        .skip(1)
        .map(|rest| PathBuf::from(rest.split(')').next().unwrap()))
        .collect();
    let mut written: BTreeSet<_> = files(&root().join("docs"), "md").into_iter().collect();
    assert!(written.remove(Path::new("SUMMARY.md")));
    assert_eq!(listed, written);
    assert_eq!(BOOK.pages.len(), written.len());
}

#[test]
fn every_link_and_picture_inside_is_there() {
    let mut seen = 0;
    for (path, page) in &BOOK.pages {
        for link in page.links.iter().filter(|link| !is_outside(link)) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = resolved(path, file);
            assert!(
                BOOK.folder.path().join(&target).is_file(),
                "{}: {link}: there is no {}",
                path.display(),
                target.display()
            );
            let known = BOOK.pages.get(&target);
            let found = known.is_none_or(|page| anchor.is_empty() || page.anchors.contains(anchor));
            assert!(found, "{}: no anchor {link}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen} links");
}

#[test]
fn links_to_the_outside_are_well_formed() {
    let mut outside = 0;
    for (path, page) in &BOOK.pages {
        for link in page.links.iter().filter(|link| is_outside(link)) {
            if let Err(wrong) = well_formed(link) {
                panic!("{}: {link}: {wrong}", path.display());
            }
            outside += 1;
        }
    }
    assert!(outside > 30, "{outside} links");
}

#[test]
fn no_formula_is_left_as_text() {
    let formulas: usize = BOOK.pages.values().map(|page| page.formulas).sum();
    assert!(formulas > 300, "{formulas} formulas");
    for (path, page) in &BOOK.pages {
        let left = page.prose.iter().find(|text| text.contains('$'));
        assert_eq!(left, None, "{}", path.display());
    }
}

fn is_outside(link: &str) -> bool {
    link.contains("://") || link.starts_with("//") || link.starts_with("mailto:")
}

/// The file that a link on a page of the book means.
fn resolved(page: &Path, link: &str) -> PathBuf {
    if link.is_empty() {
        return page.to_owned();
    }
    let mut path = PathBuf::new();
    for component in page.parent().unwrap().join(link).components() {
        match component {
            Component::ParentDir => assert!(path.pop(), "{}: {link}", page.display()),
            component => path.push(component),
        }
    }
    path
}

/// Nothing is fetched: an address is https, has a host with a dot, and no characters that an address cannot
/// have; that of a DOI has its syntax; and one into the repository names a file that is there.
fn well_formed(link: &str) -> Result<(), &'static str> {
    let rest = link.strip_prefix("https://").ok_or("not https")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let legal = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    if !link.chars().all(legal) {
        return Err("a character that no address has");
    }
    if !host.contains('.') || host.split('.').any(str::is_empty) {
        return Err("no host");
    }
    if host == "doi.org" && !is_doi(path) {
        return Err("no DOI");
    }
    let repository = link.strip_prefix(etalon_book::REPOSITORY);
    let inside = repository.and_then(|path| {
        let kinds = ["/blob/main/", "/tree/main/"];
        kinds.into_iter().find_map(|kind| path.strip_prefix(kind))
    });
    match inside {
        Some(path) if !root().join(path.split('#').next().unwrap_or(path)).exists() => {
            Err("no such file in the repository")
        }
        _ => Ok(()),
    }
}

/// 10.REGISTRANT/SUFFIX.
fn is_doi(text: &str) -> bool {
    let parts = text
        .strip_prefix("10.")
        .and_then(|rest| rest.split_once('/'));
    parts.is_some_and(|(registrant, suffix)| {
        (4..=9).contains(&registrant.len())
            && registrant.chars().all(|c| c.is_ascii_digit())
            && !suffix.is_empty()
    })
}

#[test]
fn addresses_that_are_wrong_are_noticed() {
    for wrong in [
        "http://example.org/",
        "https://example/",
        "https://doi.org/10.1/x",
        "https://doi.org/11.1000/x",
        "https://example.org/a b",
    ] {
        assert!(well_formed(wrong).is_err(), "{wrong}");
    }
    let missing = format!("{}/blob/main/crates/nothing.rs", etalon_book::REPOSITORY);
    assert!(well_formed(&missing).is_err());
    assert_eq!(well_formed("https://doi.org/10.1145/192161.192168"), Ok(()));
}

//! A reader who opens a page of the book tells no other machine.
//!
//! Three things hold that: what a page names to be fetched (pictures, scripts, styles, frames) is in the book; no
//! style names an address outside; and a policy in every page has the browser refuse what a script may ask for. Links that
//! a reader clicks may lead anywhere.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use common::html::{Page, read_page};
use common::{files, root};

static BOOK: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    etalon_book::build(&root().join("docs"), folder.path()).unwrap();
    folder
});

/// Every page, those for wrong addresses and for the contents among them.
fn pages() -> Vec<(PathBuf, Page)> {
    let pages = files(BOOK.path(), "html").into_iter();
    pages
        .map(|path| (path.clone(), read_page(&BOOK.path().join(&path))))
        .collect()
}

/// Whether an address leads out of the book.
fn is_outside(address: &str) -> bool {
    let address = address.trim();
    let scheme = address.split([':', '/', '?', '#']).next().unwrap_or("");
    let named = address[scheme.len()..].starts_with(':') && scheme != "data";
    named || address.starts_with("//") || address.starts_with("\\\\")
}

/// The addresses that a style fetches.
fn addresses(style: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (word, ends) in [("url(", &[')'][..]), ("@import", &[';'][..])] {
        for part in style.split(word).skip(1) {
            let address = part.split(ends).next().unwrap_or_default();
            let quotes = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
            found.push(address.trim_matches(quotes).to_owned());
        }
    }
    found
}

#[test]
fn what_a_page_fetches_is_in_the_book() {
    let mut seen = 0;
    for (path, page) in pages() {
        let styles = page.styles.iter().flat_map(|style| addresses(style));
        for address in page.resources.iter().cloned().chain(styles) {
            assert!(!is_outside(&address), "{}: {address}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen} resources");
}

#[test]
fn no_style_names_another_machine() {
    let mut seen = 0;
    for path in files(BOOK.path(), "css") {
        let style = std::fs::read_to_string(BOOK.path().join(&path)).unwrap();
        for address in addresses(&style) {
            assert!(!is_outside(&address), "{}: {address}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen} addresses, the fonts among them");
}

/// Pictures are pages of their own: an SVG can fetch, too.
#[test]
fn no_picture_names_another_machine() {
    let pictures = files(BOOK.path(), "svg");
    assert!(pictures.len() > 10, "{} pictures", pictures.len());
    for path in pictures {
        let picture = read_page(&BOOK.path().join(&path));
        let styles = picture.styles.iter().flat_map(|style| addresses(style));
        for address in picture.resources.iter().cloned().chain(styles) {
            assert!(!is_outside(&address), "{}: {address}", path.display());
        }
    }
}

/// mdBook's own script asks play.rust-lang.org where a page has code that can be run. No page has any, and the
/// browser refuses each request of a script.
#[test]
fn scripts_cannot_ask_another_machine() {
    for (path, page) in pages() {
        let path = path.display();
        assert!(!page.classes.contains("playground"), "{path}");
        let policy = page.policy.unwrap_or_default();
        for part in [
            "default-src 'self' file: data: 'unsafe-inline'",
            "connect-src 'none'",
        ] {
            assert!(
                policy.split("; ").any(|own| own == part),
                "{path}: {policy}"
            );
        }
    }
}

#[test]
fn addresses_outside_are_told_from_those_inside() {
    for outside in [
        "https://a.org/b.js",
        "//a.org/b.js",
        "HTTP://a.org",
        " ftp://a",
        "javascript:f()",
    ] {
        assert!(is_outside(outside), "{outside}");
    }
    for inside in [
        "a.css",
        "../fonts/a.woff2",
        "#a",
        "a?b:c",
        "data:image/svg+xml,%3C",
        "",
    ] {
        assert!(!is_outside(inside), "{inside}");
    }
    let style = "@import 'https://a.org/a.css'; b { src: url( \"//a.org/b.woff\" ), url(c.woff) }";
    assert_eq!(
        addresses(style),
        ["//a.org/b.woff", "c.woff", "https://a.org/a.css"]
    );
    let folder = tempfile::tempdir().unwrap();
    let page = r#"<div class="a playground" style="background: url(https://a.org/1)"><style>b { src: url(//a.org/2) }</style>
        <img srcset="c.png 1x, https://a.org/3 2x"><video poster="https://a.org/4"></video><iframe src="https://a.org/5"></iframe>"#;
    let file: &Path = &folder.path().join("p.html");
    std::fs::write(file, page).unwrap();
    let page = read_page(file);
    let styles = page.styles.iter().flat_map(|style| addresses(style));
    let outside = page.resources.iter().cloned().chain(styles);
    assert_eq!(outside.filter(|address| is_outside(address)).count(), 5);
    assert!(page.classes.contains("playground"));
}

//! Links out of the book: `../crates/...` is right where the sources are read, and on a page of the
//! book it has to be the repository's address.

use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::REPOSITORY;

/// The page with links to files outside of the folder `docs` turned to the repository. `page` is its
/// own path in `docs`.
pub fn to_repository(content: &str, docs: &Path, page: &Path) -> String {
    let mut out = String::with_capacity(content.len());
    let mut done = 0;
    let events = Parser::new_ext(content, Options::ENABLE_TABLES).into_offset_iter();
    for (event, range) in events {
        let Event::Start(Tag::Link { dest_url, .. }) = event else {
            continue;
        };
        let Some(outside) = outside(page, &dest_url) else {
            continue;
        };
        // The last occurrence: the text of a link stands before its address.
        let Some(at) = content[range.clone()].rfind(&*dest_url) else {
            continue;
        };
        let start = range.start + at;
        out.push_str(&content[done..start]);
        out.push_str(&address(docs, &outside));
        done = start + dest_url.len();
    }
    out.push_str(&content[done..]);
    out
}

/// The path in the repository, if the link leaves `docs`.
fn outside(page: &Path, link: &str) -> Option<PathBuf> {
    if link.contains(':') || link.starts_with(['#', '/']) {
        return None;
    }
    let folder = page.parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::from("docs");
    for component in folder.join(link).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            component => path.push(component),
        }
    }
    (!path.starts_with("docs")).then_some(path)
}

fn address(docs: &Path, path: &Path) -> String {
    let is_folder = docs.join("..").join(path).is_dir();
    let kind = if is_folder { "tree" } else { "blob" };
    format!("{REPOSITORY}/{kind}/main/{}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_that_leave_the_book_are_turned() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let turned = |link: &str, page: &str| {
            to_repository(
                &format!("[a]({link}), `[a]({link})`"),
                &docs,
                Path::new(page),
            )
        };
        assert!(REPOSITORY.starts_with("https://"));
        let same = turned("certificates.md#what-is-trusted", "formats.md");
        assert!(same.starts_with("[a](certificates.md#"));
        assert!(turned("../rod.md", "studies/rod.md").starts_with("[a](../rod.md)"));
        assert_eq!(
            turned("../adapters", "c.md"),
            format!("[a]({REPOSITORY}/tree/main/adapters), `[a](../adapters)`")
        );
        let file = turned("../../crates/capi/include/etalon.h", "studies/rod.md");
        assert!(file.starts_with(&format!("[a]({REPOSITORY}/blob/main/crates/capi/include/")));
    }
}

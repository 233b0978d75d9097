//! Etalon's goldens inside of the program: the files of this folder, compressed when the crate is
//! built. `etalon-golden` reads them where there is no checkout; nothing is judged here.
//!
//! ```
//! let manifest = etalon_golden_data::text("MANIFEST").unwrap().unwrap();
//! assert!(manifest.starts_with("etalon-manifest/1\n"));
//! assert!(etalon_golden_data::paths().any(|path| path == "problems/generated/recipe.json"));
//! ```

use std::ops::Range;

use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/packed"));

/// A file as it is packed.
struct File {
    path: &'static str,
    /// Where its zlib stream is, in bytes.
    packed: Range<usize>,
    /// The bytes of its text.
    length: usize,
}

/// A file that does not unpack to a text of its length: the program was damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

/// The paths of all files below the folder, with `/` between their parts, in alphabetical order.
pub fn paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.path)
}

/// The text of a file; `None` where there is none of that path.
///
/// # Errors
/// [`Damaged`].
pub fn text(path: &str) -> Option<Result<String, Damaged>> {
    let at = FILES.binary_search_by(|file| file.path.cmp(path)).ok()?;
    Some(unpack(&FILES[at]).ok_or(Damaged))
}

/// The first bytes of a file, at most so many, for who asks what it is: they are not held against its length. `None` where there is none of that
/// path, or nothing unpacks.
pub fn start(path: &str, most: usize) -> Option<Vec<u8>> {
    let at = FILES.binary_search_by(|file| file.path.cmp(path)).ok()?;
    let packed = PACKED.get(FILES[at].packed.clone())?;
    match decompress_to_vec_zlib_with_limit(packed, most) {
        Ok(all) => Some(all),
        Err(cut) => (cut.status == TINFLStatus::HasMoreOutput).then_some(cut.output),
    }
}

fn unpack(file: &File) -> Option<String> {
    let packed = PACKED.get(file.packed.clone())?;
    let bytes = decompress_to_vec_zlib_with_limit(packed, file.length).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    (text.len() == file.length).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_unpacks_to_what_is_in_the_folder() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(FILES.len() > 300);
        assert!(FILES.is_sorted_by(|a, b| a.path < b.path));
        for path in paths() {
            let file = std::fs::read_to_string(root.join(path)).unwrap();
            assert!(text(path) == Some(Ok(file)), "{path}");
        }
        assert_eq!(text("problems"), None);
        assert_eq!(text("Cargo.toml"), None);
    }

    #[test]
    fn the_start_of_a_file_is_that_of_its_text() {
        for path in paths() {
            let text = text(path).unwrap().unwrap();
            for most in [0, 1, 100, text.len(), text.len() + 1] {
                let first = &text.as_bytes()[..most.min(text.len())];
                assert_eq!(start(path, most).as_deref(), Some(first), "{path} {most}");
            }
        }
        assert_eq!(start("problems", 9), None);
    }

    #[test]
    fn what_does_not_unpack_is_no_text() {
        let [first, ..] = FILES else {
            panic!("no files")
        };
        for (packed, length) in [
            (first.packed.clone(), first.length - 1),
            (first.packed.clone(), first.length + 1),
            (first.packed.start..first.packed.end - 1, first.length),
            (first.packed.start + 1..first.packed.end, first.length),
            (PACKED.len()..PACKED.len() + 1, first.length),
        ] {
            let path = first.path;
            assert!(
                unpack(&File {
                    path,
                    packed,
                    length
                })
                .is_none()
            );
        }
    }
}

//! The book in `docs/`, made into pages by mdBook.
//!
//! mdBook is a library here, so that nothing need be installed: `cargo run -p etalon-book -- build`.
//! What it does not do itself are two preprocessors:
//!
//! * [`formulas`]: `$...$` and `$$...$$`, as GitHub shows them, become MathML, which browsers set
//!   without any script, font or network;
//! * [`links`]: links to files of the repository outside of `docs/` become links to the repository.

pub mod formulas;
pub mod links;

use std::path::Path;

use mdbook_driver::MDBook;
use mdbook_driver::book::{Book, BookItem, Chapter};
use mdbook_driver::errors::Error;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

/// Where the repository's files are shown.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The error of mdBook or a preprocessor, with its causes.
    #[error("{0:#}")]
    Book(Error),
    /// The folder to write to.
    #[error("{path}: {source}")]
    Folder {
        /// The folder.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
}

/// Builds the book of the folder `docs` (with its `book.toml`) into the folder `destination`.
///
/// # Errors
/// [`BookError`]; a formula that cannot be set is one, with its page.
pub fn build(docs: &Path, destination: &Path) -> Result<(), BookError> {
    let folder = |source| BookError::Folder {
        path: destination.display().to_string(),
        source,
    };
    std::fs::create_dir_all(destination).map_err(folder)?;
    // mdBook takes relative paths from the book's folder.
    let destination = destination.canonicalize().map_err(folder)?;
    let mut book = MDBook::load(docs).map_err(BookError::Book)?;
    book.config.build.build_dir = destination;
    book.with_preprocessor(Links).with_preprocessor(Formulas);
    book.build().map_err(BookError::Book)
}

/// [`formulas`] for mdBook.
struct Formulas;

/// [`links`] for mdBook.
struct Links;

impl Preprocessor for Formulas {
    fn name(&self) -> &str {
        "formulas"
    }

    fn run(&self, _: &PreprocessorContext, book: Book) -> Result<Book, Error> {
        on_each_chapter(book, |chapter| {
            chapter.content = formulas::to_mathml(&chapter.content)?;
            Ok(())
        })
    }
}

impl Preprocessor for Links {
    fn name(&self) -> &str {
        "links-to-the-repository"
    }

    fn run(&self, context: &PreprocessorContext, book: Book) -> Result<Book, Error> {
        on_each_chapter(book, |chapter| {
            let page = chapter.source_path.clone().unwrap_or_default();
            chapter.content = links::to_repository(&chapter.content, &context.root, &page);
            Ok(())
        })
    }
}

fn on_each_chapter(
    mut book: Book,
    mut change: impl FnMut(&mut Chapter) -> Result<(), Error>,
) -> Result<Book, Error> {
    let mut result = Ok(());
    book.for_each_mut(|item| {
        if let BookItem::Chapter(chapter) = item
            && result.is_ok()
        {
            result = change(chapter).map_err(|error| error.context(chapter.name.clone()));
        }
    });
    result.map(|()| book)
}

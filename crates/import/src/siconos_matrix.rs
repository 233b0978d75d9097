//! Matrices in Siconos's text files: dense by columns, in sparse blocks, or as CSparse prints them.

use etalon_lcp::Number;

use super::contacts::Sparse;
use super::{ImportError, Words, rows, unexpected};

/// A matrix that must have n rows and columns.
pub(super) fn square(
    words: &mut Words<'_>,
    name: &'static str,
    n: u64,
) -> Result<Sparse, ImportError> {
    let size = rows(n)?;
    let read = matrix(words, name)?;
    if (read.rows, read.columns) == (size, size) {
        return Ok(read);
    }
    Err(unexpected(
        "as many rows and columns as the problem has rows",
        &format!("{} x {}", read.rows, read.columns),
    ))
}

/// storage, rows, columns, and the matrix itself. Zeros of dense matrices and blocks are left out.
pub(super) fn matrix(words: &mut Words<'_>, name: &'static str) -> Result<Sparse, ImportError> {
    let storage = words.integer("the kind of storage")?;
    let shape = words.shape()?;
    let mut sparse = Sparse {
        name,
        rows: shape.0,
        columns: shape.1,
        entries: Vec::new(),
        is_dense: storage == 0,
    };
    match storage {
        0 => dense(words, &mut sparse)?,
        1 => blocks(words, &mut sparse)?,
        2 => printed(words, &mut sparse)?,
        other => return Err(unexpected("0, 1 or 2 for the storage", &other.to_string())),
    }
    Ok(sparse)
}

impl Words<'_> {
    fn shape(&mut self) -> Result<(usize, usize), ImportError> {
        let (m, n) = (
            self.integer("the number of rows")?,
            self.integer("the number of columns")?,
        );
        Ok((rows(m)?, rows(n)?))
    }

    fn size(&mut self, what: &'static str) -> Result<usize, ImportError> {
        let size = self.integer(what)?;
        rows(size)
    }

    fn word(&mut self, word: &str, what: &'static str) -> Result<(), ImportError> {
        let found = self.next(what)?;
        if found == word {
            return Ok(());
        }
        Err(unexpected(what, found))
    }
}

impl Sparse {
    fn put(&mut self, i: usize, j: usize, value: Number) {
        if !value.is_zero() {
            self.entries.push((i, j, value));
        }
    }

    /// An entry with its indices as they stand in a file.
    fn put_checked(&mut self, i: u64, j: u64, value: Number) -> Result<(), ImportError> {
        let within = |at: u64, count: usize| usize::try_from(at).ok().filter(|&at| at < count);
        match (within(i, self.rows), within(j, self.columns)) {
            (Some(i), Some(j)) => {
                self.entries.push((i, j, value));
                Ok(())
            }
            _ => Err(unexpected(
                "an entry inside of the matrix",
                &format!("{i} {j}"),
            )),
        }
    }
}

/// Rows and columns again, then column by column.
fn dense(words: &mut Words<'_>, sparse: &mut Sparse) -> Result<(), ImportError> {
    let again = words.shape()?;
    if again != (sparse.rows, sparse.columns) {
        let found = format!("{} {}", again.0, again.1);
        return Err(unexpected("the size of the matrix again", &found));
    }
    for j in 0..sparse.columns {
        for i in 0..sparse.rows {
            let value = words.number("an entry of the matrix")?;
            sparse.put(i, j, value);
        }
    }
    Ok(())
}

/// The number of blocks, of rows and columns of blocks; where each row and column of blocks ends; two lengths; the
/// pointers of rows of blocks and the columns of blocks; then each block: its index, and its values by columns.
fn blocks(words: &mut Words<'_>, sparse: &mut Sparse) -> Result<(), ImportError> {
    let count = words.size("the number of blocks")?;
    let down = words.size("the number of rows of blocks")?;
    let across = words.size("the number of columns of blocks")?;
    let row_ends = ends(words, down, sparse.rows)?;
    let column_ends = ends(words, across, sparse.columns)?;
    let pointers = words.size("the number of pointers to rows of blocks")?;
    let places = words.size("the number of columns of blocks that are listed")?;
    let pointers = sizes(words, pointers, "a pointer to a row of blocks")?;
    let places = sizes(words, places, "a column of blocks")?;
    if pointers.last() != Some(&count) || places.len() != count {
        let found = format!("{} blocks listed", places.len());
        return Err(unexpected("as many blocks as were counted", &found));
    }
    let mut seen = 0;
    // The first pointer is 0, and the last rows of blocks may have none.
    for (row, ends) in pointers.windows(2).enumerate() {
        let listed = places.get(ends[0]..ends[1]).ok_or_else(|| {
            let found = format!("{} to {}", ends[0], ends[1]);
            unexpected("pointers that grow, up to the number of blocks", &found)
        })?;
        for (k, &place) in (ends[0]..).zip(listed) {
            words.word(&k.to_string(), "the index of the next block")?;
            let (i, j) = (span(&row_ends, row)?, span(&column_ends, place)?);
            seen += 1;
            for column in j {
                for row in i.clone() {
                    let value = words.number("an entry of the matrix")?;
                    sparse.put(row, column, value);
                }
            }
        }
    }
    if seen == count {
        return Ok(());
    }
    Err(unexpected(
        "pointers to all blocks",
        &format!("{seen} of {count}"),
    ))
}

/// Ends of rows or columns of blocks: they grow, up to the size of the matrix.
fn ends(words: &mut Words<'_>, count: usize, size: usize) -> Result<Vec<usize>, ImportError> {
    let ends = sizes(words, count, "the end of a row or column of blocks")?;
    if ends.is_sorted() && ends.last().copied().unwrap_or(0) == size {
        return Ok(ends);
    }
    Err(unexpected(
        "ends of blocks that grow to the size of the matrix",
        &format!("{ends:?}"),
    ))
}

fn sizes(
    words: &mut Words<'_>,
    count: usize,
    what: &'static str,
) -> Result<Vec<usize>, ImportError> {
    // No memory is taken for what may not be there.
    (0..count).map(|_| words.size(what)).collect()
}

fn span(ends: &[usize], k: usize) -> Result<std::ops::Range<usize>, ImportError> {
    let end = ends
        .get(k)
        .ok_or_else(|| unexpected("a row or column of blocks", &k.to_string()))?;
    let start = k.checked_sub(1).map_or(0, |before| ends[before]);
    Ok(start..*end)
}

/// What CSparse prints, to seven digits: of columns `col J : locations A to B` and a line `I : VALUE` for each entry; of
/// triplets a line `I J : VALUE` for each.
fn printed(words: &mut Words<'_>, sparse: &mut Sparse) -> Result<(), ImportError> {
    // Some files repeat the kind before CSparse's title, up to its "1-norm: X", of triplets up to "nnz: X".
    let mut is_triplets = false;
    loop {
        match words.next("the title that CSparse prints")? {
            "triplet:" => is_triplets = true,
            "nnz:" if is_triplets => break,
            "1-norm:" => break,
            _ => {}
        }
    }
    if is_triplets {
        let count = words.size("the number of entries")?;
        return triplets(words, sparse, count);
    }
    words.number("the norm of the matrix")?;
    while words.0.peek() == Some(&"col") {
        words.next("a column")?;
        let column = words.integer("a column")?;
        for expected in [":", "locations"] {
            words.word(expected, "`: locations A to B`")?;
        }
        let from = words.number("a location")?.to_f64();
        words.next("`to`")?;
        let to = words.number("a location")?.to_f64();
        // An empty column runs from a location to the one before it.
        for _ in 0..(to - from + 1.0).max(0.0) as u64 {
            let row = words.integer("a row")?;
            words.value_of(sparse, row, column)?;
        }
    }
    Ok(())
}

fn triplets(words: &mut Words<'_>, sparse: &mut Sparse, count: usize) -> Result<(), ImportError> {
    for _ in 0..count {
        let (row, column) = (words.integer("a row")?, words.integer("a column")?);
        words.value_of(sparse, row, column)?;
    }
    Ok(())
}

impl Words<'_> {
    fn value_of(&mut self, sparse: &mut Sparse, row: u64, column: u64) -> Result<(), ImportError> {
        if self.next("`:`")? != ":" {
            return Err(ImportError::Unsupported("an entry without its value"));
        }
        let value = self.number("an entry of the matrix")?;
        sparse.put_checked(row, column, value)
    }
}

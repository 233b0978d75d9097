//! Siconos's text files of complementarity and of friction problems in the plane.
//!
//! A file is n, the matrix, q; or 2, the number of contacts, the matrix, q, mu of each contact. A dense matrix
//! is stored **by columns**: a line of text is a column, not a row. A sparse one is what CSparse prints.

use etalon_lcp::{Bound, Entry, Friction, Matrix, Number, Problem};

use super::{ImportError, Words, rows, unexpected};

/// The problem in a file, under a name. Friction in the plane becomes rows with the bounds
/// -mu z_j <= z_i <= mu z_j: row 2c is contact c's normal direction, row 2c + 1 its tangent, and w
/// the relative velocity.
///
/// # Errors
/// [`ImportError`]; [`ImportError::Unsupported`] for circular cones in space, which no linear problem states,
/// and for matrices of sparse blocks.
pub fn from_siconos(name: &str, text: &str) -> Result<Problem, ImportError> {
    let mut words = Words::new(text);
    let first = words.integer("a size")?;
    let mut ahead = words.0.clone();
    let mut number = || ahead.next().and_then(|word| word.parse::<u64>().ok());
    let (second, third, fourth) = (number(), number(), number());
    // n, storage, rows, columns; or dimension, contacts, storage, rows, columns. What would be n = 2 in
    // sparse blocks is taken for a single contact.
    if third == Some(first) && fourth == Some(first) && matches!(second, Some(0 | 2)) {
        let matrix = matrix(&mut words, first)?;
        let q = words.numbers(matrix.n(), "an entry of q")?;
        return Ok(Problem::new(name, matrix, q)?);
    }
    match first {
        2 => friction(name, &mut words),
        3 => Err(super::CIRCULAR),
        _ => Err(unexpected(
            "the head of a complementarity problem",
            &first.to_string(),
        )),
    }
}

fn friction(name: &str, words: &mut Words<'_>) -> Result<Problem, ImportError> {
    let contacts = words.integer("the number of contacts")?;
    let n = contacts
        .checked_mul(2)
        .ok_or(ImportError::TooLarge(contacts))?;
    let matrix = matrix(words, n)?;
    let q = words.numbers(matrix.n(), "an entry of q")?;
    let mut friction = Vec::new();
    for contact in 0..matrix.n() / 2 {
        friction.push(Friction {
            row: 2 * contact + 1,
            normal: 2 * contact,
            mu: words.number("a friction coefficient")?,
        });
    }
    let free = |i: usize| {
        if i % 2 == 1 {
            Bound::NegativeInfinity
        } else {
            Bound::Finite(Number::from(0))
        }
    };
    let lower = (0..matrix.n()).map(free).collect();
    let problem = Problem::new(name, matrix, q)?.with_bounds(Some(lower), None)?;
    Ok(problem.with_friction(friction)?)
}

/// storage, rows, columns, and the matrix itself.
fn matrix(words: &mut Words<'_>, n: u64) -> Result<Matrix, ImportError> {
    let storage = words.integer("the kind of storage")?;
    let size = rows(n)?;
    for what in ["the number of rows", "the number of columns"] {
        let count = words.integer(what)?;
        if count != n {
            return Err(unexpected(
                "as many as the problem has rows",
                &count.to_string(),
            ));
        }
    }
    match storage {
        0 => dense(words, size),
        1 => Err(ImportError::Unsupported(
            "matrices of sparse blocks are not read",
        )),
        2 => sparse(words, n),
        other => Err(unexpected("0, 1 or 2 for the storage", &other.to_string())),
    }
}

/// Rows and columns again, then column by column.
fn dense(words: &mut Words<'_>, n: usize) -> Result<Matrix, ImportError> {
    words.integer("the number of rows")?;
    words.integer("the number of columns")?;
    let mut m: Vec<Vec<Number>> = vec![Vec::new(); n];
    for _ in 0..n {
        for row in &mut m {
            row.push(words.number("an entry of the matrix")?);
        }
    }
    Ok(Matrix::from_rows(m)?)
}

/// What CSparse prints: `col J : locations A to B`, then a line `I : VALUE` for each entry.
fn sparse(words: &mut Words<'_>, n: u64) -> Result<Matrix, ImportError> {
    // Some files repeat the kind before CSparse's title, up to its "1-norm: X".
    while words.next("the title that CSparse prints")? != "1-norm:" {}
    words.number("the norm of the matrix")?;
    let mut entries: Vec<Entry> = Vec::new();
    while words.0.peek() == Some(&"col") {
        words.next("a column")?;
        let column = words.integer("a column")?;
        for expected in [":", "locations"] {
            let found = words.next("locations")?;
            if found != expected {
                return Err(unexpected("`: locations A to B`", found));
            }
        }
        let from = words.number("a location")?.to_f64();
        words.next("`to`")?;
        let to = words.number("a location")?.to_f64();
        // An empty column runs from a location to the one before it.
        for _ in 0..(to - from + 1.0).max(0.0) as u64 {
            let row = words.integer("a row")?;
            if words.next("`:`")? != ":" {
                return Err(ImportError::Unsupported("an entry without its value"));
            }
            entries.push((row, column, words.number("an entry of the matrix")?));
        }
    }
    Ok(Matrix::from_entries((n, n), entries)?)
}

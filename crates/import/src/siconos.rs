//! Siconos's text files of complementarity problems and of contact problems with friction.
//!
//! A file is n, the matrix, q; or the dimension, the number of contacts, the matrix, q, mu of each contact; or, in global
//! form, the dimension, the number of contacts, M, H, q, b, mu with M v = H r + q, u = H'v + b. Dimension 5 is rolling
//! friction, with mu_r of each contact at the end.

use etalon_lcp::Problem;

use super::contacts::{Contacts, Dimension, Sign, Sparse, System, into_matrix, negated};
use super::siconos_matrix::{matrix, square};
use super::{ImportError, Words, rows, unexpected};

/// The problem in a file, under a name. Its rows are those of the file; in global form v, then r. Contacts are
/// stated as `contacts` says, normal first, and w is the relative velocity.
///
/// # Errors
/// [`ImportError`], with what stands in the file where something else was expected.
pub fn from_siconos(name: &str, text: &str, contacts: Contacts) -> Result<Problem, ImportError> {
    let mut words = Words::new(text);
    let first = words.integer("a size")?;
    let mut ahead = words.0.clone();
    let mut number = || ahead.next().and_then(|word| word.parse::<u64>().ok());
    let (second, third, fourth) = (number(), number(), number());
    // n, storage, rows, columns; or dimension, contacts, storage, rows, columns. What would be n = 2 in
    // sparse blocks is taken for a single contact.
    if third == Some(first) && fourth == Some(first) && matches!(second, Some(0 | 2)) {
        let read = square(&mut words, "M", first)?;
        let entries = read.entries.into_iter();
        let entries = entries.map(|(i, j, x)| (i as u64, j as u64, x));
        let matrix = into_matrix(read.rows, entries.collect(), read.is_dense)?;
        let q = words.numbers(matrix.n(), "an entry of q")?;
        return Ok(Problem::new(name, matrix, q)?);
    }
    let dimension = Dimension::of(first).ok_or_else(|| {
        unexpected(
            "the head of a complementarity problem, or a dimension of 2, 3 or 5,",
            &first.to_string(),
        )
    })?;
    friction(dimension, &mut words)?.into_problem(name, contacts)
}

fn friction(dimension: Dimension, words: &mut Words<'_>) -> Result<System, ImportError> {
    let contacts = words.integer("the number of contacts")?;
    let of_contacts = contacts
        .checked_mul(dimension.rows() as u64)
        .ok_or(ImportError::TooLarge(contacts))?;
    let of_contacts = rows(of_contacts)?;
    let m = matrix(words, "M")?;
    if m.rows != m.columns {
        let shape = format!("{} x {}", m.rows, m.columns);
        return Err(unexpected("a square matrix M", &shape));
    }
    let mut system = if has_h(words, m.rows, of_contacts, contacts) {
        global(dimension, words, &m, of_contacts)?
    } else {
        local(dimension, words, &m, of_contacts)?
    };
    let count = of_contacts / dimension.rows();
    system.mu = words.numbers(count, "a friction coefficient")?;
    if dimension == Dimension::Five {
        system.mu_rolling = words.numbers(count, "a coefficient of rolling friction")?;
    }
    Ok(system)
}

/// Whether a matrix H follows with these rows and columns, and enough words for what stands behind it: numbers of q
/// could look like the head of one.
fn has_h(words: &Words<'_>, rows: usize, columns: usize, contacts: u64) -> bool {
    let mut ahead = words.0.clone();
    let mut is = |sizes: &[usize]| {
        let word = ahead.next().and_then(|word| word.parse::<usize>().ok());
        word.is_some_and(|word| sizes.contains(&word))
    };
    let is_head = is(&[0, 1, 2]) && is(&[rows]) && is(&[columns]);
    // H itself has at least a title.
    is_head && ahead.nth(rows + columns + contacts as usize).is_some()
}

/// u = M r + q.
fn local(
    dimension: Dimension,
    words: &mut Words<'_>,
    m: &Sparse,
    contacts: usize,
) -> Result<System, ImportError> {
    let mut system = System::new(dimension, 0, 0);
    system.is_dense = m.is_dense;
    if m.rows != contacts {
        return Err(unexpected(
            "a matrix with as many rows as the contacts have, or a matrix H after M,",
            &format!("{} rows", m.rows),
        ));
    }
    system.block(m, (0, 0), Sign::Plus, contacts, contacts)?;
    system.constants = words.numbers(contacts, "an entry of q")?;
    system.size = contacts;
    Ok(system)
}

/// M v - H r - q = 0, u = H'v + b.
fn global(
    dimension: Dimension,
    words: &mut Words<'_>,
    m: &Sparse,
    contacts: usize,
) -> Result<System, ImportError> {
    let h = matrix(words, "H")?;
    let moving = m.rows;
    let mut system = System::new(dimension, moving, moving);
    system.block(m, (0, 0), Sign::Plus, moving, moving)?;
    system.block(&h, (0, moving), Sign::Minus, moving, contacts)?;
    let transposed = h.transposed();
    system.block(&transposed, (moving, 0), Sign::Plus, contacts, moving)?;
    let q = words.numbers(moving, "an entry of q")?;
    system.constants = q.iter().map(negated).collect();
    let b = words.numbers(contacts, "an entry of b")?;
    system.constants.extend(b);
    system.size = moving + contacts;
    Ok(system)
}

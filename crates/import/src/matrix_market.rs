//! Matrix Market exchange format: M and q in a file each.

use etalon_lcp::{Entry, Matrix, Number, Problem};

use super::{ImportError, Words, number, rows, unexpected};

/// What a file holds.
struct Table {
    rows: u64,
    columns: u64,
    entries: Vec<Entry>,
    is_sparse: bool,
}

/// The pure problem of M (n by n) and q (n by 1), each as the text of a file: `coordinate` or `array`,
/// `real`, `double` or `integer`, `general`, `symmetric` or `skew-symmetric`. A coordinate M stays sparse.
///
/// # Errors
/// [`ImportError`].
pub fn from_matrix_market(name: &str, m: &str, q: &str) -> Result<Problem, ImportError> {
    let (m, q) = (table(m)?, table(q)?);
    let n = rows(m.rows)?;
    if q.columns != 1 || q.rows != m.rows {
        let why = "q must have one column, and as many rows as M";
        return Err(ImportError::Unsupported(why));
    }
    let vector = vector(n, q.entries)?;
    let matrix = if m.is_sparse {
        Matrix::from_entries((m.rows, m.columns), m.entries)?
    } else {
        dense(&m)?
    };
    Ok(Problem::new(name, matrix, vector)?)
}

/// The one column of a table, with zeros where it has no entry.
fn vector(n: usize, entries: Vec<Entry>) -> Result<Vec<Number>, ImportError> {
    let mut vector = vec![None; n];
    for (i, _, value) in entries {
        let place = usize::try_from(i).ok().and_then(|i| vector.get_mut(i));
        if place.is_some_and(|place| place.replace(value).is_some()) {
            return Err(unexpected("one entry of q a row", &(i + 1).to_string()));
        }
    }
    let zero = || Number::from(0);
    Ok(vector
        .into_iter()
        .map(|value| value.unwrap_or_else(zero))
        .collect())
}

fn dense(table: &Table) -> Result<Matrix, ImportError> {
    let columns = rows(table.columns)?;
    let mut dense = vec![vec![Number::from(0); columns]; rows(table.rows)?];
    for (i, j, value) in &table.entries {
        dense[*i as usize][*j as usize] = value.clone();
    }
    Ok(Matrix::from_rows(dense)?)
}

#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

fn table(text: &str) -> Result<Table, ImportError> {
    let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
    let mut head = header.split_whitespace().map(str::to_ascii_lowercase);
    let mut word = || head.next().unwrap_or_default();
    let (banner, object, layout, field, symmetry) = (word(), word(), word(), word(), word());
    if banner != "%%matrixmarket" || object != "matrix" {
        return Err(unexpected("%%MatrixMarket matrix", header));
    }
    if !["real", "double", "integer"].contains(&field.as_str()) {
        return Err(unexpected("real, double or integer", &field));
    }
    let symmetry = match symmetry.as_str() {
        "general" => Symmetry::General,
        "symmetric" => Symmetry::Symmetric,
        "skew-symmetric" => Symmetry::Skew,
        other => return Err(unexpected("general, symmetric or skew-symmetric", other)),
    };
    let lines: Vec<&str> = rest
        .lines()
        .filter(|line| !line.trim_start().starts_with('%'))
        .collect();
    let body = lines.join("\n");
    let mut words = Words::new(&body);
    let table = match layout.as_str() {
        "coordinate" => coordinate(&mut words, symmetry),
        "array" => array(&mut words, symmetry),
        other => Err(unexpected("coordinate or array", other)),
    }?;
    match words.0.next() {
        None => Ok(table),
        Some(more) => Err(unexpected("the end of the file", more)),
    }
}

/// Rows and columns; half of a matrix has a mirror image only where that is square.
fn size(words: &mut Words<'_>, symmetry: Symmetry) -> Result<(u64, u64), ImportError> {
    let rows = words.integer("the number of rows")?;
    let columns = words.integer("the number of columns")?;
    if symmetry != Symmetry::General && rows != columns {
        let found = format!("{rows} rows and {columns} columns");
        return Err(unexpected("a square matrix after such a header", &found));
    }
    Ok((rows, columns))
}

fn coordinate(words: &mut Words<'_>, symmetry: Symmetry) -> Result<Table, ImportError> {
    let (rows, columns) = size(words, symmetry)?;
    let count = words.integer("the number of entries")?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let i = index(words.integer("a row")?, rows)?;
        let j = index(words.integer("a column")?, columns)?;
        push(&mut entries, i, j, words.number("a value")?, symmetry)?;
    }
    Ok(Table {
        rows,
        columns,
        entries,
        is_sparse: true,
    })
}

/// Column by column; of a symmetric matrix the part below the diagonal.
fn array(words: &mut Words<'_>, symmetry: Symmetry) -> Result<Table, ImportError> {
    let (rows, columns) = size(words, symmetry)?;
    super::rows(rows)?;
    super::rows(columns)?;
    let mut entries = Vec::new();
    for j in 0..columns {
        let first = match symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => j,
            Symmetry::Skew => j + 1,
        };
        for i in first..rows {
            let value = number(words.next("a value")?)?;
            push(&mut entries, i, j, value, symmetry)?;
        }
    }
    Ok(Table {
        rows,
        columns,
        entries,
        is_sparse: false,
    })
}

/// Counted from 1 in the file, from 0 here.
fn index(place: u64, count: u64) -> Result<u64, ImportError> {
    match place.checked_sub(1).filter(|place| *place < count) {
        Some(place) => Ok(place),
        None => Err(unexpected("an index within the matrix", &place.to_string())),
    }
}

/// An entry with its mirror image; on the diagonal it is its own.
fn push(
    entries: &mut Vec<Entry>,
    i: u64,
    j: u64,
    value: Number,
    symmetry: Symmetry,
) -> Result<(), ImportError> {
    if i == j && symmetry == Symmetry::Skew && value.signum() != 0 {
        let found = value.to_string();
        return Err(unexpected("0 on the diagonal of a skew matrix", &found));
    }
    if i != j && symmetry != Symmetry::General {
        let mirrored = match symmetry {
            Symmetry::Skew => Number::from_f64(-value.to_f64()),
            _ => Some(value.clone()),
        };
        let mirrored = mirrored.ok_or_else(|| unexpected("a finite number", &value.to_string()))?;
        entries.push((j, i, mirrored));
    }
    entries.push((i, j, value));
    Ok(())
}

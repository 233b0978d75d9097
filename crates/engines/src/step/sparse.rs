//! Sparse matrices.

use etalon_lcp::Number;
use etalon_lcp::record::RecordError;
use serde::Deserialize;

use super::MAX_PARTS;
use super::fields::{Result, parse};

/// A sparse matrix, by rows with ascending columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sparse {
    /// The number of columns.
    pub columns: usize,
    /// The stored entries of each row.
    pub rows: Vec<Vec<(usize, Number)>>,
}

impl Sparse {
    /// The entry at row i and column j, where one is stored.
    pub fn get(&self, i: usize, j: usize) -> Option<&Number> {
        let row = self.rows.get(i)?;
        let at = row.binary_search_by_key(&j, |(column, _)| *column).ok()?;
        Some(&row[at].1)
    }

    /// The first place where the matrix differs from its transpose.
    pub fn asymmetry(&self) -> Option<(usize, usize)> {
        for (i, row) in self.rows.iter().enumerate() {
            for (j, value) in row {
                let mirrored = self.get(*j, i);
                let is_same = match mirrored {
                    Some(other) => other == value || other.to_rational() == value.to_rational(),
                    None => value.is_zero(),
                };
                if !is_same {
                    return Some((i, *j));
                }
            }
        }
        None
    }

    /// Row by row in binary64, where all entries are binary64 numbers.
    pub fn to_dense(&self) -> Option<Vec<f64>> {
        let mut dense = vec![0.0; self.rows.len() * self.columns];
        for (i, row) in self.rows.iter().enumerate() {
            for (j, value) in row {
                dense[i * self.columns + j] = value.as_binary64()?;
            }
        }
        Some(dense)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SparseToken {
    shape: (u64, u64),
    entries: Vec<(u64, u64, Number)>,
}

/// A matrix as rows, or sparse; of so many columns, where that is known.
pub(super) fn read_sparse(raw: &str, name: &str, columns: Option<usize>) -> Result<Sparse> {
    let fault = |place: String, why: String| Err(RecordError::new(place, why));
    if !raw.trim_start().starts_with('{') {
        let rows: Vec<Vec<Number>> = parse(raw, name)?;
        let columns = columns.unwrap_or_else(|| rows.first().map_or(0, Vec::len));
        if let Some(i) = rows.iter().position(|row| row.len() != columns) {
            let why = format!("{} numbers where {columns} belong", rows[i].len());
            return fault(format!("{name}[{i}]"), why);
        }
        let row = |row: Vec<Number>| {
            let entries = row.into_iter().enumerate();
            entries.filter(|(_, value)| !value.is_zero()).collect()
        };
        let rows = rows.into_iter().map(row).collect();
        return Ok(Sparse { columns, rows });
    }
    let SparseToken { shape, entries } = parse(raw, name)?;
    let most = MAX_PARTS as u64;
    if shape.0 > most || shape.1 > most {
        let why = format!(
            "{} x {} is over the limit of {most} rows and columns",
            shape.0, shape.1
        );
        return fault(format!("{name}.shape"), why);
    }
    let own = columns.unwrap_or(shape.1 as usize);
    if shape.1 as usize != own {
        let why = format!("{} columns where {own} belong", shape.1);
        return fault(format!("{name}.shape"), why);
    }
    let mut rows: Vec<Vec<(usize, Number)>> = vec![Vec::new(); shape.0 as usize];
    for (at, (i, j, value)) in entries.into_iter().enumerate() {
        if i >= shape.0 || j >= shape.1 {
            let why = format!(
                "({i}, {j}) is outside the shape {} x {} (indices start at 0)",
                shape.0, shape.1
            );
            return fault(format!("{name}.entries[{at}]"), why);
        }
        rows[i as usize].push((j as usize, value));
    }
    for (i, row) in rows.iter_mut().enumerate() {
        row.sort_by_key(|(j, _)| *j);
        if let Some(pair) = row.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let why = format!(
                "({i}, {}) is given twice; add the values up or drop one",
                pair[0].0
            );
            return fault(format!("{name}.entries"), why);
        }
    }
    Ok(Sparse { columns: own, rows })
}

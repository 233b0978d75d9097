//! Typed arrays of numbers (RFC 8746), as records in CBOR have them in place of lists.

use super::RecordError;
use crate::limits::MAX_ROWS;
use crate::matrix::{Entry, Matrix};
use crate::number::{Number, NumberError};
use crate::problem::Bound;

/// What stands in a record in place of a list of numbers, or of a matrix.
#[derive(Debug, Clone)]
pub(super) enum Array<'a> {
    Vector(Typed<'a>),
    /// Row by row (RFC 8746, section 3.1.1).
    Dense {
        shape: [u64; 2],
        values: Typed<'a>,
    },
    /// The entries of a sparse matrix, of the same number each.
    Sparse {
        shape: [u64; 2],
        rows: Typed<'a>,
        columns: Typed<'a>,
        values: Typed<'a>,
    },
}

/// The numbers of a typed array, in the bytes that they stand in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Typed<'a> {
    kind: Kind,
    bytes: &'a [u8],
}

/// How a number stands in its bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Kind {
    is_float: bool,
    is_little: bool,
    width: usize,
}

impl Kind {
    /// That of a tag of RFC 8746, section 2: unsigned integers of 8 to 64 bits, binary32 and binary64, either byte first.
    fn of(tag: u64) -> Option<Self> {
        let (is_float, is_little, width) = match tag {
            64 => (false, false, 1),
            65 => (false, false, 2),
            66 => (false, false, 4),
            67 => (false, false, 8),
            69 => (false, true, 2),
            70 => (false, true, 4),
            71 => (false, true, 8),
            81 => (true, false, 4),
            82 => (true, false, 8),
            85 => (true, true, 4),
            86 => (true, true, 8),
            _ => return None,
        };
        Some(Self {
            is_float,
            is_little,
            width,
        })
    }
}

impl<'a> Typed<'a> {
    /// The array that a tag says these bytes are; `None` where the tag is that of none.
    ///
    /// # Errors
    /// Bytes that are no whole numbers.
    pub fn of(tag: u64, bytes: &'a [u8]) -> Option<Result<Self, String>> {
        let kind = Kind::of(tag)?;
        Some(if bytes.len().is_multiple_of(kind.width) {
            Ok(Self { kind, bytes })
        } else {
            Err(format!(
                "{} bytes are no whole numbers of {} bytes",
                bytes.len(),
                kind.width
            ))
        })
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / self.kind.width
    }

    /// The values as floats: of integers beyond 2^53 the nearest, as of JSON numbers.
    pub fn values(self) -> impl Iterator<Item = f64> + 'a {
        let kind = self.kind;
        self.bytes.chunks_exact(kind.width).map(move |bytes| {
            let bits = word(bytes, kind.is_little);
            match kind {
                Kind {
                    is_float: false, ..
                } => bits as f64,
                Kind { width: 4, .. } => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits),
            }
        })
    }

    /// The values as indices.
    fn indices(self, field: &str) -> Result<impl Iterator<Item = u64> + 'a, RecordError> {
        if self.kind.is_float {
            let problem = "floats stand where indices belong; write a typed array of unsigned integers (tags 64 to 71 of RFC 8746)";
            return Err(RecordError::new(field, problem));
        }
        let Kind {
            width, is_little, ..
        } = self.kind;
        let bytes = self.bytes.chunks_exact(width);
        Ok(bytes.map(move |bytes| word(bytes, is_little)))
    }

    fn number(value: f64) -> Result<Number, NumberError> {
        let not_finite = || NumberError::NotFinite {
            token: crate::number::quote(&value.to_string()),
        };
        Number::from_f64(value).ok_or_else(not_finite)
    }

    /// The values as numbers.
    ///
    /// # Errors
    /// A value that is not finite, with its place in the field.
    pub fn numbers(self, field: &str) -> Result<Vec<Number>, RecordError> {
        let number = |(i, value)| {
            Self::number(value).map_err(|error| RecordError {
                not_finite: true,
                ..RecordError::new(format!("{field}[{i}]"), error)
            })
        };
        let mut numbers = Vec::with_capacity(self.len());
        for value in self.values().enumerate() {
            numbers.push(number(value)?);
        }
        Ok(numbers)
    }

    /// The values as bounds, where infinities are absent ones.
    ///
    /// # Errors
    /// A NaN, with its place in the field.
    pub fn bounds(self, field: &str) -> Result<Vec<Bound>, RecordError> {
        let bound = |(i, value): (usize, f64)| match value {
            f64::INFINITY => Ok(Bound::Infinity),
            f64::NEG_INFINITY => Ok(Bound::NegativeInfinity),
            value => Self::number(value)
                .map(Bound::Finite)
                .map_err(|error| RecordError::new(format!("{field}[{i}]"), error)),
        };
        self.values().enumerate().map(bound).collect()
    }
}

/// The unsigned integer of up to eight bytes.
fn word(bytes: &[u8], is_little: bool) -> u64 {
    // Nearly all are as long.
    if let Ok(whole) = bytes.try_into() {
        return match is_little {
            true => u64::from_le_bytes(whole),
            false => u64::from_be_bytes(whole),
        };
    }
    let push = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
    if is_little {
        bytes.iter().rev().fold(0, push)
    } else {
        bytes.iter().fold(0, push)
    }
}

impl Array<'_> {
    /// The matrix, as the field `M`.
    ///
    /// # Errors
    /// A vector, another number of values than the shape has, values that are not finite, and those of a matrix.
    pub fn matrix(self) -> Result<Matrix, RecordError> {
        let matrix = match self {
            Self::Vector(_) => {
                let problem =
                    "a vector stands where a matrix belongs; give it a shape by tag 40 of RFC 8746";
                return Err(RecordError::new("M", problem));
            }
            Self::Dense { shape, values } => return dense(shape, values),
            Self::Sparse {
                shape: [height, width],
                rows,
                columns,
                values,
            } => {
                if rows.len() != values.len() || columns.len() != values.len() {
                    let (rows, columns) = (rows.len(), columns.len());
                    let problem = format!(
                        "{rows} rows, {columns} columns and {} values: an entry has one of each",
                        values.len()
                    );
                    return Err(RecordError::new("M", problem));
                }
                let numbers = values.numbers("M.values")?;
                let places = rows.indices("M.rows")?.zip(columns.indices("M.columns")?);
                let entries = places.zip(numbers).map(|((i, j), value)| (i, j, value));
                Matrix::from_entries((height, width), entries.collect::<Vec<Entry>>())
            }
        };
        matrix.map_err(|error| RecordError::new("", error))
    }
}

fn dense([height, width]: [u64; 2], values: Typed<'_>) -> Result<Matrix, RecordError> {
    let length = values.len() as u64;
    if height.checked_mul(width) != Some(length) {
        let problem = format!("the shape {height} x {width} does not have {length} values");
        return Err(RecordError::new("M", problem));
    }
    if height != width {
        let problem = format!("M has the shape {height} x {width}, which is not square");
        return Err(RecordError::new("", problem));
    }
    // No more than the square root of what a record has in bytes.
    debug_assert!(height <= MAX_ROWS as u64);
    let name = |i: usize| {
        format!(
            "M[{}][{}]",
            i as u64 / width.max(1),
            i as u64 % width.max(1)
        )
    };
    let number = |(i, value)| {
        Typed::number(value).map_err(|error| RecordError {
            not_finite: true,
            ..RecordError::new(name(i), error)
        })
    };
    let mut numbers = Vec::with_capacity(values.len());
    for value in values.values().enumerate() {
        numbers.push(number(value)?);
    }
    Ok(Matrix::from_row_major(height as usize, numbers))
}

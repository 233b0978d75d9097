//! The limits on input, in one place. Each is checked before memory is taken for what it bounds.

/// Longest number, in characters. An exact solution at n = 1000 has some 40,000 a component.
pub const MAX_NUMBER_CHARS: usize = 1_000_000;

/// Largest exponent of ten, in absolute value (binary64 needs 324). An exponent is a short token
/// for a long number, so it is bounded far more tightly than the digits themselves.
pub const MAX_DECIMAL_EXPONENT: i64 = 4_096;

/// Largest sum of the exponents of all exact numbers of a record, in absolute value: 4 bits each, 64 MiB
/// in all. (JSON numbers are binary64, whose exponents cost nothing.)
pub const MAX_EXPONENTS: u64 = 1 << 27;

/// Largest number of rows of a problem.
pub const MAX_ROWS: usize = 10_000_000;

/// Longest record, in bytes (a million rows with ten million nonzeros take some 300 MB).
pub const MAX_RECORD_BYTES: usize = 2 << 30;

//! Dense linear algebra modulo primes p = 2^50 - delta, in vector registers.
//!
//! p-adic lifting spends its time on one inverse modulo p ([`inverse`], n^3 products) and
//! then, in each step, on products of a fixed matrix with a vector ([`Planes`], n^2 products).
//!
//! **Speed without floats.** A residue is split in two halves of 25 bits. A processor
//! multiplies 32 by 32 bits to 64 in every lane of a vector register. Products of halves have 50
//! bits, and 2^14 of them add up without a carry, so a whole dot product is summed before it
//! is reduced. 2^50 = delta modulo p with a small delta, so a reduction takes shifts and small
//! products only. The same source is compiled for several instruction sets, and the best
//! [`Backend`] of the machine is chosen when the program runs; all give the same integers.
//!
//! Processors that multiply 52 by 52 bits in every lane (AVX-512 IFMA) need a quarter of the
//! instructions. For them there are [`Tiles`], which keep one triangle of a symmetric matrix, and
//! [`Positional`], which multiplies long numbers in base p and writes them in words, one in each lane.
//!
//! ```
//! use etalon_modular::{Backend, Prime, inverse};
//!
//! let prime = Prime::nth(0).ok_or("there are primes")?;
//! let mut a = vec![2, 1, 1, 1];
//! inverse(&mut a, 2, prime, Backend::detect())?;
//! assert_eq!(a, [1, prime.p() - 1, prime.p() - 1, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No function reads a clock, allocates more than its documentation says, or panics on lengths
//! that agree with each other.

mod digits;
mod dispatch;
mod general;
mod inverse;
mod kernels;
mod lanes;
mod planes;
mod prime;
mod symmetric;
mod tiles;

pub use digits::{MAX_DIGITS, Positional};
pub use dispatch::Backend;
pub use general::SingularModulo;
pub use inverse::{independent_columns, inverse};
pub use planes::{Halves, MAX_COLUMNS, Planes};
pub use prime::Prime;
pub use tiles::{TileSums, Tiles};

//! The two fixed matrices of a lifting, in whichever form this processor multiplies fastest.

use std::sync::Arc;

use etalon_modular::{Backend, Halves, Planes, Prime, TileSums, Tiles};

use crate::lifting::integers::IntegerMatrix;
use crate::lifting::residual::{Product, Remainder, Residual};
use crate::lifting::sparse::SparseProducts;

/// A + 2^bits and the inverse of A modulo p, with room for their products. Clones share the matrices.
#[derive(Debug, Clone)]
pub(crate) enum Products {
    Planes {
        matrix: Arc<Planes>,
        inverse: Arc<Planes>,
        vector: Halves,
        sums: Vec<[u64; 2]>,
    },
    Tiles {
        matrix: Arc<Tiles>,
        inverse: Arc<Tiles>,
        sums: TileSums,
    },
    Sparse(Box<SparseProducts>),
}

/// A + 2^bits in whichever form this processor multiplies fastest. Clones share it.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    Planes(Arc<Planes>, Backend),
    Tiles(Arc<Tiles>, Backend),
}

impl Form {
    /// That of a matrix.
    pub fn new(matrix: &IntegerMatrix, is_symmetric: bool, backend: Backend) -> Self {
        let bits = matrix.bits();
        if backend.prefers_tiles()
            && let Some(tiles) = matrix.tiles(bits, is_symmetric, backend)
        {
            return Self::Tiles(Arc::new(tiles), backend);
        }
        Self::Planes(Arc::new(matrix.planes(bits, backend)), backend)
    }
}

impl Products {
    /// For a matrix in its form; `inverse` row by row.
    pub fn new(form: Form, inverse: &[u64]) -> Self {
        match form {
            Form::Tiles(matrix, backend) => {
                let n = matrix.n();
                let entry = |i: usize, j: usize| u128::from(inverse[i * n + j]);
                let inverse = Tiles::new(n, matrix.is_symmetric(), backend, entry);
                Self::Tiles {
                    matrix,
                    inverse: Arc::new(inverse),
                    sums: TileSums::default(),
                }
            }
            Form::Planes(matrix, backend) => Self::Planes {
                inverse: Arc::new(Planes::of_residues(inverse, matrix.rows(), backend)),
                matrix,
                vector: Halves::default(),
                sums: Vec::new(),
            },
        }
    }

    /// Products of words in a digit, those of a vector register counted as one or so.
    pub fn count(&self, n: usize) -> usize {
        match self {
            // A step looks at each entry of a matrix of words, some of them at once.
            Self::Planes { .. } | Self::Tiles { .. } => n.pow(2) / 3,
            Self::Sparse(products) => products.products(),
        }
    }

    /// Appends the product of the inverse with residues, modulo p.
    pub fn by_inverse(&mut self, residues: &[u64], prime: Prime, out: &mut Vec<u64>) {
        match self {
            Self::Planes {
                inverse,
                vector,
                sums,
                ..
            } => {
                vector.set(residues.iter().copied());
                inverse.multiply(vector, sums);
                out.extend(Planes::residues(sums, prime));
            }
            Self::Tiles { inverse, sums, .. } => {
                inverse.multiply(residues, sums);
                out.extend((0..residues.len()).map(|i| sums.residue(i, prime)));
            }
            Self::Sparse(products) => products.by_inverse(residues, out),
        }
    }

    /// r <- (r - A y) / p for a digit y.
    pub fn subtract_from(&mut self, r: &mut Residual, digit: &[u64]) -> Result<(), Remainder> {
        let digit_sum = digit.iter().copied().map(u128::from).sum();
        match self {
            Self::Planes {
                matrix,
                vector,
                sums,
                ..
            } => {
                vector.set(digit.iter().copied());
                matrix.multiply(vector, sums);
                let (limbs, width) = (matrix.limbs(), matrix.width() as usize);
                r.step(&PlaneProduct { sums, limbs, width }, digit_sum)
            }
            Self::Tiles { matrix, sums, .. } => {
                matrix.multiply(digit, sums);
                r.step(&*sums, digit_sum)
            }
            Self::Sparse(products) => products.subtract_from(r, digit),
        }
    }
}

/// The sums that [`Planes::multiply`] leaves.
struct PlaneProduct<'a> {
    sums: &'a [[u64; 2]],
    limbs: usize,
    width: usize,
}

impl Product for PlaneProduct<'_> {
    #[inline(always)]
    fn limbs(&self) -> usize {
        self.limbs
    }

    #[inline(always)]
    fn width(&self) -> usize {
        self.width
    }

    #[inline(always)]
    fn sum(&self, i: usize, k: usize) -> u128 {
        let [low, high] = self.sums[i * self.limbs + k];
        u128::from(low) + (u128::from(high) << 25)
    }
}

impl Product for TileSums {
    #[inline(always)]
    fn limbs(&self) -> usize {
        self.limbs()
    }

    #[inline(always)]
    fn width(&self) -> usize {
        Tiles::LOW_BITS as usize
    }

    #[inline(always)]
    fn sum(&self, i: usize, k: usize) -> u128 {
        self.sum(i, k)
    }
}

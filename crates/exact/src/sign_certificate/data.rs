//! The basis system in floating point, scaled by powers of two.

use etalon_lcp::{Basis, MixedLcp};

/// The largest dense system: three matrices of it take some 400 MB.
const MAX_ROWS: usize = 4096;

/// A x = b with A = R M_alpha,alpha C and b = -R q_alpha, exact.
pub(super) struct System {
    pub k: usize,
    /// A, k by k, row by row.
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    /// C: z_j = c_j x_j.
    columns: Vec<f64>,
    place: Vec<Option<u32>>,
}

impl System {
    /// `None` when the data are not binary64, or the rows too many, or too far apart for scaling them exactly.
    pub fn new(lcp: &MixedLcp, basis: &Basis) -> Option<Self> {
        let mut place = vec![None; lcp.n()];
        let in_alpha = |&i: &usize| basis.z_is_basic(i) || lcp.bilateral()[i];
        let alpha: Vec<usize> = (0..lcp.n()).filter(in_alpha).collect();
        for (k, &j) in alpha.iter().enumerate() {
            place[j] = Some(k as u32);
        }
        let k = alpha.len();
        if k > MAX_ROWS {
            return None;
        }
        let mut a = vec![0.0; k * k];
        let mut b = Vec::with_capacity(k);
        for (&i, row) in alpha.iter().zip(a.chunks_exact_mut(k.max(1))) {
            for (j, value) in lcp.m().row(i) {
                if let Some(place) = place[j] {
                    row[place as usize] = value.as_binary64()?;
                }
            }
            b.push(-lcp.q()[i].as_binary64()?);
        }
        let mut system = Self {
            k,
            a,
            b,
            columns: vec![1.0; k],
            place,
        };
        let (rows, columns) = system.units();
        system.scale(&rows, columns)?;
        Some(system)
    }

    /// Powers of two near 1 / sqrt(a_jj) for rows and columns alike, which keeps symmetry; where a
    /// diagonal entry is not positive, near 1 / sqrt of the row's largest entry.
    fn units(&self) -> (Vec<f64>, Vec<f64>) {
        let unit = |i: usize| {
            let row = &self.a[i * self.k..(i + 1) * self.k];
            let largest = row.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            let size = if row[i] > 0.0 { row[i] } else { largest };
            power_of_two(if size > 0.0 { size.sqrt().recip() } else { 1.0 })
        };
        let units: Vec<f64> = (0..self.k).map(unit).collect();
        (units.clone(), units)
    }

    /// Multiplies by the units, if that is exact.
    fn scale(&mut self, rows: &[f64], columns: Vec<f64>) -> Option<()> {
        let exactly = |value: &mut f64, unit: f64| {
            let scaled = *value * unit;
            let exact = scaled / unit == *value && scaled.is_finite();
            *value = scaled;
            exact.then_some(())
        };
        for (row, unit) in self.a.chunks_exact_mut(self.k.max(1)).zip(rows) {
            for (value, column) in row.iter_mut().zip(&columns) {
                exactly(value, *unit)?;
                exactly(value, *column)?;
            }
        }
        for (value, unit) in self.b.iter_mut().zip(rows) {
            exactly(value, *unit)?;
        }
        self.columns = columns;
        Some(())
    }

    pub fn row(&self, i: usize) -> &[f64] {
        &self.a[i * self.k..(i + 1) * self.k]
    }

    /// Where row and column i of M stand in A.
    pub fn place(&self, i: usize) -> Option<usize> {
        self.place[i].map(|k| k as usize)
    }

    /// c_k, a power of two.
    pub fn column_unit(&self, k: usize) -> f64 {
        self.columns[k]
    }

    pub fn is_symmetric(&self) -> bool {
        let k = self.k;
        (0..k).all(|i| (0..i).all(|j| self.a[i * k + j] == self.a[j * k + i]))
    }
}

/// The largest power of two that is at most a positive value.
fn power_of_two(value: f64) -> f64 {
    let bits = value.to_bits() & !((1 << 52) - 1);
    f64::from_bits(bits.max(f64::MIN_POSITIVE.to_bits()))
}

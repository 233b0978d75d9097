//! Baraff's drive to zero in plain binary64: no rule for ties but rounding, no check of a pivot, no look at the answer.
//!
//! Row after row, f_d grows until a_d = 0. Meanwhile the rows in C keep a = 0, and rows change between C and NC where a
//! force or an acceleration reaches its bound (Baraff 1994, section 4). Where several reach theirs together, which of
//! them is first is decided by the last bits. With redundant contacts the rows in C can then depend on each other, and
//! their elimination divides by rounding.

use etalon_planar::LcpEvent;
use nalgebra::{DMatrix, DVector};

use super::range;

/// Steps for a row before it is left as it is, for each row of the problem.
const PATIENCE: usize = 10;

/// Where a row is that was treated already.
#[derive(Clone, Copy, PartialEq)]
enum Row {
    Untreated,
    Clamped,
    AtLower,
    AtUpper,
}

struct Drive<'a> {
    event: &'a LcpEvent<'a>,
    n: usize,
    rows: Vec<Row>,
    f: Vec<f64>,
    a: Vec<f64>,
}

/// The forces that it ends with.
pub fn forces(event: &LcpEvent<'_>) -> Vec<f64> {
    let n = event.b.len();
    let mut drive = Drive {
        event,
        n,
        rows: vec![Row::Untreated; n],
        f: vec![0.0; n],
        a: event.b.to_vec(),
    };
    for row in 0..n {
        drive.drive(row);
    }
    drive.f
}

impl Drive<'_> {
    fn drive(&mut self, row: usize) {
        let (least, most) = range(&self.event.bounds[row], &self.f);
        for _ in 0..PATIENCE * self.n {
            let sign = if self.a[row] < 0.0 { 1.0 } else { -1.0 };
            if sign < 0.0 && self.f[row] <= least {
                self.rows[row] = Row::AtLower;
                return;
            }
            if sign > 0.0 && self.f[row] >= most {
                self.rows[row] = Row::AtUpper;
                return;
            }
            let (df, da) = self.direction(row, sign);
            let Some((step, first)) =
                self.first(row, &df, &da, if sign > 0.0 { most } else { least })
            else {
                return;
            };
            for i in 0..self.n {
                self.f[i] += step * df[i];
                self.a[i] += step * da[i];
            }
            match first {
                Some((other, place)) => self.rows[other] = place,
                None => {
                    self.rows[row] = Row::Clamped;
                    return;
                }
            }
        }
    }

    /// How forces and accelerations change with f of the row, while those in C have no acceleration.
    fn direction(&self, row: usize, sign: f64) -> (Vec<f64>, Vec<f64>) {
        let (n, a) = (self.n, self.event.a);
        let clamped: Vec<usize> = (0..n).filter(|&i| self.rows[i] == Row::Clamped).collect();
        let mut df = vec![0.0; n];
        df[row] = sign;
        if !clamped.is_empty() {
            let entry = |i: usize, j: usize| a[clamped[i] * n + clamped[j]];
            let own = DMatrix::from_fn(clamped.len(), clamped.len(), entry);
            let against = |i: usize, _| -sign * a[clamped[i] * n + row];
            let change = own.lu().solve(&DVector::from_fn(clamped.len(), against));
            // An elimination that divides by zero leaves the other forces as they are.
            let change = change.unwrap_or_else(|| DVector::zeros(clamped.len()));
            clamped
                .iter()
                .zip(change.iter())
                .for_each(|(&i, change)| df[i] = *change);
        }
        let rows = a.chunks(n);
        let da = rows
            .map(|a| a.iter().zip(&df).map(|(a, df)| a * df).sum())
            .collect();
        (df, da)
    }

    /// The longest step, and the row that ends it with its new place; none where it is the driven one at a = 0. Nothing
    /// at all where no row ends it.
    #[allow(clippy::type_complexity)]
    fn first(
        &self,
        row: usize,
        df: &[f64],
        da: &[f64],
        bound: f64,
    ) -> Option<(f64, Option<(usize, Row)>)> {
        let mut best = (f64::INFINITY, None);
        if da[row] * df[row] > 0.0 {
            best = (-self.a[row] / da[row], None);
        }
        let place = |up: bool| if up { Row::AtUpper } else { Row::AtLower };
        if bound.is_finite() && (bound - self.f[row]) / df[row] < best.0 {
            best = (
                (bound - self.f[row]) / df[row],
                Some((row, place(df[row] > 0.0))),
            );
        }
        for i in (0..self.n).filter(|&i| i != row) {
            let (least, most) = range(&self.event.bounds[i], &self.f);
            let end = match self.rows[i] {
                Row::Clamped if df[i] < 0.0 => Some(((least - self.f[i]) / df[i], Row::AtLower)),
                Row::Clamped if df[i] > 0.0 => Some(((most - self.f[i]) / df[i], Row::AtUpper)),
                Row::AtLower if da[i] < 0.0 => Some((-self.a[i] / da[i], Row::Clamped)),
                Row::AtUpper if da[i] > 0.0 => Some((-self.a[i] / da[i], Row::Clamped)),
                _ => None,
            };
            if let Some((step, place)) = end.filter(|(step, _)| *step < best.0) {
                best = (step, Some((i, place)));
            }
        }
        best.0.is_finite().then_some(best)
    }
}

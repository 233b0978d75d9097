//! The backward error of forces in the circular cone, without a square root and without rounding.

use etalon_lcp::round_up_f64;
use etalon_rigid::Dense;
use rug::Rational;

use super::{Cone, Layout, exact};

/// The backward error of forces in the circular cone: they exactly satisfy the conditions for some
/// A, b and mu that differ from those given by no more than this, entry by entry and relatively.
///
/// With s = |A||f| + |b| and all numbers taken exactly, a row whose acceleration should be zero
/// counts |a_i|/s_i, one that should not be negative max(0, -a_N)/s_N. Friction counts the lesser of two
/// changes. One makes the contact stick: max_i |a_i|/s_i over the tangents. The other makes it slip: the part of
/// a_F that does not oppose f_F, row by row over s_i, and the distance of |f_F| from mu f_N. That distance is
/// |1 - |f_F|^2/(mu f_N)^2|, which is no less than the necessary relative change of mu.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConeError {
    /// The backward error, exactly.
    pub value: Rational,
    /// The contact with the largest share; none where a joint has it, or where there is none.
    pub contact: Option<usize>,
}

impl ConeError {
    /// The value in binary64, rounded up.
    pub fn rounded_up(&self) -> f64 {
        round_up_f64(&self.value)
    }
}

/// Exact accelerations with the sizes that rounding is measured by.
struct Exact {
    f: Vec<Rational>,
    a: Vec<Rational>,
    s: Vec<Rational>,
}

/// The backward error of forces that are in the cone.
pub fn measure(a: &Dense<f64>, b: &[f64], layout: &Layout, f: &[f64]) -> ConeError {
    if f.iter().any(|f| !f.is_finite()) {
        let value = Rational::from(1);
        return ConeError {
            value,
            contact: None,
        };
    }
    let numbers = accelerations(a, b, f);
    let joints = layout.joints.iter().map(|&row| ConeError {
        value: numbers.share(row, &numbers.a[row]),
        contact: None,
    });
    let cones = layout.cones.iter().map(|cone| ConeError {
        value: numbers.cone(cone),
        contact: Some(cone.contact),
    });
    let worst = joints.chain(cones).max_by(|x, y| x.value.cmp(&y.value));
    worst.filter(|worst| worst.value > 0).unwrap_or_default()
}

fn accelerations(a: &Dense<f64>, b: &[f64], f: &[f64]) -> Exact {
    let f: Vec<_> = f.iter().copied().map(exact).collect();
    let (mut accelerations, mut sizes) = (Vec::new(), Vec::new());
    for (i, &b) in b.iter().enumerate() {
        let mut sum = exact(b);
        let mut size = Rational::from(sum.abs_ref());
        for (&a, f) in a.row(i).iter().zip(&f) {
            if a != 0.0 && *f != 0 {
                let product = exact(a) * f;
                size += Rational::from(product.abs_ref());
                sum += product;
            }
        }
        accelerations.push(sum);
        sizes.push(size);
    }
    Exact {
        f,
        a: accelerations,
        s: sizes,
    }
}

impl Exact {
    /// |value| over the size of a row.
    fn share(&self, row: usize, value: &Rational) -> Rational {
        if *value == 0 {
            return Rational::new();
        }
        // A row of size zero has no acceleration.
        Rational::from(value.abs_ref()) / &self.s[row]
    }

    fn cone(&self, cone: &Cone) -> Rational {
        let row = cone.normal;
        let normal = &self.f[row];
        // No change of A, b and mu makes a pull right: the largest relative change there is.
        if *normal < 0 {
            return Rational::from(1);
        }
        if *normal == 0 {
            let missing = if self.a[row] < 0 {
                self.a[row].clone()
            } else {
                Rational::new()
            };
            return self.share(row, &missing);
        }
        let resting = self.share(row, &self.a[row]);
        if cone.tangents.is_empty() {
            return resting;
        }
        // Sticking and slipping are two ways to be right: the one that asks for less change counts.
        resting.max(self.stick(cone).min(self.slip(cone)))
    }

    fn stick(&self, cone: &Cone) -> Rational {
        let shares = cone.tangents.iter().map(|&t| self.share(t, &self.a[t]));
        shares.max().unwrap_or_default()
    }

    fn slip(&self, cone: &Cone) -> Rational {
        let limit = exact(cone.mu) * &self.f[cone.normal];
        let dot = |x: &[Rational], y: &[Rational]| -> Rational {
            cone.tangents
                .iter()
                .map(|&t| x[t].clone() * &y[t])
                .sum::<Rational>()
        };
        let (squared, along) = (dot(&self.f, &self.f), dot(&self.a, &self.f));
        // Without a force to turn or a limit to reach there is no slip: sticking is what is left.
        if limit == 0 || squared == 0 {
            return Rational::from(1);
        }
        // The part of a_F along -f_F is what friction may leave.
        let factor = if along < 0 {
            along / &squared
        } else {
            Rational::new()
        };
        let shares = cone.tangents.iter().map(|&t| {
            let rest = self.a[t].clone() - factor.clone() * &self.f[t];
            self.share(t, &rest)
        });
        let slack = (Rational::from(1) - squared / limit.square()).abs();
        slack.max(shares.max().unwrap_or_default())
    }
}

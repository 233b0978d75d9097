//! The balance of momentum.

use rug::Rational;

use crate::assembly::Assembly;
use crate::exact::ratio;
use crate::findings::Measured;

/// The largest |p_i| of a block over its largest S_i, S = |M||v1| + |M||v0| + h|f| + |J'||λ|.
pub fn balance(assembly: &Assembly) -> Measured {
    let one = Rational::from(1);
    of_scaled(assembly, &one)
}

/// Whether the balance is within a tolerance of rounding, products that cancel in torques included: a force towards a centre has no torque,
/// and its rounding is that of the products.
pub fn is_rounding(assembly: &Assembly, tol: &Rational) -> bool {
    let one = Rational::from(1);
    let scale: Vec<Rational> = (assembly.scale.iter().zip(&assembly.cancelled))
        .map(|(own, cancelled)| Rational::from(own + cancelled))
        .collect();
    measured(assembly, &one, scale).value <= *tol
}

/// The same with all impulses times a factor: what a wrong convention would have made of them.
pub fn of_scaled(assembly: &Assembly, factor: &Rational) -> Measured {
    measured(assembly, factor, assembly.scale.clone())
}

/// The balance in sizes `s` of what is no impulse.
fn measured(assembly: &Assembly, factor: &Rational, mut s: Vec<Rational>) -> Measured {
    let mut p = assembly.change.clone();
    for (row, impulse) in assembly.impulses() {
        let impulse = Rational::from(impulse * factor);
        for (j, own) in row {
            let part = Rational::from(own * &impulse);
            p[*j] -= &part;
            s[*j] += part.abs();
        }
    }
    let mut worst = Measured::default();
    for block in assembly.blocks.iter().filter(|block| !block.asleep) {
        let rows = block.rows.clone();
        let off = rows
            .clone()
            .map(|i| p[i].clone().abs())
            .max()
            .unwrap_or_default();
        let size = rows.map(|i| s[i].clone()).max().unwrap_or_default();
        // |p_i| <= S_i, so that 0 / 0 is the only quotient without a value.
        let value = ratio(&off, &size).unwrap_or_else(|| Rational::from(1));
        worst.raise(value, || block.name.clone());
    }
    worst
}

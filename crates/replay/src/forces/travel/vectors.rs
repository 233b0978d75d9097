//! Vectors of three fractions, and sums of rows.

use rug::Rational;

pub type Q = Rational;
pub type V = [Q; 3];

/// Whether a vector is a sum of multiples of rows.
pub fn spans(rows: Vec<Vec<Q>>, mut vector: Vec<Q>) -> bool {
    let mut basis: Vec<(usize, Vec<Q>)> = Vec::new();
    let reduce = |basis: &[(usize, Vec<Q>)], row: &mut [Q]| {
        for (pivot, own) in basis {
            let factor = Q::from(&row[*pivot] / &own[*pivot]);
            if factor != 0 {
                for (entry, own) in row.iter_mut().zip(own) {
                    *entry -= Q::from(own * &factor);
                }
            }
        }
    };
    for mut row in rows {
        reduce(&basis, &mut row);
        if let Some(pivot) = row.iter().position(|entry| *entry != 0) {
            basis.push((pivot, row));
        }
    }
    reduce(&basis, &mut vector);
    vector.iter().all(|entry| *entry == 0)
}

pub fn zero() -> V {
    [Q::new(), Q::new(), Q::new()]
}

pub fn unit(k: usize) -> V {
    std::array::from_fn(|i| Q::from(u32::from(i == k)))
}

pub fn dot(a: &V, b: &V) -> Q {
    let terms = a.iter().zip(b).map(|(a, b)| Q::from(a * b));
    terms.fold(Q::new(), |sum, own| sum + own)
}

pub fn plus(a: &V, factor: &Q, b: &V) -> V {
    std::array::from_fn(|k| Q::from(&b[k] * factor) + &a[k])
}

pub fn minus(a: &V, b: &V) -> V {
    plus(a, &Q::from(-1), b)
}

pub fn cross(a: &V, b: &V) -> V {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        Q::from(&a[i] * &b[j]) - Q::from(&a[j] * &b[i])
    })
}

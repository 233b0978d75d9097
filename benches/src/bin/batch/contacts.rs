//! One problem of many contacts with friction cones, and an answer to it as good as binary64 allows.

use std::io::{self, Write};

use etalon_benches::splitmix::Splitmix;

use super::inputs::{Pair, list};

/// A contact: mu, and force and velocity that obey Coulomb's law up to rounding.
struct Contact {
    mu: f64,
    force: [f64; 3],
    velocity: [f64; 3],
}

impl Contact {
    /// A third of all contacts take off, a third stick, a third slide.
    fn draw(draw: &mut Splitmix) -> Self {
        let mu = 0.2 + draw.unit();
        // No direction is short, so each can be made one of length 1.
        let side = if draw.below(2) == 0 { 1.0 } else { -1.0 };
        let [x, y] = [2.0 * draw.unit() - 1.0, side * (0.1 + draw.unit())];
        let length = (x * x + y * y).sqrt();
        let along = |by: f64| [by * x / length, by * y / length];
        let (normal, slip) = (0.5 + draw.unit(), 0.1 + draw.unit());
        let rows = |normal: f64, [one, two]: [f64; 2]| [normal, one, two];
        let (force, velocity) = match draw.below(3) {
            0 => ([0.0; 3], rows(slip, along(draw.unit()))),
            1 => (
                rows(normal, along(0.9 * draw.unit() * mu * normal)),
                [0.0; 3],
            ),
            _ => (rows(normal, along(mu * normal)), rows(0.0, along(-slip))),
        };
        Self {
            mu,
            force,
            velocity,
        }
    }
}

/// Writes the problem u = Wr + q, row by row: W has a block of full mantissas for each contact, and its normal row
/// meets those of the contacts before and after it, as in a column. q = u - Wr is rounded. Returns the number of
/// nonzeros.
pub fn contacts(pair: &Pair, count: usize) -> io::Result<u64> {
    let mut draw = Splitmix(1);
    let all: Vec<_> = (0..count).map(|_| Contact::draw(&mut draw)).collect();
    let links: Vec<_> = (0..=count).map(|_| 0.4 * (draw.unit() - 0.5)).collect();
    let (mut problems, mut claims) = pair.create()?;
    let n = 3 * count;
    write!(
        problems,
        "{{\"name\":\"contacts\",\"M\":{{\"shape\":[{n},{n}],\"entries\":["
    )?;
    let (mut q, mut nonzeros) = (Vec::with_capacity(n), 0);
    for (k, contact) in all.iter().enumerate() {
        for (row, entries) in rows(&mut draw, k, &links).into_iter().enumerate() {
            let mut product = 0.0;
            for (j, value) in entries.into_iter().filter(|(j, _)| *j < n) {
                let comma = if nonzeros == 0 { "" } else { "," };
                write!(problems, "{comma}[{},{j},{value}]", 3 * k + row)?;
                product += value * all[j / 3].force[j % 3];
                nonzeros += 1;
            }
            q.push(contact.velocity[row] - product);
        }
    }
    write!(problems, "]}},\"q\":{},\"cones\":[", list(&q))?;
    for (k, Contact { mu, .. }) in all.iter().enumerate() {
        let comma = if k == 0 { "" } else { "," };
        let [normal, one, two] = [3 * k, 3 * k + 1, 3 * k + 2];
        write!(
            problems,
            "{comma}{{\"rows\":[{normal},{one},{two}],\"mu\":{mu}}}"
        )?;
    }
    writeln!(problems, "]}}")?;
    let z: Vec<_> = all.iter().flat_map(|contact| contact.force).collect();
    writeln!(
        claims,
        "{{\"name\":\"contacts\",\"status\":\"solved\",\"z\":{}}}",
        list(&z)
    )?;
    problems.flush()?;
    claims.flush()?;
    Ok(nonzeros)
}

/// The nonzeros of the rows of contact k, columns ascending; those of a contact after the last are left out.
fn rows(draw: &mut Splitmix, k: usize, links: &[f64]) -> [Vec<(usize, f64)>; 3] {
    let mut small = || 0.6 * (draw.unit() - 0.5);
    let (a, b, c) = (small(), small(), small());
    let mut large = || 1.5 + 0.5 * draw.unit();
    let i = 3 * k;
    let mut normal = vec![(i, large()), (i + 1, a), (i + 2, b), (i + 3, links[k + 1])];
    if k > 0 {
        normal.insert(0, (i - 3, links[k]));
    }
    let one = vec![(i, a), (i + 1, large()), (i + 2, c)];
    let two = vec![(i, b), (i + 1, c), (i + 2, large())];
    [normal, one, two]
}

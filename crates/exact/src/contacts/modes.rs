//! Modes of contacts and plain rows: read off an approximate solution, and corrected where the
//! solution of their equations breaks an inequality.

use etalon_lcp::{Cone, Disc, Law, Mode, Problem, Row};

/// z and w in binary64, n values each.
pub(super) struct Point {
    pub z: Vec<f64>,
    pub w: Vec<f64>,
}

/// The rows of a disc with mu > 0, and mu.
pub(super) fn tangents(disc: &Disc) -> impl Iterator<Item = (usize, f64)> {
    let rows = disc.rows.iter().enumerate();
    let rows = rows.map(|(k, row)| (*row, disc.mu.of(k)));
    rows.filter(|(_, mu)| mu.signum() > 0)
        .map(|(row, mu)| (row, mu.to_f64()))
}

/// The rows in no cone, ascending.
pub(super) fn plain_rows(problem: &Problem) -> Vec<usize> {
    let rows = problem.rows();
    (0..problem.n())
        .filter(|i| !matches!(rows[*i], Row::Cone))
        .collect()
}

/// |r|_d, the length of r_k / mu_k.
fn length(disc: &Disc, z: &[f64]) -> f64 {
    tangents(disc)
        .map(|(row, mu)| (z[row] / mu).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// The modes that an approximate solution is read as. A force within `near` of the largest force of
/// the problem is 0, and one within `near` of its disc's boundary, relative to r_N, slides.
pub(super) fn read(problem: &Problem, point: &Point, near: f64) -> Vec<Mode> {
    let Point { z, w } = point;
    let of_cones = problem.cones().iter().flat_map(Cone::rows);
    let largest = of_cones.map(|i| z[i].abs()).fold(0.0, f64::max);
    let contact = |cone: &Cone| {
        let r_n = z[cone.normal];
        // Relative to the largest force: which forces are rounding depends on those that balance beside
        // them.
        if r_n <= near * largest {
            return Mode::Open;
        }
        let slides =
            |disc: &Disc| tangents(disc).next().is_some() && length(disc, z) >= (1.0 - near) * r_n;
        let slides: Vec<_> = cone.discs.iter().map(slides).collect();
        Mode::Pressed(slides)
    };
    let rows = problem.rows();
    let plain = |i: usize| {
        let at = |bound: f64| {
            (z[i] - bound).abs() <= near * z[i].abs().max(bound.abs()).max(f64::MIN_POSITIVE)
        };
        let (lower, upper) = ends(&rows[i], z);
        // A bound that the row pulls away from is none.
        if lower.is_some_and(at) && w[i] >= 0.0 {
            Mode::Lower
        } else if upper.is_some_and(at) && w[i] <= 0.0 {
            Mode::Upper
        } else {
            Mode::Free
        }
    };
    let modes = problem.cones().iter().map(contact);
    modes
        .chain(plain_rows(problem).into_iter().map(plain))
        .collect()
}

/// The bounds of a plain row at z.
fn ends(row: &Row<'_>, z: &[f64]) -> (Option<f64>, Option<f64>) {
    match row {
        Row::Nonnegative => (Some(0.0), None),
        Row::AtLeast(lower) => (Some(lower.to_f64()), None),
        Row::AtMost(upper) => (None, Some(upper.to_f64())),
        Row::Between(lower, upper) => (Some(lower.to_f64()), Some(upper.to_f64())),
        Row::Free | Row::Cone => (None, None),
        Row::Friction { normal, mu } => {
            let reach = mu.to_f64() * z[*normal];
            (Some(-reach), Some(reach))
        }
    }
}

/// Changes the modes whose inequalities do not hold at the solution of their equations, and says whether
/// there were any: a contact that pulls opens, one that is entered closes, friction beyond its disc slides,
/// and friction along slip sticks.
pub(super) fn correct(problem: &Problem, point: &Point, modes: &mut [Mode]) -> bool {
    let before = modes.to_vec();
    let Point { z, w } = point;
    let (of_cones, of_rows) = modes.split_at_mut(problem.cones().len());
    for (cone, mode) in problem.cones().iter().zip(of_cones) {
        match mode {
            Mode::Pressed(_) if z[cone.normal] < 0.0 => *mode = Mode::Open,
            Mode::Pressed(slides) => {
                for (disc, slides) in cone.discs.iter().zip(slides) {
                    if *slides {
                        // Sliding friction opposes slip, so r'w <= 0 over the disc. A positive
                        // product means that the zero found is the other one, at which friction
                        // pushes along.
                        let along: f64 = tangents(disc).map(|(row, _)| z[row] * w[row]).sum();
                        *slides = along <= 0.0;
                    } else {
                        *slides =
                            length(disc, z) > z[cone.normal] && tangents(disc).next().is_some();
                    }
                }
            }
            Mode::Open if w[cone.normal] < slip(cone, w) => {
                *mode = Mode::Pressed(vec![false; cone.discs.len()]);
            }
            _ => {}
        }
    }
    let rows = problem.rows();
    for (i, mode) in plain_rows(problem).into_iter().zip(of_rows) {
        let (lower, upper) = ends(&rows[i], z);
        *mode = match mode {
            Mode::Lower if w[i] < 0.0 => Mode::Free,
            Mode::Upper if w[i] > 0.0 => Mode::Free,
            Mode::Free if lower.is_some_and(|lower| z[i] < lower) => Mode::Lower,
            Mode::Free if upper.is_some_and(|upper| z[i] > upper) => Mode::Upper,
            _ => continue,
        };
    }
    before != modes
}

/// What u_N of an open contact is at least: by the convex law the sum over discs of |mu u|_d.
fn slip(cone: &Cone, w: &[f64]) -> f64 {
    let of_disc = |disc: &Disc| {
        tangents(disc)
            .map(|(row, mu)| (mu * w[row]).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    match cone.law {
        Law::Coulomb => 0.0,
        Law::Convex => cone.discs.iter().map(of_disc).sum(),
    }
}

#[cfg(test)]
mod tests {
    use etalon_lcp::record;

    use super::*;

    /// Bounds and boundaries count within a thousandth here, and no further.
    #[test]
    fn modes_are_read_within_what_is_near() {
        let text = r#"{"name": "c", "M": [[1,0,0,0], [0,1,0,0], [0,0,1,0], [0,0,0,1]], "q": [0, 0, 0, 0],
            "lower": [0, 0, 0, -2], "upper": ["inf", "inf", "inf", 2],
            "cones": [{"rows": [0, 1, 2], "mu": 0.5, "law": "coulomb"}]}"#;
        let problem = record::read_problem(text).unwrap().record;
        let (sticks, slides) = (Mode::Pressed(vec![false]), Mode::Pressed(vec![true]));
        for (z, w, modes) in [
            ([4.0, 1.0, 1.0, 1.0], 0.0, [&sticks, &Mode::Free]),
            ([4.0, 1.9999, 0.0, -1.0], 0.0, [&slides, &Mode::Free]),
            ([4.0, 1.99, 0.0, 1.9999], -1.0, [&sticks, &Mode::Upper]),
            ([4.0, 0.0, 2.1, 1.9999], 1.0, [&slides, &Mode::Free]),
            ([4.0, 0.0, 0.0, -1.9999], 1.0, [&sticks, &Mode::Lower]),
            ([0.001, 1.0, 1.0, -1.99], 1.0, [&Mode::Open, &Mode::Free]),
        ] {
            let w = vec![0.0, 0.0, 0.0, w];
            let read = read(&problem, &Point { z: z.to_vec(), w }, 1e-3);
            assert_eq!(read.iter().collect::<Vec<_>>(), modes, "{z:?}");
        }
    }

    /// What the law says of each mode whose inequality does not hold, and that others stay.
    #[test]
    fn modes_are_corrected_where_their_inequalities_do_not_hold() {
        let text = r#"{"name": "c", "M": [[1,0,0,0], [0,1,0,0], [0,0,1,0], [0,0,0,1]], "q": [0, 0, 0, 0],
            "lower": [0, 0, 0, -2], "upper": ["inf", "inf", "inf", 2],
            "cones": [{"rows": [0, 1, 2], "mu": 0.5, "law": "coulomb"}]}"#;
        let problem = record::read_problem(text).unwrap().record;
        let (sticks, slides) = (Mode::Pressed(vec![false]), Mode::Pressed(vec![true]));
        // The contact, its force and its velocity; the plain row, its unknown and its w; both modes afterwards.
        let still = [0.0; 3];
        for (contact, z, w, (plain, own_z, own_w), after) in [
            (
                &sticks,
                [4.0, 1.0, 1.0],
                still,
                (Mode::Free, 1.0, 0.0),
                (&sticks, Mode::Free),
            ),
            (
                &sticks,
                [4.0, 2.0, 1.0],
                still,
                (Mode::Free, 3.0, 0.0),
                (&slides, Mode::Upper),
            ),
            (
                &slides,
                [2.0, 1.0, 0.0],
                [0.0, -1.0, 0.0],
                (Mode::Free, -3.0, 0.0),
                (&slides, Mode::Lower),
            ),
            (
                &slides,
                [2.0, 1.0, 0.0],
                [0.0, 1.0, 0.0],
                (Mode::Lower, -2.0, 1.0),
                (&sticks, Mode::Lower),
            ),
            (
                &slides,
                [-1.0, 0.0, 0.0],
                still,
                (Mode::Lower, -2.0, -1.0),
                (&Mode::Open, Mode::Free),
            ),
            (
                &Mode::Open,
                still,
                [1.0, 9.0, 0.0],
                (Mode::Upper, 2.0, -1.0),
                (&Mode::Open, Mode::Upper),
            ),
            (
                &Mode::Open,
                still,
                [-1.0, 0.0, 0.0],
                (Mode::Upper, 2.0, 1.0),
                (&sticks, Mode::Free),
            ),
        ] {
            let point = Point {
                z: [z.as_slice(), &[own_z]].concat(),
                w: [w.as_slice(), &[own_w]].concat(),
            };
            let mut modes = [contact.clone(), plain];
            let before = modes.clone();
            let changed = correct(&problem, &point, &mut modes);
            assert_eq!(
                modes,
                [after.0.clone(), after.1],
                "{before:?} at {z:?}, {w:?}"
            );
            assert_eq!(changed, modes != before);
        }
    }
}

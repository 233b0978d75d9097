//! The adversarial problems, by recipe.
//!
//! Sizes are small: what goes wrong in a solver goes wrong for few rows, sooner or later.

#![allow(
    clippy::needless_range_loop,
    reason = "an entry and its mirror image are named by the same two indices"
)]

use etalon_lcp::{Cone, Disc, Law, Mu, Number, Problem};

use super::mutate::mutated;
use crate::generate::draft::{Draft, Rows};
use crate::generate::draw::{Draw, power_of_two};
use crate::generate::{cone_families, families, sliding};

/// A way to make problems.
pub struct Recipe {
    pub name: &'static str,
    draft: fn(&mut Draw, u64, &[Problem]) -> Draft,
}

impl Recipe {
    pub fn draft(&self, draw: &mut Draw, k: u64, goldens: &[Problem]) -> Draft {
        (self.draft)(draw, k, goldens)
    }
}

static RECIPES: &[Recipe] = &[
    Recipe {
        name: "ties",
        draft: ties,
    },
    Recipe {
        name: "planted",
        draft: planted,
    },
    Recipe {
        name: "family",
        draft: family,
    },
    Recipe {
        name: "rank",
        draft: rank,
    },
    Recipe {
        name: "rounded-rank",
        draft: rounded_rank,
    },
    Recipe {
        name: "tiny-q",
        draft: tiny_q,
    },
    Recipe {
        name: "mass-ratio",
        draft: mass_ratio,
    },
    Recipe {
        name: "units",
        draft: units,
    },
    Recipe {
        name: "painleve",
        draft: painleve,
    },
    Recipe {
        name: "duplicated",
        draft: duplicated,
    },
    Recipe {
        name: "unsolvable",
        draft: unsolvable,
    },
    Recipe {
        name: "several",
        draft: several,
    },
    Recipe {
        name: "mutant",
        draft: mutant,
    },
];

/// Of problems with friction cones.
static CONE_RECIPES: &[Recipe] = &[
    Recipe {
        name: "cone-slide",
        draft: cone_slide,
    },
    Recipe {
        name: "cone-family",
        draft: cone_family,
    },
    Recipe {
        name: "cone-shapes",
        draft: cone_shapes,
    },
    Recipe {
        name: "cone-units",
        draft: cone_units,
    },
    Recipe {
        name: "cone-mutant",
        draft: cone_mutant,
    },
];

/// The recipe of problem k: each in turn. Where friction cones are asked for, every other problem has some, beginning
/// with the first, so that a short search sees them too.
pub fn of(k: u64, with_cones: bool) -> &'static Recipe {
    let (recipes, k) = match (with_cones, k.is_multiple_of(2)) {
        (true, true) => (CONE_RECIPES, k / 2),
        (true, false) => (RECIPES, k / 2),
        (false, _) => (RECIPES, k),
    };
    &recipes[(k % recipes.len() as u64) as usize]
}

/// In how many problems each recipe has its turn.
#[cfg(test)]
pub fn count(with_cones: bool) -> u64 {
    let longest = RECIPES.len().max(CONE_RECIPES.len());
    if with_cones {
        2 * longest as u64
    } else {
        RECIPES.len() as u64
    }
}

/// Mostly two to five rows, up to ten.
fn size(draw: &mut Draw) -> usize {
    if draw.one_in(4) {
        1 + draw.index(10)
    } else {
        2 + draw.index(4)
    }
}

/// A sixteenth of an integer, a full mantissa, or a small integer, as the problem has them.
fn entry(draw: &mut Draw, style: usize) -> f64 {
    match style {
        0 => draw.between(-2, 2) as f64,
        1 => draw.between(-32, 32) as f64 / 16.0,
        _ => draw.unit(),
    }
}

/// JJ' with the sums in one order, so that it is symmetric.
fn gram(j: &Rows<f64>, weights: &[f64]) -> Rows<f64> {
    let product = |a: &[f64], b: &[f64]| {
        let terms = a.iter().zip(b).zip(weights);
        terms.map(|((x, y), w)| x * y * w).sum()
    };
    let row = |a: &Vec<f64>| j.iter().map(|b| product(a, b)).collect();
    let mut m: Rows<f64> = j.iter().map(row).collect();
    for i in 0..m.len() {
        for k in 0..i {
            m[i][k] = m[k][i];
        }
    }
    m
}

/// J a.
fn times(j: &Rows<f64>, a: &[f64]) -> Vec<f64> {
    let row = |row: &Vec<f64>| row.iter().zip(a).map(|(x, y)| x * y).sum();
    j.iter().map(row).collect()
}

/// Definite, with the diagonal raised by 1.
fn definite(draw: &mut Draw, n: usize, style: usize) -> Rows<f64> {
    let j = draw.matrix(n, n, |draw| entry(draw, style));
    let mut m = gram(&j, &vec![1.0; n]);
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += 1.0;
    }
    m
}

/// Any of a few kinds of well-behaved matrix.
fn matrix(draw: &mut Draw, n: usize) -> Rows<f64> {
    let style = draw.index(3);
    match draw.below(4) {
        0 => {
            let j = draw.matrix(n, n.div_ceil(2), |draw| entry(draw, style.min(1)));
            gram(&j, &vec![1.0; n.div_ceil(2)])
        }
        // Definite plus skew: a P-matrix.
        1 => {
            let mut m = definite(draw, n, style);
            for i in 0..n {
                for k in 0..i {
                    let skew = entry(draw, style);
                    m[i][k] += skew;
                    m[k][i] -= skew;
                }
            }
            m
        }
        _ => definite(draw, n, style),
    }
}

/// Right-hand sides that tie: all -1, powers of one number, or the sums of rows.
fn ties(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let n = size(draw);
    let m = matrix(draw, n);
    let q = match draw.below(4) {
        0 => vec![-1.0; n],
        1 => draw.vector(n, |draw| -power_of_two(draw.index(3) as i32 - 1)),
        2 => draw.vector(n, |draw| [-0.75, -0.75, 0.0, 0.5][draw.index(4)]),
        _ => m.iter().map(|row| -row.iter().sum::<f64>()).collect(),
    };
    Draft::new(m, q)
}

/// A solution with z_i = w_i = 0 in some rows: q = w - Mz, exact for the small numbers drawn.
fn planted(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let n = size(draw);
    let style = draw.index(2);
    let m = if draw.one_in(3) {
        draw.matrix(n, n, |draw| entry(draw, style))
    } else {
        definite(draw, n, style)
    };
    let kinds = draw.vector(n, |draw| draw.index(3));
    let sizes = draw.vector(n, |draw| draw.between(1, 3) as f64);
    let pick = |kind: usize, i: usize| if kinds[i] == kind { sizes[i] } else { 0.0 };
    let z: Vec<_> = (0..n).map(|i| pick(0, i)).collect();
    let product = times(&m, &z);
    let q = (0..n).map(|i| pick(1, i) - product[i]).collect();
    Draft::new(m, q)
}

fn family(draw: &mut Draw, k: u64, _: &[Problem]) -> Draft {
    from_families(draw, k, |_| true)
}

fn unsolvable(draw: &mut Draw, k: u64, _: &[Problem]) -> Draft {
    from_families(draw, k, |name| {
        ["infeasible", "no-solution", "psd-infeasible"].contains(&name)
    })
}

/// Families that came after problems of fuzzing were on file: with them in the draw, problem k of a seed would be another.
const LATER: [&str; 1] = ["friction-pile-eight"];

/// A member of one of the generated families that fit, of at most twelve rows.
fn from_families(draw: &mut Draw, k: u64, fits: fn(&str) -> bool) -> Draft {
    let known = families().iter().filter(|f| !LATER.contains(&f.name));
    let families: Vec<_> = known.filter(|f| fits(f.name)).collect();
    let family = families[draw.index(families.len())];
    let sizes: Vec<_> = (1..=12).filter(|&n| family.sizes.contains(n)).collect();
    let n = sizes[draw.index(sizes.len())];
    let draft = (family.draft)(draw, n, k);
    // What is kept sparse there is small here, and dense.
    draft.dense()
}

/// More contacts than degrees of freedom, q in the range.
fn rank(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let n = size(draw);
    let rank = 1 + draw.index(n.min(4));
    let j = draw.matrix(n, rank, |draw| entry(draw, 1));
    let a = draw.vector(rank, |draw| draw.between(-16, 16) as f64 / 4.0);
    Draft::new(gram(&j, &vec![1.0; rank]), times(&j, &a))
}

/// The same with full mantissas, so that the rank is deficient but for rounding; some entries are an
/// ulp off on top of that.
fn rounded_rank(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let n = size(draw);
    let rank = 1 + draw.index(n.min(4));
    let j = draw.matrix(n, rank, |draw| entry(draw, 2));
    let a = draw.vector(rank, Draw::unit);
    let mut m = gram(&j, &vec![1.0; rank]);
    for i in 0..n {
        for k in 0..=i {
            if draw.one_in(4) {
                m[i][k] = m[i][k].next_up();
                m[k][i] = m[i][k];
            }
        }
    }
    // Raised a little, so that a solution of ordinary size is near.
    let q = times(&j, &a).into_iter().map(|q| q.next_up()).collect();
    Draft::new(m, q)
}

/// Rounding left where 0 was meant.
fn tiny_q(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let n = size(draw);
    let m = matrix(draw, n);
    let q = draw.vector(n, |draw| match draw.below(3) {
        0 => entry(draw, 2),
        1 => entry(draw, 2) * power_of_two(-56),
        _ => -power_of_two(-57),
    });
    Draft::new(m, q)
}

/// A light body under heavy ones: weights from 2^-30 to 2^30.
fn mass_ratio(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let n = size(draw);
    let style = draw.index(2);
    let j = draw.matrix(n, n, |draw| entry(draw, style));
    let weights = draw.vector(n, |draw| power_of_two(draw.between(-30, 30) as i32));
    let a = draw.vector(n, |draw| draw.between(-4, 4) as f64);
    Draft::new(gram(&j, &weights), times(&j, &a))
}

/// DMD and Dq, D from 2^-25 to 2^25.
fn units(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let n = size(draw);
    let m = matrix(draw, n);
    let q = draw.vector(n, |draw| entry(draw, 1));
    let units = draw.vector(n, |draw| power_of_two(draw.between(-25, 25) as i32));
    Draft::new(m, q).scaled(&units, &units)
}

/// A sliding or sticking rod with one contact near Painleve's paradox: rows beta+, beta-, the normal
/// force and lambda, with n'W(n - mu d) as near to 0 as it pleases, on either side of it.
fn painleve(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let (c, s) = [(3.0, 4.0), (4.0, 3.0), (5.0, 12.0), (8.0, 15.0)][draw.index(4)];
    let moment = draw.between(1, 4) as f64;
    // In units of the inverse mass, scaled by (c^2 + s^2) to stay integral.
    let normal = c * c + s * s + moment * c * c;
    let tangent = c * c + s * s + moment * s * s;
    let coupling = -moment * c * s;
    let critical = normal / -coupling;
    let mu = match draw.below(4) {
        0 => critical,
        1 => critical.next_up(),
        2 => critical.next_down(),
        _ => draw.between(1, 4) as f64 / 2.0,
    };
    let (velocity, gravity) = (draw.between(-3, 3) as f64, -(draw.between(0, 4) as f64));
    let m = vec![
        vec![tangent, -tangent, coupling, 1.0],
        vec![-tangent, tangent, -coupling, 1.0],
        vec![coupling, -coupling, normal, 0.0],
        vec![-1.0, -1.0, mu, 0.0],
    ];
    let q = vec![velocity, -velocity, gravity, 0.0];
    if draw.one_in(3) {
        // At the level of accelerations, sliding one way: a single row.
        return Draft::new(vec![vec![normal + mu * coupling]], vec![gravity]);
    }
    Draft::new(m, q)
}

/// A contact stated twice, now and then in other units.
fn duplicated(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let n = 1 + draw.index(5);
    let m = matrix(draw, n);
    let q = draw.vector(n, |draw| entry(draw, 1));
    let copies = 1 + draw.index(3);
    let mut order: Vec<_> = (0..n).collect();
    for _ in 0..copies {
        order.insert(draw.index(order.len() + 1), draw.index(n));
    }
    let draft = Draft::new(m, q).permuted(&order);
    if draw.one_in(2) {
        return draft;
    }
    let units = draw.vector(order.len(), |draw| power_of_two(draw.between(-2, 2) as i32));
    draft.scaled(&units, &units)
}

/// Several solutions, or none: indefinite matrices, zero blocks, games.
fn several(draw: &mut Draw, k: u64, _: &[Problem]) -> Draft {
    match draw.below(3) {
        0 => from_families(draw, k, |name| ["bimatrix", "integer"].contains(&name)),
        1 => {
            let n = 2 + draw.index(3);
            let mut m = draw.matrix(n, n, |draw| draw.between(-1, 1) as f64);
            m[0][0] = -1.0;
            Draft::new(m, draw.vector(n, |draw| draw.between(-1, 2) as f64))
        }
        _ => {
            let n = 2 + draw.index(3);
            let m = draw.matrix(n, n, |draw| draw.between(0, 2) as f64);
            Draft::new(m, draw.vector(n, |draw| draw.between(-2, 0) as f64))
        }
    }
}

fn mutant(draw: &mut Draw, k: u64, goldens: &[Problem]) -> Draft {
    let draft = golden(draw, goldens, Problem::is_lcp);
    let draft = draft.unwrap_or_else(|| from_families(draw, k, |_| true));
    mutated(draw, draft)
}

/// One of the goldens of a kind.
fn golden(draw: &mut Draw, goldens: &[Problem], is_of_kind: fn(&Problem) -> bool) -> Option<Draft> {
    let goldens: Vec<_> = goldens.iter().filter(|own| is_of_kind(own)).collect();
    let chosen = (!goldens.is_empty()).then(|| draw.index(goldens.len()));
    chosen.and_then(|chosen| Draft::of(goldens[chosen]))
}

/// One or two contacts that slide: a pyramid or a box in place of the disc is wrong wherever they slide along no axis.
fn cone_slide(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let (count, law) = (1 + draw.index(2), Law::ALL[draw.index(2)]);
    sliding(draw, count, law).dense()
}

/// A member of a generated family of contacts in space, of one to four contacts, whose solution is known.
fn cone_family(draw: &mut Draw, k: u64, _: &[Problem]) -> Draft {
    let family = &cone_families()[draw.index(cone_families().len())];
    let contacts = 1 + draw.index(4);
    (family.draft)(draw, 3 * contacts, k).dense()
}

/// Cones of every shape: none to four discs of one to five rows, circles and ellipses, tiny, huge and missing friction; now
/// and then plain rows beside them.
fn cone_shapes(draw: &mut Draw, _: u64, _: &[Problem]) -> Draft {
    let law = Law::ALL[draw.index(2)];
    let (mut cones, mut rows) = (Vec::new(), 0);
    for _ in 0..=draw.index(2) {
        if draw.one_in(4) {
            rows += 1;
        }
        let (normal, mut discs) = (rows, Vec::new());
        rows += 1;
        let count = if draw.one_in(4) { draw.index(5) } else { 1 };
        for _ in 0..count {
            let size = if draw.one_in(3) { 1 + draw.index(5) } else { 2 };
            let mu = cone_mu(draw, size);
            discs.push(Disc {
                rows: (rows..rows + size).collect(),
                mu,
            });
            rows += size;
        }
        cones.push(Cone { normal, discs, law });
    }
    let style = draw.index(2);
    let rank = if draw.one_in(3) {
        rows.div_ceil(2)
    } else {
        rows
    };
    let j = draw.matrix(rows, rank, |draw| entry(draw, style));
    let m = gram(&j, &vec![1.0; rank]);
    // In the range of M where it is singular, and normal rows pressed where it is not.
    let a = draw.vector(rank, |draw| draw.between(-8, 8) as f64 / 2.0);
    let mut draft = Draft::new(m, times(&j, &a));
    draft.cones = cones;
    draft
}

/// Friction coefficients of a disc of so many rows: one for all, or one a row.
fn cone_mu(draw: &mut Draw, rows: usize) -> Mu {
    const COEFFICIENTS: [f64; 8] = [0.0, 1e-9, 0.125, 0.3, 0.5, 1.0, 2.0, 1e6];
    let number = |draw: &mut Draw| {
        let mu = COEFFICIENTS[draw.index(COEFFICIENTS.len())];
        Number::from_f64(mu).unwrap_or_else(|| Number::from(0))
    };
    if draw.one_in(3) {
        Mu::Each((0..rows).map(|_| number(draw)).collect())
    } else {
        Mu::One(number(draw))
    }
}

/// A member of a family in other units: forces times one power of two, velocities times another.
fn cone_units(draw: &mut Draw, k: u64, goldens: &[Problem]) -> Draft {
    let draft = cone_family(draw, k, goldens);
    let n = draft.q.len();
    let unit = |draw: &mut Draw| power_of_two(draw.between(-60, 60) as i32);
    let (velocity, force) = (unit(draw), unit(draw));
    let solution = draft.solution.as_ref();
    let solution = solution.map(|z| z.iter().map(|z| z / force).collect());
    Draft {
        solution,
        ..draft.scaled(&vec![velocity; n], &vec![force; n])
    }
}

fn cone_mutant(draw: &mut Draw, k: u64, goldens: &[Problem]) -> Draft {
    let is_small = |problem: &Problem| !problem.is_lcp() && problem.n() <= 36;
    let draft = golden(draw, goldens, is_small);
    let draft = draft.unwrap_or_else(|| cone_family(draw, k, goldens));
    mutated(draw, draft)
}

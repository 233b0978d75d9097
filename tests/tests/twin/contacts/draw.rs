//! Random contacts: forces and velocities that obey a law, the same with something changed, and anything.

use etalon_tests::twin::{Rational, from_f64};
use malachite::base::num::conversion::traits::RoundingFrom;
use malachite::base::rounding_modes::RoundingMode;
use serde_json::{Value, json};

/// The generator of Steele, Lea and Flood 2014 (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// One time in so many.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self
            .below(u64::try_from(high - low + 1).unwrap())
            .cast_signed()
    }

    pub fn fraction(&mut self) -> Rational {
        Rational::from_signeds(self.between(-12, 12), self.between(1, 6))
    }

    pub fn positive(&mut self) -> Rational {
        Rational::from_signeds(self.between(1, 24), self.between(1, 6))
    }

    /// Something small, of one of many sizes, around the tolerance above all.
    fn small(&mut self) -> Rational {
        let powers = [2, 5, 7, 8, 9, 9, 9, 10, 11, 13, 16, 25];
        let power = powers[usize::try_from(self.below(12)).unwrap()];
        let size = Rational::from_signeds(self.between(1, 19), 10);
        let sign = if self.one_in(2) { 1 } else { -1 };
        size * Rational::from(sign) / Rational::from(10_u64).pow(power)
    }

    /// A point of a sphere with rational entries.
    fn direction(&mut self, n: usize) -> Vec<Rational> {
        let along: Vec<Rational> = (1..n)
            .map(|_| Rational::from(self.between(-3, 3)))
            .collect();
        let square: Rational = along.iter().map(|t| t * t).sum();
        let (one, two) = (Rational::from(1), Rational::from(2));
        let below = &one + &square;
        let mut point = vec![(one - square) / &below];
        point.extend(along.into_iter().map(|t| &two * t / &below));
        if self.one_in(2) {
            point.reverse();
        }
        point
    }
}

trait Power {
    fn pow(self, power: u64) -> Self;
}

impl Power for Rational {
    fn pow(self, power: u64) -> Self {
        (0..power).fold(Self::from(1), |product, _| product * &self)
    }
}

/// What a drawn disc has: its rows, mu, force and velocity.
struct Disc {
    rows: Vec<usize>,
    mu: Vec<Rational>,
    one: bool,
    force: Vec<Rational>,
    slip: Vec<Rational>,
}

/// A problem that is being drawn.
struct Draft {
    dice: Dice,
    z: Vec<Rational>,
    w: Vec<Rational>,
    cones: Vec<Value>,
    bounds: Vec<[Value; 2]>,
}

const ORDINARY: [&str; 2] = ["0", "inf"];

impl Draft {
    fn add_row(&mut self, z: Rational, w: Rational, bounds: [&str; 2]) -> usize {
        self.z.push(z);
        self.w.push(w);
        self.bounds.push(bounds.map(|bound| json!(bound)));
        self.z.len() - 1
    }

    /// mu of a disc.
    fn coefficients(&mut self, n: usize) -> (Vec<Rational>, bool) {
        if self.dice.one_in(2) {
            let mu = if self.dice.one_in(12) {
                Rational::from(0)
            } else {
                self.dice.positive()
            };
            return (vec![mu; n], true);
        }
        let mut mu: Vec<Rational> = (0..n).map(|_| self.dice.positive()).collect();
        match self.dice.below(8) {
            0 => mu = vec![mu[0].clone(); n],
            1 => mu[n - 1] = Rational::from(0),
            _ => {}
        }
        (mu, false)
    }

    /// A disc of n rows that rests or slides under a force; `lift` gets the multiplier.
    fn disc(&mut self, n: usize, normal: &Rational, open: bool, lift: &mut Rational) -> Disc {
        let (mu, one) = self.coefficients(n);
        let rubs: Vec<usize> = (0..n).filter(|k| mu[*k] > 0).collect();
        let mut force = vec![Rational::from(0); n];
        let mut slip: Vec<Rational> = (0..n).map(|_| self.dice.fraction()).collect();
        let direction = self.dice.direction(rubs.len().max(1));
        let (slides, strength) = (self.dice.one_in(2), self.dice.below(4));
        let multiplier = if slides {
            self.dice.positive()
        } else {
            Rational::from(0)
        };
        for (k, unit) in rubs.iter().zip(&direction) {
            if open {
                // Of the norm |multiplier|, which the convex law asks of u_N.
                slip[*k] = unit * &multiplier / &mu[*k];
                continue;
            }
            let share = if slides || strength == 0 { 4 } else { strength };
            let share = Rational::from_unsigneds(share, 4);
            force[*k] = &mu[*k] * normal * unit * share;
            slip[*k] = -(&multiplier * &force[*k]) / (&mu[*k] * &mu[*k]);
        }
        if !rubs.is_empty() {
            *lift += multiplier;
        }
        let first = self.z.len();
        Disc {
            rows: (first..first + n).collect(),
            mu,
            one,
            force,
            slip,
        }
    }

    fn contact(&mut self) {
        let convex = self.dice.one_in(2);
        let open = self.dice.one_in(3);
        let force = if open {
            Rational::from(0)
        } else {
            self.dice.positive()
        };
        let normal = self.add_row(force.clone(), Rational::from(0), ORDINARY);
        let discs = [1, 1, 1, 1, 1, 1, 2, 2, 3, 4][usize::try_from(self.dice.below(10)).unwrap()];
        let mut lift = Rational::from(0);
        let mut written = Vec::new();
        for _ in 0..discs {
            let rows = [1, 2, 2, 2, 2, 3, 4, 5][usize::try_from(self.dice.below(8)).unwrap()];
            let disc = self.disc(rows, &force, open, &mut lift);
            for (z, w) in disc.force.into_iter().zip(disc.slip) {
                self.add_row(z, w, ORDINARY);
            }
            let mu: Vec<String> = disc.mu.iter().map(ToString::to_string).collect();
            let mu = if disc.one { json!(mu[0]) } else { json!(mu) };
            written.push(json!({"rows": disc.rows, "mu": mu}));
        }
        let above = if self.dice.one_in(3) {
            Rational::from(0)
        } else {
            self.dice.positive()
        };
        self.w[normal] = match (convex, open) {
            (true, true) => lift + above,
            (true, false) => lift * &force,
            (false, true) => above,
            (false, false) => Rational::from(0),
        };
        let law = if convex { "convex" } else { "coulomb" };
        self.cones.push(match written.as_slice() {
            [disc] if self.dice.one_in(2) => {
                let tangents = disc["rows"].as_array().unwrap().iter().cloned();
                let rows: Vec<Value> = std::iter::once(json!(normal)).chain(tangents).collect();
                json!({"rows": rows, "mu": disc["mu"], "law": law})
            }
            _ => json!({"normal": normal, "discs": written, "law": law}),
        });
    }

    /// A row beside the contacts: free, not negative, or in a box.
    fn plain_row(&mut self) {
        let zero = Rational::from(0);
        let positive = self.dice.positive();
        match self.dice.below(4) {
            0 => self.add_row(positive - Rational::from(2), zero, ["-inf", "inf"]),
            1 => self.add_row(positive, zero, ORDINARY),
            2 => self.add_row(zero, positive, ORDINARY),
            _ => self.add_row(Rational::from(-3), positive, ["-3", "7/2"]),
        };
    }

    /// A matrix with q, so that Mz + q = w: dense with zeros, rows of any size.
    fn matrix(&mut self) -> (Vec<Vec<Rational>>, Vec<Rational>) {
        let n = self.z.len();
        let few = self.dice.one_in(3);
        let ten = Rational::from(10_u64);
        let mut m = Vec::new();
        let mut q = Vec::new();
        for i in 0..n {
            let unit = if self.dice.one_in(6) {
                ten.clone().pow(6)
            } else {
                Rational::from(1)
            };
            let dice = &mut self.dice;
            let entry = |_| {
                if few && dice.one_in(2) {
                    Rational::from(0)
                } else {
                    dice.fraction() * &unit
                }
            };
            let row: Vec<Rational> = (0..n).map(entry).collect();
            let sum: Rational = row.iter().zip(&self.z).map(|(a, b)| a * b).sum();
            q.push(&self.w[i] - sum);
            m.push(row);
        }
        (m, q)
    }

    /// Some figures changed a little, or one much.
    fn spoil(&mut self, q: &mut [Rational]) {
        let n = self.z.len();
        for _ in 0..=self.dice.below(3) {
            let i = usize::try_from(self.dice.below(n as u64)).unwrap();
            let small = self.dice.small();
            match self.dice.below(6) {
                0 => self.z[i] += small,
                1 => q[i] += small,
                2 => q[i] *= Rational::from(1) + small,
                _ => self.z[i] *= Rational::from(1) + small,
            }
        }
        if self.dice.one_in(3) {
            // The nearest binary64 numbers: rounding everywhere.
            for z in &mut self.z {
                let (nearest, _) = f64::rounding_from(&*z, RoundingMode::Nearest);
                *z = from_f64(nearest).unwrap();
            }
        }
    }
}

/// What a claim was drawn as: a solution, near one, anything.
pub fn kind(claim: &Value) -> usize {
    ["solution", "near", "any"]
        .iter()
        .position(|label| claim["label"] == *label)
        .unwrap()
}

/// A problem with an answer.
pub fn contact(seed: u64) -> (Value, Value) {
    let mut draft = Draft {
        dice: Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)),
        z: Vec::new(),
        w: Vec::new(),
        cones: Vec::new(),
        bounds: Vec::new(),
    };
    for _ in 0..=u64::from(draft.dice.one_in(4)) {
        draft.contact();
    }
    if draft.dice.one_in(3) {
        draft.plain_row();
    }
    let (m, mut q) = draft.matrix();
    let label = match draft.dice.below(5) {
        0 => "solution",
        1..=3 => {
            draft.spoil(&mut q);
            "near"
        }
        _ => {
            for z in &mut draft.z {
                *z = draft.dice.fraction();
            }
            "any"
        }
    };
    let text = |values: &[Rational]| values.iter().map(ToString::to_string).collect::<Vec<_>>();
    let n = draft.z.len();
    let rows: Vec<Vec<String>> = m.iter().map(|row| text(row)).collect();
    let [lower, upper] = [0, 1].map(|end| {
        draft
            .bounds
            .iter()
            .map(|own| own[end].clone())
            .collect::<Vec<_>>()
    });
    let mut problem = json!({"name": "drawn", "M": rows, "q": text(&q), "lower": lower, "upper": upper, "cones": draft.cones});
    if draft.dice.one_in(5) {
        let scale: Vec<Rational> = (0..n).map(|_| draft.dice.positive()).collect();
        problem["scale"] = json!(text(&scale));
    }
    if draft.dice.one_in(5) {
        let middle = usize::try_from(draft.dice.below(n as u64)).unwrap();
        problem["blocks"] = json!([(0..=middle).collect::<Vec<_>>()]);
    }
    let claim = json!({"name": "drawn", "label": label, "status": "solved", "z": text(&draft.z)});
    (problem, claim)
}

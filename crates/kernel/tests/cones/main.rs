//! The decision on a contact, against oracles that are written otherwise: witnesses built from
//! solutions, the closed form of the error, and a search over the coefficients.

// A test fails by panicking; the lints are for the library.
// Products and sums of references become numbers by a conversion, needed here and not there.
#![allow(clippy::unwrap_used, clippy::useless_conversion)]

#[path = "../common/mod.rs"]
mod common;

mod refused;

use common::*;
use etalon_kernel::{
    At, Budget, Class, Cone, Disc, Law, Node, Refusal, Truth, check_solution, obeys,
};
use rug::{Integer, Rational};

fn rational(above: i64, below: i64) -> Rational {
    Rational::from((above, below))
}

/// Knuth's MMIX generator.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        let (factor, more) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.0 = self.0.wrapping_mul(factor).wrapping_add(more);
        (self.0 >> 33) % n
    }

    /// A fraction from -4 to 4.
    fn number(&mut self) -> Rational {
        rational(self.below(65) as i64 - 32, 1 + self.below(8) as i64)
    }

    fn positive(&mut self) -> Rational {
        rational(1 + self.below(32) as i64, 1 + self.below(8) as i64)
    }

    /// A share from -1 to 1.
    fn share(&mut self) -> Rational {
        rational(self.below(33) as i64 - 16, 16)
    }

    /// A point of the unit sphere with rational coordinates, by stereographic projection.
    fn on_sphere(&mut self, dimension: usize) -> Vec<Rational> {
        let t: Vec<_> = (1..dimension).map(|_| self.number()).collect();
        let square: Rational = t.iter().map(|t| t.clone().square()).sum();
        let norm = Rational::from(1 + &square);
        let mut point: Vec<_> = t.into_iter().map(|t| t * 2u32 / &norm).collect();
        point.push((square - 1u32) / norm);
        point
    }
}

/// A cone whose rows are 0, 1, ...
fn cone(mus: &[(&[Rational], bool)], law: Law) -> Cone {
    let mut next = 1;
    let discs = mus.iter().map(|(mu, is_one)| {
        let rows = (next..next + mu.len()).collect::<Vec<_>>();
        next += mu.len();
        Disc { rows, mu: mu.to_vec(), is_one: *is_one }
    });
    Cone { normal: 0, discs: discs.collect(), law }
}

fn at(r: &Rational, w: &Rational, s: &Rational) -> At {
    At { r: r.clone(), w: w.clone(), s: s.clone() }
}

fn does(cone: &Cone, rows: &[At], eps: &Rational) -> bool {
    obeys(cone, rows, eps, &Budget::new(1 << 32, 1 << 40)).unwrap()
}

const LAWS: [Law; 2] = [Law::Coulomb, Law::Convex];

/// A contact that obeys its law: `mu` and u of each row, and r.
struct Solved {
    shape: Vec<(usize, bool)>,
    mu: Vec<Vec<Rational>>,
    r: Vec<Rational>,
    u: Vec<Rational>,
}

/// A random solution of a law: open, or pressed with discs that stick inside, stick on the boundary or
/// slide.
fn solved(draw: &mut Draw, law: Law, shape: &[(usize, bool)]) -> Solved {
    let open = draw.below(4) == 0;
    let r_n = if open { Rational::new() } else { draw.positive() };
    let (mut r, mut u, mut mus) = (vec![r_n.clone()], vec![Rational::new()], Vec::new());
    let (mut multipliers, mut slip) = (Rational::new(), Rational::new());
    for &(rows, is_one) in shape {
        let one = draw.positive();
        let mut mu: Vec<_> =
            (0..rows).map(|_| if is_one { one.clone() } else { draw.positive() }).collect();
        if draw.below(8) == 0 {
            mu.iter_mut().take(if is_one { rows } else { 1 }).for_each(|mu| *mu = Rational::new());
        }
        let with: Vec<usize> = (0..rows).filter(|k| mu[*k] != 0).collect();
        let direction = draw.on_sphere(with.len().max(1));
        // |r|_d / r_N, and L of what slides.
        let (share, l) = match draw.below(3) {
            0 => (rational(draw.below(16) as i64, 16), Rational::new()),
            1 => (rational(1, 1), Rational::new()),
            _ => (rational(1, 1), draw.positive()),
        };
        let l = if open { Rational::new() } else { l };
        let mut own_r = vec![Rational::new(); rows];
        let mut own_u: Vec<_> = (0..rows).map(|_| draw.number()).collect();
        let mut length = Rational::new();
        for (&k, direction) in with.iter().zip(&direction) {
            own_r[k] = Rational::from(&r_n * &share) * direction * &mu[k];
            own_u[k] = if open {
                // mu_k u_k along a rational direction has a rational length.
                length = rational(2, 1);
                Rational::from(direction * 2u32) / &mu[k]
            } else {
                -Rational::from(&l * &own_r[k]) / mu[k].clone().square()
            };
        }
        multipliers += if with.is_empty() { Rational::new() } else { l };
        slip += length;
        r.extend(own_r);
        u.extend(own_u);
        mus.push(mu);
    }
    u[0] = match (open, law) {
        (true, Law::Coulomb) => rational(draw.below(3) as i64, 1),
        // On the boundary of the dual cone, or inside.
        (true, Law::Convex) => slip + rational(draw.below(2) as i64, 1),
        (false, Law::Coulomb) => Rational::new(),
        (false, Law::Convex) => multipliers * &r_n,
    };
    Solved { shape: shape.to_vec(), mu: mus, r, u }
}

const SHAPES: [&[(usize, bool)]; 10] = [
    &[],
    &[(1, true)],
    &[(2, true)],
    &[(2, false)],
    &[(3, false)],
    &[(5, false)],
    &[(4, true)],
    &[(2, true), (2, true)],
    &[(2, false), (1, true), (2, true)],
    &[(1, true), (1, false), (2, true), (2, false)],
];

impl Solved {
    fn cone(&self, law: Law, mu: &[Vec<Rational>]) -> Cone {
        let discs: Vec<_> =
            mu.iter().zip(&self.shape).map(|(mu, (_, is_one))| (&mu[..], *is_one)).collect();
        cone(&discs, law)
    }
}

#[test]
fn what_a_change_of_the_data_solves_is_within_it() {
    let mut draw = Draw(1);
    let (mut exact, mut changed) = (0, 0);
    for round in 0..4_000 {
        let shape = SHAPES[round % SHAPES.len()];
        for law in LAWS {
            let solved = solved(&mut draw, law, shape);
            let rows = |w: &[Rational], s: &[Rational]| -> Vec<At> {
                solved.r.iter().zip(w).zip(s).map(|((r, w), s)| at(r, w, s)).collect()
            };
            let none = vec![Rational::new(); solved.r.len()];
            let zero = Rational::new();
            assert!(
                does(&solved.cone(law, &solved.mu), &rows(&solved.u, &none), &zero),
                "{round} {law:?}"
            );
            exact += 1;
            // w = u + shares of eps s with |w| <= s, and mu with mu' = mu (1 + share of eps).
            let eps = rational(1 + draw.below(15) as i64, 16);
            let s: Vec<_> = solved
                .u
                .iter()
                .map(|u| (u.clone().abs() + draw.positive()) / Rational::from(1 - &eps))
                .collect();
            let w: Vec<_> =
                solved.u.iter().zip(&s).map(|(u, s)| draw.share() * &eps * s + u).collect();
            let mut mu = solved.mu.clone();
            for (mu, (_, is_one)) in mu.iter_mut().zip(&solved.shape) {
                let one: Rational = 1 + draw.share() * &eps;
                for mu in mu {
                    *mu /= if *is_one { one.clone() } else { 1 + draw.share() * &eps };
                }
            }
            let cone = solved.cone(law, &mu);
            assert!(does(&cone, &rows(&w, &s), &eps), "{round} {law:?} {eps}");
            for more in [2u32, 3, 40] {
                let eps = Rational::from(&eps * more);
                assert!(does(&cone, &rows(&w, &s), &eps), "{round} {law:?} {more} times {eps}");
            }
            changed += 1;
        }
    }
    assert_eq!((exact, changed), (8_000, 8_000));
}

/// w = u at z = r with M = I / 3 and bits of other rows, in fractions.
fn as_problem(solved: &Solved, law: Law) -> Contacts {
    let n = solved.r.len();
    let m = |i: usize, j: usize| rational(1 + i64::from(i == j), 3 + i as i64);
    let row = |i: usize| {
        let own: Rational = (0..n).map(|j| m(i, j) * &solved.r[j]).sum();
        (0..n).map(|j| m(i, j)).chain([Rational::from(&solved.u[i] - own)]).collect()
    };
    let data = Data { rows: (0..n).map(row).collect(), bounds: vec![[None, None]; n] };
    Contacts { data, cones: vec![solved.cone(law, &solved.mu)] }
}

#[test]
fn a_solution_is_one_and_what_is_near_it_is_none() {
    let mut draw = Draw(5);
    let mut counts = [0; 5];
    for round in 0..2_000 {
        let shape = SHAPES[round % SHAPES.len()];
        for law in LAWS {
            let solved = solved(&mut draw, law, shape);
            let budget = Budget::default();
            let problem = as_problem(&solved, law);
            assert!(check_solution(&problem, &solved.r, &budget).is_ok(), "{round} {law:?}");
            let cone = solved.cone(law, &solved.mu);
            let fails = |r: &[Rational], u: &[Rational]| {
                let zero = Rational::new();
                let rows: Vec<_> = r.iter().zip(u).map(|(r, u)| at(r, u, &zero)).collect();
                !does(&cone, &rows, &zero)
            };
            let (r, u) = (&solved.r, &solved.u);
            let with = |k: usize, to: Rational| {
                let mut u = u.clone();
                u[k] = to;
                u
            };
            if r[0] == 0 {
                // Below the least that the law allows: 0, or the sum of lengths, 2 of each disc with friction.
                let has_friction = |mu: &&Vec<Rational>| mu.iter().any(|mu| *mu != 0);
                let discs = solved.mu.iter().filter(has_friction).count() as i64;
                let least = if law == Law::Coulomb { 0 } else { 2 * discs };
                assert!(fails(r, &with(0, rational(7 * least - 1, 7))), "{round} {law:?}");
                counts[0] += 1;
                continue;
            }
            // u_N is 0, or fixed by the multipliers, and these by the slip.
            for by in [rational(1, 7), rational(-1, 7)] {
                assert!(fails(r, &with(0, by + &u[0])), "{round} {law:?}");
                counts[1] += 1;
            }
            let mut next = 1;
            for (mu, (rows, _)) in solved.mu.iter().zip(&solved.shape) {
                let first = next;
                next += rows;
                let own: Vec<usize> = (first..next).filter(|i| mu[i - first] != 0).collect();
                let share = |&i: &usize| Rational::from(&r[i] / &mu[i - first]).square();
                let inside = own.iter().map(share).sum::<Rational>() < r[0].clone().square();
                for &i in &own {
                    if inside {
                        assert!(fails(r, &with(i, rational(1, 7))), "{round} {law:?}");
                        counts[2] += 1;
                    } else if u[i] != 0 {
                        assert!(fails(r, &with(i, -u[i].clone())), "{round} {law:?}");
                        counts[3] += 1;
                    }
                }
                if !inside {
                    let mut r = r.clone();
                    own.iter().for_each(|&i| r[i] *= rational(11, 10));
                    assert!(fails(&r, u), "{round} {law:?}");
                    counts[4] += 1;
                }
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 150), "{counts:?}");
}

#[test]
fn under_the_convex_law_grazing_contacts_do_not_slip() {
    let mu = [rational(1, 2), rational(1, 2)];
    let zero = Rational::new();
    let slips = |u_n: Rational, law| {
        let rows = [
            at(&zero, &u_n, &zero),
            at(&zero, &rational(3, 1), &zero),
            at(&zero, &rational(4, 1), &zero),
        ];
        does(&cone(&[(&mu, true)], law), &rows, &zero)
    };
    // |mu u_T| = 5/2.
    assert!(slips(zero.clone(), Law::Coulomb) && !slips(rational(-1, 9), Law::Coulomb));
    for (u_n, obeys) in [(-1, false), (0, false), (2, false), (3, true)] {
        assert_eq!(slips(rational(u_n, 1), Law::Convex), obeys, "{u_n}");
    }
    assert!(slips(rational(5, 2), Law::Convex));
}

/// min over L >= 0 of max_k |w_k + L g_k| / s_k: convex and piecewise linear in L, so the least value is at
/// L = 0, at a zero of a row, or where two rows are level.
fn ray(rows: &[(Rational, Rational, Rational)]) -> Rational {
    let value = |l: &Rational| {
        let of = |(w, g, s): &(Rational, Rational, Rational)| {
            Rational::from(w + Rational::from(g * l)).abs() / s
        };
        rows.iter().map(of).max().unwrap()
    };
    let mut at = vec![Rational::new()];
    for (w, g, s) in rows {
        if *g != 0 {
            at.push(-Rational::from(w / g));
        }
        for (w2, g2, s2) in rows {
            for sign in [1, -1] {
                // (w + L g) s2 = sign (w2 + L g2) s.
                let slope = Rational::from(g * s2) - Rational::from(g2 * s) * sign;
                if slope != 0 {
                    at.push((Rational::from(w2 * s) * sign - Rational::from(w * s2)) / slope);
                }
            }
        }
    }
    at.iter().filter(|l| **l >= 0).map(value).min().unwrap()
}

#[test]
fn the_error_under_coulombs_law_has_a_closed_form() {
    let mut draw = Draw(2);
    let (mut slid, mut stuck, mut off) = (0, 0, 0);
    for round in 0..3_000 {
        let dimension = 1 + round % 5;
        let (r_n, mu) = (draw.positive(), draw.positive());
        // |r|_d / r_N is rational, 1 among others.
        let share = rational(12 + draw.below(9) as i64, 16);
        let direction = draw.on_sphere(dimension);
        let r: Vec<_> = direction.iter().map(|d| Rational::from(d * &share) * &r_n * &mu).collect();
        // Near the opposite direction, so that some slide well; or small, so that some stick.
        let back = u32::from(round % 3 != 0);
        let near = |r: &Rational, draw: &mut Draw| {
            -Rational::from(r * back) + draw.number() / (8u32 << (3 * (1 - back)))
        };
        let w: Vec<_> = r.iter().map(|r| near(r, &mut draw)).collect();
        let s: Vec<_> = w.iter().map(|w| w.clone().abs() + draw.positive()).collect();
        let w_n = draw.number() / 16u32;
        let s_n = w_n.clone().abs() + draw.positive();
        let rows: Vec<_> = [at(&r_n, &w_n, &s_n)]
            .into_iter()
            .chain(r.iter().zip(&w).zip(&s).map(|((r, w), s)| at(r, w, s)))
            .collect();
        let h = Rational::from(&share - 1u32);
        let stick = w.iter().zip(&s).map(|(w, s)| Rational::from(w.abs_ref()) / s).max().unwrap();
        let rays: Vec<_> =
            r.iter().zip(&w).zip(&s).map(|((r, w), s)| (w.clone(), r.clone(), s.clone())).collect();
        let by_sticking = h.clone().max(Rational::new()).max(stick);
        let by_sliding = h.abs().max(ray(&rays));
        let of_normal = Rational::from(w_n.abs_ref()) / s_n;
        let error = by_sticking.clone().min(by_sliding.clone()).max(of_normal.clone());
        match error {
            ref error if *error == of_normal => off += 1,
            ref error if *error == by_sliding => slid += 1,
            _ => stuck += 1,
        }
        let one = vec![mu; dimension];
        let cone = cone(&[(&one, true)], Law::Coulomb);
        assert!(does(&cone, &rows, &error), "{round}");
        let below = Rational::from(&error * (rational(1, 1) - rational(1, 1 << 20)));
        assert!(error == 0 || !does(&cone, &rows, &below), "{round}");
    }
    assert!(slid > 500 && stuck > 100 && off > 100, "{slid} {stuck} {off}");
}

#[test]
fn a_mu_a_row_is_what_a_search_over_them_finds() {
    let mut draw = Draw(3);
    let (mut found, mut tight) = (0, 0);
    for round in 0..600 {
        let mu = [draw.positive(), draw.positive()];
        let r_n = draw.positive();
        let r =
            [0, 1].map(|k| Rational::from(&mu[k] * &r_n) * rational(8 + draw.below(6) as i64, 14));
        let w = [0, 1].map(|_| -draw.positive());
        let s = [0, 1].map(|k: usize| w[k].clone().abs() + draw.positive());
        let rows = [
            at(&r_n, &Rational::new(), &rational(1, 1)),
            at(&r[0], &w[0], &s[0]),
            at(&r[1], &w[1], &s[1]),
        ];
        let cone = cone(&[(&mu, false)], Law::Coulomb);
        // Whether one of many mu_0' leaves a mu_1' on the boundary and a multiplier.
        let slides = |eps: &Rational| {
            let a = |k: usize, sign: i32| {
                (Rational::from(&mu[k] * Rational::from(1 + Rational::from(eps * sign))))
                    .square()
                    .recip()
            };
            let b = |k: usize, sign: i32| {
                (Rational::from(-&w[k]) + Rational::from(eps * &s[k]) * sign) / &r[k]
            };
            let ends = [a(0, 1), a(0, -1)];
            (0..=200).any(|step| {
                let a_0 = Rational::from(
                    &ends[0] + Rational::from(&ends[1] - &ends[0]) * rational(step, 200),
                );
                let left = r_n.clone().square() - Rational::from(&a_0 * r[0].clone().square());
                let a_1 = left / r[1].clone().square();
                if a_1 < a(1, 1) || a_1 > a(1, -1) {
                    return false;
                }
                let low = (b(0, -1) / &a_0).max(b(1, -1) / &a_1).max(Rational::new());
                low <= (b(0, 1) / &a_0).min(b(1, 1) / &a_1)
            })
        };
        let sticks = |eps: &Rational| {
            let inside =
                Rational::from(&r[0] / &mu[0]).square() + Rational::from(&r[1] / &mu[1]).square();
            let limit = Rational::from(&r_n * Rational::from(1 + eps)).square();
            inside <= limit
                && (0..2).all(|k| Rational::from(w[k].abs_ref()) <= Rational::from(eps * &s[k]))
        };
        let mut least = None;
        for step in 1..64 {
            let eps = rational(step, 64);
            let own = does(&cone, &rows, &eps);
            let other = slides(&eps) || sticks(&eps);
            assert!(own || !other, "{round}: a witness at {eps}");
            found += usize::from(other);
            if own && least.is_none() {
                least = Some(eps.clone());
                // The search may miss what is just possible, and nothing more.
                let more = Rational::from(&eps * rational(104, 100));
                let seen = slides(&more) || sticks(&more) || more >= 1;
                assert!(seen, "{round}: no witness near {eps}");
                tight += 1;
            }
        }
    }
    assert!(found > 1_000 && tight > 300, "{found} {tight}");
}

/// Under the convex law, for r = 0: the sum of |(mu_k u_k)| over the discs is at most u_N.
fn opens(squares: &[Rational], u_n: &Rational) -> bool {
    let one = [rational(1, 1)];
    let discs: Vec<_> = squares.iter().map(|_| (&one[..], true)).collect();
    let zero = Rational::new();
    let mut rows = vec![at(&zero, u_n, &zero)];
    rows.extend(squares.iter().map(|root| at(&zero, root, &zero)));
    does(&cone(&discs, Law::Convex), &rows, &zero)
}

#[test]
fn sums_of_roots_are_compared_exactly() {
    // Discs of two rows have roots of any sum of two squares: sqrt 2 + sqrt 8 = sqrt 18 exactly.
    let ones = [rational(1, 1), rational(1, 1)];
    let zero = Rational::new();
    let two =
        |a: i64, b: i64| [at(&zero, &rational(a, 7), &zero), at(&zero, &rational(b, 7), &zero)];
    let sum = |pairs: &[(i64, i64)], u_n: Rational| {
        let discs: Vec<_> = pairs.iter().map(|_| (&ones[..], true)).collect();
        let mut rows = vec![at(&zero, &u_n, &zero)];
        rows.extend(pairs.iter().flat_map(|(a, b)| two(*a, *b)));
        does(&cone(&discs, Law::Convex), &rows, &zero)
    };
    // Rational sums: 5/7 + 13/7 + 17/7 + 25/7.
    let pairs = [(3, 4), (5, 12), (8, 15), (7, 24)];
    let tiny = Rational::from((Integer::from(1), Integer::from(Integer::u_pow_u(10, 300))));
    for (count, total) in [(0, 0), (1, 5), (2, 18), (3, 35), (4, 60)] {
        let total = rational(total, 7);
        assert!(sum(&pairs[..count], total.clone()), "{count}");
        assert!(!sum(&pairs[..count], Rational::from(&total - &tiny)), "{count}");
        assert!(sum(&pairs[..count], total + &tiny), "{count}");
    }
    // Irrational ones between neighbours on a fine grid, by integer roots of 2000 bits.
    for count in 1..=4usize {
        let pairs = [(1, 1), (1, 2), (2, 3), (1, 6)];
        let root =
            |(a, b): (i64, i64)| Integer::from(Integer::from(a * a + b * b) << 4000u32).sqrt();
        let total: Integer = pairs[..count].iter().map(|pair| root(*pair)).sum();
        let grid = Rational::from((Integer::from(1), Integer::from(1) << 2000u32)) / 7u32;
        let below = Rational::from(&grid * total);
        assert!(!sum(&pairs[..count], below.clone()), "{count}");
        assert!(sum(&pairs[..count], below + grid * count as u32), "{count}");
    }
    // Another sign of a root would make it equal: 3 = 5 - 2, and 5 + 2 > 3.
    assert!(!opens(&[rational(5, 1), rational(2, 1)], &rational(3, 1)));
    assert!(opens(&[rational(5, 1), rational(2, 1)], &rational(7, 1)));
}

#[test]
fn a_disc_of_one_row_is_a_friction_row_within_its_bounds() {
    let mut draw = Draw(4);
    for round in 0..500 {
        let (r_n, mu) = (draw.positive(), draw.positive());
        let limit = Rational::from(&r_n * &mu);
        let r = match round % 4 {
            0 => limit.clone(),
            1 => -limit.clone(),
            2 => limit.clone() * rational(draw.below(16) as i64, 16),
            _ => Rational::new(),
        };
        let (w_n, w) =
            (if round % 3 == 0 { draw.number() } else { Rational::new() }, draw.number());
        let rows = format!("1 0 {}; 0 1 {}", Rational::from(&w_n - &r_n), Rational::from(&w - &r));
        let own = problem(&rows, &format!("0.. {mu}*0"));
        let one = [mu];
        let data = Contacts {
            data: problem(&rows, ".. .."),
            cones: vec![cone(&[(&one, true)], Law::Coulomb)],
        };
        let budget = Budget::default();
        let z = [r_n, r];
        let (friction, disc) =
            (check_solution(&own, &z, &budget), check_solution(&data, &z, &budget));
        assert_eq!(friction.is_ok(), disc.is_ok(), "{round}: {friction:?} {disc:?}");
    }
}

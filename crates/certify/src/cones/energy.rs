//! How far an answer to a regularised convex problem is from its only solution, whatever the modes: the energy error
//! (`docs/cones.md`, "The energy error").

use std::collections::BTreeMap;

use etalon_lcp::{Cone, Disc, Law, Matrix, Number, Problem, Row};
use rug::Rational;

use super::enclosure::{root_above, root_below};
use crate::budget::fraction_bits;
use crate::{CertificateError, ensure};

/// Rows that M couples among themselves are eliminated together, up to so many. Chosen for its time, some seconds.
const MAX_COUPLED: usize = 60;

/// The longest number, in bits. Binary64 numbers have 2,200 at most.
const MAX_BITS: u64 = 4_096;

/// Roots have so many bits.
const BITS: u32 = 200;

/// The rows of a contact, r or w on them, normal first; and mu^2 of each tangential row by disc.
struct Contact<'a> {
    normal: usize,
    discs: Vec<&'a Disc>,
}

/// A bound on the distance of z from the solution, relative to z, both in the norm of the energy:
/// sqrt(|a|_A^2 + |r|_R^2) with a on the free rows, where M has the block A, and r on the contacts', where it has R.
///
/// # Errors
/// Where the theorem says nothing: a law that is not convex, bounds other than z >= 0, blocks between free rows and
/// contacts that are not opposite, A or R whose symmetric part is not positive definite; numbers or couplings over the limits.
pub fn energy_error(problem: &Problem, z: &[Rational]) -> Result<Rational, CertificateError> {
    ensure(
        z.len() == problem.n(),
        "z has another length than the problem has rows",
    )?;
    let contacts = contacts(problem)?;
    let is_free: Vec<_> = (problem.rows().iter())
        .map(|row| matches!(row, Row::Free))
        .collect();
    check_data(problem, z, &is_free)?;
    let mut x = z.to_vec();
    for contact in &contacts {
        contact.take_inside(&mut x);
    }
    let (mut e, mut gap) = (velocities(problem, &x), Rational::new());
    for contact in &contacts {
        gap += contact.split(&x, &mut e, problem.m());
    }
    let by = |free: bool| {
        (0..z.len())
            .filter(|&i| is_free[i] == free)
            .collect::<Vec<_>>()
    };
    let (free, pressed) = (by(true), by(false));
    let residual = inverse_form(problem.m(), &free, &e)? + inverse_form(problem.m(), &pressed, &e)?;
    let moved: Vec<_> = z
        .iter()
        .zip(&x)
        .map(|(z, x)| Rational::from(z - x))
        .collect();
    let all = &residual + gap * 4u32;
    let distance = (root_above(&residual, BITS) + root_above(&all, BITS)) / 2u32
        + root_above(&form(problem.m(), &pressed, &moved), BITS);
    let size = form(problem.m(), &free, z) + form(problem.m(), &pressed, z);
    ensure(size > 0, "z is 0, so nothing is relative to it")?;
    Ok(distance / root_below(&size, BITS))
}

/// The contacts; plain rows with z >= 0 are contacts without discs.
fn contacts(problem: &Problem) -> Result<Vec<Contact<'_>>, CertificateError> {
    let is_convex = |cone: &Cone| cone.law == Law::Convex;
    let why = "the energy error is about the convex law";
    ensure(
        !problem.is_lcp() && problem.cones().iter().all(is_convex),
        why,
    )?;
    let mut contacts = Vec::new();
    for cone in problem.cones() {
        let (normal, discs) = (cone.normal, cone.discs.iter().collect());
        contacts.push(Contact { normal, discs });
    }
    for (i, row) in problem.rows().iter().enumerate() {
        match row {
            Row::Nonnegative => contacts.push(Contact {
                normal: i,
                discs: Vec::new(),
            }),
            Row::Free | Row::Cone => {}
            _ => {
                let no = CertificateError::new("its bounds are neither absent nor z >= 0");
                return Err(no.at(format!("row {i}")));
            }
        }
    }
    Ok(contacts)
}

/// Checks lengths of numbers, and that blocks between free rows and others are opposite.
fn check_data(problem: &Problem, z: &[Rational], is_free: &[bool]) -> Result<(), CertificateError> {
    let is_short = |own: &Number| fraction_bits(&own.to_rational()) <= MAX_BITS;
    let mus = problem
        .cones()
        .iter()
        .flat_map(|cone| &cone.discs)
        .flat_map(|disc| disc.mu.data());
    let mut vectors = problem.q().iter().chain(mus);
    let is_fine = z.iter().all(|own| fraction_bits(own) <= MAX_BITS) && vectors.all(is_short);
    ensure(is_fine, "a number is too long for the energy error")?;
    for i in 0..z.len() {
        for (j, own) in problem.m().row(i) {
            ensure(is_short(own), "a number is too long for the energy error")?;
            if is_free[i] == is_free[j] || own.is_zero() {
                continue;
            }
            let other = problem
                .m()
                .get(j, i)
                .map(Number::to_rational)
                .unwrap_or_default();
            let why = "the blocks between free rows and contacts are not opposite";
            ensure(other == -own.to_rational(), why).map_err(|no| no.at(format!("row {i}")))?;
        }
    }
    Ok(())
}

impl Contact<'_> {
    /// Rows with mu > 0 of a disc, with mu^2.
    fn rows(disc: &Disc) -> Vec<(usize, Rational)> {
        let squares = (0..disc.rows.len()).map(|k| disc.mu.of(k).to_rational().square());
        let rows = disc.rows.iter().copied().zip(squares);
        rows.filter(|(_, square)| *square > 0).collect()
    }

    /// Moves r into its cone: the part of a disc that is too long becomes shorter.
    fn take_inside(&self, x: &mut [Rational]) {
        if x[self.normal] <= 0 {
            x[self.normal] = Rational::new();
        }
        for disc in &self.discs {
            let (rows, normal) = (Self::rows(disc), x[self.normal].clone().square());
            let length = sum(rows
                .iter()
                .map(|(k, square)| Rational::from(x[*k].square_ref()) / square));
            let share = if length > normal {
                root_below(&(normal / length), BITS)
            } else {
                Rational::from(1)
            };
            for &k in &disc.rows {
                let is_round = rows.iter().any(|(own, _)| *own == k);
                x[k] = if is_round {
                    Rational::from(&x[k] * &share)
                } else {
                    Rational::new()
                };
            }
        }
    }

    /// Takes from w a point y of the dual cone, which leaves e = w - y small, and returns r'y >= 0. Any such point is right:
    /// 0; w lifted into the dual cone; or the opposite of friction, L_d (r_N, -r_k / mu_k^2) summed over the discs.
    fn split(&self, r: &[Rational], w: &mut [Rational], m: &Matrix) -> Rational {
        let discs: Vec<_> = self.discs.iter().map(|disc| Self::rows(disc)).collect();
        let lengths = discs.iter().map(|rows| {
            let squares = rows
                .iter()
                .map(|(k, square)| Rational::from(w[*k].square_ref()) * square);
            root_above(&sum(squares), BITS)
        });
        let lifted = sum(lengths).max(w[self.normal].clone());
        let mut above = vec![(self.normal, lifted)];
        let mut against = vec![(self.normal, Rational::new())];
        for rows in &discs {
            let of_disc: Vec<_> = rows
                .iter()
                .map(|(k, square)| (*k, Rational::from(&r[*k] / square)))
                .collect();
            let along = sum(of_disc.iter().map(|(k, p)| Rational::from(&w[*k] * p)));
            let length = sum(of_disc.iter().map(|(_, p)| Rational::from(p.square_ref())));
            let share = if length > 0 {
                (-along / length).max(Rational::new())
            } else {
                Rational::new()
            };
            against[0].1 += Rational::from(&share * &r[self.normal]);
            against.extend(
                of_disc
                    .iter()
                    .map(|(k, p)| (*k, -Rational::from(p * &share))),
            );
            above.extend(rows.iter().map(|(k, _)| (*k, w[*k].clone())));
        }
        let work = |y: &[(usize, Rational)]| sum(y.iter().map(|(k, y)| Rational::from(&r[*k] * y)));
        // What each leaves by the diagonal of R alone: it only chooses among bounds that all hold.
        let left = |y: &[(usize, Rational)]| {
            let own = |k: usize| y.iter().find(|(own, _)| *own == k).map(|(_, y)| y.clone());
            let cost = |(k, _): &(usize, Rational)| {
                let e = &w[*k] - own(*k).unwrap_or_default();
                let diagonal = m.get(*k, *k).map(Number::to_rational).unwrap_or_default();
                e.square() / diagonal.max(Rational::from((1, 1_u64 << 40)))
            };
            sum(above.iter().map(cost)) + work(y) * 4u32
        };
        let none = Vec::new();
        let best = [&none, &above, &against]
            .into_iter()
            .min_by_key(|y| left(y));
        let y = best.cloned().unwrap_or_default();
        let gap = work(&y);
        y.into_iter().for_each(|(k, y)| w[k] -= y);
        // Without friction u_k is any number, and r_k = 0.
        let is_round = |k: &usize| above.iter().any(|(own, _)| own == k);
        let all = self.discs.iter().flat_map(|disc| disc.rows.iter().copied());
        all.filter(|k| !is_round(k))
            .for_each(|k| w[k] = Rational::new());
        gap
    }
}

fn sum(terms: impl Iterator<Item = Rational>) -> Rational {
    terms.fold(Rational::new(), |sum, term| sum + term)
}

/// w = Mx + q.
fn velocities(problem: &Problem, x: &[Rational]) -> Vec<Rational> {
    let row = |i: usize| {
        let terms = problem.m().row(i).map(|(j, own)| own.to_rational() * &x[j]);
        problem.q()[i].to_rational() + sum(terms)
    };
    (0..x.len()).map(row).collect()
}

/// x'Mx over some rows and columns.
fn form(m: &Matrix, rows: &[usize], x: &[Rational]) -> Rational {
    let row = |&i: &usize| {
        let own = m.row(i).filter(|(j, _)| rows.binary_search(j).is_ok());
        sum(own.map(|(j, own)| own.to_rational() * &x[j])) * &x[i]
    };
    sum(rows.iter().map(row))
}

/// e'S^-1 e over some rows and columns (ascending), S the symmetric part of M there: S = LDL' by components of coupled rows.
///
/// # Errors
/// Where S is not positive definite, or more rows are coupled than are eliminated in reasonable time.
pub fn inverse_form(
    m: &Matrix,
    rows: &[usize],
    e: &[Rational],
) -> Result<Rational, CertificateError> {
    let mut entries: BTreeMap<usize, BTreeMap<usize, Rational>> = BTreeMap::new();
    for &i in rows {
        for (j, own) in m.row(i).filter(|(j, _)| rows.binary_search(j).is_ok()) {
            let half = own.to_rational() / 2u32;
            *entries.entry(i).or_default().entry(j).or_default() += &half;
            *entries.entry(j).or_default().entry(i).or_default() += half;
        }
    }
    let (mut left, mut total) = (rows.to_vec(), Rational::new());
    while let Some(first) = left.pop() {
        let mut coupled = vec![first];
        let mut at = 0;
        while let Some(i) = coupled.get(at) {
            let others = entries.get(i).into_iter().flat_map(BTreeMap::keys);
            let new: Vec<_> = others.copied().filter(|j| !coupled.contains(j)).collect();
            coupled.extend(new);
            ensure(
                coupled.len() <= MAX_COUPLED,
                "too many rows are coupled for the energy error",
            )?;
            at += 1;
        }
        left.retain(|i| !coupled.contains(i));
        total += eliminate(&entries, &coupled, e)?;
    }
    Ok(total)
}

/// The part of coupled rows in e'S^-1 e: with S = LDL' and y = L^-1 e it is the sum of y_i^2 / d_i.
fn eliminate(
    entries: &BTreeMap<usize, BTreeMap<usize, Rational>>,
    rows: &[usize],
    e: &[Rational],
) -> Result<Rational, CertificateError> {
    let entry = |i: &usize, j: &usize| {
        entries
            .get(i)
            .and_then(|row| row.get(j))
            .cloned()
            .unwrap_or_default()
    };
    let mut s: Vec<Vec<_>> = rows
        .iter()
        .map(|i| rows.iter().map(|j| entry(i, j)).collect())
        .collect();
    let mut y: Vec<_> = rows.iter().map(|&i| e[i].clone()).collect();
    let mut total = Rational::new();
    for k in 0..rows.len() {
        let (above, below) = s.split_at_mut(k + 1);
        let pivot = &above[k];
        let why = "the symmetric part of A or R is not positive definite";
        ensure(pivot[k] > 0, why).map_err(|no| no.at(format!("row {}", rows[k])))?;
        total += Rational::from(y[k].square_ref()) / &pivot[k];
        for (i, row) in (k + 1..).zip(below) {
            if row[k].is_zero() {
                continue;
            }
            let factor = Rational::from(&row[k] / &pivot[k]);
            for (own, other) in row[k + 1..].iter_mut().zip(&pivot[k + 1..]) {
                *own -= Rational::from(other * &factor);
            }
            let less = Rational::from(&y[k] * &factor);
            y[i] -= less;
        }
    }
    Ok(total)
}

//! An enclosed solution: a box of which it is proved that it holds one, which fractions need not state.
//!
//! States of contacts and rows make equations of the law, linear ones and products of two, which have
//! one zero in the box (`krawczyk.rs`). What the states ask for besides holds in all of it.
//! (`docs/certificates.md`, "A solution is near".)

use std::cell::RefCell;

use rug::{Integer, Rational};

use crate::{Refusal, budget::*, cone::*, ensure, exact::*, krawczyk::*, mode::*, rows::*};

/// What a row or a contact does in a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// z_i = L_i and w_i >= 0, of a plain row.
    Lower,
    /// z_i = U_i and w_i <= 0, of a plain row.
    Upper,
    /// w_i = 0 between the bounds, of a plain row.
    Free,
    /// r = 0, of a contact.
    Open,
    /// r_N > 0, and whether each disc slides, of a contact.
    Pressed(Vec<bool>),
}

/// A box with a solution, and why.
#[derive(Debug, Clone, Copy)]
pub struct Enclosure<'a> {
    /// The states of the contacts, and then of the plain rows, in their order.
    pub states: &'a [State],
    /// The n entries of its middle.
    pub center: &'a [Rational],
    /// How far it reaches, n entries: 0 where the states say what z_i is, else more than 0.
    pub radius: &'a [Rational],
    /// Rows of C, a number for each entry of the radius that is not 0: an inverse of F'(c), more or less.
    pub inverse: &'a [Vec<Rational>],
}

/// The box, as it is looked at.
struct Looked<'a, P> {
    problem: &'a P,
    own: Enclosure<'a>,
    /// The number of the unknown that each row is, if it is one.
    unknown: Vec<Option<usize>>,
    paid: Paid<'a>,
    budget: &'a Budget,
    held: RefCell<Held<'a>>,
}

/// Checks that the box holds a solution.
///
/// # Errors
/// What does not hold; the budget.
pub(crate) fn check_enclosure(
    problem: &impl Problem, own: Enclosure<'_>, budget: &Budget,
) -> Result<(), Refusal> {
    let (n, mut held) = (problem.n(), budget.hold(0, 0)?);
    let (cones, is_plain) = cones_of(problem, &mut held)?;
    let plain: Vec<_> = (0..n).filter(|&i| is_plain[i]).collect();
    ensure(
        own.states.len() == cones.len() + plain.len(),
        "there is not a state for each row and contact",
    )?;
    ensure(own.center.len() == n && own.radius.len() == n, "center or radius has not n entries")?;
    ensure(own.radius.iter().all(|d| *d >= 0), "a radius is negative")?;
    let (mut next, mut unknown) = (0.., Vec::new());
    unknown.extend(own.radius.iter().map(|d| if *d > 0 { next.next() } else { None }));
    let held_too = RefCell::new(budget.hold(0, 0)?);
    let looked = Looked { problem, own, unknown, paid: Paid::of(budget), budget, held: held_too };
    let mut equations = Vec::new();
    equations.resize_with(n, || None);
    let (of_cones, of_rows) = own.states.split_at(cones.len());
    for (cone, state) in cones.iter().zip(of_cones) {
        let found = looked.contact(cone, state, &mut equations);
        found.map_err(|no| Refusal { row: no.row.or(Some(cone.normal)), ..no })?;
    }
    for (&i, state) in plain.iter().zip(of_rows) {
        let found = looked.plain(i, state).map_err(|no| no.at_row(i));
        equations[i] = found?;
    }
    looked.paid.found(())?;
    // The equation that row i has, if z_i is unknown, and none otherwise.
    for (i, equation) in equations.iter().enumerate() {
        let why = "its radius is 0 where z is unknown, or it is not where z is known";
        let agree = equation.is_some() == looked.unknown[i].is_some();
        ensure(agree, why).map_err(|no| no.at_row(i))?;
    }
    let d = own.radius.iter().filter(|d| **d > 0).cloned().collect();
    check_zero(equations.into_iter().flatten().collect(), d, own.inverse, &looked.paid, &mut held)
        .map_err(|no| {
            let row = no.row.and_then(|x| looked.unknown.iter().position(|own| *own == Some(x)));
            Refusal { row, ..no }
        })
}

impl<P: Problem> Looked<'_, P> {
    /// z_i.
    fn z(&self, i: usize) -> Linear {
        let slope = self.unknown[i].map(|x| (x, Rational::from(1)));
        let [value, reach] = [self.own.center, self.own.radius].map(|all| all[i].clone());
        Linear { value, slope: slope.into_iter().collect(), reach }
    }

    /// The sum of numbers times z_j, and a constant in column n.
    fn sum(&self, entries: impl IntoIterator<Item = (usize, Rational)>) -> Result<Linear, Refusal> {
        let mut held = self.budget.hold(0, 0)?;
        let mut row = Exact::new(entries, &mut held)?;
        ensure(row.entries.last().is_none_or(|(j, _)| *j <= self.problem.n()), "no such column")?;
        let over = |(sum, factor): (Integer, Integer), denominator: &Integer| {
            self.budget.reduce(2, bits(&sum), bits(&factor) + bits(denominator))?;
            Ok(Rational::from((sum, factor * denominator)))
        };
        // Gradients stay until all equations are there.
        let entries = row.entries.len() as u64;
        self.held.borrow_mut().more(2 * entries, entries * 2 * row.longest)?;
        let value = over(row.at(self.own.center, 1, self.budget)?, &row.denominator)?;
        let slope = row.entries.iter().filter_map(|(j, own)| {
            let x = *self.unknown.get(*j)?;
            Some((x?, Rational::from((own, &row.denominator))))
        });
        let slope = slope.collect();
        row.entries.iter_mut().for_each(|(_, own)| own.abs_mut());
        let reach = over(row.at(self.own.radius, 0, self.budget)?, &row.denominator)?;
        Ok(Linear { value, slope, reach })
    }

    fn w(&self, i: usize) -> Result<Linear, Refusal> {
        self.sum(self.problem.row(i))
    }

    /// The least and the largest value in the box.
    fn ends(&self, own: &Linear) -> [Rational; 2] {
        let minus = -own.reach.clone();
        [&minus, &own.reach].map(|by| self.paid.sum(&own.value, by))
    }

    /// The equation of a plain row, unless the state says what z_i is.
    fn plain(&self, i: usize, state: &State) -> Result<Option<Equation>, Refusal> {
        let (n, w, bounds) = (self.problem.n(), self.w(i)?, self.problem.bounds(i));
        // z_i less a bound.
        let less = |bound: &Bound| {
            let mut entries = vec![(i, Rational::from(1)), (n, -bound.constant.clone())];
            if bound.slope != 0 {
                entries.insert(usize::from(bound.of > i), (bound.of, -bound.slope.clone()));
            }
            self.sum(entries.into_iter().filter(|(_, own)| *own != 0))
        };
        let equals = |own: Linear| Some(vec![(Rational::from(1), own, None)]);
        let [least, most] = self.ends(&w);
        let at = match (state, &bounds) {
            (State::Free, _) => {
                let [lower, upper] = bounds;
                let above = |bound: Bound| Ok(self.ends(&less(&bound)?)[0] >= 0);
                let below = |bound: Bound| Ok(self.ends(&less(&bound)?)[1] <= 0);
                let is_within = lower.map_or(Ok(true), above)? && upper.map_or(Ok(true), below)?;
                ensure(is_within, "z may be outside its bounds")?;
                return Ok(equals(w));
            }
            (State::Lower, [Some(bound), _]) if least >= 0 => bound,
            (State::Upper, [_, Some(bound)]) if most <= 0 => bound,
            _ => return Err(Refusal::new("w may have the wrong sign, or there is no such bound")),
        };
        if let [Some(lower), Some(upper)] = &bounds {
            // Where L_i <= U_i, being at the one is not being beyond the other.
            let minus = Bound {
                constant: -lower.constant.clone(),
                slope: -lower.slope.clone(),
                of: lower.of,
            };
            let fixed = lower.slope == 0 && upper.slope == 0 && lower.constant <= upper.constant;
            let friction = minus == *upper && upper.constant == 0 && upper.slope >= 0;
            let of_normal = || self.ends(&self.z(upper.of))[0] >= 0;
            ensure(fixed || friction && of_normal(), "its bounds may be crossed")?;
        }
        let own = less(at)?;
        if self.unknown[i].is_some() {
            return Ok(equals(own));
        }
        ensure(own.value == 0 && own.reach == 0, "z is not at its bound").map(|()| None)
    }

    /// The equations of a contact, each at the row of an unknown.
    fn contact(
        &self, cone: &Cone, state: &State, equations: &mut [Option<Equation>],
    ) -> Result<(), Refusal> {
        // What is not said to be unknown is 0: where mu_k = 0, and all of an open contact.
        let is_zero = |i: &usize| self.own.center[*i] == 0 && self.own.radius[*i] == 0;
        let of_disc = |disc: &Disc| {
            let rows = disc.rows.iter().copied().zip(disc.mu.clone());
            rows.partition::<Vec<_>, _>(|(_, mu)| *mu > 0)
        };
        let discs: Vec<_> = cone.discs.iter().map(of_disc).collect();
        let still = discs.iter().all(|(_, still)| still.iter().all(|(i, _)| is_zero(i)));
        ensure(still, "r is not 0 where mu is")?;
        let slides = match state {
            State::Open => {
                ensure(cone.rows().all(|i| is_zero(&i)), "r is not 0 where the contact is open")?;
                return self.check_open(cone);
            }
            State::Pressed(slides) if slides.len() == discs.len() => slides,
            _ => return Err(Refusal::new("it is no state of this contact")),
        };
        let (one, normal) = (Rational::from(1), self.z(cone.normal));
        let (w_n, [least, _]) = (self.w(cone.normal)?, self.ends(&normal));
        ensure(least >= 0, "r_N may be negative")?;
        let is_convex = cone.law == Law::Convex && slides.contains(&true);
        ensure(!is_convex || discs.len() == 1, "by the convex law only one disc slides")?;
        let mut of_normal = vec![(one.clone(), w_n.clone(), None)];
        for ((rows, _), &slides) in discs.iter().zip(slides) {
            // The sum of (r_k / mu_k)^2 - r_N^2, and its largest value in the box.
            let mut circle = vec![(-one.clone(), normal.clone(), Some(normal.clone()))];
            let mut most = Rational::new();
            for (k, mu) in rows {
                let (r, share) = (self.z(*k), self.paid.ratio(&one, &self.paid.square(mu)));
                let far = self.ends(&r).map(Rational::abs).into_iter().max().unwrap_or_default();
                let term = self.paid.product(&share, &self.paid.square(&far));
                most = self.paid.sum(&most, &term);
                circle.push((share, r.clone(), Some(r)));
            }
            if !slides {
                for (k, _) in rows {
                    equations[*k] = Some(vec![(one.clone(), self.w(*k)?, None)]);
                }
                let limit = self.paid.square(&least);
                ensure(self.paid.is_at_most(&most, &limit), "r may be outside its cone")?;
            } else if is_convex {
                // w = L (r_N, -r_k / mu_k^2) with L = w_N / r_N.
                let is_right = least > 0 && self.ends(&w_n)[0] >= 0;
                ensure(is_right, "r_N may be 0, or w_N negative, where it slides")?;
                for (k, mu) in rows {
                    let share = self.paid.ratio(&one, &self.paid.square(mu));
                    let first = (one.clone(), self.w(*k)?, Some(normal.clone()));
                    equations[*k] = Some(vec![first, (share, w_n.clone(), Some(self.z(*k)))]);
                }
                of_normal = circle;
            } else {
                self.slide(rows, circle, equations)?;
            }
        }
        equations[cone.normal] = Some(of_normal);
        Ok(())
    }

    /// Equations of a disc that slides by Coulomb's law: at a row p with r_p != 0 the circle, and at others
    /// w_k r_p / mu_p^2 = w_p r_k / mu_k^2. So w_k = -L r_k / mu_k^2 with L = -w_p mu_p^2 / r_p >= 0.
    fn slide(
        &self, rows: &[(usize, Rational)], circle: Equation, equations: &mut [Option<Equation>],
    ) -> Result<(), Refusal> {
        let one = Rational::from(1);
        let size = |k: usize, mu: &Rational| self.paid.ratio(&self.own.center[k].clone().abs(), mu);
        let largest = rows.iter().max_by_key(|(k, mu)| size(*k, mu));
        let (p, mu_p) = largest.ok_or(Refusal::new("nothing slides without friction"))?;
        let (r_p, w_p) = (self.z(*p), self.w(*p)?);
        let ([low, high], [least, most]) = (self.ends(&r_p), self.ends(&w_p));
        let opposes = low > 0 && most <= 0 || high < 0 && least >= 0;
        ensure(opposes, "friction may not oppose slip, or r may be 0")
            .map_err(|no| no.at_row(*p))?;
        let share = |mu: &Rational| self.paid.ratio(&one, &self.paid.square(mu));
        for (k, mu) in rows.iter().filter(|(k, _)| k != p) {
            let first = (share(mu_p), self.w(*k)?, Some(r_p.clone()));
            let second = (-share(mu), w_p.clone(), Some(self.z(*k)));
            equations[*k] = Some(vec![first, second]);
        }
        equations[*p] = Some(circle);
        Ok(())
    }

    /// Checks that w is where an open contact has it, in all of the box.
    fn check_open(&self, cone: &Cone) -> Result<(), Refusal> {
        let least = &self.ends(&self.w(cone.normal)?)[0];
        let mut squares = Vec::new();
        for disc in cone.discs.iter().filter(|_| cone.law == Law::Convex) {
            let mut square = Rational::new();
            for (k, mu) in disc.rows.iter().zip(&disc.mu) {
                let far = self.ends(&self.w(*k)?).map(Rational::abs).into_iter().max();
                let own = self.paid.product(mu, &far.unwrap_or_default());
                square = self.paid.sum(&square, &self.paid.square(&own));
            }
            squares.push(square);
        }
        let inside = *least >= 0 && self.paid.roots_are_at_most(&squares, least)?;
        ensure(inside, "w may be outside of what an open contact may have")
    }
}

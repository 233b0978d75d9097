//! Modes of contacts and plain rows: their equations, and what holds in all of a box besides.
//! (`docs/certificates-cones.md`, "A solution is near".)

use rug::Rational;

use super::{boxes::*, krawczyk::*};
use crate::{Checked, Refusal, cone::*, ensure};

/// The equations, each at the row of an unknown.
type Equations = [Option<Equation>];

/// A row of a disc with mu > 0, and 1 / mu^2.
type Tangent = (usize, Rational);

/// The equation of an expression alone.
fn is_zero(own: Linear) -> Equation {
    vec![(Rational::from(1), own, None)]
}

impl Looked<'_> {
    /// The equation of a plain row, unless the mode says what z_i is. One of w_i, z_i - L_i and U_i - z_i is
    /// 0, and the others have their signs.
    pub(crate) fn plain(&self, i: usize, mode: &Mode) -> Checked<Option<Equation>> {
        let sign = "w may have the wrong sign, or there is no such bound";
        let zero = match mode {
            Mode::Free => 0,
            Mode::Lower => 1,
            Mode::Upper => 2,
            _ => return Err(Refusal::new(sign)),
        };
        let mut found = None;
        for (k, term) in self.rows[i].terms.iter().enumerate() {
            let Some(term) = term else { continue };
            let own = self.linear(term)?;
            let [least, most] = self.ends(&own);
            if k == zero {
                found = Some(own);
            } else if k == 0 {
                ensure(if zero == 1 { least >= 0 } else { most <= 0 }, sign)?;
            } else {
                ensure(least >= 0, "z may be outside its bounds")?;
            }
        }
        let own = found.ok_or(Refusal::new(sign))?;
        if zero == 0 || self.unknown[i].is_some() {
            // Of an upper bound it is z_i - U_i.
            let sign = Rational::from(if zero == 2 { -1 } else { 1 });
            return Ok(Some(vec![(sign, own, None)]));
        }
        ensure(own.value == 0 && own.reach == 0, "z is not at its bound").map(|()| None)
    }

    /// Leaves out the equation of row k, a linear one that is the sum of others that are left, each times
    /// its factor: in each of the unknowns, and at the center.
    pub(crate) fn leave_out(
        &self, k: usize, by: &[(usize, Rational)], unknowns: usize, equations: &mut Equations,
    ) -> Checked {
        // What is taken out first cannot be part of its own sum, nor of a later one.
        let left = equations.get_mut(k).and_then(Option::take);
        let (mut rest, minus) = (vec![Rational::new(); unknowns + 1], Rational::from(-1));
        let terms = by.iter().map(|(i, by)| (equations.get(*i).and_then(Option::as_ref), by));
        for (equation, by) in terms.chain([(left.as_ref(), &minus)]) {
            let Some([(factor, own, None)]) = equation.map(Vec::as_slice) else {
                let why = "no linear equation is left at this row, or at one that it is a sum of";
                return Err(Refusal::new(why));
            };
            let by = self.paid.product(by, factor);
            for (x, own) in own.slope.iter().chain([&(unknowns, own.value.clone())]) {
                rest[*x] = self.paid.sum(&rest[*x], &self.paid.product(&by, own));
            }
        }
        self.paid.found(())?;
        ensure(rest.iter().all(|own| *own == 0), "its equation is not the sum that is stated")
    }

    /// The equations of a contact.
    pub(crate) fn contact(&self, cone: &Cone, mode: &Mode, equations: &mut Equations) -> Checked {
        // What is not said to be unknown is 0: where mu_k = 0, and all of an open contact.
        let rests = |i: usize| self.own.center[i] == 0 && self.own.radius[i] == 0;
        let mut discs: Vec<Vec<Tangent>> = Vec::new();
        for disc in &cone.discs {
            let rows = || disc.rows.iter().zip(&disc.mu);
            let still = rows().all(|(i, mu)| *mu > 0 || rests(*i));
            ensure(still, "r is not 0 where mu is")?;
            let share = |mu| self.paid.ratio(&Rational::from(1), &self.paid.square(mu));
            let rows = rows().filter(|(_, mu)| **mu > 0);
            discs.push(rows.map(|(i, mu)| (*i, share(mu))).collect());
        }
        let slides = match mode {
            Mode::Open => {
                ensure(cone.rows().all(rests), "r is not 0 where the contact is open")?;
                return self.check_open(cone);
            }
            Mode::Pressed(slides) if slides.len() == discs.len() => slides,
            _ => return Err(Refusal::new("it is no mode of this contact")),
        };
        let (normal, w_n) = (self.z(cone.normal), self.w(cone.normal)?);
        let [least, _] = self.ends(&normal);
        ensure(least >= 0, "r_N may be negative")?;
        let is_convex = cone.law == Law::Convex && slides.contains(&true);
        ensure(!is_convex || discs.len() == 1, "by the convex law only one disc slides")?;
        equations[cone.normal] = Some(is_zero(w_n.clone()));
        for (rows, &slides) in discs.iter().zip(slides) {
            if !slides {
                for (k, _) in rows {
                    equations[*k] = Some(is_zero(self.w(*k)?));
                }
                let square = |(k, share): &Tangent| {
                    let far = self.paid.square(&self.farthest(&self.z(*k)));
                    self.paid.product(share, &far)
                };
                let most = rows.iter().map(square);
                let most = most.fold(Rational::new(), |sum, own| self.paid.sum(&sum, &own));
                let limit = self.paid.square(&least);
                ensure(self.paid.is_at_most(&most, &limit), "r may be outside its cone")?;
            } else if is_convex {
                // w = L (r_N, -r_k / mu_k^2) with L = w_N / r_N.
                let is_right = least > 0 && self.ends(&w_n)[0] >= 0;
                ensure(is_right, "r_N may be 0, or w_N negative, where it slides")?;
                for (k, share) in rows {
                    let first = (Rational::from(1), self.w(*k)?, Some(normal.clone()));
                    let second = (share.clone(), w_n.clone(), Some(self.z(*k)));
                    equations[*k] = Some(vec![first, second]);
                }
                equations[cone.normal] = Some(self.circle(&normal, rows));
            } else {
                self.slide(rows, self.circle(&normal, rows), equations)?;
            }
        }
        Ok(())
    }

    /// The sum of (r_k / mu_k)^2 - r_N^2.
    fn circle(&self, normal: &Linear, rows: &[Tangent]) -> Equation {
        let square = |factor: &Rational, own: Linear| (factor.clone(), own.clone(), Some(own));
        let rows = rows.iter().map(|(k, share)| square(share, self.z(*k)));
        rows.chain([square(&Rational::from(-1), normal.clone())]).collect()
    }

    /// Equations of a disc that slides by Coulomb's law: at a row p with r_p != 0 the circle, and at others
    /// w_k r_p / mu_p^2 = w_p r_k / mu_k^2. So w_k = -L r_k / mu_k^2 with L = -w_p mu_p^2 / r_p >= 0.
    fn slide(&self, rows: &[Tangent], circle: Equation, equations: &mut Equations) -> Checked {
        let size = |(k, share): &&Tangent| {
            self.paid.product(share, &self.paid.square(&self.own.center[*k]))
        };
        let largest = rows.iter().max_by_key(size);
        let (p, of_p) = largest.ok_or(Refusal::new("nothing slides without friction"))?;
        let (r_p, w_p) = (self.z(*p), self.w(*p)?);
        let ([low, high], [least, most]) = (self.ends(&r_p), self.ends(&w_p));
        let opposes = low > 0 && most <= 0 || high < 0 && least >= 0;
        ensure(opposes, "friction may not oppose slip, or r may be 0")
            .map_err(|no| no.at_row(*p))?;
        for (k, share) in rows.iter().filter(|(k, _)| k != p) {
            let first = (of_p.clone(), self.w(*k)?, Some(r_p.clone()));
            let second = (-share.clone(), w_p.clone(), Some(self.z(*k)));
            equations[*k] = Some(vec![first, second]);
        }
        equations[*p] = Some(circle);
        Ok(())
    }

    /// Checks that w is where an open contact has it, in all of the box.
    fn check_open(&self, cone: &Cone) -> Checked {
        let least = &self.ends(&self.w(cone.normal)?)[0];
        let mut squares = Vec::new();
        for disc in cone.discs.iter().filter(|_| cone.law == Law::Convex) {
            let mut own = Vec::new();
            for (k, mu) in disc.rows.iter().zip(&disc.mu) {
                own.push(self.paid.product(mu, &self.farthest(&self.w(*k)?)));
            }
            squares.push(self.paid.sum_of_squares(own.into_iter()));
        }
        let inside = *least >= 0 && self.paid.roots_are_at_most(&squares, least)?;
        ensure(inside, "w may be outside of what an open contact may have")
    }
}

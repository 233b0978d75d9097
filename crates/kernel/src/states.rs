//! States of contacts and plain rows: their equations, and what holds in all of a box besides.
//! (`docs/certificates.md`, "A solution is near".)

use rug::Rational;

use crate::{Refusal, boxes::*, cone::*, ensure, krawczyk::*, rows::*};

impl<P: Problem> Looked<'_, P> {
    /// The equation of a plain row, unless the state says what z_i is.
    pub(crate) fn plain(&self, i: usize, state: &State) -> Result<Option<Equation>, Refusal> {
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
    pub(crate) fn contact(
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

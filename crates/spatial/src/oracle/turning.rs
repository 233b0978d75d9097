//! Rotation in free flight.

use etalon_rigid::{Vector, dot};
use etalon_time_stepping::Term;
use rug::Rational;

use super::{Examination, norm};
use crate::attitude::{Quaternion, into_body};
use crate::grid::ATTITUDE_BITS;

impl Examination<'_> {
    pub(super) fn turning(&mut self) {
        // Half a step of the grid of quaternions.
        let half_step = Rational::from(1) >> (ATTITUDE_BITS + 1);
        let u = self.noise.unit(&half_step);
        let bodies: Vec<usize> = self.world.moving().collect();
        for body in bodies {
            let name = self.world.bodies[body].name.clone();
            let own = &self.step.after.bodies[body];
            // 4 u + 4 u^2, and the 2^-80 of the root; recorded quaternions have not been rounded once alone.
            let length = own.attitude.norm_squared() - 1u32;
            self.vanishes(
                Term::Attitude,
                Some(&name),
                &length,
                &(Rational::from(&u * 5u32)
                    + self.noise.of_few(&Rational::from(1), &Rational::new())),
            );
            self.turned(body, &name, &u);
        }
    }

    /// The attitude is that of the midpoint rule, with the rate that the momenta in the body say: nothing of the
    /// stepper's iteration is used.
    fn turned(&mut self, body: usize, name: &str, u: &Rational) {
        let (old, new) = (
            &self.step.before.bodies[body],
            &self.step.after.bodies[body],
        );
        let h = &self.settings.h;
        let inverse = self.world.inverse_inertia(body);
        let rate = |q: &Quaternion| {
            let p = into_body(&q.rotation(), &new.momentum);
            inverse.times(p.coordinates())
        };
        let (before, after) = (rate(&old.attitude), rate(&new.attitude));
        let middle: Vector<Rational, 3> = Vector::new(std::array::from_fn(|k| {
            Rational::from(&before[k] + &after[k]) / 2u32
        }));
        let expected = old
            .attitude
            .after(&Quaternion::cayley(&middle.times(h)))
            .unit();
        let Some(expected) = expected else {
            self.report(Term::Flight, Some(name), "no attitude".to_owned());
            return;
        };
        // The new attitude is off by u an entry, the one expected by as much; a matrix by at most 8 u, so the rate by
        // 4 u |J^-1||L|, and 64 u more for the residual of the rule in binary64. An angle of d turns entries by d/2.
        let size = crate::grid::largest(inverse) * norm(&new.momentum) * 3u32;
        let allowed = Rational::from(h * &size) * 64u32 + 16u32;
        // Who computed the product, the length and the quotient in floating point has some 20 roundings more in each entry.
        let more = self.noise.of_few(&Rational::from(2), &Rational::new());
        let allowed = Rational::from(u * &allowed) + more;
        let own = new.attitude.clone();
        for k in 0..4 {
            let off = Rational::from(&own.0[k] - &expected.0[k]);
            self.vanishes(Term::Flight, Some(name), &off, &allowed);
        }
        // |residual| of the rule times the rate, as the energy's difference is (J^-1 m)'(p1 - p0 - h m x J^-1 m).
        let most = Rational::from(&size * &norm(&new.momentum)) * 128u32 * u;
        if let Some(flight) = &self.step.flights[body] {
            let energy = |q: &Quaternion| {
                let p = into_body(&q.rotation(), &new.momentum);
                dot(p.coordinates(), &inverse.times(p.coordinates())) / 2u32
            };
            let gain = energy(&flight.exact) - energy(&old.attitude);
            self.vanishes(Term::Flight, Some(name), &gain, &most);
        }
    }
}

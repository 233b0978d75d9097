//! What rounding may do to the laws of a recorded step, whoever computed it.
//!
//! A recorded number x~ stands for the maker's x with |x~ - x| <= u |x~| + a: u = 2^-53 in binary64, 2^-24 in binary32, and a the
//! half step of a grid of positions and velocities, where there is one. A law is a sum of products of such numbers. With S the
//! sum of the sizes of its terms, and C that of the factors of positions and velocities, it may be off by
//!
//! > N (u S + a C) + d S,  N = 16 + 4 n + m,
//!
//! with n rows of the step's problem and of its joints, and m = n + 6 b terms for b bodies: a fast solver's answer counts as right within
//! (4 n + 16) u of a row. d is what the maker's solver is declared to be off. These are the tolerances of motions in the plane
//! (`etalon_engines::motion`).
//!
//! What the answer decides (contacts, limits, drives, friction against turning) has eps = N u + d in place of the judge's tolerance
//! ([`super::allowance`]), and in the circular cone 10^-12 more: no answer is known in closed form there, and 10^-12 is the block error
//! that `fast-cone` keeps to. A looser solver is declared by d.
//!
//! Two things are Etalon's own and no rounding of the maker's, and are left open for recorded steps:
//!
//! * Arms and axes of joints are on a grid of 2^-40, and so are the places at the start that they follow from: each entry is off by up to
//!   2^-41 (of a metre, or of 1). A vector is off by
//!   e = 3 2^-41, in the sum of the sizes. The gap of an equation is a product of one axis with two arms and a distance of size R, or of two
//!   axes: off by e (R + 4). Its rate is off by e times the sum of |v| + |w| (2 R + 4) over both bodies; the impulse r by e r, its torque by
//!   e r (2 R + 4).
//! * The inverse inertia W of the step is on a grid of 2^-48 of its size. So angular velocities W L are off by 3 |W| 2^-48 |L|, beside what
//!   rounding does to L: 3 |W| times that.

use rug::Rational;

use super::norm;
use crate::grid::{BITS, INERTIA_BITS, largest};
use crate::settings::Cone;
use crate::settings::Settings;
use crate::state::Motion;
use crate::step::SpaceStep;
use crate::world::SpaceWorld;
use etalon_rigid::Dense;

/// N of a law that no problem stands behind: a position, a length.
const FEW: u32 = 24;

/// The block error that the solver of circular cones keeps to.
const OF_CONE: (u64, u64) = (1, 1_000_000_000_000);

/// The precision of recorded numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpacePrecision {
    /// u: relative to each number.
    pub relative: Rational,
    /// a: of positions and velocities.
    pub absolute: Rational,
    /// d: the relative error that the maker's solver is declared to have.
    pub declared: Rational,
}

/// What rounding may do.
#[derive(Debug, Clone, Default)]
pub(super) struct Noise {
    /// None where numbers are exact.
    own: Option<Rounded>,
}

#[derive(Debug, Clone)]
struct Rounded {
    /// N u + d.
    eps: Rational,
    /// The same of what an answer decides.
    of_answer: Rational,
    /// N a.
    grid: Rational,
    precision: SpacePrecision,
}

/// What the balance of a body may be off.
#[derive(Debug, Default)]
pub(super) struct OfMomentum {
    /// N s.
    pub linear: Rational,
    /// N m s.
    pub angular: Rational,
    /// m.
    pub position: Rational,
}

impl OfMomentum {
    /// With what the vectors of joints leave open.
    pub fn with(mut self, [linear, angular]: &[Rational; 2]) -> Self {
        self.linear += linear;
        self.angular += angular;
        self
    }
}

impl Noise {
    pub fn of(precision: Option<&SpacePrecision>, settings: &Settings, step: &SpaceStep) -> Self {
        let own = precision.map(|precision| {
            let rows = step.z.len() + step.joint_impulses.len();
            let terms = rows + step.velocity.len();
            let count = u32::try_from(16 + 4 * rows + terms).unwrap_or(u32::MAX);
            let eps = Rational::from(&precision.relative * count) + &precision.declared;
            let of_cone = match settings.cone {
                Cone::Pyramid(_) => Rational::new(),
                Cone::Circular => Rational::from(OF_CONE),
            };
            Rounded {
                of_answer: Rational::from(&eps + &of_cone),
                eps,
                grid: Rational::from(&precision.absolute * count),
                precision: precision.clone(),
            }
        });
        Self { own }
    }

    /// N u + d and what the circular cone adds, where numbers are not exact.
    pub fn of_answer(&self) -> Option<&Rational> {
        self.own.as_ref().map(|own| &own.of_answer)
    }

    /// What a vector of a joint is off for being on its grid, in the sum of the sizes of its entries.
    pub fn of_vector(&self) -> Rational {
        match self.own {
            Some(_) => Rational::from(3) >> (BITS + 1),
            None => Rational::new(),
        }
    }

    /// What an angular velocity of the step is off.
    pub fn of_spin(
        &self,
        (world, body): (&SpaceWorld, usize),
        inverse: &Dense<Rational>,
        states: [&Motion; 2],
    ) -> Rational {
        let Some(own) = &self.own else {
            return Rational::new();
        };
        let most = largest(inverse) * 3u32;
        let inertia = largest(&world.bodies()[body].inertia) * 3u32;
        let (mut size, mut momenta) = (Rational::new(), Rational::new());
        for motion in states {
            let momentum = norm(&motion.momentum);
            size += norm(&world.angular_velocity(body, motion)) * &inertia + &momentum;
            momenta += momentum;
        }
        let step = (Rational::from(1) << (world.momentum_exponent(body) - 1)) * FEW;
        let of_momentum = size * &own.eps + step;
        let of_inverse = momenta * (Rational::from(1) >> INERTIA_BITS);
        most * (of_momentum + of_inverse)
    }

    /// Whether numbers are exact.
    pub fn is_none(&self) -> bool {
        self.own.is_none()
    }

    /// N u + d, where numbers are not exact.
    pub fn eps(&self) -> Option<&Rational> {
        self.own.as_ref().map(|own| &own.eps)
    }

    /// Of a sum of that size, whose factors of positions and velocities have another.
    pub fn of_sum(&self, size: &Rational, factors: &Rational) -> Rational {
        let Some(own) = &self.own else {
            return Rational::new();
        };
        Rational::from(&own.eps * size) + Rational::from(&own.grid * factors)
    }

    /// Of a sum of a few terms: N is 24.
    pub fn of_few(&self, size: &Rational, factors: &Rational) -> Rational {
        let Some(own) = &self.own else {
            return Rational::new();
        };
        let of_size = Rational::from(&own.precision.relative * size);
        (of_size + Rational::from(&own.precision.absolute * factors)) * FEW
    }

    /// u, or another where numbers are exact.
    pub fn unit(&self, exact: &Rational) -> Rational {
        match &self.own {
            Some(own) => own.precision.relative.clone().max(exact.clone()),
            None => exact.clone(),
        }
    }

    /// Of the balance of a body, for the sizes of all impulses on it; angular momenta are kept to a step of their own.
    pub fn of_momentum(
        &self,
        (world, body): (&SpaceWorld, usize),
        [pushed, turned]: &[Rational; 2],
        (old, new): (&Motion, &Motion),
        h: &Rational,
    ) -> OfMomentum {
        if self.is_none() {
            return OfMomentum::default();
        }
        let own = &world.bodies()[body];
        let speeds = norm(&old.velocity) + norm(&new.velocity);
        let applied = norm(&world.force(body)) * h;
        let linear = speeds * &own.mass + applied + pushed;
        // Where spins are recorded in place of momenta, each momentum is a product with the inertia.
        let spins = [old, new].map(|motion| norm(&world.angular_velocity(body, motion)));
        let [a, b] = spins;
        let inertia = largest(&own.inertia) * 3u32;
        let angular = (a + b) * inertia + norm(&own.torque) * h + turned;
        let step = Rational::from(1) << (world.momentum_exponent(body) - 1);
        let places = norm(&old.position) + norm(&new.position) + norm(&new.velocity) * h;
        OfMomentum {
            linear: self.of_sum(&linear, &Rational::from(&own.mass * 2u32)),
            angular: self.of_sum(&angular, &Rational::new()) + step * FEW,
            position: self.of_few(&places, &(Rational::from(h) + 2u32)),
        }
    }
}

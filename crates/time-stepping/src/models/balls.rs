//! Balls in space, on planes and against each other, with friction cones of k directions.

use etalon_rigid::{Covector, Dense, MassMatrix, Scalar, dot};
use rug::Rational;

use crate::arithmetic::Arithmetic;
use crate::error::StepError;
use crate::model::{ContactFrame, ContactInfo, FrictionDirection, Model};

/// Balls under gravity, coordinates (x, y, z, rx, ry, rz) of each, the last three the integral of
/// the angular velocity, in radians. No contact of a ball depends on how it is turned, so that
/// dq/dt = v.
///
/// Friction directions are at angles 2 pi j/k from a first tangent a towards a x n: on a plane the
/// x axis is a (the y axis where the normal is along x), between balls a is along n x z (the x
/// axis where the normal is vertical).
#[derive(Debug, Clone)]
pub struct Balls<S> {
    balls: Vec<Ball<S>>,
    pairs: Vec<BallContact<S>>,
    contacts: Vec<ContactInfo<S>>,
    /// (cos, sin) of the directions of half the cone; the other half are their opposites.
    half_cone: Vec<(S, S)>,
    mass: MassMatrix<S>,
    force: Vec<S>,
}

/// A ball.
#[derive(Debug, Clone, PartialEq)]
pub struct Ball<S> {
    /// The name.
    pub name: String,
    /// Mass, kg.
    pub mass: S,
    /// Moment of inertia about any axis through the centre, kg m^2.
    pub inertia: S,
    /// Radius, m.
    pub radius: S,
}

/// The possible contacts.
#[derive(Debug, Clone, PartialEq)]
pub enum BallContact<S> {
    /// A ball and the half-space normal'p >= offset.
    Plane {
        /// The ball.
        ball: usize,
        /// The plane's name.
        name: String,
        /// The unit normal.
        normal: [S; 3],
        /// The offset, m.
        offset: S,
    },
    /// Two balls.
    Balls {
        /// The ball that the normal points to.
        first: usize,
        /// The other.
        second: usize,
    },
}

impl<S: Scalar> Balls<S> {
    /// Balls under gravity, with friction cones of k directions.
    ///
    /// # Errors
    /// [`StepError::Scene`] for masses and inertias that are not positive, [`StepError::Setting`]
    /// for a k that is odd or below 4, [`StepError::Irrational`] for k other than 4 in fractions.
    pub fn new(
        balls: Vec<Ball<S>>,
        gravity: [S; 3],
        directions: u32,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Self, StepError> {
        if directions < 4 || directions % 2 == 1 {
            return Err(StepError::Setting {
                setting: "the number of directions",
                value: directions.to_string(),
                range: "even, at least 4",
            });
        }
        let half_cone = (0..directions / 2)
            .map(|j| arithmetic.direction(&Rational::from((j, directions))))
            .collect::<Result<_, _>>()?;
        let mut mass = MassMatrix::empty();
        let mut force = Vec::with_capacity(6 * balls.len());
        for ball in &balls {
            let entry = |i: usize, j: usize| match i == j {
                true if i < 3 => ball.mass.clone(),
                true => ball.inertia.clone(),
                false => S::zero(),
            };
            mass.push(&ball.name, Dense::from_fn(6, 6, entry))?;
            force.extend(gravity.clone().map(|g| g * &ball.mass));
            force.extend([S::zero(), S::zero(), S::zero()]);
        }
        Ok(Self {
            balls,
            pairs: Vec::new(),
            contacts: Vec::new(),
            half_cone,
            mass,
            force,
        })
    }

    /// The same system with a contact.
    ///
    /// # Errors
    /// [`StepError::Missing`].
    pub fn contact(mut self, contact: BallContact<S>, mu: S) -> Result<Self, StepError> {
        let name = |index: usize| {
            let what = "ball";
            let ball = self.balls.get(index);
            ball.map(|ball| &ball.name)
                .ok_or(StepError::Missing { what, index })
        };
        let pair = match &contact {
            BallContact::Plane {
                ball, name: plane, ..
            } => format!("{}/{plane}", name(*ball)?),
            BallContact::Balls { first, second } => {
                format!("{}/{}", name(*first)?, name(*second)?)
            }
        };
        self.pairs.push(contact);
        self.contacts.push(ContactInfo { pair, mu });
        Ok(self)
    }

    /// The balls.
    pub fn balls(&self) -> &[Ball<S>] {
        &self.balls
    }

    /// The possible contacts, in order.
    pub fn pairs(&self) -> &[BallContact<S>] {
        &self.pairs
    }

    fn pair(&self, index: usize) -> Result<&BallContact<S>, StepError> {
        let what = "contact";
        self.pairs
            .get(index)
            .ok_or(StepError::Missing { what, index })
    }

    /// Gap and normal, and the bodies with the arms of their contact points as multiples of n.
    fn geometry(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Geometry<S>, StepError> {
        let centre = |ball: usize| &q[6 * ball..6 * ball + 3];
        match self.pair(contact)? {
            BallContact::Plane {
                ball,
                normal,
                offset,
                ..
            } => {
                let radius = &self.balls[*ball].radius;
                Ok(Geometry {
                    gap: dot(normal, centre(*ball)) - offset - radius,
                    normal: normal.clone(),
                    tangent: plane_tangent(normal, arithmetic)?,
                    sides: vec![(*ball, -radius.clone())],
                })
            }
            BallContact::Balls { first, second } => {
                let (a, b) = (centre(*first), centre(*second));
                let apart = [0, 1, 2].map(|i| a[i].clone() - &b[i]);
                let length = arithmetic.sqrt(&dot(&apart, &apart))?;
                if length.is_zero() {
                    let contact = self.contacts[contact].pair.clone();
                    return Err(StepError::NoNormal { contact });
                }
                let normal = apart.map(|x| arithmetic.round(x / &length));
                let radii = [&self.balls[*first].radius, &self.balls[*second].radius];
                Ok(Geometry {
                    gap: length - radii[0] - radii[1],
                    tangent: level_tangent(&normal, arithmetic)?,
                    sides: vec![(*first, -radii[0].clone()), (*second, radii[1].clone())],
                    normal,
                })
            }
        }
    }
}

struct Geometry<S> {
    gap: S,
    normal: [S; 3],
    /// The first tangent a.
    tangent: [S; 3],
    /// Each ball with the distance of the contact point along n from its centre.
    sides: Vec<(usize, S)>,
}

impl<S: Scalar> Geometry<S> {
    /// How the contact points move apart along a direction: that of the first ball minus that of
    /// the second. A force t at arm r n has the torque r n x t.
    fn row(&self, t: &[S; 3], arithmetic: &dyn Arithmetic<S>) -> Covector<S> {
        let torque = cross(&self.normal, t);
        let mut entries = Vec::with_capacity(12);
        for (k, (ball, arm)) in self.sides.iter().enumerate() {
            let linear = t.iter().cloned();
            let angular = torque.iter().map(|x| x.clone() * arm);
            for (i, value) in linear.chain(angular).enumerate() {
                let value = arithmetic.round(value);
                entries.push((6 * ball + i, if k == 0 { value } else { -value }));
            }
        }
        Covector::new(entries)
    }
}

fn cross<S: Scalar>(a: &[S; 3], b: &[S; 3]) -> [S; 3] {
    let term = |i: usize, j: usize| a[i].clone() * &b[j] - a[j].clone() * &b[i];
    [term(1, 2), term(2, 0), term(0, 1)]
}

/// The unit vector along n x z; the x axis where n is vertical.
fn level_tangent<S: Scalar>(
    n: &[S; 3],
    arithmetic: &dyn Arithmetic<S>,
) -> Result<[S; 3], StepError> {
    let level = [n[1].clone(), -n[0].clone(), S::zero()];
    unit(level, arithmetic)
}

/// The x axis without its part along n, as a unit vector; that of the y axis where n is along x.
fn plane_tangent<S: Scalar>(
    n: &[S; 3],
    arithmetic: &dyn Arithmetic<S>,
) -> Result<[S; 3], StepError> {
    let axis = usize::from(n[1].is_zero() && n[2].is_zero());
    let mut tangent = n.clone().map(|x| -(x * &n[axis]));
    tangent[axis] += &S::one();
    unit(tangent, arithmetic)
}

fn unit<S: Scalar>(a: [S; 3], arithmetic: &dyn Arithmetic<S>) -> Result<[S; 3], StepError> {
    let length = arithmetic.sqrt(&dot(&a, &a))?;
    if length.is_zero() {
        return Ok([S::one(), S::zero(), S::zero()]);
    }
    Ok(a.map(|x| arithmetic.round(x / &length)))
}

impl<S: Scalar> Model<S> for Balls<S> {
    fn coordinates(&self) -> Vec<String> {
        let names = self.balls.iter().flat_map(|ball| {
            ["x", "y", "z", "rx", "ry", "rz"].map(|axis| format!("{} {axis}", ball.name))
        });
        names.collect()
    }

    fn contacts(&self) -> &[ContactInfo<S>] {
        &self.contacts
    }

    constant_dynamics!();

    fn gap(&self, contact: usize, q: &[S], arithmetic: &dyn Arithmetic<S>) -> Result<S, StepError> {
        let gap = self.geometry(contact, q, arithmetic)?.gap;
        Ok(arithmetic.round(gap))
    }

    fn gap_size(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<S, StepError> {
        let normal = self.geometry(contact, q, arithmetic)?.normal;
        let along = |ball: usize| {
            let entries = normal.iter().cloned().enumerate();
            let entries: Vec<_> = entries.map(|(k, n)| (6 * ball + k, n)).collect();
            super::sizes(&entries, q)
        };
        Ok(match self.pair(contact)? {
            BallContact::Plane { ball, offset, .. } => {
                along(*ball) + offset.abs() + self.balls[*ball].radius.abs()
            }
            BallContact::Balls { first, second } => {
                let radii = [first, second].map(|ball| self.balls[*ball].radius.abs());
                let [a, b] = radii;
                along(*first) + along(*second) + a + b
            }
        })
    }

    fn frame(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<ContactFrame<S>, StepError> {
        let geometry = self.geometry(contact, q, arithmetic)?;
        let a = &geometry.tangent;
        // a and n are orthogonal unit vectors: their vector product is one, too, without a root.
        let b = cross(a, &geometry.normal);
        let mut directions = Vec::with_capacity(2 * self.half_cone.len());
        for (cos, sin) in &self.half_cone {
            let t = [0, 1, 2].map(|i| cos.clone() * &a[i] + sin.clone() * &b[i]);
            directions.push(FrictionDirection {
                tangent: vec![cos.clone(), sin.clone()],
                row: geometry.row(&t, arithmetic),
            });
        }
        // Negated and not computed again: `Formulation` knows opposite columns by equal numbers.
        let negative = |values: &[S]| values.iter().map(|v| -v.clone()).collect();
        let opposite = directions.iter().map(|direction| {
            let entries = direction.row.entries().iter();
            FrictionDirection {
                tangent: negative(&direction.tangent),
                row: Covector::new(entries.map(|(k, v)| (*k, -v.clone())).collect::<Vec<_>>()),
            }
        });
        let opposite: Vec<_> = opposite.collect();
        directions.extend(opposite);
        Ok(ContactFrame {
            normal: geometry.row(&geometry.normal, arithmetic),
            directions,
            gap: arithmetic.round(geometry.gap),
        })
    }
}

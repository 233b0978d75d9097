//! Rigid bodies in the plane that touch with discs, and with points as discs of no radius.

use etalon_rigid::{Covector, Dense, MassMatrix, Scalar, dot};

use crate::arithmetic::Arithmetic;
use crate::error::StepError;
use crate::model::{BoundedFriction, ContactFrame, ContactInfo, FrictionDirection, Model};

/// Rigid bodies in the plane, coordinates (x, y, theta) of each body's centre of mass and angle,
/// counterclockwise, in the order of the bodies, under gravity. Bodies touch fixed lines and each
/// other with discs: rods with round ends, polygons, wheels, blocks, balls in a plane.
#[derive(Debug, Clone)]
pub struct Planar<S> {
    bodies: Vec<PlanarBody<S>>,
    lines: Vec<Line<S>>,
    touches: Vec<Touch>,
    contacts: Vec<ContactInfo<S>>,
    bounded: Vec<BoundedFriction<S>>,
    mass: MassMatrix<S>,
    force: Vec<S>,
}

/// A body.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanarBody<S> {
    /// The name.
    pub name: String,
    /// Mass, kg.
    pub mass: S,
    /// Moment of inertia about the centre of mass, kg m^2.
    pub inertia: S,
    /// Where it can touch.
    pub discs: Vec<BodyDisc<S>>,
}

/// A disc fixed in a body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyDisc<S> {
    /// The name, unique in its body.
    pub name: String,
    /// The centre in body coordinates, m.
    pub centre: [S; 2],
    /// The radius, m; 0 for a point.
    pub radius: S,
}

/// A fixed line: bodies are where normal'p >= offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<S> {
    /// The name.
    pub name: String,
    /// The unit normal.
    pub normal: [S; 2],
    /// The offset, m.
    pub offset: S,
}

/// Two things that may touch; a disc is (body, disc).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// A disc and a fixed line.
    Line {
        /// The disc.
        disc: (usize, usize),
        /// The line.
        line: usize,
    },
    /// Discs of two bodies.
    Discs {
        /// The disc that the normal points to.
        first: (usize, usize),
        /// The other.
        second: (usize, usize),
    },
}

impl<S: Scalar> Planar<S> {
    /// Bodies among lines under gravity (its acceleration, m/s^2).
    ///
    /// # Errors
    /// [`StepError::Scene`] for masses and inertias that are not positive.
    pub fn new(
        bodies: Vec<PlanarBody<S>>,
        lines: Vec<Line<S>>,
        gravity: [S; 2],
    ) -> Result<Self, StepError> {
        let mut mass = MassMatrix::empty();
        let mut force = Vec::with_capacity(3 * bodies.len());
        for body in &bodies {
            let diagonal = [&body.mass, &body.mass, &body.inertia];
            let entry = |i: usize, j: usize| {
                if i == j {
                    diagonal[i].clone()
                } else {
                    S::zero()
                }
            };
            mass.push(&body.name, Dense::from_fn(3, 3, entry))?;
            force.extend(gravity.clone().map(|g| g * &body.mass));
            force.push(S::zero());
        }
        Ok(Self {
            bodies,
            lines,
            touches: Vec::new(),
            contacts: Vec::new(),
            bounded: Vec::new(),
            mass,
            force,
        })
    }

    /// The same system with a constant generalised force in addition to gravity.
    ///
    /// # Errors
    /// [`StepError::Length`].
    pub fn pushed(mut self, force: &[S]) -> Result<Self, StepError> {
        if force.len() != self.force.len() {
            return Err(StepError::Length {
                what: "the force",
                length: force.len(),
                expected: self.force.len(),
            });
        }
        for (sum, own) in self.force.iter_mut().zip(force) {
            *sum += own;
        }
        Ok(self)
    }

    /// The same system with a contact.
    ///
    /// # Errors
    /// [`StepError::Missing`] for bodies, discs and lines that there are not.
    pub fn touch(mut self, touch: Touch, mu: S) -> Result<Self, StepError> {
        let pair = match touch {
            Touch::Line { disc, line } => {
                let known = self.lines.get(line);
                let index = line;
                let line = known.ok_or(StepError::Missing {
                    what: "line",
                    index,
                })?;
                format!("{}/{}", self.disc_name(disc)?, line.name)
            }
            Touch::Discs { first, second } => {
                format!("{}/{}", self.disc_name(first)?, self.disc_name(second)?)
            }
        };
        self.touches.push(touch);
        self.contacts.push(ContactInfo { pair, mu });
        Ok(self)
    }

    /// The same system with friction that belongs to no contact.
    pub fn friction(mut self, friction: BoundedFriction<S>) -> Self {
        self.bounded.push(friction);
        self
    }

    /// The bodies.
    pub fn bodies(&self) -> &[PlanarBody<S>] {
        &self.bodies
    }

    /// The fixed lines.
    pub fn lines(&self) -> &[Line<S>] {
        &self.lines
    }

    /// The possible contacts, in order.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    fn disc(&self, (body, disc): (usize, usize)) -> Result<&BodyDisc<S>, StepError> {
        let missing = |what, index| StepError::Missing { what, index };
        let owner = self.bodies.get(body).ok_or(missing("body", body))?;
        owner.discs.get(disc).ok_or(missing("disc", disc))
    }

    fn disc_name(&self, disc: (usize, usize)) -> Result<String, StepError> {
        let own = &self.disc(disc)?.name;
        let body = &self.bodies[disc.0].name;
        Ok(if own.is_empty() {
            body.clone()
        } else {
            format!("{body} {own}")
        })
    }

    fn known_touch(&self, index: usize) -> Result<&Touch, StepError> {
        let what = "contact";
        self.touches
            .get(index)
            .ok_or(StepError::Missing { what, index })
    }

    /// From a body's centre of mass to that of a disc, in the world.
    fn arm(
        &self,
        disc: (usize, usize),
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<[S; 2], StepError> {
        let [x, y] = &self.disc(disc)?.centre;
        // A disc about the centre of mass needs no sine, so that fractions can turn it by any
        // angle.
        if x.is_zero() && y.is_zero() {
            return Ok([S::zero(), S::zero()]);
        }
        let (sin, cos) = arithmetic.sin_cos(&q[3 * disc.0 + 2])?;
        Ok([cos.clone() * x - sin.clone() * y, sin * x + cos * y])
    }

    /// The sum of the sizes of the terms of how far a disc reaches along a direction: the place of its body, both parts of the
    /// arm turned, and the radius.
    fn reach_size(
        &self,
        disc: (usize, usize),
        direction: &[S; 2],
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<S, StepError> {
        let own = self.disc(disc)?;
        let [x, y] = own.centre.each_ref().map(Scalar::abs);
        let (sin, cos) = if x.is_zero() && y.is_zero() {
            (S::zero(), S::zero())
        } else {
            arithmetic.sin_cos(&q[3 * disc.0 + 2])?
        };
        let (sin, cos) = (sin.abs(), cos.abs());
        let place = |k: usize| q[3 * disc.0 + k].abs();
        let across = place(0) + cos.clone() * &x + sin.clone() * &y;
        let upward = place(1) + sin * &x + cos * &y;
        let [n, m] = direction.each_ref().map(Scalar::abs);
        Ok(n * &across + m * &upward + own.radius.abs())
    }

    /// Where the contact is, and how far the discs are apart.
    fn geometry(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Geometry<S>, StepError> {
        match *self.known_touch(contact)? {
            Touch::Line { disc, line } => {
                let arm = self.arm(disc, q, arithmetic)?;
                let line = &self.lines[line];
                let centre = self.centre(disc, &arm, q);
                let radius = &self.disc(disc)?.radius;
                Ok(Geometry {
                    gap: dot(&line.normal, &centre) - &line.offset - radius,
                    normal: line.normal.clone(),
                    sides: vec![(disc.0, touching(arm, radius, &line.normal, -S::one()))],
                })
            }
            Touch::Discs { first, second } => {
                let arms = [
                    self.arm(first, q, arithmetic)?,
                    self.arm(second, q, arithmetic)?,
                ];
                let a = self.centre(first, &arms[0], q);
                let b = self.centre(second, &arms[1], q);
                let apart = [a[0].clone() - &b[0], a[1].clone() - &b[1]];
                let length = arithmetic.sqrt(&dot(&apart, &apart))?;
                // Exactly 0: any other way between centres has a direction.
                if length.is_zero() {
                    let contact = self.contacts[contact].pair.clone();
                    return Err(StepError::NoNormal { contact });
                }
                let normal = apart.map(|x| arithmetic.round(x / &length));
                let radii = [&self.disc(first)?.radius, &self.disc(second)?.radius];
                let [arm_a, arm_b] = arms;
                Ok(Geometry {
                    gap: length - radii[0] - radii[1],
                    sides: vec![
                        (first.0, touching(arm_a, radii[0], &normal, -S::one())),
                        (second.0, touching(arm_b, radii[1], &normal, S::one())),
                    ],
                    normal,
                })
            }
        }
    }

    fn centre(&self, disc: (usize, usize), arm: &[S; 2], q: &[S]) -> [S; 2] {
        let at = 3 * disc.0;
        [q[at].clone() + &arm[0], q[at + 1].clone() + &arm[1]]
    }
}

/// A contact in the world.
struct Geometry<S> {
    gap: S,
    normal: [S; 2],
    /// Each body with the arm of the contact point from its centre of mass; the second body moves
    /// against the first.
    sides: Vec<(usize, [S; 2])>,
}

/// The arm of the point of a disc in the direction of the normal, or against it.
fn touching<S: Scalar>(arm: [S; 2], radius: &S, normal: &[S; 2], side: S) -> [S; 2] {
    let [x, y] = arm;
    let reach = side * radius;
    [x + reach.clone() * &normal[0], y + reach * &normal[1]]
}

impl<S: Scalar> Geometry<S> {
    /// How the contact points move apart along a direction. The gap's own rate, as the normal
    /// turns, differs by nothing: what turning adds is along the tangent.
    fn row(&self, direction: &[S; 2], arithmetic: &dyn Arithmetic<S>) -> Covector<S> {
        let mut entries = Vec::with_capacity(6);
        for (k, (body, arm)) in self.sides.iter().enumerate() {
            let turning = arm[0].clone() * &direction[1] - arm[1].clone() * &direction[0];
            for (i, value) in [direction[0].clone(), direction[1].clone(), turning]
                .into_iter()
                .enumerate()
            {
                let value = arithmetic.round(value);
                entries.push((3 * body + i, if k == 0 { value } else { -value }));
            }
        }
        Covector::new(entries)
    }
}

impl<S: Scalar> Model<S> for Planar<S> {
    fn coordinates(&self) -> Vec<String> {
        let names = self.bodies.iter().flat_map(|body| {
            ["x", "y", "theta"].map(|axis| match self.bodies.len() {
                1 => axis.to_owned(),
                _ => format!("{} {axis}", body.name),
            })
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
        let reach = |disc| self.reach_size(disc, &normal, q, arithmetic);
        match *self.known_touch(contact)? {
            Touch::Line { disc, line } => Ok(reach(disc)? + self.lines[line].offset.abs()),
            Touch::Discs { first, second } => Ok(reach(first)? + reach(second)?),
        }
    }

    fn frame(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<ContactFrame<S>, StepError> {
        let geometry = self.geometry(contact, q, arithmetic)?;
        let [x, y] = geometry.normal.clone();
        let along = geometry.row(&[y, -x], arithmetic);
        // Negated, not computed again: `Formulation` knows opposite columns by equal numbers.
        let against = along.entries().iter().map(|(k, v)| (*k, -v.clone()));
        let against = Covector::new(against.collect::<Vec<_>>());
        let direction = |tangent, row| FrictionDirection {
            tangent: vec![tangent],
            row,
        };
        Ok(ContactFrame {
            normal: geometry.row(&geometry.normal, arithmetic),
            directions: vec![direction(S::one(), along), direction(-S::one(), against)],
            gap: arithmetic.round(geometry.gap),
        })
    }

    fn bounded_friction(&self) -> &[BoundedFriction<S>] {
        &self.bounded
    }
}

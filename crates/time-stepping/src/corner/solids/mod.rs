//! Rigid bodies that turn, whose points stay out of convex bodies: Egan and Trinkle's step where M, k and n are not constant.
//!
//! Bodies are in the plane (x, y, theta) or in space (x, y, z and a quaternion w, x, y, z; velocities with the angular velocity in
//! axes of the world). A point a of one body and the sides (n_i, o_i) of another one have the gaps
//!
//! > psi_i = n_i'(a - b) - o_i,
//!
//! where b is the second body's centre, and n_i turns with it. The point is outside while max(psi_1, psi_2, ...) >= 0: an obstacle of
//! as many faces as the body has sides. A step takes all gaps to first order about its start, as Trinkle and Nguyen print it,
//!
//! > psi_i^(l+1) = psi_i^l + h W_i'v^(l+1),  W_i' = d psi_i/dq G,  q' = G v,
//!
//! with M and k of the start, too. A [`Scheme`] may take all of them at q^m ahead of the start, h/2 or h by v^l; then
//!
//! > psi_i^(l+1) = psi_i^m + W_i'(u - share h v^l),
//!
//! which is of the same form. In the displacement u = h v the faces are those of [`Corners`], and the step is one of
//! [`Corners::step`], with all of its solutions. What is left is to choose the obstacles that take part ([`SolidStep::parts`]), to
//! round the state, and to account for what turning does to the energy.
//!
//! **Which take part.** At first obstacles that the motion without impulses ends inside, and those that are closed before the step; of each
//! the faces whose gap is, before or after that motion, less deep than the motion is long. Then, until there are none, those that the
//! motion of the solution ends inside, and faces that are open where their obstacle pushes. So the solution solves the problem of
//! all obstacles with all of their faces: what is left out has no impulse, and is open.

mod examine;
mod face;
mod overlap;
mod pose;
mod record;
mod step;
mod touch;
mod whole;

use std::borrow::Cow;

use std::ops::Range;

use etalon_rigid::{Dense, MassMatrix, Scalar};
use rug::Rational;

use crate::arithmetic::Arithmetic;
use crate::error::StepError;
use crate::settings::Scheme;
use crate::step::Energy;
use face::Edge;
use pose::Pose;
use whole::Whole;

pub use face::{NoSolid, SolidFace, unit_vector};
pub use record::{
    ApartDirection, SolidDissipation, SolidLaws, SolidStep, SolidWhole, Touch, TouchedFace,
};
pub use touch::SolidTouch;
pub use whole::LEAST_ANGLE;

/// A body.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// The name.
    pub name: String,
    /// kg.
    pub mass: Rational,
    /// About the centre of mass, in body coordinates, kg m^2: one number in the plane, three rows in space.
    pub inertia: Dense<Rational>,
    /// A constant force at the centre of mass, N.
    pub force: Vec<Rational>,
    /// Whether it keeps its velocities, whatever touches it: an obstacle that moves.
    pub driven: bool,
    /// Of a body that does not move: its centre, and the rows of its rotation.
    pub fixed: Option<(Vec<Rational>, Vec<Vec<Rational>>)>,
    /// Where it touches others, in body coordinates, m.
    pub points: Vec<Vec<Rational>>,
    /// What keeps the points of others out; none of a body that is its points alone.
    pub faces: Vec<SolidFace>,
}

/// The points of a body and the sides of another one.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidPair {
    /// Whose points.
    pub points_of: usize,
    /// Whose sides.
    pub faces_of: usize,
    /// The coefficient of friction.
    pub mu: Rational,
    /// The directions of friction in tangent coordinates, with each its opposite; none without friction.
    pub directions: Vec<Vec<Rational>>,
}

/// A system of such bodies in numbers of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Solids<S> {
    dimension: usize,
    bodies: Vec<Body<S>>,
    pairs: Vec<Pair<S>>,
    /// Pairs of which both bodies have points and sides.
    wholes: Vec<Whole>,
    /// Where M, k and gaps are evaluated.
    scheme: Scheme,
    /// Whether forces make velocities.
    first_order: bool,
}

/// A body in those numbers.
#[derive(Debug, Clone, PartialEq)]
struct Body<S> {
    name: String,
    mass: S,
    inertia: Dense<S>,
    /// With its weight.
    force: Vec<S>,
    driven: bool,
    fixed: Option<Pose<S>>,
    points: Vec<Vec<S>>,
    faces: Vec<Side<S>>,
    /// In space.
    edges: Vec<Edge>,
    /// Where its coordinates and velocities begin.
    at: [usize; 2],
}

#[derive(Debug, Clone, PartialEq)]
struct Side<S> {
    name: String,
    normal: Vec<S>,
    offset: S,
    tangents: Vec<Vec<S>>,
    corners: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
struct Pair<S> {
    points_of: usize,
    faces_of: usize,
    mu: S,
    directions: Vec<Vec<S>>,
}

/// A point of a pair that the sides keep out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Region {
    pair: usize,
    point: usize,
}

fn kept<S: Scalar>(own: &[Rational]) -> Vec<S> {
    own.iter().map(S::from_rational).collect()
}

fn kept_rows<S: Scalar>(own: &[Vec<Rational>]) -> Vec<Vec<S>> {
    own.iter().map(|row| kept(row)).collect()
}

impl<S: Scalar> Solids<S> {
    /// Bodies under gravity, m/s^2, in as many dimensions as that has.
    ///
    /// # Errors
    /// [`StepError::Missing`] for bodies that there are not; [`StepError::Scene`] for a mass or inertia that is not positive.
    pub fn new(
        gravity: &[Rational],
        solids: &[Solid],
        pairs: &[SolidPair],
    ) -> Result<Self, StepError> {
        let dimension = gravity.len();
        let mut next = [0; 2];
        let body = |own: &Solid| {
            let at = next;
            if own.fixed.is_none() {
                let lengths = Self::lengths(dimension);
                next = [next[0] + lengths[0], next[1] + lengths[1]];
            }
            Body::new(own, gravity, at)
        };
        let mut own = Self {
            dimension,
            bodies: solids.iter().map(body).collect(),
            pairs: pairs.iter().map(pair).collect(),
            wholes: Vec::new(),
            scheme: Scheme::Linear,
            first_order: false,
        };
        own.wholes = own.wholes_of_pairs();
        for pair in pairs {
            for index in [pair.points_of, pair.faces_of] {
                if index >= own.bodies.len() {
                    let what = "body";
                    return Err(StepError::Missing { what, index });
                }
            }
        }
        // A mass or inertia that cannot be is told before a step.
        let unturned = vec![Pose::unturned(dimension); own.bodies.len()];
        own.mass(&unturned)?;
        Ok(own)
    }

    /// The same with M, k and gaps evaluated where a scheme says, ahead of the start of a step.
    ///
    /// # Errors
    /// [`StepError::Setting`] for a scheme that iterates for that point.
    pub fn with_scheme(mut self, scheme: Scheme) -> Result<Self, StepError> {
        if scheme.halves_ahead().is_none() {
            return Err(StepError::Setting {
                setting: "scheme",
                value: scheme.to_string(),
                range: "linear, midpoint or predicted: the others iterate",
            });
        }
        self.scheme = scheme;
        Ok(self)
    }

    /// The pairs of which both bodies have points and sides, so that all of one may be before a side of the other.
    fn wholes_of_pairs(&self) -> Vec<Whole> {
        let pairs = self.pairs.iter().enumerate();
        let wholes = pairs.filter_map(|(one, own)| {
            let back = |other: &Pair<S>| {
                [other.points_of, other.faces_of] == [own.faces_of, own.points_of]
            };
            let two = self.pairs.iter().position(back)?;
            (one < two).then_some(Whole { pairs: [one, two] })
        });
        wholes.collect()
    }

    /// Coordinates and velocities of a body.
    fn lengths(dimension: usize) -> [usize; 2] {
        if dimension == 2 { [3, 3] } else { [7, 6] }
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Bodies that have coordinates, driven or not.
    fn moving(&self) -> impl Iterator<Item = &Body<S>> {
        self.bodies.iter().filter(|own| own.fixed.is_none())
    }

    /// Whether an obstacle moves.
    pub fn drives(&self) -> bool {
        self.bodies.iter().any(|own| own.driven)
    }

    /// The names of the coordinates.
    pub fn coordinates(&self) -> Vec<String> {
        self.named(match self.dimension {
            2 => &["x", "y", "theta"],
            _ => &["x", "y", "z", "qw", "qx", "qy", "qz"],
        })
    }

    /// The names of the velocities.
    pub fn velocities(&self) -> Vec<String> {
        self.named(match self.dimension {
            2 => &["x", "y", "theta"],
            _ => &["x", "y", "z", "rx", "ry", "rz"],
        })
    }

    fn named(&self, axes: &[&str]) -> Vec<String> {
        let several = self.moving().count() > 1;
        let names = self.moving().flat_map(|own| {
            axes.iter().map(move |axis| match several {
                true => format!("{} {axis}", own.name),
                false => (*axis).to_owned(),
            })
        });
        names.collect()
    }

    /// The bodies that turn in space, with where the quaternion of each is among the coordinates, and its angular velocity
    /// among the velocities; none in the plane.
    pub fn quaternions(&self) -> impl Iterator<Item = (&str, Range<usize>, Range<usize>)> {
        let own = self.moving().filter(|_| self.dimension == 3);
        own.map(|own| {
            let [at, rate] = own.at;
            (&*own.name, at + 3..at + 7, rate + 3..rate + 6)
        })
    }

    /// All faces of all points, in order.
    fn touched_by_points(&self) -> Vec<TouchedFace> {
        let all = self.regions().into_iter().flat_map(|region| {
            let faces = self.bodies[self.pairs[region.pair].faces_of].faces.len();
            (0..faces).map(move |face| TouchedFace {
                pair: region.pair,
                touch: Touch::Point {
                    point: region.point,
                    face,
                },
                whole: None,
            })
        });
        all.collect()
    }

    /// Of a face of an obstacle of a whole pair: which pair, and the number of the obstacle.
    pub fn whole_of(&self, own: &TouchedFace) -> Option<(usize, usize)> {
        let index = self
            .wholes
            .iter()
            .position(|whole| whole.pairs.contains(&own.pair));
        Some((index?, own.whole?))
    }

    /// The face of that name; `None` where no obstacle has one.
    pub fn touched(&self, name: &str) -> Option<TouchedFace> {
        let (base, number) = match name.rsplit_once(step::WHOLE) {
            Some((base, number)) => {
                let number = number.parse::<usize>().ok().filter(|own| *own > 0)?;
                (base, Some(number))
            }
            None => (name, None),
        };
        let edges = self
            .wholes
            .iter()
            .filter(|_| number.is_some())
            .flat_map(|own| {
                let [first, second] = self.whole_bodies(*own).map(|k| self.bodies[k].edges.len());
                let pairs = (0..first).flat_map(move |i| (0..second).map(move |j| [i, j]));
                pairs.map(|edges| TouchedFace {
                    pair: own.pairs[0],
                    touch: Touch::Edges(edges),
                    whole: None,
                })
            });
        let mut all = self.touched_by_points().into_iter().chain(edges);
        let found = all.find(|own| self.name_of(own) == base)?;
        let found = TouchedFace {
            whole: number,
            ..found
        };
        // One way to write a number.
        (self.name_of(&found) == name).then_some(found)
    }

    /// T and V.
    ///
    /// # Errors
    /// [`StepError::Irrational`] for an angle in fractions.
    pub fn energy(
        &self,
        q: &[S],
        v: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Energy<S>, StepError> {
        let poses = self.poses(q, arithmetic)?;
        let kinetic = match self.first_order {
            true => S::zero(),
            false => self.mass(&poses)?.kinetic_energy(v),
        };
        Ok(Energy {
            kinetic,
            potential: self.potential(q),
        })
    }

    /// The same bodies of the plane in a first-order world, f = m v (Baraff 1994, section 5), whose masses are given times h and
    /// whose gravity is given over h. Then M v' = h F + impulses is a step from rest, whatever the velocity was; there is no kinetic
    /// energy, and what a step takes beside friction and position is the drag v'M v', twice the kinetic energy that it would have.
    ///
    /// # Errors
    /// [`StepError::Problem`] in space, where torques of turning would follow from velocities that nothing keeps, and where obstacles
    /// move.
    pub fn in_first_order(mut self) -> Result<Self, StepError> {
        if self.dimension != 2 {
            let why = "first-order worlds of corners are of the plane";
            return Err(StepError::Problem(why.to_owned()));
        }
        if self.drives() {
            let why = "in a first-order world velocities follow from forces, and no obstacle moves by itself";
            return Err(StepError::Problem(why.to_owned()));
        }
        self.first_order = true;
        Ok(self)
    }

    /// Whether forces make velocities, and there is no kinetic energy.
    pub fn is_first_order(&self) -> bool {
        self.first_order
    }

    /// The velocities that a step begins with: none where forces make them.
    pub fn start_velocity<'a>(&self, v: &'a [S]) -> Cow<'a, [S]> {
        match self.first_order {
            true => Cow::Owned(vec![S::zero(); v.len()]),
            false => Cow::Borrowed(v),
        }
    }

    /// V: of weights and constant forces.
    pub fn potential(&self, q: &[S]) -> S {
        self.moving().fold(S::zero(), |sum, own| {
            let place = &q[own.at[0]..own.at[0] + self.dimension];
            sum - etalon_rigid::dot(&own.force, place)
        })
    }

    /// The sum of the sizes of its terms, J.
    pub fn potential_size(&self, q: &[S]) -> S {
        self.moving().fold(S::zero(), |sum, own| {
            let place = &q[own.at[0]..own.at[0] + self.dimension];
            let terms = own.force.iter().zip(place);
            terms.fold(sum, |sum, (k, x)| sum + (k.clone() * x).abs())
        })
    }

    /// M.
    fn mass(&self, poses: &[Pose<S>]) -> Result<MassMatrix<S>, StepError> {
        let mut mass = MassMatrix::empty();
        for (own, pose) in self.bodies.iter().zip(poses) {
            match own.fixed {
                Some(_) => {}
                None if own.driven => mass.push_driven(Self::lengths(self.dimension)[1]),
                None => mass.push(&own.name, own.mass_at(pose))?,
            }
        }
        Ok(mass)
    }
}

fn pair<S: Scalar>(own: &SolidPair) -> Pair<S> {
    Pair {
        points_of: own.points_of,
        faces_of: own.faces_of,
        mu: S::from_rational(&own.mu),
        directions: match own.mu == 0 {
            true => Vec::new(),
            false => kept_rows(&own.directions),
        },
    }
}

impl<S: Scalar> Body<S> {
    /// The body in these numbers, whose coordinates and velocities begin there.
    fn new(own: &Solid, gravity: &[Rational], at: [usize; 2]) -> Self {
        let weight = gravity.iter().map(|g| Rational::from(g * &own.mass));
        let force = weight.zip(&own.force).map(|(weight, force)| weight + force);
        let force: Vec<Rational> = match own.driven {
            true => vec![Rational::new(); gravity.len()],
            false => force.collect(),
        };
        let side = |own: &SolidFace| Side {
            name: own.name.clone(),
            normal: kept(&own.normal),
            offset: S::from_rational(&own.offset),
            tangents: kept_rows(&own.tangents),
            corners: own.corners.clone(),
        };
        let n = own.inertia.rows();
        Self {
            name: own.name.clone(),
            mass: S::from_rational(&own.mass),
            inertia: Dense::from_fn(n, n, |i, j| S::from_rational(&own.inertia[(i, j)])),
            force: kept(&force),
            driven: own.driven,
            fixed: own.fixed.as_ref().map(|(centre, rotation)| Pose {
                centre: kept(centre),
                rotation: kept_rows(rotation),
            }),
            points: kept_rows(&own.points),
            faces: own.faces.iter().map(side).collect(),
            edges: match gravity.len() {
                2 => Vec::new(),
                _ => face::edges(&own.faces),
            },
            at,
        }
    }

    /// The inertia in axes of the world.
    fn inertia_at(&self, pose: &Pose<S>) -> Dense<S> {
        if self.inertia.rows() == 1 {
            return self.inertia.clone();
        }
        let turn = Dense::from_fn(3, 3, |i, j| pose.rotation[i][j].clone());
        turn.product(&self.inertia).product(&turn.transposed())
    }

    fn mass_at(&self, pose: &Pose<S>) -> Dense<S> {
        let inertia = self.inertia_at(pose);
        let (straight, n) = (self.force.len(), self.force.len() + inertia.rows());
        Dense::from_fn(n, n, |i, j| match (i < straight, j < straight) {
            (true, true) if i == j => self.mass.clone(),
            (false, false) => inertia[(i - straight, j - straight)].clone(),
            _ => S::zero(),
        })
    }
}

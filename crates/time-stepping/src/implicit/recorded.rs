//! A recorded step beside its laws: masses, impulses, and where pairs touch at its end, from states that anybody recorded.
//!
//! What is here decides nothing: it is the data that a judge of motions needs. States are taken exactly as they stand. Closest points
//! follow from the state at the end of the step, to [`PRECISION`] bits: in closed form against a half-space, else by Newton's method from
//! binary64. Where that does not come to them, as where a superquadric has no curvature, the pair is not known.

use rug::{Float, Rational};

use super::jet::Jet;
use super::linear::inverse;
use super::number::{Number, cross, dot, minus, times};
use super::pose::Pose;
use super::problem::{StepProblem, tangents};
use super::shape::Shape;
use super::start::{closeness, closest_points};
use super::system::{Slots, System};
use super::touch::tangent_axes;

/// Bits of roots and closest points: far below the 53 of binary64 and the 40 of most grids.
pub const PRECISION: u32 = 320;

/// Entries of the equations of closest points below 2 to this count as 0. Far below what a grid of 256 bits rounds.
const CLOSE: i32 = -280;

/// Steps of Newton's method with the inverse Jacobian of its start: each gains some ten digits where that is regular.
const NEWTON: usize = 60;

/// A row over velocities.
type Row = Vec<(usize, Rational)>;

/// A pair at a state.
#[derive(Debug, Clone, PartialEq)]
pub struct PairFrame {
    /// How fast its points part along the unit normal.
    pub normal: Row,
    /// How fast they slide along the tangents.
    pub tangents: Vec<Row>,
    /// How fast its bodies turn against each other about the normal; none without torsion.
    pub spin: Option<Row>,
    /// The distance, below 0 inside, m; of a point, f of the other body over the length of its gradient.
    pub gap: Rational,
    /// What a line has in its place: of a point f itself.
    pub told: Rational,
    /// The sum of the sizes of what the gap is made of, m.
    pub size: Rational,
}

impl System {
    /// The rows of M at a state, and h times the forces of a step from there, with the impulse of inertia. Rows of bodies that are driven are
    /// unit rows.
    pub fn recorded_dynamics(
        &self,
        (q, v): (&[Rational], &[Rational]),
        h: &Rational,
    ) -> (Vec<Row>, Vec<Rational>) {
        let mass = self.mass(q);
        let momentum = super::system::product(&mass, v);
        let all = self.impulse(q, v, h).into_iter().zip(momentum);
        let impulse = all.map(|(own, momentum)| own - momentum).collect();
        let driven = self.recorded_driven();
        let rows = mass.into_iter().enumerate().map(|(i, row)| {
            if driven[i] {
                return vec![(i, Rational::from(1))];
            }
            let entries = row.into_iter().enumerate();
            entries.filter(|(_, own)| !own.is_zero()).collect()
        });
        (rows.collect(), impulse)
    }

    /// The work of constant torques in a step that ends with that velocity, J.
    pub fn work_of_torques(&self, h: &Rational, v: &[Rational]) -> Rational {
        let twists = self.twists(h).unwrap_or_default();
        let terms = twists.iter().zip(v).map(|(t, v)| Rational::from(t * v));
        terms.fold(Rational::new(), |sum, own| sum + own)
    }

    /// Where the coordinates of the bodies of a pair are.
    pub fn pair_coordinates(&self, pair: usize) -> Vec<usize> {
        let own = &self.pairs()[pair];
        let slots = self.slots();
        let both = [own.first, own.second].into_iter();
        both.flat_map(|side| slots[side].q..slots[side].q + slots[side].q_len)
            .collect()
    }

    /// Which velocities no impulse changes.
    pub fn recorded_driven(&self) -> Vec<bool> {
        let mut driven = vec![false; self.velocities()];
        for (body, own) in self.slots().into_iter().enumerate() {
            if self.is_driven(body) {
                driven[own.v..own.v + own.v_len].fill(true);
            }
        }
        driven
    }

    /// The sum of the sizes of the terms of the potential at some states, J, and of the forces that have it, N.
    pub fn potential_sizes(&self, states: [&[Rational]; 2]) -> [Rational; 2] {
        let [mut terms, mut forces] = [Rational::new(), Rational::new()];
        let still = vec![Rational::new(); self.velocities()];
        let one = Rational::from(1);
        for q in states {
            let (_, impulse) = self.recorded_dynamics((q, &still), &one);
            for own in self.slots() {
                for k in 0..own.v_len.min(self.dimension()) {
                    let force = impulse[own.v + k].clone().abs();
                    terms += Rational::from(&q[own.q + k] * &force).abs();
                    forces += force;
                }
            }
        }
        [terms, forces / 2u32]
    }

    /// The names of the velocities.
    pub fn velocity_names(&self) -> Vec<String> {
        let axes: &[&str] = match self.dimension() {
            2 => &["x", "y", "theta"],
            _ => &["x", "y", "z", "rx", "ry", "rz"],
        };
        let slots = self.slots();
        let moving = self.bodies().iter().zip(&slots);
        let moving: Vec<_> = moving.filter(|(_, own)| own.v_len > 0).collect();
        let several = moving.len() > 1;
        let named = moving.into_iter().flat_map(|(body, own)| {
            axes.iter().take(own.v_len).map(move |axis| match several {
                true => format!("{} {axis}", body.name),
                false => (*axis).to_owned(),
            })
        });
        named.collect()
    }

    /// The bodies that turn in space, with where the quaternion of each begins among the coordinates, and its angular velocity among the
    /// velocities.
    pub fn quaternions(&self) -> Vec<(&str, usize, usize)> {
        let slots = self.slots();
        let bodies = self.bodies().iter().zip(slots);
        let turning = bodies.filter(|(_, own)| own.q_len == 7);
        let turning = turning.map(|(body, own)| (&*body.name, own.q + 3, own.v + 3));
        turning.collect()
    }

    /// The axes that span the tangents of each pair together with its normal: a step takes them from its free motion. Where several tie, that
    /// of the numbers as they stand comes first.
    pub fn recorded_axes(
        &self,
        (q, v): (&[Rational], &[Rational]),
        h: &Rational,
    ) -> Vec<Vec<usize>> {
        let problem = StepProblem::new(self, q, v, h);
        let free = problem.free_velocity();
        let pairs = 0..self.pairs().len();
        let axes = |pair| {
            let free = free.as_ref();
            free.map_or(vec![0], |free| tangent_axes(&problem, pair, free))
        };
        pairs.map(axes).collect()
    }

    /// A pair at a state, with an axis of its tangents; `halfway`: with both points halfway between those that are closest, as a pair that
    /// bounces has them. `None` where the closest points are not known.
    pub fn recorded_frame(
        &self,
        pair: usize,
        q: &[Rational],
        (axis, halfway): (usize, bool),
    ) -> Option<PairFrame> {
        let still = vec![Rational::new(); self.velocities()];
        let step = Rational::from(1);
        let problem = StepProblem::new(self, q, &still, &step);
        let zero = Float::new(PRECISION);
        let at_rest = vec![zero; still.len()];
        let poses = self.poses(q, &at_rest, &step);
        let touch = Touching::of(&problem, pair, &poses, &at_rest)?;
        self.frame_of(pair, &poses, &touch, (axis, halfway))
    }

    fn frame_of(
        &self,
        pair: usize,
        poses: &[Pose<Float>],
        touch: &Touching,
        (axis, halfway): (usize, bool),
    ) -> Option<PairFrame> {
        let own = &self.pairs()[pair];
        let sides = [own.first, own.second];
        let slots = self.slots();
        let slots = sides.map(|side| slots[side]);
        let [a, b] = &touch.points;
        let middle = || -> Vec<Float> {
            let sum = a.iter().zip(b).map(|(a, b)| a.clone() + b.clone());
            sum.map(|own| own / 2u32).collect()
        };
        let points = match halfway {
            true => [middle(), middle()],
            false => touch.points.clone(),
        };
        let arms = [0, 1].map(|k| minus(&points[k], &poses[sides[k]].centre));
        let along = |direction: &[Float]| row_along(&slots, direction, &arms);
        let frictions: Vec<Vec<Float>> = match own.mu == 0 {
            true => Vec::new(),
            false => tangents(&touch.normal, axis),
        };
        let spin = match own.torsion == 0 {
            true => None,
            false => Some(row_about(&slots, &touch.normal)?),
        };
        let sizes = |own: &[Float]| -> Option<Rational> {
            let mut sum = Rational::new();
            for own in own {
                sum += own.to_rational()?.abs();
            }
            Some(sum)
        };
        let mut size = Rational::new();
        for k in 0..2 {
            size += sizes(&points[k])? + sizes(&arms[k])?;
        }
        Some(PairFrame {
            normal: along(&touch.normal)?,
            tangents: frictions
                .iter()
                .map(|own| along(own))
                .collect::<Option<_>>()?,
            spin,
            gap: touch.gap.to_rational()?,
            told: touch.told.to_rational()?,
            size,
        })
    }
}

/// Where a pair touches.
struct Touching {
    points: [Vec<Float>; 2],
    /// A unit vector, from the second body to the first.
    normal: Vec<Float>,
    gap: Float,
    told: Float,
}

impl Touching {
    fn of(
        problem: &StepProblem<'_>,
        number: usize,
        poses: &[Pose<Float>],
        at_rest: &[Float],
    ) -> Option<Self> {
        let system = problem.system;
        let own = &system.pairs()[number];
        let sides = [own.first, own.second];
        let shapes = sides.map(|side| &system.bodies()[side].shape);
        let [first, second] = sides.map(|side| &poses[side]);
        if *shapes[0] == Shape::Point {
            let at = first.centre.clone();
            let gradient = second.gradient(shapes[1], &at);
            let told = second.value(shapes[1], &at);
            let length = dot(&told, &gradient, &gradient).sqrt();
            return Some(Self {
                normal: times(&(told.integer(1) / length.clone()), &gradient),
                gap: told.clone() / length,
                points: [at.clone(), at],
                told,
            });
        }
        if let Shape::HalfSpace { .. } = shapes[1] {
            let gradient = second.gradient(shapes[1], &first.centre);
            let zero = &first.centre[0];
            let length = dot(zero, &gradient, &gradient).sqrt();
            let normal = times(&(zero.integer(1) / length.clone()), &gradient);
            let a = farthest(first, shapes[0], &times(&zero.integer(-1), &normal))?;
            let gap = second.value(shapes[1], &a) / length;
            let b = minus(&a, &times(&gap, &normal));
            return Some(Self {
                points: [a, b],
                normal,
                told: gap.clone(),
                gap,
            });
        }
        let unknowns = closest(problem, number, at_rest)?;
        let d = system.dimension();
        let (a, b) = (unknowns[..d].to_vec(), unknowns[d..2 * d].to_vec());
        let gradient = first.gradient(shapes[0], &a);
        let length = dot(&a[0], &gradient, &gradient).sqrt();
        let gap = unknowns[2 * d].clone() * length.clone();
        let back = length.integer(-1) / length;
        Some(Self {
            normal: times(&back, &gradient),
            points: [a, b],
            told: gap.clone(),
            gap,
        })
    }
}

/// Closest points with their multipliers, by Newton's method from binary64.
fn closest(problem: &StepProblem<'_>, pair: usize, at_rest: &[Float]) -> Option<Vec<Float>> {
    let still = vec![0.0; at_rest.len()];
    let about = closest_points(problem, pair, &still);
    let unknowns = Jet::unknowns(&about);
    let constants: Vec<Jet<f64>> = still
        .iter()
        .map(|_| unknowns[0].lift(&Rational::new()))
        .collect();
    let equations = closeness(problem, pair, &constants, unknowns);
    let rows: Vec<Vec<f64>> = equations.iter().map(|own| own.row(about.len())).collect();
    let inverse = inverse(&rows)?;
    let mut here: Vec<Float> = about
        .iter()
        .map(|own| Float::with_val(PRECISION, own))
        .collect();
    for _ in 0..NEWTON {
        let left = closeness(problem, pair, at_rest, here.clone());
        let is_close = |own: &Float| own.is_zero() || own.get_exp().is_some_and(|own| own < CLOSE);
        if left.iter().all(is_close) {
            // With another sign of the multiplier the points are the farthest ones.
            return here.last().is_some_and(|own| *own > 0).then_some(here);
        }
        for (own, row) in here.iter_mut().zip(&inverse) {
            let terms = row.iter().zip(&left);
            let step = terms.fold(Float::new(PRECISION), |sum, (y, left)| {
                sum + Float::with_val(PRECISION, left * *y)
            });
            *own -= step;
        }
    }
    None
}

/// The point of an ellipsoid or superquadric that is farthest in a direction. The gradient of f is along d there: t_i^(p-1) with
/// x_i = a_i t_i are in the ratios of a_i d_i, and f is 0 for one length. With two exponents that is so in the section across z, and of it
/// and z.
fn farthest(pose: &Pose<Float>, shape: &Shape, direction: &[Float]) -> Option<Vec<Float>> {
    let (half_axes, [m, n]) = match shape {
        Shape::Ellipsoid { half_axes } => (half_axes, [2, 2]),
        Shape::Superquadric {
            half_axes,
            exponents,
        } => (half_axes, *exponents),
        _ => return None,
    };
    let local = pose.into_body(direction);
    let axes: Vec<Float> = half_axes.iter().map(|own| local[0].lift(own)).collect();
    let reach: Vec<Float> = local
        .iter()
        .zip(&axes)
        .map(|(x, a)| x.clone() * a)
        .collect();
    let shares = match &reach[..] {
        [x, y, z] if m != n => {
            let across = farthest_share(&[x.clone(), y.clone()], m);
            let width = dot(x, &across, &[x.clone(), y.clone()]);
            let outer = farthest_share(&[width, z.clone()], n);
            let section = across.iter().map(|t| t.clone() * &outer[0]);
            section.chain([outer[1].clone()]).collect()
        }
        _ => farthest_share(&reach, n),
    };
    let body: Vec<Float> = shares
        .iter()
        .zip(&axes)
        .map(|(t, a)| t.clone() * a)
        .collect();
    let arm = pose.outwards(&body);
    Some(
        pose.centre
            .iter()
            .zip(arm)
            .map(|(c, arm)| c.clone() + arm)
            .collect(),
    )
}

/// The point t of sum |t_i|^p = 1 that is farthest along r; 0 where r is.
fn farthest_share(reach: &[Float], p: u32) -> Vec<Float> {
    let zero = Float::new(PRECISION);
    let largest = reach
        .iter()
        .fold(zero.clone(), |most, own| most.max(&own.clone().abs()));
    if largest.is_zero() {
        return vec![zero; reach.len()];
    }
    let root = |own: &Float| (own.clone() / &largest).abs().root(p - 1).copysign(own);
    let shares: Vec<Float> = reach.iter().map(root).collect();
    let power = |own: &Float| (1..p).fold(own.clone().abs(), |power, _| power * own.clone().abs());
    let sum = shares.iter().fold(zero, |sum, own| sum + power(own));
    let length = sum.root(p);
    shares.into_iter().map(|own| own / &length).collect()
}

/// How fast points at the arms of two bodies part along a direction.
fn row_along(slots: &[Slots; 2], direction: &[Float], arms: &[Vec<Float>; 2]) -> Option<Row> {
    let mut row = Row::new();
    for ((own, arm), sign) in slots.iter().zip(arms).zip([1, -1]) {
        if own.v_len == 0 {
            continue;
        }
        let mut entries = direction.to_vec();
        match own.v_len - direction.len() {
            0 => {}
            1 => entries.push(arm[0].clone() * &direction[1] - arm[1].clone() * &direction[0]),
            _ => entries.extend(cross(arm, direction)),
        }
        push(&mut row, own.v, &entries, sign)?;
    }
    Some(row)
}

/// How fast two bodies in space turn against each other about an axis.
fn row_about(slots: &[Slots; 2], axis: &[Float]) -> Option<Row> {
    let mut row = Row::new();
    for (own, sign) in slots.iter().zip([1, -1]) {
        if own.v_len == 6 {
            push(&mut row, own.v + 3, axis, sign)?;
        }
    }
    Some(row)
}

fn push(row: &mut Row, from: usize, entries: &[Float], sign: i32) -> Option<()> {
    for (k, own) in entries.iter().enumerate() {
        let own = own.to_rational()? * sign;
        if !own.is_zero() {
            row.push((from + k, own));
        }
    }
    Some(())
}

//! The equations of a step, in any numbers.
//!
//! With v the velocity after the step and q the position there, for each pair with closest points
//! a_1, a_2 (Chakraborty and Berard):
//!
//! > M (v - v^l) = W_n p_n + W_t p_t + p_app + p_vp,
//! > a_2 - a_1 = s grad f(a_1),  grad f(a_1) + l grad g(a_2) = 0,  f(a_1) = 0,  g(a_2) = 0,
//! > 0 <= p_n  complementary to  s >= 0,
//! > mu p_n v_t + sigma p_t = 0,
//! > 0 <= sigma  complementary to  mu^2 p_n^2 - p_t'p_t >= 0.
//!
//! A pair with torsion has one more p and v, the torque about the normal and the rate at which the bodies turn about it against
//! each other. With e = torsion/mu the last two lines become mu p_n e^2 v_r + sigma p_r = 0, beside those of p_t, and
//! mu^2 p_n^2 - p_t'p_t - (p_r/e)^2: an ellipsoid in place of a disc, and the most dissipation that it allows.
//!
//! A pair that bounces by Newton's law has 0 <= p_n complementary to n'(w + e w^l) >= 0 in place of s >= 0. There w and w^l are the
//! velocities after and before the step with which its bodies move against each other at one point, halfway between a_1 and a_2 at the
//! end of the step, where both impulses act.
//!
//! The signed multiplier s in place of the distance of the printed equations keeps them smooth and
//! regular where the bodies touch; s |grad f| is the distance. A point has no surface: for it
//! a_1 = a_2 is the point, and g of the other body takes the place of s.

use rug::Rational;

use super::number::{Number, cross, dot, minus, times};
use super::pose::Pose;
use super::shape::Shape;
use super::system::{Slots, System, arm};

/// The data of one step.
#[derive(Debug, Clone)]
pub struct StepProblem<'a> {
    /// The bodies.
    pub system: &'a System,
    /// q^l.
    pub q: &'a [Rational],
    /// v^l.
    pub v: &'a [Rational],
    /// h.
    pub h: &'a Rational,
    /// M at q^l.
    pub mass: Vec<Vec<Rational>>,
    /// M v^l + p_app + p_vp.
    pub impulse: Vec<Rational>,
    pub(super) slots: Vec<Slots>,
    /// For each pair the axis that spans the tangents together with the normal (in space).
    pub axes: Vec<usize>,
    /// Whether each pair bounces.
    pub bounces: Vec<bool>,
}

/// The unknowns of one pair.
#[derive(Debug, Clone)]
pub struct PairUnknowns<N> {
    /// The number of the pair.
    pub pair: usize,
    /// a_1, a_2, s, l; nothing for a point.
    pub geometry: Vec<N>,
    /// p_n and p_t with p_r, where the pair may press; those of friction alone that it has.
    pub impulse: Option<(N, Vec<N>)>,
}

/// The values of the equations of one pair.
#[derive(Debug, Clone)]
pub struct PairValues<N> {
    /// The residuals of the conditions on closest points.
    pub geometry: Vec<N>,
    /// s, or g at a point: what is complementary to p_n; 0 of bodies that are apart without unknowns of closest points.
    pub gap: N,
    /// The multiplier l, which must be positive; nothing for a point.
    pub multiplier: Option<N>,
    /// |grad f(a_1)|, by which s is a distance; nothing for a point.
    pub slope: Option<N>,
    /// How fast the points move apart along the normal, where the pair may press or bounces.
    pub normal_rate: Option<N>,
    /// Where the pair bounces: how fast they did so before the step, and n'(w + e w^l).
    pub bounce: Option<Bounce<N>>,
    /// What the pair's impulses do on bodies that are driven, J.
    pub on_driven: N,
    /// How fast they slide along the tangents, and turn against each other about the normal.
    pub sliding: Vec<N>,
}

/// The rates of a pair that bounces.
#[derive(Debug, Clone)]
pub struct Bounce<N> {
    /// n'w^l: negative where the bodies approach.
    pub approach: N,
    /// n'(w + e w^l): what is complementary to p_n.
    pub rebound: N,
}

impl<N> PairValues<N> {
    /// What is complementary to p_n.
    pub fn complement(&self) -> &N {
        match &self.bounce {
            Some(bounce) => &bounce.rebound,
            None => &self.gap,
        }
    }
}

/// The values of the equations of all unknowns.
#[derive(Debug, Clone)]
pub struct Values<N> {
    /// M v - M v^l - p_app - p_vp - W p; v - v^l of bodies that are driven.
    pub momentum: Vec<N>,
    /// For each pair that there are unknowns of.
    pub pairs: Vec<PairValues<N>>,
}

/// Where a pair presses.
struct Touching<'a, N> {
    pair: usize,
    points: &'a [Vec<N>; 2],
    /// Of any length.
    normal: &'a [N],
    poses: &'a [Pose<N>],
}

impl<'a> StepProblem<'a> {
    /// The problem of a step from (q, v).
    pub fn new(system: &'a System, q: &'a [Rational], v: &'a [Rational], h: &'a Rational) -> Self {
        Self {
            mass: system.mass(q),
            impulse: system.impulse(q, v, h),
            slots: system.slots(),
            axes: vec![0; system.pairs().len()],
            bounces: vec![false; system.pairs().len()],
            system,
            q,
            v,
            h,
        }
    }

    /// Whether the closest points of a pair are unknowns where it is apart, too. Those of a superquadric need not be smooth
    /// functions of the poses: where it has no curvature, a body that turns moves them without bound.
    pub fn has_smooth_points(&self, pair: usize) -> bool {
        let own = &self.system.pairs()[pair];
        let round = |side: usize| {
            let shape = &self.system.bodies()[side].shape;
            !matches!(shape, Shape::Superquadric { .. })
        };
        let first = &self.system.bodies()[own.first].shape;
        *first == Shape::Point || (round(own.first) && round(own.second))
    }

    /// The number of unknowns of closest points of a pair.
    pub fn geometry_len(&self, pair: usize) -> usize {
        let first = &self.system.pairs()[pair].first;
        match self.system.bodies()[*first].shape {
            Shape::Point => 0,
            _ => 2 * self.system.dimension() + 2,
        }
    }

    /// The velocities of bodies that are driven, by their numbers.
    pub fn driven(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.slots.iter().enumerate();
        let slots = slots.filter(|(body, _)| self.system.is_driven(*body));
        slots.flat_map(|(_, own)| own.v..own.v + own.v_len)
    }

    /// Whether a pair has friction.
    pub fn is_rough(&self, pair: usize) -> bool {
        self.frictions(pair) != 0
    }

    /// The number of impulses of friction of a pair: along tangents, and about the normal.
    pub fn frictions(&self, pair: usize) -> usize {
        let own = &self.system.pairs()[pair];
        self.tangents(pair) + usize::from(own.torsion != 0)
    }

    /// Those along tangents.
    pub fn tangents(&self, pair: usize) -> usize {
        match self.system.pairs()[pair].mu == 0 {
            true => 0,
            false => self.system.dimension() - 1,
        }
    }

    /// What the normal impulse bounds friction by: mu, or torsion alone.
    pub fn coefficient(&self, pair: usize) -> &Rational {
        let own = &self.system.pairs()[pair];
        match own.mu == 0 {
            true => &own.torsion,
            false => &own.mu,
        }
    }

    /// Half axes of the ellipsoid of friction beside that bound, of those that are not 1: that of the torque, m.
    fn half_axis(&self, pair: usize, row: usize) -> Option<Rational> {
        let own = &self.system.pairs()[pair];
        let turns = row == self.tangents(pair) && own.mu != 0;
        turns.then(|| Rational::from(&own.torsion / &own.mu))
    }

    /// Impulses of friction over their half axes: a vector as long as the bound where they are on the ellipsoid.
    pub fn shares<N: Number>(&self, pair: usize, friction: &[N]) -> Vec<N> {
        let own = friction.iter().enumerate();
        let share = |(row, p): (usize, &N)| match self.half_axis(pair, row) {
            Some(e) => p.clone() / p.lift(&e),
            None => p.clone(),
        };
        own.map(share).collect()
    }

    /// Rates of sliding times their half axes, and times those again: what friction of the most dissipation is against.
    pub fn rates<N: Number>(&self, pair: usize, sliding: &[N]) -> [Vec<N>; 2] {
        let times = |power: u32| {
            let own = sliding.iter().enumerate();
            let rate = |(row, v): (usize, &N)| match self.half_axis(pair, row) {
                Some(e) => (0..power).fold(v.clone(), |v, _| v.clone() * v.lift(&e)),
                None => v.clone(),
            };
            own.map(rate).collect()
        };
        [times(1), times(2)]
    }

    /// All left sides at a velocity and the unknowns of some pairs; others are left out.
    pub fn values<N: Number>(&self, v: &[N], pairs: &[PairUnknowns<N>]) -> Values<N> {
        let zero = &v[0];
        let lift = |row: &[Rational]| -> Vec<N> { row.iter().map(|m| zero.lift(m)).collect() };
        let rows = self.mass.iter().zip(&self.impulse);
        let mut momentum: Vec<N> = rows
            .map(|(row, b)| dot(zero, &lift(row), v) - zero.lift(b))
            .collect();
        for i in self.driven() {
            momentum[i] = v[i].clone() - zero.lift(&self.v[i]);
        }
        let poses = self.system.poses(self.q, v, self.h);
        let mut found = Vec::with_capacity(pairs.len());
        for unknowns in pairs {
            let i = unknowns.pair;
            let (mut points, normal, mut values) = self.geometry(i, &poses, &unknowns.geometry);
            let idle = (zero.integer(0), Vec::new());
            let bounces = self.bounces[i];
            if bounces {
                points = halfway(&points);
            }
            if let Some(impulse) = unknowns.impulse.as_ref().or(bounces.then_some(&idle)) {
                let at = Touching {
                    pair: i,
                    points: &points,
                    normal: &normal,
                    poses: &poses,
                };
                self.press(&at, impulse, v, &mut values, &mut momentum);
            }
            found.push(values);
        }
        Values {
            momentum,
            pairs: found,
        }
    }

    /// What a pair's impulses give to the momentum, and the rates at which its points move against each other.
    fn press<N: Number>(
        &self,
        at: &Touching<'_, N>,
        (p_n, p_t): &(N, Vec<N>),
        v: &[N],
        values: &mut PairValues<N>,
        momentum: &mut [N],
    ) {
        let zero = &v[0];
        let pair = &self.system.pairs()[at.pair];
        let sides = [pair.first, pair.second];
        let length = dot(zero, at.normal, at.normal).sqrt();
        // Impulses are in N s along a unit normal; the gradient of f has any length.
        let normal = times(&(zero.integer(1) / length), at.normal);
        let tangents = match p_t.is_empty() || self.tangents(at.pair) == 0 {
            true => Vec::new(),
            false => tangents(&normal, self.axes[at.pair]),
        };
        let arms = [0, 1].map(|k| arm(&at.poses[sides[k]], &at.points[k]));
        let slots = sides.map(|side| self.slots[side]);
        let velocities = [0, 1].map(|k| self.system.point_velocity(slots[k], v, &arms[k]));
        if self.bounces[at.pair] {
            values.bounce = Some(self.bounce(at.pair, (&normal, &arms), v));
        }
        let spins = slots.map(|own| self.system.spin(own, v, &normal));
        let rate = minus(&velocities[0], &velocities[1]);
        let mut force = times(p_n, &normal);
        for (tangent, p) in tangents.iter().zip(p_t) {
            for (f, t) in force.iter_mut().zip(tangent) {
                *f = f.clone() + p.clone() * t.clone();
            }
        }
        values.normal_rate = Some(dot(zero, &normal, &rate));
        values.sliding = tangents.iter().map(|t| dot(zero, t, &rate)).collect();
        let torque = p_t.get(tangents.len());
        if torque.is_some() {
            let [first, second] = spins.clone();
            values.sliding.push(first - second);
        }
        // The residual holds -W p and the force acts on the first body: the second one gets it with +.
        for k in [1, 0] {
            let signed = |own: &N| if k == 1 { own.clone() } else { -own.clone() };
            let force: Vec<N> = force.iter().map(signed).collect();
            let torque = torque.map(signed);
            if self.system.is_driven(sides[k]) {
                let mut power = dot(zero, &force, &velocities[k]);
                if let Some(torque) = torque {
                    power = power + torque * spins[k].clone();
                }
                values.on_driven = values.on_driven.clone() - power;
                continue;
            }
            self.system.push(slots[k], &force, &arms[k], momentum);
            if let Some(torque) = torque {
                self.system
                    .twist(slots[k], &times(&torque, &normal), momentum);
            }
        }
    }

    /// The rates of a pair that bounces, along a unit normal, at a point with these arms.
    fn bounce<N: Number>(
        &self,
        pair: usize,
        (normal, arms): (&[N], &[Vec<N>; 2]),
        v: &[N],
    ) -> Bounce<N> {
        let own = &self.system.pairs()[pair];
        let slots = [own.first, own.second].map(|side| self.slots[side]);
        let rate = |v: &[N]| {
            let [first, second] = [0, 1].map(|k| self.system.point_velocity(slots[k], v, &arms[k]));
            dot(&v[0], normal, &minus(&first, &second))
        };
        let e = self.system.restitution(pair);
        let old: Vec<N> = self.v.iter().map(|own| v[0].lift(own)).collect();
        let back: Vec<Rational> = self.v.iter().map(|own| Rational::from(own * &e)).collect();
        let sum = v.iter().zip(&back);
        let sum: Vec<N> = sum.map(|(v, back)| v.clone() + v.lift(back)).collect();
        Bounce {
            approach: rate(&old),
            rebound: rate(&sum),
        }
    }

    /// A normal of any length of a pair, from the second body to the first.
    pub fn direction<N: Number>(&self, pair: usize, geometry: &[N], v: &[N]) -> Vec<N> {
        let poses = self.system.poses(self.q, v, self.h);
        self.geometry(pair, &poses, geometry).1
    }

    /// The points of a pair, a normal of any length from the second body to the first, and the
    /// conditions on closest points.
    fn geometry<N: Number>(
        &self,
        pair: usize,
        poses: &[Pose<N>],
        unknowns: &[N],
    ) -> ([Vec<N>; 2], Vec<N>, PairValues<N>) {
        let pair = &self.system.pairs()[pair];
        let sides = [pair.first, pair.second];
        let shapes = sides.map(|side| &self.system.bodies()[side].shape);
        let [first, second] = sides.map(|side| &poses[side]);
        let values = PairValues {
            geometry: Vec::new(),
            gap: first.centre[0].integer(0),
            on_driven: first.centre[0].integer(0),
            multiplier: None,
            slope: None,
            normal_rate: None,
            bounce: None,
            sliding: Vec::new(),
        };
        if unknowns.is_empty() && *shapes[0] != Shape::Point {
            let at = [first.centre.clone(), second.centre.clone()];
            return (at, Vec::new(), values);
        }
        if unknowns.is_empty() {
            let at = first.centre.clone();
            let normal = second.gradient(shapes[1], &at);
            let gap = second.value(shapes[1], &at);
            return ([at.clone(), at], normal, PairValues { gap, ..values });
        }
        let d = self.system.dimension();
        let (a, b) = (&unknowns[..d], &unknowns[d..2 * d]);
        let (s, l) = (&unknowns[2 * d], &unknowns[2 * d + 1]);
        let gradients = [first.gradient(shapes[0], a), second.gradient(shapes[1], b)];
        let mut geometry = minus(&minus(b, a), &times(s, &gradients[0]));
        let sum = gradients[0].iter().zip(times(l, &gradients[1]));
        geometry.extend(sum.map(|(a, b)| a.clone() + b));
        geometry.push(first.value(shapes[0], a));
        geometry.push(second.value(shapes[1], b));
        let normal: Vec<N> = gradients[0].iter().map(|g| -g.clone()).collect();
        let values = PairValues {
            geometry,
            gap: s.clone(),
            multiplier: Some(l.clone()),
            slope: Some(dot(s, &normal, &normal).sqrt()),
            ..values
        };
        ([a.to_vec(), b.to_vec()], normal, values)
    }

    /// The velocity after the step without contacts, to binary64.
    pub fn free_velocity(&self) -> Option<Vec<f64>> {
        let mass = self
            .mass
            .iter()
            .map(|row| row.iter().map(Rational::to_f64).collect());
        let mut mass = mass.collect::<Vec<Vec<f64>>>();
        let mut impulse: Vec<f64> = self.impulse.iter().map(Rational::to_f64).collect();
        for i in self.driven() {
            mass[i][i] = 1.0;
            impulse[i] = self.v[i].to_f64();
        }
        let inverse = super::linear::inverse(&mass)?;
        Some(super::linear::product(&inverse, &impulse))
    }
}

/// The point halfway between two, twice.
fn halfway<N: Number>([first, second]: &[Vec<N>; 2]) -> [Vec<N>; 2] {
    let pairs = first.iter().zip(second);
    let middle: Vec<N> = pairs
        .map(|(a, b)| (a.clone() + b.clone()) / a.integer(2))
        .collect();
    [middle.clone(), middle]
}

/// Unit tangents: in the plane the normal turned clockwise; in space across an axis, and across
/// that.
pub(super) fn tangents<N: Number>(normal: &[N], axis: usize) -> Vec<Vec<N>> {
    if normal.len() == 2 {
        return vec![vec![normal[1].clone(), -normal[0].clone()]];
    }
    let zero = &normal[0];
    let unit: Vec<N> = (0..3).map(|i| zero.integer(i32::from(i == axis))).collect();
    let across = cross(normal, &unit);
    let length = dot(zero, &across, &across).sqrt();
    let first = times(&(zero.integer(1) / length), &across);
    let second = cross(normal, &first);
    vec![first, second]
}

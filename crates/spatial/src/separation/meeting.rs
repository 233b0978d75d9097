//! Exact support functions of bodies at their places, and bodies that meet without a contact.

use etalon_rigid::Vector3;
use rug::Rational;

use super::widest;
use crate::binary::{sum, times, unit};
use crate::grid::{exactly, root, to_f64s};
use crate::shape::Shape;
use crate::state::SpaceState;
use crate::world::SpaceWorld;

/// (v, omega) of a body.
pub type Twist = [Vector3<Rational>; 2];

/// How many directions climb where bodies overlap: more than geometry tries for a proposal, so that what it missed is
/// found.
pub const STARTS: usize = 32;

/// g of a direction of any length but zero, from the first body to the second, m: what separates them along it, or minus
/// what they overlap. The square roots in it are within 2^-61 of their factors. `None` where a half-space has no end.
pub fn gap_of(
    world: &SpaceWorld,
    state: &SpaceState,
    (i, j): (usize, usize),
    direction: &Vector3<Rational>,
) -> Option<Rational> {
    let reach = |body: usize, direction: &Vector3<Rational>| {
        let shape = world.bodies()[body].shape.as_ref()?;
        let rotation = state.bodies[body].attitude.rotation();
        Some(shape.reach(&rotation, direction)?.value())
    };
    let centres = &state.bodies[j].position - &state.bodies[i].position;
    let apart = direction.dot(&centres) - reach(i, direction)? - reach(j, &-direction)?;
    let length = root(&direction.norm_squared());
    (length != 0).then(|| apart / length)
}

/// The direction that a half-space leaves, from the first body to the second, and which of them it is.
pub fn half_space(
    world: &SpaceWorld,
    state: &SpaceState,
    (i, j): (usize, usize),
) -> Option<(Vector3<Rational>, usize)> {
    let direction = |body: usize| match &world.bodies()[body].shape {
        Some(Shape::HalfSpace { normal }) => {
            let normal = state.bodies[body].attitude.rotation().apply(normal);
            Some((if body == i { normal } else { -&normal }, body))
        }
        _ => None,
    };
    direction(i).or_else(|| direction(j))
}

/// What geometry may be off: a millionth of the smaller body, m.
pub fn allowed(world: &SpaceWorld, (i, j): (usize, usize)) -> Rational {
    let radius = |body: usize| world.bodies()[body].shape.as_ref().and_then(Shape::radius);
    let sizes = [i, j].into_iter().filter_map(radius);
    let size = sizes.fold(f64::INFINITY, f64::min);
    Rational::from_f64(size * 1e-6).unwrap_or_default()
}

/// No point of the bodies moves against a direction by more than this in turning, m/s.
fn turning(world: &SpaceWorld, (i, j): (usize, usize), twists: &[Twist; 2]) -> Rational {
    [i, j]
        .iter()
        .zip(twists)
        .fold(Rational::new(), |sum, (body, twist)| {
            let shape = world.bodies()[*body].shape.as_ref();
            let radius = shape.and_then(Shape::radius).and_then(Rational::from_f64);
            sum + root(&twist[1].norm_squared()) * radius.unwrap_or_default()
        })
}

/// By how much two bodies without a contact overlap, to first order, after moving for a time h, m; `None` where a direction
/// separates them for all that time, or the points that are nearest along one stay apart.
pub fn meeting(
    world: &SpaceWorld,
    state: &SpaceState,
    pair: (usize, usize),
    twists: &[Twist; 2],
    h: &Rational,
) -> Option<Rational> {
    let (i, j) = pair;
    let allowed = allowed(world, pair);
    let closing = |direction: &Vector3<Rational>| {
        let rate = direction.dot(&(&twists[1][0] - &twists[0][0]));
        rate / root(&direction.norm_squared())
    };
    let turning = turning(world, pair, twists);
    let is_apart = |direction: &Vector3<Rational>| {
        if direction.is_zero() {
            return false;
        }
        let gap = gap_of(world, state, pair, direction);
        gap.is_some_and(|gap| {
            let way = (closing(direction) - &turning) * h;
            gap.clone() >= -allowed.clone() && gap + way >= -allowed.clone()
        })
    };
    let centres = &state.bodies[j].position - &state.bodies[i].position;
    let (direction, points) = match half_space(world, state, pair) {
        Some((direction, body)) => {
            let other = if body == i { j } else { i };
            let outward = to_f64s(&if other == j {
                -&direction
            } else {
                direction.clone()
            });
            let own = world.solid(state, other)?;
            let reach = times(&unit(outward)?, own.solid.radius);
            let point = exactly(sum(&own.support(&outward), &reach))?;
            let from_first = if other == j { &point + &centres } else { point };
            // The half-space does not move: any point of it will do.
            (direction, [from_first.clone(), from_first])
        }
        None if is_apart(&centres) => return None,
        None => {
            let split = world
                .solids(state, pair)
                .map(|[a, b]| widest(&a, &b, STARTS))?;
            let [p, r] = split.points;
            (exactly(split.normal)?, [exactly(p)?, exactly(r)?])
        }
    };
    if is_apart(&direction) {
        return None;
    }
    let gap = gap_of(world, state, pair, &direction)?;
    let [p, r] = &points;
    let first = &twists[0][0] + &twists[0][1].cross(p);
    let second = &twists[1][0] + &twists[1][1].cross(&(r - &centres));
    let rate = direction.dot(&(&second - &first)) / root(&direction.norm_squared());
    let after = Rational::from(&gap + &(rate * h));
    let depth = -gap.min(after);
    (depth > allowed).then_some(depth)
}

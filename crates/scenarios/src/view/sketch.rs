//! A scene at rest as it is drawn. A scene has no outlines, only the places of centres, contacts and joints, so that these
//! are what is drawn: a disc where a round surface is centred at the body, else the convex hull of the body's places. A scenario
//! can state outlines.

use etalon_rigid::{
    Body2, Body3, Contact, GROUND, Geometry, Joint, LinkFreedom, Linkage, Mechanism, Scalar, Scene,
    Segment, Vector,
};
use rug::Rational;

use super::{Drawn, Touch, circle};
use crate::instance::Mechanics;

/// Lengths of some metres that differ by so little are the same in a drawing, m.
const SAME: f64 = 1e-9;

/// A scene at rest in the plane that it is drawn in.
#[derive(Debug, Clone, Default)]
pub struct Sketch {
    /// The name of the axis to the right.
    pub across: String,
    /// The name of the axis upwards.
    pub up: String,
    /// The bodies that can move, outlines in the world, m.
    pub bodies: Vec<Drawn>,
    /// Their centres of mass, m.
    pub centres: Vec<[f64; 2]>,
    /// Where something that stays is touched, with the normal out of it.
    pub grounds: Vec<Touch>,
    /// Where pins and sliders hold, m.
    pub joints: Vec<[f64; 2]>,
    /// Whether bodies are drawn by stated outlines, not by their places.
    pub outlined: bool,
    seats: Vec<Seat>,
}

/// A contact as it is drawn: the force acts on the body that is not fixed.
#[derive(Debug, Clone)]
struct Seat {
    at: [f64; 2],
    /// The normal and the tangents, of any length in the picture's plane.
    frame: Vec<[f64; 2]>,
}

/// A place and the force there, in the picture's plane.
pub type Acting = ([f64; 2], [f64; 2]);

impl Sketch {
    /// The scene as it stands. In space it is seen along the horizontal axis along which its places spread least.
    pub fn new(mechanics: &Mechanics) -> Self {
        match mechanics {
            Mechanics::Planar(scene) => {
                let looks: Vec<_> = scene.bodies.iter().map(of_plane).collect();
                of_scene(scene, &looks, [0, 1]).with_limits(at_limits(&scene.joints))
            }
            Mechanics::Spatial(scene) => {
                let looks: Vec<_> = scene.bodies.iter().map(of_space).collect();
                let axes = seen_along(scene, &looks);
                of_scene(scene, &looks, axes).with_limits(at_limits(&scene.joints))
            }
            Mechanics::Linkage(linkage) => of_linkage(linkage),
            Mechanics::PlanarMechanism(own) => unfolded(own).map_or_else(Self::default, |scene| {
                Self::new(&Mechanics::Planar(scene)).with_limits(own.limits().len())
            }),
            Mechanics::SpatialMechanism(own) => unfolded(own).map_or_else(Self::default, |scene| {
                Self::new(&Mechanics::Spatial(scene)).with_limits(own.limits().len())
            }),
        }
    }

    /// The same with seats of limits that joints stand at: no arrow shows a torque.
    fn with_limits(mut self, limits: usize) -> Self {
        let seat = || Seat {
            at: [0.0; 2],
            frame: vec![[0.0; 2]],
        };
        self.seats.extend((0..limits).map(|_| seat()));
        self
    }

    /// The same with this outline about the centre of each body.
    pub(crate) fn with_outline(mut self, outline: &[[f64; 2]]) -> Self {
        for (body, centre) in self.bodies.iter_mut().zip(&self.centres) {
            let points = outline.iter();
            body.outline = points
                .map(|p| [centre[0] + p[0], centre[1] + p[1]])
                .collect();
        }
        self.outlined = true;
        self
    }

    /// The forces (or impulses) on the bodies that can move, from normal force and friction in tangent coordinates
    /// of each contact, in the order of the scene.
    pub fn acting(&self, forces: &[(f64, Vec<f64>)]) -> Vec<Acting> {
        let pairs = self.seats.iter().zip(forces);
        let acting = pairs.map(|(seat, (normal, friction))| {
            let parts = std::iter::once(normal).chain(friction).zip(&seat.frame);
            let sum = parts.fold([0.0; 2], |[x, y], (size, axis)| {
                [x + size * axis[0], y + size * axis[1]]
            });
            (seat.at, sum)
        });
        acting.collect()
    }
}

/// The number of limits that joints stand at.
fn at_limits<const D: usize>(joints: &[Joint<Rational, D>]) -> usize {
    let sides = joints.iter().flat_map(Joint::at_limits);
    sides.filter(|at| *at).count()
}

/// A body of a scene: its name, whether it stays, its centre of mass.
struct Look<const D: usize> {
    name: String,
    fixed: bool,
    centre: [f64; D],
}

fn floats<const D: usize>(vector: &Vector<Rational, D>) -> [f64; D] {
    vector.coordinates().each_ref().map(Scalar::to_f64)
}

fn of_plane(body: &Body2<Rational>) -> Look<2> {
    Look {
        name: body.name.clone(),
        fixed: body.fixed,
        centre: floats(&body.position),
    }
}

fn of_space(body: &Body3<Rational>) -> Look<3> {
    Look {
        name: body.name.clone(),
        fixed: body.fixed,
        centre: floats(&body.position),
    }
}

/// The axes of a scene in space that go to the right and upwards: upwards is against gravity.
fn seen_along<B>(scene: &Scene<Rational, B, 3>, looks: &[Look<3>]) -> [usize; 2] {
    let gravity = floats(&scene.gravity);
    let up = (0..3).fold(2, |up, axis| {
        if gravity[axis].abs() > gravity[up].abs() {
            axis
        } else {
            up
        }
    });
    let free = looks.iter().filter(|look| !look.fixed);
    let places = scene.contacts.iter().map(|contact| floats(&contact.point));
    let places: Vec<_> = places.chain(free.map(|look| look.centre)).collect();
    let spread = |axis: usize| {
        let ends = places
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| {
                (a.min(p[axis]), b.max(p[axis]))
            });
        ends.1 - ends.0
    };
    let (first, second) = match up {
        0 => (1, 2),
        1 => (0, 2),
        _ => (0, 1),
    };
    let across = if spread(second) > spread(first) + SAME {
        second
    } else {
        first
    };
    [across, up]
}

fn of_scene<B, const D: usize>(
    scene: &Scene<Rational, B, D>,
    looks: &[Look<D>],
    axes: [usize; 2],
) -> Sketch {
    let flat = |p: [f64; D]| axes.map(|axis| p[axis]);
    let name = |axis: usize| format!("{}, m", ["x", "y", "z"][axis]);
    let stays = |name: &str| looks.iter().any(|look| look.name == name && look.fixed);
    let mut sketch = Sketch {
        across: name(axes[0]),
        up: name(axes[1]),
        ..Sketch::default()
    };
    for contact in &scene.contacts {
        // The second body is pushed where the first one stays.
        let sign = if stays(&contact.first) { -1.0 } else { 1.0 };
        let at = flat(floats(&contact.point));
        let axis = |vector| flat(floats(vector)).map(|entry| sign * entry);
        let frame = std::iter::once(&contact.normal).chain(&contact.tangents);
        let frame: Vec<_> = frame.map(axis).collect();
        let normal = frame[0];
        if stays(&contact.first) || stays(&contact.second) {
            sketch.grounds.push(Touch { at, normal });
        }
        sketch.seats.push(Seat { at, frame });
    }
    let joints = scene.joints.iter();
    sketch.joints = joints.map(|joint| flat(floats(&joint.point))).collect();
    for look in looks.iter().filter(|look| !look.fixed) {
        let centre = flat(look.centre);
        let of_body = |first: &str, second: &str| first == look.name || second == look.name;
        let contacts = || scene.contacts.iter();
        let contacts = || contacts().filter(|c| of_body(&c.first, &c.second));
        let joints = scene.joints.iter();
        let joints = joints.filter(|joint| of_body(&joint.first, &joint.second));
        let places = contacts().map(|contact| &contact.point);
        let places = places.chain(joints.map(|joint| &joint.point));
        let places = places.map(|point| flat(floats(point)));
        let radius = contacts().find_map(|contact| radius(contact, look));
        let outline = match radius {
            Some(radius) => circle(radius)
                .iter()
                .map(|p| [centre[0] + p[0], centre[1] + p[1]])
                .collect(),
            None => hull(places.chain([centre]).collect()),
        };
        sketch.bodies.push(Drawn {
            name: look.name.clone(),
            outline,
            round: radius.is_some(),
        });
        sketch.centres.push(centre);
    }
    sketch
}

/// The radius of a body whose round surface, at a contact, is centred at its centre of mass.
fn radius<const D: usize>(contact: &Contact<Rational, D>, look: &Look<D>) -> Option<f64> {
    let is_first = contact.first == look.name;
    let radius = match &contact.geometry {
        Geometry::Round { first, second } => Scalar::to_f64(if is_first { first } else { second }),
        Geometry::Face { of, radius } => {
            let has_face = (*of == etalon_rigid::Side::First) == is_first;
            if has_face {
                0.0
            } else {
                Scalar::to_f64(radius)
            }
        }
    };
    let (point, normal) = (floats(&contact.point), floats(&contact.normal));
    let sign = if is_first { radius } else { -radius };
    let away = (0..D).map(|k| (point[k] + sign * normal[k] - look.centre[k]).powi(2));
    (radius > SAME && away.sum::<f64>().sqrt() < SAME).then_some(radius)
}

/// The links of a mechanism as bodies, with a pin at each of its joints; none of a mechanism that cannot be.
fn unfolded<B: Segment<Rational, D>, const D: usize>(
    own: &Mechanism<Rational, B, D>,
) -> Option<Scene<Rational, B, D>> {
    let mut scene = Scene::new(own.gravity.clone());
    scene.bodies = own.bodies().ok()?;
    scene.bodies.push(B::ground(GROUND));
    scene.contacts = own.placed_contacts().ok()?;
    let links = own.links.iter().zip(own.joint_places().ok()?);
    scene.joints = links
        .filter(|(link, _)| !matches!(link.joint.freedom, LinkFreedom::Floating { .. }))
        .map(|(link, place)| Joint::pin("", link.body.name(), link.parent.as_str(), place))
        .collect();
    scene.joints.extend(own.placed_loops().ok()?);
    Some(scene)
}

/// Links end to end from a pivot at the origin.
fn of_linkage(linkage: &Linkage<Rational>) -> Sketch {
    let mut sketch = Sketch {
        across: "x, m".to_owned(),
        up: "y, m".to_owned(),
        joints: vec![[0.0; 2]],
        ..Sketch::default()
    };
    let mut ends = vec![[0.0; 2]];
    for (k, link) in linkage.links.iter().enumerate() {
        let (cos, sin) = (link.angle.cos().to_f64(), link.angle.sin().to_f64());
        let start = ends[k];
        let along = |length: &Rational| {
            let length = Scalar::to_f64(length);
            [start[0] + length * cos, start[1] + length * sin]
        };
        let end = along(&link.length);
        sketch.bodies.push(Drawn {
            name: format!("link {k}"),
            outline: vec![start, end],
            round: false,
        });
        sketch.centres.push(along(&link.centre));
        sketch.joints.push(end);
        ends.push(end);
    }
    // At the last link's end nothing is pinned.
    sketch.joints.truncate(linkage.links.len().max(1));
    for contact in &linkage.contacts {
        let at = ends.get(contact.link + 1).copied().unwrap_or_default();
        let scene_contact = Contact::new("", "", "", Vector::zero(), contact.normal.clone());
        let frame = std::iter::once(&scene_contact.normal).chain(&scene_contact.tangents);
        let frame: Vec<_> = frame.map(floats).collect();
        let normal = frame[0];
        sketch.grounds.push(Touch { at, normal });
        sketch.seats.push(Seat { at, frame });
    }
    sketch
}

/// The corners of the convex hull, counter-clockwise (Andrew 1979); of points on a line its ends.
pub fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup_by(|a, b| (a[0] - b[0]).hypot(a[1] - b[1]) < SAME);
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..] {
                let turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
                if turn > SAME * SAME {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut points.iter().copied());
    corners.extend(half(&mut points.iter().rev().copied()));
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScenarioPart, find, scenarios};

    fn sketch(name: &str) -> Sketch {
        let instance = find(name).unwrap().instance([]).unwrap();
        Sketch::new(&instance.setup.mechanics)
    }

    #[test]
    fn a_hull_has_the_corners_alone() {
        let square = [
            [0.0, 0.0],
            [1.0, 0.0],
            [0.5, 0.5],
            [1.0, 1.0],
            [0.0, 1.0],
            [0.5, 0.0],
        ];
        assert_eq!(
            hull(square.to_vec()),
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
        );
        let line = [[0.0, 0.0], [2.0, 2.0], [1.0, 1.0]];
        assert_eq!(hull(line.to_vec()), [[0.0, 0.0], [2.0, 2.0]]);
        assert_eq!(hull(vec![[3.0, 4.0]; 3]), [[3.0, 4.0]]);
    }

    #[test]
    fn every_scene_at_rest_can_be_drawn_with_a_force_at_each_contact() {
        for scenario in scenarios() {
            if scenario.about(ScenarioPart::Rest).is_none() {
                continue;
            }
            let instance = scenario.instance([]).unwrap();
            let sketch = Sketch::new(&instance.setup.mechanics);
            let contacts = instance.system().unwrap().contacts.len();
            let forces = vec![(1.0, vec![0.0; 2]); contacts];
            let acting = sketch.acting(&forces);
            assert_eq!(acting.len(), contacts, "{}", scenario.name);
            assert!(!sketch.bodies.is_empty(), "{}", scenario.name);
            let points = sketch.bodies.iter().flat_map(|body| &body.outline);
            let numbers = points.chain(acting.iter().flat_map(|(at, force)| [at, force]));
            assert!(
                numbers.flatten().all(|x| x.is_finite()),
                "{}",
                scenario.name
            );
        }
    }

    #[test]
    fn forces_on_a_ladder_push_it_away_from_floor_and_wall() {
        let sketch = sketch("ladder");
        let acting = sketch.acting(&[(2.0, vec![0.0]), (1.0, vec![0.0])]);
        let forces: Vec<_> = acting.iter().map(|(_, force)| *force).collect();
        for (touch, force) in sketch.grounds.iter().zip(&forces) {
            assert!(touch.normal[0] * force[0] + touch.normal[1] * force[1] > 0.0);
            let [x, y] = [0, 1].map(|k| sketch.centres[0][k] - touch.at[k]);
            assert!(x * force[0] + y * force[1] > 0.0, "{acting:?}");
        }
        assert_eq!(sketch.bodies[0].outline.len(), 2);
    }

    /// One contact below another shows a line, and a block is none.
    #[test]
    fn blocks_of_a_stack_are_squares_that_touch() {
        let stack = find("stack").unwrap().instance([]).unwrap();
        let sketch = stack.sketch();
        assert_eq!(sketch.bodies.len(), 3);
        for (k, body) in sketch.bodies.iter().enumerate() {
            let below = 2.0 * k as f64;
            let (low, high) = (below, below + 2.0);
            let square = [[-1.0, low], [1.0, low], [1.0, high], [-1.0, high]];
            assert_eq!(body.outline, square);
        }
    }
}

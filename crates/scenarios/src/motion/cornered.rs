//! Lines of Egan-Trinkle steps.

use etalon_golden::trajectory::{self, Contact, Line, Piece};
use etalon_lcp::Basis;
use etalon_rigid::Scalar;
use etalon_time_stepping::Energy;
use etalon_time_stepping::corner::{
    CornerStep, Corners, Entry, Obstacle, SolidStep, SolutionFamily, Solutions,
};
use rug::Rational;

use super::record::{Writer, lcp};

/// T and V.
pub fn energy<S: Scalar>(corners: &Corners<S>, q: &[S], v: &[S]) -> Energy<S> {
    Energy {
        kinetic: corners.mass.kinetic_energy(v),
        potential: corners.potential(q),
    }
}

/// The line of step k.
pub fn line<S: Scalar>(
    writer: Writer,
    k: u64,
    h: &Rational,
    corners: &Corners<S>,
    step: &CornerStep<S>,
) -> Line {
    let gaps = corners.gaps(&step.q);
    let [position, friction] = [&step.position, &step.friction].map(|parts| total(parts));
    let parts = [
        ("friction", &friction),
        ("numerical", &step.numerical),
        ("position", &position),
        ("rounding", &S::zero()),
    ];
    Line {
        q: writer.states(&step.q),
        v: writer.states(&step.v),
        energy: writer.energy(&energy(corners, &step.q, &step.v)),
        entry: Some(entry(corners, step)),
        pieces: match &step.solutions {
            Solutions::Several(family) if corners.obstacles.len() > 1 => {
                Some(pieces(writer, family))
            }
            _ => None,
        },
        ..common(writer, (k, h), (corners, step, &gaps), &parts)
    }
}

/// The line of step k of bodies that turn, with the gaps of its faces after it. As which obstacles take part is another in each step, all that are entered are
/// listed, and all sets of solutions. `drags`: in a first-order world what the step takes beside is the drag.
pub fn solid_line<S: Scalar>(
    writer: Writer,
    (k, h): (u64, &Rational),
    own: &SolidStep<S>,
    gaps: &[S],
    drags: bool,
) -> Line {
    let (corners, step, lost) = (&own.corners, &own.step, &own.dissipation);
    let [position, friction] = [&step.position, &step.friction].map(|parts| total(parts));
    let mut parts = vec![
        ("friction", &friction),
        (if drags { "drag" } else { "numerical" }, &step.numerical),
        ("position", &position),
        ("rounding", &lost.rounding),
    ];
    let turns = own.after.q.len() > own.after.v.len();
    if turns {
        parts.push(("inertial", &lost.inertial));
    }
    let drives = (0..step.v.len()).any(|k| corners.mass.is_driven(k));
    let gains = corners.faces().zip(&step.position);
    let gains = gains.filter(|(_, loss)| loss.signum() < 0);
    Line {
        q: writer.states(&own.after.q),
        v: writer.states(&own.after.v),
        energy: writer.energy(&own.energy),
        entry: Some(trajectory::Entry::Faces(entered(corners, step))),
        pieces: step.solutions.family().map(|family| pieces(writer, family)),
        work: drives.then(|| writer.derived(&step.work)),
        gains: Some(gains.map(|(face, _)| face.name.clone()).collect()),
        flight_gain: turns.then(|| writer.derived(&-lost.inertial.clone())),
        ..common(writer, (k, h), (corners, step, gaps), &parts)
    }
}

fn total<S: Scalar>(parts: &[S]) -> S {
    parts.iter().fold(S::zero(), |sum, part| sum + part)
}

/// What both kinds of lines have, with the parts of what the step took.
fn common<S: Scalar>(
    writer: Writer,
    (k, h): (u64, &Rational),
    (corners, step, gaps): (&Corners<S>, &CornerStep<S>, &[S]),
    parts: &[(&str, &S)],
) -> Line {
    let contacts = corners.faces().zip(gaps).zip(&step.impulses);
    let contacts = contacts.map(|((face, gap), impulse)| Contact {
        pair: face.name.clone(),
        gap: writer.derived(gap),
        normal: writer.derived(&impulse.normal),
        friction: writer.deriveds(&impulse.friction(face)),
        ..Default::default()
    });
    let basis = Basis::new(step.z.iter().map(|z| z.signum() > 0).collect());
    let lost = parts.iter().fold(S::zero(), |sum, (_, part)| sum + *part);
    let dissipation = parts.iter();
    let dissipation = dissipation.map(|(name, part)| ((*name).to_owned(), writer.derived(*part)));
    let family = step.solutions.family();
    let vertices = family.map_or(&[][..], |family| &family.vertices);
    let vertices = vertices.iter().map(|p| writer.deriveds(p)).collect();
    let unlisted = match &step.solutions {
        Solutions::Unlisted(reason) => Some(reason.to_string()),
        _ => None,
    };
    Line {
        k,
        t: writer.time(k, h),
        contacts: contacts.collect(),
        lcp: lcp(&step.z, &basis, None),
        dissipated: writer.derived(&lost),
        dissipation: Some(dissipation.collect()),
        family: Some(Some(vertices).filter(|_| unlisted.is_none())),
        unlisted,
        ..Default::default()
    }
}

/// The face that the corner is entered by, if it is; of several corners, all such faces.
fn entry<S: Scalar>(corners: &Corners<S>, step: &CornerStep<S>) -> trajectory::Entry {
    let mut entered = entered(corners, step);
    match &corners.obstacles[..] {
        [Obstacle::Corner(_)] => match entered.pop() {
            Some(face) => trajectory::Entry::Face(face),
            None => trajectory::Entry::Outside,
        },
        _ => trajectory::Entry::Faces(entered),
    }
}

/// The names of all faces that obstacles are entered by.
fn entered<S: Scalar>(corners: &Corners<S>, step: &CornerStep<S>) -> Vec<String> {
    let pairs = corners.obstacles.iter().zip(&step.entries);
    let entered = pairs.filter_map(|(obstacle, entry)| match entry {
        Entry::Outside => None,
        Entry::Face(i) => Some(obstacle.faces()[*i].name.clone()),
    });
    entered.collect()
}

/// Which vertices span a convex set of solutions each, and along which impulses it goes on for ever.
fn pieces<S: Scalar>(writer: Writer, family: &SolutionFamily<S>) -> Vec<Piece> {
    let pieces = family.pieces.iter().map(|piece| {
        let rays = piece.rays.iter().map(|ray| writer.deriveds(ray));
        Piece {
            vertices: piece.vertices.clone(),
            rays: rays.collect(),
            ..Default::default()
        }
    });
    pieces.collect()
}

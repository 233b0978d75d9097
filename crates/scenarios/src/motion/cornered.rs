//! Lines of Egan-Trinkle steps.

use etalon_golden::trajectory::{self, Contact, Line, Piece};
use etalon_lcp::Basis;
use etalon_rigid::Scalar;
use etalon_time_stepping::Energy;
use etalon_time_stepping::corner::{
    CornerStep, Corners, Entry, Obstacle, SolutionFamily, Solutions,
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
    let contacts = corners.faces().zip(&gaps).zip(&step.impulses);
    let contacts = contacts.map(|((face, gap), impulse)| Contact {
        pair: face.name.clone(),
        gap: writer.derived(gap),
        normal: writer.derived(&impulse.normal),
        friction: writer.deriveds(&impulse.friction(face)),
        ..Default::default()
    });
    let basis = Basis::new(step.z.iter().map(|z| z.signum() > 0).collect());
    let total = |parts: &[S]| parts.iter().fold(S::zero(), |sum, part| sum + part);
    let (position, friction) = (total(&step.position), total(&step.friction));
    let dissipation = [
        ("friction", &friction),
        ("numerical", &step.numerical),
        ("position", &position),
        ("rounding", &S::zero()),
    ];
    let dissipation = dissipation.map(|(name, part)| (name.to_owned(), writer.derived(part)));
    let family = step.solutions.family();
    let vertices = family.map_or(&[][..], |family| &family.vertices);
    let mut line = Line {
        k,
        t: writer.time(k, h),
        q: writer.states(&step.q),
        v: writer.states(&step.v),
        contacts: contacts.collect(),
        lcp: lcp(&step.z, &basis, None),
        energy: writer.energy(&energy(corners, &step.q, &step.v)),
        dissipated: writer.derived(&(position.clone() + &step.numerical + &friction)),
        dissipation: Some(dissipation.into()),
        entry: Some(entry(corners, step)),
        family: Some(Some(vertices.iter().map(|p| writer.deriveds(p)).collect())),
        ..Default::default()
    };
    match &step.solutions {
        Solutions::Several(family) if corners.obstacles.len() > 1 => {
            line.pieces = Some(pieces(writer, family));
        }
        Solutions::Unlisted(reason) => {
            line.family = Some(None);
            line.unlisted = Some(reason.to_string());
        }
        _ => {}
    }
    line
}

/// The face that the corner is entered by, if it is; of several corners, all such faces.
fn entry<S: Scalar>(corners: &Corners<S>, step: &CornerStep<S>) -> trajectory::Entry {
    let pairs = corners.obstacles.iter().zip(&step.entries);
    let entered = pairs.filter_map(|(obstacle, entry)| match entry {
        Entry::Outside => None,
        Entry::Face(i) => Some(obstacle.faces()[*i].name.clone()),
    });
    let mut entered: Vec<_> = entered.collect();
    match &corners.obstacles[..] {
        [Obstacle::Corner(_)] => match entered.pop() {
            Some(face) => trajectory::Entry::Face(face),
            None => trajectory::Entry::Outside,
        },
        _ => trajectory::Entry::Faces(entered),
    }
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

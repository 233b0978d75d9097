//! Lines of Egan-Trinkle steps.

use etalon_lcp::Basis;
use etalon_rigid::Scalar;
use etalon_time_stepping::Energy;
use etalon_time_stepping::corner::{CornerStep, Corners, Entry, Family, Obstacle, Solutions};
use rug::Rational;
use serde_json::{Value, json};

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
) -> Value {
    let gaps = corners.gaps(&step.q);
    let contacts = corners.faces().zip(&gaps).zip(&step.impulses);
    let contacts = contacts.map(|((face, gap), impulse)| {
        json!({
            "pair": face.name,
            "gap": writer.derived(gap),
            "normal": writer.derived(&impulse.normal),
            "friction": writer.deriveds(&impulse.friction(face)),
        })
    });
    let basis = Basis::new(step.z.iter().map(|z| z.signum() > 0).collect());
    let total = |parts: &[S]| parts.iter().fold(S::zero(), |sum, part| sum + part);
    let (position, friction) = (total(&step.position), total(&step.friction));
    let mut line = json!({
        "k": k,
        "t": writer.time(k, h),
        "q": writer.states(&step.q),
        "v": writer.states(&step.v),
        "contacts": contacts.collect::<Vec<_>>(),
        "lcp": lcp(&step.z, &basis, None),
        "energy": writer.energy(&energy(corners, &step.q, &step.v)),
        "dissipated": writer.derived(&(position.clone() + &step.numerical + &friction)),
        "dissipation": {
            "friction": writer.derived(&friction),
            "numerical": writer.derived(&step.numerical),
            "position": writer.derived(&position),
            "rounding": writer.derived(&S::zero()),
        },
        "entry": entry(corners, step),
        "family": step.solutions.family().map_or(&[][..], |family| &family.vertices)
            .iter().map(|p| writer.deriveds(p)).collect::<Vec<_>>(),
    });
    match &step.solutions {
        Solutions::Several(family) if corners.obstacles.len() > 1 => {
            line["pieces"] = pieces(writer, family);
        }
        Solutions::Unlisted(reason) => {
            line["family"] = Value::Null;
            line["unlisted"] = json!(reason);
        }
        _ => {}
    }
    line
}

/// The face that the corner is entered by, if it is; of several corners, all such faces.
fn entry<S: Scalar>(corners: &Corners<S>, step: &CornerStep<S>) -> Value {
    let pairs = corners.obstacles.iter().zip(&step.entries);
    let entered = pairs.filter_map(|(obstacle, entry)| match entry {
        Entry::Outside => None,
        Entry::Face(i) => Some(obstacle.faces()[*i].name.clone()),
    });
    let entered: Vec<_> = entered.collect();
    match &corners.obstacles[..] {
        [Obstacle::Corner(_)] => json!(entered.first()),
        _ => json!(entered),
    }
}

/// Which vertices span a convex set of solutions each, and along which impulses it goes on for ever.
fn pieces<S: Scalar>(writer: Writer, family: &Family<S>) -> Value {
    let pieces = family.pieces.iter().map(|piece| {
        let rays: Vec<_> = piece.rays.iter().map(|ray| writer.deriveds(ray)).collect();
        json!({"vertices": piece.vertices, "rays": rays})
    });
    pieces.collect()
}

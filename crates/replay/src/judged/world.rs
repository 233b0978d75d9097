//! Lines of the planar engine, or of anybody who writes the same: energies, contact forces and gaps.
//!
//! A step of the engine has several evaluations and events, so its impulses do not stand in its line, and momentum is not
//! asked. Asked are the energies: that of motion by the masses of the scene, the change from line to line, and that its parts add up;
//! no contact pulls, and no body is inside another by more than the engine's own tolerance.

use etalon_engines::motion::{Breach, Breaches, MotionLaw, Rounding};
use etalon_golden::Trajectory as Stored;
use etalon_golden::trajectory::{Energy, Line};
use etalon_lcp::short_text;
use etalon_planar::WorldSpec;
use rug::Rational;

use super::line::number;
use super::{JudgedMotion, MotionPrecision, NotJudged, kind, unasked};
use crate::trajectories::check_k;
use crate::worlds;

/// Roundings of a sum of a few numbers, as for the laws of motion that no problem stands behind.
const FEW: u32 = 24;

/// Judges all lines.
pub fn judge_world(
    stored: &Stored,
    precision: Option<MotionPrecision>,
    declared: &Rational,
) -> Result<JudgedMotion, NotJudged> {
    let mut rounding = precision.unwrap_or(MotionPrecision::F64).rounding();
    rounding.declared.clone_from(declared);
    // A header without its world may name one that is not in the registry; then masses are not known.
    let scene = worlds::instance(&stored.header).ok().map(|own| own.scene);
    let mut found = JudgedMotion {
        exact: rounding.is_exact(),
        not_asked: unasked::WORLD,
        ..JudgedMotion::default()
    };
    let mut before = stored.header.start.energy.as_ref();
    let at =
        |why: String| NotJudged::Unreadable(format!("{}: the header: {why}", stored.origin(0)));
    kind(&stored.header).map_err(at)?;
    let start = start(stored, scene.as_ref(), &rounding).map_err(at)?;
    found.breaches.extend(start);
    for (k, line) in (1..).zip(&stored.steps) {
        let at = |why: String| NotJudged::Unreadable(format!("{}: {why}", stored.origin(k)));
        check_k(k, line).map_err(at)?;
        let mut exam = Exam {
            line,
            rounding: &rounding,
            found: Breaches::of(k),
        };
        exam.energy(before, scene.as_ref()).map_err(at)?;
        exam.contacts(scene.as_ref()).map_err(at)?;
        found.breaches.extend(exam.found.into_list());
        before = Some(&line.energy);
        found.steps += 1;
    }
    Ok(found)
}

/// What is wrong with the kinetic energy that the header says of the start: step 0.
fn start(
    stored: &Stored,
    scene: Option<&WorldSpec>,
    rounding: &Rounding,
) -> Result<Vec<Breach>, String> {
    let start = &stored.header.start;
    let (Some(energy), Some(scene)) = (&start.energy, scene) else {
        return Ok(Vec::new());
    };
    let line = Line {
        v: start.v.clone(),
        ..Line::default()
    };
    let mut exam = Exam {
        line: &line,
        rounding,
        found: Breaches::of(0),
    };
    let kinetic = number("start.energy.kinetic", &energy.kinetic)?;
    exam.kinetic(&kinetic, scene);
    Ok(exam.found.into_list())
}

struct Exam<'a> {
    line: &'a Line,
    rounding: &'a Rounding,
    found: Breaches,
}

impl Exam<'_> {
    fn identity(&mut self, place: &str, off: Rational, tolerance: Rational, words: String) {
        if off.clone().abs() > tolerance {
            let at = (MotionLaw::EnergyIdentity, place.to_owned());
            self.found.report(at, off, ("J", tolerance), words);
        }
    }

    /// The recorded kinetic energy against that of masses and velocities.
    fn kinetic(&mut self, kinetic: &Rational, scene: &WorldSpec) {
        let Some(own) = kinetic_of(scene, self.line) else {
            return;
        };
        // Products of three numbers, summed over bodies.
        let terms = FEW + 6 * u32::try_from(self.line.v.len()).unwrap_or(u32::MAX / 8);
        let tolerance = self.allowed(&own) * terms;
        let words = format!(
            "{} J are recorded, and masses and velocities make it {} J",
            short_text(kinetic),
            short_text(&own)
        );
        let off = Rational::from(kinetic - &own);
        self.identity("kinetic energy", off, tolerance, words);
    }

    fn energy(&mut self, before: Option<&Energy>, scene: Option<&WorldSpec>) -> Result<(), String> {
        let line = self.line;
        let kinetic = number("energy.kinetic", &line.energy.kinetic)?;
        let potential = number("energy.potential", &line.energy.potential)?;
        if let Some(scene) = scene {
            self.kinetic(&kinetic, scene);
        }
        let dissipated = number("dissipated", &line.dissipated)?;
        if let Some(before) = before {
            let old = number("energy.kinetic", &before.kinetic)?
                + number("energy.potential", &before.potential)?;
            let lost = Rational::from(&old - &kinetic) - &potential;
            let sizes = [kinetic, potential, dissipated.clone()].map(Rational::abs);
            let size = sizes.into_iter().fold(old.abs(), |sum, own| sum + own);
            let tolerance = self.allowed(&size) * FEW;
            let words = format!(
                "the energies of two lines differ by {} J, and {} J are recorded",
                short_text(&lost),
                short_text(&dissipated)
            );
            self.identity(
                "dissipated",
                Rational::from(&dissipated - &lost),
                tolerance,
                words,
            );
        }
        self.parts(dissipated)
    }

    fn parts(&mut self, dissipated: Rational) -> Result<(), String> {
        let line = self.line;
        let Some(parts) = &line.dissipation else {
            return Ok(());
        };
        let work = match &line.work {
            Some(work) => number("work", work)?,
            None => Rational::new(),
        };
        let mut total = Rational::new();
        let mut size = dissipated.clone().abs() + work.clone().abs();
        for (name, part) in parts {
            let part = number(&format!("dissipation.{name}"), part)?;
            size += part.clone().abs();
            // Damping only takes energy, whatever moves.
            if name == "damping" && part < 0 {
                let words = format!("gained {} J by damping", short_text(&part.clone().abs()));
                let at = (MotionLaw::EnergyGain, "damping".to_owned());
                self.found
                    .report(at, -part.clone(), ("J", Rational::new()), words);
            }
            total += part;
        }
        // Trajectories of versions before 0.2 have the part of collisions alone.
        if parts.len() == 1 {
            return Ok(());
        }
        let off = Rational::from(&total - &dissipated) - &work;
        let tolerance = self.allowed(&size) * FEW;
        let words = format!(
            "the parts add up to {} J, and {} J are recorded, with work of {} J",
            short_text(&total),
            short_text(&dissipated),
            short_text(&work)
        );
        self.identity("dissipation", off, tolerance, words);
        Ok(())
    }

    fn contacts(&mut self, scene: Option<&WorldSpec>) -> Result<(), String> {
        let line = self.line;
        for (i, own) in line.contacts.iter().enumerate() {
            let place = format!("contact {}", own.pair);
            let normal = number(&format!("contacts[{i}].normal"), &own.normal)?;
            let gap = number(&format!("contacts[{i}].gap"), &own.gap)?;
            if own.joint == Some(true) {
                continue;
            }
            if normal < 0 {
                let words = format!("it pulls with {} N s", short_text(&normal.clone().abs()));
                let at = (MotionLaw::Complementarity, place.clone());
                self.found
                    .report(at, normal, ("N s", Rational::new()), words);
            }
            // A body counts as inside another from a millionth of the distance tolerance on.
            let most = scene.map(|scene| scene.settings.distance_tolerance * 1e-6);
            let Some(most) = most.and_then(Rational::from_f64) else {
                continue;
            };
            if gap < -most.clone() {
                let words = format!("bodies overlap by {} m", short_text(&gap.clone().abs()));
                self.found
                    .report((MotionLaw::Penetration, place), gap, ("m", most), words);
            }
        }
        Ok(())
    }

    /// What one rounding may do to a number of that size.
    fn allowed(&self, size: &Rational) -> Rational {
        Rational::from(size * &self.rounding.relative)
            + Rational::from(size * &self.rounding.declared)
    }
}

/// The kinetic energy of a line by the masses of a scene; `None` for another number of bodies.
fn kinetic_of(scene: &WorldSpec, line: &Line) -> Option<Rational> {
    let moving = scene.bodies.iter().filter(|own| own.mass.is_some());
    let moving: Vec<_> = moving.collect();
    if line.v.len() != 3 * moving.len() {
        return None;
    }
    let mut twice = Rational::new();
    for (body, v) in moving.iter().zip(line.v.chunks(3)) {
        let [x, y, spin] = v else { return None };
        let mass = Rational::from_f64(body.mass?)?;
        let inertia = body
            .inertia
            .map_or(Some(Rational::new()), Rational::from_f64)?;
        twice += (x.exact()?.square() + y.exact()?.square()) * mass;
        twice += spin.exact()?.square() * inertia;
    }
    Some(twice / 2u32)
}

//! A step of an engine with what level C has found of it: the impulses that explain it, or the test motion that proves that
//! there are none.

mod scene;

use etalon_engines::step::{Bodies, EngineStep, Form};
use etalon_engines::{Explanation, LevelFinding, Separation, StatesQuestion, StepVerdict, Word};
use etalon_lcp::round_up_f64;
use rug::Rational;

use super::PictureError;
use super::digits::{digits, digits_down, vector};
use super::drawing::{Drawing, Further};
use super::rest::short;
use super::sight::Vector;
use scene::{Scene, numbers};

/// The letters of a line of the heading that the narrowest picture has place for.
const LETTERS: usize = 74;

/// The test motion is told of so many bodies.
const TOLD: usize = 2;

/// The number of the colour of the observed change: dark grey.
const CHANGE: usize = 5;

/// The picture of a step of bodies: centres of mass, contacts with their normals and what may act there, and arrows. Where the
/// step is explained, these are the impulses that do it; else the test motion y of the certificate, at the centres and at the
/// contacts, with the numbers of the proof. Coordinates are rounded to binary64, and no verdict depends on them.
///
/// # Errors
/// [`PictureError`], also for a step without bodies.
pub fn of_states(
    step: &EngineStep,
    question: &StatesQuestion,
    verdict: &StepVerdict,
) -> Result<String, PictureError> {
    let Form::Bodies(bodies) = &step.form else {
        return Err(PictureError("the step has no bodies".to_owned()));
    };
    let admissible = question.contacts();
    let scene = Scene::new(bodies, &admissible);
    let found = match &verdict.finding {
        LevelFinding::Explanation(found) => Some(&**found),
        _ => None,
    };
    let shown = Shown::of(&scene, question, verdict.word, found);
    let change: Vec<_> = scene.of_bodies(question.observed());
    let arrows: Vec<_> = shown.arrows.iter().map(|(_, own)| *own).collect();
    let sight = scene.sight(&arrows, &change);
    let size = scene.size(&sight);
    let is_space = bodies.dimension == 3;
    let seen = if is_space {
        sight.words()
    } else {
        "in the plane".to_owned()
    };
    let heading = heading(step, question, verdict, &seen, shown.words);
    let arrow = |(at, own): (&Vector, &Vector)| (sight.point(at), sight.point(own));
    let drawing = Drawing {
        heading: heading.iter().flat_map(|line| wrapped(line)).collect(),
        arrows: shown.what.to_owned(),
        none: shown.none.to_owned(),
        unit: shown.unit,
        axes: is_space.then(|| sight.axes()),
        fixed: scene.cones(&sight, size),
        lines: scene.lines(&sight, size),
        last: scene.outlines(&sight),
        marks: scene.centres.iter().map(|at| sight.point(at)).collect(),
        forces: shown
            .arrows
            .iter()
            .map(|(at, own)| arrow((at, own)))
            .collect(),
        further: Some(Further {
            what: "in grey, the observed change M dv - h f".to_owned(),
            unit: "N s",
            color: CHANGE,
            arrows: scene.centres.iter().zip(&change).map(arrow).collect(),
        }),
        ..Drawing::default()
    };
    drawing.svg()
}

/// The step, the law and the view, and the numbers of the proof.
fn heading(
    step: &EngineStep,
    question: &StatesQuestion,
    verdict: &StepVerdict,
    seen: &str,
    proof: Vec<String>,
) -> Vec<String> {
    let mut heading = vec![
        short(&step.name),
        format!(
            "{}: {} at level C, {}",
            short(&step.engine.label()),
            verdict.word.word(),
            question.law()
        ),
        format!("{seen}; wedges and lines at contacts: what may act"),
    ];
    heading.extend(proof);
    heading
}

/// What is drawn of a finding.
#[derive(Default)]
struct Shown {
    /// The numbers of the proof.
    words: Vec<String>,
    /// What the arrows are.
    what: &'static str,
    /// What is said where there are none.
    none: &'static str,
    unit: &'static str,
    arrows: Vec<(Vector, Vector)>,
}

impl Shown {
    fn of(
        scene: &Scene<'_>,
        question: &StatesQuestion,
        word: Word,
        found: Option<&Explanation>,
    ) -> Self {
        let certificate = found.and_then(|own| own.certificate.as_ref());
        let proof = certificate.and_then(|y| Some((y, question.separation(y)?)));
        match (
            word,
            proof,
            found.and_then(|own| Some((own, own.impulse.as_ref()?))),
        ) {
            (Word::Explained, _, Some((own, impulse))) => {
                Self::impulses(scene, own, impulse, question)
            }
            (_, Some((y, proof)), _) => Self::motion(scene, y, &proof, question),
            (_, None, Some((own, impulse))) => Self::impulses(scene, own, impulse, question),
            (_, None, None) => Self {
                none: "nothing is proved",
                ..Self::default()
            },
        }
    }

    fn impulses(
        scene: &Scene<'_>,
        found: &Explanation,
        impulse: &[Vec<Rational>],
        question: &StatesQuestion,
    ) -> Self {
        let pairs = scene.contacts().zip(impulse);
        let arrows = pairs.map(|((contact, admissible, sign), own)| {
            let at = numbers(&contact.point);
            (at, Scene::in_world(admissible, sign, own))
        });
        let (upper, tol) = (found.eps.upper, round_up_f64(question.tolerance()));
        let within = if upper <= tol { "within" } else { "over" };
        let mut words = vec![format!(
            "left of the momentum: {}, {within} the tolerance {tol:.1e}",
            digits(upper)
        )];
        words.extend(undrawn(scene.bodies));
        Self {
            words,
            what: "impulses",
            none: "no impulse acts",
            unit: "N s",
            arrows: arrows.collect(),
        }
    }

    /// The test motion over its largest entry, which is then 1 m/s or 1 rad/s.
    fn motion(
        scene: &Scene<'_>,
        y: &[Rational],
        proof: &Separation,
        question: &StatesQuestion,
    ) -> Self {
        let largest = y.iter().map(|own| own.clone().abs()).max();
        let over = largest
            .filter(|own| !own.is_zero())
            .unwrap_or(Rational::from(1));
        let y: Vec<_> = y.iter().map(|own| Rational::from(own / &over)).collect();
        let centres = scene.centres.iter().copied().zip(scene.of_bodies(&y));
        let pairs = scene.contacts().zip(&proof.contacts);
        let contacts = pairs.map(|((contact, admissible, sign), own)| {
            let u: Vec<_> = own
                .u
                .iter()
                .map(|own| Rational::from(own / &over))
                .collect();
            let at = numbers(&contact.point);
            (at, Scene::in_world(admissible, sign, &u))
        });
        let arrows = centres.chain(contacts).collect();
        let part = |own: &Rational| Rational::from(own / &over).to_f64();
        let mut words = told(scene.bodies, &y);
        words.push(format!(
            "work on y: observed change {} J, admissible impulses {} J or more",
            digits(part(&proof.observed)),
            digits(part(&proof.admissible)),
        ));
        // rug truncates towards zero, so this is at most eps.
        let eps = proof.eps.to_f64();
        let tol = round_up_f64(question.tolerance());
        words.push(format!(
            "over |y|'S = {} J: eps >= {} is proved; the tolerance is {tol:.1e}",
            digits(part(&proof.size)),
            digits_down(eps),
        ));
        words.extend(undrawn(scene.bodies));
        Self {
            words,
            what: "y at centres and contacts",
            none: "y moves no centre and no contact",
            unit: "m/s",
            arrows,
        }
    }
}

/// The test motion in numbers.
fn told(bodies: &Bodies, y: &[Rational]) -> Vec<String> {
    let (d, k) = (bodies.dimension, bodies.velocities());
    let mut words = Vec::new();
    for (b, own) in y.chunks(k).take(TOLD).enumerate() {
        let own: Vec<_> = own.iter().map(Rational::to_f64).collect();
        let (linear, angular) = own.split_at(d.min(own.len()));
        words.push(format!(
            "test motion y of body {b}: {} m/s, {} rad/s",
            vector(linear),
            vector(angular)
        ));
    }
    let more = bodies.bodies.len().saturating_sub(TOLD);
    if more > 0 {
        words.push(format!("and of {more} more bodies"));
    }
    words
}

/// What acts in no direction that is drawn.
fn undrawn(bodies: &Bodies) -> Option<String> {
    let mut contacts = bodies.contacts.iter();
    let turns = contacts.any(|own| own.torsion.is_some() || own.roll.is_some());
    let joints = !bodies.joints.is_empty();
    match (turns, joints) {
        (false, false) => None,
        (true, false) => Some("torsion and rolling are not drawn".to_owned()),
        (false, true) => Some("joints are not drawn".to_owned()),
        (true, true) => Some("torsion, rolling and joints are not drawn".to_owned()),
    }
}

/// A text in lines that have place.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let fits = |line: &String| line.chars().count() + 1 + word.chars().count() <= LETTERS;
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if fits(line) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests;

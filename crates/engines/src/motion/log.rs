//! What a log of steps says beyond each step by itself: names, steps that follow each other, and contacts that push from afar.

use std::collections::HashMap;

use etalon_lcp::Number;
use rug::Rational;

use super::finding::figures;
use super::laws::{Exam, FEW, size};
use super::step::{MotionContact, MotionStep, PushReach};
use super::{Breach, Breaches, MotionLaw, Rounding};
use crate::assembly::{Assembly, ContactRows, mass_rows};
use crate::exact::{fractions, power, sum};
use crate::settings::StepJudge;
use crate::step::{Bodies, Contact, ContactModel, EngineStep, Form, When};

/// The steps of a log, one after the other.
#[derive(Debug, Default)]
pub struct StepLog {
    /// The line of each name.
    names: HashMap<String, u64>,
    /// The step of the line before: its name, and its velocities in the end.
    before: Option<(String, Vec<Number>)>,
}

impl StepLog {
    /// What is wrong with the step of a line beside the steps before it, and with the gaps of its contacts. `k` is its number
    /// in the log.
    pub fn check(
        &mut self,
        (line, k): (u64, u64),
        step: &EngineStep,
        judge: &StepJudge,
    ) -> Vec<Breach> {
        let mut found = Breaches::of(k);
        if let Some(earlier) = self.names.insert(step.name.clone(), line) {
            let words = format!("the step of line {earlier} has this name, too; names are unique");
            let amount = Rational::from(1);
            let at = (MotionLaw::Data, "name".to_owned());
            found.report(at, amount, ("1", Rational::new()), words);
        }
        let [start, end] = velocities(&step.form);
        if let Some(name) = &step.follows {
            self.follows(name, step, &start, &mut found);
        }
        self.before = Some((step.name.clone(), end));
        let mut found = found.into_list();
        if let Form::Bodies(bodies) = &step.form {
            found.extend(pushes_from_afar(k, step, bodies, judge));
        }
        found
    }

    /// The step begins with the velocities that the one before ended with.
    fn follows(&self, name: &str, step: &EngineStep, start: &[Number], found: &mut Breaches) {
        let place = || "follows".to_owned();
        let none = Rational::new();
        let one = Rational::from(1);
        let Some((_, end)) = self.before.as_ref().filter(|(own, _)| own == name) else {
            let words = format!("it follows {name:?}, which is not the step of the line before");
            found.report((MotionLaw::Data, place()), one, ("1", none), words);
            return;
        };
        if start.len() != end.len() {
            let (own, other) = (start.len(), end.len());
            let words = format!("it begins with {own} velocities, and {name:?} ended with {other}");
            found.report((MotionLaw::Data, place()), one, ("1", none), words);
            return;
        }
        let rounding = rounding(step, &none);
        for (j, (own, other)) in start.iter().zip(end).enumerate() {
            let [own, other] = [own, other].map(Number::to_rational);
            let off = Rational::from(&own - &other);
            let tolerance = rounding.allows(FEW, &(size(&own) + size(&other)), &none);
            if size(&off) > tolerance {
                let [own, other] = figures(&own, &other);
                let words = format!(
                    "it begins with {own} as velocity {j}, and {name:?} ended with {other}"
                );
                let at = (MotionLaw::State, format!("velocity {j}"));
                found.report(at, off, ("m/s or rad/s", tolerance), words);
            }
        }
    }
}

/// The rounding of a step's numbers, with the error that its solver is declared to have.
fn rounding(step: &EngineStep, tolerance: &Rational) -> Rounding {
    let declared = step.declared_error.as_ref();
    let declared = declared.map(Number::to_rational).unwrap_or_default();
    Rounding {
        relative: power(step.precision.unit_exponent()),
        absolute: Rational::new(),
        declared: declared + tolerance,
    }
}

/// All velocities before and after; none where a generalised step has none.
fn velocities(form: &Form) -> [Vec<Number>; 2] {
    match form {
        Form::Bodies(own) => {
            let all = |v: fn(&crate::step::Body) -> &Vec<Number>| {
                own.bodies.iter().flat_map(|body| v(body).clone()).collect()
            };
            [all(|body| &body.v0), all(|body| &body.v1)]
        }
        Form::Generalised(own) => [&own.v0, &own.v1].map(|own| own.clone().unwrap_or_default()),
    }
}

/// Contacts that push over a gap that is open and does not close in the step. Asked where the gap is that of the start, and the
/// model is one in which nothing pushes over a gap.
fn pushes_from_afar(k: u64, step: &EngineStep, bodies: &Bodies, judge: &StepJudge) -> Vec<Breach> {
    let is_soft = matches!(
        step.model,
        Some(ContactModel::SoftConvex | ContactModel::PositionBased)
    );
    let is_asked = |own: &Contact| own.gap.is_some() && own.impulse.is_some();
    if is_soft || step.when != Some(When::Start) || !bodies.contacts.iter().any(is_asked) {
        return Vec::new();
    }
    let Some(assembly) = Assembly::of(step, judge.law_of(step)) else {
        return Vec::new();
    };
    let width = bodies.velocities();
    let mass = bodies.bodies.iter().enumerate().flat_map(|(b, body)| {
        let rows = mass_rows(body, bodies.dimension).into_iter();
        rows.map(move |row| {
            row.into_iter()
                .map(|(j, own)| (b * width + j, own))
                .collect()
        })
    });
    let h = step.h.to_rational();
    let force = bodies.bodies.iter().flat_map(|body| fractions(&body.force));
    let contacts = bodies.contacts.iter().zip(&assembly.contacts).enumerate();
    let own = MotionStep {
        k,
        impulse: force.map(|own| own * &h).collect(),
        h,
        mass: mass.collect(),
        v: velocities(&step.form).map(|own| fractions(&own)),
        contacts: contacts
            .map(|(c, (own, rows))| contact_of(c, (own, rows), bodies))
            .collect(),
        ..MotionStep::default()
    };
    let rounding = rounding(step, &judge.tolerance(step.precision));
    let mut exam = Exam::new(&own, &rounding);
    exam.pushes();
    exam.found.into_list()
}

fn contact_of(c: usize, (own, rows): (&Contact, &ContactRows), bodies: &Bodies) -> MotionContact {
    let mut all = rows.rows.iter().cloned();
    let mut impulses = rows.impulse.clone().unwrap_or_default().into_iter();
    let reach = own.gap.as_ref().map(|gap| {
        // A gap is a difference of places along the normal.
        let centres = own.bodies.iter().flatten();
        let centres = centres.flat_map(|body| &bodies.bodies[*body].com);
        let gap = gap.to_rational();
        let places = centres.chain(&own.point).map(|own| own.to_rational().abs());
        let size = sum(places) + size(&gap);
        PushReach { gap, size }
    });
    MotionContact {
        name: c.to_string(),
        normal: all.next().unwrap_or_default(),
        tangents: all.collect(),
        pressed: impulses.next().unwrap_or_default(),
        rubbed: impulses.collect(),
        reach,
        ..MotionContact::default()
    }
}

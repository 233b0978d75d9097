//! A binary64 answer beside the exact one.

use etalon_certify::evaluate;
use etalon_contact_forces::{ContactForce, DriveForce, ForceError, Forces, StaticLaw};
use etalon_evidence::measure::figures::{four_digits, four_digits_up};
use etalon_exact::Budget;
use etalon_judge::{Judge, Judgement};
use etalon_lcp::record::{write_problem, write_verdict};
use etalon_lcp::{Claim, ClaimedAnswer, Measures, Number, Problem, Solver, Verdict, round_up_f64};
use etalon_rigid::Scalar;
use etalon_scenarios::{Rounded, RoundedAnswer, ScenarioAnswer};
use rug::Rational;
use serde_json::{Value, json};

use super::input::SceneInput;
use super::law::{conditions, in_place};
use super::show::{floats, motion_word, number, vector};
use crate::colours;
use crate::console;

/// Two answers to one scene, and the verdict on the rounded one.
pub struct Beside {
    rounded: Rounded,
    claim: Claim,
    answer: RoundedAnswer,
    /// On the claim, by the problem that the solver was given.
    pub verdict: Verdict,
    accepted: bool,
    /// The measures of the same answer in the exact problem of the scene.
    in_exact_problem: Option<Measures>,
    exact: ScenarioAnswer,
    /// The statement of the problem about static friction.
    law: StaticLaw,
    /// Of an impact by Poisson's law: the second problem with the verdict on its answer.
    decompression: Option<(Problem, Judgement)>,
}

impl Beside {
    /// Asks a solver the rounded problem, and the exact solver the exact one: those of the input's
    /// complementary setup, a pyramid where static friction in space is asked for in the circular cone.
    pub fn ask(
        input: &SceneInput,
        solver: &dyn Solver,
        exact: &dyn Solver,
        budget: &Budget,
    ) -> Result<Self, ForceError> {
        let setup = input.setup.complementary();
        let rounded = setup.rounded(input.problem.name())?;
        let claim = solver.solve(&rounded.problem);
        let judge = Judge {
            prove: true,
            budget: budget.clone(),
            ..Judge::default()
        };
        let judgement = judge.verdict(&rounded.problem, &claim);
        let (decompression, answer) = both(&rounded, &claim, solver, &judge)?;
        let in_exact_problem = match &claim.answer {
            ClaimedAnswer::Solved { z } => {
                let z: Vec<_> = z.iter().map(Number::to_rational).collect();
                let evaluation = evaluate(&input.problem, &z, &judge.tolerance).ok();
                evaluation.map(|evaluation| evaluation.measures)
            }
            _ => None,
        };
        Ok(Self {
            answer,
            rounded,
            claim,
            accepted: judgement.accepted
                && decompression.as_ref().is_none_or(|(_, own)| own.accepted),
            decompression,
            verdict: judgement.verdict,
            in_exact_problem,
            exact: setup.answer(exact, budget)?,
            law: setup
                .formulation()?
                .map_or(StaticLaw::Coulomb, |formulation| formulation.law()),
        })
    }

    /// Whether the solver is right.
    pub fn holds(&self) -> bool {
        self.accepted
    }

    /// For people.
    pub fn prose(&self, solver: &str) -> String {
        let mut parts: Vec<String> = in_place(self.law).into_iter().collect();
        parts.push(self.verdict_sentence(solver));
        parts.extend(self.decompression_sentence());
        match (&self.answer, self.nearest_exact()) {
            (RoundedAnswer::Forces(forces), exact) => {
                parts.push(table(forces, exact));
                if let Some(exact) = exact {
                    parts.push(difference_sentence(forces, exact));
                }
            }
            (
                RoundedAnswer::Impulses {
                    impulses, after, ..
                },
                _,
            ) => {
                parts.push(self.impulse_table(impulses, after));
            }
            _ => {}
        }
        parts.extend(self.exact_sentence());
        parts.join("\n\n")
    }

    fn verdict_sentence(&self, solver: &str) -> String {
        let word = colours::verdict(self.verdict.kind);
        let said = match &self.claim.answer {
            ClaimedAnswer::Solved { .. } => "solved",
            ClaimedAnswer::Unsolvable => "unsolvable",
            ClaimedAnswer::Failed => "failed",
        };
        let mut sentence = format!("{solver}, in binary64, says {said}. Verdict: {word}");
        if let Some(measures) = &self.verdict.measures {
            let error = four_digits_up(round_up_f64(&measures.error));
            sentence.push_str(&format!(", error {error}"));
        }
        if let Some(measures) = &self.in_exact_problem {
            let error = four_digits_up(round_up_f64(&measures.error));
            sentence.push_str(&format!(" ({error} in the exact problem, before rounding)"));
        }
        if let Some(reason) = &self.verdict.reason {
            sentence.push_str(&format!(": {}", reason));
        }
        sentence + "."
    }

    /// The verdict above is that of the compression.
    fn decompression_sentence(&self) -> Option<String> {
        let (_, judgement) = self.decompression.as_ref()?;
        let verdict = &judgement.verdict;
        let mut sentence = format!(
            "That is of the compression. The decompression, whose problem depends on that answer: {}",
            colours::verdict(verdict.kind)
        );
        if let Some(measures) = &verdict.measures {
            let error = four_digits_up(round_up_f64(&measures.error));
            sentence.push_str(&format!(", error {error}"));
        }
        if let Some(reason) = &verdict.reason {
            sentence.push_str(&format!(": {reason}"));
        }
        Some(sentence + ".")
    }

    /// The exact forces nearest in acceleration.
    fn nearest_exact(&self) -> Option<&Forces<Rational>> {
        let RoundedAnswer::Forces(own) = &self.answer else {
            return None;
        };
        match &self.exact {
            ScenarioAnswer::Forces { forces, .. } => Some(forces),
            ScenarioAnswer::Several(found) => found
                .solutions
                .iter()
                .min_by(|a, b| difference(own, a).total_cmp(&difference(own, b))),
            _ => None,
        }
    }

    fn exact_sentence(&self) -> Option<String> {
        let laws = conditions(self.law);
        let sentence = match &self.exact {
            ScenarioAnswer::Several(found) if found.motions > 1 => format!(
                "Exactly, several answers with different motions satisfy {laws}; the nearest one stands beside. --solver exact shows all of them."
            ),
            ScenarioAnswer::Several(_) => format!(
                "Exactly, several answers satisfy {laws}, all of them the same motion; the nearest one stands beside."
            ),
            ScenarioAnswer::Inconsistent(_) => format!(
                "Exactly, there is no solution: no contact forces at all satisfy {laws}. --solver exact shows the proof, and the impulse that helps."
            ),
            ScenarioAnswer::NoImpulses(_) => {
                "Exactly, there is no answer: no impulses at all satisfy the laws of the impact. --solver exact shows the proof.".to_owned()
            }
            ScenarioAnswer::Failed(_) => {
                "There is no exact answer to compare with: the budget ran out.".to_owned()
            }
            _ => return None,
        };
        Some(sentence)
    }

    fn impulse_table(&self, impulses: &[f64], after: &[f64]) -> String {
        let exact = match &self.exact {
            ScenarioAnswer::Impulses(impact) => Some(impact),
            _ => None,
        };
        let beside = |values: fn(&etalon_scenarios::Impact) -> &Vec<Rational>, i: usize| {
            exact.map_or_else(String::new, |exact| number(&values(exact)[i]))
        };
        let rows = impulses.iter().zip(after).enumerate().map(|(i, (p, v))| {
            vec![
                i.to_string(),
                four_digits(*p),
                beside(|exact| &exact.impulses, i),
                four_digits(*v),
                beside(|exact| &exact.after, i),
            ]
        });
        let header = [
            "contact",
            "p_N, N s",
            "p_N exact",
            "v_N after, m/s",
            "v_N exact",
        ];
        console::table(&header, 1..5, rows)
    }

    /// For programs.
    pub fn json(&self, input: &SceneInput, solver: &str, exact: Value) -> String {
        let record: Value =
            serde_json::from_str(&write_problem(&self.rounded.problem)).unwrap_or_default();
        let verdict: Value =
            serde_json::from_str(&write_verdict(&self.verdict)).unwrap_or_default();
        let mut fields = input.fields.clone();
        fields.extend(input.law_field(self.law));
        fields.insert("solver".to_owned(), solver.into());
        fields.insert("problem".to_owned(), record);
        fields.insert("answer".to_owned(), self.answer_json());
        fields.insert("verdict".to_owned(), verdict);
        let measures = self.in_exact_problem.as_ref();
        let error = measures.map(|measures| round_up_f64(&measures.error));
        fields.insert("error_in_exact_problem".to_owned(), json!(error));
        let error = measures.map(|measures| round_up_f64(&measures.backward_error));
        fields.insert("backward_error_in_exact_problem".to_owned(), json!(error));
        let difference = match (&self.answer, self.nearest_exact()) {
            (RoundedAnswer::Forces(own), Some(exact)) => Some(difference(own, exact)),
            _ => None,
        };
        fields.insert("acceleration_difference".to_owned(), json!(difference));
        fields.insert("exact".to_owned(), exact);
        if let Some((problem, judgement)) = &self.decompression {
            let parsed = |text: String| serde_json::from_str(&text).unwrap_or(Value::Null);
            fields.insert(
                "decompression".to_owned(),
                json!({"problem": parsed(write_problem(problem)), "verdict": parsed(write_verdict(&judgement.verdict))}),
            );
        }
        Value::Object(fields).to_string()
    }

    /// The exact answer.
    pub fn exact(&self) -> &ScenarioAnswer {
        &self.exact
    }

    fn answer_json(&self) -> Value {
        match (&self.answer, &self.claim.answer) {
            (RoundedAnswer::Forces(forces), _) => {
                json!({"status": "solved", "forces": forces_json(forces)})
            }
            (
                RoundedAnswer::Impulses {
                    impulses,
                    after,
                    compression,
                },
                _,
            ) => {
                let mut value = json!({"status": "solved", "impulses": impulses, "normal_velocities": {"after": after}});
                if let Some(own) = compression {
                    value["compression"] = json!(own);
                }
                value
            }
            (_, ClaimedAnswer::Unsolvable) => json!({"status": "unsolvable"}),
            _ => json!({"status": "failed", "message": self.claim.message}),
        }
    }
}

/// Asks the problem of a decompression, too, where there is one, and reads the answer as a whole. A claim of another length has its
/// verdict already.
fn both(
    rounded: &Rounded,
    claim: &Claim,
    solver: &dyn Solver,
    judge: &Judge,
) -> Result<(Option<(Problem, Judgement)>, RoundedAnswer), ForceError> {
    let Some(problem) = rounded.decompression(claim).unwrap_or_default() else {
        let answer = rounded.read(claim).unwrap_or(RoundedAnswer::None);
        return Ok((None, answer));
    };
    let last = solver.solve(&problem);
    let judgement = judge.verdict(&problem, &last);
    let answer = rounded
        .read_both(claim, &last)
        .unwrap_or(RoundedAnswer::None);
    Ok((Some((problem, judgement)), answer))
}

/// Forces in binary64, with the fields of the exact ones.
pub fn forces_json(forces: &Forces<f64>) -> Value {
    let contacts = forces.contacts.iter().map(|contact| {
        json!({
            "contact": contact.name,
            "motion": motion_word(&contact.motion),
            "normal": contact.normal,
            "friction": contact.friction,
            "normal_acceleration": contact.normal_acceleration,
            "tangential_acceleration": contact.tangential_acceleration,
        })
    });
    let mut value = json!({
        "contacts": contacts.collect::<Vec<_>>(),
        "joints": forces.joints,
        "acceleration": forces.acceleration,
    });
    if !forces.drives.is_empty() {
        let drives = forces.drives.iter().map(|own| {
            json!({
                "drive": own.name,
                "force": own.force,
                "acceleration": own.acceleration,
                "bound": own.bound,
            })
        });
        value["drives"] = drives.collect();
    }
    value
}

/// The largest difference of a generalised acceleration.
fn difference(own: &Forces<f64>, exact: &Forces<Rational>) -> f64 {
    let pairs = own.acceleration.iter().zip(&exact.acceleration);
    pairs
        .map(|(own, exact)| (own - Scalar::to_f64(exact)).abs())
        .fold(0.0, f64::max)
}

fn difference_sentence(own: &Forces<f64>, exact: &Forces<Rational>) -> String {
    format!(
        "The accelerations of the bodies differ from the exact ones by {} m/s^2 (rad/s^2) at most.",
        four_digits(difference(own, exact))
    )
}

/// Forces and normal accelerations, each with the exact one beside it.
pub fn table(own: &Forces<f64>, exact: Option<&Forces<Rational>>) -> String {
    let row = |(i, own): (usize, &ContactForce<f64>)| {
        let exact = exact.and_then(|exact| exact.contacts.get(i));
        let beside =
            |text: fn(&ContactForce<Rational>) -> String| exact.map_or_else(String::new, text);
        vec![
            own.name.clone(),
            motion_word(&own.motion).to_owned(),
            four_digits(own.normal),
            beside(|exact| number(&exact.normal)),
            floats(&own.friction),
            beside(|exact| vector(&exact.friction)),
            four_digits(own.normal_acceleration),
            beside(|exact| number(&exact.normal_acceleration)),
        ]
    };
    let header = [
        "contact",
        "motion",
        "f_N, N",
        "f_N exact",
        "f_F, N",
        "f_F exact",
        "a_N, m/s^2",
        "a_N exact",
    ];
    let contacts = console::table(&header, 2..8, own.contacts.iter().enumerate().map(row));
    let drives = drives_table(own, exact);
    match own.contacts.is_empty() && !own.drives.is_empty() {
        true => drives.trim_start().to_owned(),
        false => contacts + &drives,
    }
}

/// Drives that hold their speeds, below a table.
fn drives_table(own: &Forces<f64>, exact: Option<&Forces<Rational>>) -> String {
    if own.drives.is_empty() {
        return String::new();
    }
    let row = |(i, own): (usize, &DriveForce<f64>)| {
        let exact = exact.and_then(|exact| exact.drives.get(i));
        let beside = |text: fn(&DriveForce<Rational>) -> &Rational| {
            exact.map_or_else(String::new, |exact| number(text(exact)))
        };
        vec![
            own.name.clone(),
            four_digits(own.force),
            beside(|exact| &exact.force),
            four_digits(own.acceleration),
            beside(|exact| &exact.acceleration),
        ]
    };
    let header = [
        "drive at its speed",
        "f, N or N m",
        "f exact",
        "a, m/s^2 or rad/s^2",
        "a exact",
    ];
    let table = console::table(&header, 1..5, own.drives.iter().enumerate().map(row));
    format!("\n\n{table}")
}

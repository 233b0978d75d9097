//! The energy that bounces by Newton's law gained, by step and contact.

use etalon_evidence::measure::figures::four_digits;
use etalon_lcp::Number;
use etalon_spatial::BounceGain;
use serde_json::{Value, json};

/// What is said of the cause.
const WHY: &str = "(such a bounce has e times the speed before the step, whatever weight and friction do meanwhile; \
     --impact poisson has the law of impulses)";

/// So many steps are named for people; the others are counted.
const NAMED: usize = 8;

/// Steps with such a gain, of one trajectory or of several.
#[derive(Debug, Clone, Default)]
pub struct BounceGains {
    /// The file, empty where there is one trajectory alone, the step, and the gain.
    steps: Vec<(String, u64, BounceGain)>,
}

impl BounceGains {
    /// Takes in a step of a file.
    pub fn add(&mut self, file: &str, k: u64, gain: BounceGain) {
        self.steps.push((file.to_owned(), k, gain));
    }

    /// For people, a line a step; `None` where nothing was gained.
    pub fn to_text(&self) -> Option<String> {
        let line = |(file, k, gain): &(String, u64, BounceGain)| {
            let place = if file.is_empty() {
                String::new()
            } else {
                format!("{file}: ")
            };
            format!(
                "{place}step {k}: bounces by Newton's law gained {} J, at {}",
                four_digits(joules(gain)),
                gain.contacts.join(" and ")
            )
        };
        let mut lines: Vec<String> = self.steps.iter().take(NAMED).map(line).collect();
        let more = self.steps.len().saturating_sub(NAMED);
        if more > 0 {
            let rest: f64 = self.steps[NAMED..].iter().map(|own| joules(&own.2)).sum();
            lines.push(format!(
                "{more} more steps: bounces by Newton's law gained {} J",
                four_digits(rest)
            ));
        }
        if lines.is_empty() {
            return None;
        }
        lines.push(WHY.to_owned());
        Some(lines.join("\n"))
    }

    /// For programs; `None` where nothing was gained.
    pub fn to_json(&self) -> Option<Value> {
        let one = |(file, k, gain): &(String, u64, BounceGain)| json!({"file": file, "k": k, "contacts": gain.contacts, "gain": joules(gain)});
        (!self.steps.is_empty()).then(|| self.steps.iter().map(one).collect())
    }
}

fn joules(gain: &BounceGain) -> f64 {
    Number::from(gain.energy.clone()).to_f64()
}

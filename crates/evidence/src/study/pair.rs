//! Two balls: the first test of balls.

use etalon_scenarios::motion::Arithmetics;

use super::balls::{SIZE, gain};
use super::run::{Series, run};
use super::{Page, StudyError};

/// Speeds of the throw, m/s: the ball lands first, or meets the other one in the air.
const SPEEDS: [&str; 2] = ["1.5", "2.2"];

const STEPS: [&str; 3] = ["0.01", "0.005", "0.0025"];

/// The contacts in the scene.
const LANDING: usize = 0;
const MEETING: usize = 2;

pub fn page() -> Result<Page, StudyError> {
    let mut rows = Vec::new();
    for speed in SPEEDS {
        for h in STEPS {
            let settings = [("speed", speed), ("h", h)];
            let series = run("two-balls", &settings, Arithmetics::Binary64)?;
            rows.push(row(speed, h, &series)?);
        }
    }
    Ok(Page::new("Two balls")
        .text(
            "Stewart and Trinkle (1996), section 4: a ball is thrown to collide with another one, or to land on the table, \
             roll and then collide. Made by `etalon study two-balls`, in binary64, with friction cones of 8 directions. The \
             paper gives no numbers of this test. Balls, table and height are those of the four balls, and the throw is along x.",
        )
        .table(
            "The throw by its speed",
            &[
                "speed (m/s)",
                "h (s)",
                "table reached (s)",
                "other ball met (s)",
                "speed at the end: thrown (m/s)",
                "the other (m/s)",
                "slip at the end: thrown (m/s)",
                "the other (m/s)",
                "largest gain of energy (J)",
            ],
            rows,
        )
        .text(
            "Times are those of the ends of steps. In closed form a ball that falls 0.9 m lands at 0.4284 s, and one of 2.2 m/s \
             meets the other before, at 0.3922 s. Slip is v - 0.1 omega along x where a ball touches the table. A gain that \
             is not positive is a loss.",
        ))
}

fn row(speed: &str, h: &str, series: &Series) -> Result<Vec<String>, StudyError> {
    let at = |contact: usize| {
        let step = series.first_press(contact)?;
        let time = series.steps.get(step).map(|step| step.t);
        Ok::<_, StudyError>(time.map_or(String::new(), |t| format!("{t:.4}")))
    };
    let v = &series.end().v;
    let number = |value: f64| {
        // What rounding leaves is 0.
        let value = if value.abs() < 1e-9 { 0.0 } else { value };
        format!("{value:.4}")
    };
    let slip = |ball: usize| number(v[SIZE * ball] - 0.1 * v[SIZE * ball + 4]);
    Ok(vec![
        speed.to_owned(),
        h.to_owned(),
        at(LANDING)?,
        at(MEETING)?,
        number(v[0]),
        number(v[SIZE]),
        slip(0),
        slip(1),
        gain(series),
    ])
}

//! A run of a scene, as series of binary64 numbers.

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Contact, Energy, Line, Quantity, to_f64s};
use etalon_lcp::Solver;
use etalon_scenarios::find;
use etalon_scenarios::motion::Arithmetics;
use etalon_time_stepping::FirstOf;

use super::StudyError;

/// A run from its start.
pub struct Series {
    /// The scene.
    pub scenario: String,
    /// The state before the first step.
    pub start: State,
    /// Each step.
    pub steps: Vec<Point>,
}

/// Position, velocity and energy.
pub struct State {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// J.
    pub energy: f64,
}

/// A step.
pub struct Point {
    /// Its end, s.
    pub t: f64,
    /// The state there.
    pub state: State,
    /// The contacts that take part.
    pub contacts: Vec<Touch>,
    /// Unknowns of its problem.
    pub n: u64,
    /// Pivots of its problem, where they are counted.
    pub pivots: Option<u64>,
    /// How often its evaluation point was iterated.
    pub iterations: u64,
}

/// A contact of a step.
pub struct Touch {
    /// Its name, `body/body`; impulses are on the first.
    pub pair: String,
    /// m; of bodies in space that before the step.
    pub gap: f64,
    /// Normal impulse, N s.
    pub normal: f64,
    /// Impulses along the tangents, N s.
    pub friction: Vec<f64>,
}

/// Runs a scene in the arithmetic, exactly with lexicographic Lemke.
pub fn run(
    name: &str,
    settings: &[(&str, &str)],
    arithmetics: Arithmetics,
) -> Result<Series, StudyError> {
    let instance = find(name)?.motion_instance(settings.iter().copied())?;
    let lemke = ExactMethod::Lemke.solver(&Budget::default());
    let solver: Box<dyn Solver> = match arithmetics {
        Arithmetics::Exact => lemke,
        Arithmetics::Binary64 => {
            let fast = etalon_fast::FastMethod::Auto.solver();
            Box::new(FirstOf::new("fast", vec![fast, lemke]))
        }
    };
    let mut run = instance.trajectory(arithmetics, &*solver, None)?;
    let start = run.header().start;
    let start = state(&start.q, &start.v, &start.energy.unwrap_or_default());
    let mut steps = Vec::with_capacity(usize::try_from(run.steps()).unwrap_or(0));
    while run.k() < run.steps() {
        steps.push(point(&run.advance()?));
    }
    Ok(Series {
        scenario: name.to_owned(),
        start,
        steps,
    })
}

fn point(line: &Line) -> Point {
    Point {
        t: line.t.to_f64(),
        state: state(&line.q, &line.v, &line.energy),
        contacts: line.contacts.iter().map(touch).collect(),
        n: line.lcp.n,
        pivots: line.lcp.pivots,
        iterations: line.iterations.unwrap_or(1),
    }
}

fn touch(contact: &Contact) -> Touch {
    Touch {
        pair: contact.pair.clone(),
        gap: contact.gap.to_f64(),
        normal: contact.normal.to_f64(),
        friction: to_f64s(&contact.friction),
    }
}

fn state(q: &[Quantity], v: &[Quantity], energy: &Energy) -> State {
    State {
        q: to_f64s(q),
        v: to_f64s(v),
        energy: energy.kinetic.to_f64() + energy.potential.to_f64(),
    }
}

impl Series {
    /// (t, value) at the start and after each step.
    pub fn over_time(&self, value: impl Fn(&State) -> f64) -> Vec<(f64, f64)> {
        let steps = self.steps.iter().map(|step| (step.t, value(&step.state)));
        [(0.0, value(&self.start))]
            .into_iter()
            .chain(steps)
            .collect()
    }

    /// The largest gain of energy in a step, J; negative where all steps lose.
    pub fn largest_gain(&self) -> f64 {
        let energies = self.over_time(|state| state.energy);
        let gains = energies.windows(2).map(|pair| pair[1].1 - pair[0].1);
        gains.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The step at which a contact first presses.
    pub fn first_press(&self, contact: usize) -> Result<usize, StudyError> {
        let presses = |step: &Point| step.contacts.get(contact).is_some_and(|c| c.normal > 0.0);
        self.steps
            .iter()
            .position(presses)
            .ok_or_else(|| self.missing("such contact"))
    }

    /// The state at the end.
    pub fn end(&self) -> &State {
        self.steps.last().map_or(&self.start, |step| &step.state)
    }

    pub fn missing(&self, what: &'static str) -> StudyError {
        let scenario = self.scenario.clone();
        StudyError::Missing { scenario, what }
    }
}

/// Velocity error (integral of the largest difference) and position error (its supremum at common
/// times) of a coarse run against a fine one, whose steps are a whole fraction.
pub fn errors(coarse: &Series, fine: &Series) -> (f64, f64) {
    errors_of(coarse, fine, |_| true)
}

/// The same of the coordinates that count.
pub fn errors_of(coarse: &Series, fine: &Series, counts: impl Fn(usize) -> bool) -> (f64, f64) {
    let ratio = (fine.steps.len() / coarse.steps.len().max(1)).max(1);
    let h = fine.steps.first().map_or(0.0, |step| step.t);
    let largest = |a: &[f64], b: &[f64]| {
        let pairs = a.iter().zip(b).enumerate().filter(|(i, _)| counts(*i));
        let differences = pairs.map(|(_, (a, b))| (a - b).abs());
        differences.fold(0.0, f64::max)
    };
    let pairs = fine.steps.iter().enumerate();
    let pairs = pairs.filter_map(|(k, step)| Some((step, coarse.steps.get(k / ratio)?)));
    let velocity = pairs.map(|(fine, coarse)| h * largest(&fine.state.v, &coarse.state.v));
    let common = coarse.steps.iter().enumerate();
    let common = common.filter_map(|(k, step)| Some((step, fine.steps.get((k + 1) * ratio - 1)?)));
    let position = common.map(|(coarse, fine)| largest(&coarse.state.q, &fine.state.q));
    (velocity.sum(), position.fold(0.0, f64::max))
}

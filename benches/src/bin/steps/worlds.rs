//! Worlds of the planar engine.

use std::error::Error;
use std::time::Duration;

use cpu_time::ThreadTime;
use etalon_benches::table::ratio;
use etalon_planar::{Keep, Nobody, Watch, World, WorldSpec, named};

use super::contest::{ROUNDS, rate};

/// Worlds at 60 steps a second, by name.
pub fn worlds() -> Vec<(String, WorldSpec)> {
    let piles = [3, 10, 30].map(|n| (format!("`pile` of {n}"), named::pile(n)));
    let blocks = [1, 3, 6].map(|n| (format!("`blocks`, {n}"), named::blocks(n)));
    let at_sixty = |(label, mut scene): (String, WorldSpec)| {
        scene.settings.time_step = 1.0 / 60.0;
        (label, scene)
    };
    blocks.into_iter().chain(piles).map(at_sixty).collect()
}

/// A row of the table: at most ten seconds of a world, or what `limit` has room for.
pub fn measure(
    label: &str,
    spec: &WorldSpec,
    limit: Duration,
) -> Result<Vec<String>, Box<dyn Error>> {
    let first = run(spec, 600, Some(limit), false)?;
    let (mut alone, mut judged) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(run(spec, first.steps, None, false)?.seconds);
        judged.push(run(spec, first.steps, None, true)?.seconds);
    }
    let [alone, judged] = [alone, judged].map(|times| ratio(rate(first.steps, &times)));
    Ok(vec![
        label.to_owned(),
        first.contacts.to_string(),
        first.steps.to_string(),
        alone,
        judged,
    ])
}

struct Taken {
    seconds: f64,
    steps: u64,
    contacts: usize,
}

fn run(
    spec: &WorldSpec,
    most: u64,
    limit: Option<Duration>,
    judged: bool,
) -> Result<Taken, Box<dyn Error>> {
    let mut world = World::new(spec.clone())?;
    let mut watch = Watch::new(Keep::Wrong);
    let (mut steps, mut contacts) = (0, 0);
    let begun = ThreadTime::now();
    while steps < most && limit.is_none_or(|limit| begun.elapsed() < limit) {
        match judged {
            true => world.step_with(&mut watch)?,
            false => world.step_with(&mut Nobody)?,
        }
        steps += 1;
        // Counted in the first run alone, which no figure is from.
        if limit.is_some() {
            contacts = contacts.max(world.gaps().len());
        }
    }
    let wrong = watch.verdicts().wrong;
    if wrong > 0 {
        return Err(format!("{wrong} answers are wrong").into());
    }
    Ok(Taken {
        seconds: begun.elapsed().as_secs_f64(),
        steps,
        contacts,
    })
}

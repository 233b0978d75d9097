//! Running a world of the planar engine: its trajectory, its LCPs, its pictures.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use etalon_fast::FastMethod;
use etalon_golden::trajectory::{
    self, Contact, Energy, FORMAT, Header, Line, Quantity, Start, line_text,
};
use etalon_lcp::Number;
use etalon_lcp::record::{write_claim, write_problem};
use etalon_planar::{
    ContactForce, Keep, LcpEvent, LcpKind, Observer, Snapshot, Watch, World, claim, problem,
};
use etalon_scenarios::{ScenarioPart, WorldInstance, write_world};
use sha2::{Digest, Sha256};

use super::run::Run;
use super::solver::SolverChoice;
use super::story::{Story, judged};
use super::usage;
use crate::console::Console;
use crate::{Ending, Fatal, Result};
use etalon_evidence::picture::{Energies, Strobe};

/// Sees the LCPs of a run: the last one for the trajectory, all of them for the files and the
/// judge.
struct Lcps {
    watch: Option<Watch>,
    problems: Option<BufWriter<File>>,
    claims: Option<BufWriter<File>>,
    count: u64,
    last: trajectory::Lcp,
    failed: Option<std::io::Error>,
}

impl Observer for Lcps {
    fn lcp(&mut self, event: &LcpEvent<'_>) {
        let kind = match event.kind {
            LcpKind::Forces => "forces",
            LcpKind::Impulses => "impulses",
        };
        if let (Some(problems), Some(claims)) = (&mut self.problems, &mut self.claims) {
            let name = format!("{kind}-{}", self.count);
            if let Ok(problem) = problem(event, name.clone()) {
                let written = writeln!(problems, "{}", write_problem(&problem))
                    .and_then(|()| writeln!(claims, "{}", write_claim(&claim(event, name))));
                self.failed = self.failed.take().or(written.err());
            }
        }
        self.count += 1;
        if event.kind == LcpKind::Forces {
            self.last = lcp(event);
        }
        if let Some(watch) = &mut self.watch {
            watch.lcp(event);
        }
    }
}

/// An LCP as a line of a trajectory shows it.
fn lcp(event: &LcpEvent<'_>) -> trajectory::Lcp {
    let basis: String = event
        .clamped
        .iter()
        .map(|&c| if c { '1' } else { '0' })
        .collect();
    trajectory::Lcp {
        n: event.b.len() as u64,
        pivots: Some(event.pivots),
        basis,
        sha256: digest(event.f),
        ..Default::default()
    }
}

/// SHA-256 of a vector written as reduced fractions with a space between any two.
fn digest(values: &[f64]) -> String {
    let exact = |v: &f64| {
        Number::from_f64(*v).map_or_else(|| v.to_string(), |n| n.to_rational().to_string())
    };
    let text: Vec<String> = values.iter().map(exact).collect();
    let digest = Sha256::digest(text.join(" ").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Run {
    /// Runs a world.
    pub(super) fn run_engine(&self, run: WorldInstance, console: &Console) -> Result<Ending> {
        self.check_engine_options()?;
        let world = World::new(run.scene);
        let mut world = world.map_err(|error| usage(format!("{}: {error}", run.name)))?;
        if self.scene {
            console.line(write_world(&world))?;
            return Ok(Ending::Accepted);
        }
        let steps = self.steps.unwrap_or(run.steps);
        let mut lcps = self.lcps(self.judge || self.tells(console))?;
        let mut out = self.out.as_deref().map(create).transpose()?;
        let tells = self.tells(console);
        let mut line = |text: String| match &mut out {
            Some(file) => writeln!(file, "{text}").map_err(Fatal::Output),
            None if tells => Ok(()),
            None => console.line(text),
        };
        let start = world.snapshot();
        let mut book = Book::open(&world);
        let header = header(&run.name, run.parameters, &world, &start, steps);
        line(line_text(&header))?;
        let mut told = tells.then(|| Story::new(header, ScenarioPart::World));
        let mut energies = Energies::new(&start);
        let mut strobe = Strobe::new(&world, steps);
        let bar = console.bar(usize::try_from(steps).ok());
        for k in 1..=steps {
            lcps.last = trajectory::Lcp {
                pivots: Some(0),
                sha256: digest(&[]),
                ..Default::default()
            };
            if let Err(error) = world.step_with(&mut lcps) {
                bar.finish_and_clear();
                self.verdicts(told, &lcps, console)?;
                console.error(error);
                self.pictures(&energies, &strobe)?;
                return Ok(Ending::NotAccepted);
            }
            let now = world.snapshot();
            energies.add(&now);
            strobe.add(k, &world);
            let taken = step(k, &world, &now, &lcps.last, &mut book);
            line(line_text(&taken))?;
            if let Some(story) = &mut told {
                story.add(&taken);
            }
            bar.inc(1);
            if console.is_closed() {
                break;
            }
        }
        bar.finish_and_clear();
        if let Some(file) = &mut out {
            file.flush().map_err(Fatal::Output)?;
        }
        self.pictures(&energies, &strobe)?;
        lcps.finish()?;
        self.verdicts(told, &lcps, console)
    }

    /// The verdicts, at the end of the story where it is told.
    fn verdicts(&self, told: Option<Story>, lcps: &Lcps, console: &Console) -> Result<Ending> {
        let Some(watch) = &lcps.watch else {
            return Ok(Ending::Accepted);
        };
        let verdicts = watch.verdicts();
        match told {
            Some(story) => console.line(story.told(&verdicts))?,
            None => console.note(judged(&verdicts)),
        }
        Ok(match verdicts.wrong {
            0 => Ending::Accepted,
            _ => Ending::NotAccepted,
        })
    }

    fn check_engine_options(&self) -> Result<()> {
        self.refuse_unheeded(ScenarioPart::World)?;
        match self.solver {
            SolverChoice::Fast(FastMethod::Auto) => Ok(()),
            _ if !self.names_solver() => Ok(()),
            _ => Err(usage(
                "a world of the engine runs in binary64 with its own solver (--solver fast)",
            )),
        }
    }

    fn lcps(&self, judge: bool) -> Result<Lcps> {
        let file = |kind: &str| {
            let with = |prefix: &PathBuf| {
                let mut name = prefix.clone().into_os_string();
                name.push(kind);
                create(Path::new(&name))
            };
            self.lcps.as_ref().map(with).transpose()
        };
        Ok(Lcps {
            watch: judge.then(|| Watch::new(Keep::Nothing)),
            problems: file(".problems.jsonl")?,
            claims: file(".claims.jsonl")?,
            count: 0,
            last: trajectory::Lcp::default(),
            failed: None,
        })
    }

    fn pictures(&self, energies: &Energies, strobe: &Strobe) -> Result<()> {
        if let Some(path) = &self.svg {
            std::fs::write(path, strobe.svg().map_err(usage)?).map_err(Fatal::Output)?;
        }
        if let Some(path) = &self.energy_svg {
            std::fs::write(path, energies.svg().map_err(usage)?).map_err(Fatal::Output)?;
        }
        Ok(())
    }
}

impl Lcps {
    fn finish(&mut self) -> Result<()> {
        let files = [&mut self.problems, &mut self.claims].into_iter().flatten();
        for file in files {
            let flushed = file.flush();
            self.failed = self.failed.take().or(flushed.err());
        }
        self.failed
            .take()
            .map_or(Ok(()), |error| Err(Fatal::Output(error)))
    }
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path);
    file.map(BufWriter::new)
        .map_err(|source| usage(format!("{}: cannot write: {source}", path.display())))
}

fn header(
    name: &str,
    parameters: BTreeMap<String, String>,
    world: &World,
    start: &Snapshot,
    steps: u64,
) -> Header {
    let (q, v) = coordinates(world, start);
    let names = moving(world).flat_map(|i| {
        let name = &start.bodies[i].name;
        ["x", "y", "angle"].map(|coordinate| format!("{name} {coordinate}"))
    });
    Header {
        format: FORMAT.to_owned(),
        scenario: name.to_owned(),
        parameters,
        h: Quantity::binary64(world.settings().time_step),
        steps: Some(steps),
        formulation: Some("contact-forces".to_owned()),
        arithmetic: Some("binary64".to_owned()),
        solver: Some("fast-auto".to_owned()),
        coordinates: names.collect(),
        start: Start {
            q,
            v,
            energy: Some(energy(start)),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn energy(now: &Snapshot) -> Energy {
    Energy {
        kinetic: Quantity::binary64(now.energy.kinetic),
        potential: Quantity::binary64(now.energy.potential),
        ..Default::default()
    }
}

/// The energies at the end of the last step, J.
struct Book {
    total: f64,
    lost_in_collisions: f64,
    work: f64,
}

impl Book {
    fn open(world: &World) -> Self {
        let energy = world.energy();
        Self {
            total: energy.total(),
            lost_in_collisions: energy.lost_in_collisions,
            work: world.work(),
        }
    }

    /// Writes where the energy of a step went. All of it is `dissipated`, whatever took or gave it, so that
    /// the energies of two lines differ by what stands between them.
    fn enter(&mut self, world: &World, line: &mut Line) {
        let now = Self::open(world);
        line.dissipated = Quantity::binary64(self.total - now.total);
        let collisions = Quantity::binary64(now.lost_in_collisions - self.lost_in_collisions);
        line.dissipation = Some([("collisions".to_owned(), collisions)].into());
        if world.has_pushes() {
            line.work = Some(Quantity::binary64(now.work - self.work));
        }
        *self = now;
    }
}

fn step(k: u64, world: &World, now: &Snapshot, lcp: &trajectory::Lcp, book: &mut Book) -> Line {
    let (q, v) = coordinates(world, now);
    let h = world.settings().time_step;
    let contacts = now.contacts.iter().map(|contact| Contact {
        pair: format!(
            "{}/{}",
            now.bodies[contact.first].name, now.bodies[contact.second].name
        ),
        gap: Quantity::binary64(contact.distance),
        normal: Quantity::binary64(contact.force * h),
        friction: tangential(contact, h),
        force: Some(Quantity::binary64(contact.force)),
        point: Some(contact.point.map(Quantity::binary64)),
        direction: Some(contact.normal.map(Quantity::binary64)),
        joint: Some(contact.joint),
        ..Default::default()
    });
    let mut line = Line {
        k,
        t: Quantity::binary64(now.time),
        q,
        v,
        contacts: contacts.collect(),
        lcp: lcp.clone(),
        energy: energy(now),
        collisions: Some(now.totals.collisions),
        jams: Some(now.totals.jams),
        ..Default::default()
    };
    book.enter(world, &mut line);
    line
}

/// The impulses along the tangents, as trajectories have them: of friction, one where there is any.
fn tangential(contact: &ContactForce, h: f64) -> Vec<Quantity> {
    let rubs = contact.friction != 0.0;
    let impulse = rubs.then(|| Quantity::binary64(contact.friction * h));
    impulse.into_iter().collect()
}

fn moving(world: &World) -> impl Iterator<Item = usize> {
    let fixed: Vec<bool> = world
        .outlines()
        .iter()
        .map(|outline| outline.fixed)
        .collect();
    (0..fixed.len()).filter(move |&i| !fixed[i])
}

fn coordinates(world: &World, now: &Snapshot) -> (Vec<Quantity>, Vec<Quantity>) {
    let bodies: Vec<_> = moving(world).map(|i| &now.bodies[i]).collect();
    let q = bodies
        .iter()
        .flat_map(|b| [b.position[0], b.position[1], b.angle]);
    let v = bodies
        .iter()
        .flat_map(|b| [b.velocity[0], b.velocity[1], b.angular_velocity]);
    (
        q.map(Quantity::binary64).collect(),
        v.map(Quantity::binary64).collect(),
    )
}

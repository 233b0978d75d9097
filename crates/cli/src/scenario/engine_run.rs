//! Running a world of the planar engine: its trajectory, its LCPs, its pictures.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use etalon_fast::FastMethod;
use etalon_golden::trajectory::line_text;
use etalon_lcp::record::{write_claim, write_problem};
use etalon_planar::{Keep, LcpEvent, LcpKind, Observer, Piece, Watch, claim, problem};
use etalon_scenarios::{ScenarioPart, WorldInstance, WorldRun, write_world};

use super::files::{lcp_files, write_pictures};
use super::piece_log::PieceScene;
use super::run::Run;
use super::solver::SolverChoice;
use super::step_log::StepLog;
use super::story::{Story, judged};
use super::usage;
use crate::console::Console;
use crate::{Ending, Fatal, Result};
use etalon_evidence::picture::{Energies, Strobe};

/// Sees the LCPs of a run, for the files and the judge.
struct Lcps {
    watch: Option<Watch>,
    problems: Option<BufWriter<File>>,
    claims: Option<BufWriter<File>>,
    log: Option<(StepLog, PieceScene)>,
    count: u64,
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
        if let Some(watch) = &mut self.watch {
            watch.lcp(event);
        }
    }

    fn wants_pieces(&self) -> bool {
        self.log.is_some()
    }

    fn piece(&mut self, piece: &Piece) {
        if let Some((log, scene)) = &mut self.log {
            self.failed = self.failed.take().or(log.add_piece(scene, piece).err());
        }
    }
}

impl Run {
    /// Runs a world.
    pub(super) fn run_engine(&self, run: WorldInstance, console: &Console) -> Result<Ending> {
        self.check_engine_options()?;
        let name = run.name.clone();
        let motion = WorldRun::new(run, self.steps);
        let mut motion = motion.map_err(|error| usage(format!("{name}: {error}")))?;
        if self.scene {
            console.line(write_world(motion.world()))?;
            return Ok(Ending::Accepted);
        }
        let steps = motion.steps();
        let mut lcps = self.lcps(self.judge || self.tells(console))?;
        if let Some(path) = &self.step_log {
            let scene = PieceScene::of(motion.world().settings());
            lcps.log = Some((StepLog::create(path, &name)?, scene));
        }
        let mut out = self.out.as_deref().map(create).transpose()?;
        let tells = self.tells(console);
        let mut line = |text: String| match &mut out {
            Some(file) => writeln!(file, "{text}").map_err(Fatal::Output),
            None if tells => Ok(()),
            None => console.line(text),
        };
        let header = motion.header();
        line(line_text(&header))?;
        let mut told = tells.then(|| Story::new(header, ScenarioPart::World));
        let mut energies = Energies::new(&motion.world().snapshot());
        let mut strobe = Strobe::new(motion.world(), steps);
        let bar = console.bar(usize::try_from(steps).ok());
        for k in 1..=steps {
            let taken = match motion.advance(&mut lcps) {
                Ok(taken) => taken,
                Err(error) => {
                    bar.finish_and_clear();
                    self.verdicts(told, &lcps, console)?;
                    console.error(error);
                    self.pictures(&energies, &strobe)?;
                    return Ok(Ending::NotAccepted);
                }
            };
            energies.add(&motion.world().snapshot());
            strobe.add(k, motion.world());
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
        let files = self.lcps.as_deref().map(lcp_files);
        let [problems, claims] = match &files {
            Some(files) => files.each_ref().map(Some),
            None => [None, None],
        };
        let file = |path: Option<&PathBuf>| path.map(|path| create(path)).transpose();
        Ok(Lcps {
            watch: judge.then(|| Watch::new(Keep::Nothing)),
            problems: file(problems)?,
            claims: file(claims)?,
            log: None,
            count: 0,
            failed: None,
        })
    }

    fn pictures(&self, energies: &Energies, strobe: &Strobe) -> Result<()> {
        // Both are drawn before one is written.
        let drawn = self.svg.as_ref().map(|_| strobe.svg()).transpose();
        let plotted = self.energy_svg.as_ref().map(|_| energies.svg()).transpose();
        let pictures = [
            (&self.svg, drawn.map_err(usage)?),
            (&self.energy_svg, plotted.map_err(usage)?),
        ];
        write_pictures(pictures)
    }
}

impl Lcps {
    fn finish(&mut self) -> Result<()> {
        let files = [&mut self.problems, &mut self.claims].into_iter().flatten();
        for file in files {
            let flushed = file.flush();
            self.failed = self.failed.take().or(flushed.err());
        }
        if let Some((log, _)) = self.log.take() {
            log.finish()?;
        }
        self.failed
            .take()
            .map_or(Ok(()), |error| Err(Fatal::Output(error)))
    }
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path);
    file.map(BufWriter::new).map_err(Fatal::unwritten(path))
}

//! The results of the exact watch for a frame.

use etalon_planar::{ContactForce, Keep, LcpEvent, LcpKind, Observer, Verdicts, Watch};

use super::kept::{Kept, Ruling, rule};
use super::least_norm::{least_forces, uniqueness};
use crate::protocol::{Judged, ShownLcp};
use crate::subjects::ChosenSubject;

/// Judges every LCP that the engine solves, and keeps the last of each kind for the page. A solver under test answers
/// in the engine's place: its answers to the last LCPs of a frame are judged.
#[derive(Debug)]
pub struct FrameWatch {
    watch: Watch,
    judged: Judged,
    /// The last LCPs of forces, one for each group of contacts, with the engine's verdicts.
    groups: Vec<(Kept, Ruling)>,
    impulses: Option<(Kept, Ruling)>,
    /// The same groups, judged: what contacts have until the next step.
    last: Vec<Group>,
    stepped: bool,
    chosen: ChosenSubject,
    /// Judges the solver under test.
    of_subject: Watch,
    engine_acts: bool,
}

/// The results for a frame.
#[derive(Debug, Default)]
pub struct Watched {
    pub forces: Option<ShownLcp>,
    pub impulses: Option<ShownLcp>,
    pub judged: Judged,
    pub verdicts: Verdicts,
    /// The verdict on the solver under test, where it answered.
    pub ruling: Option<Ruling>,
    /// The verdicts on it since it was chosen.
    pub of_subject: Verdicts,
    pub engine_acts: bool,
    /// The right forces of contacts, where those that act are wrong.
    pub right: Vec<[f64; 2]>,
}

impl FrameWatch {
    pub fn new(chosen: ChosenSubject) -> Self {
        Self {
            watch: Watch::new(Keep::Nothing),
            judged: Judged::default(),
            groups: Vec::new(),
            impulses: None,
            last: Vec::new(),
            stepped: false,
            chosen,
            of_subject: Watch::new(Keep::Nothing),
            engine_acts: false,
        }
    }

    /// Another solver from now on.
    pub fn choose(&mut self, chosen: ChosenSubject) {
        self.chosen = chosen;
        self.of_subject = Watch::new(Keep::Nothing);
    }

    pub fn chosen(&self) -> ChosenSubject {
        self.chosen
    }

    /// A step begins: what touched before says nothing any more.
    pub fn step_begins(&mut self) {
        self.groups.clear();
        self.engine_acts = false;
        self.stepped = true;
    }

    /// What was seen since the last call. Writes the least forces into `contacts`, where forces are not unique.
    pub fn take(&mut self, contacts: &mut [ContactForce]) -> Watched {
        let stepped = std::mem::take(&mut self.stepped);
        if stepped {
            let groups = std::mem::take(&mut self.groups);
            self.last = groups.into_iter().map(|kept| self.group(kept)).collect();
        }
        let groups = &self.last;
        groups.iter().for_each(|group| group.draw(contacts));
        let is_wrong = groups.iter().any(|group| !group.ruling.accepted);
        let right = |contact: &ContactForce| {
            let own = groups.iter().find_map(|group| group.right(contact));
            own.unwrap_or([contact.force, contact.friction])
        };
        let subject = groups.iter().any(|group| group.kept.given.is_some());
        let right = match subject && is_wrong {
            true => contacts.iter().map(right).collect(),
            false => Vec::new(),
        };
        // The worst group is shown; of several the last.
        let worst = groups.iter().max_by(|a, b| {
            let error = |group: &Group| group.ruling.error.unwrap_or(0.0);
            let wrong = |group: &Group| !group.ruling.accepted;
            (wrong(a).cmp(&wrong(b))).then(error(a).total_cmp(&error(b)))
        });
        let ruling = worst.filter(|_| subject).map(|worst| worst.ruling.clone());
        Watched {
            forces: worst.filter(|_| stepped).map(Group::shown),
            impulses: (self.impulses.take()).map(|(kept, ruling)| kept.shown(&ruling, None)),
            judged: std::mem::take(&mut self.judged),
            verdicts: self.watch.verdicts(),
            ruling,
            of_subject: self.of_subject.verdicts(),
            engine_acts: self.engine_acts,
            right,
        }
    }

    fn group(&mut self, (kept, engines): (Kept, Ruling)) -> Group {
        let ruling = match &kept.given {
            Some(given) => rule(
                &mut self.of_subject,
                &LcpEvent {
                    f: given,
                    ..kept.event()
                },
            ),
            None => engines,
        };
        let least = least_forces(&kept.event());
        Group {
            kept,
            ruling,
            least,
        }
    }
}

/// A group of contacts that touch in the last moment of a frame.
#[derive(Debug)]
struct Group {
    kept: Kept,
    ruling: Ruling,
    /// The forces of least norm, where there are such.
    least: Option<Vec<f64>>,
}

impl Group {
    /// The least forces in place of other right ones, which depend on the path of their solver.
    fn draw(&self, contacts: &mut [ContactForce]) {
        let Some(least) = self.least.as_ref().filter(|_| self.ruling.accepted) else {
            return;
        };
        for contact in contacts {
            if let Some(row) = self.kept.normal_row(contact) {
                contact.force = least[row];
            }
        }
    }

    /// The forces that are right at a contact of the group.
    fn right(&self, contact: &ContactForce) -> Option<[f64; 2]> {
        let f = self.least.as_ref().unwrap_or(&self.kept.f);
        let normal = self.kept.normal_row(contact)?;
        let friction = self.kept.friction_row(contact);
        Some([f[normal], friction.map_or(0.0, |row| f[row])])
    }

    fn shown(&self) -> ShownLcp {
        let proved = self.least.as_ref();
        let proved = proved.and_then(|least| uniqueness(&self.kept.event(), least));
        let mut kept = self.kept.clone();
        if let Some(least) = &self.least {
            kept.f.clone_from(least);
        }
        kept.shown(&self.ruling, proved)
    }
}

impl Observer for FrameWatch {
    fn lcp(&mut self, event: &LcpEvent<'_>) {
        let ruling = rule(&mut self.watch, event);
        self.judged.wrong += u64::from(!ruling.accepted);
        let worst = &mut self.judged.worst_error;
        *worst = worst.max(ruling.error.unwrap_or(0.0));
        let kept = Kept::of(event);
        match event.kind {
            LcpKind::Forces => {
                self.judged.forces += 1;
                let is_past = |(old, _): &(Kept, Ruling)| {
                    old.time != event.time || old.is_of_the_group(event.places)
                };
                self.groups.retain(|old| !is_past(old));
                self.groups.push((kept, ruling));
            }
            LcpKind::Impulses => {
                self.judged.impulses += 1;
                self.impulses = Some((kept, ruling));
            }
        }
    }

    fn instead(&mut self, event: &LcpEvent<'_>) -> Option<Vec<f64>> {
        let given = self.chosen.forces(event);
        self.engine_acts |= given.is_none();
        if let Some((kept, _)) = self.groups.last_mut() {
            kept.given.clone_from(&given);
        }
        given
    }
}

//! What is asked of a step at a time: all of it, or a phase of an impact by Poisson's law.
//!
//! Each phase has velocities before and after it, impulses, and a problem, and is held against the same laws: balance of momentum, the
//! cone, maximal dissipation, complementarity, joints. What the phases have of their own is
//!
//! * compression: no force and no drive acts, joints close nothing, 0 <= c1 perpendicular to n'v1 >= 0;
//! * decompression: 0 <= c2 - e c1 perpendicular to n'v' >= 0 of what took part in the compression.
//!
//! Taking part in the compression has what is closed, or closes by the velocity without contacts, and nothing else. A step has two phases if
//! and only if one of these contacts has restitution and approaches.

use etalon_judge::Judgement;
use etalon_lcp::VerdictKind;
use etalon_rigid::Vector;
use etalon_time_stepping::Term;
use rug::Rational;

use super::allowance::Allowance;
use super::{Examination, Twist};
use crate::contact::Contact;
use crate::settings::{ImpactLaw, SpaceMethod};
use crate::state::SpaceState;
use crate::step::{Compression, Posed, SpaceImpulse, SpaceStep};

/// Which part of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it: it has one problem.
    Whole,
    Compression,
    Decompression,
}

/// A part of a step as the laws see it.
#[derive(Clone, Copy)]
pub(super) struct Phase<'a> {
    pub part: Part,
    /// What took part. The oracle asks it for its contacts, limits and drives.
    pub posed: &'a Posed,
    /// The states at its ends: places are those of the step.
    pub from: &'a SpaceState,
    pub to: &'a SpaceState,
    /// (v, omega) at its end.
    pub velocity: &'a [Rational],
    pub impulses: &'a [SpaceImpulse],
    pub joint_impulses: &'a [Rational],
    pub stop_impulses: &'a [Rational],
    pub drive_impulses: &'a [Rational],
    judgement: Option<&'a Judgement>,
    /// Of a decompression.
    pub first: Option<&'a Compression>,
}

impl<'a> Phase<'a> {
    /// The step, or its decompression.
    pub fn last(step: &'a SpaceStep) -> Self {
        let first = step.compression.as_deref();
        Self {
            part: match first {
                Some(_) => Part::Decompression,
                None => Part::Whole,
            },
            posed: &step.posed,
            from: first.map_or(&step.before, |first| &first.state),
            to: &step.after,
            velocity: &step.velocity,
            impulses: &step.impulses,
            joint_impulses: &step.joint_impulses,
            stop_impulses: &step.stop_impulses,
            drive_impulses: &step.drive_impulses,
            judgement: step.judgement.as_ref(),
            first,
        }
    }

    /// The compression of a step.
    pub fn compression(step: &'a SpaceStep, own: &'a Compression) -> Self {
        Self {
            part: Part::Compression,
            posed: &own.posed,
            from: &step.before,
            to: &own.state,
            velocity: &own.velocity,
            impulses: &own.impulses,
            joint_impulses: &own.joint_impulses,
            stop_impulses: &own.stop_impulses,
            drive_impulses: &[],
            judgement: own.judgement.as_ref(),
            first: None,
        }
    }

    /// The contacts that took part.
    pub fn contacts(&self) -> &'a [Contact] {
        &self.posed.contacts
    }

    /// Whether the judge calls the answer to its problem exact.
    pub fn is_exact(&self) -> bool {
        let judged = self.judgement;
        judged.is_none_or(|own| own.verdict.kind == VerdictKind::Exact)
    }

    /// Whether a limit has no regard to its gap.
    pub fn is_struck(&self, stop: &crate::joint::StopRow) -> bool {
        let first = self.first;
        self.part == Part::Compression || first.is_some_and(|own| own.posed.stops.contains(stop))
    }
}

/// The law of the normal of a contact: 0 <= c - least, perpendicular to offset + n'v >= 0.
pub(super) struct NormalLaw {
    pub offset: Rational,
    pub least: Rational,
    /// What is broken where the rate is too small.
    pub term: Term,
}

impl<'a> Examination<'a> {
    /// Begins with a part of the step.
    pub(super) fn begin(&mut self, phase: Phase<'a>) {
        self.phase = phase;
        self.exact = self.noise.is_none() && phase.is_exact();
        let bodies = self.world.bodies.len();
        self.pushes = vec![[Vector::zero(), Vector::zero()]; bodies];
        self.sizes = vec![Default::default(); bodies];
        self.loose = vec![Default::default(); bodies];
        self.balances.clear();
        if let Some(own) = phase.judgement.filter(|own| !own.accepted) {
            let amount = own.verdict.kind.word().to_owned();
            self.report(Term::Verdict, None, amount);
        }
    }

    /// What is known before any law is asked.
    pub(super) fn prepare(&mut self) {
        self.spins = self.spins();
        self.allowances = self.allowances();
    }

    /// The laws of a compression.
    pub(super) fn compression(&mut self) {
        self.prepare();
        self.contacts();
        self.joints();
        self.momentum();
        self.losses();
    }

    /// The velocity of a body before this part of the step, in the step's inertia.
    pub(super) fn at_begin(&self, body: usize) -> Twist {
        self.twist_of(&self.phase.from.bodies[body], body)
    }

    /// The law of the normal of a contact, `rebound` being what the step has in the place of its gap.
    pub(super) fn law_of(
        &mut self,
        contact: &Contact,
        approach: &Rational,
        rebound: Option<&Rational>,
    ) -> NormalLaw {
        let e = &contact.restitution;
        let first = self.phase.first.and_then(|own| own.impulse(&contact.name));
        let by_rate = |offset: Rational, least: Rational| NormalLaw {
            offset,
            least,
            term: Term::Restitution,
        };
        if let Some(first) = first {
            return by_rate(Rational::new(), Rational::from(e * &first.normal));
        }
        let newton = self.settings.impact == ImpactLaw::Newton;
        let bounce = Rational::from(e * approach);
        match (self.settings.method, rebound) {
            _ if self.phase.part == Part::Compression => by_rate(Rational::new(), Rational::new()),
            (SpaceMethod::MoreauJean, _) if !newton => by_rate(Rational::new(), Rational::new()),
            (SpaceMethod::MoreauJean, _) => by_rate(bounce.min(Rational::new()), Rational::new()),
            (SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder, Some(_)) => {
                if !newton || *e <= 0 || *approach >= 0 {
                    let why = "a contact at rest bounces".to_owned();
                    self.report(Term::Restitution, Some(&contact.name), why);
                }
                by_rate(bounce, Rational::new())
            }
            (SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder, None) => NormalLaw {
                offset: self.gap(contact) / &self.settings.h,
                least: Rational::new(),
                term: Term::Nonpenetration,
            },
        }
    }

    /// What closes takes part in a compression, and nothing else; a contact with restitution that approaches makes one.
    pub(super) fn strikes(
        &mut self,
        contact: &Contact,
        [approach, reached]: [&Rational; 2],
        (room, allowed): (&Rational, &Allowance),
    ) {
        let name = Some(&*contact.name);
        let nearer = Rational::from(&contact.gap + room);
        let surely = nearer <= 0 || Rational::from(reached + room) < 0;
        let approaches = Rational::from(approach + &allowed.rate) < 0;
        let Some(first) = self.phase.first else {
            if contact.restitution > 0 && approaches && surely {
                let why = "a contact that closes does not bounce".to_owned();
                self.report(Term::Restitution, name, why);
            }
            return;
        };
        let further = Rational::from(&contact.gap - room);
        let perhaps = further <= 0 || Rational::from(reached - room) < 0;
        let why = match first.impulse(&contact.name).is_some() {
            false if surely => "a contact that closes takes no part in the compression",
            true if !perhaps => "a contact that does not close takes part in the compression",
            _ => return,
        };
        self.report(Term::Restitution, name, why.to_owned());
    }

    /// A compression is that of an impact, and what takes part in it takes part in the step.
    pub(super) fn impact(&mut self) {
        let Some(first) = self.phase.first else {
            return;
        };
        if self.settings.impact == ImpactLaw::Newton {
            let why = "a compression, which Newton's law does not have".to_owned();
            self.report(Term::Data, None, why);
        }
        let mut meets = false;
        for contact in first.posed.contacts.iter() {
            let all = self.phase.contacts().iter().zip(&self.allowances);
            let own = all.clone().find(|(own, _)| *own == contact);
            let Some((_, allowed)) = own else {
                let why = "another contact in the compression".to_owned();
                self.report(Term::Data, Some(&contact.name), why);
                continue;
            };
            let approach = self.parting(contact, |own, body| own.before(body));
            let approach = contact.normal.dot(&approach);
            meets |= contact.restitution > 0 && Rational::from(&approach - &allowed.rate) < 0;
        }
        if !meets {
            let why = "a compression of contacts that do not approach".to_owned();
            self.report(Term::Restitution, None, why);
        }
        let stops = first.posed.stops.iter();
        let others = stops.filter(|own| !self.phase.posed.stops.contains(own));
        let others: Vec<usize> = others.map(|own| own.joint).collect();
        for joint in others {
            let name = self.world.joints()[joint].name.clone();
            let why = "another limit in the compression".to_owned();
            self.report(Term::Data, Some(&name), why);
        }
    }
}

//! Steps in space as lines of a trajectory.

use std::collections::BTreeMap;

use etalon_golden::trajectory::{
    CompressionLine, Contact, JointLine, LimitLine, Line, PhaseLine, Quantity, Start,
};
use etalon_lcp::Number;
use etalon_rigid::{Vector, Vector3};
use etalon_spatial::{
    Compression, Energy, Motion, Placed, SpaceImpulse, SpaceState, SpaceStep, SpaceWorld,
};
use etalon_time_stepping::Kind;
use rug::Rational;

use crate::motion::record::{Writer, lcp};

/// Numbers of a state are JSON numbers wherever binary64 holds them, and it does on these grids for scenes of metres.
pub const WRITER: Writer = Writer(Kind::Grid(40));

/// The names of the coordinates: positions and quaternions.
pub fn coordinates(world: &SpaceWorld) -> Vec<String> {
    let names = world.moving().flat_map(|i| {
        let name = &world.bodies()[i].name;
        ["x", "y", "z", "qw", "qx", "qy", "qz"].map(|axis| format!("{name} {axis}"))
    });
    names.collect()
}

/// q: positions and quaternions.
fn positions(world: &SpaceWorld, state: &SpaceState) -> Vec<Quantity> {
    let own = world.moving().flat_map(|i| {
        let Motion {
            position, attitude, ..
        } = &state.bodies[i];
        position.coordinates().iter().chain(&attitude.0)
    });
    own.map(|value| WRITER.state(value)).collect()
}

/// v: velocities, and the angular velocities that follow from the momenta.
fn velocities(world: &SpaceWorld, state: &SpaceState) -> Vec<Quantity> {
    let mut all = Vec::new();
    for i in world.moving() {
        let own = &state.bodies[i];
        all.extend(WRITER.states(own.velocity.coordinates()));
        let rate = world.angular_velocity(i, own);
        all.extend(WRITER.deriveds(rate.coordinates()));
    }
    all
}

fn momenta(world: &SpaceWorld, state: &SpaceState) -> Vec<Quantity> {
    let own = world
        .moving()
        .flat_map(|i| state.bodies[i].momentum.coordinates());
    own.map(|value| WRITER.state(value)).collect()
}

/// The state before the first step.
pub fn start(world: &SpaceWorld, state: &SpaceState, energy: &Energy) -> Start {
    Start {
        q: positions(world, state),
        v: velocities(world, state),
        momentum: Some(momenta(world, state)),
        energy: Some(self::energy(energy)),
        ..Default::default()
    }
}

fn energy(energy: &Energy) -> etalon_golden::trajectory::Energy {
    etalon_golden::trajectory::Energy {
        kinetic: WRITER.derived(&energy.kinetic),
        potential: WRITER.derived(&energy.potential),
        ..Default::default()
    }
}

/// The line of a step.
pub fn line(world: &SpaceWorld, k: u64, h: &Rational, step: &SpaceStep) -> Line {
    let ledger = &step.ledger;
    let [stops, drives] = ledger.joint_totals();
    let parts = [
        ("friction", ledger.friction_total()),
        (lost_in_steps(world), ledger.numerical.clone()),
        ("position", ledger.position_total()),
        ("joints", ledger.joints.clone()),
        ("rounding", ledger.rounding.clone()),
    ];
    let of_joints = [
        ("limits", stops, ledger.stops.is_empty()),
        ("drives", drives, ledger.drives.is_empty()),
        ("inertial", ledger.inertial.clone(), step.at == step.before),
    ];
    let of_joints = of_joints.into_iter().filter(|(.., none)| !none);
    let parts = parts
        .into_iter()
        .chain(of_joints.map(|(name, value, _)| (name, value)));
    let parts = parts.map(|(name, value)| (name.to_owned(), WRITER.derived(&value)));
    let rebounds = step.formulation().contacts.iter().zip(step.contacts());
    let bounces = rebounds.filter(|(own, _)| own.rebound.as_ref().is_some_and(|back| *back < 0));
    let bounces: Vec<String> = bounces.map(|(_, contact)| contact.name.clone()).collect();
    let first = step.compression.as_deref();
    let judged = step.judgement.as_ref();
    Line {
        k,
        t: WRITER.time(k, h),
        q: positions(world, &step.after),
        v: velocities(world, &step.after),
        momentum: Some(momenta(world, &step.after)),
        contacts: contacts(step),
        joints: (!world.joints().is_empty()).then(|| joints(world, step)),
        lcp: lcp(&step.z, &step.basis, step.pivots),
        verdict: judged.map(|own| own.verdict.kind.word().to_owned()),
        compression: first.map(|first| compression(world, first)),
        problems: (step.problems > 1).then_some(step.problems),
        energy: energy(&step.energy),
        dissipated: WRITER.derived(&ledger.dissipated()),
        dissipation: Some(parts.collect::<BTreeMap<_, _>>()),
        flight_gain: Some(WRITER.derived(&ledger.flight_gain)),
        work: (ledger.work != 0).then(|| WRITER.derived(&ledger.work)),
        bounces: Some(bounces).filter(|bounces| !bounces.is_empty()),
        ..Default::default()
    }
}

/// What `numerical` of the ledger is: the loss of impacts and of the scheme, or in a first-order world the drag of what moves.
pub fn lost_in_steps(world: &SpaceWorld) -> &'static str {
    match world.is_first_order() {
        true => "drag",
        false => "numerical",
    }
}

/// The end of a compression.
fn compression(world: &SpaceWorld, first: &Compression) -> CompressionLine {
    let judged = first.judgement.as_ref();
    CompressionLine {
        v: WRITER.deriveds(&first.velocity),
        momentum: Some(
            world
                .moving()
                .flat_map(|i| first.state.bodies[i].momentum.coordinates())
                .map(|own| WRITER.derived(own))
                .collect(),
        ),
        lcp: lcp(&first.z, &first.basis, first.pivots),
        verdict: judged.map(|own| own.verdict.kind.word().to_owned()),
        ..Default::default()
    }
}

fn contacts(step: &SpaceStep) -> Vec<Contact> {
    let all = step.contacts().iter().zip(&step.impulses);
    let lines = all.map(|(own, last)| {
        let first = step.compression.as_ref();
        let first = first.and_then(|first| first.impulse(&own.name));
        let Some(first) = first else {
            return contact(own, last);
        };
        let sum = |a: &Rational, b: &Rational| Rational::from(a + b);
        let both = |a: &[Rational; 2], b: &[Rational; 2]| [sum(&a[0], &b[0]), sum(&a[1], &b[1])];
        let whole = SpaceImpulse {
            normal: sum(&first.normal, &last.normal),
            friction: both(&first.friction, &last.friction),
            torsion: sum(&first.torsion, &last.torsion),
            rolling: both(&first.rolling, &last.rolling),
        };
        Contact {
            phases: Some([first, last].map(|impulse| phase(own, impulse))),
            ..contact(own, &whole)
        }
    });
    lines.collect()
}

fn phase(own: &etalon_spatial::Contact, impulse: &SpaceImpulse) -> PhaseLine {
    of_step(&contact(own, impulse))
}

fn contact(own: &etalon_spatial::Contact, impulse: &SpaceImpulse) -> Contact {
    let three = |vector: &Vector3<Rational>| {
        vector
            .coordinates()
            .each_ref()
            .map(|value| WRITER.state(value))
    };
    Contact {
        pair: own.name.clone(),
        gap: WRITER.state(&own.gap),
        normal: WRITER.derived(&impulse.normal),
        friction: match own.mu == 0 {
            true => Vec::new(),
            false => WRITER.deriveds(&impulse.friction),
        },
        torsion: (own.torsion != 0).then(|| WRITER.derived(&impulse.torsion)),
        rolling: (own.rolling != 0)
            .then(|| impulse.rolling.each_ref().map(|own| WRITER.derived(own))),
        at: Some(three(&own.point)),
        along: Some(three(&own.normal)),
        ..Default::default()
    }
}

fn joints(world: &SpaceWorld, step: &SpaceStep) -> Vec<JointLine> {
    let first = step.compression.as_deref();
    let mut begin = 0;
    let after = world.placed(&step.after);
    let drive = |k: usize| {
        let mut own = step.posed.driven.iter().zip(&step.drive_impulses);
        let (_, impulse) = own.find(|(driven, _)| driven.joint == k)?;
        Some(WRITER.derived(impulse))
    };
    let one = |(k, (joint, rows)): (usize, (&etalon_spatial::Joint, &Vec<Placed>))| {
        let gaps = rows.iter().map(|own| own.row().gap.abs());
        let drift = gaps.max().unwrap_or_default();
        let own = begin..begin + rows.len();
        begin = own.end;
        let implied = step.posed.formulation.bilateral.dependent().iter();
        let implied = implied.filter(|row| own.contains(&row.row));
        let redundant: Vec<u64> = implied.map(|row| (row.row - own.start) as u64).collect();
        let last = &step.joint_impulses[own.clone()];
        let pressed = first.map(|first| &first.joint_impulses[own]);
        let whole = |(row, last): (usize, &Rational)| match pressed {
            Some(first) => WRITER.derived(&Rational::from(&first[row] + last)),
            None => WRITER.derived(last),
        };
        JointLine {
            joint: joint.name.clone(),
            drift: WRITER.derived(&drift),
            impulses: last.iter().enumerate().map(whole).collect(),
            redundant: Some(redundant).filter(|own| !own.is_empty()),
            phases: pressed.map(|first| [first, last].map(|own| WRITER.deriveds(own))),
            limits: limits(step, k),
            drive: drive(k),
            ..Default::default()
        }
    };
    world
        .joints()
        .iter()
        .zip(&after)
        .enumerate()
        .map(one)
        .collect()
}

/// The limits of a joint that take part.
fn limits(step: &SpaceStep, joint: usize) -> Option<Vec<LimitLine>> {
    let own = step.posed.stops.iter().zip(&step.stop_impulses);
    let line = own
        .filter(|(stop, _)| stop.joint == joint)
        .map(|(stop, last)| {
            let pressed = step.compression.as_deref().and_then(|first| {
                let mut all = first.posed.stops.iter().zip(&first.stop_impulses);
                all.find(|(other, _)| *other == stop).map(|(_, own)| own)
            });
            let whole = match pressed {
                Some(first) => Rational::from(first + last),
                None => last.clone(),
            };
            LimitLine {
                limit: if stop.upper { "upper" } else { "lower" }.to_owned(),
                gap: WRITER.derived(&stop.row.gap),
                impulse: WRITER.derived(&whole),
                phases: pressed.map(|first| [first, last].map(|own| WRITER.derived(own))),
                ..Default::default()
            }
        });
    Some(line.collect::<Vec<_>>()).filter(|own| !own.is_empty())
}

/// The state of a line.
pub fn state(world: &SpaceWorld, line: &Line) -> Result<SpaceState, String> {
    let exact = |quantities: &[Quantity], what: &str, each: usize| {
        let values: Option<Vec<Rational>> = quantities.iter().map(Quantity::exact).collect();
        let values = values.ok_or_else(|| format!("{what} has what is no number"))?;
        if values.len() == each * world.moving().count() {
            return Ok(values);
        }
        Err(format!("{what} has another length"))
    };
    let q = exact(&line.q, "q", 7)?;
    let v = exact(&line.v, "v", 6)?;
    let momentum = line.momentum.as_deref().ok_or("momentum is missing")?;
    let momentum = exact(momentum, "momentum", 3)?;
    let three = |values: &[Rational]| Vector::new(std::array::from_fn(|k| values[k].clone()));
    let mut state = world.start();
    for (k, i) in world.moving().enumerate() {
        let own = &mut state.bodies[i];
        own.position = three(&q[7 * k..]);
        own.attitude.0 = std::array::from_fn(|j| q[7 * k + 3 + j].clone());
        own.velocity = three(&v[6 * k..]);
        own.momentum = three(&momentum[3 * k..]);
        if own.attitude.norm_squared() == 0 {
            return Err("a quaternion is zero".to_owned());
        }
    }
    world.carry(&mut state);
    Ok(state)
}

/// z of a problem in the circular cone as a line has it: friction of all contacts, their torques, drives of joints, then normal
/// impulses of contacts and limits. Answers of binary64 stand there as they are. After a compression the normal impulses that bound
/// friction follow.
pub fn stated(line: &Line) -> Option<Vec<Number>> {
    let own = line.contacts.iter().map(|own| match &own.phases {
        Some([_, last]) => last.clone(),
        None => of_step(own),
    });
    let own: Vec<PhaseLine> = own.collect();
    let struck = line.contacts.iter().zip(&own);
    let struck = struck.filter(|(contact, _)| contact.phases.is_some());
    let joints = || line.joints.iter().flatten();
    let limits = joints().flat_map(|own| own.limits.iter().flatten());
    let limits = limits.map(|own| own.phases.as_ref().map_or(&own.impulse, |[_, last]| last));
    let z = tangential(&own)
        .chain(joints().filter_map(|own| own.drive.as_ref()))
        .chain(own.iter().map(|own| &own.normal))
        .chain(limits)
        .chain(struck.map(|(_, own)| &own.normal))
        .map(|own| own.exact().map(Number::from));
    z.collect()
}

/// The same of the problem of a compression.
pub fn stated_compression(line: &Line) -> Option<Vec<Number>> {
    let own = line.contacts.iter().filter_map(|own| own.phases.as_ref());
    let own: Vec<PhaseLine> = own.map(|[first, _]| first.clone()).collect();
    let joints = line.joints.iter().flatten();
    let limits = joints.flat_map(|own| own.limits.iter().flatten());
    let limits = limits.filter_map(|own| own.phases.as_ref().map(|[first, _]| first));
    let z = tangential(&own)
        .chain(own.iter().map(|own| &own.normal))
        .chain(limits)
        .map(|own| own.exact().map(Number::from));
    z.collect()
}

/// Friction of all contacts, then their torques.
fn tangential(own: &[PhaseLine]) -> impl Iterator<Item = &Quantity> {
    let friction = own.iter().flat_map(|own| &own.friction);
    friction.chain(own.iter().flat_map(|own| {
        let rolling = own.rolling.iter().flatten();
        own.torsion.iter().chain(rolling)
    }))
}

/// The impulses of a contact whose step has one phase.
fn of_step(own: &Contact) -> PhaseLine {
    PhaseLine {
        normal: own.normal.clone(),
        friction: own.friction.clone(),
        torsion: own.torsion.clone(),
        rolling: own.rolling.clone(),
        ..Default::default()
    }
}

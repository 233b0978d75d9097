//! Worlds of the planar engine as logs: a record for each piece of a step.

use etalon_engines::step::{
    Bodies, Body, Contact, EngineStep, Form, FrictionLaw, Joint, KnownImpulse, Sparse,
};
use etalon_lcp::Number;
use etalon_planar::{FrictionModel, Piece, PieceBody, PieceContact, Settings};
use rug::Rational;

/// What does not change in a run.
pub struct PieceScene {
    /// The length of a step, s, which stands in the records of blows: no force acts in them.
    pub h: f64,
    pub friction: FrictionModel,
}

impl PieceScene {
    pub fn of(settings: &Settings) -> Self {
        Self {
            h: settings.time_step,
            friction: settings.friction,
        }
    }

    /// A piece as a step of bodies; `None` of one without bodies that move, or without length.
    pub fn step(&self, blank: EngineStep, piece: &Piece) -> Option<EngineStep> {
        let h = if piece.duration > 0.0 {
            piece.duration
        } else {
            self.h
        };
        let h = Rational::from_f64(h).filter(|h| *h > 0)?;
        let moving: Vec<usize> = (0..piece.bodies.len())
            .filter(|b| piece.bodies[*b].inverse[0] > 0.0)
            .collect();
        if moving.is_empty() {
            return None;
        }
        let place = |body: usize| moving.iter().position(|own| *own == body);
        let bodies = moving.iter().map(|b| body(&piece.bodies[*b], &h));
        let mut own = Bodies {
            dimension: 2,
            bodies: bodies.collect::<Option<_>>()?,
            ..Bodies::default()
        };
        for part in &piece.contacts {
            // What acts between bodies that are fixed moves nothing.
            let pair = [place(part.first), place(part.second)];
            if pair == [None, None] {
                continue;
            }
            if part.joint {
                own.joints.push(joint(part, pair, moving.len())?);
            } else {
                own.contacts.extend(contacts(part, pair, piece)?);
            }
        }
        let law = match self.friction {
            FrictionModel::Box => FrictionLaw::Box,
            FrictionModel::Coulomb | FrictionModel::None => FrictionLaw::Coulomb,
        };
        Some(EngineStep {
            h: Number::from(h),
            law: Some(law),
            form: Form::Bodies(Box::new(own)),
            ..blank
        })
    }
}

fn numbers(own: &[f64]) -> Option<Vec<Number>> {
    own.iter().map(|own| Number::from_f64(*own)).collect()
}

/// Masses are fractions, since the engine computes with their inverses.
fn body(own: &PieceBody, h: &Rational) -> Option<Body> {
    let [mass, inertia] = own.inverse.map(|inverse| {
        let inverse = Rational::from_f64(inverse)?;
        (inverse > 0).then(|| inverse.recip())
    });
    let (mass, inertia) = (mass?, inertia?);
    let [x, y, turn] = own.applied.map(Rational::from_f64);
    let force = [x? * &mass / h, y? * &mass / h, turn? * &inertia / h];
    Some(Body {
        mass: Number::from(mass),
        inertia: vec![vec![Number::from(inertia)]],
        com: numbers(&own.position)?,
        orientation: None,
        v0: numbers(&own.before)?,
        v1: numbers(&own.after)?,
        force: force.map(Number::from).to_vec(),
        asleep: false,
    })
}

/// A contact, and its friction as another where it acts at another point of the second body.
fn contacts(own: &PieceContact, pair: [Option<usize>; 2], piece: &Piece) -> Option<Vec<Contact>> {
    let at = |body: usize, lever: [f64; 2]| -> Option<Vec<Number>> {
        let position = piece.bodies[body].position;
        let along = |k: usize| {
            let sum = Rational::from_f64(position[k])? + Rational::from_f64(lever[k])?;
            Some(Number::from(sum))
        };
        Some(vec![along(0)?, along(1)?])
    };
    let contact = |second: [f64; 2], impulse: [f64; 2]| {
        Some(Contact {
            bodies: pair,
            point: at(own.second, second)?,
            point_a: Some(at(own.first, own.lever)?),
            normal: numbers(&own.normal)?,
            tangents: None,
            gap: None,
            mu: numbers(&[own.mu])?,
            torsion: None,
            roll: None,
            restitution: (own.elasticity > 0.0)
                .then(|| numbers(&[own.elasticity])?.pop())
                .flatten(),
            target: None,
            impulse: Some(numbers(&impulse)?),
            impulse_known: KnownImpulse::All,
        })
    };
    let [normal, friction] = own.second_levers;
    (normal == friction || own.friction == 0.0)
        .then(|| Some(vec![contact(normal, [own.impulse, own.friction])?]))
        .flatten()
}

/// What may pull, as its two components: along a rod the lever of the force itself cancels, and the engine's rounding is that of the
/// products that do.
fn joint(own: &PieceContact, pair: [Option<usize>; 2], bodies: usize) -> Option<Joint> {
    let impulse = Rational::from_f64(own.impulse)?;
    let (mut rows, mut impulses) = (Vec::new(), Vec::new());
    for axis in 0..2 {
        let mut row = Vec::new();
        let ends = [(pair[0], own.lever, 1), (pair[1], own.second_levers[0], -1)];
        for (body, lever, sign) in ends {
            let Some(body) = body else { continue };
            // r x e_x = -y, and r x e_y = x.
            let turn = if axis == 0 { -lever[1] } else { lever[0] };
            let turn = Rational::from_f64(turn)? * sign;
            row.push((3 * body + axis, Number::from(Rational::from(sign))));
            row.push((3 * body + 2, Number::from(turn)));
        }
        row.sort_by_key(|(j, _)| *j);
        rows.push(row);
        let part = Rational::from_f64(own.normal[axis])? * &impulse;
        impulses.push(Number::from(part));
    }
    Some(Joint {
        rows: Sparse {
            columns: 3 * bodies,
            rows,
        },
        target: None,
        impulse: Some(impulses),
    })
}

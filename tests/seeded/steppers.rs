// Faults of `crates/time-stepping`, which `tests/seeded_steppers.rs` hunts. Read by `build.rs`, too.

/// All of them.
pub const STEPPER_BUGS: &[Bug] = &[
    // The problem of a step.
    bug(
        "gap-rate",
        "the gap times the step, not over it",
        "formulation.rs",
        "None => «self.old_gap.clone() / h»",
        "self.old_gap.clone() * h",
    ),
    bug(
        "rebound-sign",
        "a bounce that goes on into the wall",
        "formulation.rs",
        "Some(rebound) => «rebound.clone()»",
        "-rebound.clone()",
    ),
    bug(
        "cone-of-twice",
        "friction of twice the normal impulse",
        "formulation.rs",
        "= «mu.clone()»;",
        "mu.clone() + mu",
    ),
    bug(
        "cone-sign",
        "the bound of friction grows with friction",
        "formulation.rs",
        "matrix[lambda][from + j] = «-S::one()»",
        "S::one()",
    ),
    bug(
        "lost-impulse",
        "the applied force is lost from the velocity",
        "formulation.rs",
        "let mut impulse = «self.impulse.clone()»",
        "vec![S::zero(); self.impulse.len()]",
    ),
    bug(
        "lost-contacts",
        "the impulses of contacts are lost from the velocity",
        "formulation.rs",
        "«column.add_to(z, &mut impulse)»",
        "()",
    ),
    // The step.
    bug(
        "stale-gap",
        "the gap at the evaluation point, not carried back to the start",
        "stepper/mod.rs",
        "old_gap: «frame.gap.clone() + frame.normal.times(&back)»",
        "frame.gap.clone()",
    ),
    bug(
        "stale-normal",
        "normals of the start of the step",
        "stepper/mod.rs",
        "let formulation = self.formulate(state, active, «&point»)?",
        "&state.q",
    ),
    bug(
        "full-bounce",
        "all bounces are elastic",
        "stepper/mod.rs",
        "bounces.then(|| «e * &approach»)",
        "approach.clone()",
    ),
    bug(
        "old-velocity",
        "positions follow the velocity before the step",
        "stepper/mod.rs",
        "self.rounded_point(self.ahead(&state.q, «&v»))",
        "&state.v",
    ),
    bug(
        "twice-gravity",
        "the applied impulse of two steps",
        "stepper/mod.rs",
        "force.into_iter().map(|k| «k * h»)",
        "k.clone() * h + &(k * h)",
    ),
    // The record of a step.
    bug(
        "friction-sign",
        "friction is recorded with the other sign",
        "stepper/record.rs",
        "*sum += &(«t.clone() * beta»)",
        "-(t.clone() * beta)",
    ),
    bug(
        "first-normal",
        "the first contact's impulse stands for all",
        "stepper/record.rs",
        "normal: «z[layout.normal(i)].clone()»",
        "z[layout.normal(0)].clone()",
    ),
    bug(
        "numerical-loss",
        "the kinetic energy in place of that of the change",
        "stepper/record.rs",
        "numerical: «formulation.mass.kinetic_energy(&change)»",
        "formulation.mass.kinetic_energy(&trial.velocity)",
    ),
    bug(
        "position-loss",
        "what stopping takes is given",
        "stepper/record.rs",
        "contacts.map(|(i, c)| «z[layout.normal(i)].clone()» * &c.offset",
        "-z[layout.normal(i)].clone()",
    ),
    bug(
        "friction-loss",
        "the loss of friction twice",
        "stepper/record.rs",
        "«z[layout.lambda(i)].clone()» * &contact.mu",
        "z[layout.lambda(i)].clone() + &z[layout.lambda(i)]",
    ),
    // Bodies in the plane.
    bug(
        "short-lever",
        "friction acts at the centre of a round end",
        "models/planar.rs",
        "«y + reach * &normal[1]»",
        "y",
    ),
    bug(
        "turning-sign",
        "a force turns a body the wrong way",
        "models/planar.rs",
        "«arm[0].clone() * &direction[1] - arm[1].clone() * &direction[0]»",
        "arm[0].clone() * &direction[1] + arm[1].clone() * &direction[0]",
    ),
];

// Faults of `crates/planar`, which `tests/seeded_planar.rs` hunts. Read by `build.rs`, too.

/// All of them.
pub const PLANAR_BUGS: &[Bug] = &[
    // Forces and energies.
    bug(
        "gravity-energy",
        "energy falls as bodies rise",
        "forces.rs",
        ".map(|(_, body)| «g * body.motion.position.y / body.solid.inverse_mass»)",
        "-g * body.motion.position.y / body.solid.inverse_mass",
    ),
    bug(
        "damping-account",
        "damping of turning alone is counted",
        "forces.rs",
        "damping * («body.motion.velocity.norm_squared() + turning»)",
        "turning",
    ),
    bug(
        "damping-sign",
        "damping drives",
        "forces.rs",
        "rates[i].0 -= «body.motion.velocity * (damping * body.solid.inverse_mass)»",
        "-body.motion.velocity * (damping * body.solid.inverse_mass)",
    ),
    bug(
        "spring-reaction",
        "a spring pulls at one end",
        "forces.rs",
        "apply(rates, bodies, other.body, «-force», b)",
        "force * 0.0",
    ),
    bug(
        "spring-law",
        "a spring's force grows with its length",
        "forces.rs",
        "apart * («stiffness * (distance - length) / distance»)",
        "stiffness * (distance - length)",
    ),
    bug(
        "lever-sign",
        "a push turns a body the wrong way",
        "forces.rs",
        "rates[body].1 += «(at - own.motion.position).perp(&force)»",
        "-(at - own.motion.position).perp(&force)",
    ),
    bug(
        "push-work",
        "the work of turning is not counted",
        "forces.rs",
        "body.motion.velocity.dot(&force) + «body.motion.spin * arm.perp(&force)»",
        "0.0",
    ),
    // Motion.
    bug(
        "last-rate",
        "the last evaluation is lost",
        "step/motion.rs",
        "+ 2.0 * k3[b][k] + «k4[b][k]»",
        "k1[b][k]",
    ),
    bug(
        "friction-account",
        "friction is counted as a gain",
        "step/motion.rs",
        "friction: «-across»",
        "across",
    ),
    bug(
        "account-kept",
        "work of a try that was taken back stays counted",
        "step/events.rs",
        "state.accounts = «accounts»",
        "{ let _ = accounts; state.accounts }",
    ),
    // Impulses.
    bug(
        "reaction",
        "the second body gets half of the impulse",
        "step/blow.rs",
        "push(contact.second, «-along», contact.second_point())",
        "-along * 0.5",
    ),
    bug(
        "loss-uncounted",
        "collisions take nothing",
        "step/blow.rs",
        "state.lost += «before - model.bodies(state).kinetic_energy()»",
        "0.0 * before",
    ),
    bug(
        "no-bounce",
        "all collisions are inelastic",
        "step/strike.rs",
        "«blow.velocities[i] * bounce(i)»",
        "blow.velocities[i] + 0.0 * bounce(i)",
    ),
    // Contact forces.
    bug(
        "wrong-cone",
        "friction of twice its bound",
        "step/lcp.rs",
        "mu: «contact.friction»",
        "2.0 * contact.friction",
    ),
    bug(
        "weightless",
        "a body does not feel what stands on it",
        "step/press.rs",
        "push(contact.second, «-force», contact.second_point())",
        "force * 0.0",
    ),
    bug(
        "turning-lost",
        "what a force turns is lost from A",
        "rows/mod.rs",
        "ni.dot(&nj) * body.solid.inverse_mass + «ri.perp(&ni) * rj.perp(&nj) * body.solid.inverse_inertia»",
        "0.0",
    ),
    bug(
        "centripetal",
        "the centripetal acceleration is lost",
        "contact/mod.rs",
        "linear + turn(angular, arm.lever) - «arm.lever * (spin * spin)»",
        "arm.lever * 0.0",
    ),
    bug(
        "stale-normal",
        "the turning of the normal is lost",
        "rows/mod.rs",
        "own + «turning_normal(contact, bodies, term)»",
        "0.0",
    ),
];

// Faults of `crates/contact-forces`, which `tests/seeded_forces.rs` hunts. Read by `build.rs`, too.

/// All of them.
pub const FORCE_BUGS: &[Bug] = &[
    // The problem.
    bug(
        "sliding-drives",
        "friction of sliding pulls along the velocity",
        "formulation/mod.rs",
        "row.plus(&«-S::one()», &friction)",
        "S::one()",
    ),
    bug(
        "sliding-lost",
        "sliding is free of friction",
        "formulation/mod.rs",
        "let friction = «combined(&self.system.contacts[i].tangents, slip).row»",
        "Covector::zero()",
    ),
    bug(
        "drift-lost",
        "accelerations without the turning of normals",
        "formulation/mod.rs",
        "self.b = measured.iter().map(|c| «c.acceleration(&free)»)",
        "c.row.times(&free)",
    ),
    bug(
        "bias-lost",
        "accelerations without the applied forces",
        "formulation/mod.rs",
        "let free = «self.system.free_acceleration()»",
        "vec![S::zero(); self.system.dofs()]",
    ),
    bug(
        "sliding-smooth",
        "a contact that slides counts as smooth",
        "formulation/mod.rs",
        ".map_or(ContactMotion::Static, «ContactMotion::Sliding»)",
        "|_| ContactMotion::Frictionless",
    ),
    bug(
        "joint-lost",
        "a joint holds nothing",
        "formulation/mod.rs",
        "RowKind::Joint(i) => «self.system.joints[i].constraint.clone()»",
        "{ let mut own = self.system.joints[i].constraint.clone(); own.drift = own.drift + S::one(); own }",
    ),
    // Its record.
    bug(
        "joint-pushes",
        "a joint can only push",
        "formulation/record.rs",
        "RowKind::Joint(_) => «Bound::NegativeInfinity»",
        "Bound::Finite(Number::from(0))",
    ),
    bug(
        "wrong-cone",
        "friction is bounded by another contact's normal force",
        "formulation/record.rs",
        "«self.row(RowKind::Normal(contact))»",
        "self.row(RowKind::Normal(0))",
    ),
    // The forces.
    bug(
        "friction-sign",
        "friction of sliding is reported along the velocity",
        "forces.rs",
        "*friction = «-(normal.clone() * slip)»",
        "normal.clone() * slip",
    ),
    bug(
        "acceleration-lost",
        "the accelerations without contact forces",
        "forces.rs",
        "«self.system().acceleration(self.columns().iter().zip(z))»",
        "self.system().free_acceleration()",
    ),
];

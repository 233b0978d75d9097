//! Writing the record `etalon-step/1`.

use etalon_lcp::Number;

use crate::json::{Object, list, quoted};

use super::{
    Bodies, Body, Contact, EngineStep, Form, Generalised, KnownImpulse, STEP_FORMAT, Set, Sparse,
};

/// Writes a step as one line (without the line's end).
pub fn write_step(step: &EngineStep) -> String {
    let mut own = Object::new();
    own.text("format", STEP_FORMAT).text("name", &step.name);
    let engine = &step.engine;
    let mut program = Object::new();
    program
        .maybe("name", engine.name.as_deref(), quoted)
        .maybe("version", engine.version.as_deref(), quoted)
        .maybe("settings", engine.settings.as_deref(), str::to_owned);
    if !program.is_empty() {
        own.raw("engine", program.end());
    }
    own.maybe("follows", step.follows.as_deref(), quoted)
        .maybe("source", step.source.as_deref(), quoted)
        .text("precision", step.precision.word())
        .maybe("declared_error", step.declared_error.as_ref(), number)
        .raw("h", number(&step.h));
    if step.substeps != 1 {
        own.raw("substeps", step.substeps);
    }
    own.maybe("when", step.when, |own| quoted(own.word()))
        .maybe("law", step.law, |own| quoted(own.word()))
        .maybe("model", step.model, |own| quoted(own.word()))
        .maybe("not_judged", step.not_judged.as_deref(), quoted);
    match &step.form {
        Form::Bodies(bodies) => write_bodies(bodies, &mut own),
        Form::Generalised(form) => write_generalised(form, &mut own),
    }
    own.maybe("replay", step.replay.as_deref(), str::to_owned);
    own.end()
}

/// binary64 as a JSON number, any other as an exact string.
fn number(own: &Number) -> String {
    match own.as_binary64() {
        Some(_) => own.to_string(),
        None => format!("\"{own}\""),
    }
}

fn numbers(own: &Vec<Number>) -> String {
    list(own, number)
}

fn write_bodies(own: &Bodies, object: &mut Object) {
    object.raw("dimension", own.dimension);
    object.raw("bodies", list(&own.bodies, body));
    object.raw("contacts", list(&own.contacts, contact));
    if !own.joints.is_empty() {
        let joint = |own: &super::Joint| {
            let mut joint = Object::new();
            joint
                .raw("J", sparse(&own.rows))
                .maybe("target", own.target.as_ref(), numbers)
                .maybe("impulse", own.impulse.as_ref(), numbers);
            joint.end()
        };
        object.raw("joints", list(&own.joints, joint));
    }
}

fn body(own: &Body) -> String {
    let mut body = Object::new();
    let inertia = match &own.inertia[..] {
        [row] if row.len() == 1 => number(&row[0]),
        rows => list(rows, numbers),
    };
    body.raw("mass", number(&own.mass))
        .raw("inertia", inertia)
        .raw("com", numbers(&own.com))
        .maybe("orientation", own.orientation.as_ref(), numbers)
        .raw("v0", numbers(&own.v0))
        .raw("v1", numbers(&own.v1))
        .raw("force", numbers(&own.force));
    if own.asleep {
        body.raw("asleep", true);
    }
    body.end()
}

fn contact(own: &Contact) -> String {
    let mut contact = Object::new();
    let index = |body: &Option<usize>| body.map_or("-1".to_owned(), |body| body.to_string());
    contact
        .raw("bodies", list(&own.bodies, index))
        .raw("point", numbers(&own.point))
        .maybe("point_a", own.point_a.as_ref(), numbers)
        .raw("normal", numbers(&own.normal))
        .maybe("tangents", own.tangents.as_ref(), |own| list(own, numbers))
        .maybe("gap", own.gap.as_ref(), number);
    match &own.mu[..] {
        [one] => contact.raw("mu", number(one)),
        _ => contact.raw("mu", numbers(&own.mu)),
    };
    contact
        .maybe("torsion", own.torsion.as_ref(), number)
        .maybe("roll", own.roll.as_ref(), number)
        .maybe("restitution", own.restitution.as_ref(), number)
        .maybe("target", own.target.as_ref(), number)
        .maybe("impulse", own.impulse.as_ref(), numbers);
    match own.impulse_known {
        KnownImpulse::All => {}
        KnownImpulse::Normal => {
            contact.raw("impulse_known", "[\"normal\"]");
        }
        KnownImpulse::Nothing => {
            contact.raw("impulse_known", "[]");
        }
    }
    contact.end()
}

fn sparse(own: &Sparse) -> String {
    let entries = own.rows.iter().enumerate().flat_map(|(i, row)| {
        let entry = move |(j, value): &(usize, Number)| format!("[{i},{j},{}]", number(value));
        row.iter().map(entry)
    });
    let entries = list(entries, |entry| entry);
    let shape = (own.rows.len(), own.columns);
    format!(
        "{{\"shape\":[{},{}],\"entries\":{entries}}}",
        shape.0, shape.1
    )
}

fn write_generalised(own: &Generalised, object: &mut Object) {
    object
        .text("quantity", own.quantity.word())
        .raw("M", sparse(&own.m))
        .raw("force", numbers(&own.force))
        .raw("J", sparse(&own.j))
        .maybe("R", own.r.as_ref(), numbers)
        .maybe("target", own.target.as_ref(), numbers)
        .raw("sets", list(&own.sets, set));
    if let Some(answer) = &own.answer {
        let mut object_ = Object::new();
        object_
            .maybe(own.quantity.word(), answer.motion.as_ref(), numbers)
            .maybe("force", answer.force.as_ref(), numbers)
            .maybe("iterations", answer.iterations, |own| own.to_string())
            .maybe("iteration_limit", answer.iteration_limit, |own| {
                own.to_string()
            })
            .maybe("stop_gap", answer.stop_gap.as_ref(), number);
        object.raw("answer", object_.end());
    }
    object
        .maybe("v0", own.v0.as_ref(), numbers)
        .maybe("v1", own.v1.as_ref(), numbers);
}

fn set(own: &Set) -> String {
    let mut set = Object::new();
    match own {
        Set::Equality(i) => set
            .text("kind", "equality")
            .raw("rows", format_args!("[{i},{}]", i + 1)),
        Set::Nonnegative(i) => set
            .text("kind", "nonnegative")
            .raw("rows", format_args!("[{i}]")),
        Set::Box(i, bound) => set
            .text("kind", "box")
            .raw("row", i)
            .raw("bound", number(bound)),
        Set::Cone(first, mu) => set
            .text("kind", "cone")
            .raw("first", first)
            .raw("mu", numbers(mu)),
        Set::Disc(first, mu, bound) => set
            .text("kind", "disc")
            .raw("first", first)
            .raw("mu", numbers(mu))
            .raw("bound", number(bound)),
        Set::Turning(first, mu, normal) => set
            .text("kind", "disc")
            .raw("first", first)
            .raw("mu", numbers(mu))
            .raw("normal", normal),
        Set::Pyramid(rows, mu, normal) => set
            .text("kind", "pyramid")
            .raw("rows", format_args!("[{},{}]", rows.start, rows.end))
            .raw("mu", number(mu))
            .raw("normal", normal),
    };
    set.end()
}

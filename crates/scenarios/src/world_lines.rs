//! The lines of trajectories of the planar engine.

use std::collections::BTreeMap;

use etalon_golden::trajectory::{self, Contact, FORMAT, Header, Line, Quantity, Start};
use etalon_lcp::Number;
use etalon_planar::{
    Accounts, BodySpec, ContactForce, Energy, Inside, LcpEvent, LcpKind, Observer, Piece, Snapshot,
    StepError, World, WorldError, WorldSpec,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::worlds::{WorldInstance, world_value};

/// The `formulation` of trajectories of the planar engine.
pub const WORLD_FORMULATION: &str = "contact-forces";

/// A world that is stepped line by line.
pub struct WorldRun {
    world: World,
    name: String,
    parameters: BTreeMap<String, String>,
    /// Of a file: the world as a record.
    record: Option<Value>,
    steps: u64,
    k: u64,
    book: Book,
}

/// The energies at the end of the last step, J.
#[derive(Clone, Copy)]
struct Book {
    energy: Energy,
    accounts: Accounts,
}

impl Book {
    fn of(world: &World) -> Self {
        Self {
            energy: world.energy(),
            accounts: world.accounts(),
        }
    }
}

impl WorldRun {
    /// The world as it starts; `steps` takes the place of what its parameters say.
    ///
    /// # Errors
    /// [`WorldError`].
    pub fn new(own: WorldInstance, steps: Option<u64>) -> Result<Self, WorldError> {
        let world = World::new(own.scene)?;
        Ok(Self {
            book: Book::of(&world),
            record: own.of_file.then(|| world_value(&world)),
            world,
            name: own.name,
            parameters: own.parameters,
            steps: steps.unwrap_or(own.steps),
            k: 0,
        })
    }

    /// The world now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The number of steps that are asked for.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The first line.
    pub fn header(&self) -> Header {
        let start = self.world.snapshot();
        let (q, v) = coordinates(&self.world, &start);
        let names = moving(&self.world).into_iter().flat_map(|i| {
            let name = &start.bodies[i].name;
            ["x", "y", "angle"].map(|coordinate| format!("{name} {coordinate}"))
        });
        Header {
            format: FORMAT.to_owned(),
            scenario: self.name.clone(),
            parameters: self.parameters.clone(),
            scene: self.record.clone(),
            h: Quantity::binary64(self.world.settings().time_step),
            steps: Some(self.steps),
            formulation: Some(WORLD_FORMULATION.to_owned()),
            arithmetic: Some("binary64".to_owned()),
            solver: Some("fast-auto".to_owned()),
            coordinates: names.collect(),
            start: Start {
                q,
                v,
                energy: Some(energy(&start)),
                ..Default::default()
            },
            ..Default::default()
        }
    }

    /// Takes a step, shows each of its LCPs to an observer, and describes it.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn advance(&mut self, observer: &mut dyn Observer) -> Result<Line, StepError> {
        let mut seen = LastForces {
            inner: observer,
            last: trajectory::Lcp {
                pivots: Some(0),
                sha256: digest(&[]),
                ..Default::default()
            },
        };
        self.world.step_with(&mut seen)?;
        let last = seen.last;
        self.k += 1;
        Ok(self.line(last))
    }

    /// Goes on from a line as if its step had just been taken, with the bodies that are inside others there.
    ///
    /// # Errors
    /// What of the line is no state of this world.
    pub fn resume(&mut self, line: &Line, inside: &Inside) -> Result<(), String> {
        let scene = self.scene_at(line)?;
        self.world = World::resumed(scene, inside).map_err(|error| error.to_string())?;
        self.k = line.k;
        self.book = Book::of(&self.world);
        Ok(())
    }

    /// Who is inside whom at each of the lines that follow the world as it is now, up to one that is no state of this
    /// world; none where no body passes edges.
    pub fn inside_at(&self, lines: &[Line]) -> Vec<Inside> {
        let scene = self.world.scene();
        if scene.bodies.iter().all(|own| own.passes_edges.is_empty()) {
            return Vec::new();
        }
        let places = lines.iter().map_while(|line| {
            let bodies = self.scene_at(line).ok()?.bodies.into_iter();
            let place = |own: BodySpec| [own.position[0], own.position[1], own.angle];
            Some(bodies.map(place).collect::<Vec<_>>())
        });
        let inside = places.scan(self.world.inside(), |inside, places| {
            *inside = self.world.inside_after(inside, &places);
            Some(inside.clone())
        });
        inside.collect()
    }

    /// The scene with the state of a line.
    fn scene_at(&self, line: &Line) -> Result<WorldSpec, String> {
        let mut scene = self.world.scene();
        let moving = moving(&self.world);
        let numbers = |what: &str, own: &[Quantity]| -> Result<Vec<f64>, String> {
            let values: Option<Vec<f64>> = own.iter().map(Quantity::finite).collect();
            let values = values.ok_or_else(|| format!("{what} has what is no number"))?;
            if values.len() == 3 * moving.len() {
                return Ok(values);
            }
            let (numbers, bodies) = (values.len(), moving.len());
            Err(format!(
                "{what} has {numbers} numbers, and {bodies} bodies move"
            ))
        };
        let (q, v) = (numbers("q", &line.q)?, numbers("v", &line.v)?);
        for (k, i) in moving.iter().enumerate() {
            let body = &mut scene.bodies[*i];
            body.position = [q[3 * k], q[3 * k + 1]];
            body.angle = q[3 * k + 2];
            body.velocity = [v[3 * k], v[3 * k + 1]];
            body.angular_velocity = v[3 * k + 2];
        }
        scene.time = line.t.finite().ok_or("t is no number")?;
        scene.settings.seed = line.seed.ok_or("seed is missing")?;
        Ok(scene)
    }

    fn line(&mut self, lcp: trajectory::Lcp) -> Line {
        let now = self.world.snapshot();
        let (q, v) = coordinates(&self.world, &now);
        let h = self.world.settings().time_step;
        let name = |body: usize| &now.bodies[body].name;
        let contacts = now.contacts.iter().map(|contact| Contact {
            pair: format!("{}/{}", name(contact.first), name(contact.second)),
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
            k: self.k,
            t: Quantity::binary64(now.time),
            q,
            v,
            contacts: contacts.collect(),
            lcp,
            energy: energy(&now),
            collisions: Some(now.totals.collisions),
            jams: Some(now.totals.jams),
            seed: Some(self.world.seed()),
            ..Default::default()
        };
        self.enter(&mut line);
        line
    }

    /// Writes where the energy of a step went. Each part but the last has an account of its own; `integrator` is what is left:
    /// what the integrator gave or took. So the parts add up to `dissipated` and `work` within the rounding of their sum.
    fn enter(&mut self, line: &mut Line) {
        let now = Book::of(&self.world);
        let change = now.accounts.plus(-1.0, self.book.accounts);
        let dissipated = self.book.energy.total() - now.energy.total();
        let collisions = now.energy.lost_in_collisions - self.book.energy.lost_in_collisions;
        let known = collisions + change.damping + change.friction + change.contacts;
        let parts = [
            ("collisions", collisions),
            ("damping", change.damping),
            ("friction", change.friction),
            ("contacts", change.contacts),
            ("integrator", dissipated + change.pushes - known),
        ];
        line.dissipated = Quantity::binary64(dissipated);
        // There is one zero only: -0 + 0 is 0.
        let parts = parts.map(|(name, part)| (name.to_owned(), Quantity::binary64(part + 0.0)));
        line.dissipation = Some(parts.into());
        if self.world.has_pushes() {
            line.work = Some(Quantity::binary64(change.pushes));
        }
        self.book = now;
    }
}

/// Keeps the last problem of forces, and passes all on.
struct LastForces<'a> {
    inner: &'a mut dyn Observer,
    last: trajectory::Lcp,
}

impl Observer for LastForces<'_> {
    fn lcp(&mut self, event: &LcpEvent<'_>) {
        if event.kind == LcpKind::Forces {
            self.last = lcp(event);
        }
        self.inner.lcp(event);
    }

    fn instead(&mut self, event: &LcpEvent<'_>) -> Option<Vec<f64>> {
        self.inner.instead(event)
    }

    fn wants_pieces(&self) -> bool {
        self.inner.wants_pieces()
    }

    fn piece(&mut self, piece: &Piece) {
        self.inner.piece(piece);
    }
}

/// An LCP as a line of a trajectory shows it.
fn lcp(event: &LcpEvent<'_>) -> trajectory::Lcp {
    let basis = event.clamped.iter().map(|&c| if c { '1' } else { '0' });
    trajectory::Lcp {
        n: event.b.len() as u64,
        pivots: Some(event.pivots),
        basis: basis.collect(),
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

fn energy(now: &Snapshot) -> trajectory::Energy {
    trajectory::Energy {
        kinetic: Quantity::binary64(now.energy.kinetic),
        potential: Quantity::binary64(now.energy.potential),
        ..Default::default()
    }
}

/// The impulses along the tangents, as trajectories have them: of friction, one where there is any.
fn tangential(contact: &ContactForce, h: f64) -> Vec<Quantity> {
    let rubs = contact.friction != 0.0;
    let impulse = rubs.then(|| Quantity::binary64(contact.friction * h));
    impulse.into_iter().collect()
}

fn moving(world: &World) -> Vec<usize> {
    let outlines = world.outlines();
    let moving = outlines.iter().enumerate();
    let moving = moving.filter(|(_, outline)| !outline.fixed);
    moving.map(|(i, _)| i).collect()
}

fn coordinates(world: &World, now: &Snapshot) -> (Vec<Quantity>, Vec<Quantity>) {
    let bodies: Vec<_> = moving(world).into_iter().map(|i| &now.bodies[i]).collect();
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

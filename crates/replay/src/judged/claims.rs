//! What a line says of its step beside states and impulses, held against both: which contacts gained, by which faces corners were
//! entered, what the solutions are, and what turning gained.

use etalon_engines::motion::{Breaches, MotionContact, MotionLaw, MotionStep, Rounding};
use etalon_golden::trajectory::{Entry, Lcp, Line, Quantity};
use etalon_lcp::short_text;
use rug::Rational;

use super::line::{number, numbers};

/// Roundings of a sum of a few products.
const FEW: u32 = 24;

/// What a line says that its own numbers refute.
///
/// # Errors
/// The field that cannot be what it is, whatever the numbers are.
pub fn claims(
    (line, step): (&Line, &MotionStep),
    has_surfaces: bool,
    rounding: &Rounding,
    found: &mut Breaches,
) -> Result<(), String> {
    basis("lcp", &line.lcp)?;
    let claims = Claims {
        has_surfaces,
        line,
        step,
        rounding,
    };
    claims.gains(found);
    for words in claims.entries() {
        named(found, "entry", words);
    }
    claims.solutions(found)?;
    claims.turning(found)
}

/// A basis has as many digits as the problem has unknowns.
pub fn basis(field: &str, own: &Lcp) -> Result<(), String> {
    let digits = own.basis.chars().filter(|own| matches!(own, '0' | '1'));
    let (digits, length) = (digits.count() as u64, own.basis.chars().count() as u64);
    if own.basis.is_empty() && own.sha256.is_empty() || digits == own.n && length == own.n {
        return Ok(());
    }
    let (basis, n) = (&own.basis, own.n);
    Err(format!(
        "the field \"{field}.basis\" is {basis:?}, and has not {n} digits 0 or 1, as the field \"{field}.n\" says"
    ))
}

/// A field that names what it cannot.
fn named(found: &mut Breaches, field: &str, words: String) {
    let at = (MotionLaw::Data, field.to_owned());
    found.report(at, Rational::from(1), ("name", Rational::new()), words);
}

struct Claims<'a> {
    /// Whether bodies have implicit surfaces. There `flight_gain` is what inertia adds by itself, which no part of `dissipation` has.
    has_surfaces: bool,
    line: &'a Line,
    step: &'a MotionStep,
    rounding: &'a Rounding,
}

impl Claims<'_> {
    fn recorded(&self, name: &str) -> bool {
        self.line.contacts.iter().any(|own| own.pair == name)
    }

    /// Contacts named in `gains` are those that push while their bodies part, bounces left out.
    fn gains(&self, found: &mut Breaches) {
        let Some(gains) = &self.line.gains else {
            return;
        };
        for name in gains.iter().filter(|own| !self.recorded(own)) {
            let words = format!("it names {name:?}, which is the pair of no contact");
            named(found, "gains", words);
        }
        if self.has_surfaces {
            // There a gap that is concave gains nothing, however fast its points part at the end.
            return;
        }
        let bounces = self.line.bounces.as_deref().unwrap_or_default();
        for own in &self.step.contacts {
            let (rate, error) = self.parting(own);
            let told = gains.contains(&own.name);
            let gained = Rational::from(&rate * &own.pressed);
            let tolerance = Rational::from(&error * &own.pressed);
            let words = if told && (own.pressed <= 0 || gained < -tolerance.clone()) {
                "gains names it, and it gave no energy"
            } else if !told && !bounces.contains(&own.name) && gained > tolerance {
                "it gave energy, and gains does not name it"
            } else {
                continue;
            };
            let at = (MotionLaw::Data, format!("contact {}", own.name));
            found.report(at, gained, ("J", tolerance), words.to_owned());
        }
    }

    /// How fast the bodies of a contact part at the end, and by how much that may be off.
    fn parting(&self, own: &MotionContact) -> (Rational, Rational) {
        let after = &self.step.v[1];
        let mut rate = Rational::new();
        let (mut sizes, mut entries) = (Rational::new(), Rational::new());
        for (j, row) in &own.normal {
            let term = Rational::from(row * &after[*j]);
            sizes += term.clone().abs();
            entries += row.clone().abs();
            rate += term;
        }
        let slack = Rational::from(&own.slop / &self.step.h);
        let mut error = (sizes * &self.rounding.relative + entries * &self.rounding.absolute) * FEW;
        error += Rational::from(&self.rounding.declared * &rate).abs() + &own.still + slack;
        for (j, off) in &own.uncertain {
            error += after[*j].clone().abs() * off;
        }
        (rate, error)
    }

    /// Faces of `entry` are those of obstacles, one of each, and what pushes at a corner is one of them: what does not hold.
    fn entries(&self) -> Vec<String> {
        let names: &[String] = match &self.line.entry {
            None => return Vec::new(),
            Some(Entry::Outside) => &[],
            Some(Entry::Face(name)) => std::slice::from_ref(name),
            Some(Entry::Faces(names)) => names,
        };
        let mut found = Vec::new();
        for (i, name) in names.iter().enumerate() {
            if !self.recorded(name) {
                found.push(format!(
                    "it names {name:?}, which is the pair of no contact"
                ));
            }
            if names[..i].contains(name) {
                found.push(format!("it names {name:?} twice"));
            }
        }
        for corner in &self.step.corners {
            let faces = corner.iter().filter_map(|i| self.step.contacts.get(*i));
            let faces: Vec<_> = faces.filter(|own| self.recorded(&own.name)).collect();
            // With one face near, the obstacle is a wall.
            if faces.len() < 2 {
                continue;
            }
            let mut entered = faces.iter().filter(|own| names.contains(&own.name));
            if let (Some(one), Some(other)) = (entered.next(), entered.next()) {
                let [one, other] = [one, other].map(|own| &own.name);
                found.push(format!(
                    "it names {one:?} and {other:?}, faces of one obstacle"
                ));
            }
            let pushes = |own: &&&MotionContact| own.pressed > 0 && !names.contains(&own.name);
            let pushing = faces.iter().filter(pushes).map(|own| {
                format!("it does not name {:?}, which pushes; a corner pushes along the face that it is entered by", own.name)
            });
            found.extend(pushing);
        }
        found
    }

    /// `family`, `pieces` and `unlisted` fit each other, and the impulses of the line are between those of the vertices.
    fn solutions(&self, found: &mut Breaches) -> Result<(), String> {
        let line = self.line;
        let wrong = |why: &str| Err(format!("the field \"family\" is {why}"));
        let vertices = match (&line.family, &line.unlisted) {
            (Some(None), None) => {
                return wrong("null, and the field \"unlisted\" does not say why");
            }
            (None, Some(_)) => return wrong("missing, and the field \"unlisted\" is there"),
            (Some(Some(_)), Some(_)) => {
                return wrong("not null, and the field \"unlisted\" is there");
            }
            (None, None) | (Some(None), Some(_)) => &[][..],
            (Some(Some(vertices)), None) => vertices,
        };
        self.check_pieces(vertices.len())?;
        let each = self.vertices(vertices)?;
        let rays = line.pieces.iter().flatten().flat_map(|own| &own.rays);
        let open: Result<Vec<_>, _> = rays.map(|ray| numbers("pieces[].rays", ray)).collect();
        let open = open?;
        for (i, own) in line.contacts.iter().enumerate() {
            let of_face = each.iter().filter_map(|own| own.get(i));
            let (Some(least), Some(most)) = (of_face.clone().min(), of_face.max()) else {
                continue;
            };
            let pushed = number(&format!("contacts[{i}].normal"), &own.normal)?;
            let mut rays = open.iter().filter_map(|ray| ray.get(i));
            let most = (most, rays.any(|own| *own != 0));
            self.between(found, &own.pair, &pushed, (least, most));
        }
        Ok(())
    }

    /// As many impulses of each vertex as there are faces, at least, and as of the others.
    fn vertices(&self, vertices: &[Vec<Quantity>]) -> Result<Vec<Vec<Rational>>, String> {
        let faces = self.line.contacts.len();
        let vertex = |(i, vertex): (usize, &Vec<Quantity>)| {
            let field = format!("family[{i}]");
            let own = numbers(&field, vertex)?;
            if own.len() >= faces && own.len() == vertices[0].len() {
                return Ok(own);
            }
            Err(format!(
                "the field {field:?} has {} numbers, and the line {faces} faces with an impulse each, before those of friction",
                own.len()
            ))
        };
        vertices.iter().enumerate().map(vertex).collect()
    }

    /// An impulse is between those of the vertices; above, where a ray lets it grow.
    fn between(
        &self,
        found: &mut Breaches,
        pair: &str,
        pushed: &Rational,
        (least, (most, is_open)): (&Rational, (&Rational, bool)),
    ) {
        let room = Rational::from(&self.rounding.relative * most) * FEW
            + Rational::from(&self.rounding.declared * most);
        let (over, under) = (
            Rational::from(pushed - most),
            Rational::from(pushed - least),
        );
        let off = match (over > room && !is_open, under < -room.clone()) {
            (true, _) => over,
            (_, true) => under,
            _ => return,
        };
        let [pushed, least, most] = [pushed, least, most].map(short_text);
        let words = format!("it pushes with {pushed} N s, and family has {least} to {most} N s");
        let at = (MotionLaw::Data, format!("contact {pair}"));
        found.report(at, off, ("N s", room), words);
    }

    /// Pieces are made of vertices that are there.
    fn check_pieces(&self, vertices: usize) -> Result<(), String> {
        let pieces = self.line.pieces.iter().flatten().enumerate();
        for (i, piece) in pieces {
            if let Some(own) = piece.vertices.iter().find(|own| **own >= vertices) {
                return Err(format!(
                    "the field \"pieces[{i}].vertices\" has {own}, and the field \"family\" {vertices} entries, counted from 0"
                ));
            }
        }
        Ok(())
    }

    /// Of Egan and Trinkle's bodies that turn in space `flight_gain` is what the part `inertial` took, with the sign turned.
    fn turning(&self, found: &mut Breaches) -> Result<(), String> {
        let Some(gain) = &self.line.flight_gain else {
            return Ok(());
        };
        if self.has_surfaces {
            return Ok(());
        }
        let gain = number("flight_gain", gain)?;
        let parts = self.line.dissipation.as_ref();
        let Some(taken) = parts.and_then(|own| own.get("inertial")) else {
            return Err("the field \"flight_gain\" is there, and the field \"dissipation\" has no \"inertial\"".to_owned());
        };
        let off = number("dissipation.inertial", taken)? + &gain;
        let room = Rational::from(&self.rounding.relative * &gain).abs() * FEW;
        if off.clone().abs() > room {
            let words = format!(
                "{} J are recorded, and dissipation.inertial has {} J",
                short_text(&gain),
                short_text(&Rational::from(&off - &gain))
            );
            let at = (MotionLaw::EnergyIdentity, "flight_gain".to_owned());
            found.report(at, off, ("J", room), words);
        }
        Ok(())
    }
}

//! The sets of constraint forces.

use etalon_lcp::Number;
use etalon_lcp::record::{Fields, RecordError};

use super::fields::{Result, Unknown, check_length, objects, one_or_list};

/// The set of the forces of one row, or of the rows of a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Set {
    /// Any force: w = 0.
    Equality(usize),
    /// |f| <= bound.
    Box(usize, Number),
    /// f >= 0.
    Nonnegative(usize),
    /// f_0 >= |(f_j / mu_j)|, the normal row first, then one row for each mu > 0.
    Cone(usize, Vec<Number>),
    /// |(f_j / mu_j)| <= bound, one row for each mu > 0 from the first: friction under a normal force that is given.
    Disc(usize, Vec<Number>, Number),
    /// The same, bounded by the force of the normal row, which is in another set: torsion and rolling beside friction.
    Turning(usize, Vec<Number>, usize),
    /// f >= 0 in all rows, and their sum at most mu times the force of the normal row, which is in another set: weights of
    /// the directions of a pyramid of friction.
    Pyramid(std::ops::Range<usize>, Number, usize),
}

impl Set {
    /// Its rows.
    pub fn rows(&self) -> std::ops::Range<usize> {
        match self {
            Self::Equality(i) | Self::Box(i, _) | Self::Nonnegative(i) => *i..*i + 1,
            Self::Cone(first, mu) => *first..*first + 1 + mu.len(),
            Self::Disc(first, mu, _) | Self::Turning(first, mu, _) => *first..*first + mu.len(),
            Self::Pyramid(rows, ..) => rows.clone(),
        }
    }

    /// The normal row of another set, whose force bounds those of this one.
    pub fn bounded_by(&self) -> Option<usize> {
        match self {
            Self::Turning(_, _, normal) | Self::Pyramid(_, _, normal) => Some(*normal),
            _ => None,
        }
    }

    /// Whether its forces are bounded: then the motion is unique without R, too.
    pub fn is_bounded(&self) -> bool {
        matches!(self, Self::Box(..) | Self::Disc(..))
    }
}

/// A set, and which of the record's `sets` it comes from.
struct Placed {
    at: usize,
    set: Set,
}

/// The sets, which cover each row once.
pub(super) fn sets(
    fields: &mut Fields<'_>,
    nefc: usize,
    unknown: &mut Unknown,
) -> Result<Vec<Set>> {
    let mut sets = Vec::new();
    for (at, raw) in objects(fields, "sets")?.into_iter().enumerate() {
        let place = format!("sets[{at}]");
        let own = set(raw.get(), nefc, &place, unknown).map_err(|error| error.inside(&place))?;
        sets.extend(own.into_iter().map(|set| Placed { at, set }));
    }
    sets.sort_by_key(|own: &Placed| own.set.rows().start);
    let mut next = 0;
    for own in &sets {
        let rows = own.set.rows();
        if rows.start > next {
            break;
        }
        if rows.start < next {
            return Err(twice(&sets, rows.start));
        }
        next = rows.end;
    }
    if next != nefc {
        return Err(RecordError::new("sets", format!("row {next} is in no set")));
    }
    check_normals(&sets, nefc)?;
    Ok(sets.into_iter().map(|own| own.set).collect())
}

/// That a row is in more than one set.
fn twice(sets: &[Placed], row: usize) -> RecordError {
    let own = sets.iter().filter(|own| own.set.rows().contains(&row));
    let mut places: Vec<_> = own.map(|own| own.at).collect();
    places.sort_unstable();
    let (place, why) = match places[..] {
        [first, second, ..] if first != second => (
            format!("sets[{second}]"),
            format!("row {row} is in sets[{first}], too; each row is in one set"),
        ),
        [only, ..] => (format!("sets[{only}]"), format!("row {row} is named twice")),
        [] => ("sets".to_owned(), format!("row {row} is in two sets")),
    };
    RecordError::new(place, why)
}

/// What bounds friction is a force of one sign: a nonnegative row, or the first of a cone.
fn check_normals(sets: &[Placed], nefc: usize) -> Result<()> {
    let is_normal = |row: usize| {
        sets.iter().any(|own| match &own.set {
            Set::Nonnegative(own) | Set::Cone(own, _) => *own == row,
            _ => false,
        })
    };
    // Those of the record in its order.
    let mut bounded: Vec<_> = sets
        .iter()
        .filter_map(|own| Some((own.at, own.set.bounded_by()?)))
        .collect();
    bounded.sort_unstable();
    let Some((at, row)) = bounded.into_iter().find(|(_, row)| !is_normal(*row)) else {
        return Ok(());
    };
    let holder = sets.iter().find(|own| own.set.rows().contains(&row));
    let why = match holder {
        Some(own) => format!(
            "row {row}, of sets[{}], is neither nonnegative nor the first of a cone",
            own.at
        ),
        None => format!("row {row} must be below {nefc}, the rows of J"),
    };
    Err(RecordError::new(format!("sets[{at}].normal"), why))
}

fn set(raw: &str, nefc: usize, place: &str, unknown: &mut Unknown) -> Result<Vec<Set>> {
    let mut fields = Fields::of(raw)?;
    let kind: String = fields.require("kind")?;
    let own = match kind.as_str() {
        "equality" => range(&mut fields, nefc)?.map(Set::Equality).collect(),
        "nonnegative" => {
            let rows = listed(&mut fields, nefc)?.into_iter();
            rows.map(Set::Nonnegative).collect()
        }
        "box" => boxes(&mut fields, nefc)?,
        "cone" => {
            let (first, mu) = round(&mut fields, 1, nefc)?;
            vec![Set::Cone(first, mu)]
        }
        "disc" => {
            let (first, mu) = round(&mut fields, 0, nefc)?;
            vec![match fields.take::<usize>("normal")? {
                Some(_) if fields.take_raw("bound").is_some() => {
                    let why = "the forces of a disc are at most `bound`, or at most the force of the row `normal`: leave one out";
                    return Err(RecordError::new("bound", why));
                }
                Some(normal) => Set::Turning(first, mu, normal),
                None => Set::Disc(first, mu, not_negative(&mut fields, "bound")?),
            }]
        }
        "pyramid" => {
            let rows = range(&mut fields, nefc)?;
            if rows.is_empty() {
                return Err(RecordError::new("rows", "a pyramid has a row at least"));
            }
            let mu = not_negative(&mut fields, "mu")?;
            vec![Set::Pyramid(rows, mu, fields.require("normal")?)]
        }
        other => {
            let why =
                format!("{other:?} is none of equality, box, nonnegative, cone, disc, pyramid");
            return Err(RecordError::new("kind", why));
        }
    };
    unknown.note(place, fields);
    Ok(own)
}

fn not_negative(fields: &mut Fields<'_>, name: &'static str) -> Result<Number> {
    let own: Number = fields.require(name)?;
    match own.signum() < 0 {
        true => Err(RecordError::new(name, format!("{own} is negative"))),
        false => Ok(own),
    }
}

/// `first` and `mu` of a cone or a disc, whose rows are so many before those of mu, and one for each mu.
fn round(fields: &mut Fields<'_>, before: usize, nefc: usize) -> Result<(usize, Vec<Number>)> {
    let first: usize = fields.require("first")?;
    let mu: Vec<Number> = fields.require("mu")?;
    if let Some(k) = mu.iter().position(|mu| mu.signum() <= 0) {
        let why = format!(
            "{} must be positive; a contact without friction is a nonnegative row",
            mu[k]
        );
        return Err(RecordError::new(format!("mu[{k}]"), why));
    }
    if mu.is_empty() || mu.len() > etalon_lcp::MAX_DISC_ROWS {
        let why = format!(
            "{} coefficients; there are 1 to {}",
            mu.len(),
            etalon_lcp::MAX_DISC_ROWS
        );
        return Err(RecordError::new("mu", why));
    }
    let end = first.saturating_add(before + mu.len());
    if end > nefc {
        let why = format!("its rows end at {end}, J has {nefc}");
        return Err(RecordError::new("first", why));
    }
    Ok((first, mu))
}

/// `rows`: [from, to), within the rows of J.
fn range(fields: &mut Fields<'_>, nefc: usize) -> Result<std::ops::Range<usize>> {
    let rows: Vec<usize> = fields.require("rows")?;
    let [from, to] = rows[..] else {
        let why = format!(
            "{} numbers; a range [from, to) has two, the first row and the one after the last",
            rows.len()
        );
        return Err(RecordError::new("rows", why));
    };
    if from > to || to > nefc {
        let why = format!("[{from}, {to}] is no range [from, to) within the {nefc} rows of J");
        return Err(RecordError::new("rows", why));
    }
    Ok(from..to)
}

fn boxes(fields: &mut Fields<'_>, nefc: usize) -> Result<Vec<Set>> {
    let raw = fields
        .take_raw("bound")
        .ok_or_else(|| fields.missing("bound"))?;
    let bounds = one_or_list(raw, "bound")?;
    if let Some(k) = bounds.iter().position(|own| own.signum() < 0) {
        let place = match bounds.len() {
            1 => "bound".to_owned(),
            _ => format!("bound[{k}]"),
        };
        return Err(RecordError::new(
            place,
            format!("{} is negative", bounds[k]),
        ));
    }
    let rows = match fields.take::<usize>("row")? {
        Some(row) => vec![row],
        None => listed(fields, nefc)?,
    };
    check_rows(&rows, nefc)?;
    check_length(&bounds, "bound", rows.len())?;
    let boxes = rows.into_iter().zip(bounds);
    Ok(boxes.map(|(row, bound)| Set::Box(row, bound)).collect())
}

/// `rows`: a list.
fn listed(fields: &mut Fields<'_>, nefc: usize) -> Result<Vec<usize>> {
    let rows: Vec<usize> = fields.require("rows")?;
    check_rows(&rows, nefc)?;
    Ok(rows)
}

fn check_rows(rows: &[usize], nefc: usize) -> Result<()> {
    match rows.iter().position(|row| *row >= nefc) {
        Some(k) => {
            let why = format!("row {} must be below {nefc}, the rows of J", rows[k]);
            Err(RecordError::new(format!("rows[{k}]"), why))
        }
        None => Ok(()),
    }
}

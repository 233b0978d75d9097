//! Friction cones in records: `{"rows": [n, t1, ...], "mu": m}` for one disc, `{"normal": n, "discs":
//! [{"rows": [...], "mu": m}, ...]}` for any number of them.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

use super::fields::{self, Fields};
use super::write::{array, number, numbers};
use super::{RecordError, token};
use crate::cone::{Cone, Disc, Law, Mu};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ConeToken {
    rows: Option<Vec<usize>>,
    mu: Option<Mu>,
    normal: Option<usize>,
    discs: Option<Vec<DiscToken>>,
    law: Option<LawToken>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct DiscToken {
    rows: Vec<usize>,
    mu: Mu,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum LawToken {
    Coulomb,
    Convex,
}

/// A number, or a list of numbers.
impl<'de> Deserialize<'de> for Mu {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        if !raw.starts_with('[') {
            return token::number(raw).map(Self::One).map_err(D::Error::custom);
        }
        let each: Vec<&RawValue> = serde_json::from_str(raw).map_err(D::Error::custom)?;
        let each = each.iter().enumerate().map(|(k, raw)| {
            let at_entry = |error| D::Error::custom(format_args!("entry {k}: {error}"));
            token::number(raw.get()).map_err(at_entry)
        });
        each.collect::<Result<_, _>>().map(Self::Each)
    }
}

/// Takes the field out; none where it is absent.
pub(super) fn read(fields: &mut Fields<'_>) -> Result<Vec<Cone>, RecordError> {
    fields.take_raw("cones").map_or(Ok(Vec::new()), read_cones)
}

/// Reads the value of the field `cones` of a problem record.
///
/// # Errors
/// [`RecordError`] naming the place and the token.
pub fn read_cones(text: &str) -> Result<Vec<Cone>, RecordError> {
    let tokens: Vec<ConeToken> = fields::parse("cones", text)?;
    let cones = tokens.into_iter().enumerate();
    let cones = cones.map(|(entry, token)| {
        cone(token).map_err(|why| RecordError::new(format!("cones[{entry}]"), why))
    });
    // Without the rest of the place of the tokens, which take more than twice as much.
    cones.collect::<Result<Box<[_]>, _>>().map(Vec::from)
}

fn cone(token: ConeToken) -> Result<Cone, &'static str> {
    let law = match token.law {
        Some(LawToken::Convex) => Law::Convex,
        Some(LawToken::Coulomb) | None => Law::Coulomb,
    };
    let disc = |rows: Vec<usize>, mu| Disc { rows, mu };
    let (normal, discs) = match (token.rows, token.mu, token.normal, token.discs) {
        (Some(rows), Some(mu), None, None) => {
            let (normal, tangential) = rows
                .split_first()
                .ok_or("rows is empty: the normal row comes first")?;
            (*normal, vec![disc(tangential.to_vec(), mu)])
        }
        (None, None, Some(normal), Some(discs)) => {
            let discs = discs.into_iter().map(|token| disc(token.rows, token.mu));
            (normal, discs.collect())
        }
        _ => return Err("a cone has rows and mu, or normal and discs"),
    };
    Ok(Cone { normal, discs, law })
}

/// The entry of a cone.
pub(super) fn write(cone: &Cone) -> String {
    let rows = |rows: &mut dyn Iterator<Item = usize>| array(rows.map(|row| row.to_string()));
    let mu = |mu: &Mu| match mu {
        Mu::One(one) => number(one),
        Mu::Each(each) => numbers(each),
    };
    let law = cone.law.word();
    if let [disc] = &cone.discs[..] {
        let (rows, mu) = (rows(&mut cone.rows()), mu(&disc.mu));
        return format!("{{\"rows\":{rows},\"mu\":{mu},\"law\":\"{law}\"}}");
    }
    let discs = cone.discs.iter().map(|disc| {
        let rows = rows(&mut disc.rows.iter().copied());
        format!("{{\"rows\":{rows},\"mu\":{}}}", mu(&disc.mu))
    });
    let (normal, discs) = (cone.normal, array(discs));
    format!("{{\"normal\":{normal},\"discs\":{discs},\"law\":\"{law}\"}}")
}

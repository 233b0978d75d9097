//! The law of friction that an answer obeys, in words.

use etalon_contact_forces::StaticLaw;

/// That a pyramid takes the place of the circular cone, where it does: all that is said of answers is
/// then said of the pyramid.
pub fn in_place(law: StaticLaw) -> Option<String> {
    match law {
        StaticLaw::Coulomb => None,
        pyramid => Some(format!(
            "Static friction is bounded by {pyramid} at each contact, in place of Coulomb's circular cone. What follows is so for the pyramid."
        )),
    }
}

/// What forces satisfy: the laws, or the conditions of a pyramid in their place.
pub fn conditions(law: StaticLaw) -> String {
    match law {
        StaticLaw::Coulomb => "the laws".to_owned(),
        pyramid => format!("the conditions of {pyramid}"),
    }
}

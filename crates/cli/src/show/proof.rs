//! What a certificate proves, in words.

use etalon_evidence::measure::figures::four_digits_up;
use etalon_lcp::{
    Certificate, Cover, CoverNode, Enclosure, Mode, Number, PMatrixProof, format_f64, round_up_f64,
};

use crate::system::{rounded, some};

/// What a certificate says of a problem that is pure, or has bounds, friction rows or cones.
pub fn proof(certificate: &Certificate, is_pure: bool) -> String {
    match certificate {
        Certificate::Farkas { y } if is_pure => {
            let y = vector(y);
            format!("y = {y} has y >= 0, M'y <= 0 and q'y < 0 (Farkas)")
        }
        Certificate::Farkas { y } => {
            let y = vector(y);
            format!("the rows weighted by y = {y} contradict the bounds on z and w (Farkas)")
        }
        Certificate::Cover(cover) => format!("{}, all of whose leaves are empty", tree(cover)),
        Certificate::Enumeration(cover) => {
            format!("{}, whose leaves hold all solutions", tree(cover))
        }
        Certificate::SymmetricPsd => "M is symmetric positive semidefinite".to_owned(),
        Certificate::PMatrix(PMatrixProof::PositiveDefinite) => {
            "M is a P-matrix: it is positive definite".to_owned()
        }
        Certificate::PMatrix(PMatrixProof::DiagonallyDominant { .. }) => {
            "M is a P-matrix: with weights it is dominated by its positive diagonal".to_owned()
        }
        Certificate::PMatrix(PMatrixProof::PrincipalMinors) => {
            "M is a P-matrix: all its principal minors are positive".to_owned()
        }
        Certificate::SecondSolution { z } => format!("another solution, z = {}", vector(z)),
        Certificate::Enclosure(enclosure) => enclosed(enclosure),
        Certificate::ConeFeasible { z } => format!(
            "there is a solution, because w is inside all dual cones at z = {}",
            vector(z)
        ),
        Certificate::Contraction { theta, .. } => {
            let theta = format_f64(theta.to_f64());
            format!(
                "friction is weak beside its coupling (a contraction by {theta}): there is a solution, and all have the same w"
            )
        }
        _ => "of a kind that this program does not know".to_owned(),
    }
}

fn vector(values: &[Number]) -> String {
    format!("({})", some(values.iter().map(Number::to_string)))
}

/// "a tree of 5 choices between z_i = 0 and w_i = 0".
fn tree(cover: &Cover) -> String {
    let nodes = cover.nodes.len();
    let has_contact = |node: &CoverNode| matches!(node, CoverNode::Contact { .. });
    let choices = if cover.nodes.iter().any(has_contact) {
        "of what contacts do and between z_i = 0 and w_i = 0"
    } else {
        "between z_i = 0 and w_i = 0"
    };
    format!("a tree of {nodes} choices {choices}")
}

/// Where the solution is, how exactly that is known, and what the contacts do there.
fn enclosed(enclosure: &Enclosure) -> String {
    let center = enclosure.center.iter().map(rounded);
    let radius = enclosure.radius.iter().map(Number::to_rational).max();
    let radius = four_digits_up(round_up_f64(&radius.unwrap_or_default()));
    let count = |of: fn(&Mode) -> bool| enclosure.modes.iter().filter(|mode| of(mode)).count();
    let slides = count(|mode| matches!(mode, Mode::Pressed(discs) if discs.contains(&true)));
    let sticks = count(|mode| matches!(mode, Mode::Pressed(discs) if !discs.contains(&true)));
    let open = count(|mode| matches!(mode, Mode::Open));
    format!(
        "a solution z = ({}), known to within {radius} by Krawczyk's theorem; contacts that slide: {slides}, stick: {sticks}, are open: {open}",
        some(center)
    )
}

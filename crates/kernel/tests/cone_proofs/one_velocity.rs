//! One velocity: weak friction contracts.

use super::*;

fn contracts(problem: &Contacts, h: &str, theta: &str) -> Result<Option<Unique>, Refusal> {
    let mut truth = Truth::default();
    truth.add_contraction(problem, &vector(h), &number(theta), &Budget::default())?;
    assert_eq!(truth.proved().solvable, Some(true));
    Ok(truth.proved().unique)
}

#[test]
fn weak_friction_has_one_velocity() {
    // W = [2 1; 1 2] on N and one tangent: h <= 3/2, and W_TT = 2 <= theta h / mu^2.
    let own = |mu: &str| alone("2 1 0 -1; 1 2 0 5; 0 0 2 1", &format!("{mu} {mu}"), Law::Coulomb);
    assert_eq!(contracts(&own("1/2"), "3/2", "1/3").unwrap(), Some(Unique::Z));
    assert_eq!(contracts(&own("1/2"), "1", "1/2").unwrap(), Some(Unique::Z));
    let negative = "not positive semidefinite: a pivot is negative";
    assert_eq!(contracts(&own("1/2"), "8/5", "1/2").unwrap_err().why, negative);
    assert_eq!(contracts(&own("1/2"), "3/2", "1/4").unwrap_err().why, negative);
    assert_eq!(contracts(&own("1"), "3/2", "99/100").unwrap_err().why, negative);
    let theta = "theta is not from 0 to below 1";
    for wrong in ["1", "-1/2", "2"] {
        assert_eq!(contracts(&own("1/2"), "3/2", wrong).unwrap_err().why, theta);
    }
    let h = "h has not a positive number for each cone";
    for wrong in ["0", "-1", "", "1 1"] {
        assert_eq!(contracts(&own("1/2"), wrong, "1/3").unwrap_err().why, h);
    }
    let mut convex = own("1/2");
    convex.cones[0].law = Law::Convex;
    assert_eq!(contracts(&convex, "1", "1/2").unwrap_err().why, "a contact has the convex law");
    let beside =
        contacts("2 1 0 0 0; 1 2 0 0 0; 0 0 2 0 0; 0 0 0 1 0", ".. .. .. 0..", own("1/2").cones);
    let plain = "a row is in no cone: only contacts contract";
    assert_eq!(contracts(&beside, "1", "1/2").unwrap_err().why, plain);
    for wrong in ["1/2", "-1/2 -1/2"] {
        let mut short = own("1/2");
        short.cones[0].discs[0].mu = vector(wrong);
        let no = contracts(&short, "1", "1/2").unwrap_err();
        assert_eq!(no.why, "no cone with so many rows");
    }
    // A semidefinite W leaves z open.
    let rolls = alone("2 0 0 -1; 0 2 2 5; 0 2 2 1", "1/4 1/4", Law::Coulomb);
    assert_eq!(contracts(&rolls, "2", "1/8").unwrap(), Some(Unique::W));
    // Without friction nothing is asked of tangents.
    let smooth = alone("2 0 0 -1; 0 2 0 5; 0 0 2 1", "0 0", Law::Coulomb);
    assert_eq!(contracts(&smooth, "2", "0").unwrap(), Some(Unique::Z));
    let mut unsymmetric = own("1/2");
    unsymmetric.data.rows[0][1] = number("9/8");
    assert_eq!(contracts(&unsymmetric, "1", "1/2").unwrap_err().why, "M is not symmetric here");
}

#[test]
fn two_discs_share_the_normal_force() {
    let cones = |mus: [&str; 2]| {
        let disc = |k: usize, mu: &str| Disc { rows: vec![k], mu: vector(mu), is_one: true };
        vec![Cone { normal: 0, discs: vec![disc(1, mus[0]), disc(2, mus[1])], law: Law::Coulomb }]
    };
    let own = |mus| contacts("1 0 0 -1; 0 1 0 2; 0 0 1 3", ".. .. ..", cones(mus));
    // 1 <= theta / (2 mu^2).
    assert!(contracts(&own(["1/2", "1/2"]), "1", "1/2").is_ok());
    assert!(contracts(&own(["1/2", "3/5"]), "1", "1/2").is_err());
    assert!(contracts(&own(["7/10", "7/10"]), "1", "99/100").is_ok());
}

#[test]
fn three_solutions_refute_that_there_is_one() {
    let own = alone("1 1 0 1; 1 2 0 5; 0 0 1 0", "2 2", Law::Coulomb);
    for h in ["1/100", "1/2", "1"] {
        for theta in ["0", "1/2", "999/1000"] {
            assert!(contracts(&own, h, theta).is_err());
        }
    }
}

//! Joints in a step (equation 8): eliminated or not, they lead to one motion.

use etalon_exact::Budget;
use etalon_rigid::{Covector, Dense, MassMatrix};
use etalon_time_stepping::{
    Bilateral, BilateralRow, ContactFrame, Dependent, Formulation, FrictionDirection, StepContact,
};
use rug::Rational;

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

fn row(entries: &[(usize, i64)]) -> Covector<Rational> {
    Covector::new(entries.iter().map(|(k, value)| (*k, q(*value, 1))))
}

/// Two particles of the plane, 1 and 2 kg: the first presses a floor with friction, and a rod along (3, 4)/5, which is
/// open by 1/10 m, holds the second.
fn joined() -> Formulation<Rational> {
    let mut mass = MassMatrix::empty();
    for (name, kilos) in [("one", 1), ("two", 2)] {
        let block = Dense::from_fn(2, 2, |i, j| q(if i == j { kilos } else { 0 }, 1));
        mass.push(name, block).unwrap();
    }
    let rod = Covector::new([(0, q(-3, 5)), (1, q(-4, 5)), (2, q(3, 5)), (3, q(4, 5))]);
    let rows = vec![BilateralRow {
        row: rod,
        offset: q(1, 1),
    }];
    let direction = |sign: i64| FrictionDirection {
        tangent: vec![q(sign, 1)],
        row: row(&[(0, sign)]),
    };
    Formulation {
        bilateral: Bilateral::new(&mass, rows).unwrap(),
        mass,
        h: q(1, 10),
        velocity: vec![q(1, 1), q(0, 1), q(0, 1), q(-2, 1)],
        impulse: vec![q(0, 1), q(-1, 1), q(0, 1), q(-2, 1)],
        contacts: vec![StepContact {
            index: 0,
            mu: q(1, 2),
            frame: ContactFrame {
                gap: q(0, 1),
                normal: row(&[(1, 1)]),
                directions: vec![direction(1), direction(-1)],
            },
            old_gap: q(0, 1),
            rebound: None,
        }],
        bounded: Vec::new(),
    }
}

#[test]
fn eliminated_joints_solve_the_mixed_problem() {
    let own = joined();
    let lcp = own.schur();
    let solver = etalon_exact::ExactMethod::Lemke.solver(&Budget::default());
    let answer = etalon_time_stepping::solve(&lcp, "joined", &*solver).unwrap();
    let velocity = own.velocity_after(&answer.z);
    let joints = own.joint_impulses(&answer.z);
    let held = &own.bilateral.rows()[0];
    assert_eq!(held.row.times(&velocity) + &held.offset, 0);
    assert!(joints[0] != 0 && answer.z[2] > 0);
    // Velocities, multipliers, and the unknowns of the Schur complement, in this order.
    let mixed = own.mixed().unwrap();
    let z: Vec<Rational> = velocity.into_iter().chain(joints).chain(answer.z).collect();
    for (i, q) in mixed.q().iter().enumerate() {
        let terms = mixed.m().row(i).map(|(j, m)| m.to_rational() * &z[j]);
        let w = terms.fold(q.to_rational(), |sum, term| sum + term);
        if mixed.bilateral()[i] {
            assert_eq!(w, 0, "row {i}");
        } else {
            assert!(w >= 0 && z[i] >= 0 && w * &z[i] == 0, "row {i}");
        }
    }
}

#[test]
fn a_row_that_depends_on_others_is_named_by_its_number() {
    let own = joined();
    let plain = |row: Covector<Rational>| BilateralRow {
        row,
        offset: q(0, 1),
    };
    let (a, b) = (row(&[(0, 1), (1, 2)]), row(&[(1, 1), (2, 1)]));
    let sum = a.plus(&q(-2, 3), &b);
    let rows = vec![plain(a), plain(b), plain(sum)];
    assert_eq!(Bilateral::new(&own.mass, rows).unwrap_err(), Dependent(2));
}

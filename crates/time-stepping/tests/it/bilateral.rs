//! Joints in a step (equation 8): eliminated or not, they lead to one motion.

use etalon_exact::Budget;
use etalon_rigid::{Covector, Dense, MassMatrix};
use etalon_time_stepping::{
    Bilateral, BilateralRow, ContactFrame, Formulation, FrictionDirection, StepContact,
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
        bilateral: Bilateral::new(&mass, rows, &q(0, 1)),
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

/// A row that is a combination of others changes no velocity: its multiplier is 0, and its equation follows from theirs.
#[test]
fn a_row_that_depends_on_others_is_implied() {
    let own = joined();
    let with = |rows: Vec<BilateralRow<Rational>>| Formulation {
        bilateral: Bilateral::new(&own.mass, rows, &q(1, 1 << 30)),
        ..joined()
    };
    let held = |row: Covector<Rational>, offset| BilateralRow { row, offset };
    let (a, b) = (row(&[(0, 1), (1, 2)]), row(&[(1, 1), (2, 1)]));
    let sum = a.plus(&q(-2, 3), &b);
    let two = vec![held(a.clone(), q(1, 2)), held(b.clone(), q(-3, 4))];
    for (offset, missed) in [(q(1, 1), q(0, 1)), (q(3, 1), q(2, 1))] {
        // 1/2 - 2/3 (-3/4) = 1.
        let mut three = two.clone();
        three.insert(2, held(sum.clone(), offset));
        let [plain, redundant] = [with(two.clone()), with(three)];
        let dependent = redundant.bilateral.dependent();
        assert_eq!(dependent.len(), 1);
        assert_eq!((dependent[0].row, &dependent[0].missed), (2, &missed));
        assert_eq!(dependent[0].shares, [(0, q(1, 1)), (1, q(-2, 3))]);
        assert!(plain.bilateral.dependent().is_empty());
        assert_eq!(redundant.schur(), plain.schur());
        let z = vec![q(0, 1); plain.schur().q.len()];
        assert_eq!(redundant.velocity_after(&z), plain.velocity_after(&z));
        let impulses = redundant.joint_impulses(&z);
        assert_eq!(impulses[..2], plain.joint_impulses(&z));
        assert_eq!(impulses[2], 0);
        assert_eq!(redundant.bilateral.heeded_offsets()[2], 1);
    }
    // Rows that nearly depend do, and those that are a little farther from it do not.
    for (bits, count) in [(40, 1), (20, 0)] {
        let near = sum.plus(&(q(1, 1) >> bits), &row(&[(3, 1)]));
        let mut rows = two.clone();
        rows.push(held(near, q(1, 1)));
        assert_eq!(with(rows).bilateral.dependent().len(), count, "{bits}");
    }
}

/// A row of a light body and a row that holds a heavy one to it are at an angle, however heavy: one body can move and the other stay.
/// By the inverse masses the sine of that angle would be 1e-7.
#[test]
fn a_heavy_body_makes_no_row_depend() {
    let mut mass = MassMatrix::empty();
    for (name, kilos) in [("light", 1), ("heavy", 100_000_000_000_000)] {
        mass.push(name, Dense::from_fn(1, 1, |_, _| q(kilos, 1)))
            .unwrap();
    }
    let rows = [row(&[(0, 1)]), row(&[(0, 1), (1, -1)])];
    let rows = rows.map(|row| BilateralRow {
        row,
        offset: q(0, 1),
    });
    let held = Bilateral::new(&mass, rows.to_vec(), &q(1, 1000));
    assert!(held.dependent().is_empty());
    let still = held.multipliers(&[q(3, 1), q(2, 1)]);
    assert!(still.iter().all(|own| *own != 0), "{still:?}");
}

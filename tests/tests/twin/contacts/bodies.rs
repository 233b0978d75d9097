//! Random bodies in mixed form whose velocities are rounding, or nearly so.

use super::draw::Dice;
use etalon_tests::twin::{Rational, parse};
use serde_json::{Value, json};

/// Three velocities with their rows, perhaps a joint, and one or two contacts of three rows.
#[expect(
    clippy::needless_range_loop,
    reason = "an entry stands in two places of M"
)]
pub fn at_rest(seed: u64) -> (Value, Value) {
    let mut dice = Dice(seed.wrapping_mul(0x9e6c_63d0_876a_3f6b) ^ 0x51);
    let joints = usize::from(dice.one_in(3));
    let contacts = if dice.one_in(2) { 2 } else { 1 };
    let (first, n) = (3 + joints, 3 + joints + 3 * contacts);
    let mut m = vec![vec![Rational::from(0); n]; n];
    let coupled = dice.one_in(2);
    for i in 0..3 {
        for j in 0..i {
            let entry = if coupled {
                dice.fraction()
            } else {
                Rational::from(0)
            };
            (m[i][j], m[j][i]) = (entry.clone(), entry);
        }
        m[i][i] = Rational::from(12) + dice.positive();
        // A block that may be singular.
        if coupled && dice.one_in(8) {
            m[i] = m[0].clone();
        }
    }
    for i in 3..n {
        for j in 0..3 {
            let entry = if dice.one_in(3) {
                Rational::from(0)
            } else {
                dice.fraction()
            };
            m[j][i] = -entry.clone();
            m[i][j] = entry;
        }
    }
    let noise = |dice: &mut Dice| {
        let size = ["0", "1e-17", "3e-17", "1e-12", "1e-10", "1e-9", "1e-4"];
        let at = usize::try_from(dice.below(12)).unwrap();
        dice.fraction() * parse(size.get(at).unwrap_or(&"1e-17")).unwrap()
    };
    let mut z: Vec<Rational> = (0..3).map(|_| noise(&mut dice)).collect();
    z.extend((0..joints).map(|_| dice.fraction()));
    for _ in 0..contacts {
        let normal = if dice.one_in(6) {
            Rational::from(0)
        } else {
            dice.positive()
        };
        let along = |share: i64| &normal * Rational::from_signeds(share, 10);
        let tangents = [along(3), along(-4)];
        z.push(normal);
        z.extend(tangents);
    }
    // The free rows hold, or nearly so; the others hold nothing but the velocities, or seldom more.
    let mut q = vec![Rational::from(0); n];
    for i in 0..3 {
        let sum: Rational = m[i].iter().zip(&z).map(|(a, b)| a * b).sum();
        q[i] = noise(&mut dice) * noise(&mut dice) - sum;
    }
    if dice.one_in(6) {
        q[n - 3] = noise(&mut dice);
    }
    let text = |values: &[Rational]| values.iter().map(ToString::to_string).collect::<Vec<_>>();
    let lower: Vec<_> = (0..n)
        .map(|i| if i < first { "-inf" } else { "0" })
        .collect();
    let rows: Vec<Vec<String>> = m.iter().map(|row| text(row)).collect();
    let law = if dice.one_in(3) { "convex" } else { "coulomb" };
    let cones: Vec<_> = (0..contacts)
        .map(|k| first + 3 * k)
        .map(|row| json!({"rows": [row, row + 1, row + 2], "mu": "1/2", "law": law}))
        .collect();
    let mut problem =
        json!({"name": "rest", "M": rows, "q": text(&q), "lower": lower, "cones": cones});
    if dice.one_in(4) {
        problem["blocks"] = json!([[0, 1, 2]]);
    }
    let claim = json!({"name": "rest", "label": "near", "status": "solved", "z": text(&z)});
    (problem, claim)
}

/// The same with soft joints: their rows hold, or nearly so, with compliances of many sizes, few of them negative.
pub fn with_soft_joints(seed: u64) -> (Value, Value) {
    let (mut problem, claim) = at_rest(seed);
    let mut dice = Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x35);
    let free = problem["lower"].as_array().unwrap();
    let free = free.iter().filter(|lower| **lower == "-inf").count();
    let z: Vec<Rational> = (claim["z"].as_array().unwrap().iter())
        .map(|value| parse(value.as_str().unwrap()).unwrap())
        .collect();
    for joint in 3..free {
        let sizes = ["1", "1/100", "1e-6", "1e-8", "1e-10", "1e-12"];
        let size = sizes[usize::try_from(dice.below(6)).unwrap()];
        let mut compliance = dice.positive() * parse(size).unwrap();
        let turn = dice.one_in(6);
        if turn {
            compliance = -compliance;
        }
        let mut sum = &compliance * &z[joint];
        for j in 0..3 {
            let entry = parse(problem["M"][joint][j].as_str().unwrap()).unwrap();
            let entry = if turn { -entry } else { entry };
            sum += &entry * &z[j];
            problem["M"][joint][j] = json!(entry.to_string());
        }
        // A sign that does not fit, or an entry that nothing answers.
        match dice.below(8) {
            0 => problem["M"][0][joint] = json!("1/3"),
            1 => problem["M"][1][joint] = json!("0"),
            _ => {}
        }
        problem["M"][joint][joint] = json!(compliance.to_string());
        let noise =
            ["0", "1e-17", "1e-12", "1e-9", "1e-7"][usize::try_from(dice.below(5)).unwrap()];
        let value = dice.fraction() * parse(noise).unwrap() - sum;
        problem["q"][joint] = json!(value.to_string());
    }
    (problem, claim)
}

/// The same with one or two rows that no force enters, and few that one does.
pub fn with_idle_rows(seed: u64) -> (Value, Value) {
    let (mut problem, claim) = at_rest(seed);
    let mut dice = Dice(seed.wrapping_mul(0x9fb2_1c65_1e98_df25) ^ 0x71);
    let n = problem["q"].as_array().unwrap().len();
    for _ in 0..=dice.below(2) {
        let idle = usize::try_from(dice.below(3)).unwrap();
        problem["q"][idle] = json!("0");
        for j in 3..n {
            if !dice.one_in(40) {
                let faint = if dice.one_in(6) { "1e-16" } else { "0" };
                problem["M"][idle][j] = json!(faint);
            }
            if dice.one_in(2) {
                problem["M"][j][idle] = json!("0");
            }
        }
    }
    if dice.one_in(8) {
        problem["scale"] = json!(vec!["1e-16"; n]);
    }
    (problem, claim)
}

//! A solution in a box around a point.

use super::*;

/// The inverse of a matrix, by elimination in binary64.
fn inverse(mut m: Vec<Vec<f64>>) -> Vec<Vec<Rational>> {
    let n = m.len();
    for (i, row) in m.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for k in 0..n {
        let p = (k..n).max_by(|a, b| m[*a][k].abs().total_cmp(&m[*b][k].abs())).unwrap();
        m.swap(k, p);
        let pivot = m[k][k];
        m[k].iter_mut().for_each(|own| *own /= pivot);
        for i in (0..n).filter(|i| *i != k) {
            let (factor, row) = (m[i][k], m[k].clone());
            m[i].iter_mut().zip(row).for_each(|(own, above)| *own -= factor * above);
        }
    }
    let fraction = |own: &f64| Rational::from_f64(*own).unwrap();
    m.iter().map(|row| row[n..].iter().map(fraction).collect()).collect()
}

struct Found {
    problem: Contacts,
    modes: Vec<Mode>,
    center: Vec<Rational>,
    radius: Vec<Rational>,
    implied: Vec<(usize, Vec<(usize, Rational)>)>,
    inverse: Vec<Vec<Rational>>,
}

impl Found {
    fn check(&self) -> Result<Proved, Refusal> {
        let Self { problem, modes, center, radius, implied, inverse } = self;
        let enclosure = Enclosure { modes, center, radius, implied, inverse };
        let mut truth = Truth::default();
        truth.add_enclosure(problem, enclosure, &Budget::default())?;
        Ok(truth.proved().clone())
    }

    fn refuses(&self, change: impl Fn(&mut Self)) -> &'static str {
        self.refused(change).why
    }

    fn refused(&self, change: impl Fn(&mut Self)) -> Refusal {
        let Self { problem, modes, center, radius, implied, inverse } = self;
        let mut own = Self {
            problem: problem.clone(),
            modes: modes.clone(),
            center: center.clone(),
            radius: radius.clone(),
            implied: implied.clone(),
            inverse: inverse.clone(),
        };
        change(&mut own);
        own.check().unwrap_err()
    }
}

/// 10^-k, so many times.
fn small(k: u32, times: usize) -> Vec<Rational> {
    vec![Rational::from((1, Integer::from(Integer::u_pow_u(10, k)))); times]
}

fn fractions(values: &[f64]) -> Vec<Rational> {
    values.iter().map(|own| Rational::from_f64(*own).unwrap()).collect()
}

/// w = r + q with q = (-1, -2, -1), mu = 1/2: r = (1, 2 t, t), t = 1 / (2 sqrt 5), an irrational slide.
fn slide() -> Found {
    let t = 0.5 / 5_f64.sqrt();
    // w_N = 0; 4 r_1^2 + 4 r_2^2 - r_N^2 = 0; 4 (w_2 r_1 - w_1 r_2) = 0.
    let (r1, r2) = (2.0 * t, t);
    let (w1, w2) = (r1 - 2.0, r2 - 1.0);
    let gradient = vec![
        vec![1.0, 0.0, 0.0],
        vec![-2.0, 8.0 * r1, 8.0 * r2],
        vec![0.0, 4.0 * (w2 - r2), 4.0 * (r1 - w1)],
    ];
    Found {
        problem: alone("1 0 0 -1; 0 1 0 -2; 0 0 1 -1", "1/2 1/2", Law::Coulomb),
        modes: vec![Mode::Pressed(vec![true])],
        center: fractions(&[1.0, r1, r2]),
        radius: vector("1/1000 1/1000 1/1000"),
        implied: vec![],
        inverse: inverse(gradient),
    }
}

#[test]
fn an_irrational_solution_is_enclosed() {
    let own = slide();
    let proved = own.check().unwrap();
    assert_eq!((proved.solvable, proved.unique, proved.solutions.len()), (Some(true), None, 0));
    assert_eq!(proved.boxes, [[own.center.clone(), own.radius.clone()]]);
    assert!(!proved.has_all_solutions);
    let grows = "the box is not mapped into itself";
    // Rounding moves the center by some 1e-17: a box as small is left, and a large one bends too much.
    assert_eq!(own.refuses(|own| own.radius = small(18, 3)), grows);
    assert_eq!(own.refuses(|own| own.radius = vector("2 2 2")), "r_N may be negative");
    assert_eq!(own.refuses(|own| own.radius = vector("1/10 1/3 1/10")), grows);
    assert_eq!(own.refuses(|own| own.inverse = vec![vector("0 0 0"); 3]), grows);
    assert_eq!(own.refuses(|own| own.inverse.swap(0, 1)), grows);
    assert_eq!(own.refuses(|own| own.center[1] += number("1/100")), grows);
    assert_eq!(own.refuses(|own| own.problem.cones[0] = cone(0, "2/3 2/3", Law::Coulomb)), grows);
    // The other zero of the equations pulls along with slip.
    assert_eq!(
        own.refuses(|own| own.center.iter_mut().skip(1).for_each(|own| *own = -own.clone())),
        "friction may not oppose slip, or r may be 0"
    );
    assert_eq!(
        own.refuses(|own| own.modes = vec![Mode::Pressed(vec![false])]),
        "r may be outside its cone"
    );
    assert_eq!(
        own.refuses(|own| own.modes = vec![Mode::Open]),
        "r is not 0 where the contact is open"
    );
    for wrong in [Mode::Free, Mode::Pressed(vec![]), Mode::Pressed(vec![true; 2])] {
        assert_eq!(
            own.refuses(|own| own.modes[0] = wrong.clone()),
            "it is no mode of this contact"
        );
    }
    let count = "there is not a mode for each row and contact";
    assert_eq!(own.refuses(|own| own.modes.push(Mode::Free)), count);
    assert_eq!(own.refuses(|own| own.radius[1] = -Rational::from(1)), "a radius is negative");
    let known = "its radius is 0 where z is unknown, or it is not where z is known";
    assert_eq!(own.refuses(|own| own.radius[0] = Rational::new()), known);
    let rows = "the inverse has not a row for each unknown";
    assert_eq!(own.refuses(|own| own.inverse.truncate(2)), rows);
    let entries = "a row of the inverse has not an entry for each unknown";
    assert_eq!(own.refuses(|own| own.inverse[2].truncate(2)), entries);
    let length = "center or radius has not n entries";
    assert_eq!(own.refuses(|own| own.center.truncate(2)), length);
    assert_eq!(own.refuses(|own| own.radius.truncate(2)), length);
    // By the convex law w_N = L r_N > 0 where it slides.
    assert_eq!(
        own.refuses(|own| own.problem.cones[0].law = Law::Convex),
        "r_N may be 0, or w_N negative, where it slides"
    );
}

#[test]
fn a_box_with_an_exact_middle_need_not_reach_far() {
    // 3-4-5: r = (1, -3/5, -4/5), w = (0, 3/5, 4/5); and the middle is exact.
    let mut own = slide();
    own.problem = alone("1 0 0 -1; 0 1 0 6/5; 0 0 1 8/5", "1 1", Law::Coulomb);
    own.center = vector("1 -3/5 -4/5");
    own.radius = small(300, 3);
    // Pivot row 2, tangency at row 1: w_1 r_2 - w_2 r_1.
    own.inverse = inverse(vec![
        vec![1.0, 0.0, 0.0],
        vec![0.0, -0.8 - 0.8, 0.6 + 0.6],
        vec![-2.0, -1.2, -1.6],
    ]);
    own.check().unwrap();
}

#[test]
fn by_the_convex_law_a_slide_lifts() {
    // r = (1, 0, -1), w = (L, 0, L): q = w - r + a turn that makes it irrational.
    let (n, mu) = (2_f64, 0.5);
    let (r1, r2) = (-mu * n * 0.8, -mu * n * 0.6);
    let lift = 0.25 * n;
    let (w1, w2) = (-0.25 * r1 / (mu * mu), -0.25 * r2 / (mu * mu));
    let q = [lift - n, w1 - r1, w2 - r2];
    let text: Vec<_> = fractions(&q).iter().map(ToString::to_string).collect();
    let rows = format!("1 0 0 {}; 0 1 0 {}; 0 0 1 {}", text[0], text[1], text[2]);
    // The circle at N; w_k r_N + 4 w_N r_k at k.
    let gradient = vec![
        vec![-2.0 * n, 8.0 * r1, 8.0 * r2],
        vec![w1 + 4.0 * r1, n + 4.0 * lift, 0.0],
        vec![w2 + 4.0 * r2, 0.0, n + 4.0 * lift],
    ];
    let own = Found {
        problem: alone(&rows, "1/2 1/2", Law::Convex),
        modes: vec![Mode::Pressed(vec![true])],
        center: fractions(&[n, r1, r2]),
        radius: small(9, 3),
        implied: vec![],
        inverse: inverse(gradient),
    };
    assert_eq!(own.check().unwrap().solvable, Some(true));
    let opposes = "friction may not oppose slip, or r may be 0";
    let as_coulomb = own.refuses(|own| own.problem.cones[0].law = Law::Coulomb);
    assert!([opposes, "the box is not mapped into itself"].contains(&as_coulomb), "{as_coulomb}");
}

#[test]
fn states_of_open_and_sticking_contacts_and_of_plain_rows_are_looked_at() {
    // A free row, a row at its upper bound, and a contact that sticks under what the free row presses on it.
    let rows = "3 0 -1 0 0 7; 1 1 0 0 0 -9; 1 0 1 0 0 0; 0 0 0 2 0 1/3; 0 0 0 0 2 0";
    let mut mixed = small(20, 5);
    mixed[1] = Rational::new();
    let own = Found {
        problem: contacts(rows, ".. 0..2 .. .. ..", vec![cone(2, "1 1", Law::Coulomb)]),
        modes: vec![Mode::Pressed(vec![false]), Mode::Free, Mode::Upper],
        // 3 v - r = -7, v + r = 0: v = -7/4, r = 7/4, r_1 = -1/6.
        center: vector("-7/4 2 7/4 -1/6 0"),
        radius: mixed.clone(),
        implied: vec![],
        inverse: [
            vector("1/4 1/4 0 0"),
            vector("-1/4 3/4 0 0"),
            vector("0 0 1/2 0"),
            vector("0 0 0 1/2"),
        ]
        .to_vec(),
    };
    own.check().unwrap();
    check_solution(&own.problem, &own.center, &Budget::default()).unwrap();
    let sign = "w may have the wrong sign, or there is no such bound";
    assert_eq!(own.refuses(|own| own.modes[2] = Mode::Lower), sign);
    assert_eq!(own.refuses(|own| own.modes[1] = Mode::Lower), sign);
    assert_eq!(own.refuses(|own| own.modes[1] = Mode::Open), sign);
    assert_eq!(own.refuses(|own| own.center[1] = number("1")), "z is not at its bound");
    let crossed = |own: &mut Found| own.problem.data.bounds[1][0] = fixed(number("3"));
    assert_eq!(own.refuses(crossed), "z may be outside its bounds");
    let outside = |own: &mut Found| own.problem.data.bounds[0][0] = fixed(number("-1"));
    assert_eq!(own.refuses(outside), "z may be outside its bounds");
    let outside = |own: &mut Found| own.problem.data.bounds[0][1] = fixed(number("-2"));
    assert_eq!(own.refuses(outside), "z may be outside its bounds");
    let narrow = |own: &mut Found| own.problem.cones[0] = cone(2, "1/11 1/11", Law::Coulomb);
    assert_eq!(own.refuses(narrow), "r may be outside its cone");
    assert_eq!(own.refused(narrow).row, Some(2));
    // The last unknown but one is the force of row 3, as row 1 is known.
    let astray = |own: &mut Found| own.inverse[2] = vector("0 0 0 0");
    assert_eq!(own.refuses(astray), "the box is not mapped into itself");
    assert_eq!(own.refused(astray).row, Some(3));
    // Without friction a tangent has no force.
    let smooth = |own: &mut Found| own.problem.cones[0] = cone(2, "0 0", Law::Coulomb);
    assert_eq!(own.refuses(smooth), "r is not 0 where mu is");
}

#[test]
fn an_open_contact_moves_apart_in_all_of_the_box() {
    // A free row v = 2, u = (v - q, 3, 4) with r = 0.
    let own = |apart: &str, law| Found {
        problem: contacts(
            &format!("1 0 0 0 -2; 1 1 0 0 {apart}; 0 0 1 0 3; 0 0 0 1 4"),
            ".. .. .. ..",
            vec![cone(1, "1 1", law)],
        ),
        modes: vec![Mode::Open, Mode::Free],
        center: vector("2 0 0 0"),
        radius: vector("1/8 0 0 0"),
        implied: vec![],
        inverse: vec![vector("1")],
    };
    own("-15/8", Law::Coulomb).check().unwrap();
    own("25/8", Law::Convex).check().unwrap();
    let outside = "w may be outside of what an open contact may have";
    assert_eq!(own("-16/8", Law::Coulomb).check().unwrap_err().why, outside);
    let pushes = own("-15/8", Law::Coulomb);
    let with_force = pushes.refuses(|own| own.center[2] = number("1/9"));
    assert_eq!(with_force, "r is not 0 where the contact is open");
    assert_eq!(own("24/8", Law::Convex).check().unwrap_err().why, outside);
    // Closer, the exact truth is seen.
    let close = |own: &mut Found| own.radius[0] = small(9, 1).remove(0);
    let mut exact = own("24/8", Law::Convex);
    close(&mut exact);
    assert_eq!(exact.check().unwrap_err().why, outside);
    let mut exact = own("300001/100000", Law::Convex);
    close(&mut exact);
    exact.check().unwrap();
}

/// Two contacts of one tangent that slide, w_N of the first less by the second's friction, beside a free row.
fn coupled(radius: &str, inverse_of_free: &str) -> Result<Proved, Refusal> {
    let rows = "1 0 0 1 0 -2; 0 1 0 0 0 -5; 0 0 1 0 0 -1; 0 0 0 1 0 -5; 0 0 0 0 1 -1";
    let cones = vec![cone(0, "1", Law::Coulomb), cone(2, "1", Law::Coulomb)];
    // t_1 = e_1 / 2 - e_3 / 2 and linear terms: the errors of both circles enter with opposite signs.
    let inverse = ["1 0 -1 -1/2 0", "1 1/2 -1 -1/2 0", "0 0 1 0 0", "0 0 1 1/2 0", inverse_of_free];
    let sliding = || Mode::Pressed(vec![true]);
    let own = Found {
        problem: contacts(rows, ".. .. .. .. ..", cones),
        modes: vec![sliding(), sliding(), Mode::Free],
        center: vector("1 1 1 1 1"),
        radius: vector(radius),
        implied: vec![],
        inverse: inverse.map(vector).to_vec(),
    };
    own.check()
}

#[test]
fn no_curvature_makes_up_for_another() {
    // Each circle bends by 2 d^2 + 2 d^2, and both by 4 d^2 < d together.
    let exact = "0 0 0 0 1";
    coupled("1/5 1/5 1/5 1/5 1/5", exact).unwrap();
    assert_eq!(coupled("1/3 1/3 1/3 1/3 1/3", exact).unwrap_err().row, Some(1));
    // What C leaves of another unknown counts as far as that reaches: a fourth or half of 1/10 in 1/30.
    let radius = "1/10 1/10 1/10 1/10 1/30";
    coupled(radius, "0 0 1/4 0 1").unwrap();
    assert_eq!(coupled(radius, "0 0 1/2 0 1").unwrap_err().row, Some(4));
    // With mu = 1/2 the circle is 4 t^2 - r_N^2, whose error is a fourth of 8 d_t^2 + 2 d_N^2.
    let half = |radius: &str| {
        let own = Found {
            problem: contacts("1 0 -1; 0 1 -5", ".. ..", vec![cone(0, "1/2", Law::Coulomb)]),
            modes: vec![Mode::Pressed(vec![true])],
            center: vector("1 1/2"),
            radius: vector(radius),
            implied: vec![],
            inverse: ["1 0", "1/2 1/4"].map(vector).to_vec(),
        };
        own.check()
    };
    half("1/3 2/5").unwrap();
    assert_eq!(half("1/3 9/20").unwrap_err().why, "the box is not mapped into itself");
}

#[test]
fn a_friction_row_may_be_at_the_bound_that_moves() {
    // z_0 = 3, and z_1 is at 3/2 where w_1 = z_1 - 5, or at -3/2 where w_1 = z_1 + 5.
    for (q, z, mode, inverse) in
        [("-5", "3 3/2", Mode::Upper, "1/2 1"), ("5", "3 -3/2", Mode::Lower, "-1/2 1")]
    {
        let own = Found {
            problem: contacts(&format!("1 0 -3; 0 1 {q}"), "0.. 1/2*0", vec![]),
            modes: vec![Mode::Free, mode],
            center: vector(z),
            radius: small(3, 2),
            implied: vec![],
            inverse: ["1 0", inverse].map(vector).to_vec(),
        };
        assert_eq!(own.check().unwrap().solvable, Some(true));
    }
}

#[test]
fn discs_slide_each_and_rows_without_friction_do_not() {
    let disc = |k: usize| Disc { rows: vec![k], mu: vector("1"), is_one: true };
    let cones = vec![Cone { normal: 0, discs: vec![disc(1), disc(2)], law: Law::Coulomb }];
    let own = Found {
        problem: contacts("1 0 0 -1; 0 1 0 -5; 0 0 1 -5", ".. .. ..", cones),
        modes: vec![Mode::Pressed(vec![true, true])],
        center: vector("1 1 1"),
        radius: small(2, 3),
        implied: vec![],
        inverse: ["1 0 0", "1 1/2 0", "1 0 1/2"].map(vector).to_vec(),
    };
    own.check().unwrap();
    let convex = own.refuses(|own| own.problem.cones[0].law = Law::Convex);
    assert_eq!(convex, "by the convex law only one disc slides");
    // It sticks to one side, and without friction it moves to the other.
    let own = Found {
        problem: alone("1 0 0 -1; 0 1 0 0; 0 0 0 7", "1 0", Law::Coulomb),
        modes: vec![Mode::Pressed(vec![false])],
        center: vector("1 0 0"),
        radius: vector("1/9 1/9 0"),
        implied: vec![],
        inverse: ["1 0", "0 1"].map(vector).to_vec(),
    };
    own.check().unwrap();
}

/// A body on two contacts at one place: r_2 + r_4 = 4 and r_3 + r_5 = 1, while nothing moves.
fn twice() -> Found {
    let rows = "2 0 -1 0 -1 0 4; 0 2 0 -1 0 -1 1; 1 0 0 0 0 0 0; 0 1 0 0 0 0 0; 1 0 0 0 0 0 0; 0 1 0 0 0 0 0";
    let cones = vec![cone(2, "1", Law::Coulomb), cone(4, "1", Law::Coulomb)];
    let stuck = || Mode::Pressed(vec![false]);
    Found {
        problem: contacts(rows, ".. .. .. .. .. ..", cones),
        modes: vec![stuck(), stuck(), Mode::Free, Mode::Free],
        center: vector("0 0 3 3/4 1 1/4"),
        radius: vector("1/9 1/9 1/9 1/9 0 0"),
        implied: vec![(4, vec![(2, number("1"))]), (5, vec![(3, number("1"))])],
        inverse: ["0 0 1 0", "0 0 0 1", "-1 0 2 0", "0 -1 0 2"].map(vector).to_vec(),
    }
}

#[test]
fn of_redundant_contacts_one_solution_is_chosen() {
    let own = twice();
    assert_eq!(own.check().unwrap().solvable, Some(true));
    check_solution(&own.problem, &own.center, &Budget::default()).unwrap();
    // The forces of the first contact may be chosen as well, in the place of the second's.
    let mut other = twice();
    other.radius = vector("1/9 1/9 0 0 1/9 1/9");
    other.check().unwrap();
    // Twice a row, in parts, and beside what has no effect.
    let mut other = twice();
    other.implied[0].1 = [(2, "1/3"), (0, "0"), (2, "2/3")].map(|(i, by)| (i, number(by))).to_vec();
    other.check().unwrap();

    let known = "its radius is 0 where z is unknown, or it is not where z is known";
    let left = own.refused(|own| own.implied.truncate(1));
    assert_eq!((left.why, left.row), (known, Some(5)));
    assert_eq!(own.refuses(|own| own.radius[5] = number("1/9")), known);
    assert_eq!(own.refuses(|own| own.radius[3] = number("0")), known);
}

#[test]
fn an_equation_is_left_out_only_where_others_are_its_sum() {
    let own = twice();
    let sum = "its equation is not the sum that is stated";
    let by = |k: usize, i: usize, factor: &str| {
        let factor = number(factor);
        own.refused(|own| own.implied[k].1 = vec![(i, factor.clone())])
    };
    assert_eq!((by(0, 2, "2").why, by(0, 2, "2").row), (sum, Some(4)));
    assert_eq!(by(0, 3, "1").why, sum);
    assert_eq!(own.refuses(|own| own.implied[0].1.clear()), sum);
    // In the constant alone, in an unknown alone, and in one that is the same at the center.
    assert_eq!(own.refuses(|own| own.problem.data.rows[4][6] = number("1/7")), sum);
    assert_eq!(own.refuses(|own| own.problem.data.rows[4][1] = number("1/7")), sum);
    let hidden = |own: &mut Found| {
        own.problem.data.rows[4][3] = number("1");
        own.problem.data.rows[4][6] = number("-3/4");
    };
    assert_eq!(own.refuses(hidden), sum);

    let linear = "no linear equation is left at this row, or at one that it is a sum of";
    // By itself, by one that is left out, by each other, and where there is no row.
    assert_eq!(by(0, 4, "1").why, linear);
    assert_eq!(by(1, 4, "1").why, linear);
    let circle = |own: &mut Found| own.implied[1] = (2, vec![(4, number("1"))]);
    assert_eq!(own.refuses(circle), linear);
    assert_eq!(by(0, 6, "1").why, linear);
    let beyond = own.refused(|own| own.implied[0].0 = 6);
    assert_eq!((beyond.why, beyond.row), (linear, Some(6)));
    // A circle is no linear equation, and an open contact has none.
    let slides = |own: &mut Found| {
        own.modes[1] = Mode::Pressed(vec![true]);
        own.center = vector("0 0 2 0 2 1");
        own.problem.data.rows[5][6] = number("-1");
    };
    assert_eq!(own.refuses(slides), linear);
}

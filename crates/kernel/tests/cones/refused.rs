//! Cones as parts of a problem: rows that no other proof takes for plain ones, and what is refused.

use super::*;

fn contact(law: Law) -> Contacts {
    let mu = vec![rational(2, 1); 2];
    let data = problem("1 1 0 1; 1 2 0 5; 0 0 1 0", "0.. 0.. 0..");
    Contacts { data, cones: vec![cone(&[(&mu, true)], law)] }
}

#[test]
fn one_contact_may_have_three_solutions_and_m_proves_none_unique() {
    let budget = Budget::default();
    let mut truth = Truth::default();
    for z in ["0 0 0", "3 -4 0", "1 -2 0"] {
        truth.add_solution(&contact(Law::Coulomb), vector(z), &budget).unwrap();
    }
    assert_eq!(truth.proved().solutions.len(), 3);
    for z in ["1 0 0", "3 -4 1/7", "2 -3 0", "-1 0 0"] {
        let refused = check_solution(&contact(Law::Coulomb), &vector(z), &budget).unwrap_err();
        assert_eq!((refused.row, refused.why), (Some(0), "it does not obey its cone's law"), "{z}");
    }
    // M is positive definite.
    let classes = [
        Class::SymmetricPsd,
        Class::PositiveDefinite,
        Class::PrincipalMinors,
        Class::DiagonallyDominant(vector("1 1 1")),
    ];
    for (k, class) in classes.iter().enumerate() {
        let under = |law| Truth::default().add_class(&contact(law), class, &budget);
        assert!(under(Law::Coulomb).is_err(), "{class:?}");
        assert_eq!(under(Law::Convex).is_ok(), k < 2, "{class:?}");
    }
}

#[test]
fn rows_of_cones_have_no_bounds_in_a_cover() {
    // z_0 = 0, w_0 = 1 is a solution. Were its rows plain ones, of bounds z >= 0, -w_1 = -5 would be a form
    // with w_1 <= 0 and no other term.
    for y in ["0 0 0", "0 -1 0", "-1 0 0", "1 -1 0"] {
        let leaf = [Node::Empty(entries(y))];
        let refused = Truth::default().add_cover(&contact(Law::Coulomb), &leaf, &Budget::default());
        assert!(refused.is_err(), "{y}");
    }
}

#[test]
fn rows_of_cones_are_rows_and_none_is_in_two() {
    let budget = Budget::default();
    let mut own = contact(Law::Coulomb);
    own.cones[0].discs[0].rows[1] = 1;
    assert_eq!(
        check_solution(&own, &vector("0 0 0"), &budget).unwrap_err().why,
        "no row, or in two cones"
    );
    own.cones[0].discs[0].rows[1] = 3;
    assert_eq!(
        check_solution(&own, &vector("0 0 0"), &budget).unwrap_err().why,
        "no row, or in two cones"
    );
    own.cones[0].discs[0].rows[1] = 2;
    own.cones.push(own.cones[0].clone());
    assert_eq!(
        check_solution(&own, &vector("0 0 0"), &budget).unwrap_err().why,
        "no row, or in two cones"
    );
    own.cones.pop();
    // A row outside of all cones is a plain one.
    own.cones[0].discs[0].rows.pop();
    own.cones[0].discs[0].mu.pop();
    assert!(check_solution(&own, &vector("3 -4 0"), &budget).is_ok());
    assert_eq!(check_solution(&own, &vector("3 -4 -1"), &budget).unwrap_err().row, Some(2));
}

#[test]
fn what_is_no_cone_is_refused() {
    let (zero, one) = (Rational::new(), rational(1, 1));
    let row = || at(&one, &zero, &one);
    let fine = vec![one.clone(); 2];
    let no = |cone: &Cone, rows: usize, eps: i64| {
        let rows: Vec<_> = (0..rows).map(|_| row()).collect();
        obeys(cone, &rows, &rational(eps, 1), &Budget::default()).unwrap_err().why
    };
    let why = "no cone with so many rows";
    let good = cone(&[(&fine, true)], Law::Coulomb);
    assert_eq!(no(&good, 2, 0), why);
    assert_eq!(no(&good, 4, 0), why);
    assert_eq!(no(&good, 3, -1), why);
    for mu in [vec![], vec![one.clone(); 6], vec![rational(-1, 1)]] {
        assert_eq!(no(&cone(&[(&mu, true)], Law::Coulomb), mu.len() + 1, 0), why);
    }
    let unlike = [rational(1, 1), rational(2, 1)];
    assert_eq!(no(&cone(&[(&unlike, true)], Law::Coulomb), 3, 0), why);
    let single = [one.clone()];
    assert_eq!(no(&cone(&[(&single[..], true); 5], Law::Coulomb), 6, 0), why);
    let mut short = good.clone();
    short.discs[0].mu.pop();
    assert_eq!(no(&short, 3, 0), why);
}

#[test]
fn a_decision_over_its_budget_is_none() {
    let long = || {
        Rational::from((Integer::from(1) << 40_000u32, Integer::from(Integer::u_pow_u(3, 9_000))))
    };
    let mu = [long(), long() / 3u32];
    for law in LAWS {
        for r_n in [Rational::new(), long() * 3u32] {
            let r = Rational::from(&r_n / 2u32) * long();
            let rows =
                [at(&r_n, &long(), &long()), at(&r, &-long(), &long()), at(&r, &-long(), &long())];
            let cone = cone(&[(&mu, false)], law);
            let eps = rational(1, 1 << 30);
            let with = |bits, work| obeys(&cone, &rows, &eps, &Budget::new(bits, work));
            assert!(with(1 << 32, 1 << 40).is_ok());
            assert_eq!(with(1 << 20, 1 << 40), Err(Refusal::MEMORY));
            assert_eq!(with(1 << 32, 1 << 10), Err(Refusal::WORK), "{law:?} {r_n}");
        }
    }
}

#[test]
fn a_force_that_no_change_explains_has_no_error() {
    let (zero, one) = (Rational::new(), rational(1, 1));
    let mu = [one.clone(), zero.clone()];
    let cone = cone(&[(&mu, false)], Law::Coulomb);
    for r in [["-1", "0", "0"], ["0", "1/9", "0"], ["0", "0", "1/9"], ["1", "0", "1/9"]] {
        let rows: Vec<_> = r.iter().map(|r| at(&number(r), &zero, &one)).collect();
        assert!(!does(&cone, &rows, &rational(1_000, 1)), "{r:?}");
    }
    // A force far outside is explained by a mu as far away, and u = 0 is in reach of all rows then.
    let rows = [at(&one, &one, &one), at(&rational(10, 1), &one, &one), at(&zero, &one, &one)];
    assert!(does(&cone, &rows, &rational(9, 1)) && !does(&cone, &rows, &rational(8, 1)));
}

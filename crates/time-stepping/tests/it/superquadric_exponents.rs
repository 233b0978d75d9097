//! Superquadrics with one exponent across z and another one along it.

#![allow(clippy::unwrap_used)]

use crate::common::q;
use etalon_time_stepping::StepError;
use etalon_time_stepping::implicit::{Body, Interval, Jet, Mobility, Pair, Shape, System};
use proptest::prelude::*;
use rug::{Float, Rational};

fn superquadric(half_axes: [Rational; 3], exponents: [u32; 2]) -> Shape {
    Shape::Superquadric {
        half_axes: half_axes.to_vec(),
        exponents,
    }
}

/// The body at the origin, of half axes 1, 3/4, 1/2, beside a ball of radius 1/2.
fn beside_a_ball(exponents: [u32; 2]) -> Result<System, StepError> {
    let body = |name: &str, shape| Body {
        name: name.to_owned(),
        mass: q(1, 1),
        shape,
        mobility: Mobility::Rigid {
            inertia: vec![q(1, 2); 3],
        },
    };
    let pair = Pair {
        first: 0,
        second: 1,
        mu: q(0, 1),
        torsion: q(0, 1),
    };
    let own = superquadric([q(1, 1), q(3, 4), q(1, 2)], exponents);
    let bodies = vec![body("own", own), body("ball", Shape::ball(3, q(1, 2)))];
    System::new(vec![q(0, 1); 3], bodies, vec![pair])
}

proptest! {
    #[test]
    fn the_gradient_is_the_derivative_of_f(
        x in prop::array::uniform3(-20i32..20), half in 1u32..=4, times in 1u32..=2,
    ) {
        let [m, n] = [2 * half, 2 * half * times];
        let shape = superquadric([q(2, 1), q(1, 4), q(1, 2)], [m, n]);
        let point = x.map(|x| Interval::point(&(Float::with_val(2000, x) / 8u32)));
        let unknowns = Jet::unknowns(&point);
        let value = shape.value(&unknowns[0], &unknowns);
        let gradient = shape.gradient(&point[0], &point);
        let ratios = [q(x[0].into(), 16), q(x[1].into(), 2), q(x[2].into(), 4)];
        let power = |own: &Rational, p: u32| (0..p).fold(q(1, 1), |product, _| product * own);
        let section = power(&ratios[0], m) + power(&ratios[1], m);
        let own = power(&section, n / m) + power(&ratios[2], n) - 1u32;
        prop_assert!(value.value().holds(&own));
        for (slope, own) in value.row(3).iter().zip(&gradient) {
            prop_assert!((slope.clone() - own.clone()).holds_zero());
        }
    }
}

/// A ball whose centre is off a point of the surface along its normal is as far from it as its centre, less the radius.
#[test]
fn the_distance_of_a_ball_is_that_along_the_normal() {
    let half_axes = [1.0, 0.75, 0.5];
    for [m, n] in [[2_u32, 4], [2, 8], [4, 8], [8, 16]] {
        for way in [
            [1.0, 0.2, 0.1],
            [1.0, 1.0, 1.0],
            [0.3, 1.0, 0.02],
            [0.1, 0.2, 1.0],
        ] {
            let [pm, pn] = [m, n].map(f64::from);
            let section = f64::powf(way[0], pm) + f64::powf(way[1], pm);
            let f = section.powf(pn / pm) + f64::powf(way[2], pn);
            // On the surface, in parts of the half axes.
            let t = [0, 1, 2].map(|i| way[i] / f.powf(1.0 / pn));
            let section = t[0].powf(pm) + t[1].powf(pm);
            let slope = |i: usize| {
                let own = match i {
                    2 => t[2].powf(pn - 1.0),
                    _ => section.powf(pn / pm - 1.0) * t[i].powf(pm - 1.0),
                };
                own / half_axes[i]
            };
            let d = [0, 1, 2].map(slope);
            let norm = d.iter().map(|d| d * d).sum::<f64>().sqrt();
            // Of radius 1/2, and 1/8 apart.
            let at = |i: usize| half_axes[i] * t[i] + 0.625 * d[i] / norm;
            let centre = [0, 1, 2].map(|i| Rational::from_f64(at(i)).unwrap());
            let turned = [1, 0, 0, 0].map(Rational::from);
            let origin = [(); 3].map(|()| Rational::new());
            let places = [&origin[..], &turned, &centre, &turned].concat();
            let found = beside_a_ball([m, n]).unwrap().distances(&places)[0];
            assert!((found - 0.125).abs() < 1e-9, "{m} {n} {way:?}: {found}");
        }
    }
}

#[test]
fn the_first_exponent_divides_the_second() {
    let refused = |exponents| beside_a_ball(exponents).unwrap_err().to_string();
    let own = "the exponent of a superquadric is 4 beside 6, but must be an even number that divides the second one";
    assert!(refused([4, 6]).contains(own), "{}", refused([4, 6]));
    assert!(refused([8, 4]).contains("8 beside 4"));
    for exponents in [[3, 6], [2, 18], [0, 4]] {
        let own = refused(exponents);
        assert!(own.contains("an even number from 2 to 16"), "{own}");
    }
    assert!(beside_a_ball([2, 16]).is_ok());
}

use etalon_exact::{Budget, ExactMethod};
use etalon_rigid::{Body3, Contact, Model, Scene3, Vector, Vector3};

use super::*;

fn xyz(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector::new([x, y, z])
}

fn solved(scene: &Scene3<f64>) -> Circular {
    let formulation = Formulation::new(scene.system().unwrap(), FrictionModel::Rows).unwrap();
    let lemke = ExactMethod::Lemke.solver(&Budget::default());
    let found = formulation.circular_cone(&*lemke).unwrap().unwrap();
    assert!(found.error.value <= ACCEPTED, "{:?}", found.error);
    for contact in &found.forces.contacts {
        let squared: f64 = contact.friction.iter().map(|f| f * f).sum();
        let limit = contact.mu_squared * contact.normal * contact.normal;
        assert!(squared <= limit * (1.0 + 1e-15), "{contact:?}");
    }
    found
}

/// A cube of side 2 on its four lower corners, pulled by a horizontal force.
fn cube(force: Vector3<f64>, mu: f64) -> Scene3<f64> {
    let moments = [2.0 / 3.0; 3];
    let mut body = Body3::new("cube", 1.0, moments, xyz(0.0, 0.0, 1.0));
    body.force = force;
    let mut scene = Scene3::new(xyz(0.0, 0.0, -10.0))
        .body(Body3::fixed("ground"))
        .body(body);
    for (k, (x, y)) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .into_iter()
        .enumerate()
    {
        let point = xyz(x, y, 0.0);
        let contact = Contact::new(
            format!("corner {k}"),
            "cube",
            "ground",
            point,
            Vector::axis(2),
        );
        scene = scene.contact(contact.with_friction(mu));
    }
    scene
}

#[test]
fn a_cube_below_the_limit_stays() {
    for (x, y) in [(4.0, 0.0), (3.0, 2.5), (-2.0, 3.4)] {
        let found = solved(&cube(xyz(x, y, 0.0), 0.4));
        assert!(found.forces.acceleration.iter().all(|a| a.abs() < 1e-12));
    }
}

#[test]
fn a_cube_above_the_limit_slides_along_the_force() {
    // 5 N against mu m g = 2 N, in any direction: isotropic, as no polyhedral cone is.
    for (x, y) in [(5.0, 0.0), (3.0, 4.0), (-4.0, 3.0), (1.4, -4.8)] {
        let found = solved(&cube(xyz(x, y, 0.0), 0.2));
        let a = &found.forces.acceleration;
        for (own, along) in [(a[0], x), (a[1], y)] {
            assert!((own - 0.6 * along).abs() < 1e-12, "({x}, {y}): {a:?}");
        }
    }
}

#[test]
fn a_particle_slides_against_its_acceleration() {
    let mut body = Body3::new("p", 2.0, [1.0; 3], xyz(0.0, 0.0, 0.0));
    body.force = xyz(9.0, 12.0, 0.0);
    let contact = Contact::new("c", "p", "ground", xyz(0.0, 0.0, 0.0), Vector::axis(2));
    let scene = Scene3::new(xyz(0.0, 0.0, -10.0))
        .body(Body3::fixed("ground"))
        .body(body)
        .contact(contact.with_friction(0.5));
    let found = solved(&scene);
    assert!((found.forces.contacts[0].friction[0] + 6.0).abs() < 1e-12);
    assert!((found.forces.contacts[0].friction[1] + 8.0).abs() < 1e-12);
}

#[test]
fn what_breaks_a_condition_has_a_backward_error() {
    let scene = cube(xyz(5.0, 0.0, 0.0), 0.2);
    let formulation = Formulation::new(scene.system().unwrap(), FrictionModel::Rows).unwrap();
    let layout = Layout::new(&formulation);
    let right = solved(&scene).f;
    let error =
        |f: &[f64]| measure::measure(formulation.a(), formulation.b(), &layout, f).rounded_up();
    assert!(error(&right) < 1e-12);
    for row in 0..right.len() {
        for by in [0.25, -0.25] {
            let mut wrong = right.clone();
            wrong[row] += by;
            assert!(error(&wrong) > 1e-3, "row {row}");
        }
    }
    let mut wrong = right;
    wrong[0] = f64::NAN;
    assert_eq!(error(&wrong), 1.0);
}

#[test]
fn polyhedral_formulations_are_refused() {
    let system = cube(xyz(0.0, 0.0, 0.0), 0.5).system().unwrap();
    let formulation = Formulation::new(system, FrictionModel::Polyhedral(8)).unwrap();
    let lemke = ExactMethod::Lemke.solver(&Budget::default());
    assert_eq!(formulation.circular_cone(&*lemke), Err(ForceError::NotRows));
}

//! Forces of a solver under test, in place of the engine's own.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use etalon_planar::{LcpEvent, LcpKind, Observer, World, named};

/// Gives the engine's own forces, times a factor.
struct Times(f64, u64);

impl Observer for Times {
    fn lcp(&mut self, _: &LcpEvent<'_>) {}

    fn instead(&mut self, event: &LcpEvent<'_>) -> Option<Vec<f64>> {
        assert_eq!(
            event.kind,
            LcpKind::Forces,
            "impulses stay the engine's own"
        );
        self.1 += 1;
        Some(event.f.iter().map(|f| self.0 * f).collect())
    }
}

/// The values of all bodies after half a second, as bits.
fn after(observer: Option<&mut Times>) -> Vec<[u64; 3]> {
    let mut world = World::new(named::stack(3)).unwrap();
    let mut nobody = etalon_planar::Nobody;
    let observer: &mut dyn Observer = match observer {
        Some(observer) => observer,
        None => &mut nobody,
    };
    for _ in 0..20 {
        world.step_with(observer).unwrap();
    }
    let bodies = world.snapshot().bodies;
    let bits = |body: &etalon_planar::BodyState| {
        [body.position[0], body.position[1], body.angle].map(f64::to_bits)
    };
    bodies.iter().map(bits).collect()
}

#[test]
fn the_engines_own_forces_given_back_change_no_bit() {
    let mut same = Times(1.0, 0);
    assert_eq!(after(Some(&mut same)), after(None));
    assert!(same.1 >= 80, "four problems a step: {}", same.1);
}

#[test]
fn other_forces_make_another_motion() {
    let (lifted, resting) = (after(Some(&mut Times(2.0, 0))), after(None));
    let height = |bodies: &[[u64; 3]]| f64::from_bits(bodies[6][1]);
    let change = height(&lifted) - height(&resting);
    assert!(change.abs() > 1e-4, "{change} m");
}

/// What has another length than the problem is no answer.
#[test]
fn forces_of_another_length_do_not_act() {
    struct Short;
    impl Observer for Short {
        fn lcp(&mut self, _: &LcpEvent<'_>) {}
        fn instead(&mut self, _: &LcpEvent<'_>) -> Option<Vec<f64>> {
            Some(vec![1.0])
        }
    }
    let mut world = World::new(named::stack(2)).unwrap();
    world.step_with(&mut Short).unwrap();
    let forces = world.snapshot().contacts;
    assert!(forces.iter().map(|contact| contact.force).sum::<f64>() > 20.0);
}

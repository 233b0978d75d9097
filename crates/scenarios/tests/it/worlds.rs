//! Worlds of the planar engine in the registry, and in files.

#![allow(clippy::unwrap_used)]

use etalon_planar::{ForceLaw, World, WorldSpec};
use etalon_scenarios::{find, read_world, scenarios, write_world};

fn gravity(scene: &WorldSpec) -> f64 {
    let laws = scene.forces.iter().map(|law| match law {
        ForceLaw::Gravity { g } => *g,
        _ => 0.0,
    });
    laws.sum()
}

#[test]
fn worlds_start_with_the_least_and_the_most_bodies() {
    let worlds = scenarios().iter().filter_map(|own| Some((own, own.world?)));
    let worlds: Vec<_> = worlds.collect();
    assert_eq!(worlds.len(), 5);
    for (scenario, world) in worlds {
        let (least, most) = world.bodies();
        assert!(1 <= least && least < most);
        for bodies in [least, most] {
            let n = bodies.to_string();
            let instance = scenario.world_instance([("n", n.as_str())]).unwrap();
            assert_eq!(
                instance.scene.bodies.len(),
                world.scene(bodies).bodies.len()
            );
            World::new(instance.scene).unwrap();
        }
        let beyond = (most + 1).to_string();
        assert!(scenario.world_instance([("n", beyond.as_str())]).is_err());
        // The parameter's default is what the scene has by itself.
        let instance = scenario.world_instance([]).unwrap();
        assert_eq!(
            gravity(&instance.scene),
            gravity(&world.scene(least)),
            "{}",
            scenario.name
        );
        assert_eq!(instance.steps, 400);
    }
}

#[test]
fn a_world_is_read_back_from_its_file() {
    let tower = find("tower")
        .unwrap()
        .world_instance([("mu", "1/2")])
        .unwrap();
    let world = World::new(tower.scene).unwrap();
    let text = write_world(&world);
    let read = read_world("own.json", &text).unwrap().unwrap();
    assert_eq!(write_world(&World::new(read.scene).unwrap()), text);
    assert_eq!((read.name.as_str(), read.steps), ("own.json", 400));
    assert!(read_world("own.json", "{}").is_none());
    let broken = text.replace("\"bodies\"", "\"people\"");
    assert!(read_world("own.json", &broken).unwrap().is_err());
}

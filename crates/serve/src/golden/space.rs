//! Trajectories of bodies in space.

use etalon_golden::trajectory::Header;
use etalon_scenarios::motion::MotionInstance;
use etalon_scenarios::space::MotionMethod;
use etalon_scenarios::{WORLD_FORMULATION, find};
use etalon_spatial::SpaceMethod;

/// The scene that a header names, with its parameters; none of one that is not known.
pub fn instance(header: &Header) -> Option<MotionInstance> {
    let settings = header.parameters.iter();
    let settings = settings.map(|(name, value)| (&**name, &**value));
    find(&header.scenario).ok()?.motion_instance(settings).ok()
}

/// Whether bodies move in space: the header has their scene, or names one that a file can hold. Corners in the plane and worlds of the
/// engine are drawn in the plane.
pub fn is_space(header: &Header) -> bool {
    let formulation = header.formulation.as_deref();
    let of_plane = [
        MotionMethod::EganTrinkle,
        MotionMethod::Rows(SpaceMethod::FirstOrder),
    ];
    let at_corners = of_plane.iter().any(|own| formulation == Some(own.word()));
    let is_z = |own: &String| own == "z" || own.ends_with(" z");
    let plane = at_corners && !header.coordinates.iter().any(is_z);
    if plane || formulation == Some(WORLD_FORMULATION) {
        return false;
    }
    header.scene.is_some() || instance(header).is_some_and(|own| own.moving().is_some())
}

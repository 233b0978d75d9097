//! The one registry: every scenario is in this list, and nowhere else.

use crate::motion::{
    balls, columns, corners, elastic, particles, rods, shoved, slabs, surfaces, turning, wheels,
    wholes,
};
use crate::parameter::ScenarioError;
use crate::registry::Scenario;
use crate::space::named::{
    boxes, dominoes, flight, impacts, ladder, linkage, superquadric, table, wheel,
};
use crate::view::View;
use crate::{friction, mechanisms, piles, statics, trees, worlds};

/// Those at rest, those that are only in motion, the worlds.
const ALL: &[Scenario] = &[
    statics::STACK,
    statics::BEAM,
    statics::BOX_ON_CORNERS,
    statics::GRID,
    statics::GROOVE,
    statics::OUTSIDE_RANGE,
    piles::PYRAMID,
    piles::ARCH,
    piles::CHAIN,
    piles::FIVE_BODIES,
    friction::LADDER,
    friction::PAINLEVE_INCONSISTENT,
    friction::PAINLEVE_INDETERMINATE,
    friction::DARWIN_RAY,
    friction::DARWIN_BLOCK,
    mechanisms::ARM,
    mechanisms::BRAKED_ARM,
    trees::KNEE_STOP,
    trees::BIPED,
    trees::SLIDER_CRANK,
    trees::MANIPULATOR,
    mechanisms::CRADLE,
    rods::ROD,
    balls::FOUR_BALLS,
    balls::TWO_BALLS,
    particles::INCLINE,
    columns::STACK_DROP,
    particles::PARTICLE_3D,
    particles::WEDGE,
    particles::ELLIPSE,
    wheels::POLYGON,
    wheels::DISC,
    corners::CORNER,
    corners::HOLE,
    turning::HOLE_TURNING,
    turning::TRIANGLE,
    turning::BLOCK_CORNER,
    wholes::BRICKS,
    wholes::CROSSED_BARS,
    shoved::SHOVED_BOX,
    rods::LADDER_SLIDE,
    slabs::PLATE_ON_SLOPE,
    slabs::BALLS_IN_A_ROW,
    columns::BOUNCE_CHAIN,
    columns::JOINT_SLIDE,
    surfaces::ROLLING_ELLIPSE,
    surfaces::IMPLICIT_SPHERE,
    surfaces::ELLIPSOID,
    superquadric::SUPERQUADRIC_ROCKING,
    elastic::BOUNCING_BALL,
    elastic::ELASTIC_CRADLE,
    elastic::CENTRAL_IMPACT,
    balls::SPHERE_ON_SLOPE,
    boxes::BOX_SLIDE,
    boxes::BOX_STACK,
    boxes::BOX_CORNER,
    dominoes::DOMINOES,
    flight::DZHANIBEKOV,
    linkage::FOUR_BAR,
    ladder::LADDER_SPACE,
    wheel::WHEEL_SPIN,
    impacts::ROD_STRIKE,
    impacts::BALL_ROW,
    table::TABLE_DROP,
    Scenario::of_world("blocks", worlds::BLOCKS),
    Scenario::of_world("pile", worlds::PILE),
    Scenario::of_world("tower", worlds::TOWER),
    Scenario::of_world("pendulums", worlds::PENDULUMS),
    Scenario::of_world("bounce", worlds::BOUNCE),
];

/// All scenarios: those with a part at rest, those that are only in motion, the worlds.
pub fn scenarios() -> &'static [Scenario] {
    ALL
}

/// The scenario of that name.
///
/// # Errors
/// [`ScenarioError::Unknown`].
pub fn find(name: &str) -> Result<&'static Scenario, ScenarioError> {
    let found = scenarios().iter().find(|scenario| scenario.name == name);
    found.ok_or_else(|| ScenarioError::Unknown {
        name: name.to_owned(),
    })
}

/// How the scenario of that name looks in motion with these parameters; nothing of one that is not known or does not
/// move by time steps.
pub fn views<'a>(name: &str, settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<View> {
    let instance = find(name).and_then(|own| own.motion_instance(settings));
    let views = instance.ok().and_then(|instance| instance.views().ok());
    views.unwrap_or_default()
}

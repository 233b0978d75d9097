//! The errors of an impossible scene.

/// Why a scene makes no mechanical system. Everything is called by its name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A mass that is zero or negative.
    #[error("body {body:?}: the mass is {mass}, but must be positive")]
    Mass {
        /// The body.
        body: String,
        /// Its mass.
        mass: String,
    },
    /// An inertia that is not positive definite.
    #[error("body {body:?}: the inertia is not symmetric positive definite")]
    Inertia {
        /// The body.
        body: String,
    },
    /// A rotation matrix R with R'R other than the identity, or a reflection.
    #[error("body {body:?}: the orientation is not a rotation matrix")]
    Orientation {
        /// The body.
        body: String,
    },
    /// A generalised mass matrix that is not positive definite.
    #[error("{what}: the mass matrix is not symmetric positive definite")]
    MassMatrix {
        /// The mechanism.
        what: String,
    },
    /// NaN or an infinity.
    #[error("{owner}: the {quantity} is not a finite number")]
    NotFinite {
        /// The body, contact or joint.
        owner: String,
        /// The value that is not finite.
        quantity: &'static str,
    },
    /// A normal of another length than 1.
    #[error(
        "contact {contact:?}: the normal has the squared length {squared}, but must be a unit vector"
    )]
    NormalLength {
        /// The contact.
        contact: String,
        /// n'n.
        squared: String,
    },
    /// The normal of a slider of another length than 1.
    #[error(
        "joint {joint:?}: the slider's normal has the squared length {squared}, but must be a unit vector"
    )]
    SliderLength {
        /// The joint.
        joint: String,
        /// n'n.
        squared: String,
    },
    /// An axis of a joint that is none, or not where the joint needs it.
    #[error("joint {joint:?} {why}")]
    JointAxis {
        /// The joint.
        joint: String,
        /// What is wrong, with the remedy.
        why: &'static str,
    },
    /// A joint past its limit.
    #[error(
        "joint {joint:?}: its limits are {low} and {high}, but its travel is 0 where it stands; give limits with 0 between them"
    )]
    PastTravel {
        /// The joint.
        joint: String,
        /// The lower limit.
        low: String,
        /// The upper one.
        high: String,
    },
    /// A drive with a bound below zero.
    #[error("joint {joint:?}: the bound of its drive is {bound}, but must be at least 0")]
    DriveBound {
        /// The joint.
        joint: String,
        /// The bound.
        bound: String,
    },
    /// A link of a linkage that is not longer than 0.
    #[error("link {link}: the length is {length}, but must be positive")]
    LinkLength {
        /// Which link, counted from 0 at the pivot.
        link: usize,
        /// Its length, m.
        length: String,
    },
    /// A mass below zero.
    #[error("link {link:?}: the mass is {mass}, but must not be negative")]
    LinkMass {
        /// The link.
        link: String,
        /// Its mass.
        mass: String,
    },
    /// An inertia that no body has.
    #[error(
        "link {link:?}: the inertia is not symmetric positive semidefinite: its principal moments must not be negative"
    )]
    LinkInertia {
        /// The link.
        link: String,
    },
    /// A parent that is no link of the mechanism.
    #[error(
        "link {link:?}: its parent {parent:?} is no link of the mechanism; name another link, or \"ground\""
    )]
    Parent {
        /// The link.
        link: String,
        /// The parent that it names.
        parent: String,
    },
    /// Links that hang on each other in a circle, and on nothing else.
    #[error(
        "links {links}: each hangs on the next, so that none hangs on the ground; give one of them the parent \"ground\", and close the loop in \"loops\""
    )]
    Circle {
        /// Their names, from link to parent.
        links: String,
    },
    /// The axis of a joint that is no unit vector.
    #[error(
        "link {link:?}: joint.axis has the squared length {squared}, but must be a unit vector: divide it by its length"
    )]
    Axis {
        /// The link whose joint it is.
        link: String,
        /// a'a.
        squared: String,
    },
    /// The frame, position or limit of a joint that is no rotation.
    #[error(
        "link {link:?}: joint.frame, joint.position or joint.limits has no rotation where one must be: (cos, sin) must be a unit vector, and a matrix R must have R'R = 1 and the determinant 1"
    )]
    JointOrientation {
        /// The link whose joint it is.
        link: String,
    },
    /// A lower limit above the upper one.
    #[error(
        "link {link:?}: the lower of joint.limits is above the upper one; write them as [lower, upper]"
    )]
    Limits {
        /// The link whose joint it is.
        link: String,
    },
    /// A joint past its limit.
    #[error(
        "link {link:?}: joint.position is {side} limit of joint.limits; move it to the limit, or between both"
    )]
    PastLimit {
        /// The link whose joint it is.
        link: String,
        /// Past which limit.
        side: &'static str,
    },
    /// A loop whose links do not meet.
    #[error(
        "loop {joint:?}: its two points are apart, by a distance with the square {squared}; correct \"points\", or the positions of the joints"
    )]
    OpenLoop {
        /// The loop.
        joint: String,
        /// The square of the distance, along the normal for a slider.
        squared: String,
    },
    /// A joint that moves no mass, so that the mass matrix is singular.
    #[error(
        "link {link:?}: its joint moves no mass of its own, so that the mass matrix is singular; give the link, or one that hangs on it, mass or inertia that the joint moves"
    )]
    MovesNoMass {
        /// The link whose joint it is.
        link: String,
    },
    /// A joint that turns a link about the line through its centre of mass, where it has no inertia.
    #[error(
        "link {link:?}: its joint turns it about the line from the joint to its centre of mass, too, about which it has no inertia, so that the mass matrix is singular; give it an \"inertia\" above 0 about that line"
    )]
    TurnsNoMass {
        /// The link whose joint it is.
        link: String,
    },
    /// Velocities that a joint does not allow.
    #[error(
        "joint {joint:?}: the velocities violate it at the rate {rate}, but it must be 0: the joined points must move alike"
    )]
    JointVelocity {
        /// The joint; with the axis where it has several rows.
        joint: String,
        /// J v + rate of its row, m/s.
        rate: String,
    },
    /// Tangents that are no orthonormal frame with the normal.
    #[error(
        "contact {contact:?}: the tangents must be unit vectors, orthogonal to the normal and to each other"
    )]
    Tangents {
        /// The contact.
        contact: String,
    },
    /// A negative coefficient of friction.
    #[error("contact {contact:?}: the coefficient of friction is {mu}, but must not be negative")]
    Friction {
        /// The contact.
        contact: String,
        /// mu.
        mu: String,
    },
    /// A slip vector that does not point along the sliding velocity.
    #[error(
        "contact {contact:?}: the slip vector must be a nonnegative multiple of the sliding velocity"
    )]
    Slip {
        /// The contact.
        contact: String,
    },
    /// A direction of sliding without exact coordinates.
    #[error(
        "contact {contact:?}: the sliding speed is irrational; give the slip vector mu v/|v| for exact arithmetic"
    )]
    IrrationalSpeed {
        /// The contact.
        contact: String,
    },
    /// A negative radius, or two round bodies without a radius.
    #[error(
        "contact {contact:?}: the radii must not be negative, nor both zero on two round bodies"
    )]
    Radius {
        /// The contact.
        contact: String,
    },
    /// A contact or joint of a body that the scene does not have.
    #[error("{owner}: there is no body {body:?}")]
    MissingBody {
        /// The contact or joint.
        owner: String,
        /// The body it names.
        body: String,
    },
    /// A contact or joint of a body with itself.
    #[error("{owner} joins body {body:?} to itself")]
    SameBody {
        /// The contact or joint.
        owner: String,
        /// The body.
        body: String,
    },
    /// A contact or joint between two fixed bodies, which no force can move.
    #[error("{owner} joins two fixed bodies")]
    NothingMoves {
        /// The contact or joint.
        owner: String,
    },
    /// Two bodies, contacts or joints of one name.
    #[error("there are two of the name {name:?}")]
    DuplicateName {
        /// It.
        name: String,
    },
    /// A vector of generalised coordinates of another length than the system has coordinates.
    #[error("{what} has {length} entries, but the system has {dofs} generalised coordinates")]
    Length {
        /// Which vector.
        what: &'static str,
        /// Its length.
        length: usize,
        /// The number of generalised coordinates.
        dofs: usize,
    },
    /// A number of friction directions for which there is no set of exact unit vectors.
    #[error("no {count} friction directions in fractions: there are sets of 4, 8, 12, 16 and 24")]
    Directions {
        /// The number asked for.
        count: usize,
    },
    /// A number of friction directions that come in no opposite pairs.
    #[error("no {count} friction directions: in binary64 their number is even, and 4 at least")]
    RoundedDirections {
        /// The number asked for.
        count: usize,
    },
}

//! Links, contacts and loops in the world.

use super::frame::{Frame, Segment};
use super::motion::Motion;
use super::{GROUND, Loop, Mechanism, TreeLink};
use crate::contact::{Contact, Joint, JointKind};
use crate::error::SceneError;
use crate::freedom::Freedom;
use crate::scalar::Scalar;
use crate::vector::Vector;

impl<S: Scalar, B: Segment<S, D>, const D: usize> Mechanism<S, B, D> {
    /// The links as bodies of the world, with position, orientation and velocity there.
    ///
    /// # Errors
    /// [`SceneError`] for data that make no mechanism.
    pub fn bodies(&self) -> Result<Vec<B>, SceneError> {
        self.check()?;
        Ok(self.placed(&self.motions()?))
    }

    pub(super) fn placed(&self, motions: &[Motion<S, B::Frame, D>]) -> Vec<B> {
        let links = self.links.iter().zip(motions);
        let placed = links.map(|(link, motion)| {
            let mut body = link.body.carried(&motion.origin, &motion.frame);
            body.set_velocity(&motion.velocity_at(body.centre()));
            body
        });
        placed.collect()
    }

    /// The accelerations of the links in the world for those of the joints: of the centre of mass, and the angular one.
    ///
    /// # Errors
    /// [`SceneError`] for data that make no mechanism, and for another number of accelerations.
    pub fn link_accelerations(&self, acceleration: &[S]) -> Result<Vec<Vec<S>>, SceneError> {
        self.check()?;
        let dofs = self.dofs();
        if acceleration.len() != dofs {
            return Err(SceneError::Length {
                what: "the acceleration",
                length: acceleration.len(),
                dofs,
            });
        }
        let motions = self.motions()?;
        let own = self.coordinates(&motions, &self.placed(&motions));
        let rows = own.rows.iter().zip(&own.drift);
        let all: Vec<S> = rows
            .map(|(row, drift)| row.times(acceleration) + drift)
            .collect();
        Ok(all.chunks(B::DOFS).map(<[S]>::to_vec).collect())
    }

    /// Where the joint of each link is, in the world, in their order.
    ///
    /// # Errors
    /// [`SceneError`] for data that make no mechanism.
    pub fn joint_places(&self) -> Result<Vec<Vector<S, D>>, SceneError> {
        self.check()?;
        let motions = self.motions()?;
        let place = |link: &TreeLink<S, B, D>| {
            let point = &link.joint.point;
            self.place(&motions, "joint", &link.parent, point)
        };
        self.links.iter().map(place).collect()
    }

    /// The contacts with their points in the world, in their order.
    ///
    /// # Errors
    /// [`SceneError`] for data that make no mechanism.
    pub fn placed_contacts(&self) -> Result<Vec<Contact<S, D>>, SceneError> {
        self.check()?;
        self.contacts_at(&self.motions()?)
    }

    pub(super) fn contacts_at(
        &self,
        motions: &[Motion<S, B::Frame, D>],
    ) -> Result<Vec<Contact<S, D>>, SceneError> {
        let placed = |contact: &Contact<S, D>| {
            let owner = format!("contact {:?}", contact.name);
            let point = self.place(motions, &owner, &contact.first, &contact.point)?;
            let contact = contact.clone();
            Ok(Contact { point, ..contact })
        };
        self.contacts.iter().map(placed).collect()
    }

    /// The constraints that close loops, as joints of the world.
    ///
    /// # Errors
    /// [`SceneError`] for data that make no mechanism, among them [`SceneError::OpenLoop`].
    pub fn placed_loops(&self) -> Result<Vec<Joint<S, D>>, SceneError> {
        self.check()?;
        self.loops_at(&self.motions()?)
    }

    pub(super) fn loops_at(
        &self,
        motions: &[Motion<S, B::Frame, D>],
    ) -> Result<Vec<Joint<S, D>>, SceneError> {
        let placed = |own: &Loop<S, D>| self.loop_at(motions, own);
        self.loops.iter().map(placed).collect()
    }

    fn loop_at(
        &self,
        motions: &[Motion<S, B::Frame, D>],
        own: &Loop<S, D>,
    ) -> Result<Joint<S, D>, SceneError> {
        let owner = format!("loop {:?}", own.name);
        let first = self.place(motions, &owner, &own.first, &own.points[0])?;
        let second = self.place(motions, &owner, &own.second, &own.points[1])?;
        let between = &first - &second;
        let in_world = |own_axis: &Vector<S, D>| match self.link(&own.second) {
            Some(k) => motions[k].frame.apply(own_axis),
            None => own_axis.clone(),
        };
        let (kind, gap) = match &own.kind {
            JointKind::Pin => (JointKind::Pin, between.norm_squared()),
            JointKind::Slider(normal) => {
                let normal = in_world(normal);
                let gap = normal.dot(&between).squared();
                (JointKind::Slider(normal), gap)
            }
            JointKind::Free(freedom) => {
                let freedom = freedom.with_axes(in_world);
                // A slider may be anywhere along its axis: what counts is the distance across.
                let gap = match &freedom {
                    // An axis of no length is told where its rows are made.
                    Freedom::Slider { axis } if !axis.norm_squared().is_zero() => {
                        let along = between.dot(axis).squared() / &axis.norm_squared();
                        between.norm_squared() - along
                    }
                    _ => between.norm_squared(),
                };
                (JointKind::Free(freedom), gap)
            }
        };
        let scale = S::one() + first.norm_squared() + second.norm_squared();
        if !gap.is_negligible(&scale) {
            return Err(SceneError::OpenLoop {
                joint: own.name.clone(),
                squared: gap.to_string(),
            });
        }
        Ok(Joint {
            name: own.name.clone(),
            first: own.first.clone(),
            second: own.second.clone(),
            point: first,
            kind,
            limits: None,
            drive: None,
        })
    }

    fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|own| own.body.name() == name)
    }

    /// A point of a link, or of the ground, in the world.
    fn place(
        &self,
        motions: &[Motion<S, B::Frame, D>],
        owner: &str,
        link: &str,
        point: &Vector<S, D>,
    ) -> Result<Vector<S, D>, SceneError> {
        if link == GROUND {
            return Ok(point.clone());
        }
        match self.link(link) {
            Some(k) => Ok(motions[k].place(point)),
            None => Err(SceneError::MissingBody {
                owner: owner.to_owned(),
                body: link.to_owned(),
            }),
        }
    }
}

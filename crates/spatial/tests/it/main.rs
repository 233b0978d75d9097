//! Steps of bodies in space against closed forms, theorems and seeded faults.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod evaluated;
mod faults;
mod first_order;
mod flight;
mod grain;
mod heavy;
mod impacts;
mod joints;
mod omitted;
mod overlaps;
mod pieces;
mod proposals;
mod refused;
mod resting;
mod sliding;
mod theorems;
mod travel;
mod turning;

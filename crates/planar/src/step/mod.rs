//! Stepping: motion between events, and the events.

mod advance;
mod impulse;
mod lcp;
mod motion;
mod press;

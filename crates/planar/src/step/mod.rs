//! Stepping: motion between events, and the events.

mod advance;
mod asked;
mod hold;
mod impulse;
mod lcp;
mod motion;
mod press;

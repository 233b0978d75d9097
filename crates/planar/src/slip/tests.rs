//! Sliding against what it stands for: its derivative against differences along the motion.

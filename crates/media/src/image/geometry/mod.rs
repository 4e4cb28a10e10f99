//! Plane geometry of text regions. Coordinates are pixels; y grows downwards.

pub mod components;
pub mod hull;
pub mod min_rectangle;
pub mod tilted;

//! Rules that hold for every endpoint.

mod access;
mod conventions;
mod errors;
mod invalid_bodies;
mod rate_limits;

//! Rules that hold for every endpoint.

mod access;
mod conventions;
mod invalid_bodies;
mod rate_limits;

//! Rules that hold for every endpoint.

mod access;
mod compression;
mod conventions;
mod encoded_bodies;
mod errors;
mod invalid_bodies;
mod memory_limits;
mod rate_limits;
mod raw_requests;

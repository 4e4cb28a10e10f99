//! Operators' own models, on small ones that each test makes.

mod folders;
mod networks;
mod onnx;
mod overruled;
mod refusals;
mod remote;
mod servers;

//! Tests with small models that each test creates.

mod folders;
mod networks;
mod onnx;
mod overruled;
mod refusals;
mod remote;
mod servers;

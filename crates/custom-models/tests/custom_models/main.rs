//! Tests with small models that each test creates.

mod folders;
mod load_errors;
mod networks;
mod onnx;
mod override_classifier;
mod remote;
mod servers;

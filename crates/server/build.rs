//! Builds anew when the console was: what stands in `console/dist` is part of the binary.

fn main() {
    println!("cargo::rerun-if-changed=../../console/dist");
}

//! Directions of dependencies between the crates of the workspace, from `cargo metadata`.

mod guardrails;
mod surfaces;

use std::{collections::BTreeMap, process::Command};

use serde_json::Value;

/// Every crate of the product with the crates that it may depend on. A crate or dependency that is missing here fails
/// the test, so that it is added on purpose.
const ALLOWED: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("matmul", &[]),
    ("classifiers", &["engine", "matmul"]),
    ("evaluation", &["engine", "classifiers"]),
    ("egress", &[]),
    ("custom-models", &["engine", "classifiers", "egress"]),
    ("media", &["matmul"]),
    ("store", &[]),
    ("vault", &["store"]),
    ("auth", &["store", "vault"]),
    ("api-types", &["engine", "store"]),
    ("integrations", &["api-types", "egress", "engine", "store", "vault"]),
    ("log-export", &["api-types", "egress", "store"]),
    (
        "guard",
        &[
            "api-types",
            "auth",
            "classifiers",
            "custom-models",
            "egress",
            "engine",
            "integrations",
            "media",
            "store",
            "vault",
        ],
    ),
];

/// The crate that may depend on all others. No crate depends on it.
const SERVER: &str = "guardengine";

/// Test fixtures: other crates may only have it as a dev-dependency, and it depends on no other crate.
const TEST_SUPPORT: &str = "test-support";

/// Returns the packages of the workspace.
fn packages() -> Vec<Value> {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let mut metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let Value::Array(packages) = metadata["packages"].take() else { panic!("no list of packages") };
    packages
}

/// Returns the dependencies of each crate under `crates/` on other crates of the workspace, without the common prefix
/// and without dev-dependencies.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let packages = packages();
    let under_crates =
        |package: &&Value| package["manifest_path"].as_str().is_some_and(|path| path.contains("/crates/"));
    packages.iter().filter(under_crates).map(|package| (name(package), ours(package))).collect()
}

/// Returns the name without the common prefix.
fn name(package: &Value) -> String {
    let name = package["name"].as_str().unwrap();
    name.strip_prefix("guardengine-").unwrap_or(name).to_owned()
}

/// Returns the dependencies on crates of the workspace, without dev-dependencies.
fn ours(package: &Value) -> Vec<String> {
    let dependencies = package["dependencies"].as_array().unwrap();
    let is_ours = |dependency: &&Value| !dependency["path"].is_null() && dependency["kind"] != "dev";
    dependencies.iter().filter(is_ours).map(name).collect()
}

#[test]
fn crates_depend_only_on_what_the_architecture_allows() {
    let mut found = dependencies();
    assert!(found.remove(SERVER).is_some(), "no crate {SERVER}");
    assert_eq!(found.remove(TEST_SUPPORT), Some(Vec::new()), "{TEST_SUPPORT} depends on other crates");
    for (name, dependencies) in &found {
        let allowed = ALLOWED.iter().find(|(allowed, _)| allowed == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("the crate {name} is not in the table"));
        for dependency in dependencies {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
    assert_eq!(found.len(), ALLOWED.len(), "the table names a crate that does not exist");
}

#[test]
fn nobody_depends_on_the_server() {
    for (name, dependencies) in dependencies() {
        assert!(!dependencies.iter().any(|dependency| dependency == SERVER), "{name} depends on the server");
    }
}

#[test]
fn only_tests_depend_on_test_support() {
    for package in packages() {
        assert!(
            !ours(&package).iter().any(|dependency| dependency == TEST_SUPPORT),
            "{} depends on {TEST_SUPPORT}",
            name(&package)
        );
    }
}

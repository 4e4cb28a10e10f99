//! One file for each guardrail: nothing else in the product knows a guardrail by its name.

use std::{
    fs,
    path::{Path, PathBuf},
};

use guardengine_engine::{detectors, guardrail::Guardrail};

/// Files that may name guardrails: the example of the API document.
const EXAMPLES: &[&str] = &["server/src/routes/policies/create.rs"];

/// Adds the source files below `folder`.
fn add_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
}

/// Returns the source files of every crate with their code before its tests.
pub fn sources() -> Vec<(String, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        add_sources(&entry.unwrap().path().join("src"), &mut files);
    }
    let read = |path: &PathBuf| {
        let code = fs::read_to_string(path).unwrap();
        let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
        (path.strip_prefix(crates).unwrap().to_string_lossy().into_owned(), code)
    };
    files.iter().map(read).collect()
}

/// The models name the guardrails that have a score by their labels, too.
#[test]
fn a_guardrail_is_named_in_its_own_file_only() {
    let sources = sources();
    assert!(sources.len() > 500, "{} source files", sources.len());
    let guardrails = detectors::DETECTORS.iter().map(|detector| detector.guardrail());
    for Guardrail { name, .. } in guardrails.filter(|guardrail| !guardrail.has_score()) {
        let own = format!("engine/src/detectors/{name}.rs");
        let quoted = format!("\"{name}\"");
        let naming = sources.iter().filter(|(_, code)| code.contains(&quoted)).map(|(path, _)| path.as_str());
        let naming: Vec<_> = naming.filter(|path| !EXAMPLES.contains(path)).collect();
        assert_eq!(naming, [own], "{name}");
    }
}

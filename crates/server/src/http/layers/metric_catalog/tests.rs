use std::{collections::BTreeSet, fs, path::Path};

use regex::Regex;

use super::*;
use crate::http::layers::metrics as request_metrics;

/// Name, macro and literal label names of each metric that the code records.
fn recorded() -> Vec<(String, String, Vec<String>)> {
    let mut sources = String::new();
    read_sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")), &mut sources);
    let call = Regex::new(r#"\b(counter|gauge|histogram)!\(\s*"(guardengine_\w+)"((?:[^;]|\n)*?);"#).unwrap();
    let label = Regex::new(r#""(\w+)"\s*=>"#).unwrap();
    let names = |text: &str| label.captures_iter(text).map(|found| found[1].to_owned()).collect();
    call.captures_iter(&sources)
        .map(|found| (found[2].to_owned(), found[1].to_owned(), names(&found[3])))
        .collect()
}

/// Reads the sources of every crate, without tests.
fn read_sources(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "tests" {
            read_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests.rs" {
            sources.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_recorded_metric_is_declared_with_its_type_and_labels() {
    let recorded = recorded();
    for (name, macro_name, labels) in &recorded {
        let metric = METRICS.iter().find(|metric| metric.name == name);
        let metric = metric.unwrap_or_else(|| panic!("{name} is not in the metric catalog"));
        let expected = match metric.metric_type {
            Counter => "counter",
            Gauge => "gauge",
            Histogram | Summary => "histogram",
        };
        assert_eq!(macro_name, expected, "{name}");
        for label in labels {
            assert!(metric.labels.iter().any(|known| known.name == label), "{name}: label {label}");
        }
    }
    let recorded: BTreeSet<_> = recorded.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(recorded, METRICS.iter().map(|metric| metric.name).collect());
}

#[test]
fn histograms_are_those_with_buckets() {
    for metric in METRICS.iter().filter(|metric| matches!(metric.metric_type, Histogram | Summary)) {
        assert_eq!(metric.name.ends_with("_seconds"), metric.metric_type == Histogram, "{}", metric.name);
    }
}

#[test]
fn metrics_have_a_help_line() {
    let recorder = request_metrics::recorder();
    metrics::counter!("guardengine_rate_limited_total").increment(0);
    let help = "# HELP guardengine_rate_limited_total Requests that a rate limit refused\n";
    assert!(recorder.render().contains(help), "{}", recorder.render());
}

//! All lexical work on one text: keywords, terms, wordings, floods and passages.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use guardengine_engine::{
    detectors::{Inspector, detector},
    evidence::{Evidence, Origin, Part},
    fingerprint::Fingerprints,
    guardrail::Direction,
    keywords::Keywords,
    scores::Scores,
    settings::Settings,
    sources::Sources,
    text::Text,
};

/// An ordinary sentence for each number, so that texts are long without repeating themselves.
fn prose(bytes: usize) -> String {
    let places = ["harbour", "library", "station", "garden", "office", "market", "bridge"];
    let doings = [
        "opened its doors",
        "was painted again",
        "had to close early",
        "asked for your help",
        "printed all the tickets",
    ];
    let sentence = |n: usize| {
        let (place, doing) = (places[n % 7], doings[(n / 7) % 5]);
        format!(
            "On day {n} the {place} {doing}, and number {} of the previous visitors wrote about it. ",
            n * 37
        )
    };
    let mut text: String = (0..).map(sentence).take(bytes / 80).collect();
    text.truncate(bytes);
    text
}

fn evidence(text: &str) -> Evidence<'_> {
    let parts = vec![Part::new(Origin::Subject, Text::new(text))];
    Evidence::new(Direction::Input, parts, vec![Vec::new()], Scores::default())
}

fn inspectors() -> Vec<Box<dyn Inspector>> {
    let terms = vec!["Project Nightjar".to_owned(), "Heron GmbH".into()];
    let mut settings = Settings::defaults(&[]);
    settings.set("terms", terms);
    ["prompt_injection", "model_jailbreak", "model_denial", "confidential_terms", "copyright_infringement"]
        .into_iter()
        .filter_map(|name| detector(name)?.parse(&settings).ok())
        .collect()
}

fn lexical(c: &mut Criterion) {
    let text = prose(10_000);
    let evidence = evidence(&text);
    let mut group = c.benchmark_group("lexical");
    group.throughput(Throughput::Bytes(text.len() as u64));
    let keywords = Keywords::new(&["forbidden".into(), "c++".into(), "top secret".into()]);
    group.bench_function("keywords", |b| b.iter(|| keywords.find(&evidence.parts[0].text)));
    let documents =
        Fingerprints::of(&[prose(200_000).replace("day", "the day")]).expect("a document of fitting size");
    group.bench_function("passages", |b| b.iter(|| documents.passages(&evidence.parts[0].text)));
    for (name, inspector) in
        ["injection", "jailbreak", "denial", "terms", "copyright"].iter().zip(inspectors())
    {
        group.bench_function(*name, |b| b.iter(|| run(std::slice::from_ref(&inspector), &evidence)));
    }
    let all = inspectors();
    group.bench_function("all", |b| b.iter(|| run(&all, &evidence)));
    group.finish();
}

fn run(inspectors: &[Box<dyn Inspector>], evidence: &Evidence<'_>) -> usize {
    let mut findings = Vec::new();
    for inspector in inspectors {
        inspector.inspect(evidence, Sources::ALL, &mut findings);
    }
    findings.len()
}

criterion_group!(benches, lexical);
criterion_main!(benches);

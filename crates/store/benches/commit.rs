//! Cost of a request in the embedded database: a point select, and its share of a group commit.

use std::cell::Cell;

use criterion::{Criterion, criterion_group, criterion_main};
use guardengine_store::{Db, DecisionRecord, LogEntry, Org, Timestamp, new_id};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A database on disk, flushed at every commit as in service.
struct World {
    _folder: TempDir,
    runtime: Runtime,
    db: Db,
    org: Org,
}

fn world() -> World {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runtime = Runtime::new().expect("a runtime");
    let url = format!("sqlite://{}", folder.path().join("bench.db").display());
    let (db, created) = runtime.block_on(async {
        let db = Db::open(&url).await.expect("an open database");
        let owner = ("owner", "password hash");
        let created = db.bootstrap("Acme", i64::MAX / 2, owner, Timestamp::default()).await;
        (db, created.expect("an answer"))
    });
    let (org, _) = created.expect("the database is empty");
    World { _folder: folder, runtime, db, org }
}

fn decision(org: &Org, number: i64) -> DecisionRecord {
    let created_at = Timestamp::from_micros(1_767_323_045_000_000 + number);
    let log = LogEntry {
        org_id: org.id,
        id: new_id(created_at),
        created_at,
        endpoint: "analyze".into(),
        direction: "input".into(),
        project_id: Some(org.id),
        project_name: Some("Customer chat".into()),
        policy_id: Some(org.id),
        policy_version: Some(3),
        decision: "block".into(),
        shadow_decision: None,
        outcome: "judged".into(),
        triggered_guardrails: r#"[{"name":"toxicity","confidence":0.91,"severity":"high"}]"#.into(),
        confidence: 0.91,
        safety_score: 10,
        risk_level: "critical".into(),
        reason: Some("toxicity".into()),
        source_app: Some("shop".into()),
        context: None,
        device_id: None,
        username: Some("someone".into()),
        principal: "ge_1234567".into(),
        user_id: None,
        conversation_id: None,
        text: Some("A prompt of the usual length. ".repeat(20)),
        lang_code: Some("en".into()),
        processing_time_ms: 1,
        credits: 1,
        correlation_id: "00000000-0000-7000-8000-000000000000".into(),
        model_version: "1".into(),
        feedback: None,
        surface: "native".into(),
        foreign_id: None,
        prompt_tokens: None,
        completion_tokens: None,
        upstream_time_ms: None,
    };
    DecisionRecord::of(log, "analyze")
}

fn point_select(bench: &mut Criterion) {
    let world = world();
    bench.bench_function("sqlite/point_select", |run| {
        run.iter(|| world.runtime.block_on(world.db.org(world.org.id)));
    });
}

fn group_commit(bench: &mut Criterion) {
    let (world, number) = (world(), Cell::new(0));
    for size in [1, 16, 64] {
        let batch = || {
            let first = number.replace(number.get() + size);
            (first..first + size).map(|number| decision(&world.org, number)).collect::<Vec<_>>()
        };
        bench.bench_function(&format!("sqlite/commit_decisions/{size}"), |run| {
            run.iter_batched(
                batch,
                |batch| world.runtime.block_on(world.db.commit_decisions(&batch)).expect("a commit"),
                criterion::BatchSize::PerIteration,
            );
        });
    }
}

criterion_group!(benches, point_select, group_commit);
criterion_main!(benches);

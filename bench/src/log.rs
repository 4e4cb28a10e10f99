//! Latency of endpoints that read the log, on a log of many rows.

use std::{
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use anyhow::Result;
use reqwest::Client;

use crate::{
    load::{self, Body, Target},
    service, table,
};

const READS: [&str; 14] = [
    "/api/logs",
    "/api/logs?limit=500",
    "/api/logs?project=00000000-0000-0000-0000-000000000003",
    "/api/logs?username=user%20500",
    "/api/logs?source_app=application%207",
    "/api/logs?decision=block",
    "/api/logs?decision=escalate",
    "/api/logs?guardrail=prompt_injection",
    "/api/logs?q=report%201",
    "/api/dashboard",
    "/api/audit",
    "/api/policy/list",
    "/api/project/list",
    "/api/policy/default",
];

/// Fills the log of a fresh service with `rows` and measures.
pub async fn measure(binary: &Path, rows: u64, duration: Duration, connections: usize) -> Result<()> {
    let service = service::start(binary).await?;
    service.fill_log(binary, rows).await?;
    table::head();
    for path in READS {
        let measured = load::measure(&[service.at(path)], &Body::Nothing, connections, duration).await?;
        table::row(path.trim_start_matches("/api/"), connections, &measured);
    }
    for days in [1, 7, 30] {
        let measured = load::measure(&[service.at(&dashboard(days))], &Body::Nothing, 1, duration).await?;
        table::row(&format!("dashboard over {days} days"), 1, &measured);
    }
    for format in ["csv", "jsonl"] {
        export(&service.at(&format!("/api/logs/export?format={format}")), rows).await?;
    }
    Ok(())
}

/// Returns the path of the dashboard metrics for the last `days` days.
#[expect(clippy::disallowed_methods, reason = "a measurement has no clock but the machine's")]
fn dashboard(days: u32) -> String {
    let from = SystemTime::now() - days * Duration::from_hours(24);
    format!("/api/dashboard?from={}", humantime::format_rfc3339_seconds(from))
}

async fn export(target: &Target, rows: u64) -> Result<()> {
    let began = Instant::now();
    let mut answer = Client::new().get(&target.url).header("x-api-key", &target.key).send().await?;
    let mut bytes = 0;
    while let Some(chunk) = answer.chunk().await? {
        bytes += chunk.len();
    }
    let seconds = began.elapsed().as_secs_f64();
    let (rate, megabytes) = (rows as f64 / seconds, bytes as f64 / 1e6);
    println!("{} {seconds:.1} s, {rate:.0} rows/s, {megabytes:.0} MB", target.url);
    Ok(())
}

//! Latency of one organization while another sends as many long documents as it can.

use std::{path::Path, slice::from_ref, time::Duration};

use anyhow::{Result, ensure};
use reqwest::Client;
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    load::{self, Body, Measured, Target, new_prompt},
    service, table,
};

const PROMPT: usize = 1_000;
const CONNECTIONS: usize = 2;
const DOCUMENT: usize = 3_900_000;
const ATTACKERS: u64 = 24;
/// The 99th percentile may grow by this factor under attack.
const MAX_RATIO: f64 = 5.0;

/// Measures short prompts of one organization alone, then under the attack of another.
pub async fn measure(binary: &Path, duration: Duration) -> Result<()> {
    let service = service::start(binary).await?;
    let other = service.other_organization(binary).await?;
    table::head();
    let quiet = prompts(&other, duration).await?;
    table::row("alone", CONNECTIONS, &quiet);
    let mut attack = JoinSet::new();
    for number in 0..ATTACKERS {
        attack.spawn(send_documents(service.target.clone(), number));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let attacked = prompts(&other, duration).await?;
    attack.shutdown().await;
    table::row("24 documents of 3.9 MB at once", CONNECTIONS, &attacked);
    let p99 = |measured: &Measured| measured.percentile(0.99).as_secs_f64();
    let ratio = p99(&attacked) / p99(&quiet);
    println!("ratio of p99: {ratio:.1}");
    ensure!(ratio <= MAX_RATIO, "one organization delays another");
    Ok(())
}

async fn prompts(target: &Target, duration: Duration) -> Result<Measured> {
    load::measure(from_ref(target), &Body::New(PROMPT), CONNECTIONS, duration).await
}

/// Sends documents one after the other, refused or not.
async fn send_documents(target: Target, number: u64) {
    let client = Client::new();
    for round in 0.. {
        let document = new_prompt(DOCUMENT, number + round * ATTACKERS);
        let body = json!({ "prompt": "Hello.", "documents": [document] });
        drop(client.post(&target.url).header("x-api-key", &target.key).json(&body).send().await);
    }
}

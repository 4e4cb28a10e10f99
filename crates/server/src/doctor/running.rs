//! States of a running service, for `/readyz?verbose` and `guardengine doctor`. They hold no addresses and no paths.

use std::time::Duration;

use guardengine_egress::client;
use guardengine_guard::Guard;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{Check, Status, system};
use crate::{
    app::{Operations, Tenants},
    config::Settings,
    http::Admission,
    service_log,
};

/// Time limit to ask a running service.
const TIME: Duration = Duration::from_secs(5);

/// The state of one part of a running service.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ReadinessCheck)]
pub struct PartState {
    /// Name of the check, as in `guardengine doctor`.
    pub name: &'static str,
    /// `ok`, `warning` (part of the service does not work) or `failed`.
    pub status: Status,
}

/// Returns the states of this service.
pub async fn states(
    operations: &Operations,
    tenants: &Tenants,
    guard: &Guard,
    admission: &Admission,
) -> Vec<PartState> {
    let fails_unless = |holds| if holds { Status::Ok } else { Status::Failed };
    let warns_unless = |holds| if holds { Status::Ok } else { Status::Warning };
    let (settings, store) = (&operations.settings, &operations.health);
    let growth = tenants.db.growth(tenants.clock.now()).await.ok();
    let has_key = settings.master_key.is_some() || settings.master_key_file.exists();
    let media = guard.media_workers().status();
    let [images, audio] = media.are_ready();
    let export = operations.log_export.as_ref().map(|export| !export.status().report().has_error());
    let states = [
        ("store", Some(fails_unless(store.is_up()))),
        ("writes", Some(fails_unless(store.is_up() && store.is_writable()))),
        // The service does not start with another version, or without its models.
        ("schema", Some(Status::Ok)),
        ("engine", Some(Status::Ok)),
        ("disk", Some(system::disk(settings, growth).status)),
        ("keys", Some(warns_unless(has_key))),
        ("ocr", images.map(warns_unless)),
        ("speech", audio.map(warns_unless)),
        ("media_sandbox", media.is_confined().map(warns_unless)),
        ("redis", admission.rate_limiter.is_redis_up().map(warns_unless)),
        ("log_export", export.map(warns_unless)),
        ("log_sink", Some(warns_unless(!service_log::drops_lines()))),
    ];
    states.into_iter().filter_map(|(name, status)| Some(PartState { name, status: status? })).collect()
}

/// Returns the names of the parts of this service that do not work.
pub async fn failed_parts(
    operations: &Operations,
    tenants: &Tenants,
    guard: &Guard,
    admission: &Admission,
) -> Vec<String> {
    let states = states(operations, tenants, guard, admission).await;
    let failed = states.into_iter().filter(|state| state.status != Status::Ok);
    failed.map(|state| state.name.to_owned()).collect()
}

/// The parts of an answer of `/readyz?verbose` that are read.
#[derive(Deserialize)]
struct Reported {
    name: String,
    status: String,
}

/// Asks the service at the configured address, if one runs there.
pub async fn check(settings: &Settings) -> Check {
    let mut address = settings.listen;
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() {
            [127, 0, 0, 1].into()
        } else {
            std::net::Ipv6Addr::LOCALHOST.into()
        });
    }
    let Ok(answer) = ask(&format!("http://{address}/readyz?verbose")).await else {
        return Check::ok("service", format!("not running at {address}"));
    };
    let reported: Vec<Reported> = serde_json::from_value(answer["checks"].clone()).unwrap_or_default();
    let troubled = reported.iter().filter(|state| state.status != Status::Ok.name());
    let troubled: Vec<_> = troubled.map(|state| format!("{} {}", state.name, state.status)).collect();
    if troubled.is_empty() {
        return Check::ok("service", format!("running at {address}"));
    }
    let fix = "see the other checks and the log of the service";
    Check::warning("service", format!("running at {address}, with {}", troubled.join(", ")), fix)
}

async fn ask(url: &str) -> anyhow::Result<Value> {
    Ok(client().timeout(TIME).build()?.get(url).send().await?.json().await?)
}

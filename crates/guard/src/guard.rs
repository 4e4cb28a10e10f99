//! The state of the guard.

use std::{ops::Deref, sync::Arc, time::Duration};

use anyhow::{Context as _, Result};
use guardengine_api_types::BaseUrl;
use guardengine_classifiers::Classifier;
use guardengine_egress::EgressClient;
use guardengine_engine::warm_up;
use guardengine_integrations::llm::LanguageModels;
use guardengine_store::{Db, OrgChanges, StoreHealth};
use guardengine_vault::Vault;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use crate::{
    Costs, GuardSettings, PolicyCache,
    attachments::{MediaWorkers, Transcriber},
    classifier,
    degraded::{ContextCache, Spool},
    evaluated_turns::EvaluatedTurns,
    jobs::Jobs,
    journal::Journal,
    outcome_counter::UnevaluatedCounts,
    processors::Processors,
    second_opinion::SecondOpinions,
    stage_history::StageHistory,
    traces::Traces,
};

// Requests that may wait for a processor. Further requests are refused with 503.
const MAX_QUEUED: usize = 512;
// Policies that may wait to be compiled.
const MAX_DRAFTS: usize = 128;
// One replay at a time, so that a live request waits for at most one replayed log entry.
const MAX_REPLAYS: usize = 1;

/// Dependencies of the guard on other layers.
pub struct GuardDeps {
    /// The store.
    pub db: Db,
    /// Health of the store.
    pub health: StoreHealth,
    /// Secrets at rest.
    pub vault: Vault,
    /// HTTP client for connectors that transcribe.
    pub egress: EgressClient,
    /// Language models for second opinions.
    pub language_models: LanguageModels,
    /// Spans of calls.
    pub traces: Traces,
}

/// Evaluates guard calls and records their decisions; cheap to clone.
#[derive(Clone)]
pub struct Guard(Arc<GuardState>);

/// The parts of a [`Guard`].
pub struct GuardState {
    pub(crate) db: Db,
    pub(crate) health: StoreHealth,
    pub(crate) vault: Vault,
    pub(crate) journal: Journal,
    pub(crate) policies: PolicyCache,
    pub(crate) classifier: Arc<dyn Classifier>,
    pub(crate) evaluated_turns: EvaluatedTurns,
    pub(crate) processors: Processors,
    pub(crate) drafts: Processors,
    pub(crate) deadline: Duration,
    pub(crate) replays: Semaphore,
    pub(crate) costs: Costs,
    pub(crate) second_opinions: SecondOpinions,
    pub(crate) media_workers: Arc<MediaWorkers>,
    pub(crate) transcriber: Transcriber,
    pub(crate) jobs: Jobs,
    /// Length of audio above which a call becomes a job.
    pub(crate) async_above: Duration,
    /// Longest audio that is accepted.
    pub(crate) max_duration: Duration,
    pub(crate) ticket_window: Duration,
    pub(crate) base_url: BaseUrl,
    pub(crate) review_lifetime: Duration,
    pub(crate) low_credits: i64,
    /// Cached contexts. `None` with a database that is always available.
    pub(crate) contexts: Option<ContextCache>,
    /// Spool for decisions. `None` with a database that is always available.
    pub(crate) spool: Option<Spool>,
    pub(crate) stage_history: StageHistory,
    pub(crate) traces: Traces,
    pub(crate) unevaluated: UnevaluatedCounts,
}

impl Deref for Guard {
    type Target = GuardState;

    fn deref(&self) -> &GuardState {
        &self.0
    }
}

impl Guard {
    /// Loads the models, starts the journal and the spool as some of `tasks`, and warms up the engine.
    pub fn open(deps: GuardDeps, settings: &GuardSettings, tasks: &TaskTracker) -> Result<Self> {
        let GuardDeps { db, health, vault, egress, language_models, traces } = deps;
        let unevaluated = UnevaluatedCounts::default();
        let cache = |changes: &OrgChanges| ContextCache::new(changes.clone(), settings.spool.cache_lifetime);
        let contexts = health.changes().map(cache);
        let open_spool = || Spool::open(db.clone(), health.clone(), &settings.spool, tasks);
        let spool = contexts.is_some().then(open_spool).transpose().context("could not open the spool")?;
        let jobs = Jobs::open(&settings.jobs_folder).context("could not open the folder of the jobs")?;
        let media_workers = Arc::new(MediaWorkers::new(&settings.media));
        let transcriber = Transcriber::new(
            Arc::clone(&media_workers),
            db.clone(),
            vault.clone(),
            egress,
            settings.media.audio_timeout,
        );
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let classifier = classifier(&settings.models)?;
        warm_up(&PolicyCache::built_in());
        Ok(Self(Arc::new(GuardState {
            journal: Journal::start(db.clone(), health.clone(), unevaluated.clone(), tasks),
            policies: PolicyCache::default(),
            classifier,
            evaluated_turns: EvaluatedTurns::default(),
            // With one thread, a short text shares the processor with a long one rather than waiting for it.
            processors: Processors::new(threads.max(2), MAX_QUEUED),
            drafts: Processors::new((threads / 2).max(1), MAX_DRAFTS),
            deadline: settings.deadline,
            replays: Semaphore::new(MAX_REPLAYS),
            costs: settings.costs,
            second_opinions: SecondOpinions::new(language_models, settings.opinion_timeout),
            media_workers,
            transcriber,
            jobs,
            async_above: settings.media.async_above,
            max_duration: settings.media.max_duration,
            ticket_window: settings.ticket_window,
            base_url: settings.base_url.clone(),
            review_lifetime: settings.review_lifetime,
            low_credits: settings.low_credits,
            contexts,
            spool,
            stage_history: StageHistory::default(),
            traces,
            unevaluated,
            db,
            health,
            vault,
        })))
    }

    /// Returns the counts of unevaluated requests that are not written yet.
    pub fn unevaluated(&self) -> &UnevaluatedCounts {
        &self.unevaluated
    }

    /// Returns the address of a path of the service, as clients reach it; the path alone if that is not known.
    pub fn address(&self, path: &str) -> String {
        self.base_url.page(path).unwrap_or_else(|| path.to_owned())
    }

    /// Returns what starts spans.
    pub fn traces(&self) -> &Traces {
        &self.traces
    }

    /// Returns the workers that read images and audio.
    pub fn media_workers(&self) -> &Arc<MediaWorkers> {
        &self.media_workers
    }
}

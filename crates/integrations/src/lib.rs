//! Integrations with third-party systems of an organization: language models, ticket systems, webhooks, cloud accounts.
//!
//! [`Integrations`] is the state that all of them share. This crate owns the catalogue of connectors, their secrets and
//! health, the delivery of tickets and events, and completion requests. All calls go through the egress client. It never
//! sees a request of a caller, and never decides on one.

pub mod alerts;
mod background;
pub mod connectors;
mod error;
pub mod events;
pub mod llm;
pub mod mail;
pub mod mcp;
mod settings;
pub mod tickets;
pub mod webhooks;

use std::sync::Arc;

use guardengine_api_types::BaseUrl;
use guardengine_egress::EgressClient;
use guardengine_store::{Clock, Db};
use guardengine_vault::Vault;
use tokio::sync::Notify;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use background::Queue;
pub use error::Error;
use llm::LanguageModels;
pub use settings::TicketSettings;

/// The state that integrations share; cheap to clone.
#[derive(Clone)]
pub struct Integrations {
    /// The store.
    pub db: Db,
    /// Clock.
    pub clock: Clock,
    /// Secrets at rest.
    pub vault: Vault,
    /// HTTP client for addresses that tenants configure.
    pub egress: EgressClient,
    /// The organizations' language models.
    pub language_models: LanguageModels,
    /// Notified when a connector must be checked at once.
    pub connectors_changed: Arc<Notify>,
    /// Notified when events wait for delivery.
    pub events_pending: Arc<Notify>,
    /// Notified when messages of alerts wait for delivery.
    pub alerts_pending: Arc<Notify>,
    /// Address of the service, for links.
    pub base_url: BaseUrl,
    tickets: TicketSettings,
    tasks: TaskTracker,
    draining: CancellationToken,
}

impl Integrations {
    /// Creates the state. Deliveries and checks run as some of `tasks` and end early when `draining` is cancelled.
    pub fn new(
        db: Db,
        clock: Clock,
        vault: Vault,
        egress: EgressClient,
        tickets: TicketSettings,
        tasks: &TaskTracker,
        draining: &CancellationToken,
    ) -> Self {
        Self {
            language_models: LanguageModels::new(db.clone(), vault.clone(), egress.clone(), clock.clone()),
            db,
            clock,
            vault,
            egress,
            connectors_changed: Arc::default(),
            events_pending: Arc::default(),
            alerts_pending: Arc::default(),
            base_url: BaseUrl::default(),
            tickets,
            tasks: tasks.clone(),
            draining: draining.clone(),
        }
    }

    /// Sets the address of the service, with which links begin.
    #[must_use]
    pub fn with_base_url(self, base_url: BaseUrl) -> Self {
        Self { base_url, ..self }
    }

    /// Starts the background work as some of the tasks: connector checks, ticket and webhook delivery. Ends at `stop`.
    pub fn start(&self, stop: &CancellationToken) {
        self.work_off::<connectors::Checks>(stop);
        self.work_off::<tickets::Tickets>(stop);
        self.work_off::<webhooks::Subscriptions>(stop);
        self.work_off::<alerts::Messages>(stop);
    }

    fn work_off<Q: Queue>(&self, stop: &CancellationToken) {
        self.tasks.spawn(background::run::<Q>(self.clone(), stop.clone()));
    }
}

//! Typed settings, validated from the configuration layers.

use std::{
    borrow::Cow,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use guardengine_api_types::BaseUrl;
use guardengine_auth::{AuthSettings, Limit, LockoutRules, SessionLifetimes};
use guardengine_egress::NetworkPolicy;
use guardengine_guard::{Costs, GuardSettings, SpoolSettings};
use guardengine_integrations::TicketSettings;
use guardengine_log_export::LogExport;
use ipnet::IpNet;

use super::{ConfigError, Form, Layers, Secret, keys, value::size};
use crate::trace_export::TraceSettings;

/// Rate limits by endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// `/token`
    pub token: Limit,
    /// `/login`
    pub login: Limit,
    /// `/refresh`
    pub refresh: Limit,
    /// `/logout`
    pub logout: Limit,
    /// `/v2/guardengine/svc_firewall_analyze`
    pub analyze: Limit,
    /// `/api/autonomous/analyze`
    pub autonomous: Limit,
    /// Every other authenticated endpoint.
    pub default: Limit,
}

/// Validated configuration of the service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address and port of the API and the console.
    pub listen: SocketAddr,
    /// Address under which people reach the service.
    pub base_url: BaseUrl,
    /// Folder for the embedded database, keys and caches.
    pub data_dir: PathBuf,
    /// URL of the database.
    pub database_url: Secret,
    /// Redis that shares rate limit counters between replicas. `None` counts in this process.
    pub redis_url: Option<Secret>,
    /// File of the master key.
    pub master_key_file: PathBuf,
    /// The master key itself, which overrides the file.
    pub master_key: Option<Secret>,
    /// Networks of proxies whose `X-Forwarded-For` or `Forwarded` header is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Username and password of the first owner.
    pub admin: (Option<String>, Option<Secret>),
    /// Sessions, lockout and cached API keys.
    pub auth: AuthSettings,
    /// Rate limits.
    pub limits: Limits,
    /// Starting balance of a new organization.
    pub initial_credits: i64,
    /// Retention period of single ledger entries; `None` keeps them without limit.
    pub credit_retention: Option<Duration>,
    /// Largest JSON body, in bytes.
    pub max_json: usize,
    /// Largest body with media, in bytes.
    pub max_media: usize,
    /// Memory of all request bodies together, in bytes.
    pub max_in_flight: usize,
    /// Open connections of one client address; 0 for no limit.
    pub connections_per_address: usize,
    /// True if paths may hold an API key.
    pub key_in_path: bool,
    /// Networks that tenant-configured addresses may reach.
    pub outgoing: NetworkPolicy,
    /// Longest wait for a drafted policy.
    pub draft_timeout: Duration,
    /// Prices, images and audio, custom models, degraded mode.
    pub guard: GuardSettings,
    /// Ticket delivery.
    pub tickets: TicketSettings,
    /// Retention period of log entries; `None` keeps them without limit.
    pub log_retention: Option<Duration>,
    /// Destination of exported log entries, if any.
    pub log_export: Option<LogExport>,
    /// Collector of traces; `None` sends none.
    pub traces: Option<TraceSettings>,
    /// Retention period of audit entries; `None` keeps them without limit.
    pub audit_retention: Option<Duration>,
    /// Retention period of events.
    pub event_retention: Duration,
}

impl Settings {
    /// Validates every value. Returns the first error.
    pub fn from_layers(layers: &Layers) -> Result<Self, ConfigError> {
        let layers = &layers.with_secret_files()?;
        let read = Reader(layers);
        let data_dir = PathBuf::from(layers.get("data_dir").0);
        Ok(Self {
            listen: read.parsed("listen")?,
            base_url: read.base_url()?,
            database_url: Secret::new(read.database_url(&data_dir)?),
            redis_url: read.redis_url()?.map(Secret::new),
            master_key_file: read
                .text("master_key_file")
                .map_or_else(|| data_dir.join("master.key"), PathBuf::from),
            master_key: read.text("master_key").map(Secret::new),
            trusted_proxies: read.networks("trusted_proxies")?,
            admin: (read.text("admin.username"), read.text("admin.password").map(Secret::new)),
            auth: AuthSettings {
                session: read.session()?,
                lockout: read.lockout()?,
                cache_lifetime: read.duration("spool.trust")?,
            },
            limits: read.limits()?,
            initial_credits: read.count("credits.initial")?,
            credit_retention: read.optional_duration("credits.retention")?,
            max_json: read.size("max_body.json")?,
            max_media: read.size("max_body.media")?,
            max_in_flight: read.size("max_body.in_flight")?,
            connections_per_address: read.count("limits.connections_per_address")?,
            key_in_path: read.parsed("surfaces.key_in_path")?,
            outgoing: read.network_policy()?,
            draft_timeout: read.duration("llm.draft_timeout")?,
            guard: read.guard(&data_dir)?,
            tickets: read.tickets()?,
            log_retention: read.optional_duration("logs.retention")?,
            log_export: read.log_export()?,
            traces: read.traces()?,
            audit_retention: read.optional_duration("audit.retention")?,
            event_retention: read.duration("events.retention")?,
            data_dir,
        })
    }

    /// Returns true if the value of `key` must stay hidden.
    pub fn is_secret(key: &str) -> bool {
        keys::key(key).is_some_and(|key| key.is_secret)
    }
}

pub(super) struct Reader<'l>(&'l Layers);

impl Reader<'_> {
    pub(super) fn text(&self, key: &str) -> Option<String> {
        Some(self.0.get(key).0).filter(|value| !value.is_empty()).map(str::to_owned)
    }

    /// Returns the form of a key.
    fn form(key: &str) -> &'static Form {
        keys::key(key).map_or(&Form::Text, |key| &key.form)
    }

    /// Returns the error for a value that does not have the form of its key.
    pub(super) fn refuse(&self, key: &str) -> ConfigError {
        self.bad_value(key, Self::form(key).accepted())
    }

    /// Returns the same error with the value hidden.
    pub(super) fn refuse_hidden(&self, key: &str) -> ConfigError {
        self.bad_hidden_value(key, Self::form(key).accepted())
    }

    pub(super) fn bad_value(&self, key: &str, accepted: impl Into<Cow<'static, str>>) -> ConfigError {
        if Settings::is_secret(key) {
            return self.bad_hidden_value(key, accepted);
        }
        let (value, source) = self.0.get(key);
        ConfigError::BadValue {
            place: source.to_string(),
            key: key.to_owned(),
            value: value.to_owned(),
            accepted: accepted.into(),
        }
    }

    pub(super) fn bad_hidden_value(&self, key: &str, accepted: impl Into<Cow<'static, str>>) -> ConfigError {
        let (place, value) = (self.0.get(key).1.to_string(), "(hidden)".to_owned());
        ConfigError::BadValue { place, key: key.to_owned(), value, accepted: accepted.into() }
    }

    pub(super) fn parsed<T: FromStr>(&self, key: &str) -> Result<T, ConfigError> {
        self.0.get(key).0.trim().parse().map_err(|_| self.refuse(key))
    }

    pub(super) fn count<T: TryFrom<i64>>(&self, key: &str) -> Result<T, ConfigError> {
        let count: i64 = self.parsed(key)?;
        let is_accepted = matches!(Self::form(key), Form::Count(range) if range.contains(&count));
        T::try_from(count).ok().filter(|_| is_accepted).ok_or_else(|| self.refuse(key))
    }

    pub(super) fn optional_count<T: TryFrom<i64>>(&self, key: &str) -> Result<Option<T>, ConfigError> {
        self.text(key).map(|_| self.count(key)).transpose()
    }

    pub(super) fn duration(&self, key: &str) -> Result<Duration, ConfigError> {
        let duration = humantime::parse_duration(self.0.get(key).0.trim()).ok();
        let is_accepted = |duration: &Duration| matches!(Self::form(key), Form::Duration(range) if range.contains(duration));
        duration.filter(is_accepted).ok_or_else(|| self.refuse(key))
    }

    fn optional_duration(&self, key: &str) -> Result<Option<Duration>, ConfigError> {
        self.text(key).map(|_| self.duration(key)).transpose()
    }

    pub(super) fn size(&self, key: &str) -> Result<usize, ConfigError> {
        let is_accepted = |bytes: &usize| matches!(Self::form(key), Form::Size(min) if bytes >= min);
        size(self.0.get(key).0).filter(is_accepted).ok_or_else(|| self.refuse(key))
    }

    /// Returns the word that a key is set to, if any.
    #[cfg(any(feature = "nats", feature = "kafka"))]
    pub(super) fn word(&self, key: &str) -> Result<Option<&'static str>, ConfigError> {
        let Some(value) = self.text(key) else { return Ok(None) };
        let Form::OneOf(words) = Self::form(key) else { return Err(self.refuse(key)) };
        let word = words.iter().copied().find(|word| *word == value);
        word.map(Some).ok_or_else(|| self.refuse(key))
    }

    fn base_url(&self) -> Result<BaseUrl, ConfigError> {
        let parse = |url: String| BaseUrl::parse(&url).ok_or_else(|| self.refuse("base_url"));
        self.text("base_url").map_or_else(|| Ok(BaseUrl::default()), parse)
    }

    fn redis_url(&self) -> Result<Option<String>, ConfigError> {
        let is_known = |url: &String| ["redis://", "rediss://"].iter().any(|scheme| url.starts_with(scheme));
        match self.text("redis_url") {
            Some(url) if !is_known(&url) => Err(self.refuse("redis_url")),
            known => Ok(known),
        }
    }

    fn database_url(&self, data_dir: &Path) -> Result<String, ConfigError> {
        let is_known = |url: &String| {
            ["sqlite://", "postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme))
        };
        match self.text("database_url") {
            None => Ok(format!("sqlite://{}", data_dir.join("guardengine.db").display())),
            Some(url) if is_known(&url) => Ok(url),
            Some(_) => Err(self.refuse("database_url")),
        }
    }

    fn network_policy(&self) -> Result<NetworkPolicy, ConfigError> {
        let is_private = self.parsed("outgoing.allow_private")?;
        Ok(if is_private { NetworkPolicy::Private } else { NetworkPolicy::Internet })
    }

    fn low_credits(&self) -> Result<i64, ConfigError> {
        let low = self.optional_count("credits.low")?;
        low.map_or_else(|| Ok(self.count::<i64>("credits.initial")? / 10), Ok)
    }

    fn networks(&self, key: &str) -> Result<Vec<IpNet>, ConfigError> {
        let network = |text: &str| {
            let address = || text.parse::<std::net::IpAddr>().map(IpNet::from);
            text.parse().or_else(|_| address()).map_err(|_| self.refuse(key))
        };
        self.0.get(key).0.split(',').map(str::trim).filter(|one| !one.is_empty()).map(network).collect()
    }

    fn session(&self) -> Result<SessionLifetimes, ConfigError> {
        Ok(SessionLifetimes {
            access_token_ttl: self.duration("session.access_token_ttl")?,
            refresh_token_ttl: self.duration("session.refresh_token_ttl")?,
            idle_timeout: self.duration("session.idle_timeout")?,
            reuse_grace: self.duration("session.reuse_grace")?,
        })
    }

    fn guard(&self, data_dir: &Path) -> Result<GuardSettings, ConfigError> {
        Ok(GuardSettings {
            costs: self.costs()?,
            low_credits: self.low_credits()?,
            ticket_window: self.duration("tickets.window")?,
            base_url: self.base_url()?,
            review_lifetime: self.duration("reviews.expires_after")?,
            deadline: self.duration("evaluation.deadline")?,
            opinion_timeout: self.duration("llm.timeout")?,
            media: self.media(data_dir)?,
            models: self.models()?,
            jobs_folder: data_dir.join("jobs"),
            spool: SpoolSettings {
                cache_lifetime: self.duration("spool.trust")?,
                folder: data_dir.join("spool"),
                max_size: self.size("spool.max_size")? as u64,
            },
        })
    }

    fn lockout(&self) -> Result<LockoutRules, ConfigError> {
        Ok(LockoutRules {
            attempts: self.count("lockout.attempts")?,
            window: self.duration("lockout.window")?,
            duration: self.duration("lockout.duration")?,
        })
    }

    fn tickets(&self) -> Result<TicketSettings, ConfigError> {
        Ok(TicketSettings {
            window: self.duration("tickets.window")?,
            attempts: self.count("tickets.attempts")?,
            settling: self.duration("tickets.settling")?,
        })
    }

    fn limits(&self) -> Result<Limits, ConfigError> {
        Ok(Limits {
            token: self.parsed("limits.token")?,
            login: self.parsed("limits.login")?,
            refresh: self.parsed("limits.refresh")?,
            logout: self.parsed("limits.logout")?,
            analyze: self.parsed("limits.analyze")?,
            autonomous: self.parsed("limits.autonomous")?,
            default: self.parsed("limits.default")?,
        })
    }

    fn costs(&self) -> Result<Costs, ConfigError> {
        Ok(Costs {
            analyze: self.count("credits.cost.analyze")?,
            validate: self.count("credits.cost.validate")?,
            mask: self.count("credits.cost.mask")?,
            autonomous: self.count("credits.cost.autonomous")?,
            audio: self.count("credits.cost.audio")?,
            image: self.count("credits.cost.image")?,
            unit: self.count("credits.unit")?,
        })
    }
}

//! Typed settings, validated from the configuration layers.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use guardengine_auth::{AuthSettings, Limit, LockoutRules, SessionLifetimes};
use guardengine_egress::NetworkPolicy;
use guardengine_guard::{Costs, GuardSettings, SpoolSettings};
use guardengine_integrations::TicketSettings;
use guardengine_log_export::LogExport;
use ipnet::IpNet;

use super::{
    ConfigError, Layers, Secret,
    value::{LIMIT, size},
};

// Keys whose values never appear in `config show`, errors or logs.
const SECRETS: [&str; 8] = [
    "admin.password",
    "master_key",
    "database_url",
    "redis_url",
    "models.remote.token",
    "log_export.nats.password",
    "log_export.nats.token",
    "log_export.kafka.password",
];
const DURATION: &str = "must be a duration, such as 500ms, 15m or 30d";
const COUNT: &str = "must be a whole number";

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
    /// Networks of proxies whose `X-Forwarded-For` header is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Username and password of the first owner.
    pub admin: (Option<String>, Option<Secret>),
    /// Sessions, lockout and cached API keys.
    pub auth: AuthSettings,
    /// Rate limits.
    pub limits: Limits,
    /// Starting balance of a new organization.
    pub initial_credits: i64,
    /// Largest JSON body, in bytes.
    pub max_json: usize,
    /// Largest body with media, in bytes.
    pub max_media: usize,
    /// Networks that tenant-configured addresses may reach.
    pub outgoing: NetworkPolicy,
    /// Longest wait for a drafted policy.
    pub draft_timeout: Duration,
    /// Prices, images and audio, custom models, degraded mode.
    pub guard: GuardSettings,
    /// Ticket delivery.
    pub tickets: TicketSettings,
    /// How long log entries are kept; `None` keeps them without limit.
    pub log_retention: Option<Duration>,
    /// Destination of exported log entries, if any.
    pub log_export: Option<LogExport>,
    /// How long audit entries are kept; `None` keeps them without limit.
    pub audit_retention: Option<Duration>,
    /// How long events are kept.
    pub event_retention: Duration,
}

impl Settings {
    /// Validates every value. Returns the first error.
    pub fn from_layers(layers: &Layers) -> Result<Self, ConfigError> {
        let read = Reader(layers);
        let data_dir = PathBuf::from(layers.get("data_dir").0);
        Ok(Self {
            listen: read.parsed("listen", "must be an address and a port, such as 127.0.0.1:8080")?,
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
                cache_lifetime: read.positive_duration("spool.trust")?,
            },
            limits: read.limits()?,
            initial_credits: read.credits("credits.initial")?,
            max_json: read.size("max_body.json")?,
            max_media: read.size("max_body.media")?,
            outgoing: read.network_policy()?,
            draft_timeout: read.llm_timeout("llm.draft_timeout")?,
            guard: read.guard(&data_dir)?,
            tickets: read.tickets()?,
            log_retention: read.optional_duration("logs.retention")?,
            log_export: read.log_export()?,
            audit_retention: read.optional_duration("audit.retention")?,
            event_retention: read.positive_duration("events.retention")?,
            data_dir,
        })
    }

    /// Returns true if the value of `key` must stay hidden.
    pub fn is_secret(key: &str) -> bool {
        SECRETS.contains(&key)
    }
}

pub(super) struct Reader<'l>(&'l Layers);

impl Reader<'_> {
    pub(super) fn text(&self, key: &str) -> Option<String> {
        Some(self.0.get(key).0).filter(|value| !value.is_empty()).map(str::to_owned)
    }

    pub(super) fn bad_value(&self, key: &str, accepted: &'static str) -> ConfigError {
        if Settings::is_secret(key) {
            return self.bad_hidden_value(key, accepted);
        }
        let (value, source) = self.0.get(key);
        ConfigError::BadValue {
            place: source.to_string(),
            key: key.to_owned(),
            value: value.to_owned(),
            accepted,
        }
    }

    pub(super) fn bad_hidden_value(&self, key: &str, accepted: &'static str) -> ConfigError {
        let (place, value) = (self.0.get(key).1.to_string(), "(hidden)".to_owned());
        ConfigError::BadValue { place, key: key.to_owned(), value, accepted }
    }

    pub(super) fn parsed<T: FromStr>(&self, key: &str, accepted: &'static str) -> Result<T, ConfigError> {
        self.0.get(key).0.trim().parse().map_err(|_| self.bad_value(key, accepted))
    }

    fn redis_url(&self) -> Result<Option<String>, ConfigError> {
        let is_known = |url: &String| ["redis://", "rediss://"].iter().any(|scheme| url.starts_with(scheme));
        match self.text("redis_url") {
            Some(url) if !is_known(&url) => {
                Err(self.bad_value("redis_url", "must be redis://host:port/db, or rediss:// for TLS"))
            }
            known => Ok(known),
        }
    }

    fn database_url(&self, data_dir: &Path) -> Result<String, ConfigError> {
        match self.text("database_url") {
            None => Ok(format!("sqlite://{}", data_dir.join("guardengine.db").display())),
            Some(url)
                if ["sqlite://", "postgres://", "postgresql://"]
                    .iter()
                    .any(|scheme| url.starts_with(scheme)) =>
            {
                Ok(url)
            }
            Some(_) => Err(self.bad_value(
                "database_url",
                "must be sqlite://FILE or postgres://user:password@host/database",
            )),
        }
    }

    pub(super) fn duration(&self, key: &str) -> Result<Duration, ConfigError> {
        humantime::parse_duration(self.0.get(key).0.trim()).map_err(|_| self.bad_value(key, DURATION))
    }

    pub(super) fn positive_duration(&self, key: &str) -> Result<Duration, ConfigError> {
        let duration = self.duration(key)?;
        let accepted = "must be a duration of at least one second, such as 15m";
        if duration >= Duration::from_secs(1) { Ok(duration) } else { Err(self.bad_value(key, accepted)) }
    }

    fn optional_duration(&self, key: &str) -> Result<Option<Duration>, ConfigError> {
        self.text(key).map(|_| self.positive_duration(key)).transpose()
    }

    fn network_policy(&self) -> Result<NetworkPolicy, ConfigError> {
        let is_private = self.parsed("outgoing.allow_private", "must be true or false")?;
        Ok(if is_private { NetworkPolicy::Private } else { NetworkPolicy::Internet })
    }

    fn size(&self, key: &str) -> Result<usize, ConfigError> {
        size(self.0.get(key).0).ok_or_else(|| self.bad_value(key, "must be a size, such as 2MiB"))
    }

    fn credits(&self, key: &str) -> Result<i64, ConfigError> {
        let credits: i64 = self.parsed(key, COUNT)?;
        if credits >= 0 { Ok(credits) } else { Err(self.bad_value(key, "must be zero or more")) }
    }

    fn low_credits(&self) -> Result<i64, ConfigError> {
        match self.text("credits.low") {
            Some(_) => self.credits("credits.low"),
            None => Ok(self.credits("credits.initial")? / 10),
        }
    }

    fn networks(&self, key: &str) -> Result<Vec<IpNet>, ConfigError> {
        let accepted = "must be addresses or networks separated by commas, such as 10.0.0.0/8, 192.0.2.7";
        let network = |text: &str| {
            let address = || text.parse::<std::net::IpAddr>().map(IpNet::from);
            text.parse().or_else(|_| address()).map_err(|_| self.bad_value(key, accepted))
        };
        self.0.get(key).0.split(',').map(str::trim).filter(|one| !one.is_empty()).map(network).collect()
    }

    fn session(&self) -> Result<SessionLifetimes, ConfigError> {
        Ok(SessionLifetimes {
            access_token_ttl: self.positive_duration("session.access_token_ttl")?,
            refresh_token_ttl: self.positive_duration("session.refresh_token_ttl")?,
            idle_timeout: self.positive_duration("session.idle_timeout")?,
            reuse_grace: self.duration("session.reuse_grace")?,
        })
    }

    fn guard(&self, data_dir: &Path) -> Result<GuardSettings, ConfigError> {
        Ok(GuardSettings {
            costs: self.costs()?,
            low_credits: self.low_credits()?,
            ticket_window: self.duration("tickets.window")?,
            review_lifetime: self.positive_duration("reviews.expires_after")?,
            opinion_timeout: self.llm_timeout("llm.timeout")?,
            media: self.media()?,
            models: self.models()?,
            spool: SpoolSettings {
                cache_lifetime: self.positive_duration("spool.trust")?,
                folder: data_dir.join("spool"),
                max_size: self.size("spool.max_size")? as u64,
            },
        })
    }

    fn lockout(&self) -> Result<LockoutRules, ConfigError> {
        Ok(LockoutRules {
            attempts: self.at_least_one("lockout.attempts")?,
            window: self.positive_duration("lockout.window")?,
            duration: self.positive_duration("lockout.duration")?,
        })
    }

    fn tickets(&self) -> Result<TicketSettings, ConfigError> {
        Ok(TicketSettings {
            window: self.duration("tickets.window")?,
            attempts: self.at_least_one("tickets.attempts")?,
            settling: self.positive_duration("tickets.settling")?,
        })
    }

    pub(super) fn at_least_one(&self, key: &str) -> Result<u32, ConfigError> {
        let count: std::num::NonZeroU32 = self.parsed(key, "must be a whole number of at least 1")?;
        Ok(count.get())
    }

    fn limits(&self) -> Result<Limits, ConfigError> {
        Ok(Limits {
            token: self.parsed("limits.token", LIMIT)?,
            login: self.parsed("limits.login", LIMIT)?,
            refresh: self.parsed("limits.refresh", LIMIT)?,
            logout: self.parsed("limits.logout", LIMIT)?,
            analyze: self.parsed("limits.analyze", LIMIT)?,
            autonomous: self.parsed("limits.autonomous", LIMIT)?,
            default: self.parsed("limits.default", LIMIT)?,
        })
    }

    fn costs(&self) -> Result<Costs, ConfigError> {
        Ok(Costs {
            analyze: self.credits("credits.cost.analyze")?,
            validate: self.credits("credits.cost.validate")?,
            mask: self.credits("credits.cost.mask")?,
            autonomous: self.credits("credits.cost.autonomous")?,
            audio: self.credits("credits.cost.audio")?,
            image: self.credits("credits.cost.image")?,
        })
    }
}

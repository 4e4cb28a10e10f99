//! The effective configuration.

use std::{net::SocketAddr, path::PathBuf, str::FromStr, time::Duration};

use guardengine_egress::NetworkPolicy;
use ipnet::IpNet;

use super::{
    ConfigError, Layers, Limit, Llm, LogExport, Media, Models, Secret,
    value::{LIMIT, size},
};

// Never shown: by `config show`, in a fault, in a log.
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

/// Lifetimes of sessions.
#[derive(Clone, Debug)]
pub struct SessionConfig {
    /// Of an access token.
    pub access_token_ttl: Duration,
    /// Of a refresh token.
    pub refresh_token_ttl: Duration,
    /// Of a session without a request.
    pub idle_timeout: Duration,
    /// How long a second use of a refresh token does not end the session.
    pub reuse_grace: Duration,
}

/// When failed sign-ins lock a username.
#[derive(Clone, Copy, Debug)]
pub struct Lockout {
    /// After so many.
    pub attempts: u32,
    /// Within this.
    pub window: Duration,
    /// For so long.
    pub duration: Duration,
}

/// Requests per window.
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

/// What operations cost, in credits.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// An analyzed prompt.
    pub analyze: i64,
    /// A validated response.
    pub validate: i64,
    /// A masked text.
    pub mask: i64,
    /// An autonomous decision.
    pub autonomous: i64,
    /// A transcribed recording.
    pub audio: i64,
    /// Each image.
    pub image: i64,
}

/// How tickets are sent.
#[derive(Clone, Copy, Debug)]
pub struct TicketConfig {
    /// For so long what is alike comments on a ticket instead of raising another.
    pub window: Duration,
    /// Failed attempts after which a ticket is given up.
    pub attempts: u32,
    /// How long a system may take to show what it made to those who search for it.
    pub settling: Duration,
}

/// What becomes of guard calls that go on while the store does not answer.
#[derive(Clone, Copy, Debug)]
pub struct SpoolConfig {
    /// How long what the store said of a key, a project or a policy is believed.
    pub trust: Duration,
    /// Bytes on the local disk.
    pub max_size: u64,
}

/// The effective configuration.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address and port.
    pub listen: SocketAddr,
    /// Where everything is kept.
    pub data_dir: PathBuf,
    /// The database.
    pub database_url: Secret,
    /// The Redis whose counters replicas share; counters live in this process without.
    pub redis_url: Option<Secret>,
    /// The master key's file.
    pub master_key_file: PathBuf,
    /// The master key itself, instead of the file.
    pub master_key: Option<Secret>,
    /// Networks of proxies whose `X-Forwarded-For` counts.
    pub trusted_proxies: Vec<IpNet>,
    /// Name and password of the first owner.
    pub admin: (Option<String>, Option<Secret>),
    /// Sessions.
    pub session: SessionConfig,
    /// Lockout.
    pub lockout: Lockout,
    /// Rate limits.
    pub limits: Limits,
    /// A new organisation's balance.
    pub initial_credits: i64,
    /// Whether a balance falls below this, is told; 0 where it never is.
    pub low_credits: i64,
    /// Prices.
    pub costs: Costs,
    /// Bytes of a JSON body.
    pub max_json: usize,
    /// Bytes of a body with media.
    pub max_media: usize,
    /// Pictures and recordings.
    pub media: Media,
    /// Where calls to whatever tenants name may go.
    pub outgoing: NetworkPolicy,
    /// How long language models have for their answers.
    pub llm: Llm,
    /// Models of the operator's own.
    pub models: Models,
    /// How long a review waits before it counts as denied.
    pub review_lifetime: Duration,
    /// Tickets.
    pub tickets: TicketConfig,
    /// Guard calls without the store.
    pub spool: SpoolConfig,
    /// How long log rows are kept; `None` for ever.
    pub log_retention: Option<Duration>,
    /// Where log rows are exported to; nowhere where `None`.
    pub log_export: Option<LogExport>,
    /// How long entries of the audit trail are kept; `None` for ever.
    pub audit_retention: Option<Duration>,
    /// How long events are kept.
    pub event_retention: Duration,
}

impl Settings {
    /// Checks every value.
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
            session: read.session()?,
            lockout: read.lockout()?,
            limits: read.limits()?,
            initial_credits: read.credits("credits.initial")?,
            low_credits: read.low_credits()?,
            costs: read.costs()?,
            max_json: read.size("max_body.json")?,
            max_media: read.size("max_body.media")?,
            media: read.media()?,
            outgoing: read.reach()?,
            llm: read.llm()?,
            models: read.models()?,
            review_lifetime: read.lasting("reviews.expires_after")?,
            tickets: read.tickets()?,
            spool: SpoolConfig {
                trust: read.lasting("spool.trust")?,
                max_size: read.size("spool.max_size")? as u64,
            },
            log_retention: read.optional_duration("logs.retention")?,
            log_export: read.log_export()?,
            audit_retention: read.optional_duration("audit.retention")?,
            event_retention: read.lasting("events.retention")?,
            data_dir,
        })
    }

    /// Whether the value of `key` is hidden where it is set.
    pub fn is_secret(key: &str) -> bool {
        SECRETS.contains(&key)
    }
}

pub(super) struct Reader<'l>(&'l Layers);

impl Reader<'_> {
    pub(super) fn text(&self, key: &str) -> Option<String> {
        Some(self.0.get(key).0).filter(|value| !value.is_empty()).map(str::to_owned)
    }

    pub(super) fn fault(&self, key: &str, accepted: &'static str) -> ConfigError {
        if Settings::is_secret(key) {
            return self.hidden(key, accepted);
        }
        let (value, source) = self.0.get(key);
        ConfigError::BadValue {
            place: source.to_string(),
            key: key.to_owned(),
            value: value.to_owned(),
            accepted,
        }
    }

    pub(super) fn hidden(&self, key: &str, accepted: &'static str) -> ConfigError {
        let (place, value) = (self.0.get(key).1.to_string(), "(hidden)".to_owned());
        ConfigError::BadValue { place, key: key.to_owned(), value, accepted }
    }

    pub(super) fn parsed<T: FromStr>(&self, key: &str, accepted: &'static str) -> Result<T, ConfigError> {
        self.0.get(key).0.trim().parse().map_err(|_| self.fault(key, accepted))
    }

    fn redis_url(&self) -> Result<Option<String>, ConfigError> {
        let is_known = |url: &String| ["redis://", "rediss://"].iter().any(|scheme| url.starts_with(scheme));
        match self.text("redis_url") {
            Some(url) if !is_known(&url) => {
                Err(self.fault("redis_url", "must begin with redis:// or rediss://"))
            }
            known => Ok(known),
        }
    }

    fn database_url(&self, data_dir: &std::path::Path) -> Result<String, ConfigError> {
        match self.text("database_url") {
            None => Ok(format!("sqlite://{}", data_dir.join("guardengine.db").display())),
            Some(url)
                if ["sqlite://", "postgres://", "postgresql://"]
                    .iter()
                    .any(|scheme| url.starts_with(scheme)) =>
            {
                Ok(url)
            }
            Some(_) => Err(self.fault("database_url", "must begin with sqlite:// or postgres://")),
        }
    }

    pub(super) fn duration(&self, key: &str) -> Result<Duration, ConfigError> {
        humantime::parse_duration(self.0.get(key).0.trim()).map_err(|_| self.fault(key, DURATION))
    }

    pub(super) fn lasting(&self, key: &str) -> Result<Duration, ConfigError> {
        let duration = self.duration(key)?;
        let accepted = "must be a duration of at least one second, such as 15m";
        if duration >= Duration::from_secs(1) { Ok(duration) } else { Err(self.fault(key, accepted)) }
    }

    fn optional_duration(&self, key: &str) -> Result<Option<Duration>, ConfigError> {
        self.text(key).map(|_| self.lasting(key)).transpose()
    }

    fn reach(&self) -> Result<NetworkPolicy, ConfigError> {
        let is_private = self.parsed("outgoing.allow_private", "must be true or false")?;
        Ok(if is_private { NetworkPolicy::Private } else { NetworkPolicy::Internet })
    }

    fn size(&self, key: &str) -> Result<usize, ConfigError> {
        size(self.0.get(key).0).ok_or_else(|| self.fault(key, "must be a size, such as 2MiB"))
    }

    fn credits(&self, key: &str) -> Result<i64, ConfigError> {
        let credits: i64 = self.parsed(key, COUNT)?;
        if credits >= 0 { Ok(credits) } else { Err(self.fault(key, "must be zero or more")) }
    }

    fn low_credits(&self) -> Result<i64, ConfigError> {
        match self.text("credits.low") {
            Some(_) => self.credits("credits.low"),
            None => Ok(self.credits("credits.initial")? / 10),
        }
    }

    fn networks(&self, key: &str) -> Result<Vec<IpNet>, ConfigError> {
        let accepted = "must be addresses or networks separated by commas, such as 10.0.0.0/8, 192.0.2.7";
        let network = |written: &str| {
            let address = || written.parse::<std::net::IpAddr>().map(IpNet::from);
            written.parse().or_else(|_| address()).map_err(|_| self.fault(key, accepted))
        };
        let written = self.0.get(key).0;
        written.split(',').map(str::trim).filter(|one| !one.is_empty()).map(network).collect()
    }

    fn session(&self) -> Result<SessionConfig, ConfigError> {
        Ok(SessionConfig {
            access_token_ttl: self.lasting("session.access_token_ttl")?,
            refresh_token_ttl: self.lasting("session.refresh_token_ttl")?,
            idle_timeout: self.lasting("session.idle_timeout")?,
            reuse_grace: self.duration("session.reuse_grace")?,
        })
    }

    fn lockout(&self) -> Result<Lockout, ConfigError> {
        Ok(Lockout {
            attempts: self.at_least_one("lockout.attempts")?,
            window: self.lasting("lockout.window")?,
            duration: self.lasting("lockout.duration")?,
        })
    }

    fn tickets(&self) -> Result<TicketConfig, ConfigError> {
        Ok(TicketConfig {
            window: self.duration("tickets.window")?,
            attempts: self.at_least_one("tickets.attempts")?,
            settling: self.lasting("tickets.settling")?,
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

//! Checks the Redis that shares rate limits.

use super::Check;
use crate::{config::Settings, http::rate_limit::RateLimiter};

/// Counts in Redis, if one is configured.
pub async fn check(settings: &Settings) -> Option<Check> {
    let address = settings.redis_url.as_ref()?;
    Some(match RateLimiter::check(address).await {
        Ok(None) => Check::ok("redis", "counts requests"),
        Ok(Some(policy)) => Check::warning(
            "redis",
            format!("counts requests, but drops running windows when its memory is full ({policy})"),
            "set maxmemory-policy to noeviction, or give it a Redis of its own",
        ),
        Err(why) => Check::warning(
            "redis",
            format!("it cannot count requests: {why}; each replica counts alone"),
            "start Redis, or correct redis_url, its password and its memory limit",
        ),
    })
}

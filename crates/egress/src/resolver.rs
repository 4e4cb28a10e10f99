//! DNS resolver that returns only addresses the network policy allows.

use std::{error::Error, net::SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

use crate::{Blocked, NetworkPolicy};

/// The system's resolver, filtered by a network policy. The client connects to the addresses returned here and does not
/// resolve the name again, so a changed DNS answer cannot bypass the check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolver(pub NetworkPolicy);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = self.0;
        Box::pin(async move {
            let resolved: Vec<_> = lookup_host((name.as_str(), 0)).await?.collect();
            let addresses: Addrs = Box::new(allowed(policy, resolved)?.into_iter());
            Ok(addresses)
        })
    }
}

/// Returns the allowed addresses. Fails with the first violation if every address is blocked.
pub(crate) fn allowed(policy: NetworkPolicy, resolved: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Blocked> {
    let blocked = resolved.iter().find_map(|address| policy.address(address.ip()).err());
    let allowed: Vec<_> =
        resolved.into_iter().filter(|address| policy.address(address.ip()).is_ok()).collect();
    match blocked {
        Some(blocked) if allowed.is_empty() => Err(blocked),
        _ => Ok(allowed),
    }
}

/// Returns the policy violation that caused `error`, if any.
pub(crate) fn blocked_cause(error: &(dyn Error + 'static)) -> Option<Blocked> {
    let mut causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.find_map(|cause| cause.downcast_ref::<Blocked>().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(addresses: &[&str]) -> Result<Vec<SocketAddr>, Blocked> {
        allowed(NetworkPolicy::Internet, addresses.iter().map(|address| address.parse().unwrap()).collect())
    }

    #[test]
    fn keeps_only_allowed_addresses_of_a_name() {
        let mixed = resolved(&["10.0.0.1:0", "93.184.215.14:0", "[::1]:0"]).unwrap();
        assert_eq!(mixed, ["93.184.215.14:0".parse().unwrap()]);
        assert_eq!(resolved(&["10.0.0.1:0", "[::1]:0"]), Err(Blocked::Network("a private network")));
    }
}

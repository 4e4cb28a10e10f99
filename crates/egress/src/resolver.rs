//! Names, resolved to addresses that may be connected to.

use std::{error::Error, net::SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

use crate::{Blocked, NetworkPolicy};

/// The machine's resolver, of whose answers only those within reach are connected to: there is no second look at the
/// name, of which the answer could be another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolver(pub NetworkPolicy);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found: Vec<_> = lookup_host((name.as_str(), 0)).await?.collect();
            let addresses: Addrs = Box::new(within(reach, found)?.into_iter());
            Ok(addresses)
        })
    }
}

/// Those within reach; where there is none, why.
fn within(reach: NetworkPolicy, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Blocked> {
    let refusal = found.iter().find_map(|address| reach.address(address.ip()).err());
    let allowed: Vec<_> = found.into_iter().filter(|address| reach.address(address.ip()).is_ok()).collect();
    match refusal {
        Some(refusal) if allowed.is_empty() => Err(refusal),
        _ => Ok(allowed),
    }
}

/// The refusal that made a call fail, if that was it.
pub(crate) fn refusal(fault: &(dyn Error + 'static)) -> Option<Blocked> {
    let mut causes = std::iter::successors(Some(fault), |fault| (*fault).source());
    causes.find_map(|cause| cause.downcast_ref::<Blocked>().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(addresses: &[&str]) -> Result<Vec<SocketAddr>, Blocked> {
        within(NetworkPolicy::Internet, addresses.iter().map(|address| address.parse().unwrap()).collect())
    }

    #[test]
    fn a_name_leads_only_to_its_addresses_within_reach() {
        let mixed = resolved(&["10.0.0.1:0", "93.184.215.14:0", "[::1]:0"]).unwrap();
        assert_eq!(mixed, ["93.184.215.14:0".parse().unwrap()]);
        assert_eq!(resolved(&["10.0.0.1:0", "[::1]:0"]), Err(Blocked::Network("a private network")));
    }
}

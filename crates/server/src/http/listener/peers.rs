//! The number of open connections of each client address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ipnet::IpNet;

use crate::http::rate_limit::client_network;

/// Limit of the open connections of one client address; cheap to clone.
#[derive(Clone)]
pub struct PeerLimit(Arc<State>);

struct State {
    most: usize,
    exempt: Vec<IpNet>,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// An admitted connection. It counts until it is dropped.
pub struct PeerPermit {
    limit: PeerLimit,
    /// Address under which it counts; `None` if it does not.
    address: Option<IpAddr>,
}

impl PeerLimit {
    /// Creates a limit of `most` connections, or none for 0. Those from `exempt` networks, which are proxies of many
    /// clients, do not count.
    pub fn new(most: usize, exempt: Vec<IpNet>) -> Self {
        Self(Arc::new(State { most, exempt, open: Mutex::default() }))
    }

    /// Counts a connection. Returns `None` if its address has as many as it may.
    pub fn admit(&self, peer: IpAddr) -> Option<PeerPermit> {
        let peer = peer.to_canonical();
        if self.0.most == 0 || self.0.exempt.iter().any(|network| network.contains(&peer)) {
            return Some(PeerPermit { limit: self.clone(), address: None });
        }
        let address = client_network(peer);
        let mut open = self.open();
        let count = open.entry(address).or_default();
        if *count >= self.0.most {
            return None;
        }
        *count += 1;
        Some(PeerPermit { limit: self.clone(), address: Some(address) })
    }

    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PeerPermit {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let mut open = self.limit.open();
        let left = open.get(&address).map_or(0, |count| count - 1);
        if left == 0 {
            open.remove(&address);
        } else {
            open.insert(address, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_has_its_share_and_gets_it_back() {
        let limit = PeerLimit::new(2, vec!["10.0.0.0/8".parse().unwrap()]);
        let first = limit.admit(address("192.0.2.1"));
        let _second = limit.admit(address("::ffff:192.0.2.1")).unwrap();
        assert!(first.is_some() && limit.admit(address("192.0.2.1")).is_none());
        assert!(limit.admit(address("192.0.2.2")).is_some());
        drop(first);
        assert!(limit.admit(address("192.0.2.1")).is_some());
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_and_proxies_do_not_count() {
        let limit = PeerLimit::new(1, vec!["10.0.0.0/8".parse().unwrap()]);
        let _first = limit.admit(address("2001:db8::1")).unwrap();
        assert!(limit.admit(address("2001:db8::2")).is_none());
        let proxied: Vec<_> = (0..9).map(|_| limit.admit(address("10.1.2.3"))).collect();
        assert!(proxied.iter().all(Option::is_some));
        let unlimited = PeerLimit::new(0, Vec::new());
        let open: Vec<_> = (0..9).map(|_| unlimited.admit(address("192.0.2.1"))).collect();
        assert!(open.iter().all(Option::is_some));
    }

    #[test]
    fn closed_connections_leave_nothing_behind() {
        let limit = PeerLimit::new(2, Vec::new());
        drop((limit.admit(address("192.0.2.1")), limit.admit(address("192.0.2.1"))));
        assert!(limit.open().is_empty());
    }
}

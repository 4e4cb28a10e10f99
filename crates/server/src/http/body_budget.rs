//! Memory of the request bodies that are buffered, over all connections. An organization has a share of it, and so have an
//! address that has not signed in and all of these together, so that nobody takes it from everybody else.
//!
//! Only bytes that arrived count: a client that announces much and sends little holds little.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;

use super::{Error, rate_limit::client_network};

/// An organization, or all callers that have not signed in, get one of so many parts of the budget.
const PARTS: usize = 4;
/// An address that has not signed in gets one of so many parts.
const ADDRESS_PARTS: usize = 16;

/// Memory for request bodies; cheap to clone.
#[derive(Clone)]
pub struct BodyBudget(Arc<State>);

struct State {
    most: usize,
    used: Mutex<HashMap<Account, usize>>,
}

/// An account that bytes are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Account {
    Everybody,
    Unknown,
    Address(IpAddr),
    Org(Uuid),
}

/// Whose body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyOwner {
    /// A caller that has not signed in, by address.
    Address(IpAddr),
    /// An organization.
    Org(Uuid),
}

/// The part of the budget that one request uses. Given back when it is dropped.
pub struct BodyShare {
    budget: BodyBudget,
    owner: BodyOwner,
    bytes: usize,
}

impl BodyBudget {
    /// Creates a budget of `most` bytes, or more, so that the largest body fits into each part: one with media into that of
    /// an organization, one of JSON into that of an address.
    pub fn new(most: usize, max_json: usize, max_media: usize) -> Self {
        let least = max_media.saturating_mul(PARTS).max(max_json.saturating_mul(ADDRESS_PARTS));
        let most = most.max(least);
        Self(Arc::new(State { most, used: Mutex::default() }))
    }

    /// Returns the part of a request, empty at first.
    pub fn share(&self, owner: BodyOwner) -> BodyShare {
        BodyShare { budget: self.clone(), owner, bytes: 0 }
    }

    fn used(&self) -> MutexGuard<'_, HashMap<Account, usize>> {
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn most(&self, account: Account) -> usize {
        match account {
            Account::Everybody => self.0.most,
            Account::Unknown | Account::Org(_) => self.0.most / PARTS,
            Account::Address(_) => self.0.most / ADDRESS_PARTS,
        }
    }

    /// Adds bytes to every account, or to none if one would exceed its part.
    fn take(&self, accounts: impl Iterator<Item = Account> + Clone, bytes: usize) -> bool {
        if bytes == 0 {
            return true;
        }
        let mut used = self.used();
        let fits =
            |account| used.get(&account).copied().unwrap_or(0).saturating_add(bytes) <= self.most(account);
        if !accounts.clone().all(fits) {
            return false;
        }
        for account in accounts {
            *used.entry(account).or_default() += bytes;
        }
        true
    }

    fn give_back(&self, accounts: impl Iterator<Item = Account>, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let mut used = self.used();
        for account in accounts {
            let left = used.get(&account).map_or(0, |used| used.saturating_sub(bytes));
            if left == 0 {
                used.remove(&account);
            } else {
                used.insert(account, left);
            }
        }
    }
}

impl BodyOwner {
    /// Returns the accounts of the owner.
    fn accounts(self) -> impl Iterator<Item = Account> + Clone {
        let (first, second) = match self {
            Self::Address(address) => (Account::Unknown, Some(Account::Address(client_network(address)))),
            Self::Org(id) => (Account::Org(id), None),
        };
        std::iter::once(first).chain(second)
    }

    /// Returns the accounts of the owner, and that of everybody.
    fn all_accounts(self) -> impl Iterator<Item = Account> + Clone {
        self.accounts().chain([Account::Everybody])
    }
}

impl BodyShare {
    /// Counts bytes that arrived. Returns 503 if there is no room for them.
    pub fn grow(&mut self, bytes: usize) -> Result<(), Error> {
        if self.budget.take(self.owner.all_accounts(), bytes) {
            self.bytes += bytes;
            Ok(())
        } else {
            Err(too_many())
        }
    }

    /// Counts the bytes for their owner, once it is known.
    pub fn hand_over(&mut self, owner: BodyOwner) -> Result<(), Error> {
        if !self.budget.take(owner.accounts(), self.bytes) {
            return Err(too_many());
        }
        self.budget.give_back(self.owner.accounts(), self.bytes);
        self.owner = owner;
        Ok(())
    }
}

impl Drop for BodyShare {
    fn drop(&mut self) {
        self.budget.give_back(self.owner.all_accounts(), self.bytes);
    }
}

fn too_many() -> Error {
    metrics::counter!("guardengine_refused_bodies_total").increment(1);
    Error::unavailable("too many request bodies at once, try again later")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORG: BodyOwner = BodyOwner::Org(Uuid::nil());
    const OTHER: BodyOwner = BodyOwner::Org(Uuid::max());

    fn address(last: u8) -> BodyOwner {
        BodyOwner::Address([192, 0, 2, last].into())
    }

    #[test]
    fn an_organization_fills_its_part_alone_and_gets_it_back() {
        let budget = BodyBudget::new(1600, 0, 0);
        let (mut first, mut second, mut other) = (budget.share(ORG), budget.share(ORG), budget.share(OTHER));
        assert!(first.grow(300).is_ok() && second.grow(101).is_err() && second.grow(100).is_ok());
        assert!(other.grow(400).is_ok());
        drop(first);
        assert!(second.grow(300).is_ok());
        drop((second, other));
        assert!(budget.used().is_empty());
    }

    #[test]
    fn callers_that_are_unknown_share_a_part_and_each_address_has_less() {
        let budget = BodyBudget::new(1600, 0, 0);
        let mut shares: Vec<_> = (0..5).map(|last| budget.share(address(last))).collect();
        assert!(shares[0].grow(101).is_err());
        let grown: Vec<_> = shares.iter_mut().map(|share| share.grow(100).is_ok()).collect();
        assert_eq!(grown, [true, true, true, true, false]);
        assert!(budget.share(ORG).grow(400).is_ok());
        shares[0].hand_over(ORG).unwrap();
        assert!(shares[4].grow(100).is_ok() && budget.share(ORG).grow(301).is_err());
    }

    #[test]
    fn everybody_together_stays_within_the_budget() {
        let budget = BodyBudget::new(8, 0, 0);
        let owner = |id| BodyOwner::Org(Uuid::from_u128(id));
        let mut shares: Vec<_> = (0..5).map(|id| budget.share(owner(id))).collect();
        let grown = shares.iter_mut().filter_map(|share| share.grow(2).ok()).count();
        assert_eq!(grown, 4);
    }

    #[test]
    fn the_largest_body_always_fits() {
        let budget = BodyBudget::new(1, 100, 500);
        assert!(budget.share(ORG).grow(500).is_ok() && budget.share(address(1)).grow(100).is_ok());
    }
}

//! The kinds, one file each.

mod address;
mod date_of_birth;
mod person_name;

use super::Kind;

/// Every kind there is. Where two kinds claim the same place with the same confidence, the earlier wins.
pub static KINDS: &[&dyn Kind] = &[&address::Address, &date_of_birth::DateOfBirth, &person_name::PersonName];

/// The kind with that wire name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.name() == name)
}

//! The kinds, one file each.

mod email;
mod ip_address;
mod mac_address;
mod phone_number;
mod url;

use super::Kind;

/// Every kind there is. Where two kinds claim the same place with the same confidence, the earlier wins.
pub static KINDS: &[&dyn Kind] = &[
    &email::Email,
    &ip_address::IpAddress,
    &mac_address::MacAddress,
    &phone_number::PhoneNumber,
    &url::Url,
];

/// The kind with that wire name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.name() == name)
}

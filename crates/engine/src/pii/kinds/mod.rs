//! The kinds, one file each.

mod api_key;
mod crypto_wallet;
mod email;
mod gps_coordinate;
mod ip_address;
mod mac_address;
mod password;
mod phone_number;
mod url;
mod username;

use super::Kind;

/// Every kind there is. Where two kinds claim the same place with the same confidence, the earlier wins.
pub static KINDS: &[&dyn Kind] = &[
    &api_key::ApiKey,
    &crypto_wallet::CryptoWallet,
    &email::Email,
    &gps_coordinate::GpsCoordinate,
    &ip_address::IpAddress,
    &mac_address::MacAddress,
    &password::Password,
    &phone_number::PhoneNumber,
    &url::Url,
    &username::Username,
];

/// The kind with that wire name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.name() == name)
}

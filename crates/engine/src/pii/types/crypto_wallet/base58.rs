//! Base58Check, as Bitcoin defined it: a version byte, 20 bytes, and four bytes of a double SHA-256.

use sha2::{Digest, Sha256};

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LENGTH: usize = 25;
/// Version bytes: Bitcoin 0 and 5, Dogecoin 30 and 22, Litecoin 48 and 50, Tron 65, Dash 76 and 16.
const VERSIONS: [u8; 9] = [0, 5, 16, 22, 30, 48, 50, 65, 76];

/// Whether `written` is an address with a right checksum of one of the known chains.
pub fn is_address(written: &str) -> bool {
    (26..=35).contains(&written.len())
        && decode(written).is_some_and(|bytes| VERSIONS.contains(&bytes[0]) && is_checked(&bytes))
}

fn is_checked(bytes: &[u8; LENGTH]) -> bool {
    let (payload, checksum) = bytes.split_at(LENGTH - 4);
    let is_burnt = payload[1..].iter().all(|byte| *byte == 0);
    !is_burnt && Sha256::digest(Sha256::digest(payload))[..4] == *checksum
}

// The number in base 58 as 25 bytes, the highest first.
fn decode(written: &str) -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    for letter in written.bytes() {
        let digit = ALPHABET.iter().position(|other| *other == letter)?;
        let carry = bytes.iter_mut().rev().fold(digit as u32, |carry, byte| {
            let value = u32::from(*byte) * 58 + carry;
            *byte = value as u8;
            value >> 8
        });
        if carry > 0 {
            return None;
        }
    }
    Some(bytes)
}

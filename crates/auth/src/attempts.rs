//! The name under which attempts to guess a password are counted.

use guardengine_store::name_key;
use guardengine_vault::MasterKey;

/// Returns a keyed digest of a username as it was typed, in hexadecimal digits. People type passwords into the wrong field,
/// so the name itself is not stored.
pub fn attempts_name(master: &MasterKey, username: &str) -> String {
    let digest = master.digest("sign-in attempts", name_key(username).as_bytes());
    let half: [u8; 16] = std::array::from_fn(|at| digest[at]);
    format!("{:032x}", u128::from_be_bytes(half))
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, prelude::BASE64_STANDARD};

    use super::*;

    #[test]
    fn spellings_of_a_name_count_together_and_do_not_show() {
        let master = |byte| MasterKey::configured(&BASE64_STANDARD.encode([byte; 32])).unwrap();
        let name = attempts_name(&master(7), "ann");
        assert_eq!(attempts_name(&master(7), " ANN "), name);
        assert_ne!(attempts_name(&master(7), "anna"), name);
        assert_ne!(attempts_name(&master(8), "ann"), name);
        assert!(name.len() == 32 && !name.contains("ann"));
    }
}

//! Bech32 (BIP 173) and Bech32m (BIP 350).

const ALPHABET: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR: [u32; 5] = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32: u32 = 1;
const BECH32M: u32 = 0x2bc830a3;
/// Human-readable parts: Bitcoin and its test net, Litecoin, Cardano.
const CHAINS: [&str; 4] = ["bc", "tb", "ltc", "addr"];

/// Whether `written` is an address with a right checksum of one of the known chains.
pub fn is_address(written: &str) -> bool {
    let lower = written.to_ascii_lowercase();
    let one_case = written == lower || written == written.to_ascii_uppercase();
    let chain = lower.rsplit_once('1').filter(|(chain, data)| CHAINS.contains(chain) && data.len() >= 6);
    one_case && chain.is_some_and(|(chain, data)| matches!(checksum(chain, data), Some(BECH32 | BECH32M)))
}

fn checksum(chain: &str, data: &str) -> Option<u32> {
    let high = chain.bytes().map(|byte| u32::from(byte >> 5));
    let low = chain.bytes().map(|byte| u32::from(byte & 31));
    let sum = high.chain([0]).chain(low).fold(1, step);
    data.bytes().try_fold(sum, |sum, letter| {
        let value = ALPHABET.iter().position(|other| *other == letter)?;
        Some(step(sum, value as u32))
    })
}

fn step(sum: u32, value: u32) -> u32 {
    let top = sum >> 25;
    let next = ((sum & 0x1ff_ffff) << 5) ^ value;
    GENERATOR
        .iter()
        .enumerate()
        .filter(|(bit, _)| top >> bit & 1 == 1)
        .fold(next, |next, (_, term)| next ^ term)
}

//! Cryptocurrency wallet addresses.

mod base58;
mod bech32;

use crate::{
    pii::{Match, PiiType, Scanner},
    span::Span,
};

/// A wallet's address: Base58Check (Bitcoin, Litecoin, Dogecoin, Dash, Tron), Bech32 and Bech32m (Bitcoin, Litecoin, Cardano; BIP 173,
/// BIP 350), or an Ethereum address (`0x` and 40 hexadecimal digits).
///
/// The first two carry a checksum and are found alone, almost surely. An Ethereum address has none in lower case: alone it may be another
/// hexadecimal value, so its confidence is lower unless a word such as `wallet` stands near it.
pub struct CryptoWallet;

/// Shortest and longest address, in bytes: Bitcoin's, Cardano's with stake part.
const SHORTEST: usize = 26;
const LONGEST: usize = 108;

impl PiiType for CryptoWallet {
    fn name(&self) -> &'static str {
        "crypto_wallet"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "wallet",
            "eth",
            "ethereum",
            "ether",
            "erc20",
            "usdt",
            "usdc",
            "crypto",
            "metamask",
            "deposit address",
            "send to",
            "blockchain",
            "polygon",
            "geldbörse",
            "portefeuille",
            "billetera",
            "carteira",
            "кошелек",
            "кошелёк",
            "钱包",
            "錢包",
            "ウォレット",
            "지갑",
            "cüzdan",
            "محفظة",
        ]
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let mut at = 0;
        while let Some(run) = next_run(scan.text.as_bytes(), at) {
            at = run.end;
            found.extend(judge(scan, run).map(|confidence| Match { span: run, confidence }));
        }
    }
}

// The next run of at least `SHORTEST` letters and digits from `from` on. Looks at every 26th byte only where there is none.
fn next_run(bytes: &[u8], from: usize) -> Option<Span> {
    let mut at = from;
    while let Some(window) = bytes.get(at..at + SHORTEST) {
        let Some(other) = window.iter().rposition(|byte| !byte.is_ascii_alphanumeric()) else {
            let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            return Some(Span::new(at, at + length));
        };
        at += other + 1;
    }
    None
}

fn judge(scan: &Scanner<'_>, run: Span) -> Option<f32> {
    let written = run.of(scan.text);
    let inside_more =
        scan.text[..run.start].ends_with(['/', '+', '=']) && !scan.text[..run.start].ends_with("//");
    if written.len() > LONGEST || scan.text[run.end..].starts_with(['+', '=']) {
        return None;
    }
    if base58::is_address(written) || bech32::is_address(written) {
        return Some(0.99);
    }
    let in_context = || scan.has_context("crypto_wallet", run);
    (is_ethereum(written) && !inside_more).then(|| if in_context() { 0.95 } else { 0.75 })
}

// Neither the address of zeros nor other repetitions belong to anybody.
fn is_ethereum(written: &str) -> bool {
    let digits = written.strip_prefix("0x").unwrap_or_default().as_bytes();
    digits.len() == 40
        && digits.iter().all(u8::is_ascii_hexdigit)
        && digits[..38].iter().any(|digit| *digit != digits[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        CryptoWallet.find(&Scanner::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn addresses_with_a_right_checksum_are_found() {
        for address in [
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
            "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
            "0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe",
            "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        ] {
            assert_eq!(found(&format!("发到{address}。")), [address]);
        }
    }

    #[test]
    fn a_wrong_checksum_a_hash_or_a_long_word_is_no_address() {
        for text in [
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
            "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdr",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "0x0000000000000000000000000000000000000000",
            "Donaudampfschifffahrtsgesellschaft",
            "11111111111111111111111111111111111",
            "111111111111111111111111111111111111",
            "0xde0B295669a9FD93d5F28D9Ec85E40f4cb697B",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}

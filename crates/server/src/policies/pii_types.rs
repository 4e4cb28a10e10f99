//! PII types as users read them.

use serde::Serialize;
use utoipa::ToSchema;

/// A PII type that policies can select.
#[derive(Debug, Serialize, ToSchema)]
pub struct PiiTypeRecord {
    /// Name in the API.
    #[serde(rename = "type")]
    name: &'static str,
    /// The values that it matches.
    description: String,
    /// Evidence that a value needs: a check digit, a label, words nearby; `alone` for none.
    evidence: String,
}

/// Returns every PII type, by name.
pub fn records() -> Vec<PiiTypeRecord> {
    let plain = |markdown: &str| markdown.replace('`', "");
    let record = |(name, description, evidence): &(&'static str, &str, &str)| PiiTypeRecord {
        name,
        description: plain(description),
        evidence: plain(evidence),
    };
    DESCRIPTIONS.iter().map(record).collect()
}

/// PII types with the values that each matches and the evidence that it requires, as Markdown.
pub const DESCRIPTIONS: &[(&str, &str, &str)] = &[
    (
        "address",
        "postal addresses: streets and numbers, with city or postcode",
        "rules per language family, a learned tagger, table headings",
    ),
    (
        "api_key",
        "keys in the form of one of 160 issuers (`AKIA…`, `ghp_…`), JSON Web Tokens, private keys, URLs with a password; other random-looking values",
        "alone; other values need a label, a header or a Kubernetes `Secret`",
    ),
    ("au_medicare", "Australian Medicare card numbers", "check, context"),
    ("au_tfn", "Australian tax file numbers", "check, context"),
    (
        "bank_account",
        "account numbers, US routing numbers, UK sort codes, bank identifier codes",
        "label or context; sort code with account alone; check for routing numbers",
    ),
    ("br_cnpj", "Brazilian company taxpayer numbers", "check; alone in the usual notation, else context"),
    ("br_cpf", "Brazilian personal taxpayer numbers", "check; alone in the usual notation, else context"),
    ("ca_sin", "Canadian social insurance numbers", "check, context"),
    ("credit_card", "payment card numbers", "check and issuer range; alone when grouped as on cards"),
    (
        "crypto_wallet",
        "Base58Check, Bech32 and Ethereum addresses",
        "check (Base58Check, Bech32); Ethereum is more certain with context",
    ),
    ("date_of_birth", "a full date beside a word of birth", "context"),
    ("de_id_card", "German identity card numbers", "check, context"),
    ("de_tax_id", "German tax identification numbers", "check, context"),
    ("driver_license", "driving license numbers", "British ones alone, others label or context"),
    ("email", "e-mail addresses, also spelled out (`jane at example dot com`)", "alone"),
    ("es_dni", "Spanish national identity numbers", "check, alone"),
    ("es_nie", "Spanish identity numbers of foreigners", "check, alone"),
    (
        "face",
        "faces of people in images; only where a policy names this type",
        "the network CenterFace, from a score of 0.35",
    ),
    ("fr_nir", "French social security numbers", "check, alone"),
    (
        "gps_coordinate",
        "a latitude and longitude with four decimals or more, or in degrees, minutes and seconds",
        "alone",
    ),
    ("iban", "international bank account numbers", "check, alone"),
    ("in_aadhaar", "Indian Aadhaar numbers", "check; alone in the usual grouping, else context"),
    ("in_pan", "Indian permanent account numbers", "alone in capitals, else context"),
    (
        "ip_address",
        "IPv4 and IPv6 addresses of hosts; not loopback, netmasks, networks or versions",
        "alone; four single digits need context",
    ),
    ("it_codice_fiscale", "Italian tax codes", "check, alone"),
    ("jp_my_number", "Japanese individual numbers", "check, context"),
    ("mac_address", "network card addresses", "alone"),
    (
        "medical_record",
        "medical record and patient numbers; prescribers' NPI and DEA numbers",
        "label, context, or the letters MRN; check for NPI and DEA",
    ),
    (
        "national_id",
        "identity, tax and social security numbers of people in 83 more countries",
        "check and label; alone in a notation that nothing else has",
    ),
    ("nl_bsn", "Dutch citizen service numbers", "check, context"),
    ("passport", "passport numbers", "label or context"),
    (
        "password",
        "passwords",
        "label in any notation (JSON, YAML, URL, header, command, SQL), or a sentence that gives it away",
    ),
    (
        "person_name",
        "names of private people",
        "introductions, titles, name lists, a learned tagger; a bare name is at most 0.6",
    ),
    (
        "phone_number",
        "telephone numbers of every numbering plan, and numbers that are named as such",
        "plan; else the nearest label",
    ),
    ("pl_pesel", "Polish population register numbers", "check, context"),
    (
        "se_personnummer",
        "Swedish personal identity numbers",
        "check; alone in the usual notation, else context",
    ),
    ("sg_nric", "Singaporean identification numbers", "check; alone in capitals, else context"),
    (
        "tax_id",
        "US employer identification numbers, EU VAT numbers",
        "VAT: check, alone in capitals; EIN: context",
    ),
    ("uk_nhs", "NHS numbers", "check, context"),
    ("uk_nino", "UK National Insurance numbers", "alone in the usual notation, else context"),
    ("url", "web addresses", "alone, with a confidence of 0.45"),
    ("us_itin", "US individual taxpayer identification numbers", "alone as `999-99-9999`, else context"),
    ("us_ssn", "US Social Security numbers", "alone as `999-99-9999`, else context"),
    ("username", "account names and handles", "label, log line, command, handle; a learned tagger"),
    (
        "vehicle_id",
        "vehicle identification numbers, license plates",
        "VIN: check, alone in capitals; plates: right after a word for them",
    ),
];

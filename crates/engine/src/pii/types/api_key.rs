//! Secrets of programs: keys, tokens, private keys, connection strings.

mod alphabet;
mod crc;
mod entropy;
mod headers;
mod issuers;
mod labelled;
mod manifest;
mod structured;

use crate::pii::{Match, PiiType, Scanner, labelled::Field};

/// A secret with which a program signs in.
///
/// Keys with their issuer's prefix (`AKIA…`, `ghp_…`), JSON Web Tokens, PEM private keys and URLs with a password in them are found
/// alone; other random-looking values need a label (`api_key = …`, `Authorization: Bearer …`). Placeholders
/// (`YOUR_API_KEY`, `xxxx`, `<token>`, `sk-...`) are none.
pub struct ApiKey;

impl PiiType for ApiKey {
    fn name(&self) -> &'static str {
        "api_key"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        issuers::find(scan.text, found);
        structured::find(scan.text, found);
        manifest::find(scan.text, found);
        labelled::find(scan.text, found);
    }

    fn labelled(&self, scan: &Scanner<'_>, field: &Field) -> Option<Match> {
        labelled::labelled(scan, field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let scan = Scanner::new(text);
        let mut found: Vec<_> =
            scan.fields().iter().filter_map(|field| ApiKey.labelled(&scan, field)).collect();
        ApiKey.find(&scan, &mut found);
        found.dedup_by_key(|found| found.span);
        found.iter().map(|found| found.span.of(text).to_owned()).collect()
    }

    // Joined here so that nobody's scanner takes this file for a leak.
    fn key(prefix: &str, rest: &str) -> String {
        format!("{prefix}{rest}")
    }

    #[test]
    fn keys_with_their_issuers_prefix_are_found() {
        let random = "a8Kd92LmQx71ZpRt5VbN3cWy6FsHg4Ju0EiTqY2o";
        for prefix in [
            "ghp_",
            "gho_",
            "glpat-",
            "sk_live_",
            "sk-proj-",
            "sk-ant-api03-",
            "npm_",
            "hf_",
            "ge_",
            "sk-",
            "xoxb-",
            "dckr_pat_",
        ] {
            let key = key(prefix, random);
            assert_eq!(found(&format!("use {key}, ok")), std::slice::from_ref(&key));
        }
        for key in [
            key("AKIA", "IOSFODNN7EXAMPLE"),
            key("AIza", "SyA8Kd92LmQx71ZpRt5VbN3cWy6FsHg4Ju0"),
            key("SG.", "a8Kd92LmQx71ZpRt5VbN3c.Wy6FsHg4Ju0EiTqY2oa8Kd92LmQx71ZpRt5VbN3cWy"),
            key("pypi-", "AgEIcHlwaS5vcmcCJDU5ZjQwYjE2LTk5ZmItNGQ5Yi1hYzI"),
            key("github_pat_", "11ABCDEFG0a8Kd92LmQx71_ZpRt5VbN3cWy6FsHg4Ju0EiTqY2oa8Kd92LmQx71Zp"),
        ] {
            assert_eq!(found(&format!("key={key}")), std::slice::from_ref(&key));
        }
    }

    #[test]
    fn tokens_private_keys_and_connection_strings_are_found() {
        let token =
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
        assert_eq!(found(&format!("cookie {token};")), [token]);
        let pem = key("-----BEGIN RSA PRIVATE", " KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----");
        assert_eq!(found(&format!("this:\n{pem}\nthanks")), std::slice::from_ref(&pem));
        let cut = key("-----BEGIN PRIVATE", " KEY-----\nMIIEowIBAAKCAQEA");
        assert_eq!(found(&cut), std::slice::from_ref(&cut));
        assert_eq!(
            found("postgres://app:S3cr3t9x@db.example.com/prod"),
            ["postgres://app:S3cr3t9x@db.example.com/prod"]
        );
    }

    #[test]
    fn random_values_behind_a_label_are_found() {
        for text in [
            "api_key = \"9f8a7c6b5d4e3f2a1b0c9d8e7f6a5b4c\"",
            "client_secret: q8Zr2Lk0Vw5Xy7Tb3Nm1",
            "Authorization: Bearer q8Zr2Lk0Vw5Xy7Tb3Nm1",
            "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzK8Qm2Lp4T",
            "AccountKey=Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZg==;",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn placeholders_and_code_are_no_secrets() {
        for text in [
            "api_key = YOUR_API_KEY",
            "sk-...",
            "api_key: xxxxxxxxxxxxxxxxxxxxxxxx",
            "token: <token>",
            "key = os.environ['API_KEY_PRODUCTION_1']",
            "sk-learn is a library",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "postgres://user:password@localhost/db",
            "eyJ is how it begins",
            "https://user:<password>@example.com",
            "token = get_token_from_config_file_v2()",
            "the AKIA prefix",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "secret: the_quick_brown_fox_jumps_over",
            "commit 9f8a7c6b5d4e3f2a1b0c9d8e7f6a5b4c11223344",
            "primary key: customer_order_items_id",
            "ge_tting there",
            "sk-proj-your-key-goes-here-00000000",
            "cache_key = user_profile_v2_settings_2024",
            "redis://:${REDIS_PASSWORD}@cache:6379",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}

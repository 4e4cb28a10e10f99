//! How the fields of connectors are written.

use guardengine_egress::NetworkPolicy;
use serde::Serialize;
use serde_json::Value;

/// How a field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Words for people, or a name that its owner chose.
    Text,
    /// A token that is sent in a header: visible ASCII characters.
    Key,
    /// A password, of any characters.
    Password,
    /// An address.
    Url,
    /// An address that paths are put under: one without a query.
    BaseUrl,
    /// An e-mail address.
    Email,
    /// A name that stands in addresses: letters, digits, `_`, `.` and `-`.
    Word,
    /// True or false.
    Boolean,
}

impl Format {
    /// What it accepts, as a fault tells it.
    pub const fn accepted(self) -> &'static str {
        match self {
            Self::Text => "must be a string of 1 to 200 characters",
            Self::Key => "must be a string of 1 to 4000 visible ASCII characters",
            Self::Password => "must be a string of 1 to 4000 characters",
            Self::Url => "must be an address such as https://example.com/path",
            Self::BaseUrl => "must be an address such as https://example.com, without a query",
            Self::Email => "must be an e-mail address",
            Self::Word => "must have 1 to 100 characters: letters, digits, _, . and -",
            Self::Boolean => "must be true or false",
        }
    }

    /// The value as it is kept; else what is accepted.
    pub fn read(self, value: &Value, reach: NetworkPolicy) -> Result<Value, String> {
        if self == Self::Boolean {
            return value.as_bool().map(Value::Bool).ok_or_else(|| self.accepted().to_owned());
        }
        let written = value.as_str().ok_or("must be a string")?;
        // A password may begin or end with a blank; elsewhere one was pasted along.
        let written = if self == Self::Password { written } else { written.trim() };
        if !self.accepts(written) {
            return Err(self.accepted().to_owned());
        }
        if matches!(self, Self::Url | Self::BaseUrl) {
            let url = reach.url(written).map_err(|refusal| refusal.to_string())?;
            let has_more = url.query().is_some() || url.fragment().is_some();
            if self == Self::BaseUrl && has_more {
                return Err(self.accepted().to_owned());
            }
        }
        Ok(Value::String(written.to_owned()))
    }

    fn accepts(self, written: &str) -> bool {
        let within = |longest| (1..=longest).contains(&written.chars().count());
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        match self {
            Self::Text => within(200) && !written.chars().any(char::is_control),
            Self::Key => within(4000) && written.bytes().all(|byte| byte.is_ascii_graphic()),
            Self::Password => within(4000) && !written.chars().any(char::is_control),
            Self::Url | Self::BaseUrl => within(2000),
            Self::Email => within(254) && is_email(written),
            Self::Word => within(100) && written.bytes().all(is_word) && !written.starts_with('.'),
            Self::Boolean => false,
        }
    }
}

/// No colon: it ends the name in basic credentials (RFC 7617, section 2).
fn is_email(written: &str) -> bool {
    let plain = written.chars().all(|c| c != ':' && !c.is_whitespace() && !c.is_control());
    plain && written.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reads(format: Format, value: &Value) -> Result<Value, String> {
        format.read(value, NetworkPolicy::Internet)
    }

    #[test]
    fn blanks_around_a_value_were_pasted_along_except_in_a_password() {
        assert_eq!(reads(Format::Key, &json!(" sk-1\n")), Ok(json!("sk-1")));
        assert_eq!(reads(Format::Password, &json!(" a ")), Ok(json!(" a ")));
    }

    #[test]
    fn what_a_format_does_not_accept_is_told() {
        for (format, value) in [
            (Format::Text, json!(" ")),
            (Format::Key, json!("a b")),
            (Format::Key, json!("é")),
            (Format::Password, json!("a\u{0}b")),
            (Format::Email, json!("a:b@c")),
            (Format::Email, json!("@")),
            (Format::Word, json!("a/b")),
            (Format::Word, json!("..")),
            (Format::Boolean, json!("yes")),
            (Format::BaseUrl, json!("https://example.com/?a=b")),
        ] {
            assert_eq!(reads(format, &value), Err(format.accepted().to_owned()), "{value}");
        }
        assert_eq!(reads(Format::Key, &json!(1)), Err("must be a string".to_owned()));
    }

    #[test]
    fn an_address_out_of_reach_is_told_by_its_rule() {
        let told = reads(Format::Url, &json!("https://169.254.169.254/latest")).unwrap_err();
        assert_eq!(told, "the address leads to a machine's own metadata, which is not allowed");
        let told = reads(Format::Url, &json!("https://me:hunter2@example.com")).unwrap_err();
        assert!(!told.contains("hunter2"), "{told}");
    }
}

//! Formats of connector fields and their validation.

use guardengine_egress::NetworkPolicy;
use serde::Serialize;
use serde_json::Value;

/// Format of a connector field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Free text or a name, up to 200 characters.
    Text,
    /// A token sent in a header: visible ASCII characters.
    Key,
    /// A password: any characters except control characters.
    Password,
    /// A URL.
    Url,
    /// A URL that paths are appended to: no query, no fragment.
    BaseUrl,
    /// An e-mail address.
    Email,
    /// A name that becomes part of a URL: letters, digits, `_`, `.` and `-`.
    Word,
    /// Name or IP address of a server.
    Host,
    /// Number of a port.
    Port,
    /// True or false.
    Boolean,
}

impl Format {
    /// Returns the accepted values as an error text.
    pub const fn accepted(self) -> &'static str {
        match self {
            Self::Text => "must be a string of 1 to 200 characters",
            Self::Key => "must be a string of 1 to 4000 visible ASCII characters",
            Self::Password => "must be a string of 1 to 4000 characters",
            Self::Url => "must be an address such as https://example.com/path",
            Self::BaseUrl => "must be an address such as https://example.com, without a query",
            Self::Email => "must be an e-mail address",
            Self::Word => "must have 1 to 100 characters: letters, digits, _, . and -",
            Self::Host => "must be the name or IP address of a server, such as mail.example.com",
            Self::Port => "must be a string with a number from 1 to 65535",
            Self::Boolean => "must be true or false",
        }
    }

    /// Returns whether the value is the address of a server.
    pub const fn is_address(self) -> bool {
        matches!(self, Self::Url | Self::BaseUrl)
    }

    /// Returns whether the value names the server that gets the secrets.
    pub const fn names_server(self) -> bool {
        matches!(self, Self::Host) || self.is_address()
    }

    /// Normalizes a value for storage. Returns the accepted values as the error.
    pub fn read(self, value: &Value, policy: NetworkPolicy) -> Result<Value, String> {
        if self == Self::Boolean {
            return value.as_bool().map(Value::Bool).ok_or_else(|| self.accepted().to_owned());
        }
        let text = value.as_str().ok_or("must be a string")?;
        // A password may start or end with a space. Elsewhere the space was pasted by accident.
        let text = if self == Self::Password { text } else { text.trim() };
        if !self.accepts(text) {
            return Err(self.accepted().to_owned());
        }
        if self.is_address() {
            let url = policy.url(text).map_err(|refusal| refusal.to_string())?;
            let has_more = url.query().is_some() || url.fragment().is_some();
            if self == Self::BaseUrl && has_more {
                return Err(self.accepted().to_owned());
            }
        }
        if let (Self::Host, Ok(address)) = (self, text.parse()) {
            policy.address(address).map_err(|refusal| refusal.to_string())?;
        }
        Ok(Value::String(text.to_owned()))
    }

    fn accepts(self, text: &str) -> bool {
        let within = |max| (1..=max).contains(&text.chars().count());
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        match self {
            Self::Text => within(200) && !text.chars().any(char::is_control),
            Self::Key => within(4000) && text.bytes().all(|byte| byte.is_ascii_graphic()),
            Self::Password => within(4000) && !text.chars().any(char::is_control),
            Self::Url | Self::BaseUrl => within(2000),
            Self::Email => within(254) && is_email(text),
            Self::Word => within(100) && text.bytes().all(is_word) && !text.starts_with('.'),
            Self::Host => within(253) && is_host(text),
            Self::Port => text.parse::<u16>().is_ok_and(|port| port > 0) && !text.starts_with('+'),
            Self::Boolean => false,
        }
    }
}

/// Accepts IP addresses, and names as in RFC 1123, section 2.1.
fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        let is_plain = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        (1..=63).contains(&label.len()) && is_plain && !label.starts_with('-') && !label.ends_with('-')
    };
    text.parse::<std::net::IpAddr>().is_ok() || text.split('.').all(is_label)
}

/// Refuses a colon: it ends the username in basic credentials (RFC 7617, section 2).
fn is_email(text: &str) -> bool {
    let plain = text.chars().all(|c| c != ':' && !c.is_whitespace() && !c.is_control());
    plain && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reads(format: Format, value: &Value) -> Result<Value, String> {
        format.read(value, NetworkPolicy::Internet)
    }

    #[test]
    fn trims_spaces_except_in_passwords() {
        assert_eq!(reads(Format::Key, &json!(" sk-1\n")), Ok(json!("sk-1")));
        assert_eq!(reads(Format::Password, &json!(" a ")), Ok(json!(" a ")));
    }

    #[test]
    fn refuses_values_with_the_accepted_format() {
        for (format, value) in [
            (Format::Text, json!(" ")),
            (Format::Key, json!("a b")),
            (Format::Key, json!("é")),
            (Format::Password, json!("a\u{0}b")),
            (Format::Email, json!("a:b@c")),
            (Format::Email, json!("@")),
            (Format::Word, json!("a/b")),
            (Format::Word, json!("..")),
            (Format::Host, json!("https://mail.example.com")),
            (Format::Host, json!("mail example")),
            (Format::Host, json!("-a.example")),
            (Format::Port, json!("0")),
            (Format::Port, json!("65536")),
            (Format::Boolean, json!("yes")),
            (Format::BaseUrl, json!("https://example.com/?a=b")),
        ] {
            assert_eq!(reads(format, &value), Err(format.accepted().to_owned()), "{value}");
        }
        assert_eq!(reads(Format::Key, &json!(1)), Err("must be a string".to_owned()));
    }

    #[test]
    fn refuses_addresses_with_the_rule_they_break() {
        let error = reads(Format::Url, &json!("https://169.254.169.254/latest")).unwrap_err();
        assert_eq!(error, "the address leads to a machine's own metadata, which is not allowed");
        let error = reads(Format::Host, &json!("127.0.0.1")).unwrap_err();
        assert_eq!(error, "the address leads to this machine itself, which is not allowed");
        assert_eq!(reads(Format::Host, &json!("Mail.example.com ")), Ok(json!("Mail.example.com")));
        let error = reads(Format::Url, &json!("https://me:hunter2@example.com")).unwrap_err();
        assert!(!error.contains("hunter2"), "{error}");
    }
}

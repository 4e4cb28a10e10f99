//! Settings of the export to a NATS JetStream stream.

use std::path::PathBuf;

use guardengine_log_export::{BrokerSecret, Nats, ServerAddr, SignIn};

use crate::config::{ConfigError, settings::Reader};

const ONE_METHOD: &str = "must be unset when another authentication method is set";

impl Reader<'_> {
    pub(super) fn nats(&self) -> Result<Option<Nats>, ConfigError> {
        let sign_in = self.nats_sign_in()?;
        let nats = Nats {
            servers: self.servers("log_export.nats.url")?,
            stream: self.stream("log_export.nats.stream")?,
            subject: self.parsed("log_export.nats.subject")?,
            from_beginning: self.is_from_beginning("log_export.nats.from")?,
            create_stream: self.parsed("log_export.nats.create_stream")?,
            sign_in,
            ca_file: self.text("log_export.nats.ca_file").map(PathBuf::from),
        };
        Ok(Some(nats).filter(|nats| !nats.servers.is_empty()))
    }

    fn servers(&self, key: &str) -> Result<Vec<ServerAddr>, ConfigError> {
        let server = |one: &String| {
            let is_known = one.starts_with("nats://") || one.starts_with("tls://");
            let server: Option<ServerAddr> = one.parse().ok().filter(|_| is_known);
            let server = server.filter(|server| !server.host().is_empty()).ok_or_else(|| self.refuse(key))?;
            if server.has_user_pass() || server.password().is_some() {
                return Err(self.refuse_hidden(key));
            }
            Ok(server)
        };
        self.list(key).iter().map(server).collect()
    }

    fn stream(&self, key: &str) -> Result<String, ConfigError> {
        let name = self.text(key).unwrap_or_default();
        let is_accepted = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if (1..=200).contains(&name.len()) && name.chars().all(is_accepted) {
            return Ok(name);
        }
        Err(self.refuse(key))
    }

    fn nats_sign_in(&self) -> Result<SignIn, ConfigError> {
        let set = |key: &str| self.text(&format!("log_export.nats.{key}"));
        match (set("username"), set("password"), set("token"), set("credentials_file")) {
            (None, None, None, None) => Ok(SignIn::Open),
            (Some(name), Some(password), None, None) => {
                Ok(SignIn::Password(name, BrokerSecret::new(password)))
            }
            (None, None, Some(token), None) => Ok(SignIn::Token(BrokerSecret::new(token))),
            (None, None, None, Some(file)) => Ok(SignIn::File(file.into())),
            (None, Some(_), ..) => {
                Err(self.bad_hidden_value("log_export.nats.password", "must be set together with a username"))
            }
            (Some(_), None, None, None) => {
                Err(self.bad_value("log_export.nats.username", "must be set together with a password"))
            }
            (_, _, Some(_), _) => Err(self.bad_hidden_value("log_export.nats.token", ONE_METHOD)),
            (_, _, None, Some(_)) => Err(self.bad_value("log_export.nats.credentials_file", ONE_METHOD)),
        }
    }
}

#[cfg(all(test, feature = "kafka"))]
mod tests {
    use super::*;
    use guardengine_log_export::LogExport;

    use crate::config::{Settings, log_export::tests::export};

    const URL: (&str, &str) = ("url", "nats://127.0.0.1:4222");

    fn read(set: &[(&str, &str)]) -> Result<Nats, String> {
        match export("nats", set)? {
            LogExport::Nats(nats) => Ok(nats),
            LogExport::Kafka(kafka) => panic!("{kafka:?}"),
        }
    }

    #[test]
    fn reads_servers_stream_and_subject() {
        let servers = ("url", "nats://10.0.0.1, tls://nats.example.com:4223");
        let export = read(&[servers, ("from", "beginning")]).unwrap();
        let servers: Vec<_> =
            export.servers.iter().map(|one| (one.host(), one.port(), one.tls_required())).collect();
        assert_eq!(servers, [("10.0.0.1", 4222, false), ("nats.example.com", 4223, true)]);
        assert_eq!(
            (export.stream.as_str(), export.from_beginning, export.create_stream),
            ("guardengine_logs", true, false)
        );
        assert_eq!((export.subject.of_all().as_str(), export.sign_in), ("guardengine.logs.*", SignIn::Open));
    }

    #[test]
    fn refuses_bad_values() {
        for (key, value) in [
            ("url", "127.0.0.1:4222"),
            ("url", "ws://127.0.0.1"),
            ("url", "nats://127.0.0.1,http://x"),
            ("stream", "a.b"),
            ("subject", "guardengine.logs"),
            ("from", "yesterday"),
            ("create_stream", "maybe"),
            ("username", "me"),
        ] {
            let error = read(&[URL, (key, value)]).unwrap_err();
            assert!(
                error.starts_with(&format!("--set: log_export.nats.{key} = {value:?}: must ")),
                "{error}"
            );
        }
    }

    #[test]
    fn accepts_one_authentication_method() {
        let (name, password) = (("username", "me"), ("password", "hunter2"));
        let sign_in = |set: &[_]| read(&[&[URL], set].concat()).map(|nats| nats.sign_in);
        assert_eq!(
            sign_in(&[name, password]),
            Ok(SignIn::Password("me".to_owned(), BrokerSecret::new("hunter2".to_owned())))
        );
        assert_eq!(sign_in(&[("credentials_file", "x.creds")]), Ok(SignIn::File("x.creds".into())));
        for both in [[name, password, ("token", "s3cret")], [name, password, ("credentials_file", "x")]] {
            assert!(sign_in(&both).unwrap_err().contains("another authentication method"));
        }
        assert!(sign_in(&[password]).is_err());
    }

    #[test]
    fn hides_secrets() {
        let url = read(&[("url", "nats://me:hunter2@127.0.0.1")]).unwrap_err();
        let both = read(&[URL, ("token", "hunter2"), ("username", "me")]).unwrap_err();
        let all = read(&[URL, ("username", "me"), ("password", "hunter2")]).unwrap();
        for text in [url, both, format!("{all:?}")] {
            assert!(text.contains("(hidden)") && !text.contains("hunter2"), "{text}");
        }
        assert!(
            Settings::is_secret("log_export.nats.password") && Settings::is_secret("log_export.nats.token")
        );
    }
}

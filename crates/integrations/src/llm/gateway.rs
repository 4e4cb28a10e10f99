//! Calls that the gateway passes on: the client's own request, to the provider behind a connector.

use guardengine_egress::{Request, join_path};

use crate::connectors::{OpenConnector, authorised};

/// Connector types that the gateway can pass calls on to.
pub const UPSTREAMS: [&str; 4] = ["openai", "openai_compatible", "azure_openai", "anthropic"];

/// Returns whether the gateway can pass calls on to connectors of this type.
pub fn is_upstream(connector_type: &str) -> bool {
    UPSTREAMS.contains(&connector_type)
}

/// The format of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFormat {
    /// OpenAI's chat completions.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Messages,
}

impl WireFormat {
    /// Returns whether connectors of this type take calls of this format.
    pub fn is_spoken_by(self, connector_type: &str) -> bool {
        match self {
            Self::Messages => connector_type == "anthropic",
            Self::Chat | Self::Responses => is_upstream(connector_type) && connector_type != "anthropic",
        }
    }

    /// Returns the path of these calls below a base address.
    const fn path(self) -> &'static [&'static str] {
        match self {
            Self::Chat => &["chat", "completions"],
            Self::Responses => &["responses"],
            Self::Messages => &["v1", "messages"],
        }
    }
}

/// Returns the request that passes a call on. With Azure, the deployment names the model: `model`, or the connector's.
pub fn request(
    connector: &OpenConnector,
    format: WireFormat,
    model: Option<&str>,
    body: impl Into<Vec<u8>>,
) -> Request {
    let url = match (connector.kind.name, format) {
        ("azure_openai", WireFormat::Chat) => {
            let deployment = model.unwrap_or_else(|| connector.text("deployment"));
            azure(connector, &["openai", "deployments", deployment, "chat", "completions"])
        }
        ("azure_openai", _) => azure(connector, &["openai", "responses"]),
        _ => join_path(connector.text("base_url"), format.path()),
    };
    authorised(connector, Request::post(connector.stored.id, url, body))
}

fn azure(connector: &OpenConnector, path: &[&str]) -> String {
    let url = join_path(connector.text("endpoint"), path);
    format!("{url}?api-version={}", connector.text("api_version"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn url(kind: &str, format: WireFormat, model: Option<&str>) -> String {
        let fields = json!({ "base_url": "https://a.example/v1", "endpoint": "https://b.example",
            "deployment": "d", "api_version": "7" });
        let connector = OpenConnector::of(kind, &fields);
        request(&connector, format, model, "{}").url().to_owned()
    }

    #[test]
    fn a_call_goes_to_the_path_of_its_format() {
        use WireFormat::{Chat, Messages, Responses};
        for (kind, format, model, expected) in [
            ("openai", Chat, None, "https://a.example/v1/chat/completions"),
            ("openai_compatible", Responses, Some("m"), "https://a.example/v1/responses"),
            ("anthropic", Messages, None, "https://a.example/v1/v1/messages"),
            (
                "azure_openai",
                Chat,
                None,
                "https://b.example/openai/deployments/d/chat/completions?api-version=7",
            ),
            (
                "azure_openai",
                Chat,
                Some("m"),
                "https://b.example/openai/deployments/m/chat/completions?api-version=7",
            ),
            ("azure_openai", Responses, None, "https://b.example/openai/responses?api-version=7"),
        ] {
            assert_eq!(url(kind, format, model), expected);
        }
    }

    #[test]
    fn each_format_has_its_providers() {
        for kind in UPSTREAMS {
            assert_eq!(WireFormat::Messages.is_spoken_by(kind), kind == "anthropic");
            assert_eq!(WireFormat::Chat.is_spoken_by(kind), kind != "anthropic");
        }
        assert!(!WireFormat::Responses.is_spoken_by("gemini"));
    }
}

//! Health checks that consist of one request.

use guardengine_egress::{Request, join_path};
use guardengine_store::Timestamp;
use serde_json::json;

use super::{Checked, describe_error};
use crate::{connectors::OpenConnector, webhooks};

pub(super) async fn check(checked: &Checked<'_>, now: Timestamp) -> Result<(), String> {
    let Some(request) = request(checked.connector, now) else {
        return Err("connectors of this type have no check".to_owned());
    };
    checked.ask(request).await.map(drop).map_err(|error| describe_error(&error))
}

fn request(connector: &OpenConnector, now: Timestamp) -> Option<Request> {
    let text = |field| connector.text(field);
    let get = |base, path: &[&str]| Request::get(connector.stored.id, join_path(text(base), path));
    Some(match connector.kind.name {
        // https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-myself/
        "jira" => get("base_url", &["rest", "api", "3", "myself"]).basic(text("email"), text("api_token")),
        // https://docs.servicenow.com/csh?topicname=c_TableAPI
        "servicenow" => {
            let table = join_path(text("instance_url"), &["api", "now", "table", text("table")]);
            let one_record = format!("{table}?sysparm_limit=1&sysparm_fields=sys_id");
            Request::get(connector.stored.id, one_record)
                .header("accept", "application/json")
                .basic(text("username"), text("password"))
        }
        "webhook" => {
            webhooks::signed(connector, "ping", &json!({ "connector_id": connector.stored.id }), now)
        }
        "slack" => crate::alerts::slack_message(connector, "This is a test of the connector."),
        // https://docs.github.com/en/rest/users/users#get-the-authenticated-user
        "github" => get("base_url", &["user"])
            .bearer(text("token"))
            .header("accept", "application/vnd.github+json")
            .header("x-github-api-version", "2022-11-28"),
        // https://docs.gitlab.com/api/users/#get-the-current-user
        "gitlab" => get("base_url", &["api", "v4", "user"]).header("private-token", text("token")),
        _ => return None,
    })
}

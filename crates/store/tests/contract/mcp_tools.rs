//! Tools of MCP servers.

use guardengine_store::{Connector, ConnectorFields, Deleted, SeenTool, new_id};

use crate::fixtures::{at, change, done, on_both, org};

fn seen(name: &str, definition: &str) -> SeenTool {
    SeenTool {
        name: name.to_owned(),
        digest: format!("digest of {definition}"),
        definition: definition.to_owned(),
    }
}

#[tokio::test]
async fn a_changed_definition_waits_until_it_is_accepted() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        let fields =
            ConnectorFields { name: "tools", enabled: true, settings: "{}", secrets: "{}", check_at: at(0) };
        let made = Connector::new(new_id(at(0)), acme.id, "mcp_server", fields, at(0));
        let connector = done(change!(db.create_connector(made)).await.unwrap());
        let key = (acme.id, connector.id);
        change!(db.see_mcp_tools(key, &[seen("mail", "one"), seen("add", "sum")], None, at(1)))
            .await
            .unwrap();
        let names: Vec<_> = db.mcp_tools(acme.id, connector.id).await.unwrap();
        assert_eq!(names.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["add", "mail"]);
        assert!(db.mcp_tools(other.id, connector.id).await.unwrap().is_empty());

        change!(db.see_mcp_tools(key, &[seen("mail", "two")], None, at(2))).await.unwrap();
        let mail = db.mcp_tool(key, "mail").await.unwrap().unwrap();
        assert_eq!((mail.definition.as_str(), mail.changed_definition.as_deref()), ("one", Some("two")));
        assert_eq!((mail.first_seen_at, mail.changed_at), (at(1), Some(at(2))));

        let accepted = change!(db.accept_mcp_tool(key, "mail", "digest of three")).await.unwrap();
        assert_eq!(accepted, None);
        let foreign = change!(db.accept_mcp_tool((other.id, connector.id), "mail", "digest of two")).await;
        assert_eq!(foreign.unwrap(), None);
        let accepted = change!(db.accept_mcp_tool(key, "mail", "digest of two")).await.unwrap().unwrap();
        assert_eq!((accepted.definition.as_str(), accepted.changed_digest), ("two", None));

        change!(db.see_mcp_tools(key, &[seen("mail", "three")], None, at(3))).await.unwrap();
        change!(db.see_mcp_tools(key, &[seen("mail", "two")], None, at(4))).await.unwrap();
        let reverted = db.mcp_tool(key, "mail").await.unwrap().unwrap();
        assert_eq!((reverted.changed_digest, reverted.changed_at), (None, None));

        assert_eq!(change!(db.delete_connector(acme.id, connector.id)).await.unwrap(), Deleted::Done);
        assert_eq!(db.mcp_tool(key, "add").await.unwrap(), None);
    })
    .await;
}

//! The service behind nginx, with the example of `deploy/`.

use std::{
    fs,
    net::TcpListener,
    path::Path,
    process::{Child, Command},
    time::Duration,
};

use guardengine_egress::client;
use reqwest::{Client, Response, redirect::Policy};
use serde_json::{Value, json};

use crate::support::{
    process::{PASSWORD, ServiceProcess},
    program,
};

/// nginx in front of a service, killed when it is dropped.
struct Nginx {
    server: Child,
    base: String,
    client: Client,
}

impl Nginx {
    /// Starts nginx with the example, in which these replacements are made. Without nginx, returns `None`.
    async fn start(folder: &Path, service: &str, replaced: &[(&str, &str)]) -> Option<Self> {
        let program = program(&["nginx"])?;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut example = include_str!("../../../../deploy/proxies/nginx.conf").to_owned();
        let listen = format!("listen 127.0.0.1:{port};");
        for (old, new) in
            [("server 127.0.0.1:8080;", &*format!("server {service};")), ("listen 80;", &listen)]
                .iter()
                .chain(replaced)
        {
            assert!(example.contains(old), "{old}");
            example = example.replace(old, new);
        }
        let place = folder.display();
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {place}/{kind};"))
            .concat();
        let file = folder.join("nginx.conf");
        let config = format!(
            "daemon off; master_process off; pid {place}/pid; error_log {place}/error.log; events {{}}
             http {{ access_log off; {temporary} {example} }}"
        );
        fs::write(&file, config).unwrap();
        let server =
            Command::new(program).arg("-c").arg(&file).arg("-e").arg(folder.join("error.log")).spawn();
        let client = client().redirect(Policy::none()).build().unwrap();
        let nginx = Self { server: server.unwrap(), base: format!("http://127.0.0.1:{port}"), client };
        while nginx.client.get(&nginx.base).send().await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Some(nginx)
    }

    async fn get(&self, path: &str) -> Response {
        let request = self.client.get(format!("{}{path}", self.base)).header("accept", "text/html,*/*");
        request.send().await.unwrap()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

async fn works_behind(nginx: &Nginx) {
    let moved = nginx.get("/guard").await;
    assert_eq!(moved.status(), 301);
    assert!(moved.headers()["location"].to_str().unwrap().ends_with("/guard/"));
    for path in ["/guard/", "/guard/logs?entry=1"] {
        let page = nginx.get(path).await;
        assert_eq!(page.status(), 200, "{path}");
        assert!(page.text().await.unwrap().contains(r#"<base href="/guard/""#), "{path}");
    }
    for (path, status) in
        [("/guard/docs", 200), ("/guard/metrics", 404), ("/healthz", 404), ("/guard/healthz", 200)]
    {
        assert_eq!(nginx.get(path).await.status(), status, "{path}");
    }
    let document: Value = nginx.get("/guard/openapi.json").await.json().await.unwrap();
    assert_eq!(document["servers"][0]["url"], "https://host.example/guard");
    let post = |path: &str| nginx.client.post(format!("{}/guard{path}", nginx.base));
    let form = [("username", "admin"), ("password", PASSWORD)];
    let signed_in: Value = post("/token").form(&form).send().await.unwrap().json().await.unwrap();
    let token = signed_in["access_token"].as_str().unwrap();
    let stream =
        nginx.client.get(format!("{}/guard/api/events/stream", nginx.base)).bearer_auth(token).send();
    let mut stream = stream.await.unwrap();
    let created = async |path: &str, body: Value| -> Value {
        post(path).bearer_auth(token).json(&body).send().await.unwrap().json().await.unwrap()
    };
    let policy = json!({ "policyName": nginx.base, "blocked_keywords": ["aurora"] });
    let policy = created("/api/policy/create", policy).await;
    let project = json!({ "projectName": nginx.base, "policyId": policy["policyId"] });
    let project = created("/api/project/create", project).await;
    let prompt = json!({ "projectId": project["projectId"], "prompt": "aurora" });
    let decision = created("/v2/guardengine/svc_firewall_analyze", prompt).await;
    let link = format!("https://host.example/guard/logs?entry={}", decision["log_id"].as_str().unwrap());
    let mut seen = String::new();
    while !seen.contains(&link) {
        let chunk = tokio::time::timeout(Duration::from_secs(10), stream.chunk()).await.unwrap().unwrap();
        seen.push_str(&String::from_utf8_lossy(&chunk.expect("the stream goes on")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_of_nginx_serves_the_service_under_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("BASE_URL", "https://host.example/guard/"), ("TRUSTED_PROXIES", "127.0.0.1")];
    let served = ServiceProcess::with(&folder.path().join("data"), &settings).await;
    let service = served.address();
    let removes: [&[(&str, &str)]; 2] =
        [&[], &[("proxy_pass http://guardengine;", "proxy_pass http://guardengine/;")]];
    for replaced in removes {
        let folder = tempfile::tempdir().unwrap();
        let Some(nginx) = Nginx::start(folder.path(), service, replaced).await else { return };
        works_behind(&nginx).await;
    }
}

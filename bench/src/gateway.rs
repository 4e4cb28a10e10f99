//! The gateway in front of a model that answers at once, next to nginx in front of the same model; and many streams.

use std::{net::TcpListener, path::Path, process::Stdio, slice::from_ref, time::Duration};

use anyhow::{Context, Result, ensure};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    process::{Child, Command},
    task::JoinSet,
    time::sleep,
};

use crate::{
    bare::{self, Bare},
    load::{self, Body, Measured, Target, prompt},
    service::{self, Service},
    table,
};

const PROMPT: usize = 1_000;
const MODEL: &str = "/v1/chat/completions";
/// Time between the beginnings of two streams; each lasts longer than all of them together.
const BETWEEN: Duration = Duration::from_millis(15);
/// Streams that are open at the same time, and the memory that they may take.
const STREAMS: usize = 1_000;
const MAX_STREAMS_MB: f64 = 200.0;

/// Measures single calls, then the memory of streams.
pub async fn measure(binary: &Path, duration: Duration) -> Result<()> {
    let model = bare::start().await?;
    let nginx = Nginx::start(&model).await?;
    let service = service::start_with(
        binary,
        &[
            ("GUARDENGINE_OUTGOING__ALLOW_PRIVATE", "true"),
            ("GUARDENGINE_LIMITS__CONNECTIONS_PER_ADDRESS", "0"),
        ],
    )
    .await?;
    let project = project(&service, &model).await?;
    calls(&service, &nginx, &project, duration).await?;
    streams(&service, &project).await
}

/// nginx in front of the model. Dropping the value ends it.
struct Nginx {
    target: Target,
    _folder: TempDir,
    _process: Child,
}

impl Nginx {
    async fn start(model: &Bare) -> Result<Self> {
        let folder = TempDir::new()?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let root = folder.path().display();
        let upstream = model.address();
        let settings = format!(
            "daemon off; master_process off; pid {root}/pid; error_log {root}/log; events {{}} http {{ access_log off; \
             client_body_temp_path {root}/a; proxy_temp_path {root}/b; fastcgi_temp_path {root}/c; \
             uwsgi_temp_path {root}/d; scgi_temp_path {root}/e; upstream model {{ server {upstream}; keepalive 64; }} \
             server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://model; proxy_http_version 1.1; \
             proxy_set_header Connection ''; }} }} }}"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, settings)?;
        let mut command = Command::new("nginx");
        command.arg("-p").arg(folder.path()).arg("-c").arg(&file).stderr(Stdio::null()).kill_on_drop(true);
        let process = command.spawn().context("nginx is missing (Debian: nginx)")?;
        let target = Target { url: format!("http://127.0.0.1:{port}{MODEL}"), key: String::new() };
        for _ in 0..100 {
            if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
                break;
            }
            sleep(Duration::from_millis(50)).await;
        }
        Ok(Self { target, _folder: folder, _process: process })
    }
}

/// Creates a project whose gateway leads to the model, and returns its identifier.
async fn project(service: &Service, model: &Bare) -> Result<String> {
    let address = format!("http://{}/v1", model.address());
    let connector = json!({ "name": "model", "base_url": address, "model": "m", "internal": true });
    let connector = post(service, "/api/connectors/openai_compatible", &connector).await?;
    let policy = json!({ "policyName": "bench", "guardrails": [
        { "guardrail": "prompt_injection" }, { "guardrail": "model_jailbreak" }, { "guardrail": "toxicity" },
        { "guardrail": "pii", "pii_masking_enabled": true },
    ] });
    let policy = post(service, "/api/policy/create", &policy).await?;
    let route = json!({ "model": "m", "connector_id": connector["id"] });
    let project =
        json!({ "projectName": "bench", "policyId": policy["policyId"], "gateway": { "routes": [route] } });
    let project = post(service, "/api/project/create", &project).await?;
    Ok(project["projectId"].as_str().context("no project")?.to_owned())
}

async fn post(service: &Service, path: &str, body: &Value) -> Result<Value> {
    let target = service.at(path);
    let answer = Client::new().post(&target.url).header("x-api-key", &target.key).json(body).send().await?;
    let status = answer.status();
    let body: Value = answer.json().await?;
    ensure!(status.is_success(), "{path} answered {status}: {body}");
    Ok(body)
}

async fn calls(service: &Service, nginx: &Nginx, project: &str, duration: Duration) -> Result<()> {
    println!("calls with a prompt of {PROMPT} bytes to a model that answers at once\n");
    table::head();
    let chat = Body::Same(chat(false));
    let gateway = service.at(&format!("/p/{project}{MODEL}"));
    let text = |field: &str| Body::Same(json!({ field: prompt(PROMPT), "projectId": project }));
    let rows = [
        ("nginx", &nginx.target, chat.clone()),
        ("gateway", &gateway, chat),
        ("analyze alone", &service.target, text("prompt")),
        ("validate alone", &service.at("/v2/guardengine/svc_firewall_validate"), text("response")),
    ];
    let mut p50 = Vec::new();
    for (name, target, body) in rows {
        let measured: Measured = load::measure(from_ref(target), &body, 1, duration).await?;
        table::row(name, 1, &measured);
        p50.push(measured.percentile(0.5).as_secs_f64() * 1e3);
    }
    println!("\ngateway - nginx - analyze - validate, p50: {:.2} ms\n", p50[1] - p50[0] - p50[2] - p50[3]);
    Ok(())
}

fn chat(stream: bool) -> Value {
    json!({ "model": "m", "stream": stream, "messages": [{ "role": "user", "content": prompt(PROMPT) }] })
}

/// Opens many streams at once and reads each to its end.
async fn streams(service: &Service, project: &str) -> Result<()> {
    let before = service.resident()?;
    let target = service.at(&format!("/p/{project}{MODEL}"));
    let mut open = JoinSet::new();
    for number in 0..STREAMS {
        let target = target.clone();
        open.spawn(async move {
            // Each prompt is evaluated: more at once than the queue holds would be refused.
            sleep(BETWEEN * number as u32).await;
            let request = Client::new().post(&target.url).header("x-api-key", &target.key).json(&chat(true));
            let answer = request.send().await?;
            let (status, body) = (answer.status(), answer.text().await?);
            ensure!(status.is_success(), "answered {status}: {body}");
            ensure!(body.contains("[DONE]"), "a stream ended early: {body}");
            Ok(())
        });
    }
    let (mut most, mut whole) = (before, 0);
    loop {
        tokio::select! {
            ended = open.join_next() => match ended {
                Some(ended) => { ended??; whole += 1; }
                None => break,
            },
            () = sleep(Duration::from_millis(50)) => most = most.max(service.resident()?),
        }
    }
    println!("{whole} streams, most of them at once: {before:.0} MB before, {most:.0} at most");
    ensure!(most - before <= MAX_STREAMS_MB, "the streams fill the memory");
    Ok(())
}

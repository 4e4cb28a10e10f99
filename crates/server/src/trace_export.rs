//! Sends spans to a collector of OpenTelemetry: OTLP, protobuf over HTTP.

use std::time::Duration;

use anyhow::{Context as _, Result};
use axum::{body::Bytes, http};
use guardengine_egress::client;
use guardengine_guard::Traces;
use opentelemetry::{KeyValue, global::BoxedTracer, trace::TracerProvider as _};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::{
    Resource,
    trace::{BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider},
};
use tokio::runtime::Handle;

use crate::config::Secret;

const SERVICE: &str = "guardengine";
/// Path of traces below the address of a collector (OpenTelemetry Protocol, section OTLP/HTTP request).
const PATH: &str = "/v1/traces";
/// Longest time to send a batch of spans.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Spans that wait to be sent; further ones are dropped. A call has about thirty.
const MAX_WAITING: usize = 16_384;
/// Most spans of a batch.
const MAX_BATCH: usize = 2_048;
/// Longest time that a span waits.
const DELAY: Duration = Duration::from_secs(1);

/// Collector of traces, and the share of calls that are traced.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// Address of the collector.
    pub endpoint: String,
    /// Bearer token for the collector.
    pub token: Option<Secret>,
    /// Percentage of calls that are traced, unless their callers decided.
    pub sample_percent: u8,
}

/// The sender of spans; cheap to clone.
#[derive(Clone, Debug)]
pub struct TraceExport {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl TraceExport {
    /// Starts to send spans from a thread of its own. Needs a Tokio runtime.
    pub fn start(settings: &TraceSettings) -> Result<Self> {
        let address = settings.endpoint.trim_end_matches('/');
        let address = if address.ends_with(PATH) { address.to_owned() } else { format!("{address}{PATH}") };
        let client = client().timeout(TIMEOUT).build().context("traces.endpoint")?;
        let token = settings.token.as_ref().map(|token| format!("Bearer {}", token.expose()));
        let headers = token.map(|token| ("authorization".to_owned(), token)).into_iter().collect();
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Client { client, runtime: Handle::current() })
            .with_endpoint(address)
            .with_timeout(TIMEOUT)
            .with_headers(headers)
            .build()
            .context("traces.endpoint")?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(MAX_WAITING)
            .with_max_export_batch_size(MAX_BATCH)
            .with_scheduled_delay(DELAY);
        let processor = BatchSpanProcessor::builder(exporter).with_batch_config(batches.build()).build();
        let sampler = Sampler::TraceIdRatioBased(f64::from(settings.sample_percent) / 100.0);
        let resource = Resource::builder_empty()
            .with_service_name(SERVICE)
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor)
            .with_sampler(Sampler::ParentBased(Box::new(sampler)))
            .with_resource(resource)
            .build();
        Ok(Self { tracer: provider.tracer(SERVICE), provider })
    }

    /// Returns the tracer.
    pub const fn tracer(&self) -> &SdkTracer {
        &self.tracer
    }

    /// Returns what starts the spans of the guard.
    pub fn traces(&self) -> Traces {
        Traces::new(BoxedTracer::new(Box::new(self.tracer.clone())))
    }

    /// Sends the spans that wait, and ends.
    pub async fn end(self, longest: Duration) {
        let ended = tokio::task::spawn_blocking(move || self.provider.shutdown_with_timeout(longest)).await;
        if !matches!(ended, Ok(Ok(()))) {
            tracing::warn!("could not send the last traces");
        }
    }
}

/// The client of our own calls, for the thread of the sender, which has no runtime.
#[derive(Debug)]
struct Client {
    client: reqwest::Client,
    runtime: Handle,
}

#[async_trait::async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: http::Request<Bytes>) -> Result<http::Response<Bytes>, HttpError> {
        let (client, request) = (self.client.clone(), request.try_into()?);
        let answered = async move {
            let response = client.execute(request).await?;
            let status = response.status();
            Ok::<_, HttpError>((status, response.bytes().await?))
        };
        let (status, body) = self.runtime.spawn(answered).await??;
        Ok(http::Response::builder().status(status).body(body)?)
    }
}

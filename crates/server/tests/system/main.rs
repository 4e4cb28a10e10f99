//! Tests of the binary: commands beside a running service, external programs, kills and outages.

mod backup_and_restore;
mod copy;
mod crash;
mod disruptions;
mod doctor;
mod environment;
mod evaluation;
mod event_delivery;

#[cfg(any(feature = "nats", feature = "kafka"))]
mod log_export;
#[cfg(feature = "media")]
mod media_sandbox;
mod outages;
mod output;
mod redis;
mod refused_writes;
mod replicas;
mod reverse_proxy;
mod shutdown;
mod support;
mod ticket_delivery;

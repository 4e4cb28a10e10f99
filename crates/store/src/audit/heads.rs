//! Heads of audit trails: what to keep outside of the database, so that a trail that was cut at its end is detected.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use uuid::Uuid;

use crate::{AuditVerdict, Db, NewEvent, Result};

/// The newest entry of a trail at some time. Written as `ORG_ID:SEQUENCE:HASH`, the hash in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, sqlx::FromRow)]
pub struct AuditHead {
    /// Organization; the nil UUID for the installation.
    pub org_id: Uuid,
    /// Sequence of the entry.
    pub sequence: i64,
    /// Hash of the entry.
    pub hash: Vec<u8>,
}

/// Returns a hash of an audit trail in hexadecimal.
pub fn hexadecimal(hash: &[u8]) -> String {
    hash.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}

impl AuditHead {
    /// Returns the hash in hexadecimal.
    pub fn hash_text(&self) -> String {
        hexadecimal(&self.hash)
    }

    /// Parses `SEQUENCE:HASH`, a head of that organization. The hash has 64 hexadecimal digits.
    pub fn of_org(org_id: Uuid, text: &str) -> Option<Self> {
        let (sequence, hash) = text.split_once(':')?;
        let sequence = sequence.parse().ok().filter(|sequence| *sequence > 0)?;
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let byte = |at: usize| u8::from_str_radix(&hash[at..at + 2], 16).ok();
        Some(Self { org_id, sequence, hash: (0..64).step_by(2).map(byte).collect::<Option<_>>()? })
    }
}

impl fmt::Display for AuditHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.org_id, self.sequence, self.hash_text())
    }
}

impl FromStr for AuditHead {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let parsed = text.split_once(':').and_then(|(org_id, rest)| {
            let org_id = Uuid::try_parse(org_id).ok()?;
            Self::of_org(org_id, rest)
        });
        parsed.ok_or("expected ORG_ID:SEQUENCE:HASH, with a hash of 64 hexadecimal digits")
    }
}

/// Answer of a trail about a head that was kept elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadCheck {
    /// The trail holds the entry.
    Held,
    /// The trail has another entry with this sequence, or ends before it.
    Missing,
    /// Retention deleted the entry, so nothing can be said.
    Deleted,
}

impl HeadCheck {
    /// Returns the name in answers: `held`, `missing` or `deleted`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Missing => "missing",
            Self::Deleted => "deleted",
        }
    }
}

impl AuditVerdict {
    /// Takes the check of a kept head into account: a missing one is an altered entry, or the first that was cut off.
    pub fn apply(&mut self, head: &AuditHead, check: HeadCheck) {
        if check == HeadCheck::Missing {
            let altered = head.sequence.min(self.ends_with + 1);
            self.first_altered = Some(self.first_altered.map_or(altered, |at| at.min(altered)));
        }
    }
}

impl Db {
    /// Checks a head that was kept elsewhere. It proves the entries before it only in a trail that
    /// [`verify_audit`](Self::verify_audit) finds sound.
    pub async fn check_audit_head(&self, head: &AuditHead) -> Result<HeadCheck> {
        let entries = self.audit_entries_between(head.org_id, head.sequence - 1, head.sequence).await?;
        if let Some(entry) = entries.first() {
            return Ok(if entry.hash == head.hash { HeadCheck::Held } else { HeadCheck::Missing });
        }
        let origin = self.audit_origin(head.org_id).await?;
        Ok(match head.sequence.cmp(&origin.sequence) {
            Ordering::Less => HeadCheck::Deleted,
            Ordering::Equal if head.hash == origin.hash => HeadCheck::Held,
            _ => HeadCheck::Missing,
        })
    }

    /// Returns the heads of all trails that have entries.
    pub async fn audit_heads(&self) -> Result<Vec<AuditHead>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT org_id, sequence, hash FROM audit_heads WHERE sequence > 0 ORDER BY org_id",
            )
            .fetch_all(pool)
            .await?
        }))
    }

    /// Returns the heads of organizations that no event has named.
    pub async fn unannounced_audit_heads(&self) -> Result<Vec<AuditHead>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT org_id, sequence, hash FROM audit_heads
                 WHERE announced <> sequence AND EXISTS (SELECT 1 FROM orgs WHERE id = org_id) ORDER BY org_id",
            )
            .fetch_all(pool)
            .await?
        }))
    }

    /// Writes an event about an organization's head, unless another replica did. Returns whether it wrote the event.
    pub async fn announce_audit_head(&self, head: &AuditHead, event: NewEvent) -> Result<bool> {
        let mut tx = self.write().await?;
        // The organization's row is locked first, as by every change.
        tx.insert_events(head.org_id, &[event]).await?;
        let is_first = on!(tx.connection(), |c| {
            sqlx::query("UPDATE audit_heads SET announced = $2 WHERE org_id = $1 AND announced <> $2")
                .bind(head.org_id)
                .bind(head.sequence)
                .execute(c)
                .await?
                .rows_affected()
                == 1
        });
        if is_first {
            tx.commit().await?;
        }
        Ok(is_first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_is_written() {
        let head = AuditHead { org_id: Uuid::from_u128(7), sequence: 12, hash: (0..32).collect() };
        assert_eq!(head.to_string().parse(), Ok(head));
    }

    #[test]
    fn a_malformed_head_is_refused() {
        let hash = "ab".repeat(32);
        let org = Uuid::nil();
        for text in [format!("0:{hash}"), format!("x:{hash}"), "1:ab".into(), format!("1:{}zz", &hash[2..])] {
            assert_eq!(AuditHead::of_org(org, &text), None, "{text}");
        }
        assert!(format!("1:{hash}").parse::<AuditHead>().is_err(), "the organization is missing");
    }
}

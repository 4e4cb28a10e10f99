//! Rows found again, newest first.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::logs::COLUMNS;
use crate::name::storable;
use crate::{Db, Log, Page, Paged, Result, Timestamp};

/// Which rows; what is `None` does not narrow them.
#[derive(Clone, Debug, Default)]
pub struct LogFilter {
    /// For this project.
    pub project_id: Option<Uuid>,
    /// For one of these projects: the ones a caller belongs to.
    pub projects: Option<Vec<Uuid>>,
    /// With this decision.
    pub decision: Option<String>,
    /// In which this guardrail triggered.
    pub guardrail: Option<String>,
    /// With this risk level.
    pub risk_level: Option<String>,
    /// From this application.
    pub source_app: Option<String>,
    /// About this end user.
    pub username: Option<String>,
    /// With these characters in the text, the reason or the conversation, whatever their case.
    pub containing: Option<String>,
    /// At this time or later.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
}

impl LogFilter {
    fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
        for<'q> String: Encode<'q, DB> + Type<DB>,
        for<'q> Timestamp: Encode<'q, DB> + Type<DB>,
    {
        let equal = [
            (" AND decision = ", &self.decision),
            (" AND risk_level = ", &self.risk_level),
            (" AND source_app = ", &self.source_app),
            (" AND username = ", &self.username),
        ];
        for (condition, value) in equal {
            if let Some(value) = value {
                query.push(condition).push_bind(storable(value).into_owned());
            }
        }
        self.narrow_by_project(query);
        self.narrow_by_time(query);
        self.narrow_by_text(query);
    }

    fn narrow_by_project<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    {
        if let Some(id) = self.project_id {
            query.push(" AND project_id = ").push_bind(id);
        }
        if let Some(ids) = &self.projects {
            query.push(" AND project_id IN (NULL");
            for id in ids {
                query.push(", ").push_bind(*id);
            }
            query.push(")");
        }
    }

    fn narrow_by_time<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Timestamp: Encode<'q, DB> + Type<DB>,
    {
        if let Some(from) = self.from {
            query.push(" AND created_at >= ").push_bind(from);
        }
        if let Some(to) = self.to {
            query.push(" AND created_at < ").push_bind(to);
        }
    }

    fn narrow_by_text<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        if let Some(name) = &self.guardrail {
            let pattern = format!("%\"name\":\"{}\"%", literal(name));
            query.push(" AND triggered_guardrails LIKE ").push_bind(pattern).push(r" ESCAPE '\'");
        }
        if let Some(words) = &self.containing {
            let pattern = format!("%{}%", literal(&words.to_lowercase()));
            query.push(" AND (");
            for (joint, column) in [("", "text"), (" OR ", "reason"), (" OR ", "conversation_id")] {
                query.push(joint).push("LOWER(").push(column).push(") LIKE ");
                query.push_bind(pattern.clone()).push(r" ESCAPE '\'");
            }
            query.push(")");
        }
    }
}

/// The text as a LIKE pattern that means just it.
fn literal(text: &str) -> String {
    storable(text).replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_")
}

impl Db {
    /// The rows of an organisation that pass the filter, newest first.
    pub async fn logs(&self, org_id: Uuid, filter: &LogFilter, page: Page) -> Result<Paged<Log>> {
        let rows = on_reader!(self, |pool| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND id < ").push_bind(page.before());
            filter.narrow(&mut query);
            query.push(" ORDER BY id DESC LIMIT ").push_bind(page.reach());
            query.build_query_as().persistent(false).fetch_all(pool).await?
        });
        Ok(page.cut(rows, |log: &Log| log.id))
    }
}

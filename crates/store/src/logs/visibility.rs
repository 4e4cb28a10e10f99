//! Visibility of log entries for users who do not belong to every project.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::{LogEntry, LogFilter};

/// Log entries that a user may see who does not belong to every project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogScope {
    /// Projects whose log entries are visible.
    pub projects: Vec<Uuid>,
    /// User whose log entries without a project are visible, those of their API keys included. `None` hides all entries
    /// without a project.
    pub user_id: Option<Uuid>,
}

impl LogScope {
    /// Returns whether a log entry is visible.
    pub fn includes(&self, log: &LogEntry) -> bool {
        self.includes_call(log.project_id, log.user_id)
    }

    /// Returns whether calls of that user for that project, or for none, are visible.
    pub fn includes_call(&self, project_id: Option<Uuid>, user_id: Option<Uuid>) -> bool {
        match project_id {
            Some(project) => self.projects.contains(&project),
            None => user_id.is_some() && user_id == self.user_id,
        }
    }

    /// Adds a condition on `project_id` and `user_id`.
    pub(crate) fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    {
        query.push(" AND (project_id IN (NULL");
        for project in &self.projects {
            query.push(", ").push_bind(*project);
        }
        query.push(")");
        if let Some(user_id) = self.user_id {
            query.push(" OR (project_id IS NULL AND user_id = ").push_bind(user_id).push(")");
        }
        query.push(")");
    }
}

/// A range of an index whose log entries are in descending order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum IndexRange {
    /// All log entries.
    All,
    /// Those of a project.
    Project(Uuid),
    /// Those without a project, of this user.
    Own(Uuid),
}

impl LogFilter {
    /// Index ranges that contain the matching log entries.
    pub(crate) fn index_ranges(&self) -> Vec<IndexRange> {
        match (self.project_id, &self.scope) {
            (None, None) => vec![IndexRange::All],
            (Some(project), None) => vec![IndexRange::Project(project)],
            (Some(project), Some(scope)) => scope
                .projects
                .iter()
                .filter(|id| **id == project)
                .map(|id| IndexRange::Project(*id))
                .collect(),
            (None, Some(scope)) => {
                let projects = scope.projects.iter().map(|id| IndexRange::Project(*id));
                projects.chain(scope.user_id.map(IndexRange::Own)).collect()
            }
        }
    }
}

impl IndexRange {
    /// Adds the condition for this range.
    pub(crate) fn narrow<DB: Database>(self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    {
        match self {
            Self::All => {}
            Self::Project(id) => {
                query.push("project_id = ").push_bind(id).push(" AND ");
            }
            Self::Own(user_id) => {
                query.push("project_id IS NULL AND user_id = ").push_bind(user_id).push(" AND ");
            }
        }
    }
}

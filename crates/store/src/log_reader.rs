//! Whose rows somebody may see who does not belong to every project.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::{Log, LogFilter};

/// What somebody may see who does not belong to every project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogReader {
    /// The rows of these projects.
    pub projects: Vec<Uuid>,
    /// And the rows without a project of these principals: themselves and their keys.
    pub principals: Vec<String>,
}

impl LogReader {
    /// Whether they may see that row.
    pub fn may_see(&self, log: &Log) -> bool {
        self.may_see_of(log.project_id, &log.principal)
    }

    /// Whether they may see what that principal did for that project, or for none.
    pub fn may_see_of(&self, project_id: Option<Uuid>, principal: &str) -> bool {
        match project_id {
            Some(project) => self.projects.contains(&project),
            None => self.principals.iter().any(|own| own == principal),
        }
    }

    /// Adds that what has a project and a principal is theirs to see.
    pub(crate) fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        query.push(" AND (project_id IN (NULL");
        for project in &self.projects {
            query.push(", ").push_bind(*project);
        }
        query.push(") OR (project_id IS NULL AND principal IN (NULL");
        for principal in &self.principals {
            query.push(", ").push_bind(principal.clone());
        }
        query.push(")))");
    }
}

/// Rows that stand together in an index, from new to old.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lane<'f> {
    /// Every row.
    All,
    /// Those of a project.
    Project(Uuid),
    /// Those without a project of these principals.
    Own(&'f [String]),
}

impl LogFilter {
    /// The lanes in which wanted rows are.
    pub(crate) fn lanes(&self) -> Vec<Lane<'_>> {
        match (self.project_id, &self.reader) {
            (None, None) => vec![Lane::All],
            (Some(project), None) => vec![Lane::Project(project)],
            (Some(project), Some(reader)) => {
                reader.projects.iter().filter(|id| **id == project).map(|id| Lane::Project(*id)).collect()
            }
            (None, Some(reader)) => {
                let projects = reader.projects.iter().map(|id| Lane::Project(*id));
                projects.chain([Lane::Own(&reader.principals)]).collect()
            }
        }
    }
}

impl Lane<'_> {
    /// Adds that rows are in this lane.
    pub(crate) fn narrow<DB: Database>(self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        match self {
            Self::All => {}
            Self::Project(id) => {
                query.push("project_id = ").push_bind(id).push(" AND ");
            }
            Self::Own(principals) => {
                query.push("project_id IS NULL AND principal IN (NULL");
                for principal in principals {
                    query.push(", ").push_bind(principal.clone());
                }
                query.push(") AND ");
            }
        }
    }
}

//! Deletion of jobs and their files.

use std::time::Duration;

use guardengine_store::Clock;

use super::{KEPT, files};
use crate::Guard;

/// Age of a file without a job that is deleted: a file is written before its job.
const ORPHAN_AGE: Duration = Duration::from_mins(10);

impl Guard {
    /// Deletes jobs that ended 24 hours ago, fails those that did not run for so long, and deletes files without a job.
    pub async fn sweep_jobs(&self, clock: &Clock) -> guardengine_store::Result<()> {
        let now = clock.now();
        while self.db.delete_jobs_before(now - KEPT).await? > 0 {}
        for job in self.db.overdue_jobs(now - KEPT, now).await? {
            Box::pin(self.fail_job(&job, "not run within 24 hours", clock)).await?;
        }
        self.delete_orphans().await
    }

    async fn delete_orphans(&self) -> guardengine_store::Result<()> {
        let found = match self.jobs.files.older_than(ORPHAN_AGE) {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "could not list the files of jobs");
                return Ok(());
            }
        };
        let jobs: Vec<_> = found.iter().map(|(job, _)| *job).collect();
        let known = self.db.existing_jobs(&jobs).await?;
        for (job, path) in &found {
            if !known.contains(job) {
                files::remove(path);
            }
        }
        Ok(())
    }
}

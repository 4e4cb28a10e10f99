//! Datasets and runs of the caller's organization, and who may read the texts of cases.

use guardengine_auth::{Principal, permission};
use guardengine_store::{EvaluationDataset, EvaluationRun};
use uuid::Uuid;

use crate::{
    app::Tenants,
    evaluation::{report::EvaluationReport, result::CaseResult, runner::results},
    http::Error,
};

/// Returns a dataset, or 404.
pub async fn dataset(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<EvaluationDataset, Error> {
    let found = tenants.db.evaluation_dataset(caller.org_id, id).await?;
    found.ok_or_else(|| Error::not_found("dataset"))
}

/// Returns a run, or 404.
pub async fn run(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<EvaluationRun, Error> {
    let found = tenants.db.evaluation_run(caller.org_id, id).await?;
    found.ok_or_else(|| Error::not_found("run"))
}

/// Returns a run that is done with its report and results, 404 or 409.
pub async fn finished(
    tenants: &Tenants,
    caller: &Principal,
    id: Uuid,
) -> Result<(EvaluationRun, EvaluationReport, Vec<CaseResult>), Error> {
    let run = run(tenants, caller, id).await?;
    let report = report(&run)?.ok_or_else(|| Error::conflict("the run is not done"))?;
    let results = results(&tenants.db, &run).await?;
    Ok((run, report, results))
}

/// Returns the report of a run; `None` before it is done.
pub fn report(run: &EvaluationRun) -> Result<Option<EvaluationReport>, Error> {
    run.result.as_deref().map(serde_json::from_str).transpose().map_err(Error::internal)
}

/// Returns 403 unless the caller may read the texts of a dataset. Those made from feedback are texts of log entries, which
/// not everybody sees: their creator reads them, and whoever sees the log entries of every project.
pub fn may_read_texts(caller: &Principal, dataset: &EvaluationDataset) -> Result<(), Error> {
    caller.needs(permission::VIEW_LOG)?;
    let is_creator = caller.user_id == dataset.user_id && caller.project_id.is_none();
    if dataset.source == "feedback" && !is_creator && !caller.sees_all_projects() {
        return Err(Error::forbidden(
            "only its creator, owners and admins may read a dataset made from feedback",
        ));
    }
    Ok(())
}

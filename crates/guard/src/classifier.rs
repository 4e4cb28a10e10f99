//! The classifier that scores texts: built-in models, overridden by the operator's custom models.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use guardengine_classifiers::Classifier;
#[cfg(feature = "custom-models")]
use guardengine_custom_models::LocalModel;
use guardengine_custom_models::{OverrideClassifier, RemoteModel};
use tokio::runtime::Handle;

use crate::ModelSettings;

/// Loads the models that `models` names. The remote classifier takes precedence over a local one for a guardrail that
/// both score.
pub fn classifier(models: &ModelSettings) -> Result<Arc<dyn Classifier>> {
    let mut classifier: Arc<dyn Classifier> = Arc::new(guardengine_classifiers::embedded());
    #[cfg(feature = "custom-models")]
    if let Some((folder, labels)) = &models.encoder {
        let model = LocalModel::open(folder, labels.clone()).context("models.encoder")?;
        classifier = Arc::new(OverrideClassifier::new(classifier, model));
    }
    if let Some((service, labels)) = &models.remote {
        let model =
            RemoteModel::new(service.clone(), labels.clone(), Handle::current()).context("models.remote")?;
        classifier = Arc::new(OverrideClassifier::new(classifier, model));
    }
    Ok(classifier)
}

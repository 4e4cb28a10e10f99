//! The caller of a surface: credential, project, and the guard request.

use axum::{
    extract::{FromRef as _, FromRequestParts},
    http::request::Parts,
};
use guardengine_auth::{Permission, Principal, permission};
use guardengine_engine::fields::FieldError;
use guardengine_guard::{
    Guard, GuardRequest, Operation, attachments::ImageFile, outcome_counter, submission::Submission,
};
use guardengine_store::Clock;
use uuid::Uuid;

use super::address::PathProject;
use crate::{
    app::App,
    http::{Caller, CorrelationId, Error},
};

const PROJECT_HEADER: &str = "x-project-id";
/// Longest label that is kept of a foreign request.
const MAX_LABEL: usize = 1_000;
/// Longest foreign identifier that is kept.
const MAX_ID: usize = 200;

/// A caller of a surface, with the project of the address.
pub struct SurfaceCaller {
    /// The authenticated caller.
    pub principal: Principal,
    /// The guard.
    pub guard: Guard,
    /// Most images in one call.
    max_images: usize,
    /// Project of the path or of `X-Project-Id`.
    project: Option<Uuid>,
    clock: Clock,
}

impl SurfaceCaller {
    /// Builds the request of an operation that `surface` stands for. `named` is the project in the vendor's own field,
    /// which counts if neither the path nor the header names one. Returns an error unless the caller may do this.
    pub fn request(
        &self,
        surface: &'static str,
        operation: Operation,
        submission: Submission,
        named: Option<Uuid>,
    ) -> Result<GuardRequest, Error> {
        outcome_counter::set_operation(operation);
        self.needs(permission_for(operation))?;
        let correlation_id = CorrelationId::current().as_str().to_owned();
        let (now, caller) = (self.clock.now(), self.principal.clone());
        Ok(GuardRequest {
            project_id: self.project.or(named),
            surface,
            ..GuardRequest::new(now, caller, operation, submission, correlation_id)
        })
    }

    /// Returns the project of the path or the header, else the one that the API key is bound to.
    pub fn project(&self) -> Option<Uuid> {
        self.project.or(self.principal.project_id)
    }

    /// Refuses more `images` than the configuration admits.
    pub fn at_most(&self, field: &str, images: &[ImageFile]) -> Result<(), FieldError> {
        let most = self.max_images;
        let refused = || FieldError::value(field, format!("must have at most {most} items"));
        if images.len() > most { Err(refused()) } else { Ok(()) }
    }

    /// Returns an error unless the caller holds a permission.
    pub fn needs(&self, permission: Permission) -> Result<(), Error> {
        if self.principal.permissions.contains(permission) {
            Ok(())
        } else {
            Err(Error::missing_permission(permission))
        }
    }
}

/// Returns the permission of the native call.
const fn permission_for(operation: Operation) -> Permission {
    match operation {
        Operation::Validate => permission::VALIDATE,
        Operation::Mask | Operation::MaskImage | Operation::MaskDocument => permission::MASK,
        Operation::Autonomous | Operation::Challenge => permission::AUTONOMOUS,
        Operation::Analyze | Operation::Audio => permission::ANALYZE,
    }
}

impl FromRequestParts<App> for SurfaceCaller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let Caller(principal) = Caller::from_request_parts(parts, app).await?;
        let path = parts.extensions.get::<PathProject>().map(|project| project.0.as_str());
        let header = parts.headers.get(PROJECT_HEADER).map(|value| value.to_str().unwrap_or_default());
        let project = path.or(header).map(|text| text.parse().map_err(|_| FieldError::uuid("projectId")));
        Ok(Self {
            principal,
            guard: Guard::from_ref(app),
            max_images: app.operations.settings.guard.media.max_images,
            project: project.transpose()?,
            clock: app.tenants.clock.clone(),
        })
    }
}

/// Returns a label of a foreign request, cut to what is kept. Blank ones are none.
pub fn label(text: Option<&str>) -> Option<String> {
    cut(text, MAX_LABEL)
}

/// Returns an identifier of a foreign request, cut to what is kept. Blank ones are none.
pub fn foreign_id(text: Option<&str>) -> Option<String> {
    cut(text, MAX_ID)
}

fn cut(text: Option<&str>, most: usize) -> Option<String> {
    text.filter(|text| !text.trim().is_empty()).map(|text| text.chars().take(most).collect())
}

//! The call of a job, as it is sealed beside it.

use std::net::{IpAddr, Ipv4Addr};

use guardengine_auth::{Credential, OrgLimits, Permissions, Principal};
use guardengine_engine::{RequestOptions, guardrail::Direction, pii::mask::Strategy};
use guardengine_store::Job;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::StoredAudio;
use crate::{
    ClientInfo, GuardRequest, Operation,
    attachments::{Attachments, Audio},
    submission::{Role, Submission, Turn},
};

/// The call of a job. Who called was checked when the job was accepted.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredRequest {
    caller: StoredCaller,
    prompt: String,
    documents: Vec<String>,
    history: Vec<(Role, String)>,
    transcribed_by: Option<Uuid>,
    masks: bool,
    strategy: Option<Strategy>,
    reasoning: bool,
    /// `source_app`, `context`, `device_id`, `username` and `conversation_id`.
    sender: [Option<String>; 5],
    correlation_id: String,
    /// True if the audio is kept with personal data muted.
    pub mutes: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredCaller {
    username: String,
    role: String,
    project_id: Option<Uuid>,
    requires_project: bool,
    api_key: Option<Uuid>,
}

impl StoredRequest {
    /// Describes a call.
    pub fn of(call: &GuardRequest, mutes: bool) -> Self {
        let (submission, sender) = (&call.submission, call.sender.clone());
        let ClientInfo { source_app, context, device_id, username, conversation_id } = sender;
        Self {
            caller: StoredCaller::of(&call.caller),
            prompt: submission.subject.clone(),
            documents: submission.documents.clone(),
            history: submission.history.iter().map(|turn| (turn.role, turn.content.clone())).collect(),
            transcribed_by: call.attached.transcribed_by,
            masks: call.asked.mask,
            strategy: call.asked.strategy,
            reasoning: call.reasoning,
            sender: [source_app, context, device_id, username, conversation_id],
            correlation_id: call.correlation_id.clone(),
            mutes,
        }
    }

    /// Returns the call again, with the audio of the job.
    pub fn call(self, job: &Job, audio: StoredAudio) -> GuardRequest {
        let [source_app, context, device_id, username, conversation_id] = self.sender;
        let submission = Submission {
            documents: self.documents,
            history: self.history.into_iter().map(|(role, content)| Turn::new(role, content)).collect(),
            ..Submission::of(Direction::Input, self.prompt)
        };
        let asked = RequestOptions { mask: self.masks, strategy: self.strategy, ..RequestOptions::default() };
        let caller = self.caller.principal(job);
        GuardRequest {
            project_id: job.project_id,
            attached: Attachments {
                audio: Some(Audio::Stored(audio)),
                transcribed_by: self.transcribed_by,
                ..Attachments::default()
            },
            asked,
            reasoning: self.reasoning,
            sender: ClientInfo { source_app, context, device_id, username, conversation_id },
            prepaid: Some(job.credits),
            ..GuardRequest::new(job.created_at, caller, Operation::Audio, submission, self.correlation_id)
        }
    }
}

impl StoredCaller {
    fn of(caller: &Principal) -> Self {
        let api_key = match caller.credential {
            Credential::ApiKey(id) => Some(id),
            Credential::Session(_) => None,
        };
        Self {
            username: caller.username.clone(),
            role: caller.role.clone(),
            project_id: caller.project_id,
            requires_project: caller.requires_project,
            api_key,
        }
    }

    fn principal(self, job: &Job) -> Principal {
        Principal {
            user_id: job.user_id,
            username: self.username,
            org_id: job.org_id,
            role: self.role,
            // Checked when the job was accepted.
            permissions: Permissions::default(),
            project_id: self.project_id,
            requires_project: self.requires_project,
            limits: OrgLimits::default(),
            credential: self.api_key.map_or(Credential::Session(Uuid::nil()), Credential::ApiKey),
            address: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        }
    }
}

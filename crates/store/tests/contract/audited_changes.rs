//! Changes and their audit entries: both in one transaction, or neither.

use std::{collections::BTreeSet, fs, path::Path};

use guardengine_store::{
    Actor, AlertCheck, AlertDelivery, AlertFields, AlertRule, AlertTransition, ApiKey, AuditFilter,
    CheckResult, Connector, ConnectorFields, Created, DatasetLimits, Db, DecisionRecord, EvaluationDataset,
    EvaluationRun, EventSubscription, Invitee, LockoutRule, LogView, NewAlertDelivery, NewApiKey,
    NewInvitation, NewProject, NewReview, NewSession, NewTicket, NewUser, Org, OrgChange, Policy,
    PolicyFields, Project, ProjectChange, Review, ReviewDecision, ReviewFilter, Role, SeenTool, Session,
    SideEffects, SubscriptionFields, Ticket, TicketFilter, Tx, User, new_id,
};
use uuid::Uuid;

use crate::fixtures::{at, change, done, event, log, on_both, org, page, policy, user};

/// One row of everything that an actor can change.
struct World {
    acme: Org,
    other: Org,
    ann: User,
    bob: User,
    role: Role,
    unused_policy: Policy,
    used_policy: Policy,
    project: Project,
    connector: Connector,
    subscription: EventSubscription,
    alert: AlertRule,
    delivery: AlertDelivery,
    session: Session,
    key: ApiKey,
    review: Review,
    ticket: Ticket,
    used_dataset: EvaluationDataset,
    unused_dataset: EvaluationDataset,
    open_run: EvaluationRun,
    ended_run: EvaluationRun,
    view: LogView,
    invitation: Uuid,
}

const RULE: LockoutRule = LockoutRule {
    attempts: 5,
    window: std::time::Duration::from_mins(1),
    duration: std::time::Duration::from_mins(1),
};
const ALL_EVENTS: SubscriptionFields<'_> = SubscriptionFields { kinds: None, projects: None, enabled: true };

fn connector_text(name: &str) -> ConnectorFields<'_> {
    ConnectorFields { name, enabled: true, settings: "{}", secrets: "{}", check_at: at(0) }
}

fn new_project<'a>(world_policy: &Policy, name: &'a str, creator: Uuid) -> NewProject<'a> {
    NewProject {
        org_id: world_policy.org_id,
        name,
        policy_id: world_policy.id,
        shadow_policy_id: None,
        log_content: "masked",
        on_store_failure: "refuse",
        gateway: None,
        creator,
    }
}

fn new_session<'a>(org: &Org, user: &User, refresh_hash: &'a [u8]) -> NewSession<'a> {
    NewSession { user_id: user.id, org_id: org.id, refresh_hash, expires_at: at(100) }
}

fn new_key<'a>(org: &Org, user: &User, hash: &'a [u8]) -> NewApiKey<'a> {
    NewApiKey {
        org_id: org.id,
        user_id: user.id,
        hash,
        prefix: "ge_1",
        name: "shop",
        expires_at: None,
        project_id: None,
        permissions: None,
    }
}

async fn connector(db: &Db, org: &Org, name: &str) -> Connector {
    let new = Connector::new(new_id(at(0)), org.id, "webhook", connector_text(name), at(0));
    done(change!(db.create_connector(new)).await.unwrap())
}

/// A decision with a review and a ticket that was given up.
async fn review_and_ticket(db: &Db, org: &Org) -> (Review, Ticket) {
    let review = NewReview { id: new_id(at(0)), expires_at: at(100) };
    let ticket = NewTicket {
        id: new_id(at(0)),
        connector_id: Uuid::nil(),
        system: "jira".into(),
        guardrail: "pii".into(),
        likeness: [1; 32],
        joins_since: at(0),
        title: "title".into(),
        content: "{}".into(),
    };
    let id = ticket.id;
    let side_effects = SideEffects { review: Some(review), tickets: vec![ticket], ..SideEffects::default() };
    let decision = DecisionRecord { side_effects, ..DecisionRecord::of(log(org.id, 0), "analyze") };
    db.commit_decisions(&[decision]).await.unwrap();
    let claimed = db.claim_due_tickets(at(0), at(1), 1).await.unwrap();
    assert!(db.fail_ticket(&claimed[0], "gone", at(0)).await.unwrap());
    let review = db.review(org.id, review.id).await.unwrap().unwrap();
    (review, db.ticket(org.id, id).await.unwrap().unwrap())
}

fn alert_fields(name: &str) -> AlertFields<'_> {
    AlertFields {
        name,
        enabled: true,
        project_id: None,
        condition: "{}",
        channels: "[]",
        recipients: "[]",
        cooldown: 0,
    }
}

/// A rule that fires, with a message that was given up.
async fn alert_and_delivery(db: &Db, org: &Org) -> (AlertRule, AlertDelivery) {
    let made = change!(db.create_alert_rule((org.id, new_id(at(0))), alert_fields("Used"), at(0)));
    let rule = done(made.await.unwrap().unwrap());
    let message = NewAlertDelivery {
        id: new_id(at(0)),
        connector_id: Uuid::nil(),
        kind: "fired",
        title: "title".into(),
        content: "content".into(),
        recipients: "[]".into(),
    };
    let id = message.id;
    let event = event(0, "alert.fired");
    let transition = Some(AlertTransition { fires: true, event, deliveries: vec![message] });
    let check = AlertCheck { at: at(0), summary: "It holds.", transition };
    assert!(db.record_alert_check(&rule, check).await.unwrap());
    let claimed = db.claim_due_alert_deliveries(at(0), at(1), 1).await.unwrap();
    assert!(db.fail_alert_delivery(&claimed[0], "gone", at(0)).await.unwrap());
    let rule = db.alert_rule(org.id, rule.id).await.unwrap().unwrap();
    (rule, db.alert_delivery(org.id, id).await.unwrap().unwrap())
}

const LIMITS: DatasetLimits = DatasetLimits { datasets: 9, bytes: 9 };

fn dataset(org: &Org) -> EvaluationDataset {
    EvaluationDataset {
        id: new_id(at(0)),
        org_id: org.id,
        created_at: at(0),
        user_id: org.id,
        principal: "user:ann".into(),
        name: "Feedback".into(),
        source: "upload".into(),
        cases: 1,
        attacks: 0,
        bytes: 1,
    }
}

fn run(dataset: &EvaluationDataset, policy: &Policy) -> EvaluationRun {
    EvaluationRun {
        id: new_id(at(0)),
        org_id: dataset.org_id,
        dataset_id: dataset.id,
        created_at: at(0),
        user_id: dataset.user_id,
        principal: "user:ann".into(),
        policy_id: policy.id,
        policy_name: "P".into(),
        policy_version: 1,
        cases: 1,
        state: "queued".into(),
        position: 0,
        attempts: 0,
        runner: None,
        finished_at: None,
        error: None,
        result: None,
    }
}

fn new_view(org: &Org, user: &User) -> LogView {
    LogView {
        id: new_id(at(0)),
        org_id: org.id,
        user_id: user.id,
        created_at: at(0),
        updated_at: at(0),
        name: "Mine".into(),
        shared: false,
        content: "{}".into(),
    }
}

fn new_invitation<'a>(org: &Org, user: &User, token_hash: &'a [u8]) -> NewInvitation<'a> {
    let (org_id, creator_id) = (org.id, user.id);
    NewInvitation { org_id, creator_id, token_hash, role: "viewer", note: None, expires_at: at(100) }
}

/// A tool with this definition.
fn tool(definition: &str) -> SeenTool {
    SeenTool { name: "mail".into(), digest: definition.into(), definition: definition.into() }
}

async fn world(db: &Db) -> World {
    let (acme, other) = (org(db, "Acme", 100).await, org(db, "Other", 1).await);
    let (ann, bob) = (user(db, &acme, "ann").await, user(db, &acme, "bob").await);
    let (used_policy, unused_policy) = (policy(db, &acme, "Used").await, policy(db, &acme, "Unused").await);
    let project = new_project(&used_policy, "Shop", ann.id);
    let project = done(change!(db.create_project(project, at(0))).await.unwrap());
    let used = connector(db, &acme, "Used").await;
    let id = (acme.id, new_id(at(0)));
    let subscription = change!(db.create_event_subscription(id, used.id, ALL_EVENTS, at(0))).await.unwrap();
    for definition in ["one", "two"] {
        change!(db.see_mcp_tools((acme.id, used.id), &[tool(definition)], None, at(0))).await.unwrap();
    }
    let (review, ticket) = review_and_ticket(db, &acme).await;
    let (alert, delivery) = alert_and_delivery(db, &acme).await;
    db.record_login_attempt("ann", RULE, at(0)).await.unwrap();
    let (used_dataset, unused_dataset) = (dataset(&acme), dataset(&acme));
    for dataset in [&used_dataset, &unused_dataset] {
        change!(db.create_evaluation_dataset(dataset, &[vec![1]], LIMITS)).await.unwrap();
    }
    let (open_run, ended_run) = (run(&used_dataset, &used_policy), run(&used_dataset, &used_policy));
    for run in [&open_run, &ended_run] {
        change!(db.start_evaluation_run(run, 9, 9)).await.unwrap();
    }
    change!(db.cancel_evaluation_run(acme.id, ended_run.id, at(0))).await.unwrap();
    let view = new_view(&acme, &ann);
    assert!(change!(db.create_log_view(&view, 9)).await.unwrap());
    let invitation = new_invitation(&acme, &ann, b"t");
    let invitation = change!(db.create_invitation(invitation, 9, at(0))).await.unwrap().unwrap();
    World {
        role: done(change!(db.create_role(acme.id, "Auditor", "[]", at(0))).await.unwrap()),
        connector: connector(db, &acme, "Unused").await,
        subscription: done(subscription),
        alert,
        delivery,
        session: change!(db.start_session(new_session(&acme, &ann, b"r"), at(0))).await.unwrap(),
        key: change!(db.create_api_key(new_key(&acme, &ann, b"k"), at(0))).await.unwrap(),
        acme,
        other,
        ann,
        bob,
        unused_policy,
        used_policy,
        project,
        review,
        ticket,
        used_dataset,
        unused_dataset,
        open_run,
        ended_run,
        view,
        invitation,
    }
}

macro_rules! shown {
    ($outcome:expr) => {
        format!("{:?}", $outcome.await.unwrap())
    };
}

/// Returns everything that the changes below can change, as text.
async fn state(db: &Db, world: &World) -> String {
    let (acme, other, log) = (world.acme.id, world.other.id, world.review.log_id);
    let (no_filter, policy) = (AuditFilter::default(), world.unused_policy.id);
    [
        shown!(db.orgs()),
        shown!(db.limits(acme)),
        shown!(db.members(acme, page(9))),
        shown!(db.members(other, page(9))),
        shown!(db.audit_entries(acme, &no_filter, None, 9)),
        shown!(db.audit_entries(other, &no_filter, None, 9)),
        shown!(db.roles(acme, page(9))),
        shown!(db.projects(acme, None)),
        shown!(db.project_members(acme)),
        shown!(db.policies(acme)),
        shown!(db.policy_versions(acme, policy, 9, None)),
        shown!(db.connectors(acme)),
        shown!(db.event_subscriptions(acme)),
        shown!(db.alert_rules(acme)),
        shown!(db.alert_delivery(acme, world.delivery.id)),
        shown!(db.api_keys(acme, None)),
        shown!(db.session(world.session.id)),
        shown!(db.session_of_refresh_token(b"new")),
        shown!(db.signing_keys()),
        shown!(db.credit_entries(acme, None, 9)),
        shown!(db.user(world.ann.id)),
        shown!(db.user_by_name("carl")),
        shown!(db.reviews(acme, &ReviewFilter::default(), page(9), at(1))),
        shown!(db.tickets(acme, &TicketFilter::default(), page(9))),
        shown!(db.log_views(acme, world.ann.id, 9)),
        shown!(db.invitations(acme, None, page(9), at(1))),
        shown!(db.evaluation_datasets(acme, page(9))),
        shown!(db.evaluation_runs(acme, None, page(9))),
        shown!(db.log(acme, log)),
        shown!(db.log_details(acme, log)),
    ]
    .concat()
}

/// Makes the change of that name and returns its outcome as text.
async fn change(tx: &mut Tx, name: &str, world: &World) -> String {
    let (acme, ann, bob, now) = (world.acme.id, world.ann.id, world.bob.id, at(1));
    let text = PolicyFields { name: "New", content: "{}", by: "ann", connectors: &[] };
    let result = CheckResult { error: Some("down"), at: now, next: now, event: None };
    let decision = ReviewDecision { approves: true, by: "ann", note: None, event: None };
    let renamed = ProjectChange { name: Some("New"), ..ProjectChange::default() };
    let project = world.project.id;
    match name {
        "create_org" => shown!(tx.create_org("New", 1, now)),
        "set_limits" => shown!(tx.set_limits(acme, Some("{}"))),
        "set_credits" => shown!(tx.set_credits(acme, 5, 0, now)),
        "create_user" => {
            let new = NewUser { username: "carl", password_hash: "h", org_id: acme, role: "viewer" };
            shown!(tx.create_user(new, now))
        }
        "set_password_hash" => shown!(tx.set_password_hash(ann, "other", None, now)),
        "add_member" => shown!(tx.add_member(world.other.id, ann, "viewer", now)),
        "set_role_of_member" => shown!(tx.set_role_of_member(acme, ann, "admin")),
        "remove_member" => shown!(tx.remove_member(acme, ann, now)),
        "create_role" => shown!(tx.create_role(acme, "New", "[]", now)),
        "update_role" => shown!(tx.update_role((acme, world.role.id), Some("New"), None, now)),
        "delete_role" => shown!(tx.delete_role(acme, world.role.id, now)),
        "create_invitation" => {
            shown!(tx.create_invitation(new_invitation(&world.acme, &world.ann, b"new"), 9, now))
        }
        "revoke_invitation" => shown!(tx.revoke_invitation(acme, world.invitation, now)),
        "accept_invitation" => {
            let carl = Invitee::New { username: "carl", password_hash: "h" };
            shown!(tx.accept_invitation(b"t", carl, now))
        }
        "start_session" => shown!(tx.start_session(new_session(&world.acme, &world.ann, b"new"), now)),
        "end_session" => shown!(tx.end_session(world.session.id, now)),
        "end_sessions_of_user" => shown!(tx.end_sessions_of_user(world.session.user_id, None, None, now)),
        "reset_login_attempts" => shown!(tx.reset_login_attempts("ann")),
        "create_api_key" => shown!(tx.create_api_key(new_key(&world.acme, &world.ann, b"new"), now)),
        "revoke_api_key" => shown!(tx.revoke_api_key(acme, world.key.id)),
        "add_signing_key" => shown!(tx.add_signing_key(b"sealed", now)),
        "update_org" => {
            shown!(tx.update_org(acme, OrgChange { require_project: Some(true), ..OrgChange::default() }))
        }
        "create_project" => shown!(tx.create_project(new_project(&world.used_policy, "New", ann), now)),
        "update_project" => shown!(tx.update_project(acme, project, renamed, now)),
        "delete_project" => shown!(tx.delete_project(acme, project)),
        "add_project_member" => shown!(tx.add_project_member(project, bob)),
        "remove_project_member" => shown!(tx.remove_project_member(project, ann)),
        "create_policy" => shown!(tx.create_policy(acme, text, now)),
        "update_policy" => shown!(tx.update_policy(&world.unused_policy, text, now)),
        "delete_policy" => shown!(tx.delete_policy(acme, world.unused_policy.id)),
        "create_connector" => {
            let new = Connector::new(new_id(now), acme, "jira", connector_text("New"), now);
            shown!(tx.create_connector(new))
        }
        "update_connector" => shown!(tx.update_connector(&world.connector, connector_text("New"), now)),
        "delete_connector" => shown!(tx.delete_connector(acme, world.connector.id)),
        "see_mcp_tools" => {
            shown!(tx.see_mcp_tools((acme, world.subscription.connector_id), &[tool("three")], None, now))
        }
        "accept_mcp_tool" => {
            shown!(tx.accept_mcp_tool((acme, world.subscription.connector_id), "mail", "two"))
        }
        "record_check" => shown!(tx.record_check(&world.connector, result)),
        "create_event_subscription" => {
            let id = (acme, new_id(now));
            shown!(tx.create_event_subscription(id, world.connector.id, ALL_EVENTS, now))
        }
        "update_event_subscription" => {
            let text = SubscriptionFields { enabled: false, ..ALL_EVENTS };
            let read = &world.subscription;
            shown!(tx.update_event_subscription(read, read.connector_id, text, now))
        }
        "delete_event_subscription" => shown!(tx.delete_event_subscription(acme, world.subscription.id)),
        "replay_events" => shown!(tx.replay_events(acme, world.subscription.id, 0, now)),
        "create_alert_rule" => {
            shown!(tx.create_alert_rule((acme, new_id(now)), alert_fields("New"), now))
        }
        "update_alert_rule" => shown!(tx.update_alert_rule(&world.alert, alert_fields("New"), now)),
        "delete_alert_rule" => shown!(tx.delete_alert_rule(acme, world.alert.id)),
        "retry_alert_delivery" => shown!(tx.retry_alert_delivery(acme, world.delivery.id, now)),
        "decide_review" => shown!(tx.decide_review(acme, world.review.id, decision, now)),
        "set_log_feedback" => {
            shown!(tx.set_log_feedback(acme, world.review.log_id, Some("false_positive"), None))
        }
        "create_evaluation_dataset" => {
            shown!(tx.create_evaluation_dataset(&dataset(&world.acme), &[vec![1]], LIMITS))
        }
        "delete_evaluation_dataset" => shown!(tx.delete_evaluation_dataset(acme, world.unused_dataset.id)),
        "start_evaluation_run" => {
            shown!(tx.start_evaluation_run(&run(&world.used_dataset, &world.used_policy), 9, 9))
        }
        "cancel_evaluation_run" => shown!(tx.cancel_evaluation_run(acme, world.open_run.id, now)),
        "delete_evaluation_run" => shown!(tx.delete_evaluation_run(acme, world.ended_run.id)),
        "create_log_view" => shown!(tx.create_log_view(&new_view(&world.acme, &world.ann), 9)),
        "update_log_view" => {
            shown!(tx.update_log_view(&LogView { name: "New".into(), ..world.view.clone() }))
        }
        "delete_log_view" => shown!(tx.delete_log_view(acme, world.view.id)),
        "retry_ticket" => shown!(tx.retry_ticket(acme, world.ticket.id, now)),
        other => panic!("this test does not make the change {other}"),
    }
}

/// Returns the public methods of `Tx` that change something, from its source.
fn changes() -> BTreeSet<String> {
    fn collect(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            for block in source.split("\nimpl Tx {\n").skip(1) {
                let block = block.split("\n}\n").next().unwrap();
                let methods =
                    block.split("\n    pub async fn ").skip(1).chain(block.strip_prefix("    pub async fn "));
                found.extend(methods.map(|method| method.split('(').next().unwrap().to_owned()));
            }
        }
    }
    let mut found = BTreeSet::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.remove("audit"), "{found:?}");
    found
}

fn actor(world: &World) -> Actor {
    Actor { org_id: world.acme.id, principal: "user:ann".into(), address: "192.0.2.7".into() }
}

/// Returns the variant of an outcome, without its fields.
fn variant(outcome: &str) -> &str {
    outcome.split(['(', ' ', '[']).next().unwrap()
}

#[tokio::test]
async fn every_change_and_its_audit_entry_commit_together() {
    let changes = changes();
    assert!(changes.len() > 30, "{changes:?}");
    for name in &changes {
        on_both(async |db| {
            let world = world(&db).await;
            let before = state(&db, &world).await;

            let mut tx = db.audited(at(1)).await.unwrap();
            let undone = change(&mut tx, name, &world).await;
            drop(tx);
            assert_eq!(state(&db, &world).await, before, "{name}: a failure before the entry leaves nothing");

            let mut tx = db.audited(at(1)).await.unwrap();
            let outcome = change(&mut tx, name, &world).await;
            assert_eq!(variant(&outcome), variant(&undone), "{name}");
            let entry = tx.commit(&actor(&world), name, "target", "{}").await.unwrap();
            let entries = db.audit_entries(world.acme.id, &AuditFilter::default(), None, 9).await.unwrap();
            assert_eq!(entries, [entry], "{name}");
            assert_eq!(
                (entries[0].action.as_str(), entries[0].principal.as_str()),
                (name.as_str(), "user:ann")
            );
            assert_eq!(db.verify_audit(world.acme.id).await.unwrap().first_altered, None);
            assert_ne!(state(&db, &world).await, before, "{name}");
        })
        .await;
    }
}

#[tokio::test]
async fn a_refused_deletion_names_the_users_and_the_transaction_continues() {
    on_both(async |db| {
        let world = world(&db).await;
        let mut tx = db.audited(at(1)).await.unwrap();
        let policy = tx.delete_policy(world.acme.id, world.used_policy.id).await.unwrap();
        assert_eq!(policy, guardengine_store::Deleted::InUse(vec!["Shop".into()]));
        let connector = tx.delete_connector(world.acme.id, world.subscription.connector_id).await.unwrap();
        assert_eq!(connector, guardengine_store::Deleted::InUse(vec![]));
        let made = tx.create_role(world.acme.id, "New", "[]", at(1)).await.unwrap();
        assert!(matches!(made, Created::Done(_)));
        tx.commit(&actor(&world), "ROLES:CREATE_ROLE", "New", "{}").await.unwrap();
        assert_eq!(db.roles(world.acme.id, page(9)).await.unwrap().rows.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn several_changes_share_one_commit() {
    on_both(async |db| {
        let world = world(&db).await;
        let mut tx = db.audited(at(1)).await.unwrap();
        tx.set_role_of_member(world.acme.id, world.ann.id, "admin").await.unwrap();
        tx.set_password_hash(world.ann.id, "other", None, at(1)).await.unwrap();
        tx.commit(&actor(&world), "USERS:UPDATE_USER", "ann", "{}").await.unwrap();
        let member = db.member(world.acme.id, world.ann.id).await.unwrap().unwrap();
        let user = db.user(world.ann.id).await.unwrap().unwrap();
        assert_eq!((member.role.as_str(), user.password_hash.as_str()), ("admin", "other"));
        let entries = db.audit_entries(world.acme.id, &AuditFilter::default(), None, 9).await.unwrap();
        assert_eq!(entries.len(), 1);
    })
    .await;
}

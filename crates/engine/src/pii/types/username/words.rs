//! Words around user names, and words that are none.

pub(super) const NETWORKS: [&str; 14] = [
    "twitter",
    "instagram",
    "telegram",
    "discord",
    "github",
    "skype",
    "snapchat",
    "tiktok",
    "mastodon",
    "reddit",
    "facebook",
    "threads",
    "insta",
    "推特",
];

/// Confidence of a name that might be another word; worth masking, not worth stopping a text.
pub(super) const PLAIN: f32 = 0.55;
/// Endings of what is said of a name instead of telling it.
pub(super) const SAID_OF_IT: [&str; 12] =
    ["ed", "ing", "able", "ible", "ly", "ive", "ect", "alid", "ong", "que", "ken", "ank"];

/// Confidence from which the tagger is believed.
pub(super) const BELIEVED: f32 = 0.9;

pub(super) const TALK: [&str; 37] = [
    "private",
    "offline",
    "online",
    "string",
    "str",
    "null",
    "none",
    "nil",
    "true",
    "false",
    "required",
    "optional",
    "text",
    "input",
    "undefined",
    "unknown",
    "username",
    "user",
    "login",
    "name",
    "varchar",
    "int",
    "integer",
    "number",
    "uuid",
    "anonymous",
    "here",
    "click",
    "your_username",
    "self",
    "request",
    "page",
    "failed",
    "success",
    "email",
    "password",
    "config",
];

/// Words for a user name, without the first letter, in sentences that go on with a verb.
pub(super) const IN_SENTENCES: [&str; 5] =
    ["sername", "ser name", "enutzername", "ogin name", "ombre de usuario"];

pub(super) const VERBS: [&str; 5] = [" is: ", " is ", " ist ", " lautet ", " es "];

/// What the daemon of OpenSSH writes before a name (`auth.c`, `auth_log`).
pub(super) const LOGS: [&str; 4] =
    ["ccepted publickey for ", "ccepted password for ", "ailed password for ", "nvalid user "];

/// Networks on which somebody has a name.
pub(super) const OWN: [&str; 14] = [
    "y login",
    "y discord",
    "y steam",
    "y insta",
    "y instagram",
    "y gamertag",
    "y psn",
    "y PSN",
    "y telegram",
    "y github",
    "y GitHub",
    "y twitch",
    "y snap",
    "y Discord",
];
pub(super) const OWN_VERBS: [&str; 7] =
    [" name is ", " handle is ", " id is ", " username is ", " account is ", " is ", ": "];

//! Connector type of cloud accounts.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

pub(super) const CLOUDPROVIDER_CLOUD: ConnectorType = ConnectorType {
    name: "cloudprovider_cloud",
    label: "Cloud account",
    categories: &[Category::Cloud],
    check: "Signs a GetCallerIdentity request and compares the account in the response.",
    fields: &[
        Field::new(
            "cloudprovider_access_key_id",
            Format::Key,
            "Access key ID",
            "Use a user with only the permissions that this connector needs; GetCallerIdentity needs none.",
        ),
        Field::new(
            "cloudprovider_secret_access_key",
            Format::Key,
            "Secret access key",
            "Shown once when the access key is created.",
        ),
        Field::new("cloudprovider_region", Format::Word, "Region", "For example us-east-1."),
        Field::new(
            "cloudprovider_account_id",
            Format::Text,
            "Account ID",
            "Twelve digits: the account that the access key belongs to.",
        ),
        Field::new(
            "cloudprovider_endpoint",
            Format::BaseUrl,
            "Endpoint of the token service",
            "If it differs from https://sts.<region>.amazonaws.com.",
        )
        .optional(),
    ],
    model: Some("cloudprovider_account_id"),
    check_is_visible: false,
};

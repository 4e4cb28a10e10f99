//! Accounts with a cloud.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

pub(super) const CLOUDPROVIDER_CLOUD: ConnectorType = ConnectorType {
    name: "cloudprovider_cloud",
    label: "Cloud account",
    categories: &[Category::Cloud],
    check: "Signs a GetCallerIdentity request and compares the account that answers.",
    fields: &[
        Field::new(
            "cloudprovider_access_key_id",
            Format::Key,
            "Access key ID",
            "Of a user that may do nothing but what this connector is for; GetCallerIdentity needs no permission.",
        ),
        Field::new(
            "cloudprovider_secret_access_key",
            Format::Key,
            "Secret access key",
            "Shown once when the access key is made.",
        ),
        Field::new("cloudprovider_region", Format::Word, "Region", "For example us-east-1."),
        Field::new(
            "cloudprovider_account_id",
            Format::Text,
            "Account ID",
            "The twelve digits of the account that the access key belongs to.",
        ),
        Field::new(
            "cloudprovider_endpoint",
            Format::BaseUrl,
            "Endpoint of the token service",
            "Where it is another than https://sts.<region>.amazonaws.com.",
        )
        .optional(),
    ],
    model: Some("cloudprovider_account_id"),
    is_heard: false,
};

//! Health check of cloud accounts: a signed request returns the account that owns the access key.
//! Source: AWS Security Token Service API Reference, `GetCallerIdentity`, which needs no permission.

use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningSettings, sign},
    sign::v4,
};
use guardengine_egress::Request;
use guardengine_store::Timestamp;

use super::{Checked, describe_error};
use crate::connectors::OpenConnector;

const BODY: &str = "Action=GetCallerIdentity&Version=2011-06-15";
const FORM: &str = "application/x-www-form-urlencoded";

pub(super) async fn check(checked: &Checked<'_>, now: Timestamp) -> Result<(), String> {
    let endpoint = endpoint(checked.connector);
    let unsigned = || "could not sign the request".to_owned();
    let headers = signature(checked.connector, ("sts", &endpoint, BODY), now).ok_or_else(unsigned)?;
    let request = Request::form(checked.connector.stored.id, endpoint, BODY);
    let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
    let response = checked.ask(request).await.map_err(|error| describe_error(&error))?;
    match account(&response.body) {
        Some(account) if account == checked.text("cloudprovider_account_id").trim() => Ok(()),
        Some(_) => {
            Err("the access key belongs to a different account than cloudprovider_account_id".to_owned())
        }
        None => Err("the response names no account".to_owned()),
    }
}

/// Returns the URL of the region's token service.
fn endpoint(connector: &OpenConnector) -> String {
    let region = connector.text("cloudprovider_region");
    let suffix = if region.starts_with("cn-") { ".cn" } else { "" };
    match connector.text("cloudprovider_endpoint") {
        "" => format!("https://sts.{region}.amazonaws.com{suffix}/"),
        named => format!("{}/", named.trim_end_matches('/')),
    }
}

/// Returns the headers that sign a form posted to a service.
fn signature(
    connector: &OpenConnector,
    (service, url, body): (&str, &str, &str),
    now: Timestamp,
) -> Option<Vec<(String, String)>> {
    let text = |field| connector.text(field).to_owned();
    let (id, secret) = (text("cloudprovider_access_key_id"), text("cloudprovider_secret_access_key"));
    let identity = Credentials::new(id, secret, None, None, "connector").into();
    let region = text("cloudprovider_region");
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(&region)
        .name(service)
        .time(SystemTime::UNIX_EPOCH + Duration::from_micros(now.micros().try_into().ok()?))
        .settings(SigningSettings::default())
        .build()
        .ok()?
        .into();
    let headers = std::iter::once(("content-type", FORM));
    let request = SignableRequest::new("POST", url, headers, SignableBody::Bytes(body.as_bytes())).ok()?;
    let (instructions, _) = sign(request, &params).ok()?.into_parts();
    Some(instructions.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// Returns the account in a response, `<Account>123456789012</Account>`.
fn account(body: &[u8]) -> Option<&str> {
    let (_, rest) = std::str::from_utf8(body).ok()?.split_once("<Account>")?;
    Some(rest.split_once("</Account>")?.0.trim())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    fn connector(more: &[(&str, &str)]) -> OpenConnector {
        let mut fields = BTreeMap::from([
            ("cloudprovider_access_key_id", "AKIDEXAMPLE"),
            ("cloudprovider_secret_access_key", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            ("cloudprovider_region", "us-east-1"),
        ]);
        fields.extend(more.iter().copied());
        OpenConnector::of("cloudprovider_cloud", &json!(fields))
    }

    #[test]
    fn signs_the_form_of_the_published_test_suite() {
        // AWS Signature Version 4 Test Suite, post-x-www-form-urlencoded.
        let now = "2015-08-30T12:36:00Z".parse().unwrap();
        let form = ("service", "https://example.amazonaws.com/", "Param1=value1");
        let headers: BTreeMap<_, _> = signature(&connector(&[]), form, now).unwrap().into_iter().collect();
        assert_eq!(headers["x-amz-date"], "20150830T123600Z");
        assert_eq!(
            headers["authorization"],
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
             SignedHeaders=content-type;host;x-amz-date, \
             Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        );
    }

    #[test]
    fn uses_the_region_endpoint_unless_one_is_set() {
        for (more, expected) in [
            (&[][..], "https://sts.us-east-1.amazonaws.com/"),
            (&[("cloudprovider_region", "cn-north-1")], "https://sts.cn-north-1.amazonaws.com.cn/"),
            (&[("cloudprovider_endpoint", "http://127.0.0.1:5000")], "http://127.0.0.1:5000/"),
        ] {
            assert_eq!(endpoint(&connector(more)), expected);
        }
    }

    #[test]
    fn reads_the_account_from_the_response() {
        let response = b"<GetCallerIdentityResult><Arn>x</Arn><Account>123456789012</Account>";
        assert_eq!(account(response), Some("123456789012"));
        assert_eq!(account(b"<Account>1234"), None);
    }
}

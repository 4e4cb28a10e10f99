//! Addresses below another.

use reqwest::Url;

/// `base` with `segments` below it, each escaped; what does not parse stays as it is, for [`crate::NetworkPolicy`] to refuse.
pub fn join_path(base: &str, segments: &[&str]) -> String {
    let Ok(mut url) = Url::parse(base) else { return base.to_owned() };
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_stay_below_their_base() {
        assert_eq!(join_path("https://a.example/v1/", &["models", "x:y"]), "https://a.example/v1/models/x:y");
        assert_eq!(join_path("https://a.example", &["..", "a/b?c#d"]), "https://a.example/a%2Fb%3Fc%23d");
    }
}

//! URL paths below a base URL.

use reqwest::Url;

/// Appends percent-encoded `segments` to the path of `base`. Returns a `base` that is not a URL unchanged;
/// [`crate::NetworkPolicy`] rejects it later.
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

//! The headers of every answer to the browser.

use axum::http::{HeaderValue, header};
use axum::response::Response;

/// The page may load files of this server alone, and other sites may not frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'";

/// Adds the headers that keep the page to itself.
pub async fn secure(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::CACHE_CONTROL, "no-cache");
    let mut named = |name: &'static str, value| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    named("cross-origin-opener-policy", "same-origin");
    named("cross-origin-resource-policy", "same-origin");
    named(
        "permissions-policy",
        "camera=(), microphone=(), geolocation=(), usb=()",
    );
    response
}

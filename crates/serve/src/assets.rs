//! The page's files, which are part of the program.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

macro_rules! asset {
    ($kind:expr, $path:literal) => {
        (
            concat!("/", $path),
            $kind,
            include_str!(concat!("../assets/", $path)),
        )
    };
}

/// Path, type and text of each file.
const FILES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../assets/index.html")),
    asset!(CSS, "style.css"),
    asset!(CSS, "panels.css"),
    asset!(SVG, "icon.svg"),
    asset!(SCRIPT, "js/main.js"),
    asset!(SCRIPT, "js/socket.js"),
    asset!(SCRIPT, "js/state.js"),
    asset!(SCRIPT, "js/view.js"),
    asset!(SCRIPT, "js/draw.js"),
    asset!(SCRIPT, "js/theme.js"),
    asset!(SCRIPT, "js/world.js"),
    asset!(SCRIPT, "js/pointer.js"),
    asset!(SCRIPT, "js/keys.js"),
    asset!(SCRIPT, "js/controls.js"),
    asset!(SCRIPT, "js/scenes.js"),
    asset!(SCRIPT, "js/share.js"),
    asset!(SCRIPT, "js/plots.js"),
    asset!(SCRIPT, "js/lcp.js"),
    asset!(SCRIPT, "js/table.js"),
    asset!(SCRIPT, "js/contact.js"),
    asset!(SCRIPT, "js/cone.js"),
    asset!(SCRIPT, "js/player.js"),
    asset!(SCRIPT, "js/film.js"),
    asset!(SCRIPT, "js/playback.js"),
    asset!(SCRIPT, "js/space.js"),
    asset!(SCRIPT, "js/space-picture.js"),
    asset!(SCRIPT, "js/space-verdicts.js"),
    // Of others: vendor/README.md.
    asset!(SCRIPT, "js/three.js"),
    (
        "/three.LICENSE.txt",
        TEXT,
        include_str!("../vendor/three.LICENSE.txt"),
    ),
    asset!(SCRIPT, "js/say.js"),
    asset!(SCRIPT, "js/dom.js"),
];

/// The file at a path, if it is one of them.
pub fn file(path: &str) -> Response {
    match FILES.iter().find(|(at, ..)| *at == path) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

//! The requests that the server refuses, and the faults that it survives.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::net::TcpStream;
use std::time::Instant;

use common::{PATIENCE, Page, get, goldens, send, start, start_with};
use etalon_serve::{Server, ServerSettings, limits};
use serde_json::{Value, json};

#[test]
fn the_page_and_all_that_it_asks_for_are_there() {
    let server = start();
    let page = get(&server, "/");
    assert_eq!(page.status, 200);
    let quoted = |text: &str, before: &str| -> Vec<String> {
        let parts = text.split(before).skip(1);
        parts
            .map(|part| part.split('"').next().unwrap_or_default().to_owned())
            .collect()
    };
    let mut asked = quoted(&page.body, "href=\"/");
    asked.extend(quoted(&page.body, "src=\"/"));
    assert!(asked.len() >= 4);
    let mut seen = Vec::new();
    while let Some(path) = asked.pop() {
        if seen.contains(&path) {
            continue;
        }
        let file = get(&server, &format!("/{path}"));
        assert_eq!(file.status, 200, "{path}");
        let mut imports = quoted(&file.body, "from \"./");
        imports.extend(quoted(&file.body, "import(\"./"));
        asked.extend(imports.into_iter().map(|name| format!("js/{name}")));
        seen.push(path);
    }
    assert!(seen.len() > 15, "{seen:?}");
    assert_eq!(get(&server, "/none.js").status, 404);
    let host = server.address();
    let post = send(
        &server,
        &format!(
            "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    );
    assert_eq!(post.status, 405);
}

#[test]
fn every_answer_keeps_the_page_to_itself() {
    let server = start();
    for path in ["/", "/js/main.js", "/js/three.js", "/golden", "/nothing"] {
        let head = get(&server, path).head;
        for needed in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(needed), "{path}: {needed}: {head}");
        }
    }
    // What the policy forbids would not work: scripts, styles and handlers within the page.
    let page = get(&server, "/").body;
    for inside in [
        "<script>",
        "<style",
        " style=",
        " onclick=",
        " onload=",
        "http://",
        "https://",
    ] {
        assert!(!page.contains(inside), "{inside}");
    }
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = start_with(ServerSettings {
        hosts: vec!["lab.example".to_owned()],
        ..ServerSettings::default()
    });
    let own = server.address().to_string();
    let ask = |path: &str, host: &str, origin: Option<&str>| {
        let origin = origin.map_or(String::new(), |origin| format!("Origin: {origin}\r\n"));
        let upgrade = match path {
            "/socket" => {
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            }
            _ => "Connection: close\r\n",
        };
        // A socket that is let in would stay open: only the first line is waited for.
        let mut stream = TcpStream::connect(server.address()).unwrap();
        std::io::Write::write_all(
            &mut stream,
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{origin}{upgrade}\r\n").as_bytes(),
        )
        .unwrap();
        let mut head = [0; 12];
        std::io::Read::read_exact(&mut stream, &mut head).unwrap();
        String::from_utf8_lossy(&head[9..]).parse::<u16>().unwrap()
    };
    for path in ["/", "/js/main.js", "/golden", "/socket"] {
        let fine = if path == "/socket" { 101 } else { 200 };
        let origin = format!("http://{own}");
        assert_eq!(ask(path, &own, None), fine, "{path}");
        assert_eq!(ask(path, &own, Some(&origin)), fine, "{path}");
        assert_eq!(
            ask(path, "lab.example", Some("https://lab.example")),
            fine,
            "{path}"
        );
        for foreign in ["http://evil.example", "null", "http://localhost", "file://"] {
            assert_eq!(ask(path, &own, Some(foreign)), 403, "{path} from {foreign}");
        }
        // The name of a page whose address was turned to this machine.
        assert_eq!(
            ask(path, "evil.example", Some("http://evil.example")),
            403,
            "{path}"
        );
        assert_eq!(
            ask(path, &own.replace("127.0.0.1", "evil.example"), None),
            403,
            "{path}"
        );
    }
    let nobody = send(&server, "GET / HTTP/1.0\r\n\r\n");
    assert_eq!(nobody.status, 403);
    assert!(nobody.body.contains("--allow-host"), "{}", nobody.body);
}

#[test]
fn no_path_reaches_the_file_system() {
    let server = start_with(ServerSettings {
        library: goldens(),
        ..ServerSettings::default()
    });
    assert_eq!(get(&server, "/golden/rod-0.02").status, 200);
    for path in [
        "/golden/..%2fCargo.toml",
        "/golden/..%2f..%2fCargo.toml",
        "/golden/..%2f..%2f..%2fCargo.toml",
        "/golden/trajectories.json",
        "/golden/rod-0.02.jsonl",
        "/golden/%2fetc%2fpasswd",
        "/../Cargo.toml",
        "//etc/passwd",
        "/js/../../Cargo.toml",
        "/js/%2e%2e/%2e%2e/Cargo.toml",
    ] {
        assert_eq!(get(&server, path).status, 404, "{path}");
    }
}

#[test]
fn malformed_messages_are_answered_and_the_world_goes_on() {
    let server = start();
    let mut page = Page::with_world(&server, "blocks", 2);
    let scene =
        json!({"bodies": [{"name": "a", "position": [0, 0]}, {"name": "a", "position": [0, 0]}]});
    let overflowing = r#"{"type":"drag","to":[1e400,0]}"#.to_owned();
    let cases = [
        ("{".to_owned(), "not_json", Value::Null),
        (overflowing, "not_json", Value::Null),
        (r#"{"type":"dance"}"#.to_owned(), "no_type", json!("type")),
        (
            r#"{"type":"open","world":"mars","bodies":1}"#.to_owned(),
            "out_of_range",
            json!("world"),
        ),
        (
            r#"{"type":"open","world":"blocks","bodies":7}"#.to_owned(),
            "out_of_range",
            json!("bodies"),
        ),
        (
            r#"{"type":"open","world":"blocks"}"#.to_owned(),
            "bad_field",
            Value::Null,
        ),
        (
            r#"{"type":"set","gravity":"low"}"#.to_owned(),
            "bad_field",
            json!("gravity"),
        ),
        (
            r#"{"type":"set","elasticity":1.5}"#.to_owned(),
            "out_of_range",
            json!("elasticity"),
        ),
        (
            r#"{"type":"set","speed":0}"#.to_owned(),
            "out_of_range",
            json!("speed"),
        ),
        (
            r#"{"type":"pull","at":[900,900],"reach":0.1}"#.to_owned(),
            "nothing_near",
            json!("at"),
        ),
        (
            r#"{"type":"pull","at":[0,0],"reach":-1}"#.to_owned(),
            "out_of_range",
            json!("reach"),
        ),
        (
            r#"{"type":"thrust","firing":[{"body":0,"direction":"up"}]}"#.to_owned(),
            "out_of_range",
            json!("firing[0].body"),
        ),
        (
            json!({"type": "load", "scene": scene}).to_string(),
            "bad_scene",
            json!("scene.bodies.name"),
        ),
    ];
    for (text, code, field) in cases {
        page.say(&text);
        let error = page.next("error");
        assert_eq!(
            (&error["code"], &error["field"]),
            (&json!(code), &field),
            "{text}: {error}"
        );
        assert!(error["remedy"].as_str().unwrap().len() > 5, "{text}");
    }
    page.socket
        .send(tokio_tungstenite::tungstenite::Message::binary(vec![0; 9]))
        .unwrap();
    assert_eq!(page.next("error")["code"], "not_json");
    let now = page.next("frame")["time"].as_f64().unwrap();
    page.at(now + 0.1);
}

#[test]
fn scenes_beyond_the_limits_are_refused_before_they_cost() {
    let server = start();
    let mut page = Page::with_world(&server, "blocks", 1);
    let body = |name: String, path: Value| json!({"name": name, "path": path, "mass": 1, "inertia": 1, "position": [0, 0]});
    let circle = |radius: f64| json!([{"arc": {"from": [radius, 0], "to": [radius, 0], "center": [0, 0], "clockwise": false, "outside_is_out": true}}]);
    let rough = |friction: f64| {
        let mut rough = body("a".to_owned(), json!([]));
        rough["friction"] = json!(friction);
        rough
    };
    let many: Vec<_> = (0..=limits::BODIES)
        .map(|k| body(k.to_string(), json!([])))
        .collect();
    let edges = vec![json!({"line": {"from": [0, 0], "to": [1, 0]}}); limits::EDGES + 1];
    let scenes = [
        (json!({"bodies": many}), "too_large", "scene.bodies"),
        (
            json!({"bodies": [body("a".to_owned(), json!(edges))]}),
            "too_large",
            "scene.bodies.path",
        ),
        // 9000 m around would be watched at 200,000 points.
        (
            json!({"bodies": [body("a".to_owned(), circle(9000.0))]}),
            "too_large",
            "scene.bodies.path",
        ),
        (
            json!({"bodies": [body("a".to_owned(), circle(1e300))]}),
            "out_of_range",
            "scene.bodies[0].path",
        ),
        (
            json!({"bodies": [], "settings": {"time_step": 1e-9}}),
            "out_of_range",
            "scene.settings.time_step",
        ),
        // What is set later has the same bounds.
        (
            json!({"bodies": [rough(10.5)]}),
            "out_of_range",
            "scene.bodies[0].friction",
        ),
        (
            json!({"bodies": [], "forces": [{"kind": "gravity", "g": 101}]}),
            "out_of_range",
            "scene.forces.g",
        ),
        (
            json!({"bodies": [], "forces": [{"kind": "damping", "damping": 101, "rotate_ratio": 0.1}]}),
            "out_of_range",
            "scene.forces.damping",
        ),
    ];
    for (scene, code, field) in scenes {
        page.tell(json!({"type": "load", "scene": scene}));
        let error = page.next("error");
        assert_eq!(
            (&error["code"], &error["field"]),
            (&json!(code), &json!(field)),
            "{error}"
        );
    }
    // The world that was there is still there.
    let now = page.next("frame")["time"].as_f64().unwrap();
    page.at(now + 0.1);
}

#[test]
fn a_message_that_is_too_large_ends_its_connection_only() {
    let server = start();
    let mut other = Page::with_world(&server, "blocks", 1);
    let mut page = Page::with_world(&server, "blocks", 1);
    page.say(&" ".repeat(limits::MESSAGE_BYTES + 1));
    let bye = page.next("bye");
    assert_eq!(bye["reason"], "oversize");
    assert!(page.hear().is_none());
    let now = other.next("frame")["time"].as_f64().unwrap();
    other.at(now + 0.1);
}

/// RFC 6455: a frame that breaks the protocol ends the connection with 1002 (section 7.4.1), text that is
/// not UTF-8 with 1007, and only what is too large with 1009.
#[test]
fn what_breaks_the_protocol_is_told_by_the_right_code() {
    use tokio_tungstenite::tungstenite::Message;
    let server = start();
    // Masked by zeros: the payload stands as it is.
    let frame = |first: u8, payload: &[u8]| -> Vec<u8> {
        let length = payload.len();
        let mut frame = vec![first];
        match length {
            0..126 => frame.push(0x80 | length as u8),
            126..65536 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(payload);
        frame
    };
    let (text, ping, pong, close) = (0x81, 0x89, 0x8a, 0x88);
    for (bytes, reason, code) in [
        (frame(ping, &[b'x'; 126]), "protocol", 1002),
        (frame(pong, &[b'x'; 300]), "protocol", 1002),
        // A control frame in parts, one of no known kind, one with a reserved bit, a close frame of half a code, one
        // without a mask.
        (frame(0x09, b"x"), "protocol", 1002),
        (frame(0x8b, b"x"), "protocol", 1002),
        (frame(0xc1, b"{}"), "protocol", 1002),
        (frame(close, b"x"), "protocol", 1002),
        (vec![0x81, 0x02, b'{', b'}'], "protocol", 1002),
        (frame(text, b"\xff\xfe"), "not_text", 1007),
        (
            frame(text, &vec![b' '; limits::MESSAGE_BYTES + 1]),
            "oversize",
            1009,
        ),
        (
            frame(text, &vec![b' '; limits::READ_BYTES + 1]),
            "oversize",
            1009,
        ),
    ] {
        let mut page = Page::with_world(&server, "blocks", 1);
        std::io::Write::write_all(page.socket.get_mut(), &bytes).unwrap();
        let begin = &bytes[..6.min(bytes.len())];
        assert_eq!(page.next("bye")["reason"], reason, "{begin:?}");
        let end = loop {
            match page.socket.read() {
                Ok(Message::Close(end)) => break end,
                Ok(_) => {}
                Err(error) => unreachable!("{begin:?}: {error}"),
            }
        };
        assert_eq!(u16::from(end.unwrap().code), code, "{begin:?}");
    }
    // The largest ping that there may be is answered with its own bytes.
    let mut page = Page::with_world(&server, "blocks", 1);
    std::io::Write::write_all(page.socket.get_mut(), &frame(ping, &[b'x'; 125])).unwrap();
    let begun = Instant::now();
    while !matches!(page.socket.read().unwrap(), Message::Pong(bytes) if bytes[..] == [b'x'; 125]) {
        assert!(begun.elapsed() < PATIENCE);
    }
}

/// A client that is still writing when its connection ends can write on and then reads why: a reset would fail its
/// writes first.
#[test]
fn who_still_writes_reads_the_goodbye() {
    use tokio_tungstenite::tungstenite::Message;
    let server = start();
    let mut page = Page::with_world(&server, "blocks", 1);
    // The head of a text of 1 GiB, masked by zeros.
    let mut head = vec![0x81, 0x80 | 127];
    head.extend((1u64 << 30).to_be_bytes());
    head.extend([0; 4]);
    std::io::Write::write_all(page.socket.get_mut(), &head).unwrap();
    assert_eq!(page.next("bye")["reason"], "oversize");
    let end = loop {
        if let Message::Close(end) = page.socket.read().unwrap() {
            break end.unwrap();
        }
    };
    assert_eq!(u16::from(end.code), 1009);
    for _ in 0..256 {
        std::io::Write::write_all(page.socket.get_mut(), &[b' '; 1 << 16]).unwrap();
    }
}

/// Whether the world hears them or they are no commands at all: the rate counts all messages.
#[test]
fn a_flood_is_dropped_then_ended_and_disturbs_nobody() {
    let server = start();
    let mut other = Page::with_world(&server, "blocks", 1);
    for text in [r#"{"type":"drag","to":[0,0]}"#, "no command"] {
        let page = Page::with_world(&server, "blocks", 1);
        assert_eq!(flood(page, text), (true, json!("flood")), "{text}");
        let now = other.next("frame")["time"].as_f64().unwrap();
        other.at(now + 0.1);
    }
}

/// Sends the same until the connection ends: whether the page was told of what was dropped, and why it ended.
fn flood(mut page: Page, text: &str) -> (bool, Value) {
    let mut told = false;
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < PATIENCE, "the flood goes on");
        // Many at once; the connection may end in the middle.
        for _ in 0..200 {
            let message = tokio_tungstenite::tungstenite::Message::text(text);
            if page.socket.write(message).is_err() {
                break;
            }
        }
        let _ = page.socket.flush();
        match page.hear() {
            Some(message) if message["type"] == "error" => told |= message["code"] == "too_fast",
            Some(message) if message["type"] == "bye" => return (told, message["reason"].clone()),
            Some(_) => {}
            // The goodbye may be lost with what was not read any more.
            None => return (told, json!("flood")),
        }
    }
}

#[test]
fn two_hundred_pages_have_a_world_each() {
    let server = start_with(ServerSettings {
        worlds: 200,
        ..ServerSettings::default()
    });
    let mut pages: Vec<_> = (0..200)
        .map(|k| Page::with_world(&server, "blocks", 1 + k % 2))
        .collect();
    for page in &mut pages {
        let bodies = page.at(0.1)["bodies"].as_array().unwrap().len();
        assert!((5..=6).contains(&bodies));
    }
    // One more is told that there is no room; when one leaves, there is.
    let mut late = Page::connect(&server);
    assert_eq!(late.next("bye")["reason"], "full");
    assert!(late.hear().is_none());
    pages.truncate(150);
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < PATIENCE, "no room comes free");
        let mut again = Page::connect(&server);
        if again
            .hear()
            .is_some_and(|message| message["type"] == "hello")
        {
            break;
        }
    }
    for page in &mut pages {
        let now = page.next("frame")["time"].as_f64().unwrap();
        page.frame(|frame| frame["time"].as_f64().unwrap() > now);
    }
}

/// The world of a page that does not read goes on; frames are dropped, not kept.
#[test]
fn a_slow_reader_gets_the_latest_frame_and_loses_no_time() {
    let server = start();
    let address: std::net::SocketAddr = server.address();
    let small = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    small.set_recv_buffer_size(4096).unwrap();
    small.connect(&address.into()).unwrap();
    let mut page = Page::over(&server, small.into());
    page.next("hello");
    page.tell(json!({"type": "open", "world": "pile", "bodies": 6}));
    page.next("scene");
    let mut other = Page::with_world(&server, "blocks", 1);
    // While another page sees 20 s of its world in fast motion, this one reads nothing.
    other.tell(json!({"type": "set", "speed": 4}));
    other.at(20.0);
    let mut times = vec![page.next("frame")["time"].as_f64().unwrap()];
    let begun = Instant::now();
    let jump = loop {
        assert!(begun.elapsed() < PATIENCE, "no frame was dropped");
        let time = page.next("frame")["time"].as_f64().unwrap();
        let before = *times.last().unwrap();
        assert!(time >= before, "{time} after {before}");
        times.push(time);
        if time - before > 0.5 {
            break time - before;
        }
    };
    assert!(jump > 0.5);
    page.at(times.last().unwrap() + 0.1);
}

#[test]
fn a_page_that_comes_back_goes_on_and_resets_to_its_own_start() {
    let first = start();
    let mut page = Page::connect(&first);
    page.next("hello");
    page.tell(json!({"type": "open", "world": "blocks", "bodies": 3}));
    let start_scene = page.next("scene")["scene"].clone();
    page.tell(json!({"type": "run", "running": false}));
    page.frame(|frame| frame["running"] == false);
    page.tell(json!({"type": "step"}));
    let before = page.at(1e-9);
    first.stop();
    assert_eq!(page.next("bye")["reason"], "stopping");
    assert!(page.hear().is_none());
    // What the page does in state.js: the scene with the state of the last frame.
    let mut scene = start_scene.clone();
    for (body, now) in scene["bodies"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .zip(before["bodies"].as_array().unwrap())
    {
        for field in ["position", "velocity", "angle", "angular_velocity"] {
            body[field] = now[field].clone();
        }
    }
    scene["time"] = before["time"].clone();
    scene["settings"]["seed"] = before["seed"].clone();
    let second = start();
    let mut page = Page::connect(&second);
    page.next("hello");
    page.tell(json!({"type": "load", "scene": scene, "start": start_scene, "running": false}));
    assert_eq!(page.next("scene")["fresh"], true);
    let after = page.next("frame");
    assert_eq!(
        (&after["time"], &after["bodies"]),
        (&before["time"], &before["bodies"])
    );
    page.tell(json!({"type": "reset"}));
    let reset = page.frame(|frame| frame["time"] == 0.0);
    assert_eq!(
        reset["bodies"][4]["position"],
        start_scene["bodies"][4]["position"]
    );
}

#[test]
fn stopping_tells_pages_and_frees_the_port() {
    let server = start();
    let address = server.address();
    let mut pages: Vec<_> = (0..5)
        .map(|_| Page::with_world(&server, "tower", 3))
        .collect();
    server.stop();
    for page in &mut pages {
        assert_eq!(page.next("bye")["reason"], "stopping");
        assert!(page.hear().is_none());
    }
    let again = Server::start(ServerSettings {
        address,
        ..ServerSettings::default()
    });
    assert_eq!(again.unwrap().address(), address);
}

#[test]
fn a_taken_port_is_an_error_that_says_what_helps() {
    let server = start();
    let taken = Server::start(ServerSettings {
        address: server.address(),
        ..ServerSettings::default()
    });
    assert!(taken.unwrap_err().to_string().contains("--port"));
}

//! Motions of bodies in space: drawn, played, judged.

use etalon_serve::{Library, Server, ServerSettings};
use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use libtest_mimic::Failed;
use serde_json::{Value, json};

use crate::common::start_with;
use crate::driver::{Tab, Test};

type Ended = Result<(), Failed>;

pub const ALL: &[(&str, Test)] = &[
    ("a_box_slides_in_space_and_every_step_is_judged", slides),
    ("the_address_of_the_tab_alone_opens_it", address),
    ("bars_that_cross_push_edge_on_edge", edges),
    ("a_wrong_step_of_a_recorded_motion_is_seen_as_wrong", wrong),
    ("without_webgl_the_page_says_so_and_plays", flat),
    ("a_scene_file_moves_in_space_on_a_phone", phone),
];

const WIDE: [u32; 2] = [1280, 900];
const FITS: &str = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";

/// Colours of the picture, coarsely, and how many pixels are of the most frequent one.
const COLORS: &str = "(() => { const c = document.querySelector('#motion-stage'); const copy = document.createElement('canvas'); \
    [copy.width, copy.height] = [c.width, c.height]; const pen = copy.getContext('2d'); pen.drawImage(c, 0, 0); \
    const d = pen.getImageData(0, 0, c.width, c.height).data; const s = new Set(); \
    for (let i = 0; i < d.length; i += 40) s.add((d[i] >> 3) + ',' + (d[i + 1] >> 3) + ',' + (d[i + 2] >> 3)); return s.size; })()";

/// Whether a colour of the style sheet is in the picture, as three.js draws what has no shade.
fn drawn(color: &str) -> String {
    format!(
        "(() => {{ const c = document.querySelector('#motion-stage'); const copy = document.createElement('canvas'); \
         [copy.width, copy.height] = [c.width, c.height]; const pen = copy.getContext('2d'); pen.drawImage(c, 0, 0); \
         const d = pen.getImageData(0, 0, c.width, c.height).data; \
         const hex = getComputedStyle(document.documentElement).getPropertyValue('--{color}').trim(); \
         const want = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)); let count = 0; \
         for (let i = 0; i < d.length; i += 4) if (want.every((value, j) => Math.abs(value - d[i + j]) <= 3)) count += 1; return count > 20; }})()"
    )
}

fn word(wanted: &str) -> String {
    format!("document.querySelector('#motion-word').textContent === '{wanted}'")
}

/// The picture as a text that differs where it does.
fn picture(tab: &Tab) -> Result<Value, Failed> {
    tab.value("document.querySelector('#motion-stage').toDataURL()")
}

fn step(k: u64) -> String {
    format!("document.querySelector('#motion-time').textContent.startsWith('step {k} of ')")
}

fn slider(tab: &Tab, k: u64) -> Ended {
    tab.value(&format!(
        "(() => {{ const s = document.querySelector('#motion-slider'); s.value = '{k}'; s.dispatchEvent(new Event('input')); }})()"
    ))?;
    tab.until(&step(k))
}

fn slides(tab: &mut Tab) -> Ended {
    let server = start_with(ServerSettings::default());
    tab.open(&server.url(), WIDE, false)?;
    tab.until("document.querySelector('#link').dataset.state === 'open'")?;
    tab.click("#tab-space")?;
    // It plays by itself while the steps still come, and reaches the last one.
    tab.until(&step(110))?;
    tab.until("/^110 steps: 110 exact, 0 wrong/.test(document.querySelector('#motion-counts').textContent)")?;
    tab.until("document.querySelector('#motion-play-text').textContent === 'Play'")?;
    tab.until(&format!(
        "{} && document.querySelector('#motion-laws').textContent === 'All laws hold.'",
        word("exact")
    ))?;
    if tab.number(COLORS)? < 8.0 {
        return Err("the box is not drawn".into());
    }
    // While it slides both impulses are drawn.
    let end = picture(tab)?;
    slider(tab, 10)?;
    if picture(tab)? == end {
        return Err("the picture does not follow the slider".into());
    }
    tab.until(&drawn("force"))?;
    tab.until(&drawn("rub"))?;
    tab.until("document.querySelector('#motion-contacts').tBodies[0].rows.length > 0")?;
    tab.click("#motion-back")?;
    tab.until(&step(9))?;
    tab.until("location.hash === '#space=box-slide&step=9'")?;
    slider(tab, 0)?;
    tab.until(&word("the start"))?;
    // The view is turned by dragging and by keys.
    let before = picture(tab)?;
    drag(tab)?;
    let dragged = picture(tab)?;
    tab.value("document.querySelector('#motion-stage').focus()")?;
    key(tab, "ArrowLeft")?;
    let turned = picture(tab)?;
    if before == dragged || dragged == turned {
        return Err("the view does not turn".into());
    }
    key(tab, ".")?;
    tab.until(&step(1))?;
    tab.until(
        "/^Step 1, .*exact.*box at /.test(document.querySelector('#motion-now').textContent)",
    )?;
    // The link leads back there.
    tab.value("location.reload()")?;
    tab.until(&step(1))?;
    tab.until(&word("exact"))?;
    nothing_to_complain(tab)
}

/// As the book writes it.
fn address(tab: &mut Tab) -> Ended {
    let server = start_with(ServerSettings::default());
    tab.open(&format!("{}#space", server.url()), WIDE, false)?;
    tab.until(
        "!document.querySelector('#space').hidden && document.querySelector('#world').hidden",
    )?;
    // It plays by itself, so the first step may be over.
    tab.until("document.querySelector('#motion-time').textContent.startsWith('step ')")
}

/// Corners have no word of the judge, and the laws are asked of them.
fn edges(tab: &mut Tab) -> Ended {
    let server = start_with(ServerSettings::default());
    let url = format!("{}#space=crossed-bars&step=6", server.url());
    tab.open(&url, WIDE, false)?;
    tab.until(&step(6))?;
    tab.until(&word("no verdict"))?;
    tab.until("document.querySelector('#motion-laws').textContent === 'All laws hold.'")?;
    tab.until("/upper edge 8.lower edge 6, whole 1/.test(document.querySelector('#motion-contacts').textContent)")?;
    if tab.number(COLORS)? < 8.0 {
        return Err("the bars are not drawn".into());
    }
    tab.until(&drawn("force"))?;
    tab.until("/^20 steps: 20 without a verdict, 0 wrong/.test(document.querySelector('#motion-counts').textContent)")?;
    nothing_to_complain(tab)
}

fn key(tab: &Tab, key: &str) -> Ended {
    tab.value(&format!(
        "document.querySelector('#motion-stage').dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true, cancelable: true }}))"
    ))?;
    Ok(())
}

fn drag(tab: &Tab) -> Ended {
    let canvas = tab.wait(tab.client()?.find(Locator::Css("#motion-stage")))?;
    let to = |x, y| PointerAction::MoveToElement {
        element: canvas.clone(),
        duration: Some(std::time::Duration::from_millis(150)),
        x,
        y,
    };
    let mouse = MouseActions::new("mouse".to_owned())
        .then(to(0.0, 0.0))
        .then(PointerAction::Down { button: 0 })
        .then(to(80.0, 30.0))
        .then(PointerAction::Up { button: 0 });
    Ok(tab.wait(tab.client()?.perform_actions(mouse))?)
}

/// Chromium itself warns of the time that it takes to read a picture back, which these tests do.
fn nothing_to_complain(tab: &Tab) -> Ended {
    let mut complaints = tab.complaints()?;
    complaints.retain(|entry| !entry.to_string().contains("GPU stall due to ReadPixels"));
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(format!("{complaints:?}").into())
    }
}

/// A trajectory of eight steps, of which one line has another velocity.
fn tampered() -> Server {
    let (library, _) = Library::of([("tampered".to_owned(), crate::common::tampered_slide(8, 5))]);
    start_with(ServerSettings {
        library,
        ..ServerSettings::default()
    })
}

fn wrong(tab: &mut Tab) -> Ended {
    let server = tampered();
    tab.open(
        &format!("{}#motion=tampered&step=4", server.url()),
        WIDE,
        false,
    )?;
    tab.until(&step(4))?;
    tab.until(
        "/^8 steps: 6 exact, 2 wrong/.test(document.querySelector('#motion-counts').textContent)",
    )?;
    tab.until("document.querySelector('#motion-verdict').dataset.verdict === 'exact' && document.querySelector('#motion-broken').hidden")?;
    tab.click("#motion-next")?;
    tab.until(&step(5))?;
    tab.until("document.querySelector('#motion-verdict').dataset.verdict === 'wrong' && /v\\[0\\]/.test(document.querySelector('#motion-broken').textContent)")?;
    tab.until("/^Step 5: .*do(es)? not hold/.test(document.querySelector('#live').textContent)")?;
    tab.click("#motion-forth")?;
    tab.click("#motion-forth")?;
    tab.until(&step(7))?;
    tab.until("document.querySelector('#motion-verdict').dataset.verdict === 'exact'")?;
    // The tab of plane trajectories does not offer it.
    tab.click("#tab-golden")?;
    tab.until("/knows no trajectories/.test(document.querySelector('#film-about').textContent)")
}

/// A browser whose canvases give no WebGL.
fn flat(tab: &mut Tab) -> Ended {
    let server = start_with(ServerSettings::default());
    tab.start(WIDE, false)?;
    let source = "const get = HTMLCanvasElement.prototype.getContext; \
                  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /^webgl/.test(kind) ? null : get.call(this, kind, ...rest); };";
    tab.chrome(
        "goog/cdp/execute",
        &json!({"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": source}}),
    )?;
    tab.go(&format!("{}#space=box-slide", server.url()))?;
    tab.until("!document.querySelector('#motion-flat').hidden && /no WebGL 2, so the bodies are not drawn/.test(document.querySelector('#motion-flat').textContent)")?;
    tab.until("document.querySelector('#motion-stage').hidden")?;
    tab.until(&step(110))?;
    tab.until(&word("exact"))?;
    tab.until("document.querySelector('#motion-bodies').tBodies[0].rows.length === 1")?;
    nothing_to_complain(tab)
}

fn phone(tab: &mut Tab) -> Ended {
    let server = start_with(ServerSettings::default());
    tab.open(
        &format!("{}#space=box-stack&step=3", server.url()),
        [390, 844],
        true,
    )?;
    tab.until(&step(3))?;
    tab.until(FITS)?;
    let scene = json!({
        "name": "a wheel falls",
        "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "wheel", "mass": 1, "position": [0, 0, 1], "shape": {"cylinder": {"radius": "1/2", "half_length": "1/10"}}},
        ],
        "motion": {"h": "1/100", "steps": 4, "mu": "1/2"},
    });
    tab.value(&format!(
        "(() => {{ const file = new File([JSON.stringify({scene})], 'wheel.json'); const list = new DataTransfer(); list.items.add(file); \
         const input = document.querySelector('#motion-load'); input.files = list.files; input.dispatchEvent(new Event('change')); }})()"
    ))?;
    tab.until("/^4 steps: .* 0 wrong/.test(document.querySelector('#motion-counts').textContent)")?;
    tab.until(
        "document.querySelector('#motion-bodies').tBodies[0].textContent.startsWith('wheel')",
    )?;
    if tab.number(COLORS)? < 8.0 {
        return Err("the wheel is not drawn".into());
    }
    // The method of the choice takes the place of the file's.
    tab.value("(() => { const e = document.querySelector('#motion-method'); e.value = 'moreau-jean'; e.dispatchEvent(new Event('change')); })()")?;
    tab.until("/moreau-jean/.test(document.querySelector('#motion-about').textContent)")?;
    tab.until(FITS)?;
    superquadric(tab)?;
    // What is no scene is refused in words, and the motion stays.
    tab.value("(() => { const list = new DataTransfer(); list.items.add(new File(['{\"name\": 3}'], 'x.json')); const input = document.querySelector('#motion-load'); input.files = list.files; input.dispatchEvent(new Event('change')); })()")?;
    tab.until("!document.querySelector('#banner').hidden && /\\(scene\\)/.test(document.querySelector('#banner-text').textContent)")?;
    nothing_to_complain(tab)
}

/// A scene by implicit surfaces: its steps are proved, and what it has no parameter for cannot be set.
fn superquadric(tab: &mut Tab) -> Ended {
    tab.value("(() => { for (const [id, value] of [['steps', '3'], ['name', 'scene superquadric-rocking']]) { const e = document.querySelector(`#motion-${id}`); e.value = value; e.dispatchEvent(new Event('change')); } })()")?;
    tab.until(
        "/^3 steps: 3 proved, 0 wrong/.test(document.querySelector('#motion-counts').textContent)",
    )?;
    tab.until("document.querySelector('#motion-impact').disabled && document.querySelector('#motion-cone').disabled")?;
    if tab.number(COLORS)? < 8.0 {
        return Err("the superquadric is not drawn".into());
    }
    tab.value("(() => { for (const [id, value] of [['name', 'scene rod-strike'], ['impact', 'newton']]) { const e = document.querySelector(`#motion-${id}`); e.value = value; e.dispatchEvent(new Event('change')); } })()")?;
    tab.until("/^rod-strike|lands/.test(document.querySelector('#motion-about').textContent) && !document.querySelector('#motion-impact').disabled")?;
    tab.until("/^3 steps: .*[1-9][0-9]* wrong|^3 steps: /.test(document.querySelector('#motion-counts').textContent)")
}

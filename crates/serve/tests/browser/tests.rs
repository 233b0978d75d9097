//! The actions of a person on the page.

use std::time::Duration;

use etalon_serve::{Server, ServerSettings};
use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MouseActions, PointerAction, TouchActions,
};
use fantoccini::key::Key;
use libtest_mimic::Failed;
use serde_json::json;

use crate::common::{goldens, start_with};
use crate::driver::{Tab, Test};

type Ended = Result<(), Failed>;

pub const ALL: &[(&str, Test)] = &[
    ("page_loads_without_console_errors", loads),
    ("drag_moves_a_block", drag),
    ("thruster_key_turns_a_block", thruster),
    ("tower_rests_on_forces_that_sum_to_its_weight", tower),
    ("golden_player_reaches_the_last_frame", golden),
    ("page_reconnects_and_goes_on", reconnect),
    ("keyboard_alone_is_enough", keyboard),
    ("phone_width_has_no_sideways_scroll", phone),
    ("shared_link_and_saved_file_bring_the_scene_back", share),
    ("reduced_motion_starts_paused", still),
    ("controls_change_the_world", controls),
    ("one_sweep_is_wrong_in_red_at_1280_x_800", |tab| {
        subject(tab, [1280, 800], false)
    }),
    ("one_sweep_is_wrong_in_red_at_390_x_844", |tab| {
        subject(tab, [390, 844], true)
    }),
];

const WIDE: [u32; 2] = [1280, 900];

fn serve() -> Server {
    start_with(ServerSettings {
        library: goldens(),
        ..ServerSettings::default()
    })
}

/// The page of a server, connected, with a frame on it.
fn open(tab: &mut Tab, server: &Server) -> Ended {
    tab.open(&server.url(), WIDE, false)?;
    ready(tab)
}

fn ready(tab: &Tab) -> Ended {
    tab.until("document.querySelector('#link').dataset.state === 'open' && document.querySelector('#stage-time').textContent.startsWith('t =')")
}

/// Chooses a world of so many bodies. Its table is made anew, which is how it is known however late it is looked at.
fn world(tab: &Tab, name: &str, bodies: u32) -> Ended {
    tab.value(&format!(
        "(() => {{ for (const row of document.querySelectorAll('#bodies tbody tr')) row.dataset.before = ''; \
         for (const [id, value] of [['world-bodies', '{bodies}'], ['world-name', '{name}']]) {{ const e = document.getElementById(id); e.value = value; }} \
         document.getElementById('world-name').dispatchEvent(new Event('change')); }})()"
    ))?;
    tab.until(&format!(
        "document.querySelectorAll('#bodies tbody tr:not([data-before])').length === {bodies} && document.querySelector('#bodies tbody tr').cells[1].textContent !== ''"
    ))
}

fn time() -> &'static str {
    "Number(document.querySelector('#stage-time').textContent.match(/t = ([0-9.]+)/)[1])"
}

/// A cell of the first body's row: x, y, angle, speed, forces.
fn cell(column: usize) -> String {
    let cell = format!(
        "document.querySelector('#bodies tbody tr').cells[{}]",
        column + 1
    );
    format!("Number({cell}.textContent.replace('\\u2212', '-'))")
}

fn loads(tab: &mut Tab) -> Ended {
    let server = serve();
    open(tab, &server)?;
    tab.until(&format!("{} > 0.5", time()))?;
    tab.click("#tab-golden")?;
    tab.until("document.querySelectorAll('#film-views canvas').length > 0 && document.querySelector('#film-slider').value > 3")?;
    tab.click("#tab-world")?;
    tab.until("!document.querySelector('#world').hidden")?;
    // The picture has more than its background.
    let colors = "(() => { const c = document.querySelector('#stage'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
                  const s = new Set(); for (let i = 0; i < d.length; i += 404) s.add(d[i] + ',' + d[i + 1] + ',' + d[i + 2]); return s.size; })()";
    if tab.number(colors)? < 5.0 {
        return Err("the world is not drawn".into());
    }
    let complaints = tab.complaints()?;
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(format!("{complaints:?}").into())
    }
}

/// Where the first body is on the screen, from the middle of the canvas.
fn first_body(tab: &Tab) -> Result<(f64, f64), Failed> {
    let place = tab.wait(tab.client()?.execute_async(
        "const done = arguments[0]; import('/js/world.js').then(async ({ view }) => { const { state } = await import('/js/state.js'); \
         const [x, y] = view.pixel(state.frame.bodies[state.moving[0]].position); const c = document.querySelector('#stage'); \
         done([x - c.clientWidth / 2, y - c.clientHeight / 2]); });",
        Vec::new(),
    ))?;
    let part = |k: usize| place[k].as_f64().ok_or("no place");
    Ok((part(0)?, part(1)?))
}

fn drag(tab: &mut Tab) -> Ended {
    let server = serve();
    open(tab, &server)?;
    world(tab, "tower", 1)?;
    tab.until(&format!("{} > 0.3", time()))?;
    let before = tab.number(&cell(0))?;
    let (x, y) = first_body(tab)?;
    let canvas = tab.wait(tab.client()?.find(fantoccini::Locator::Css("#stage")))?;
    let slow = Some(Duration::from_millis(300));
    let to = |x, y| PointerAction::MoveToElement {
        element: canvas.clone(),
        duration: slow,
        x,
        y,
    };
    let press = MouseActions::new("mouse".to_owned())
        .then(to(x, y))
        .then(PointerAction::Down { button: 0 })
        .then(to(x + 150.0, y - 60.0));
    tab.wait(tab.client()?.perform_actions(press))?;
    tab.until(&format!("{} > {before} + 0.5", cell(0)))?;
    tab.wait(tab.client()?.release_actions())?;
    Ok(())
}

fn thruster(tab: &mut Tab) -> Ended {
    let server = serve();
    open(tab, &server)?;
    world(tab, "blocks", 1)?;
    let (x, angle) = (tab.number(&cell(0))?, tab.number(&cell(2))?);
    let hold = KeyActions::new("keys".to_owned()).then(KeyAction::Down { value: 'f' });
    tab.wait(tab.client()?.perform_actions(hold))?;
    // Pushed to the right above its centre of mass: it moves to the right and turns clockwise.
    tab.until(&format!(
        "{} - ({x}) > 0.3 && {} - ({angle}) < -0.1",
        cell(0),
        cell(2)
    ))?;
    tab.wait(tab.client()?.release_actions())?;
    Ok(())
}

fn tower(tab: &mut Tab) -> Ended {
    let server = serve();
    open(tab, &server)?;
    world(tab, "tower", 3)?;
    tab.until(&format!("{} > 1.5", time()))?;
    tab.until("document.querySelector('#carried').textContent === 'What stays carries 29.4 N of a weight of 29.4 N.'")?;
    tab.until(&format!("{} < 0.001", cell(3)))?;
    tab.until(
        "['exact', 'accepted'].includes(document.querySelector('#verdict-word').textContent)",
    )?;
    tab.until("/ 0 wrong/.test(document.querySelector('#counts').textContent)")?;
    tab.until("/^Matrix A of [0-9]+ rows/.test(document.querySelector('#heat').getAttribute('aria-label'))")
}

fn golden(tab: &mut Tab) -> Ended {
    let server = serve();
    let film = |name: &str| format!("{}#golden={name}&step=0", server.url());
    tab.open(&film("rod-0.02"), WIDE, false)?;
    for (name, figures, last) in [
        ("rod-0.02", 1, 50),
        ("four-balls-0.02", 2, 50),
        ("corner-st-roof", 2, 8),
    ] {
        tab.go("about:blank")?;
        tab.go(&film(name))?;
        tab.until(&format!(
            "document.querySelectorAll('#film-views canvas').length === {figures}"
        ))?;
        let reached = format!(
            "document.querySelector('#film-time').textContent.startsWith('step {last} of {last},')"
        );
        tab.until(&reached)?;
        tab.until("document.querySelector('#film-play-text').textContent === 'Play'")?;
        // The slider goes back, and both views follow.
        tab.value("(() => { const s = document.querySelector('#film-slider'); s.value = 3; s.dispatchEvent(new Event('input')); })()")?;
        tab.until(&format!(
            "document.querySelector('#film-time').textContent.startsWith('step 3 of {last},')"
        ))?;
    }
    let titles = tab.value("[...document.querySelectorAll('#film-views figcaption')].map((title) => title.firstChild.textContent)")?;
    let wanted = json!([
        "Stewart-Trinkle: two half-spaces",
        "Egan-Trinkle: one corner"
    ]);
    if titles == wanted {
        Ok(())
    } else {
        Err(format!("{titles}").into())
    }
}

fn reconnect(tab: &mut Tab) -> Ended {
    let server = serve();
    open(tab, &server)?;
    world(tab, "tower", 2)?;
    tab.until(&format!("{} > 0.5", time()))?;
    let address = server.address();
    server.stop();
    tab.until("!document.querySelector('#banner').hidden && /connection|stopped/i.test(document.querySelector('#banner-text').textContent)")?;
    tab.until("document.querySelector('#link-text').textContent !== 'Connected'")?;
    let before = tab.number(time())?;
    let server = Server::start(ServerSettings {
        address,
        ..ServerSettings::default()
    })?;
    tab.until("document.querySelector('#link-text').textContent === 'Connected' && document.querySelector('#banner').hidden")?;
    tab.until(&format!("{} > {before} + 0.2", time()))?;
    if tab.number("document.querySelectorAll('#bodies tbody tr').length")? != 2.0 {
        return Err("another world came back".into());
    }
    // Reset still knows the start from before.
    tab.click("#run")?;
    tab.until("document.querySelector('#run-text').textContent === 'Run'")?;
    tab.click("#reset")?;
    tab.until(&format!("{} === 0", time()))?;
    server.stop();
    Ok(())
}

fn press(tab: &Tab, keys: &[char]) -> Ended {
    let mut actions = KeyActions::new("keys".to_owned());
    for &value in keys {
        actions = actions
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value });
    }
    Ok(tab.wait(tab.client()?.perform_actions(actions))?)
}

fn keyboard(tab: &mut Tab) -> Ended {
    let server = serve();
    open(tab, &server)?;
    let focused = "(document.activeElement.id || document.activeElement.textContent)";
    let mut order = Vec::new();
    for _ in 0..40 {
        press(tab, &[Key::Tab.into()])?;
        // After the last element the browser itself has the focus.
        if tab.value("document.activeElement === document.body")? == json!(true) {
            break;
        }
        let id = tab.value(focused)?.as_str().unwrap_or_default().to_owned();
        // Whoever has the focus shows it.
        let outline = tab.value("getComputedStyle(document.activeElement.matches('#load') ? document.querySelector('label[for=load]') : document.activeElement).outlineStyle")?;
        if outline == "none" {
            return Err(format!("{id} has the focus and does not show it").into());
        }
        order.push(id);
    }
    let wanted = [
        "tab-world",
        "tab-space",
        "tab-golden",
        "run",
        "step",
        "reset",
        "world-name",
        "world-bodies",
        "stage",
        "lcp-forces",
        "lcp-impulses",
        "gravity",
        "elasticity",
        "friction",
        "friction_model",
        "damping",
        "integrator",
        "save",
        "load",
        "share",
    ];
    let places: Vec<_> = wanted
        .iter()
        .map(|id| order.iter().position(|other| other == id))
        .collect();
    if places.contains(&None) || !places.is_sorted() {
        return Err(format!("tab order {order:?}").into());
    }
    tab.value("document.querySelector('#stage').focus()")?;
    press(tab, &[' '])?;
    tab.until("document.querySelector('#run-text').textContent === 'Run'")?;
    let paused = tab.number(time())?;
    press(tab, &['.', '.', '.'])?;
    tab.until(&format!("{} > {paused}", time()))?;
    press(tab, &['0'])?;
    tab.until(&format!("{} === 0", time()))?;
    press(tab, &['2'])?;
    tab.until("/drive block2/.test(document.querySelector('#live').textContent)")?;
    // Keys typed into controls stay there: none of these is a step. (A space would open a list, which then takes the keys,
    // and a number that is none opens the world anew when the focus leaves it.)
    tab.value("document.querySelector('#elasticity').focus()")?;
    press(tab, &['.'; 30])?;
    std::thread::sleep(Duration::from_millis(300));
    tab.until(&format!("{} === 0", time()))?;
    tab.value("document.querySelector('#run').focus()")?;
    press(tab, &[Key::Enter.into()])?;
    tab.until("document.querySelector('#run-text').textContent === 'Pause'")?;
    tab.until("/seconds/.test(document.querySelector('#stage-now').textContent)")
}

fn phone(tab: &mut Tab) -> Ended {
    let server = serve();
    tab.open(&server.url(), [360, 740], true)?;
    ready(tab)?;
    let fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth && window.innerWidth === 360";
    tab.until(fits)?;
    // The names of the tabs stand in one line each.
    tab.until(
        "[...document.querySelectorAll('.tabs button')].every((tab) => tab.offsetHeight < 45)",
    )?;
    tab.value(
        "document.querySelectorAll('details').forEach((details) => { details.open = true; })",
    )?;
    tab.until(fits)?;
    world(tab, "tower", 1)?;
    tab.until(&format!("{} > 0.3", time()))?;
    let before = tab.number(&cell(0))?;
    tab.value("document.querySelector('#stage').scrollIntoView({ block: 'center' })")?;
    let (x, y) = first_body(tab)?;
    let canvas = tab.wait(tab.client()?.find(fantoccini::Locator::Css("#stage")))?;
    let to = |x, y| PointerAction::MoveToElement {
        element: canvas.clone(),
        duration: Some(Duration::from_millis(300)),
        x,
        y,
    };
    let finger = TouchActions::new("finger".to_owned())
        .then(to(x, y))
        .then(PointerAction::Down { button: 0 })
        .then(to(x + 90.0, y - 30.0));
    tab.wait(tab.client()?.perform_actions(finger))?;
    tab.until(&format!("{} > {before} + 0.3", cell(0)))?;
    tab.wait(tab.client()?.release_actions())?;
    tab.click("#tab-golden")?;
    tab.until("document.querySelectorAll('#film-views canvas').length > 0")?;
    tab.until(fits)
}

fn share(tab: &mut Tab) -> Ended {
    let server = serve();
    open(tab, &server)?;
    world(tab, "blocks", 2)?;
    tab.until(&format!("{} > 0.8", time()))?;
    tab.click("#run")?;
    tab.until("document.querySelector('#run-text').textContent === 'Run'")?;
    tab.click("#share")?;
    tab.until("location.hash.startsWith('#scene=')")?;
    let link = tab
        .value("location.href")?
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let scene = "(async () => { const { sceneNow } = await import('/js/state.js'); return JSON.stringify(sceneNow()); })()";
    let saved = |tab: &Tab| tab.value(scene);
    let before = saved(tab)?;
    tab.chrome("goog/cdp/execute", &json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}}))?;
    tab.go("about:blank")?;
    tab.go(&link)?;
    ready(tab)?;
    tab.until("document.querySelector('#run-text').textContent === 'Run'")?;
    let after = saved(tab)?;
    if before != after {
        return Err(format!("{before}\n{after}").into());
    }
    // A file is the same with a format, and is loaded by choosing it.
    tab.value(&format!(
        "(() => {{ const file = new File([JSON.stringify({{ format: 'etalon-world/1', ...JSON.parse({before}) }})], 'w.json'); const list = new DataTransfer(); list.items.add(file); \
         const input = document.querySelector('#load'); input.files = list.files; input.dispatchEvent(new Event('change')); }})()"
    ))?;
    tab.until("document.querySelector('#world-name').value === ''")?;
    tab.until(&format!("{} > 0.8", time()))?;
    tab.value("(() => { const list = new DataTransfer(); list.items.add(new File(['{}'], 'x.json')); const input = document.querySelector('#load'); input.files = list.files; input.dispatchEvent(new Event('change')); })()")?;
    tab.until("!document.querySelector('#banner').hidden && /x.json cannot be loaded/.test(document.querySelector('#banner-text').textContent)")
}

fn still(tab: &mut Tab) -> Ended {
    let server = serve();
    tab.start(WIDE, false)?;
    tab.chrome("goog/cdp/execute", &json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}}))?;
    tab.go(&server.url())?;
    ready(tab)?;
    if tab.number(time())? != 0.0
        || tab.value("document.querySelector('#run-text').textContent")? != "Run"
    {
        return Err("it moves".into());
    }
    tab.click("#run")?;
    tab.until(&format!("{} > 0.2", time()))
}

fn controls(tab: &mut Tab) -> Ended {
    let server = serve();
    open(tab, &server)?;
    world(tab, "tower", 1)?;
    let set = |id: &str, value: &str, event: &str| {
        tab.value(&format!(
            "(() => {{ const e = document.getElementById('{id}'); e.value = '{value}'; e.dispatchEvent(new Event('{event}')); }})()"
        ))
    };
    set("gravity", "2", "input")?;
    tab.until("/of a weight of 2.00 N/.test(document.querySelector('#carried').textContent)")?;
    set("contact_forces", "false", "change")?;
    // The block rests by impulses, too: one problem a step instead of four.
    tab.until("/This frame: [1-3] judged/.test(document.querySelector('#counts').textContent)")?;
    tab.until("/carries 2.00 N/.test(document.querySelector('#carried').textContent)")?;
    let shown = "document.querySelector('output[for=gravity]').textContent";
    if tab.value(shown)? != "2.00" {
        return Err("the slider shows another value".into());
    }
    set("contact_forces", "true", "change")?;
    tab.until("/carries 2.00 N/.test(document.querySelector('#carried').textContent)")?;
    // With friction the problem has rows along tangents, and is judged; without the model it has none.
    let rubs = "/friction/.test(document.querySelector('#formula').textContent) && !document.querySelector('#sets-friction').hidden";
    set("friction", "0.4", "input")?;
    tab.until(rubs)?;
    tab.until("/carries 2.00 N/.test(document.querySelector('#carried').textContent)")?;
    tab.until(
        "/^In the answer C is/.test(document.querySelector('#sets').getAttribute('aria-label'))",
    )?;
    tab.until("/ 0 wrong/.test(document.querySelector('#counts').textContent)")?;
    set("friction_model", "none", "change")?;
    tab.until(&format!("!({rubs})"))
}

/// The opening scene presses; one sweep of projected Gauss-Seidel is rejected with a reason, and its forces are drawn.
fn subject(tab: &mut Tab, size: [u32; 2], phone: bool) -> Ended {
    let server = serve();
    tab.open(&server.url(), size, phone)?;
    ready(tab)?;
    let fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
    tab.until("/carries 58\\.9 N/.test(document.querySelector('#carried').textContent)")?;
    tab.until("!document.querySelector('#unique').hidden")?;
    tab.until(fits)?;
    let set = |id: &str, value: &str| {
        tab.value(&format!(
            "(() => {{ const e = document.getElementById('{id}'); e.value = '{value}'; e.dispatchEvent(new Event('change')); }})()"
        ))
    };
    // Right forces are drawn in the colour of what is right, and red is for what is wrong alone.
    let drawn = |colour: &str| {
        format!(
            "(() => {{ const hex = getComputedStyle(document.documentElement).getPropertyValue('--{colour}').trim(); const want = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)); const canvas = document.getElementById('stage'); const {{ data }} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); let count = 0; for (let k = 0; k < data.length; k += 4) if (want.every((value, j) => value === data[k + j])) count += 1; return count > 20; }})()"
        )
    };
    tab.until(&format!("{} && !{}", drawn("good"), drawn("bad")))?;
    set("solver", "gauss_seidel")?;
    tab.until("!document.querySelector('#sweeps-field').hidden")?;
    set("sweeps", "1")?;
    tab.until("document.querySelector('#ruling').dataset.verdict === 'wrong' && /^rejected\\. [0-9]+ of /.test(document.querySelector('#ruling').textContent)")?;
    tab.until("document.querySelector('#verdict').dataset.verdict === 'wrong' && /^row /.test(document.querySelector('#reason').textContent)")?;
    tab.until("!document.querySelector('#force-legend').hidden")?;
    tab.until(&format!("{} && {}", drawn("good"), drawn("bad")))?;
    tab.until(fits)?;
    // An entry of the matrix is named where it is pointed at: the first one, beside the names of the rows.
    tab.value("document.querySelector('#heat').scrollIntoView()")?;
    let point = |x: i32, y: i32| {
        format!(
            "(() => {{ const e = document.getElementById('heat'), r = e.getBoundingClientRect(); e.dispatchEvent(new PointerEvent('pointerdown', {{ clientX: r.left + {x}, clientY: r.top + {y} }})); }})()"
        )
    };
    tab.value(&point(64, 18))?;
    tab.until(
        "/^row 0 \\(.*f = .*A to row 0/.test(document.querySelector('#heat-legend').textContent)",
    )?;
    tab.value(&point(2, 2))?;
    tab.until("/^teal positive/.test(document.querySelector('#heat-legend').textContent)")?;
    // Nothing was asked of another machine.
    tab.until("performance.getEntriesByType('resource').every((entry) => new URL(entry.name).host === location.host)")
}

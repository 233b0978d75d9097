//! One contact with a friction cone, dragged by hand.

use std::time::Duration;

use etalon_serve::ServerSettings;
use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction, TouchActions};
use libtest_mimic::Failed;

use crate::common::start_with;
use crate::driver::{Tab, Test};

type Ended = Result<(), Failed>;

pub const ALL: &[(&str, Test)] = &[
    (
        "a_contact_is_dragged_from_stick_to_slide_at_1280_x_800",
        |tab| dragged(tab, [1280, 800], false),
    ),
    (
        "a_contact_is_dragged_from_stick_to_slide_at_390_x_844",
        |tab| dragged(tab, [390, 844], true),
    ),
    ("three_answers_and_a_force_of_ones_own_are_judged", own),
];

const FITS: &str = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";

fn open(tab: &mut Tab, size: [u32; 2], phone: bool) -> Result<etalon_serve::Server, Failed> {
    let server = start_with(ServerSettings::default());
    tab.open(&format!("{}#contact", server.url()), size, phone)?;
    // The address names no place of the page: it stays at its head.
    tab.until("scrollY === 0 && document.querySelector('#tab-cone').getAttribute('aria-pressed') === 'true'")?;
    tab.until("document.querySelector('#link').dataset.state === 'open'")?;
    tab.until("document.querySelector('#answers').tBodies[0].rows.length > 0")?;
    Ok(server)
}

fn mode(wanted: &str) -> String {
    format!("document.querySelector('#contact-mode').textContent === '{wanted}'")
}

/// Presses in the middle of the plane from above, drags by some pixels, and lets go.
fn drag(tab: &Tab, phone: bool, x: f64, y: f64) -> Ended {
    tab.value("document.querySelector('#cone-above').scrollIntoView({ block: 'center' })")?;
    let canvas = tab.wait(tab.client()?.find(Locator::Css("#cone-above")))?;
    let to = |x, y| PointerAction::MoveToElement {
        element: canvas.clone(),
        duration: Some(Duration::from_millis(150)),
        x,
        y,
    };
    let down = PointerAction::Down { button: 0 };
    let up = PointerAction::Up { button: 0 };
    if phone {
        let finger = TouchActions::new("finger".to_owned());
        let finger = finger.then(to(0.0, 0.0)).then(down).then(to(x, y)).then(up);
        tab.wait(tab.client()?.perform_actions(finger))?;
    } else {
        let mouse = MouseActions::new("mouse".to_owned());
        let mouse = mouse.then(to(0.0, 0.0)).then(down).then(to(x, y)).then(up);
        tab.wait(tab.client()?.perform_actions(mouse))?;
    }
    Ok(())
}

fn dragged(tab: &mut Tab, size: [u32; 2], phone: bool) -> Ended {
    let _server = open(tab, size, phone)?;
    tab.until(FITS)?;
    tab.until(&mode("slide"))?;
    drag(tab, phone, 4.0, 2.0)?;
    tab.until(&mode("stick"))?;
    drag(tab, phone, 95.0, -40.0)?;
    tab.until(&mode("slide"))?;
    // To the right and upwards: along both axes of the plane.
    tab.until("Number(document.querySelector('#contact-q-1').value) > 1 && Number(document.querySelector('#contact-q-2').value) > 0.4")?;
    tab.until("['exact', 'accepted'].includes(document.querySelector('#contact-verdict').dataset.verdict)")?;
    tab.until("/^(exact|accepted): block error /.test(document.querySelector('#contact-error').textContent)")?;
    // What is dragged and what comes of it are seen at once.
    tab.until("document.querySelector('#contact-now').textContent.startsWith('slide: ')")?;
    let seen = |id: &str| {
        format!(
            "(({{ top, bottom }}) => top >= 0 && bottom <= innerHeight)(document.querySelector('{id}').getBoundingClientRect())"
        )
    };
    tab.until(&seen("#contact-now"))?;
    tab.until(&seen("#cone-above"))?;
    // The slider pulls the bodies apart.
    tab.value("(() => { const e = document.querySelector('#contact-q-0'); e.value = '2'; e.dispatchEvent(new Event('input')); })()")?;
    tab.until(&mode("open"))?;
    tab.until(FITS)?;
    // Both pictures have more than their background.
    for canvas in ["#cone-space", "#cone-above"] {
        let colors = format!(
            "(() => {{ const c = document.querySelector('{canvas}'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
             const s = new Set(); for (let i = 0; i < d.length; i += 4) s.add(d[i] + ',' + d[i + 1] + ',' + d[i + 2]); return s.size; }})()"
        );
        if tab.number(&colors)? < 5.0 {
            return Err(format!("{canvas} is not drawn").into());
        }
    }
    let complaints = tab.complaints()?;
    if !complaints.is_empty() {
        return Err(format!("{complaints:?}").into());
    }
    tab.click("#tab-world")?;
    tab.until("!document.querySelector('#world').hidden && location.hash === ''")
}

fn own(tab: &mut Tab) -> Ended {
    let _server = open(tab, [1280, 800], false)?;
    tab.value("(() => { const e = document.querySelector('#contact-kind'); e.value = '2'; e.dispatchEvent(new Event('change')); })()")?;
    tab.until(&mode("open or stick or slide"))?;
    tab.until("/^3 answers were found.* Proved: /.test(document.querySelector('#contact-count').textContent)")?;
    tab.until("[...document.querySelectorAll('#answers tbody tr')].every((row) => row.className === 'right')")?;
    // What is said of all is said of the worst, and stands above the picture.
    tab.until("document.querySelector('#contact-now').textContent === '3 answers: accepted'")?;
    tab.until("document.querySelector('#contact-now').getBoundingClientRect().bottom <= document.querySelector('#cone-above').getBoundingClientRect().top")?;
    tab.click("#contact-drag-r")?;
    tab.until("document.querySelector('#contact-verdict').dataset.verdict === 'wrong' && !document.querySelector('#contact-reason').hidden")?;
    tab.until("document.querySelectorAll('#answers tbody tr.wrong').length === 1")?;
    tab.until("/^your force: rejected$/.test(document.querySelector('#contact-now').textContent)")?;
    // The right force of the page's own is accepted: that of the slide, (1, -2, 0).
    for (k, value) in [(0, 1), (1, -2), (2, 0)] {
        tab.value(&format!("(() => {{ const e = document.querySelector('#contact-r-{k}'); e.value = '{value}'; e.dispatchEvent(new Event('input')); }})()"))?;
    }
    tab.until("document.querySelector('#contact-verdict').dataset.verdict === 'exact'")?;
    tab.until("document.querySelector('#contact-reason').hidden")?;
    // The convex law has another answer, and judges by another law.
    tab.value("(() => { const e = document.querySelector('#contact-law'); e.value = 'convex'; e.dispatchEvent(new Event('change')); })()")?;
    tab.until("document.querySelector('#contact-verdict').dataset.verdict === 'wrong'")?;
    // Without slip on the cone's edge, the mode is about to change, and not proved.
    tab.value("(() => { const e = document.querySelector('#contact-kind'); e.value = '0'; e.dispatchEvent(new Event('change')); })()")?;
    tab.value("(() => { const e = document.querySelector('#contact-law'); e.value = 'coulomb'; e.dispatchEvent(new Event('change')); })()")?;
    for (id, value) in [("mu", "1"), ("q-0", "-2"), ("q-1", "2"), ("q-2", "0")] {
        tab.value(&format!("(() => {{ const e = document.querySelector('#contact-{id}'); e.value = '{value}'; e.dispatchEvent(new Event('input')); }})()"))?;
    }
    tab.until("/about to change/.test(document.querySelector('#contact-count').textContent)")?;
    tab.until("[...document.querySelectorAll('#answers tbody th')].at(-1).textContent === 'stick not proved'")?;
    // By the keyboard alone.
    tab.click("#contact-drag-q")?;
    tab.value("document.querySelector('#cone-above').focus()")?;
    let before = tab.number("Number(document.querySelector('#contact-q-1').value)")?;
    tab.value("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))")?;
    let after = tab.number("Number(document.querySelector('#contact-q-1').value)")?;
    if (before - after - 0.1).abs() > 1e-9 {
        return Err(format!("from {before} to {after}").into());
    }
    Ok(())
}

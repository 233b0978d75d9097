//! What a phone shows: labels of plots beside each other, and the player with the picture that it plays.

use etalon_serve::ServerSettings;
use libtest_mimic::Failed;

use crate::common::start_with;
use crate::driver::{Tab, Test};

pub const ALL: &[(&str, Test)] = &[
    (
        "labels_of_plots_at_rest_are_told_apart_at_390_x_844",
        labels,
    ),
    (
        "a_motion_in_space_and_its_player_are_seen_together_at_390_x_844",
        player,
    ),
];

/// Keeps what is written on the two plots of a world, each from one unit, which is written last, to the next.
const LISTEN: &str = "(() => {
    const pens = CanvasRenderingContext2D.prototype, write = pens.fillText, units = { energy: 'J', velocity: 'm/s' }, now = {};
    window.written = {};
    pens.fillText = function (text, x, y) {
        const id = this.canvas.id, width = this.measureText(text).width;
        const left = x - { right: 1, center: 0.5 }[this.textAlign] * width || (this.textAlign === 'left' ? x : x - width);
        (now[id] ??= []).push({ text, left, right: left + width, y });
        if (text === units[id]) {
            window.written[id] = { times: (window.written[id]?.times ?? 0) + 1, labels: now[id], width: this.canvas.clientWidth };
            now[id] = [];
        }
        return write.call(this, text, x, y);
    };
})()";

/// The first fault in what is written, or nothing: two labels in one place, two ticks of one name, a label that is cut.
const FAULT: &str = "(() => {
    for (const [id, { labels, width }] of Object.entries(window.written)) {
        if (labels.length < 6) return `${id}: ${labels.length} labels`;
        for (const [k, a] of labels.entries()) {
            if (a.left < 0 || a.right > width) return `${id}: ${a.text} is cut`;
            for (const b of labels.slice(0, k)) {
                if (a.text === b.text) return `${id}: ${a.text} twice`;
                // Letters of 11 pixels.
                if (Math.abs(a.y - b.y) < 10 && a.left < b.right && b.left < a.right) return `${id}: ${a.text} on ${b.text}`;
            }
        }
    }
    return '';
})()";

fn labels(tab: &mut Tab) -> Result<(), Failed> {
    let server = start_with(ServerSettings::default());
    tab.open(&server.url(), [390, 844], true)?;
    tab.until("document.querySelector('#link').dataset.state === 'open'")?;
    tab.value(LISTEN)?;
    tab.until("window.written.energy?.times > 1 && window.written.velocity?.times > 1")?;
    let fault = tab.value(FAULT)?;
    if fault != "" {
        return Err(fault.to_string().into());
    }
    Ok(())
}

fn player(tab: &mut Tab) -> Result<(), Failed> {
    let server = start_with(ServerSettings::default());
    tab.open(&format!("{}#space", server.url()), [390, 844], true)?;
    tab.until("document.querySelector('#motion-bodies').tBodies[0].rows.length > 0")?;
    let bottom = "document.querySelector('#motion-play').getBoundingClientRect().bottom";
    if tab.number(bottom)? > 844.0 {
        return Err("the player is below the screen".into());
    }
    Ok(())
}

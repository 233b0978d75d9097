//! The names of what can be chosen, on a phone.

use etalon_serve::ServerSettings;
use libtest_mimic::Failed;

use crate::common::{goldens, start_with};
use crate::driver::{Tab, Test};

pub const ALL: &[(&str, Test)] = &[("no_name_of_a_choice_is_cut_at_390_x_844", whole)];

/// The first choice that does not show one of its names whole, or nothing: a copy with that name alone takes the room that it needs.
const CUT: &str = "(() => {
    for (const select of document.querySelectorAll('select')) {
        if (!select.offsetParent) continue;
        for (const option of select.options) {
            const copy = select.cloneNode(false);
            copy.removeAttribute('id');
            copy.append(new Option(option.text));
            copy.style.cssText = 'position: absolute; width: max-content; min-width: 0; max-width: none';
            select.after(copy);
            const needed = copy.offsetWidth;
            copy.remove();
            if (needed > select.offsetWidth) return `${select.id}: ${option.text}: ${needed} > ${select.offsetWidth}`;
        }
    }
    return '';
})()";

fn whole(tab: &mut Tab) -> Result<(), Failed> {
    let server = start_with(ServerSettings {
        library: goldens(),
        ..ServerSettings::default()
    });
    tab.open(&server.url(), [390, 844], true)?;
    tab.until("document.querySelector('#link').dataset.state === 'open' && document.querySelector('#world-name').options.length > 1")?;
    for (view, ready) in [
        ("world", "!document.querySelector('#world').hidden"),
        (
            "cone",
            "document.querySelector('#answers').tBodies[0].rows.length > 0",
        ),
        (
            "space",
            "document.querySelector('#motion-bodies').tBodies[0].rows.length > 0",
        ),
        (
            "golden",
            "document.querySelectorAll('#film-views canvas').length > 0",
        ),
    ] {
        tab.click(&format!("#tab-{view}"))?;
        tab.until(ready)?;
        let cut = tab.value(CUT)?;
        if cut != "" {
            return Err(format!("{view}: {cut}").into());
        }
    }
    Ok(())
}

//! Sizes of problems.

use etalon_scenarios::motion::Arithmetics;

use super::run::run;
use super::{Page, StudyError};

/// Vertices of polygons in the slides with the published sizes of Stewart-Trinkle.
const PUBLISHED: [(u32, u32); 4] = [(10, 15), (50, 67), (100, 123), (1000, 1263)];

/// Vertices nearer to the floor than this share of the radius count as contacts.
const WINDOW: f64 = 0.45;

pub fn page() -> Result<Page, StudyError> {
    let rows = PUBLISHED.map(|(sides, published)| {
        let [vertex, edge] = [0.0, 0.5].map(|turn| near_the_floor(sides, turn));
        let fit = published.checked_sub(3).filter(|rest| rest % 4 == 0);
        vec![
            sides.to_string(),
            published.to_string(),
            fit.map_or("none".to_owned(), |rest| (rest / 4).to_string()),
            format!("{vertex}: {}", stewart_trinkle(vertex)),
            format!("{edge}: {}", stewart_trinkle(edge)),
        ]
    });
    let page = Page::new("Sizes of problems")
        .text(
            "Trinkle and Nguyen, MOPTA 2007: a disc as a polygon of N vertices; made by `etalon study sizes`. \
             One body in the plane and nc contacts of nd = 2 directions have 3 n + nc (nd + 2) unknowns in \
             the mixed problem (14)-(15), 4 nc in its Schur complement.",
        )
        .table(
            "A window of vertices",
            &[
                "N",
                "published",
                "nc that gives it",
                "nc: size, vertex down",
                "nc: size, edge down",
            ],
            rows.to_vec(),
        )
        .text(
            "The formula in print, 6 n + nc (nd + 2), fits none of the four numbers with whole nc and nd. \
             Contacts are vertices within 0.45 radii of the floor: that gives 15, 67 and 1263. 123 is none of \
             these: it would need 30 contacts, where N = 100 has 31 or 32, and no window of an angle fits \
             all four. It is likely a slip for 127.",
        )
        .table(
            "Formulations",
            &["formulation", "unknowns", "one contact, nd = 2, one body"],
            vec![
                row(["Stewart-Trinkle, mixed", "3 n + nc (nd + 2)", "7"]),
                row(["Stewart-Trinkle, Schur complement", "nc (nd + 2)", "4"]),
                row(["Egan-Trinkle, a corner of nk faces more", "nk - 1 more: the c", "+1 for two faces"]),
            ],
        )
        .text(
            "13 for Chakraborty and Berard by the formula in print, 9 n + 4 nc, stands as 9 in the table of \
             the slides; which unknowns were counted is not said.",
        );
    Ok(page.table(
        "Sizes that come up in runs",
        &["scene", "contacts", "unknowns", "formula"],
        measured()?,
    ))
}

fn row(cells: [&str; 3]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Vertices of a regular polygon on the floor that are near it. `turn` is 0 with a vertex down and
/// 1/2 with an edge down.
fn near_the_floor(sides: u32, turn: f64) -> u32 {
    let height = |i: u32| {
        let angle = (f64::from(i) + turn) / f64::from(sides) * std::f64::consts::TAU;
        // Below the centre at -cos; with a vertex down the centre is one radius above the floor, with an
        // edge down as well: the window is that of the tangent disc.
        1.0 - angle.cos()
    };
    (0..sides)
        .map(height)
        .filter(|height| *height < WINDOW)
        .count() as u32
}

/// Unknowns of the mixed problem of one body in the plane.
fn stewart_trinkle(contacts: u32) -> u32 {
    3 + 4 * contacts
}

/// A scene with its parameters, how many contacts come together, and the unknowns of a contact.
type Measured = (
    &'static str,
    &'static [(&'static str, &'static str)],
    u64,
    u64,
);

/// Largest problems of runs beside the formula of the Schur complement.
fn measured() -> Result<Vec<Vec<String>>, StudyError> {
    let scenes: [Measured; 6] = [
        ("rod", &[("h", "0.02")], 2, 4),
        ("wedge", &[], 2, 4),
        ("particle-3d", &[("directions", "4")], 1, 6),
        ("particle-3d", &[("directions", "8")], 1, 10),
        (
            "settling-chain",
            &[("blocks", "20"), ("steps", "10")],
            20,
            2,
        ),
        ("cradle-row", &[("balls", "12"), ("steps", "6")], 11, 4),
    ];
    let row = |(name, settings, contacts, each): Measured| {
        let series = run(name, settings, Arithmetics::Exact)?;
        let largest = series.steps.iter().map(|step| step.n).max().unwrap_or(0);
        let set = settings
            .iter()
            .map(|(key, value)| format!(" {key}={value}"));
        Ok(vec![
            format!("{name}{}", set.collect::<String>()),
            contacts.to_string(),
            largest.to_string(),
            format!("{contacts} x {each} = {}", contacts * each),
        ])
    };
    scenes.map(row).into_iter().collect()
}

//! The elements of a plot in fewer characters: a page has many plots, and the drawing library is wordy.

/// The same picture without what is so anyhow, corners that are none, and an element for each dot.
pub fn compact(svg: &str) -> String {
    let mut text = svg.to_owned();
    for default in [
        " opacity=\"1\"",
        " stroke=\"none\" stroke-width=\"1\"",
        " font-family=\"sans-serif\"",
    ] {
        text = text.replace(default, "");
    }
    let text = text.replace(" \"/>", "\"/>");
    let mut lines = text.lines().map(str::trim).peekable();
    let mut short = String::new();
    while let Some(line) = lines.next() {
        match dot(line) {
            Some((first, look)) => {
                let mut places = vec![first];
                let same = |next: &&str| dot(next).is_some_and(|(_, other)| other == look);
                while let Some((place, _)) = lines.next_if(same).and_then(dot) {
                    places.push(place);
                }
                short += &dots(&places, look);
            }
            None => short += &with_short_numbers(&without_flat_corners(line)),
        }
    }
    short
}

/// What is between two texts.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

/// Two attributes, as they are written.
type Texts<'a> = (&'a str, &'a str);

/// The place of a filled circle, and its radius and colour.
fn dot(line: &str) -> Option<(Texts<'_>, Texts<'_>)> {
    let (x, rest) = line.strip_prefix("<circle cx=\"")?.split_once("\" cy=\"")?;
    let (y, rest) = rest.split_once("\" r=\"")?;
    let look = rest.strip_suffix("\"/>")?.split_once("\" fill=\"")?;
    Some(((x, y), look))
}

/// Lines without length, whose ends are round: a dot each.
fn dots(places: &[(&str, &str)], (radius, color): (&str, &str)) -> String {
    let Some(width) = radius.parse::<u32>().ok().map(|radius| 2 * radius) else {
        let circle = |(x, y): &(&str, &str)| {
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>")
        };
        return places.iter().map(circle).collect();
    };
    let path: String = places.iter().map(|(x, y)| format!("M{x} {y}h0")).collect();
    format!(
        "<path stroke=\"{color}\" stroke-width=\"{width}\" stroke-linecap=\"round\" d=\"{path}\"/>"
    )
}

/// A line of points without those that stand between their neighbours on one row or column of pixels.
fn without_flat_corners(line: &str) -> String {
    let is_line = line.starts_with("<polyline");
    let points = is_line.then(|| between(line, "points=\"", "\"")).flatten();
    let Some(points) = points else {
        return line.to_owned();
    };
    let pairs: Option<Vec<[i64; 2]>> = points.split(' ').map(pair).collect();
    let Some(pairs) = pairs else {
        return line.to_owned();
    };
    let mut kept: Vec<[i64; 2]> = Vec::new();
    for point in pairs {
        if kept.last() == Some(&point) {
            continue;
        }
        if let [.., a, b] = kept[..]
            && is_between(a, b, point)
        {
            kept.pop();
        }
        kept.push(point);
    }
    let kept: Vec<String> = kept.iter().map(|[x, y]| format!("{x},{y}")).collect();
    line.replace(points, &kept.join(" "))
}

fn pair(text: &str) -> Option<[i64; 2]> {
    let (x, y) = text.split_once(',')?;
    Some([x.parse().ok()?, y.parse().ok()?])
}

/// Whether `b` lies on the way from `a` to `c` along a row or a column.
fn is_between(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> bool {
    let along = |k: usize| {
        let across = 1 - k;
        a[across] == b[across] && b[across] == c[across] && (a[k] < b[k]) == (b[k] < c[k])
    };
    along(0) || along(1)
}

/// Sizes of letters in tenths: the drawing library has them in sixteen digits.
fn with_short_numbers(line: &str) -> String {
    match between(line, "font-size=\"", "\"") {
        Some(size) => match size.parse::<f64>() {
            Ok(value) => line.replace(
                &format!("font-size=\"{size}\""),
                &format!("font-size=\"{}\"", (10.0 * value).round() / 10.0),
            ),
            Err(_) => line.to_owned(),
        },
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn a_compact_plot_has_the_same_shapes_and_words() {
        let svg = "<circle cx=\"1\" r=\"12\" opacity=\"1\" fill=\"#0072B2\" stroke=\"none\" stroke-width=\"1\"/>\n\
                   <text x=\"2\" font-family=\"sans-serif\" font-size=\"35.483870967741936\" opacity=\"0.5\" fill=\"#000000\">\n1 s\n</text>\n\
                   <polyline points=\"1,2 3,4 \"/>\n";
        assert_eq!(
            compact(svg),
            "<circle cx=\"1\" r=\"12\" fill=\"#0072B2\"/><text x=\"2\" font-size=\"35.5\" opacity=\"0.5\" fill=\"#000000\">1 s</text>\
             <polyline points=\"1,2 3,4\"/>"
        );
    }

    #[test]
    fn dots_of_one_look_are_one_element() {
        let circle = |x: u32, color: &str| {
            format!(
                "<circle cx=\"{x}\" cy=\"5\" r=\"12\" opacity=\"1\" fill=\"{color}\" stroke=\"none\" stroke-width=\"1\"/>\n"
            )
        };
        let svg = circle(1, "#0072B2") + &circle(2, "#0072B2") + &circle(3, "#D55E00");
        let path = |color: &str, places: &str| {
            format!(
                "<path stroke=\"{color}\" stroke-width=\"24\" stroke-linecap=\"round\" d=\"{places}\"/>"
            )
        };
        let wanted = path("#0072B2", "M1 5h0M2 5h0") + &path("#D55E00", "M3 5h0");
        assert_eq!(compact(&svg), wanted);
    }

    #[test]
    fn a_staircase_keeps_its_corners_and_nothing_between_them() {
        let points = |text: &str| format!("<polyline fill=\"none\" points=\"{text}\"/>");
        for (given, wanted) in [
            ("0,9 0,7 0,4 3,4 5,4 5,1", "0,9 0,4 5,4 5,1"),
            ("0,9 0,9 0,7 2,7", "0,9 0,7 2,7"),
            // A way back is no way between.
            ("0,0 4,0 2,0", "0,0 4,0 2,0"),
            ("0,0 1,1 2,2", "0,0 1,1 2,2"),
            ("3,3 3,3", "3,3"),
        ] {
            assert_eq!(compact(&points(given)), points(wanted));
        }
    }
}

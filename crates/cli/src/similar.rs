//! Names that are near to a name that nothing has.

/// Names with less in common than this are not offered for each other (Jaro and Winkler's similarity, 1 for equal ones). Chosen by the
/// names of goldens: two families' names reach 0.6.
const ALIKE: f64 = 0.7;

/// The names that may have been meant, the nearest first, as the end of a sentence; nothing where there are none.
pub fn did_you_mean<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names = names.into_iter();
    // Whoever remembers a name may have left out its folder.
    let alike = |name: &str| {
        let last = name.rsplit('/').next().unwrap_or(name);
        strsim::jaro_winkler(name, what).max(strsim::jaro_winkler(last, what))
    };
    let mut near: Vec<_> = names
        .map(|name| (name.ends_with(what), alike(name), name))
        .filter(|(ends, alike, _)| *ends || *alike >= ALIKE)
        .collect();
    // A name that ends in what was written is meant more likely than one that looks alike.
    near.sort_by(|a, b| (b.0.cmp(&a.0)).then(b.1.total_cmp(&a.1)).then(a.2.cmp(b.2)));
    let near: Vec<_> = near.iter().take(3).map(|(_, _, name)| *name).collect();
    match near[..] {
        [] => String::new(),
        _ => format!("; did you mean {}?", near.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn what_is_near_is_offered_and_what_is_not_is_not() {
        let names = ["degenerate", "murty", "reports/tie", "tower"];
        assert_eq!(
            did_you_mean("degenerat", names),
            "; did you mean degenerate?"
        );
        assert_eq!(did_you_mean("tie", names), "; did you mean reports/tie?");
        assert_eq!(did_you_mean("ties", names), "; did you mean reports/tie?");
        assert_eq!(did_you_mean("zzz", names), "");
    }
}

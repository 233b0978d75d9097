//! What does not hold, in words.

pub fn equal<T: PartialEq + std::fmt::Display>(stated: &T, found: &T) -> Result<(), String> {
    if stated == found {
        return Ok(());
    }
    Err(format!("it is {found}, not {stated}"))
}

pub fn same<T: PartialEq>(stated: &T, found: &T, what: &str) -> Result<(), String> {
    if stated == found {
        return Ok(());
    }
    Err(format!("{what}: not those of the scene"))
}

pub fn holds(condition: bool, otherwise: &str) -> Result<(), String> {
    if condition {
        Ok(())
    } else {
        Err(otherwise.to_owned())
    }
}

pub fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

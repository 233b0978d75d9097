//! A command as one string, split into words as shells do, without a shell.

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    text: String,
    words: Vec<String>,
}

/// Why a text is no command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandLineError {
    /// No word in it.
    #[error("the command is empty")]
    Empty,
    /// A quote that is not closed.
    #[error("the quote {0} is not closed")]
    OpenQuote(char),
    /// A backslash at the very end.
    #[error("the command ends in a backslash")]
    LooseBackslash,
}

impl CommandLine {
    /// Splits at blanks. Quotes '...' keep everything, "..." and unquoted text know the backslash
    /// before `"`, `\` and, unquoted, before anything. Nothing else means anything: no variables,
    /// no wildcards, no pipes.
    ///
    /// # Errors
    /// [`CommandLineError`].
    pub fn parse(text: &str) -> Result<Self, CommandLineError> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                _ if c.is_whitespace() => words.extend(word.take()),
                '\'' | '"' => quoted(c, &mut chars, word.get_or_insert_default())?,
                '\\' => match chars.next() {
                    Some(next) => word.get_or_insert_default().push(next),
                    None => return Err(CommandLineError::LooseBackslash),
                },
                _ => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        if words.is_empty() {
            return Err(CommandLineError::Empty);
        }
        let text = text.trim().to_owned();
        Ok(Self { text, words })
    }

    /// As it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The program.
    pub fn program(&self) -> &str {
        &self.words[0]
    }

    /// Its arguments.
    pub fn arguments(&self) -> &[String] {
        &self.words[1..]
    }
}

fn quoted(
    quote: char,
    chars: &mut std::str::Chars<'_>,
    word: &mut String,
) -> Result<(), CommandLineError> {
    let open = CommandLineError::OpenQuote(quote);
    loop {
        match chars.next().ok_or(open.clone())? {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => match chars.next().ok_or(open.clone())? {
                c @ ('"' | '\\') => word.push(c),
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        CommandLine::parse(text).unwrap().words
    }

    #[test]
    fn words_are_split_as_shells_do() {
        assert_eq!(words("  a  b\tc "), ["a", "b", "c"]);
        assert_eq!(words(r#"p 'a b' "c d" e\ f"#), ["p", "a b", "c d", "e f"]);
        assert_eq!(
            words(r#"p '' "x\"y\\" 'a\b' "\n""#),
            ["p", "", "x\"y\\", "a\\b", "\\n"]
        );
        assert_eq!(words("p --x='1 2'3"), ["p", "--x=1 23"]);
        assert_eq!(words("p $HOME | cat *"), ["p", "$HOME", "|", "cat", "*"]);
    }

    #[test]
    fn what_is_no_command_is_said() {
        assert_eq!(CommandLine::parse("  "), Err(CommandLineError::Empty));
        assert_eq!(
            CommandLine::parse("a 'b"),
            Err(CommandLineError::OpenQuote('\''))
        );
        assert_eq!(
            CommandLine::parse("a \"b\\"),
            Err(CommandLineError::OpenQuote('"'))
        );
        assert_eq!(
            CommandLine::parse("a \\"),
            Err(CommandLineError::LooseBackslash)
        );
    }
}

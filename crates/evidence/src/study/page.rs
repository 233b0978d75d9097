//! A page: prose, tables and plots in order.

use serde_json::{Value, json};

/// A page of a study.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// The blocks after the heading.
    pub blocks: Vec<Block>,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A paragraph or a list in Markdown.
    Text(String),
    /// A table under a heading.
    Table(StudyTable),
    /// A plot in a file of its own.
    Plot {
        /// The name of the file.
        file: String,
        /// Its title.
        title: String,
        /// The SVG.
        svg: String,
    },
}

/// A table of text.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyTable {
    /// Above it.
    pub title: String,
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl Page {
    /// A page without anything below its heading.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            blocks: Vec::new(),
        }
    }

    /// The same page with a paragraph.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.blocks.push(Block::Text(text.into()));
        self
    }

    /// The same page with a table.
    pub fn table(mut self, title: &str, header: &[&str], rows: Vec<Vec<String>>) -> Self {
        self.blocks.push(Block::Table(StudyTable {
            title: title.to_owned(),
            header: header.iter().map(|name| (*name).to_owned()).collect(),
            rows,
        }));
        self
    }

    /// The same page with a plot.
    pub fn plot(mut self, file: &str, title: &str, svg: String) -> Self {
        self.blocks.push(Block::Plot {
            file: file.to_owned(),
            title: title.to_owned(),
            svg,
        });
        self
    }

    /// The page in Markdown; plots are links to their files.
    pub fn markdown(&self) -> String {
        let mut parts = vec![format!("# {}", self.title)];
        for block in &self.blocks {
            match block {
                Block::Text(text) => parts.push(text.clone()),
                Block::Table(table) => {
                    parts.push(format!("## {}", table.title));
                    parts.push(table.markdown());
                }
                Block::Plot { file, title, .. } => parts.push(format!("![{title}]({file})")),
            }
        }
        parts.join("\n\n") + "\n"
    }

    /// The files of the plots with their contents.
    pub fn plots(&self) -> impl Iterator<Item = (&str, &str)> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Plot { file, svg, .. } => Some((&**file, &**svg)),
            _ => None,
        })
    }

    /// Tables and the names of plots, for programs.
    pub fn json(&self) -> Value {
        let tables = self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(json!({
                "title": table.title,
                "header": table.header,
                "rows": table.rows,
            })),
            _ => None,
        });
        json!({
            "title": self.title,
            "tables": tables.collect::<Vec<_>>(),
            "plots": self.plots().map(|(file, _)| file).collect::<Vec<_>>(),
        })
    }
}

impl StudyTable {
    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let mut lines = vec![line(&self.header)];
        lines.push(format!("|{}", "---|".repeat(self.header.len())));
        lines.extend(self.rows.iter().map(|row| line(row)));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_markdown_with_its_tables_and_plots() {
        let page = Page::new("Rod")
            .text("It falls.")
            .table("Times", &["h", "t"], vec![vec!["1".into(), "2".into()]])
            .plot("rod-v.svg", "v", "<svg/>".into());
        assert_eq!(
            page.markdown(),
            "# Rod\n\nIt falls.\n\n## Times\n\n| h | t |\n|---|---|\n| 1 | 2 |\n\n![v](rod-v.svg)\n"
        );
        assert_eq!(page.plots().collect::<Vec<_>>(), [("rod-v.svg", "<svg/>")]);
        assert_eq!(page.json()["tables"][0]["rows"][0][1], "2");
    }
}

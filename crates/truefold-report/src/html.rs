//! The page as HTML: everything that can be read without scripts is text in it.

use crate::{Report, Table};
use std::fmt::Write;

const STYLE: &str = include_str!("page/style.css");

impl Report<'_> {
    /// The page, given what its scripts need.
    pub(crate) fn page(&self) -> String {
        let title = escape(&self.title);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
             <body>\n<h1>{title}</h1>\n"
        );
        for paragraph in &self.paragraphs {
            let _ = writeln!(html, "<p>{}</p>", escape(paragraph));
        }
        self.tables.iter().for_each(|table| write_table(&mut html, table));
        html.push_str("</body>\n</html>\n");
        html
    }
}

fn write_table(html: &mut String, table: &Table) {
    let _ = writeln!(html, "<section class=\"table\">");
    if !table.title.is_empty() {
        let _ = writeln!(html, "<h2>{}</h2>", escape(&table.title));
    }
    html.push_str("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>");
    for heading in &table.header {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escape(heading));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (place, cell) in row.iter().enumerate() {
            let text = escape(&cell.text);
            let text = if cell.best { format!("<strong>{text}</strong>") } else { text };
            let _ = if place == 0 {
                write!(html, "<th scope=\"row\">{text}</th>")
            } else {
                write!(html, "<td>{text}</td>")
            };
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
    if !table.note.is_empty() {
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escape(&table.note));
    }
    html.push_str("</section>\n");
}

/// `text` with everything escaped that HTML would take as its own.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

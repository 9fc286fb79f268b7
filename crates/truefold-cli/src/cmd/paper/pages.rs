//! The index of the folder: one page for a browser, the same as markdown.

use super::results::{Entry, Results};
use std::fmt::Write;

const TITLE: &str = "The paper's tables and figures, made again";
const PAPER: &str = "Y. Goldberg and Y. Ritov, Local Procrustes for Manifold Embedding: A Measure of Embedding Quality and \
                     Embedding Algorithms, Machine Learning, 2009";
const DATA_HEADER: [&str; 6] = ["data set", "what it is", "n", "q", "d", "from"];
const ENTRY_HEADER: [&str; 6] = ["data set", "method", "ours", "printed", "difference", "at"];

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --soft: #777; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .25rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
tr.first td { border-top: 2px solid var(--line); }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 0 0 2rem; break-inside: avoid; } figcaption { color: var(--soft); }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 4px; }
";

impl Results<'_> {
    /// What a reader needs to know before the numbers.
    fn about(&self) -> Vec<String> {
        let neighbors: Vec<String> = self.neighbors.iter().map(ToString::to_string).collect();
        let mut about = vec![
            format!("Made by truefold {} with seed {}. The paper: {PAPER}.", env!("CARGO_PKG_VERSION"), self.seed),
            format!(
                "Each cell is R_N [R_C], the least over k = {}, every k measured on its own neighborhoods without their \
                 centers, as the paper's numbers were.",
                neighbors.join(", ")
            ),
        ];
        about.extend(self.verdict());
        about
    }

    fn entry_rows(&self) -> Vec<[String; 6]> {
        let row = |entry: Entry| {
            [entry.set.to_owned(), entry.method.to_owned(), entry.ours, entry.printed, entry.difference, entry.from]
        };
        self.entries().into_iter().map(row).collect()
    }

    /// As markdown.
    pub(super) fn markdown(&self) -> String {
        let mut text = format!("# {TITLE}\n\n{}\n", self.about().join("\n\n"));
        text.push_str("\n## Table 1: the data sets\n\n");
        table_markdown(&mut text, DATA_HEADER, &self.data_sets());
        text.push_str("\n## Table 2: R_N [R_C]\n\n");
        table_markdown(&mut text, ENTRY_HEADER, &self.entry_rows());
        notes_markdown(&mut text, &self.notes);
        for drawn in &self.figures {
            let _ = write!(text, "\n## {}\n\n![{0}](figures/{}.png)\n\n{}\n", drawn.title, drawn.name, drawn.caption);
        }
        text
    }

    /// For a browser.
    pub(super) fn html(&self) -> String {
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{TITLE}</title>\n<style>{STYLE}</style>\n</head>\n\
             <body>\n<h1>{TITLE}</h1>\n"
        );
        for paragraph in self.about() {
            let _ = writeln!(html, "<p>{}</p>", escape(&paragraph));
        }
        html.push_str("<h2>Table 1: the data sets</h2>\n");
        table_html(&mut html, DATA_HEADER, &self.data_sets());
        html.push_str("<h2>Table 2: R_N [R_C]</h2>\n");
        table_html(&mut html, ENTRY_HEADER, &self.entry_rows());
        for note in &self.notes {
            let _ = writeln!(html, "<p>{}</p>", escape(note));
        }
        for drawn in &self.figures {
            let (name, title, caption) = (drawn.name, escape(&drawn.title), escape(&drawn.caption));
            let _ = writeln!(
                html,
                "<h2>{title}</h2>\n<figure>\n<a href=\"figures/{name}.svg\"><img src=\"figures/{name}.png\" alt=\"{title}\" \
                 loading=\"lazy\"></a>\n<figcaption>{caption}</figcaption>\n</figure>"
            );
        }
        html.push_str("</body>\n</html>\n");
        html
    }
}

fn table_markdown(text: &mut String, header: [&str; 6], rows: &[[String; 6]]) {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    text.push_str(&line(&header.map(str::to_owned)));
    text.push_str("|---|---|---|---|---|---|\n");
    for row in rows {
        text.push_str(&line(&row.clone().map(|cell| cell.replace('|', "\\|"))));
    }
}

fn notes_markdown(text: &mut String, notes: &[String]) {
    for note in notes {
        let _ = write!(text, "\n{note}\n");
    }
}

fn table_html(html: &mut String, header: [&str; 6], rows: &[[String; 6]]) {
    html.push_str("<div class=\"table\"><table>\n<thead><tr>");
    html.push_str(&header.map(|cell| format!("<th>{cell}</th>")).concat());
    html.push_str("</tr></thead>\n<tbody>\n");
    for (place, row) in rows.iter().enumerate() {
        let first = place == 0 || rows[place - 1][0] != row[0];
        html.push_str(if first { "<tr class=\"first\">" } else { "<tr>" });
        for (column, cell) in row.iter().enumerate() {
            let class = if (2..5).contains(&column) { " class=\"number\"" } else { "" };
            let _ = write!(html, "<td{class}>{}</td>", escape(cell));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

//! The page as HTML: everything that can be read without scripts is text in it.

use crate::contents::Contents;
use crate::sha256::sha256;
use crate::words::count;
use crate::{Cell, Report, Table};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;
use std::fmt::Write;

const STYLE: &str = include_str!("page/style.css");
const TOOLBAR: &str = include_str!("page/toolbar.html");
/// The page's own scripts, in one scope and in this order.
const SCRIPTS: &[&str] = &[
    include_str!("page/data.js"),
    include_str!("page/state.js"),
    include_str!("page/ticks.js"),
    include_str!("page/axes.js"),
    include_str!("page/raster.js"),
    include_str!("page/color.js"),
    include_str!("page/seam.js"),
    include_str!("page/neighbors.js"),
    include_str!("page/ellipses.js"),
    include_str!("page/marks.js"),
    include_str!("page/legend.js"),
    include_str!("page/view.js"),
    include_str!("page/gestures.js"),
    include_str!("page/flat.js"),
    include_str!("page/frame.js"),
    include_str!("page/space.js"),
    include_str!("page/hover.js"),
    include_str!("page/save.js"),
    include_str!("page/linked.js"),
    include_str!("page/controls.js"),
    include_str!("page/curves.js"),
    include_str!("page/charts.js"),
    include_str!("page/main.js"),
];

/// The one script of the page.
fn script() -> String {
    format!("\n(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.join("\n"))
}

/// Nothing is loaded from anywhere; styles and pictures are in the page, and no script runs in it but `script`, whatever texts
/// of others it holds.
fn policy(script: &str) -> String {
    let hash = BASE64.encode(sha256(script.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'; \
         form-action 'none'; base-uri 'none'"
    )
}

impl Report<'_> {
    /// The page; `values` names the file beside it that holds the values of all points, where there is one.
    pub(crate) fn page(&self, contents: &Contents, values: Option<&str>) -> String {
        let (title, script) = (escape(&self.title), script());
        let policy = policy(&script);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"truefold {}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
             <body>\n<header><h1>{title}</h1><button type=\"button\" id=\"theme\" hidden>Dark</button></header>\n<main>\n",
            env!("CARGO_PKG_VERSION")
        );
        for paragraph in &self.paragraphs {
            let _ = writeln!(html, "<p>{}</p>", escape(paragraph));
        }
        write_warnings(&mut html, &self.facts);
        html.push_str("<noscript><p class=\"note\">The plots need scripts, which are switched off.</p></noscript>\n");
        // Tables of labels are many and long: they come after the maps, which they select in.
        let (of_labels, others): (Vec<&Table>, Vec<&Table>) =
            self.tables.iter().partition(|table| !table.row_labels.is_empty());
        others.into_iter().for_each(|table| write_table(&mut html, table));
        self.write_charts(&mut html);
        self.write_panels(&mut html, contents, values);
        of_labels.into_iter().for_each(|table| write_table(&mut html, table));
        write_facts(&mut html, &self.facts);
        html.push_str("</main>\n");
        let _ =
            writeln!(html, "<script type=\"application/json\" id=\"report\">{}</script>", script_json(&contents.table));
        html.push_str(contents.blocks.html());
        let _ = writeln!(html, "<script>{script}</script>");
        html.push_str("</body>\n</html>\n");
        html
    }

    fn write_charts(&self, html: &mut String) {
        if self.charts.is_empty() {
            return;
        }
        html.push_str("<section class=\"charts\" aria-label=\"Charts\">\n");
        for (at, chart) in self.charts.iter().enumerate() {
            let title = escape(&chart.title);
            let _ = writeln!(
                html,
                "<figure id=\"chart-{at}\"><h3>{title}</h3><div class=\"box\" role=\"group\" aria-label=\"{title}\"></div>\
                 <figcaption>{}</figcaption></figure>",
                escape(&chart.caption)
            );
        }
        html.push_str("</section>\n");
    }

    fn write_panels(&self, html: &mut String, contents: &Contents, values: Option<&str>) {
        if self.panels.is_empty() && self.input.is_none() {
            return;
        }
        html.push_str("<section aria-label=\"Embeddings\">\n<h2>Embeddings</h2>\n");
        if let Some(drawn) = self.drawn.filter(|drawn| contents.shown < drawn.of) {
            let (shown, all) = (count(contents.shown), count(drawn.of));
            let _ = writeln!(
                html,
                "<p class=\"note\" id=\"drawn\">{shown} of {all} rows, spread evenly, are drawn; the numbers in the tables \
                 are of all rows.</p>"
            );
        } else if let Some(note) = contents.note(values) {
            let _ = writeln!(html, "<p class=\"note\" id=\"sample\">{}</p>", escape(&note));
        }
        html.push_str(TOOLBAR);
        html.push_str("<div class=\"panels\" id=\"panels\">\n");
        if let Some(caption) = &contents.input_caption {
            let seen = contents.table["input"]["coordinates"].as_array().map_or(0, Vec::len);
            write_panel(html, "input", "The data", caption, seen);
        }
        for (at, panel) in self.panels.iter().enumerate() {
            let mut caption = panel.caption.clone();
            match panel.points.dim() {
                1 => caption.push_str(" One coordinate, spread across its line by chance."),
                dim if dim > 3 => caption.push_str(&format!(" The first three coordinates of {dim}.")),
                _ => {}
            }
            write_panel(html, &at.to_string(), &panel.title, caption.trim(), panel.points.dim());
        }
        html.push_str("</div>\n</section>\n");
    }
}

impl Contents {
    /// What the reader should know about the points that are shown.
    fn note(&self, values: Option<&str>) -> Option<String> {
        let mut note = String::new();
        if self.shown < self.points {
            let _ = write!(
                note,
                "Shown are {} of {} points: the most distorted of every embedding, some of every label, and the others \
                 spread evenly. Tables are of all points",
                count(self.shown),
                count(self.points)
            );
            match values {
                Some(name) => {
                    let _ = write!(note, "; the values of all are in {name} beside this page. ");
                }
                None => note.push_str(". "),
            }
        }
        if let Some(neighbors) = self.neighbors.filter(|&neighbors| neighbors < self.shown) {
            let _ = write!(note, "Neighbors are shown of {} points, for want of room. ", count(neighbors));
        }
        if let Some(pictures) = self.pictures.filter(|&pictures| pictures < self.shown) {
            let _ = write!(note, "Pictures are shown for {} points, for want of room.", count(pictures));
        }
        (!note.is_empty()).then(|| note.trim_end().to_owned())
    }
}

fn write_panel(html: &mut String, id: &str, title: &str, caption: &str, dim: usize) {
    let (title, caption) = (escape(title), escape(caption));
    let class = if dim > 2 { "box space" } else { "box" };
    let _ = writeln!(
        html,
        "<figure id=\"panel-{id}\"><h3>{title}</h3><div class=\"{class}\" role=\"img\" aria-label=\"Scatter plot: \
         {title}\"></div><figcaption>{caption}</figcaption></figure>"
    );
}

fn write_table(html: &mut String, table: &Table) {
    html.push_str("<section class=\"table\">\n");
    if !table.title.is_empty() {
        let _ = writeln!(html, "<h2>{}</h2>", escape(&table.title));
    }
    let name = if table.title.is_empty() { "Table" } else { &table.title };
    let class = if table.row_labels.is_empty() { "" } else { " class=\"linked\"" };
    let _ = write!(
        html,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table{class}>\n<thead><tr>",
        escape(name)
    );
    for (place, heading) in table.header.iter().enumerate() {
        let _ = write!(html, "<th scope=\"col\"{}>{}</th>", about(&table.column_labels, place), escape(heading));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for (place, row) in table.rows.iter().enumerate() {
        let _ = write!(html, "<tr{}>", about(&table.row_labels, place));
        row.iter().enumerate().for_each(|(place, cell)| write_cell(html, place, cell));
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
    if !table.note.is_empty() {
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escape(&table.note));
    }
    html.push_str("</section>\n");
}

/// The attribute that tells which label a row or a column is about.
fn about(labels: &[Option<String>], place: usize) -> String {
    match labels.get(place) {
        Some(Some(label)) => format!(" data-label=\"{}\"", escape(label)),
        _ => String::new(),
    }
}

fn write_cell(html: &mut String, place: usize, cell: &Cell) {
    let text = escape(&cell.text);
    let text = if cell.best { format!("<strong>{text}</strong>") } else { text };
    let shade = match cell.share.filter(|share| share.is_finite()) {
        Some(share) => format!(" class=\"shaded\" style=\"--share:{:.3}\"", share.clamp(0.0, 1.0)),
        None => String::new(),
    };
    let _ = match place {
        0 => write!(html, "<th scope=\"row\"{shade}>{text}</th>"),
        _ => write!(html, "<td{shade}>{text}</td>"),
    };
}

/// What a reader should know before trusting the numbers, above them.
fn write_warnings(html: &mut String, facts: &Value) {
    let warnings: Vec<&str> = facts["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !warnings.is_empty() {
        let items: String = warnings.iter().map(|warning| format!("<li>{}</li>", escape(warning))).collect();
        let _ = writeln!(html, "<ul class=\"warnings\">{items}</ul>");
    }
}

fn write_facts(html: &mut String, facts: &Value) {
    if facts.is_null() {
        return;
    }
    let facts = &crate::facts::versioned(facts);
    html.push_str("<details id=\"run\"><summary>The run, to repeat it</summary>\n");
    if let Some(command) = facts["command"].as_str() {
        let _ = writeln!(html, "<pre class=\"command\"><code>{}</code></pre>", escape(command));
    }
    let _ = writeln!(html, "<pre><code>{}</code></pre>\n</details>", escape(&format!("{facts:#}")));
    let _ = writeln!(html, "<script type=\"application/json\" id=\"facts\">{}</script>", script_json(facts));
}

/// JSON in which nothing can end the script element that holds it.
fn script_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Channel, Chart, Panel, Series, Verdicts};
    use truefold::{Points, Run};

    const HOSTILE: &str = "</script><script>alert(1)</script>";

    #[test]
    fn text_stays_text_wherever_it_goes() {
        let points = Points::from_rows(&[[0.0, 1.0], [2.0, 3.0]])
            .unwrap()
            .with_ids(vec![HOSTILE.into(), "b".into()])
            .unwrap()
            .with_columns(vec![HOSTILE.into(), "y".into()])
            .unwrap();
        let labels = [HOSTILE.to_owned(), "two".to_owned()];
        let text = || HOSTILE.to_owned();
        let report = Report {
            title: text(),
            paragraphs: vec![text()],
            input: Some(&points),
            labels: Some(&labels),
            colorings: vec![crate::Coloring { name: text(), values: vec![0.0, 1.0] }],
            tables: vec![Table {
                title: text(),
                note: text(),
                header: vec![text()],
                rows: vec![vec![Cell::from(HOSTILE)]],
                row_labels: vec![Some(text())],
                column_labels: vec![Some(text())],
                ..Table::default()
            }],
            charts: vec![Chart {
                title: text(),
                caption: text(),
                x: Axis { title: text(), log: false },
                y: Axis::default(),
                series: vec![Series { name: text(), points: vec![(0.0, f64::NAN)], ..Series::default() }],
            }],
            panels: vec![Panel {
                caption: text(),
                channels: vec![Channel::new(HOSTILE, vec![0.0, 1.0])],
                verdicts: Some(Verdicts { codes: vec![0, 0].into(), names: vec![text()] }),
                ..Panel::new(HOSTILE, &points)
            }],
            facts: serde_json::json!({ "command": HOSTILE, "warnings": [HOSTILE] }),
            ..Report::default()
        };
        let html = report.html(&Run::new()).unwrap();
        assert!(!html.contains("<script>alert"), "a text became a script");
        assert!(html.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
        assert!(html.contains("\\u003c/script>\\u003cscript>alert(1)"));
    }

    #[test]
    fn only_the_script_of_the_page_may_run() {
        let html = Report { title: "t".into(), ..Report::default() }.html(&Run::new()).unwrap();
        assert!(!html.contains("script-src 'unsafe-inline'") && !html.contains("unsafe-eval"));
        // The hash is that of what stands between the tags, to the last line break.
        let start = html.rfind("<script>").unwrap() + "<script>".len();
        let script = &html[start..start + html[start..].find("</script>").unwrap()];
        let hash = BASE64.encode(sha256(script.as_bytes()));
        assert!(html.contains(&format!("script-src 'sha256-{hash}'")));
        assert_eq!(html.matches("<script>").count(), 1);
        let handlers = [" onclick=", " onload=", " onerror=", "javascript:"];
        assert!(!handlers.iter().any(|handler| html.contains(handler)), "a handler in the page would not run");
    }

    #[test]
    fn the_page_itself_is_small_and_loads_nothing() {
        let report = Report { title: "t".into(), ..Report::default() };
        let html = report.html(&Run::new()).unwrap();
        assert!(html.len() < 140_000, "{}", html.len());
        assert!(!html.contains(" src=") && !html.contains("@import") && !html.contains("url("));
    }

    #[test]
    fn rows_count_from_one_unless_the_reader_counts_from_zero() {
        let points = Points::from_rows(&[[0.0], [1.0]]).unwrap();
        let report = Report { input: Some(&points), ..Report::default() };
        assert!(report.html(&Run::new()).unwrap().contains("\"firstRow\":1"));
        let report = Report { rows_from_zero: true, ..report };
        assert!(report.html(&Run::new()).unwrap().contains("\"firstRow\":0"));
    }

    #[test]
    fn the_same_report_gives_the_same_bytes() {
        let points = Points::from_rows(&[[0.0, 1.0], [2.0, 3.0], [5.0, 3.0]]).unwrap();
        let channels = vec![Channel::new("R_N", vec![0.0, 0.5, 1.0])];
        let panel = Panel { channels, ..Panel::new("p", &points) };
        let report = Report { input: Some(&points), panels: vec![panel], ..Report::default() };
        let one = report.html(&Run::new().with_threads(1).unwrap()).unwrap();
        assert!(one == report.html(&Run::new().with_threads(3).unwrap()).unwrap());
    }
}

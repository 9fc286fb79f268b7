//! A self-contained page: a table of values and a scatter plot per embedding, colored by local distortion.

use super::color::{LogScale, ramp};
use super::scatter::scatter;
use std::fmt::Write;
use truefold::Points;

/// One picture on a page.
#[derive(Debug, Clone)]
pub struct Panel<'a> {
    /// What is shown.
    pub title: String,
    /// One sentence about it.
    pub caption: String,
    /// The points.
    pub points: &'a Points,
    /// The local distortion of each point, drawn on a logarithmic color scale common to the page; without it the color
    /// follows the order of the points.
    pub distortion: Option<&'a [f64]>,
}

/// A page that opens in any browser, without a network.
///
/// ```
/// use truefold::Points;
/// use truefold_report::{Page, Panel};
///
/// let points = Points::from_rows(&[[0.0, 0.0], [1.0, 2.0]])?;
/// let page = Page {
///     title: "A <small> example".into(),
///     paragraphs: vec!["Two points.".into()],
///     header: vec!["map".into(), "R_N".into()],
///     rows: vec![vec!["identity".into(), "0".into()]],
///     panels: vec![Panel { title: "identity".into(), caption: "as is".into(), points: &points, distortion: None }],
/// };
/// let html = page.html();
/// assert_eq!(html.matches("<circle").count(), 2);
/// assert!(html.contains("A &lt;small&gt; example"));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// The title.
    pub title: String,
    /// What a reader should know, a paragraph each.
    pub paragraphs: Vec<String>,
    /// The header of the table.
    pub header: Vec<String>,
    /// The rows of the table.
    pub rows: Vec<Vec<String>>,
    /// The pictures.
    pub panels: Vec<Panel<'a>>,
}

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --soft: #777; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.05rem; margin: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1.5rem; }
figure { margin: 0; break-inside: avoid; } figcaption { color: var(--soft); }
svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 4px; }
.scale { display: flex; align-items: center; gap: .6rem; margin: 1rem 0; }
.scale span { display: block; height: .8rem; width: 14rem; max-width: 40vw; border-radius: 3px; }
";

impl Page<'_> {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
             <body>\n<h1>{title}</h1>\n"
        );
        for paragraph in &self.paragraphs {
            let _ = writeln!(html, "<p>{}</p>", escape(paragraph));
        }
        self.table(&mut html);
        let scale = LogScale::covering(self.panels.iter().filter_map(|panel| panel.distortion).flatten());
        if self.panels.iter().any(|panel| panel.distortion.is_some()) {
            legend(&mut html, scale);
        }
        html.push_str("<div class=\"panels\">\n");
        for panel in &self.panels {
            let picture = scatter(panel.points, &panel.title, |index| match panel.distortion {
                Some(values) => scale.share(values[index]),
                None => index as f64 / panel.points.len() as f64,
            });
            let _ = writeln!(
                html,
                "<figure>\n<h2>{}</h2>\n{picture}\n<figcaption>{}</figcaption>\n</figure>",
                escape(&panel.title),
                escape(&panel.caption)
            );
        }
        html.push_str("</div>\n</body>\n</html>\n");
        html
    }

    fn table(&self, html: &mut String) {
        let cells = |tag: &str, row: &[String]| -> String {
            row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect()
        };
        let _ = writeln!(
            html,
            "<div class=\"table\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>",
            cells("th", &self.header)
        );
        for row in &self.rows {
            let _ = writeln!(html, "<tr>{}</tr>", cells("td", row));
        }
        html.push_str("</tbody>\n</table></div>\n");
    }
}

fn legend(html: &mut String, scale: LogScale) {
    let (low, high) = scale.ends();
    let stops: Vec<String> = (0..=10).map(|step| ramp(f64::from(step) / 10.0)).collect();
    let _ = writeln!(
        html,
        "<p class=\"scale\">faithful, {low} <span style=\"background: linear-gradient(to right, {})\"></span> {high}, distorted</p>",
        stops.join(", ")
    );
}

/// `text` with everything escaped that HTML would take as its own.
pub(super) fn escape(text: &str) -> String {
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

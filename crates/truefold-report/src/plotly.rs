//! The plotting library that draws in the reader's browser: plotly.js, as the crate `plotly` carries it.

use truefold::{Error, Result};

/// The source of plotly.js. The crate hands it out as the first of two script elements; the second, which typesets
/// formulas, is not needed.
pub(crate) fn script() -> Result<String> {
    let mut scripts = ::plotly::Plot::offline_js_sources();
    let end = scripts.find("</script>");
    let start = scripts.find('>').map(|end_of_tag| end_of_tag + 1);
    match (start, end) {
        (Some(start), Some(end)) if start < end && scripts[start..end].contains("plotly.js") => {
            scripts.truncate(end);
            scripts.drain(..start);
            Ok(scripts)
        }
        _ => {
            Err(Error::data("the plotting library for the page was not found in its crate", "report this as a defect"))
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_library_is_found_and_alone() {
        let script = super::script().unwrap();
        assert!(script.trim_start().starts_with("/**\n* plotly.js v"));
        assert!(!script.contains("</script") && !script.contains("MathJax.loader"));
        assert!(script.len() < 5_000_000, "{}", script.len());
    }
}

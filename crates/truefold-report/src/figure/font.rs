//! Text as outlines of the DejaVu Sans that comes with the crate, so that a figure looks alike on every machine.

use super::scene::{Anchor, Text};
use std::sync::OnceLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// A typeface.
pub(super) struct Font {
    face: Face<'static>,
}

/// A glyph of a text, where it begins in units of the typeface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) glyph: u16,
    pub(super) at: i64,
}

impl Font {
    /// The regular or the bold face.
    pub(super) fn of(bold: bool) -> Option<&'static Self> {
        static REGULAR: OnceLock<Option<Font>> = OnceLock::new();
        static BOLD: OnceLock<Option<Font>> = OnceLock::new();
        let (cell, bytes) = if bold { (&BOLD, dejavu::sans::bold()) } else { (&REGULAR, dejavu::sans::regular()) };
        cell.get_or_init(|| Face::parse(bytes, 0).ok().map(|face| Self { face })).as_ref()
    }

    /// How large a unit of the typeface is at this size.
    pub(super) fn scale(&self, size: f64) -> f64 {
        size / f64::from(self.face.units_per_em())
    }

    /// The glyphs of a line of text and its length, in units of the typeface.
    pub(super) fn place(&self, content: &str) -> (Vec<Placed>, i64) {
        let mut at = 0;
        let mut glyphs = Vec::with_capacity(content.len());
        for letter in content.chars() {
            let glyph = self.face.glyph_index(letter).unwrap_or(GlyphId(0));
            glyphs.push(Placed { glyph: glyph.0, at });
            at += i64::from(self.face.glyph_hor_advance(glyph).unwrap_or(0));
        }
        (glyphs, at)
    }

    /// Draws the outline of a glyph, y upwards; false where it has none, like a blank.
    pub(super) fn outline(&self, glyph: u16, builder: &mut dyn OutlineBuilder) -> bool {
        self.face.outline_glyph(GlyphId(glyph), builder).is_some()
    }
}

/// The length of a line of text.
pub(super) fn length(content: &str, size: f64, bold: bool) -> f64 {
    Font::of(bold).map_or(0.0, |font| font.place(content).1 as f64 * font.scale(size))
}

/// How far before its place a text begins.
pub(super) fn lead(text: &Text) -> f64 {
    let share = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    if share == 0.0 { 0.0 } else { share * length(&text.content, text.size, text.bold) }
}

/// `content`, with its end replaced by dots where it is longer than `most`.
pub(super) fn fit(content: &str, size: f64, bold: bool, most: f64) -> String {
    if length(content, size, bold) <= most {
        return content.to_owned();
    }
    let letters: Vec<char> = content.chars().collect();
    let cut = |kept: usize| letters[..kept].iter().collect::<String>().trim_end().to_owned() + "\u{2026}";
    let kept = (0..letters.len()).rev().find(|&kept| length(&cut(kept), size, bold) <= most).unwrap_or(0);
    cut(kept)
}

/// `content` in one line, or in two where the first has no room for it; what is too long even so ends in dots.
pub(super) fn lines(content: &str, size: f64, first: f64, second: f64) -> Vec<String> {
    if length(content, size, false) <= first {
        return vec![content.to_owned()];
    }
    let breaks = content.match_indices(' ').map(|(at, _)| at);
    match breaks.take_while(|&at| length(&content[..at], size, false) <= first).last() {
        Some(at) => vec![content[..at].to_owned(), fit(&content[at + 1..], size, false, second)],
        None => vec![fit(content, size, false, first)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_faces_are_there_and_bold_is_wider() {
        assert!(Font::of(false).is_some() && Font::of(true).is_some());
        assert!(length("faithful", 12.0, true) > length("faithful", 12.0, false));
        assert_eq!(length("", 12.0, false), 0.0);
    }

    #[test]
    fn text_that_has_no_room_goes_on_in_a_second_line() {
        let text = "torn 1.02 %, R_N left 0.00101; R_N [R_C] 15.2 [0.0270]";
        assert_eq!(lines(text, 11.0, 1000.0, 1000.0), [text]);
        let two = lines(text, 11.0, 200.0, 1000.0);
        assert_eq!(two.join(" "), text);
        assert!(two.len() == 2 && length(&two[0], 11.0, false) <= 200.0 && length(&two[0], 11.0, false) > 120.0);
        assert!(lines(text, 11.0, 200.0, 60.0)[1].ends_with('\u{2026}'));
        assert_eq!(lines("unbreakable", 11.0, 20.0, 1000.0).len(), 1);
    }

    #[test]
    fn long_text_ends_in_dots_and_short_text_stays() {
        assert_eq!(fit("short", 12.0, false, 100.0), "short");
        let cut = fit("a title far too long for its panel", 12.0, false, 100.0);
        assert!(cut.ends_with('\u{2026}') && length(&cut, 12.0, false) <= 100.0, "{cut}");
        assert!(cut.starts_with("a title"), "{cut}");
    }
}

//! Sentences: wrapped for a terminal, and escaped for Markdown.

use super::table::WIDTH;

/// `text` with everything escaped that Markdown would take as its own.
pub(crate) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '|' | '*' | '`' | '<' | '\\' => escaped.extend(['\\', letter]),
            '\n' | '\r' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// `text` cut between words into lines of at most 80 letters, those after the first set in.
pub(crate) fn wrapped(text: &str) -> String {
    let mut lines = pieces_of(text, WIDTH, WIDTH - 2);
    lines.iter_mut().skip(1).for_each(|line| line.insert_str(0, "  "));
    lines.join("\n")
}

/// `text` cut between words into pieces of at most `width` letters, where no single word is longer.
pub(super) fn pieces(text: &str, width: usize) -> Vec<String> {
    pieces_of(text, width, width)
}

fn pieces_of(text: &str, first: usize, others: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for (place, word) in text.split(' ').enumerate() {
        let width = if lines.is_empty() { first } else { others };
        if place > 0 && !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        } else if place > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_cut_between_words() {
        let text = wrapped(&"word ".repeat(40));
        assert!(text.lines().count() == 3 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("  word")));
        assert_eq!(pieces("as it is", 80), ["as it is"]);
        assert_eq!(pieces("one two", 3), ["one", "two"]);
    }
}

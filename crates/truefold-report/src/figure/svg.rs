//! A scene as SVG: shapes as they are, text as outlines, and very large clouds as pictures.

use super::font::{Font, lead};
use super::raster;
use super::scene::{Cloud, PAPER, Rgb, Scene, Shape, Text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeSet;
use std::fmt::Write;
use ttf_parser::OutlineBuilder;

/// Figures with more points than this hold their clouds as pictures, or they would be too large to open.
const MOST_DISCS: usize = 20_000;
/// Pixels to a unit in such a picture, enough for print.
const FINE: f64 = 3.0;

/// The scene as SVG; `title` is for those who cannot see it.
pub(super) fn svg(scene: &Scene, title: &str) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n",
        escape(title)
    );
    let as_pictures = scene.cloud_points() > MOST_DISCS;
    if as_pictures {
        let _ = writeln!(svg, "<desc>{} points, drawn as pictures to keep the file small</desc>", scene.cloud_points());
    }
    let drawn = glyphs(&mut svg, scene);
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", hex(PAPER));
    for shape in &scene.shapes {
        draw(&mut svg, shape, as_pictures, &drawn);
    }
    svg.push_str("</svg>\n");
    svg
}

/// `text` with everything escaped or replaced that XML would not take as text.
pub(super) fn escape(text: &str) -> String {
    let plain = |letter| match letter {
        '\t' | '\n' | '\r' => ' ',
        '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        other => other,
    };
    crate::html::escape(&text.chars().map(plain).collect::<String>())
}

fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A number with at most two decimals and no idle zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A glyph of the bold or the regular face.
type Glyph = (bool, u16);

/// Every glyph in use, once; blanks have no outline and are left out.
fn glyphs(svg: &mut String, scene: &Scene) -> BTreeSet<Glyph> {
    let mut used = BTreeSet::new();
    for shape in &scene.shapes {
        if let Shape::Text(text) = shape
            && let Some(font) = Font::of(text.bold)
        {
            used.extend(font.place(&text.content).0.iter().map(|placed| (text.bold, placed.glyph)));
        }
    }
    svg.push_str("<defs>\n");
    used.retain(|&(bold, glyph)| {
        let mut outline = Outline(String::new());
        let drawn = Font::of(bold).is_some_and(|font| font.outline(glyph, &mut outline));
        if drawn {
            let _ = writeln!(svg, "<path id=\"{}\" d=\"{}\"/>", glyph_name((bold, glyph)), outline.0);
        }
        drawn
    });
    svg.push_str("</defs>\n");
    used
}

fn glyph_name((bold, glyph): Glyph) -> String {
    format!("{}{glyph}", if bold { 'b' } else { 'r' })
}

/// The outline of a glyph as path data.
struct Outline(String);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let _ = write!(self.0, "M{x} {y}");
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let _ = write!(self.0, "L{x} {y}");
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let _ = write!(self.0, "Q{x1} {y1} {x} {y}");
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let _ = write!(self.0, "C{x1} {y1} {x2} {y2} {x} {y}");
    }

    fn close(&mut self) {
        self.0.push('Z');
    }
}

fn draw(svg: &mut String, shape: &Shape, as_pictures: bool, drawn: &BTreeSet<Glyph>) {
    match shape {
        Shape::Cloud(cloud) if as_pictures => {
            if let Ok(png) = raster::cloud_png(cloud, FINE) {
                let area = cloud.area;
                // The picture ends on whole pixels, a little beyond the area.
                let [width, height] = [area.width, area.height].map(|side| (side * FINE).ceil() / FINE);
                image(svg, (area.x, area.y, width, height), &png);
            }
        }
        Shape::Cloud(cloud) => discs(svg, cloud),
        Shape::Line { points, color, width, dashed } => {
            let places: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", short(x), short(y))).collect();
            let dash = if *dashed { "stroke-dasharray=\"5 4\"" } else { "stroke-linecap=\"round\"" };
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" {dash}/>",
                places.join(" "),
                hex(*color),
                short(*width)
            );
        }
        Shape::Box { area, fill, stroke } => {
            let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(short);
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {}/>",
                inks(*fill, *stroke)
            );
        }
        Shape::Disc { center, radius, fill, stroke } => {
            let [x, y, radius] = [center.0, center.1, *radius].map(short);
            let _ = writeln!(
                svg,
                "<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{radius}\" ry=\"{radius}\" {}/>",
                inks(Some(*fill), *stroke)
            );
        }
        Shape::Text(content) => text(svg, content, drawn),
        Shape::Picture { area, picture } => {
            let (columns, rows) = (picture.columns() as u32, picture.rows() as u32);
            if let Ok(png) = raster::encode(columns, rows, png::ColorType::Grayscale, picture.pixels()) {
                image(svg, (area.x, area.y, area.width, area.height), &png);
            }
        }
    }
}

fn inks(fill: Option<Rgb>, stroke: Option<(Rgb, f64)>) -> String {
    let fill = fill.map_or("none".to_owned(), hex);
    match stroke {
        Some((color, width)) => {
            format!("fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\"", hex(color), short(width))
        }
        None => format!("fill=\"{fill}\""),
    }
}

/// Points as circles; neighbors of one color in the drawing order share a group.
fn discs(svg: &mut String, cloud: &Cloud) {
    let radius = short(cloud.radius);
    let mut current = None;
    for (&(x, y), &color) in cloud.centers.iter().zip(&cloud.colors) {
        if current != Some(color) {
            if current.is_some() {
                svg.push_str("</g>\n");
            }
            let _ = write!(svg, "<g fill=\"{}\">", hex(color));
            current = Some(color);
        }
        let _ = write!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>", short(x), short(y));
    }
    if current.is_some() {
        svg.push_str("</g>\n");
    }
}

fn image(svg: &mut String, (x, y, width, height): (f64, f64, f64, f64), png: &[u8]) {
    let [x, y, width, height] = [x, y, width, height].map(short);
    let _ = writeln!(
        svg,
        "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
         xlink:href=\"data:image/png;base64,{}\"/>",
        STANDARD.encode(png)
    );
}

fn text(svg: &mut String, text: &Text, drawn: &BTreeSet<Glyph>) {
    let Some(font) = Font::of(text.bold) else { return };
    let scale = font.scale(text.size);
    let turn = if text.upright { " rotate(-90)" } else { "" };
    let _ = write!(
        svg,
        "<g role=\"img\" aria-label=\"{}\" fill=\"{}\" transform=\"translate({} {}){turn} translate({} 0) scale({scale:.6} -{scale:.6})\">",
        escape(&text.content),
        hex(text.color),
        short(text.x),
        short(text.y),
        short(-lead(text)),
    );
    for placed in font.place(&text.content).0 {
        let glyph = (text.bold, placed.glyph);
        if drawn.contains(&glyph) {
            let _ = write!(svg, "<use xlink:href=\"#{}\" x=\"{}\"/>", glyph_name(glyph), placed.at);
        }
    }
    svg.push_str("</g>\n");
}

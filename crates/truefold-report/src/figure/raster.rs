//! A scene as pixels, and pixels as PNG.

use super::font::{Font, lead};
use super::scene::{Area, Cloud, PAPER, Rgb, Scene, Shape, Text};
use tiny_skia::{
    Color, FillRule, FilterQuality, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, PixmapRef, Rect,
    Stroke, StrokeDash, Transform,
};
use truefold::{Error, Result};
use ttf_parser::OutlineBuilder;

/// The scene as PNG, this many pixels wide.
pub(super) fn png(scene: &Scene, width: u32) -> Result<Vec<u8>> {
    let scale = f64::from(width) / scene.width;
    let height = (scene.height * scale).round().max(1.0) as u32;
    let mut pixels = pixmap(width, height)?;
    pixels.fill(color(PAPER));
    for shape in &scene.shapes {
        draw(&mut pixels, shape, scale);
    }
    let opaque: Vec<u8> = pixels.data().chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
    encode(width, height, png::ColorType::Rgb, &opaque)
}

/// A cloud alone on a transparent ground, as PNG, with `scale` pixels to a unit.
pub(super) fn cloud_png(cloud: &Cloud, scale: f64) -> Result<Vec<u8>> {
    let side = |length: f64| (length * scale).ceil().max(1.0) as u32;
    let mut pixels = pixmap(side(cloud.area.width), side(cloud.area.height))?;
    draw_cloud(&mut pixels, cloud, scale, (cloud.area.x, cloud.area.y));
    let (width, height) = (pixels.width(), pixels.height());
    encode(width, height, png::ColorType::Rgba, &pixels.take_demultiplied())
}

/// Pixels as PNG.
pub(super) fn encode(width: u32, height: u32, kind: png::ColorType, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(kind);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(bytes));
    written.map_err(|cause| Error::data(format!("the picture cannot be packed ({cause})"), "report this as a bug"))?;
    Ok(file)
}

fn pixmap(width: u32, height: u32) -> Result<Pixmap> {
    Pixmap::new(width, height).ok_or_else(|| {
        Error::parameter("width", width, format!("needs {height} rows of pixels, too many"), "choose a smaller one")
    })
}

fn color([red, green, blue]: Rgb) -> Color {
    Color::from_rgba8(red, green, blue, 255)
}

fn paint(of: Rgb) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color(of));
    paint
}

fn draw(pixels: &mut Pixmap, shape: &Shape, scale: f64) {
    let units = Transform::from_scale(scale as f32, scale as f32);
    match shape {
        Shape::Cloud(cloud) => draw_cloud(pixels, cloud, scale, (0.0, 0.0)),
        Shape::Line { points, color, width, dashed } => {
            let mut builder = PathBuilder::new();
            for (place, &(x, y)) in points.iter().enumerate() {
                if place == 0 { builder.move_to(x as f32, y as f32) } else { builder.line_to(x as f32, y as f32) }
            }
            let dash = dashed.then(|| StrokeDash::new(vec![5.0, 4.0], 0.0)).flatten();
            let cap = if *dashed { LineCap::Butt } else { LineCap::Round };
            let stroke =
                Stroke { width: *width as f32, line_cap: cap, line_join: LineJoin::Round, dash, ..Stroke::default() };
            if let Some(path) = builder.finish() {
                pixels.stroke_path(&path, &paint(*color), &stroke, units, None);
            }
        }
        Shape::Box { area, fill, stroke } => {
            if let Some(path) = rectangle(area).map(PathBuilder::from_rect) {
                draw_path(pixels, &path, *fill, *stroke, units);
            }
        }
        Shape::Disc { center, radius, fill, stroke } => {
            if let Some(path) = PathBuilder::from_circle(center.0 as f32, center.1 as f32, *radius as f32) {
                draw_path(pixels, &path, Some(*fill), *stroke, units);
            }
        }
        Shape::Text(text) => draw_text(pixels, text, units),
        Shape::Picture { area, picture } => {
            let shades: Vec<u8> = picture.pixels().iter().flat_map(|&shade| [shade, shade, shade, 255]).collect();
            let (columns, rows) = (picture.columns() as u32, picture.rows() as u32);
            if let Some(image) = PixmapRef::from_bytes(&shades, columns, rows) {
                let (across, down) = (area.width / f64::from(columns), area.height / f64::from(rows));
                let place = Transform::from_row(across as f32, 0.0, 0.0, down as f32, area.x as f32, area.y as f32);
                let how = PixmapPaint { quality: FilterQuality::Bicubic, ..PixmapPaint::default() };
                pixels.draw_pixmap(0, 0, image, &how, units.pre_concat(place), None);
            }
        }
    }
}

fn draw_path(pixels: &mut Pixmap, path: &Path, fill: Option<Rgb>, stroke: Option<(Rgb, f64)>, units: Transform) {
    if let Some(of) = fill {
        pixels.fill_path(path, &paint(of), FillRule::Winding, units, None);
    }
    if let Some((of, width)) = stroke {
        pixels.stroke_path(path, &paint(of), &Stroke { width: width as f32, ..Stroke::default() }, units, None);
    }
}

fn rectangle(area: &Area) -> Option<Rect> {
    Rect::from_xywh(area.x as f32, area.y as f32, area.width as f32, area.height as f32)
}

fn draw_text(pixels: &mut Pixmap, text: &Text, units: Transform) {
    let Some(font) = Font::of(text.bold) else { return };
    let scale = font.scale(text.size) as f32;
    let place = Transform::from_translate(text.x as f32, text.y as f32);
    let turn = if text.upright { Transform::from_rotate(-90.0) } else { Transform::identity() };
    let start = Transform::from_translate(-lead(text) as f32, 0.0);
    let whole = units.pre_concat(place).pre_concat(turn).pre_concat(start).pre_scale(scale, -scale);
    let mut outlines = Outlines { builder: PathBuilder::new(), at: 0.0 };
    for placed in font.place(&text.content).0 {
        outlines.at = placed.at as f32;
        font.outline(placed.glyph, &mut outlines);
    }
    if let Some(path) = outlines.builder.finish() {
        pixels.fill_path(&path, &paint(text.color), FillRule::Winding, whole, None);
    }
}

/// Outlines of glyphs, one after the other.
struct Outlines {
    builder: PathBuilder,
    at: f32,
}

impl OutlineBuilder for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        self.builder.move_to(self.at + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.builder.line_to(self.at + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.builder.quad_to(self.at + x1, y1, self.at + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.builder.cubic_to(self.at + x1, y1, self.at + x2, y2, self.at + x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

/// Draws discs one by one: a path for each would take most of the time for a million of them.
fn draw_cloud(pixels: &mut Pixmap, cloud: &Cloud, scale: f64, origin: (f64, f64)) {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let radius = cloud.radius * scale;
    let bytes = pixels.data_mut();
    for (&(x, y), ink) in cloud.centers.iter().zip(&cloud.colors) {
        let (x, y) = ((x - origin.0) * scale, (y - origin.1) * scale);
        let span = |center: f64, most: usize| {
            let first = (center - radius - 0.5).floor().max(0.0) as usize;
            first..((center + radius + 0.5).ceil().max(0.0) as usize).min(most)
        };
        for row in span(y, height) {
            for column in span(x, width) {
                // A pixel's share of the disc, to within a few hundredths, from how far its middle is from the rim.
                let away = (column as f64 + 0.5 - x).hypot(row as f64 + 0.5 - y);
                let share = (radius + 0.5 - away).clamp(0.0, 1.0);
                if share > 0.0 {
                    let pixel = &mut bytes[4 * (row * width + column)..][..4];
                    for (old, new) in pixel.iter_mut().zip([ink[0], ink[1], ink[2], 255]) {
                        *old = (f64::from(*old) * (1.0 - share) + f64::from(new) * share).round() as u8;
                    }
                }
            }
        }
    }
}

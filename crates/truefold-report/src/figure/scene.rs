//! What a figure is made of: a flat list of shapes in the figure's own units, drawn alike as SVG and as pixels.

use super::picture::Picture;

/// Red, green and blue.
pub(super) type Rgb = [u8; 3];

pub(super) const INK: Rgb = [26, 28, 32];
pub(super) const SOFT: Rgb = [96, 102, 112];
pub(super) const FRAME: Rgb = [196, 200, 206];
pub(super) const GRID: Rgb = [232, 234, 238];
pub(super) const PAPER: Rgb = [255, 255, 255];

/// A rectangle: left, top, width, height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub(super) fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// The area with this much less on every side.
    pub(super) fn inset(&self, by: f64) -> Self {
        Self {
            x: self.x + by,
            y: self.y + by,
            width: (self.width - 2.0 * by).max(0.0),
            height: (self.height - 2.0 * by).max(0.0),
        }
    }
}

/// Where a text lies with respect to its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// One line of text; its place is on the baseline.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) content: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) color: Rgb,
    pub(super) anchor: Anchor,
    /// Whether it reads upwards.
    pub(super) upright: bool,
}

impl Text {
    /// Plain text that starts here.
    pub(super) fn new(content: impl Into<String>, x: f64, y: f64, size: f64) -> Self {
        Self { content: content.into(), x, y, size, bold: false, color: INK, anchor: Anchor::Start, upright: false }
    }

    pub(super) fn bold(mut self) -> Self {
        self.bold = true;
        self
    }

    pub(super) fn soft(mut self) -> Self {
        self.color = SOFT;
        self
    }

    pub(super) fn anchored(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    pub(super) fn upright(mut self) -> Self {
        self.upright = true;
        self
    }
}

/// Equal discs, the first drawn first, all inside of `area`.
#[derive(Debug, Clone)]
pub(super) struct Cloud {
    pub(super) area: Area,
    pub(super) centers: Vec<(f64, f64)>,
    pub(super) colors: Vec<Rgb>,
    pub(super) radius: f64,
}

/// A shape.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    Cloud(Cloud),
    Line { points: Vec<(f64, f64)>, color: Rgb, width: f64, dashed: bool },
    Box { area: Area, fill: Option<Rgb>, stroke: Option<(Rgb, f64)> },
    Disc { center: (f64, f64), radius: f64, fill: Rgb, stroke: Option<(Rgb, f64)> },
    Text(Text),
    Picture { area: Area, picture: Picture },
}

/// All shapes of a figure, the first drawn first.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shapes: Vec<Shape>,
}

impl Scene {
    pub(super) fn line(&mut self, points: Vec<(f64, f64)>, color: Rgb, width: f64) {
        self.shapes.push(Shape::Line { points, color, width, dashed: false });
    }

    pub(super) fn fill(&mut self, area: Area, fill: Rgb) {
        self.shapes.push(Shape::Box { area, fill: Some(fill), stroke: None });
    }

    pub(super) fn frame(&mut self, area: Area, color: Rgb, width: f64) {
        self.shapes.push(Shape::Box { area, fill: None, stroke: Some((color, width)) });
    }

    pub(super) fn text(&mut self, text: Text) {
        if !text.content.is_empty() {
            self.shapes.push(Shape::Text(text));
        }
    }

    /// How many points lie in clouds.
    pub(super) fn cloud_points(&self) -> usize {
        let count = |shape: &Shape| if let Shape::Cloud(cloud) = shape { cloud.centers.len() } else { 0 };
        self.shapes.iter().map(count).sum()
    }
}

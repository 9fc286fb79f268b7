//! Figures without a browser: panels of points and curves as SVG or PNG, alike on every machine.
//!
//! A [`Figure`] is a grid of panels, each a [`Scatter`] or [`Curves`]. Colors are common to all panels of a figure, so
//! that equal colors mean equal values. Text is drawn as outlines of a typeface that comes with the crate. The same
//! figure gives the same bytes. Figures of more than 20,000 points hold their clouds as pictures inside of the SVG.

mod curves;
mod ellipses;
mod font;
mod key;
mod picture;
mod raster;
mod scatter;
mod scene;
mod svg;
#[cfg(test)]
mod tests;
mod ticks;
mod trail;
mod view;

pub use curves::{Curve, Curves};
pub use key::ColorScale;
pub use picture::Picture;
pub use scatter::Scatter;
pub use view::View;

use key::Key;
use scene::{Area, Scene, Text};
use std::io::Write;
use std::path::Path;
use truefold::{Error, Result, io};

const MARGIN: f64 = 18.0;
const GAP: f64 = 22.0;
/// Room for a panel's title and for what is said below its points.
const HEAD: f64 = 22.0;
const FOOT: f64 = 20.0;
/// The size of captions, and how far their lines are apart.
const CAPTION: f64 = 11.0;
const LINE: f64 = 13.0;
/// The most pixels across.
const MOST_PIXELS: u32 = 20_000;

/// A figure: a grid of panels with common colors.
///
/// ```
/// use truefold::{Points, dataset};
/// use truefold_report::figure::{ColorScale, Figure, Scatter};
///
/// let sample = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(300))?;
/// let length: Vec<f64> = sample.truth.rows().map(|row| row[0]).collect();
/// let figure = Figure::new("A swiss roll")
///     .with_colors(ColorScale::Linear, "length along the roll")
///     .with(Scatter::new("in space", &sample.points).with_values(&length)?)
///     .with(Scatter::new("laid flat", &sample.truth).with_values(&length)?);
/// assert_eq!(figure.svg().matches("<circle").count(), 600);
///
/// let directory = tempfile::tempdir().unwrap();
/// figure.write(directory.path().join("roll.png"))?;
/// assert!(figure.write(directory.path().join("roll.gif")).is_err());
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Figure {
    title: String,
    subtitle: String,
    columns: Option<usize>,
    panel: (f64, f64),
    lettered: bool,
    scale: ColorScale,
    color_label: String,
    panels: Vec<Plot>,
}

/// A panel of a figure.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Plot {
    /// Points.
    Scatter(Box<Scatter>),
    /// Curves.
    Curves(Curves),
}

impl From<Scatter> for Plot {
    fn from(panel: Scatter) -> Self {
        Self::Scatter(Box::new(panel))
    }
}

impl From<Curves> for Plot {
    fn from(panel: Curves) -> Self {
        Self::Curves(panel)
    }
}

impl Figure {
    /// A figure without panels; no title where it is empty.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            subtitle: String::new(),
            columns: None,
            panel: (280.0, 210.0),
            lettered: false,
            scale: ColorScale::default(),
            color_label: String::new(),
            panels: Vec::new(),
        }
    }

    /// One more line below the title.
    pub fn with_subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }

    /// Adds a panel after those there are, row by row.
    pub fn with(mut self, panel: impl Into<Plot>) -> Self {
        self.panels.push(panel.into());
        self
    }

    /// This many panels in a row; without it up to three, or two of four.
    pub fn with_columns(mut self, columns: usize) -> Self {
        self.columns = Some(columns.max(1));
        self
    }

    /// The width and height of each panel's plot in units, 280 by 210 without it; text is 10 to 15 units high.
    pub fn with_panel_size(mut self, width: f64, height: f64) -> Self {
        self.panel = (width.clamp(120.0, 4000.0), height.clamp(90.0, 4000.0));
        self
    }

    /// Puts A, B, C before the titles of the panels.
    pub fn with_letters(mut self) -> Self {
        self.lettered = true;
        self
    }

    /// How the values of all panels turn into colors, and what they are.
    pub fn with_colors(mut self, scale: ColorScale, label: impl Into<String>) -> Self {
        self.scale = scale;
        self.color_label = label.into();
        self
    }

    /// The figure as SVG.
    pub fn svg(&self) -> String {
        svg::svg(&self.scene(), &self.title)
    }

    /// The figure as PNG, this many pixels wide.
    pub fn png(&self, width: u32) -> Result<Vec<u8>> {
        if !(16..=MOST_PIXELS).contains(&width) {
            let limit = format!("is not from 16 to {MOST_PIXELS} pixels");
            return Err(Error::parameter("width", width, limit, "choose one in between"));
        }
        raster::png(&self.scene(), width)
    }

    /// Writes the figure as its ending says, `.svg` or `.png`; the latter with two pixels to a unit.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let bytes = match Ending::of(path)? {
            Ending::Svg => self.svg().into_bytes(),
            Ending::Png => self.png((2.0 * self.scene().width).round() as u32)?,
        };
        io::atomic(path, |out| out.write_all(&bytes))
    }

    fn scene(&self) -> Scene {
        let count = self.panels.len().max(1);
        let columns = self.columns.unwrap_or(if count == 4 { 2 } else { count.min(3) }).min(count);
        let rows = count.div_ceil(columns);
        let (width, height) = self.panel;
        let whole = 2.0 * MARGIN + columns as f64 * width + (columns - 1) as f64 * GAP;
        let mut top = MARGIN;
        let mut scene = Scene { width: whole, height: 0.0, shapes: Vec::new() };
        for (text, size, bold) in [(&self.title, 15.0, true), (&self.subtitle, 11.5, false)] {
            if !text.is_empty() {
                let text = Text::new(font::fit(text, size, bold, whole - 2.0 * MARGIN), MARGIN, top + size - 2.0, size);
                scene.text(if bold { text.bold() } else { text.soft() });
                top += size + 6.0;
            }
        }
        let scatters: Vec<&Scatter> = self
            .panels
            .iter()
            .filter_map(|panel| if let Plot::Scatter(scatter) = panel { Some(scatter.as_ref()) } else { None })
            .collect();
        let foot = FOOT + if scatters.iter().any(|scatter| scatter.has_long_caption(width)) { LINE } else { 0.0 };
        let key = Key::new(&scatters, self.scale, &self.color_label);
        for (place, panel) in self.panels.iter().enumerate() {
            let x = MARGIN + (place % columns) as f64 * (width + GAP);
            let y = top + (place / columns) as f64 * (HEAD + height + foot + GAP / 2.0);
            self.head(&mut scene, panel, place, x, y);
            let plot = Area { x, y: y + HEAD, width, height };
            match panel {
                Plot::Scatter(scatter) => scatter.draw(&mut scene, plot, &key),
                Plot::Curves(curves) => curves.draw(&mut scene, Area { height: height + foot, ..plot }),
            }
        }
        top += rows as f64 * (HEAD + height + foot) + (rows - 1) as f64 * GAP / 2.0;
        let inner = whole - 2.0 * MARGIN;
        let below = key.height(inner);
        if below > 0.0 {
            key.draw(&mut scene, Area { x: MARGIN, y: top + 6.0, width: inner, height: below });
            top += 6.0 + below;
        }
        scene.height = (top + MARGIN / 2.0).ceil();
        scene
    }

    fn head(&self, scene: &mut Scene, panel: &Plot, place: usize, x: f64, y: f64) {
        let title = match panel {
            Plot::Scatter(panel) => &panel.title,
            Plot::Curves(panel) => &panel.title,
        };
        let mut start = x;
        if self.lettered {
            let letter = letter(place);
            let text = Text::new(letter.clone(), x, y + 15.0, 13.0).bold();
            start += font::length(&letter, 13.0, true) + 7.0;
            scene.text(text);
        }
        let most = self.panel.0 - (start - x);
        scene.text(Text::new(font::fit(title, 12.5, false, most), start, y + 15.0, 12.5));
    }
}

/// A, B, C, ... Z, AA, AB, ...
fn letter(place: usize) -> String {
    let mut text = String::new();
    let mut left = place + 1;
    while left > 0 {
        text.insert(0, char::from(b'A' + ((left - 1) % 26) as u8));
        left = (left - 1) / 26;
    }
    text
}

/// The formats of a figure.
enum Ending {
    Svg,
    Png,
}

impl Ending {
    fn of(path: &Path) -> Result<Self> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(Error::file(path, "figures are written as .svg or .png", "choose one of these endings")),
        }
    }
}

/// An error unless a figure can be written to `path`; long computations ask this first.
///
/// ```
/// let error = truefold_report::figure::check_path("figure.pdf").unwrap_err().to_string();
/// assert!(error.contains("written as .svg or .png"));
/// ```
pub fn check_path(path: impl AsRef<Path>) -> Result<()> {
    Ending::of(path.as_ref())?;
    io::check_writable(path)
}

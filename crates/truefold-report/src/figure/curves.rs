//! A panel of curves over one axis, linear or logarithmic, with a legend and marked places.

use super::font::{self, length};
use super::key::PALETTE;
use super::scene::{Anchor, Area, GRID, INK, PAPER, Rgb, Scene, Shape, Text};
use super::ticks::{self, written};

const TEXT: f64 = 10.0;
const LEGEND_LINE: f64 = 15.0;

/// Curves in a panel.
///
/// ```
/// use truefold_report::figure::{Curve, Curves, Figure};
///
/// let panel = Curves::new("R_C over k", "k", "R_C")
///     .with_log_y()
///     .with(Curve::new("lle", &[(6.0, 0.25), (9.0, 0.15), (12.0, 0.13)]).marked(2))
///     .with(Curve::new("best possible", &[(6.0, 0.01), (9.0, 0.02), (12.0, 0.03)]).dashed());
/// let svg = Figure::new("a sweep").with(panel).svg();
/// assert_eq!(svg.matches("<polyline").count() >= 2, true);
/// assert!(svg.contains("best possible"));
/// ```
#[derive(Debug, Clone)]
pub struct Curves {
    pub(super) title: String,
    x: String,
    y: String,
    log_x: bool,
    log_y: bool,
    curves: Vec<Curve>,
}

/// A curve: its name and its points.
#[derive(Debug, Clone)]
pub struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
    marked: Option<usize>,
    dashed: bool,
    band: Vec<(f64, f64)>,
}

impl Curve {
    /// A curve through these points, in this order.
    pub fn new(name: impl Into<String>, points: &[(f64, f64)]) -> Self {
        Self { name: name.into(), points: points.to_vec(), marked: None, dashed: false, band: Vec::new() }
    }

    /// Marks the point at this place of the curve, as the best.
    pub fn marked(mut self, place: usize) -> Self {
        self.marked = Some(place);
        self
    }

    /// Draws a bar at each point from what it may be at least to what it may be at most.
    pub fn with_band(mut self, band: &[(f64, f64)]) -> Self {
        self.band = band.to_vec();
        self
    }

    /// Draws it dashed and without dots, as bounds are.
    pub fn dashed(mut self) -> Self {
        self.dashed = true;
        self
    }
}

impl Curves {
    /// An empty panel: its title, and what its axes show.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Self {
        Self { title: title.into(), x: x.into(), y: y.into(), log_x: false, log_y: false, curves: Vec::new() }
    }

    /// Makes the x axis logarithmic; what it cannot show is left out, and the panel says so.
    pub fn with_log_x(mut self) -> Self {
        self.log_x = true;
        self
    }

    /// Makes the y axis logarithmic; what it cannot show is left out, and the panel says so.
    pub fn with_log_y(mut self) -> Self {
        self.log_y = true;
        self
    }

    /// Adds a curve.
    pub fn with(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    fn shown(&self, (x, y): (f64, f64)) -> bool {
        x.is_finite() && y.is_finite() && (!self.log_x || x > 0.0) && (!self.log_y || y > 0.0)
    }

    /// Draws axes, curves and legend into `area`.
    pub(super) fn draw(&self, scene: &mut Scene, area: Area) {
        let points = || self.curves.iter().flat_map(|curve| &curve.points).copied().filter(|&point| self.shown(point));
        let legend = self.legend(area.width);
        let left_out = self.curves.iter().map(|curve| curve.points.len()).sum::<usize>() - points().count();
        let below = 36.0 + LEGEND_LINE * legend.len() as f64;
        let x_axis = Axis::over(points().map(|point| point.0), self.log_x, 0.04);
        let bars = self.curves.iter().flat_map(|curve| self.bars(curve)).flat_map(|[low, high]| [low.1, high.1]);
        let y_axis = Axis::over(points().map(|point| point.1).chain(bars), self.log_y, 0.06);
        let y_ticks = y_axis.ticks(5);
        let widest = y_ticks.iter().map(|&at| length(&written(at), TEXT, false)).fold(0.0, f64::max);
        let left = 26.0 + widest;
        let plot = Area {
            x: area.x + left,
            y: area.y + 4.0,
            width: area.width - left - 6.0,
            height: (area.height - 4.0 - below).max(40.0),
        };
        let at =
            |(x, y): (f64, f64)| (plot.x + x_axis.share(x) * plot.width, plot.bottom() - y_axis.share(y) * plot.height);
        for value in y_ticks {
            let y = at((0.0, value)).1;
            scene.line(vec![(plot.x, y), (plot.right(), y)], GRID, 0.8);
            scene.text(Text::new(written(value), plot.x - 5.0, y + 3.5, TEXT).anchored(Anchor::End));
        }
        for value in self.x_ticks(&x_axis, points().map(|point| point.0)) {
            let x = at((value, 0.0)).0;
            scene.line(vec![(x, plot.bottom()), (x, plot.bottom() + 3.5)], INK, 0.8);
            scene.text(Text::new(written(value), x, plot.bottom() + 14.0, TEXT).anchored(Anchor::Middle));
        }
        scene.line(vec![(plot.x, plot.y), (plot.x, plot.bottom()), (plot.right(), plot.bottom())], INK, 0.8);
        let note = if left_out > 0 { format!(" ({left_out} values cannot be shown)") } else { String::new() };
        let x_label = font::fit(&format!("{}{note}", self.x), 11.0, false, plot.width);
        scene.text(Text::new(x_label, plot.middle().0, plot.bottom() + 28.0, 11.0).anchored(Anchor::Middle));
        let y_label = font::fit(&self.y, 11.0, false, plot.height);
        let y_label = Text::new(y_label, area.x + 11.0, plot.middle().1, 11.0);
        scene.text(y_label.anchored(Anchor::Middle).upright());
        for (place, curve) in self.curves.iter().enumerate() {
            self.draw_curve(scene, curve, PALETTE[place % PALETTE.len()], &at);
        }
        let mut y = plot.bottom() + 36.0;
        for line in legend {
            let mut x = plot.x;
            for (name, color, dashed) in line {
                let key = vec![(x, y + 6.0), (x + 18.0, y + 6.0)];
                scene.shapes.push(Shape::Line { points: key, color, width: 1.8, dashed });
                let next = x + entry_length(&name);
                scene.text(Text::new(name, x + 23.0, y + 9.5, TEXT));
                x = next;
            }
            y += LEGEND_LINE;
        }
    }

    /// The ends of the bars of a curve, where both can be shown.
    fn bars(&self, curve: &Curve) -> Vec<[(f64, f64); 2]> {
        let ends = curve.points.iter().zip(&curve.band).map(|(&(x, _), &(low, high))| [(x, low), (x, high)]);
        ends.filter(|ends| ends.iter().all(|&end| self.shown(end))).collect()
    }

    fn draw_curve(&self, scene: &mut Scene, curve: &Curve, color: Rgb, at: &dyn Fn((f64, f64)) -> (f64, f64)) {
        for ends in self.bars(curve) {
            scene.line(ends.map(at).to_vec(), color, 1.0);
        }
        // A value that cannot be shown leaves a gap, not a line across it.
        for piece in curve.points.split(|&point| !self.shown(point)) {
            let points: Vec<(f64, f64)> = piece.iter().map(|&point| at(point)).collect();
            if points.len() > 1 {
                scene.shapes.push(Shape::Line { points: points.clone(), color, width: 1.8, dashed: curve.dashed });
            }
            if !curve.dashed && points.len() <= 60 {
                let dot = |center| Shape::Disc { center, radius: 2.6, fill: color, stroke: None };
                scene.shapes.extend(points.into_iter().map(dot));
            }
        }
        if let Some(&best) = curve.marked.and_then(|place| curve.points.get(place)).filter(|&&point| self.shown(point))
        {
            let ring = Shape::Disc { center: at(best), radius: 5.0, fill: PAPER, stroke: Some((color, 2.2)) };
            scene.shapes.push(ring);
        }
    }

    /// Where few places were looked at, they are the ticks; round numbers otherwise.
    fn x_ticks(&self, axis: &Axis, places: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut places: Vec<f64> = places.collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        if places.len() <= 8 { places } else { axis.ticks(6) }
    }

    /// Names, colors and dashes, line by line.
    fn legend(&self, width: f64) -> Vec<Vec<(String, Rgb, bool)>> {
        let mut lines: Vec<Vec<(String, Rgb, bool)>> = Vec::new();
        let mut used = f64::INFINITY;
        for (place, curve) in self.curves.iter().enumerate() {
            let name = font::fit(&curve.name, TEXT, false, width - 90.0);
            if used + entry_length(&name) > width - 60.0 {
                lines.push(Vec::new());
                used = 0.0;
            }
            used += entry_length(&name);
            if let Some(line) = lines.last_mut() {
                line.push((name, PALETTE[place % PALETTE.len()], curve.dashed));
            }
        }
        lines
    }
}

fn entry_length(name: &str) -> f64 {
    length(name, TEXT, false) + 36.0
}

/// A range of numbers along a side of the panel.
struct Axis {
    low: f64,
    high: f64,
    log: bool,
}

impl Axis {
    /// Covers all values and a little more.
    fn over(values: impl Iterator<Item = f64>, log: bool, more: f64) -> Self {
        let scaled = |value: f64| if log { value.log10() } else { value };
        let fold = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
        let (low, high) = values.map(scaled).fold((f64::INFINITY, f64::NEG_INFINITY), fold);
        if low > high {
            return Self { low: 0.0, high: 1.0, log };
        }
        let room = if high > low { more * (high - low) } else { 0.5_f64.max(0.05 * low.abs()) };
        Self { low: low - room, high: high + room, log }
    }

    fn share(&self, value: f64) -> f64 {
        let value = if self.log { value.log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }

    fn ticks(&self, wanted: usize) -> Vec<f64> {
        if self.log {
            ticks::powers(10_f64.powf(self.low), 10_f64.powf(self.high))
        } else {
            ticks::linear(self.low, self.high, wanted)
        }
    }
}

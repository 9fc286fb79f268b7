//! Which color a value or a label has, and the bar or legend that says so.

use super::font::{self, length};
use super::scatter::Scatter;
use super::scene::{Anchor, Area, FRAME, INK, Rgb, Scene, Shape, Text};
use super::ticks::{self, written};
use crate::color::{LogScale, ramp_color, seam_color};
use std::collections::BTreeMap;
use truefold::groups::in_order;

/// Points without a value, and labels beyond the palette.
const GRAY: Rgb = [176, 180, 186];
/// Points of a panel that has neither values nor labels.
const PLAIN: Rgb = [58, 82, 139];
/// Points of such a panel beside a seam.
const FAINT: Rgb = [206, 210, 216];
/// Ten colors that stay apart for the color-blind and in print.
pub(super) const PALETTE: [Rgb; 10] = [
    [0, 114, 178],
    [230, 119, 0],
    [0, 148, 105],
    [204, 51, 119],
    [86, 180, 233],
    [150, 90, 30],
    [240, 200, 20],
    [110, 64, 170],
    [120, 180, 40],
    [40, 40, 40],
];
/// Colors of a scale are rounded to this many steps, so that points can share them.
const STEPS: f64 = 64.0;
const BAR: f64 = 300.0;
/// The height of a bar with its texts.
const BAR_ROOM: f64 = 46.0;
const SEAM: &str = "along the seam: equal colors belong together";
const TEXT: f64 = 11.0;

/// How values turn into colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorScale {
    /// In proportion, from the least to the largest.
    #[default]
    Linear,
    /// By whole powers of ten that cover all but the most extreme hundredths.
    Log,
}

/// The common colors of a figure.
pub(super) struct Key<'a> {
    scale: Option<Scale>,
    label: &'a str,
    labels: Vec<String>,
    others: bool,
    torn: bool,
}

#[derive(Clone, Copy)]
enum Scale {
    Linear { low: f64, high: f64 },
    Log(LogScale),
}

impl<'a> Key<'a> {
    /// Colors for all panels of a figure.
    pub(super) fn new(panels: &[&Scatter], scale: ColorScale, label: &'a str) -> Self {
        let values = || panels.iter().filter_map(|panel| panel.values()).flatten().filter(|value| value.is_finite());
        let (low, high) =
            values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
        let scale = (low <= high).then(|| match scale {
            ColorScale::Linear => Scale::Linear { low, high },
            ColorScale::Log => Scale::Log(LogScale::covering(values())),
        });
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for name in panels.iter().filter_map(|panel| panel.labels()).flatten() {
            *counts.entry(name).or_default() += 1;
        }
        let others = counts.len() > PALETTE.len();
        let mut labels = in_order(counts.keys().copied().collect());
        // The most frequent get colors; a stable sort keeps ties in their order.
        labels.sort_by_key(|name| std::cmp::Reverse(counts[name]));
        labels.truncate(PALETTE.len());
        let torn = panels.iter().any(|panel| panel.is_torn());
        Self { scale, label, labels: in_order(labels).into_iter().map(str::to_owned).collect(), others, torn }
    }

    /// The color of each point of a panel.
    pub(super) fn colors(&self, panel: &Scatter) -> Vec<Rgb> {
        if let (Some(values), Some(scale)) = (panel.values(), self.scale) {
            let of = |&value: &f64| if value.is_finite() { ramp_color(scale.share(value)) } else { GRAY };
            return values.iter().map(of).collect();
        }
        if let Some(labels) = panel.labels() {
            let place: BTreeMap<&str, usize> =
                self.labels.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
            let of = |name: &String| place.get(name.as_str()).map_or(GRAY, |&place| PALETTE[place]);
            return labels.iter().map(of).collect();
        }
        vec![if panel.is_torn() { FAINT } else { PLAIN }; panel.len()]
    }

    /// How much room the bar and the legend need below the panels of a figure of this width.
    pub(super) fn height(&self, width: f64) -> f64 {
        let bars = usize::from(self.scale.is_some()) + usize::from(self.torn);
        BAR_ROOM * bars as f64 + 18.0 * self.lines(width).len() as f64
    }

    /// Draws the bar and the legend.
    pub(super) fn draw(&self, scene: &mut Scene, area: Area) {
        let mut y = area.y;
        if let Some(scale) = self.scale {
            bar(scene, area, ramp_color, &scale.ticks(), self.label);
            y += BAR_ROOM;
        }
        if self.torn {
            let ends = [("one end".to_owned(), 0.0), ("the other".to_owned(), 1.0)];
            bar(scene, Area { y, ..area }, seam_color, &ends, SEAM);
            y += BAR_ROOM;
        }
        for line in self.lines(area.width) {
            let whole: f64 = line.iter().map(|(name, _)| entry_length(name)).sum();
            let mut x = area.x + (area.width - whole).max(0.0) / 2.0;
            for (name, color) in line {
                let disc = Shape::Disc { center: (x + 5.0, y + 7.0), radius: 4.0, fill: color, stroke: None };
                scene.shapes.push(disc);
                scene.text(Text::new(name.clone(), x + 14.0, y + 11.0, TEXT));
                x += entry_length(&name);
            }
            y += 18.0;
        }
    }

    /// The entries of the legend, line by line.
    fn lines(&self, width: f64) -> Vec<Vec<(String, Rgb)>> {
        let mut entries: Vec<(String, Rgb)> = self
            .labels
            .iter()
            .zip(PALETTE)
            .map(|(name, color)| (font::fit(name, TEXT, false, width - 30.0), color))
            .collect();
        if self.others {
            entries.push(("others".to_owned(), GRAY));
        }
        let mut lines: Vec<Vec<(String, Rgb)>> = Vec::new();
        let mut used = f64::INFINITY;
        for entry in entries {
            let needed = entry_length(&entry.0);
            if used + needed > width {
                lines.push(Vec::new());
                used = 0.0;
            }
            used += needed;
            if let Some(line) = lines.last_mut() {
                line.push(entry);
            }
        }
        lines
    }
}

/// Draws a bar of colors with texts along it and one below.
fn bar(scene: &mut Scene, area: Area, color: impl Fn(f64) -> Rgb, ticks: &[(String, f64)], label: &str) {
    let width = BAR.min(area.width - 60.0);
    let bar = Area { x: area.middle().0 - width / 2.0, y: area.y + 4.0, width, height: 10.0 };
    let step = bar.width / STEPS;
    for place in 0..STEPS as usize {
        // A little overlap, or the ground would shine through between two steps.
        let over = if place + 1 < STEPS as usize { 0.5 } else { 0.0 };
        let area = Area { x: bar.x + place as f64 * step, width: step + over, ..bar };
        scene.fill(area, color((place as f64 + 0.5) / STEPS));
    }
    scene.frame(bar, FRAME, 0.8);
    for (value, share) in ticks {
        let x = bar.x + share * bar.width;
        scene.line(vec![(x, bar.bottom()), (x, bar.bottom() + 3.0)], INK, 0.8);
        scene.text(Text::new(value.clone(), x, bar.bottom() + 13.0, 10.0).anchored(Anchor::Middle));
    }
    let label = font::fit(label, TEXT, false, area.width);
    scene.text(Text::new(label, bar.middle().0, bar.bottom() + 28.0, TEXT).soft().anchored(Anchor::Middle));
}

fn entry_length(name: &str) -> f64 {
    length(name, TEXT, false) + 30.0
}

impl Scale {
    fn share(self, value: f64) -> f64 {
        let share = match self {
            Self::Linear { low, high } if high > low => (value - low) / (high - low),
            Self::Linear { .. } => 0.5,
            Self::Log(scale) => scale.share(value),
        };
        (share * (STEPS - 1.0)).round() / (STEPS - 1.0)
    }

    /// Texts along the bar and where they stand, 0 to 1.
    fn ticks(self) -> Vec<(String, f64)> {
        match self {
            Self::Linear { low, high } if high > low => {
                ticks::linear(low, high, 5).into_iter().map(|at| (written(at), (at - low) / (high - low))).collect()
            }
            Self::Linear { low, .. } => vec![(written(low), 0.5)],
            Self::Log(scale) => {
                let (low, high) = scale.exponents();
                ticks::powers(10_f64.powf(low), 10_f64.powf(high))
                    .into_iter()
                    .map(|at| (written(at), scale.share(at)))
                    .collect()
            }
        }
    }
}

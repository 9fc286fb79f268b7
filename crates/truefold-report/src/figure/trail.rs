//! A path through the points of a panel, with pictures of some of them in a strip beside the points.

use super::picture::Picture;
use super::scene::{Area, INK, PAPER, Rgb, SOFT, Scene, Shape};
use truefold::{Error, Result};

const PATH: Rgb = [196, 30, 58];
/// Room above and below the pictures of a strip.
const ROOM: f64 = 12.0;

/// A path and its pictures.
#[derive(Debug, Clone)]
pub(super) struct Trail {
    rows: Vec<usize>,
    pictures: Vec<(usize, Picture)>,
}

impl Trail {
    /// A path through `rows` of `len` points.
    pub(super) fn new(rows: Vec<usize>, pictures: Vec<(usize, Picture)>, len: usize) -> Result<Self> {
        let all = rows.iter().chain(pictures.iter().map(|(row, _)| row));
        match all.copied().find(|&row| row >= len) {
            Some(row) => Err(Error::data(
                format!("row {row} is on a path, but there are {len} points, from 0"),
                "name rows of the panel's points",
            )),
            None => Ok(Self { rows, pictures }),
        }
    }

    /// The width and height of a picture in a panel.
    fn size(&self, plot: Area) -> Option<(f64, f64)> {
        let (_, first) = self.pictures.first()?;
        let shape = first.rows() as f64 / first.columns() as f64;
        let cell = (plot.width - 2.0 * ROOM) / self.pictures.len() as f64;
        let width = (cell - 6.0).min(0.2 * plot.height / shape).max(4.0);
        Some((width, width * shape))
    }

    /// How high the strip of pictures is in a panel.
    pub(super) fn height(&self, plot: Area) -> f64 {
        self.size(plot).map_or(0.0, |size| size.1 + 2.0 * ROOM)
    }

    /// Draws the path, the pictures in their strip, and a line from each to its point.
    pub(super) fn draw(&self, scene: &mut Scene, plot: Area, strip: Area, at: &dyn Fn(usize) -> (f64, f64)) {
        let path: Vec<(f64, f64)> = self.rows.iter().map(|&row| at(row)).collect();
        scene.line(path.clone(), PAPER, 3.2);
        scene.line(path.clone(), PATH, 1.4);
        for place in path {
            square(scene, place, 2.0, PATH);
        }
        let Some((width, height)) = self.size(plot) else { return };
        let cell = (strip.width - 2.0 * ROOM) / self.pictures.len() as f64;
        let top = strip.middle().1 - height / 2.0;
        // A line leaves a picture on the side that faces the points.
        let from = if strip.y > plot.y { top } else { top + height };
        for (place, (row, picture)) in self.pictures.iter().enumerate() {
            let middle = strip.x + ROOM + (place as f64 + 0.5) * cell;
            let area = Area { x: middle - width / 2.0, y: top, width, height };
            scene.line(vec![(middle, from), at(*row)], SOFT, 0.6);
            square(scene, at(*row), 3.2, INK);
            scene.shapes.push(Shape::Picture { area, picture: picture.clone() });
            scene.frame(area, INK, 0.8);
        }
    }
}

fn square(scene: &mut Scene, (x, y): (f64, f64), half: f64, color: Rgb) {
    let area = Area { x: x - half, y: y - half, width: 2.0 * half, height: 2.0 * half };
    scene.shapes.push(Shape::Box { area, fill: Some(PAPER), stroke: Some((color, 1.2)) });
}

//! A panel of points: one, two or three coordinates to one scale, and paths through them with pictures.

use super::ellipses;
use super::font;
use super::key::Key;
use super::picture::Picture;
use super::scene::{Anchor, Area, Cloud, FRAME, INK, Scene, Shape, Text};
use super::ticks::{round_step, written};
use super::trail::Trail;
use super::view::{Place, View};
use super::{CAPTION, LINE};
use crate::color::seam_color;
use truefold::{Error, Points, Result, Tear};

/// Points in a panel.
///
/// Two coordinates are drawn as they are, one as a narrow band, three as seen from a [`View`], the nearest last. Both
/// directions have one scale, and a bar below the panel says which.
///
/// ```
/// use truefold::Points;
/// use truefold_report::figure::{Figure, Scatter};
///
/// let square = Points::from_rows(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])?;
/// let panel = Scatter::new("a square", &square).with_labels(&["a", "a", "b", "b"])?;
/// let svg = Figure::new("labels").with(panel).svg();
/// assert_eq!(svg.matches("<circle").count(), 4);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scatter {
    pub(super) title: String,
    caption: String,
    points: Points,
    values: Option<Vec<f64>>,
    labels: Option<Vec<String>>,
    view: View,
    seam: Vec<(u32, f64)>,
    ellipses: Vec<[f64; 3]>,
    above: Option<Trail>,
    below: Option<Trail>,
}

impl Scatter {
    /// The points under a title.
    pub fn new(title: impl Into<String>, points: &Points) -> Self {
        Self {
            title: title.into(),
            caption: String::new(),
            points: points.clone(),
            values: None,
            labels: None,
            view: View::default(),
            seam: Vec::new(),
            ellipses: Vec::new(),
            above: None,
            below: None,
        }
    }

    /// One line of text below the points.
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Colors each point by a number, on a scale common to the figure; NaN is gray.
    pub fn with_values(mut self, values: &[f64]) -> Result<Self> {
        self.check_count("values", values.len())?;
        self.values = Some(values.to_vec());
        Ok(self)
    }

    /// Colors each point by its label, alike in the whole figure; the ten most frequent have a color of their own.
    pub fn with_labels<S: AsRef<str>>(mut self, labels: &[S]) -> Result<Self> {
        self.check_count("labels", labels.len())?;
        self.labels = Some(labels.iter().map(|label| label.as_ref().to_owned()).collect());
        Ok(self)
    }

    /// Looks at three coordinates from here.
    pub fn with_view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// Marks both sides of a tear by their places along the seam: what has the same color belongs together.
    ///
    /// ```
    /// use truefold::embed::Psa;
    /// use truefold::{Neighborhoods, Pieces, Problem, Run, dataset, fit};
    /// use truefold_report::figure::{Figure, Scatter};
    ///
    /// let sample = dataset::find("cylinder")?.sample(&dataset::Request::new().with_points(300))?;
    /// let neighborhoods = Neighborhoods::nearest(&sample.points, 12, &Run::new())?;
    /// let problem = Problem::new(&sample.points, &neighborhoods, 2)?;
    /// let embedding = fit(&Psa::default(), &problem, Pieces::Error, &Run::new())?;
    /// let mut panel = Scatter::new("cut open", &embedding.points);
    /// if let Some(tear) = &embedding.tear {
    ///     panel = panel.with_seam(tear)?;
    /// }
    /// assert!(Figure::new("A cylinder").with(panel).svg().contains("equal colors belong together"));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn with_seam(mut self, tear: &Tear) -> Result<Self> {
        if let Some((row, _)) = tear.banks().last().filter(|bank| bank.0 as usize >= self.len()) {
            return Err(Error::data(
                format!("row {row} is torn, but there are {} points, from 0", self.len()),
                "give the tear of these points",
            ));
        }
        self.seam = tear.banks().to_vec();
        Ok(self)
    }

    /// Draws what balls of one size in the data become in a map of two dimensions, as many as have room.
    ///
    /// ```
    /// use truefold::local::ellipses;
    /// use truefold::{Input, Neighborhoods, Run, dataset};
    /// use truefold_report::figure::{Figure, Scatter};
    ///
    /// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(300))?;
    /// let neighborhoods = Neighborhoods::nearest(&roll.points, 10, &Run::new())?;
    /// let found = ellipses(Input::Points(&roll.points), &roll.truth, &neighborhoods, &Run::new())?;
    /// let mut panel = Scatter::new("laid flat", &roll.truth);
    /// if let Some(planar) = found.planar() {
    ///     panel = panel.with_ellipses(&planar)?;
    /// }
    /// assert!(Figure::new("").with(panel).svg().matches("<polyline").count() > 20);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn with_ellipses(mut self, ellipses: &[[f64; 3]]) -> Result<Self> {
        self.check_count("ellipses", ellipses.len())?;
        if self.points.dim() != 2 {
            return Err(Error::data(
                format!("ellipses lie in two dimensions, and these points have {}", self.points.dim()),
                "leave the ellipses out",
            ));
        }
        self.ellipses = ellipses.to_vec();
        Ok(self)
    }

    /// Draws a path through these rows, and pictures of some of them in a row above the points.
    pub fn with_path_above(mut self, rows: Vec<usize>, pictures: Vec<(usize, Picture)>) -> Result<Self> {
        self.above = Some(Trail::new(rows, pictures, self.len())?);
        Ok(self)
    }

    /// The same with the pictures below the points.
    pub fn with_path_below(mut self, rows: Vec<usize>, pictures: Vec<(usize, Picture)>) -> Result<Self> {
        self.below = Some(Trail::new(rows, pictures, self.len())?);
        Ok(self)
    }

    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    pub(super) fn is_torn(&self) -> bool {
        !self.seam.is_empty()
    }

    pub(super) fn values(&self) -> Option<&[f64]> {
        self.values.as_deref()
    }

    pub(super) fn labels(&self) -> Option<&[String]> {
        self.labels.as_deref()
    }

    fn check_count(&self, what: &str, given: usize) -> Result<()> {
        if given == self.len() {
            return Ok(());
        }
        Err(Error::data(format!("{given} {what} were given for {} points", self.len()), "give exactly one each"))
    }

    /// Draws the points into `plot` and what is said about them below it.
    pub(super) fn draw(&self, scene: &mut Scene, plot: Area, key: &Key<'_>) {
        scene.frame(plot, FRAME, 0.8);
        let [above, below] =
            [&self.above, &self.below].map(|trail| trail.as_ref().map_or(0.0, |trail| trail.height(plot)));
        let room = Area { y: plot.y + above, height: plot.height - above - below, ..plot };
        let radius = (0.3 * (room.width * room.height / self.len() as f64).sqrt()).clamp(0.5, 3.5);
        let places = self.view.places(&self.points);
        let page = Page::new(&places, room.inset(8.0 + radius));
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by(|&a, &b| places[b].depth.total_cmp(&places[a].depth).then(a.cmp(&b)));
        let mut colors = key.colors(self);
        for &(row, place) in &self.seam {
            colors[row as usize] = seam_color(place);
        }
        scene.shapes.push(Shape::Cloud(Cloud {
            area: room,
            centers: order.iter().map(|&index| page.at(places[index])).collect(),
            colors: order.iter().map(|&index| colors[index]).collect(),
            radius,
        }));
        // In space the colors alone tell, so that what is behind stays behind.
        if self.is_torn() && self.points.dim() < 3 {
            let centers: Vec<_> = self.seam.iter().map(|bank| page.at(places[bank.0 as usize])).collect();
            let radius = (1.3 * radius).max(1.8);
            let colors = self.seam.iter().map(|bank| seam_color(bank.1)).collect();
            let rim =
                Cloud { area: room, centers: centers.clone(), colors: vec![INK; centers.len()], radius: radius + 0.8 };
            let filling = Cloud { area: room, centers, colors, radius };
            scene.shapes.extend([rim, filling].map(Shape::Cloud));
        }
        ellipses::draw(scene, room, &self.ellipses, |row| page.at(places[row]));
        let strips = [(&self.above, plot.y, above), (&self.below, room.bottom(), below)];
        for (trail, y, height) in strips {
            if let Some(trail) = trail {
                trail.draw(scene, plot, Area { y, height, ..plot }, &|row| page.at(places[row]));
            }
        }
        let bar = page.draw_bar(scene, plot);
        let lines = font::lines(&self.caption, CAPTION, plot.width - bar - 10.0, plot.width);
        for (at, line) in lines.into_iter().enumerate() {
            scene.text(Text::new(line, plot.x, plot.bottom() + 14.0 + at as f64 * LINE, CAPTION).soft());
        }
    }

    /// Whether the caption may need a second line, beside a bar of any length.
    pub(super) fn has_long_caption(&self, width: f64) -> bool {
        font::length(&self.caption, CAPTION, false) > 0.6 * width
    }
}

/// From coordinates to the page.
struct Page {
    scale: f64,
    middle: (f64, f64),
    center: (f64, f64),
}

impl Page {
    fn new(places: &[Place], area: Area) -> Self {
        let bounds = |pick: fn(&Place) -> f64| {
            let fold = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
            places.iter().map(pick).fold((f64::INFINITY, f64::NEG_INFINITY), fold)
        };
        let ((left, right), (bottom, top)) = (bounds(|place| place.x), bounds(|place| place.y));
        // Halves first: the difference of two huge numbers may be beyond all numbers.
        let half = |low: f64, high: f64| high / 2.0 - low / 2.0;
        let fit = |room: f64, half: f64| if half > 0.0 { room / 2.0 / half } else { f64::INFINITY };
        let scale = fit(area.width, half(left, right)).min(fit(area.height, half(bottom, top)));
        let scale = if scale.is_finite() { scale } else { 0.0 };
        let middle = (left / 2.0 + right / 2.0, bottom / 2.0 + top / 2.0);
        Self { scale, middle, center: area.middle() }
    }

    fn at(&self, place: Place) -> (f64, f64) {
        let across = (place.x - self.middle.0) * self.scale;
        let up = (place.y - self.middle.1) * self.scale;
        (self.center.0 + across, self.center.1 - up)
    }

    /// Draws a bar of a round length at the right below the plot; how much of the line it takes.
    fn draw_bar(&self, scene: &mut Scene, plot: Area) -> f64 {
        if self.scale == 0.0 {
            return 0.0;
        }
        let length = round_step(plot.width * 0.1 / self.scale);
        let shown = length * self.scale;
        if shown == 0.0 || shown > 0.5 * plot.width {
            return 0.0;
        }
        let (right, y) = (plot.right(), plot.bottom() + 10.0);
        scene.line(vec![(right - shown, y), (right, y)], INK, 1.6);
        let text = written(length);
        let used = shown + 5.0 + font::length(&text, 10.0, false);
        scene.text(Text::new(text, right - shown - 5.0, y + 3.5, 10.0).soft().anchored(Anchor::End));
        used
    }
}

//! Whole figures: what is in the SVG, and that pixels are drawn.

use super::*;
use truefold::embed::Psa;
use truefold::{Neighborhoods, Pieces, Points, Problem, Run, fit};

fn cloud(count: usize, dim: usize) -> Points {
    let values = (0..count * dim).map(|at| ((at * 7919 + at / dim * 31) % 1000) as f64 / 100.0).collect();
    Points::new(count, dim, values).unwrap()
}

/// The pixels of a PNG, three bytes each, and its width.
fn pixels(png: &[u8]) -> (Vec<u8>, u32) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    bytes.truncate(info.buffer_size());
    (bytes, info.width)
}

#[test]
fn every_point_is_drawn_and_titles_stay_text() {
    let (flat, space, line) = (cloud(50, 2), cloud(40, 3), cloud(30, 1));
    let hostile = "<script>alert(1)</script> & \"more\" \u{1}";
    let figure = Figure::new(hostile)
        .with_letters()
        .with(Scatter::new(hostile, &flat))
        .with(Scatter::new("space", &space).with_caption(hostile))
        .with(Scatter::new("line", &line).with_labels(&[hostile; 30]).unwrap());
    let svg = figure.svg();
    assert_eq!(svg.matches("<circle").count(), 120);
    assert!(!svg.contains("<script"), "a title became markup");
    assert!(svg.contains("<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot; \u{fffd}</title>"));
    for text in ["aria-label=\"A\"", "aria-label=\"C\"", "aria-label=\"space\""] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn the_nearest_points_are_drawn_last() {
    // Looking along the second coordinate, the smallest is nearest.
    let points = Points::from_rows(&[[0.0, 0.0, 0.0], [1.0, 5.0, 1.0], [2.0, -5.0, 2.0]]).unwrap();
    let panel = Scatter::new("", &points).with_view(View { turn: 0.0, raise: 0.0 });
    let svg = Figure::new("").with(panel).svg();
    let at = |part: &str| part.split("cx=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap();
    let across: Vec<f64> = svg.split("<circle").skip(1).map(at).collect();
    assert!(across[1] < across[0] && across[0] < across[2], "{across:?}");
}

#[test]
fn both_directions_have_one_scale() {
    let points = Points::from_rows(&[[0.0, 0.0], [10.0, 0.0], [0.0, 1.0]]).unwrap();
    let svg = Figure::new("").with(Scatter::new("", &points)).svg();
    let number = |part: &str, name: &str| -> f64 {
        part.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let places: Vec<(f64, f64)> =
        svg.split("<circle").skip(1).map(|part| (number(part, "cx"), number(part, "cy"))).collect();
    let (long, high) = (places[1].0 - places[0].0, places[0].1 - places[2].1);
    assert!((long / high - 10.0).abs() < 0.05, "{places:?}");
}

#[test]
fn equal_values_have_equal_colors_in_all_panels() {
    let points = cloud(3, 2);
    let panel = |values: [f64; 3]| Scatter::new("", &points).with_values(&values).unwrap();
    let figure = Figure::new("").with(panel([0.0, 1.0, 2.0])).with(panel([1.0, 1.0, f64::NAN]));
    let svg = figure.svg();
    let mut colors = Vec::new();
    for group in svg.split("<g fill=\"").skip(1) {
        colors.extend(std::iter::repeat_n(&group[..7], group.matches("<circle").count()));
    }
    assert_eq!((colors[0], colors[2]), ("#440154", "#fde725"));
    assert_eq!(colors[1], colors[3]);
    assert_eq!(colors[3], colors[4]);
    assert_eq!(colors[5], "#b0b4ba");
}

#[test]
fn png_has_its_width_and_something_on_it_and_repeats() {
    let figure = Figure::new("pixels").with(Scatter::new("panel", &cloud(500, 2)));
    let png = figure.png(640).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let (bytes, width) = pixels(&png);
    assert_eq!(width, 640);
    let inked = bytes.chunks_exact(3).filter(|pixel| *pixel != [255, 255, 255]).count();
    assert!(inked > bytes.len() / 3 / 50 && inked < bytes.len() / 3 / 2, "{inked}");
    assert_eq!(png, figure.png(640).unwrap());
    assert_eq!(figure.svg(), figure.svg());
}

#[test]
fn sizes_beyond_reason_are_refused() {
    let figure = Figure::new("").with(Scatter::new("", &cloud(5, 2)));
    for width in [0, 15, 20_001] {
        assert!(figure.png(width).unwrap_err().to_string().contains("16 to 20000"));
    }
}

#[test]
fn a_hundred_thousand_points_stay_a_small_file() {
    let figure = Figure::new("many").with(Scatter::new("", &cloud(100_000, 2)));
    let svg = figure.svg();
    assert!(svg.len() < 3_000_000, "{}", svg.len());
    assert_eq!((svg.matches("<circle").count(), svg.matches("<image").count()), (0, 1));
    assert!(svg.contains("<desc>100000 points, drawn as pictures"));
}

#[test]
fn points_that_coincide_or_lie_far_out_are_drawn() {
    for values in [vec![3.0; 8], vec![1e300, -1e300, 0.0, 1.0, -1e300, 1e300, 5.0, 5.0], vec![1e-300; 8]] {
        let points = Points::new(4, 2, values).unwrap();
        let svg = Figure::new("").with(Scatter::new("", &points)).svg();
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn counts_that_do_not_match_are_refused() {
    let panel = Scatter::new("", &cloud(5, 2));
    let refused = [
        panel.clone().with_values(&[1.0; 4]).unwrap_err(),
        panel.clone().with_labels(&["a"; 6]).unwrap_err(),
        panel.with_path_above(vec![0, 5], Vec::new()).unwrap_err(),
    ];
    for (error, part) in refused.iter().zip(["4 values were given for 5", "6 labels", "row 5"]) {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn paths_carry_their_pictures() {
    let picture = Picture::from_values(2, 3, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let pictures = vec![(0, picture.clone()), (2, picture)];
    let panel = Scatter::new("", &cloud(5, 2)).with_path_below(vec![0, 1, 2], pictures).unwrap();
    let figure = Figure::new("").with(panel);
    assert_eq!(figure.svg().matches("<image").count(), 2);
    assert!(figure.png(300).is_ok());
}

#[test]
fn curves_leave_gaps_where_an_axis_cannot_show_a_value() {
    let points = [(1.0, 0.1), (2.0, 0.0), (3.0, 0.2), (4.0, 0.4), (5.0, f64::NAN), (6.0, 0.5)];
    let panel = Curves::new("gaps", "k", "R_N").with_log_y().with(Curve::new("one", &points).marked(0));
    let svg = Figure::new("").with(panel).svg();
    assert!(svg.contains("(2 values cannot be shown)"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // Four dots, one ring.
    assert_eq!(svg.matches("<ellipse").count(), 5);
}

#[test]
fn figures_without_panels_or_curves_are_drawn() {
    for figure in [Figure::new("empty"), Figure::new("").with(Curves::new("", "", ""))] {
        assert!(figure.svg().ends_with("</svg>\n"));
        assert!(figure.png(64).is_ok());
    }
}

#[test]
fn more_labels_than_colors_share_gray() {
    let labels: Vec<String> = (0..40).map(|at| format!("{}", at % 13)).collect();
    let figure = Figure::new("").with(Scatter::new("", &cloud(40, 2)).with_labels(&labels).unwrap());
    let svg = figure.svg();
    assert!(svg.contains("aria-label=\"others\"") && svg.contains("aria-label=\"9\""));
    assert!(!svg.contains("aria-label=\"12\""));
}

#[test]
fn letters_go_on_after_z() {
    assert_eq!([0, 25, 26, 51, 52].map(letter), ["A", "Z", "AA", "AZ", "BA"]);
}

#[test]
fn both_sides_of_a_seam_have_its_colors() {
    let circle = |at: i32| (f64::from(at) * std::f64::consts::TAU / 60.0).sin_cos();
    let ring = Points::from_rows(&(0..60).map(circle).map(|(y, x)| [x, y]).collect::<Vec<_>>()).unwrap();
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(&ring, 4, &run).unwrap();
    let problem = Problem::new(&ring, &neighborhoods, 1).unwrap();
    let embedding = fit(&Psa::default(), &problem, Pieces::Error, &run).unwrap();
    let tear = embedding.tear.unwrap();
    let torn = tear.banks().len();
    assert!((2..8).contains(&torn), "{torn}");
    let svg = |panel: Scatter| Figure::new("").with(panel).svg();
    // Every torn point once among the others, once as a rim and once as its filling.
    let line = svg(Scatter::new("", &embedding.points).with_seam(&tear).unwrap());
    assert_eq!(line.matches("<circle").count(), 60 + 2 * torn);
    assert!(line.contains("equal colors belong together"));
    let few = Scatter::new("", &cloud(5, 2)).with_seam(&tear).unwrap_err();
    assert!(few.to_string().contains("is torn, but there are 5 points"), "{few}");
}

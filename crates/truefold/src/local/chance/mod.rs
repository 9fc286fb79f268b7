//! What a neighborhood would give if its places in the embedding were handed out at random among its members.
//!
//! With C the chart of X_i and Y_i its centered embedding, m members each, P a random permutation and Z = C'PY: G and
//! G_C follow from tr L, the sum of the singular values of Z, and G_A = |C|^2 (1 - rank Y / (m - 1)) on average. For
//! G_C the closed form E|Z|^2 = |C|^2 |Y|^2 / (m - 1) is used, and only tr^2 L - |Z|^2, which has none and is zero for
//! d = 1, is drawn. The test compares |Z|^2, the numerator of Escoufier's RV coefficient, with its mean and variance over
//! all permutations (Kazi-Aoual, Hitier, Sabatier and Lebreton 1995), by a gamma distribution of the same two moments:
//! no draws, so that small p-values are told apart. Cost: O(m r d) a draw.

#[cfg(test)]
mod tests;

use crate::linalg::{Polar, dot, square};
use crate::random::Stream;
use crate::statistics::gamma_tail;

/// Draws for each neighborhood; over many neighborhoods they make a precise mean.
const DRAWS: usize = 8;

/// A neighborhood by chance; all but the p-value are sums of squares like those of [`Fit`](super::Fit).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Chance {
    /// G of permuted places.
    pub(crate) rigid: Drawn,
    /// G_C of permuted places.
    pub(crate) conformal: Drawn,
    /// G of the local PCA and permuted places.
    pub(crate) principal: Drawn,
    /// The least squares over all linear maps, for permuted places.
    pub(crate) linear: f64,
    /// The chance that permuted places agree with X as well as the actual ones; 1 where nothing can be told.
    pub(crate) p_value: f64,
}

impl Default for Chance {
    /// That of fewer than two members, of which nothing can be told.
    fn default() -> Self {
        let drawn = Drawn::default();
        Self { rigid: drawn, conformal: drawn, principal: drawn, linear: 0.0, p_value: 1.0 }
    }
}

/// A mean over draws.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Drawn {
    pub(crate) mean: f64,
    /// The squared standard error of the mean.
    pub(crate) variance: f64,
}

impl Drawn {
    fn of(values: &Lanes) -> Self {
        let mean = values.iter().sum::<f64>() / DRAWS as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Self { mean, variance: squares / (DRAWS * (DRAWS - 1)) as f64 }
    }
}

/// Two configurations of the same members, coordinate by coordinate, centered, and filled up with zeros.
pub(crate) struct Pair<'a> {
    /// The chart of X.
    pub(crate) source: &'a [f64],
    /// The embedding.
    pub(crate) target: &'a [f64],
    /// The length of a coordinate, and how many of its numbers are members.
    pub(crate) stride: usize,
    pub(crate) members: usize,
    /// The rank of the embedding.
    pub(crate) rank: usize,
}

/// One number of each draw.
type Lanes = [f64; DRAWS];

/// Work space for draws, which are made side by side.
#[derive(Debug, Default)]
pub(crate) struct Permuter {
    order: Vec<usize>,
    /// The coordinates of the places as they were handed out, coordinate by coordinate.
    placed: Vec<Lanes>,
    /// Z, r x d, column by column.
    cross: Vec<Lanes>,
    /// The Z of one draw.
    single: Vec<f64>,
    polar: Polar,
    work: Vec<f64>,
}

impl Permuter {
    /// What `pair` would give by chance; `seed` decides the draws.
    #[inline(always)]
    pub(super) fn chance(&mut self, pair: &Pair<'_>, seed: u64) -> Chance {
        let (extent, size) = (square(pair.source), square(pair.target));
        let dim = pair.target.len() / pair.stride;
        let width = pair.source.len() / pair.stride;
        let freedom = pair.members.saturating_sub(1).max(1) as f64;
        let linear = extent * (1.0 - pair.rank as f64 / freedom).max(0.0);
        if extent == 0.0 || size == 0.0 {
            // A single place fits nothing: all of X is left whatever the order.
            let nothing = Drawn { mean: extent + size, variance: 0.0 };
            let conformal = Drawn { mean: extent, variance: 0.0 };
            return Chance { rigid: nothing, conformal, principal: nothing, linear, p_value: 1.0 };
        }
        let principal = square(&pair.source[..(dim * pair.stride).min(pair.source.len())]);
        self.draw(pair, seed);
        let traces = self.nuclear_norms(width, dim, width);
        let squares = self.squares();
        let rigid = traces.map(|trace| extent + size - 2.0 * trace);
        // The share that the closed form gives, and the drawn rest.
        let conformal = std::array::from_fn(|draw| {
            let rest = (traces[draw] * traces[draw] - squares[draw]).max(0.0);
            extent * (1.0 - 1.0 / freedom) - rest / size
        });
        let leading = match width > dim {
            true => self.nuclear_norms(width, dim, dim).map(|trace| principal + size - 2.0 * trace),
            false => rigid,
        };
        Chance {
            rigid: Drawn::of(&rigid),
            conformal: Drawn::of(&conformal),
            principal: Drawn::of(&leading),
            linear,
            p_value: self.p_value(pair, extent, size),
        }
    }

    /// G_C of permuted places over |C|^2 and nothing else, for configurations that both have an extent.
    #[inline(always)]
    pub(crate) fn conformal(&mut self, pair: &Pair<'_>, seed: u64) -> Drawn {
        let sizes = square(pair.source) * square(pair.target);
        let (width, dim) = (pair.source.len() / pair.stride, pair.target.len() / pair.stride);
        let known = 1.0 - 1.0 / pair.members.saturating_sub(1).max(1) as f64;
        self.draw(pair, seed);
        let (traces, squares) = (self.nuclear_norms(width, dim, width), self.squares());
        Drawn::of(&std::array::from_fn(|draw| known - (traces[draw] * traces[draw] - squares[draw]).max(0.0) / sizes))
    }

    /// Hands the places out anew, once for each draw, and fills Z.
    #[inline(always)]
    fn draw(&mut self, pair: &Pair<'_>, seed: u64) {
        let mut random = Stream::new(seed);
        self.order.clear();
        self.order.extend(0..pair.members);
        self.placed.clear();
        self.placed.resize(pair.target.len() / pair.stride * pair.members, [0.0; DRAWS]);
        for draw in 0..DRAWS {
            for last in (1..pair.members).rev() {
                self.order.swap(last, below(&mut random, last + 1));
            }
            self.place(pair, draw);
        }
        self.multiply(pair);
    }

    /// Places the members in one draw.
    #[inline(always)]
    fn place(&mut self, pair: &Pair<'_>, draw: usize) {
        let columns = self.placed.chunks_exact_mut(pair.members).zip(pair.target.chunks_exact(pair.stride));
        for (placed, target) in columns {
            placed.iter_mut().zip(&self.order).for_each(|(placed, &from)| placed[draw] = target[from]);
        }
    }

    /// Z of what was placed.
    #[inline(always)]
    fn multiply(&mut self, pair: &Pair<'_>) {
        self.cross.clear();
        for placed in self.placed.chunks_exact(pair.members) {
            for source in pair.source.chunks_exact(pair.stride) {
                let mut sums = [0.0; DRAWS];
                for (values, &factor) in placed.iter().zip(source) {
                    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * factor);
                }
                self.cross.push(sums);
            }
        }
    }

    /// |Z|^2.
    #[inline(always)]
    fn squares(&self) -> Lanes {
        products(&self.cross, &self.cross)
    }

    /// The sum of the singular values of the first `rows` of the `width` rows of Z.
    #[inline(always)]
    fn nuclear_norms(&mut self, width: usize, dim: usize, rows: usize) -> Lanes {
        match dim {
            1 => products(&self.cross[..rows], &self.cross[..rows]).map(f64::sqrt),
            2 => {
                let (a, b) = (&self.cross[..rows], &self.cross[width..width + rows]);
                let (aa, bb, ab) = (products(a, a), products(b, b), products(a, b));
                std::array::from_fn(|at| (aa[at] + bb[at] + 2.0 * determinant(aa[at], bb[at], ab[at]).sqrt()).sqrt())
            }
            _ => std::array::from_fn(|draw| self.nuclear_norm(draw, width, dim, rows)),
        }
    }

    /// The same of one draw.
    #[inline(always)]
    fn nuclear_norm(&mut self, draw: usize, width: usize, dim: usize, rows: usize) -> f64 {
        self.single.clear();
        for column in self.cross.chunks_exact(width) {
            self.single.extend(column[..rows].iter().map(|lanes| lanes[draw]));
        }
        match rows >= dim {
            true => self.polar.decompose(&self.single, rows, dim),
            false => self.polar.decompose_wide(&self.single, rows, dim),
        }
        self.polar.trace()
    }

    /// How often permuted places agree with X as well as the actual ones.
    #[inline(always)]
    fn p_value(&mut self, pair: &Pair<'_>, extent: f64, size: f64) -> f64 {
        if pair.members < 4 {
            return 1.0;
        }
        // In units of the extents, so that no fourth power leaves the range of numbers.
        let source = Moments::of(pair.source, pair.stride, extent, &mut self.work);
        let target = Moments::of(pair.target, pair.stride, size, &mut self.work);
        let columns = || pair.target.chunks_exact(pair.stride);
        let products = pair.source.chunks_exact(pair.stride).flat_map(|a| columns().map(move |b| dot(a, b)));
        let statistic: f64 = products.map(|product| product * product).sum::<f64>() / extent / size;
        let n = pair.members as f64;
        let mean = 1.0 / (n - 1.0);
        let variance = 2.0 * source.spread(n) * target.spread(n) / ((n - 1.0).powi(2) * (n + 1.0) * (n - 2.0))
            + source.uneven(n) * target.uneven(n) / ((n + 1.0) * n * (n - 1.0) * (n - 2.0) * (n - 3.0));
        // All orders agree equally well, as for members that all lie at one distance from each other.
        if variance <= 1e-12 * mean * mean {
            return 1.0;
        }
        gamma_tail(mean * mean / variance, statistic * mean / variance)
    }
}

/// The scalar product of two columns, draw by draw.
#[inline(always)]
fn products(one: &[Lanes], other: &[Lanes]) -> Lanes {
    let mut sums = [0.0; DRAWS];
    for (one, other) in one.iter().zip(other) {
        sums.iter_mut().zip(one.iter().zip(other)).for_each(|(sum, (one, other))| *sum += one * other);
    }
    sums
}

/// a b - c^2 of a Gram matrix; zero where only rounding is left of it.
#[inline(always)]
fn determinant(a: f64, b: f64, c: f64) -> f64 {
    let value = a * b - c * c;
    if value > 1e-14 * a * b { value } else { 0.0 }
}

/// What the variance over permutations needs of a configuration of squared size 1 with Gram matrix A.
struct Moments {
    /// tr A^2.
    square: f64,
    /// The sum of the squared diagonal of A.
    diagonal: f64,
}

impl Moments {
    #[inline(always)]
    fn of(columns: &[f64], stride: usize, size: f64, work: &mut Vec<f64>) -> Self {
        let mut sum = 0.0;
        for a in columns.chunks_exact(stride) {
            for b in columns.chunks_exact(stride) {
                let product = dot(a, b) / size;
                sum += product * product;
            }
        }
        work.clear();
        work.resize(stride, 0.0);
        for column in columns.chunks_exact(stride) {
            for (square, value) in work.iter_mut().zip(column) {
                *square += value * value / size;
            }
        }
        Self { square: sum, diagonal: square(work) }
    }

    fn spread(&self, n: f64) -> f64 {
        (n - 1.0) * self.square - 1.0
    }

    fn uneven(&self, n: f64) -> f64 {
        n * (n + 1.0) * self.diagonal - (n - 1.0) * (1.0 + 2.0 * self.square)
    }
}

/// The next number of a stream below `limit`, which is small.
#[inline(always)]
fn below(random: &mut Stream, limit: usize) -> usize {
    (((random.bits() >> 32) * limit as u64) >> 32) as usize
}

//! What a neighborhood would give if its places in the embedding were handed out at random among its members.
//!
//! With C the chart of X_i and Y_i its centered embedding, m members each, P a random permutation and Z = C'PY: G and
//! G_C follow from tr L, the sum of the singular values of Z, and G_A = |C|^2 (1 - rank Y / (m - 1)) on average. For
//! G_C the closed form E|Z|^2 = |C|^2 |Y|^2 / (m - 1) is used, and only tr^2 L - |Z|^2, which has none and is zero for
//! d = 1, is drawn. The test compares |Z|^2, the numerator of Escoufier's RV coefficient, with its mean and variance over
//! all permutations (Kazi-Aoual, Hitier, Sabatier and Lebreton 1995), by a gamma distribution of the same two moments:
//! no draws, so that small p-values are told apart. Cost: O(m r d) a draw.

use crate::linalg::{Polar, dot, square};
use crate::random::Stream;
use crate::statistics::gamma_tail;

/// Draws for each neighborhood; over many neighborhoods they make a precise mean.
const DRAWS: usize = 8;

/// A neighborhood by chance; all but the p-value are sums of squares like those of [`Fit`](super::Fit).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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

/// A mean over draws.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Drawn {
    pub(crate) mean: f64,
    /// The squared standard error of the mean.
    pub(crate) variance: f64,
}

impl Drawn {
    fn of(values: &[f64; DRAWS]) -> Self {
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

/// Work space for draws.
#[derive(Debug, Default)]
pub(crate) struct Permuter {
    order: Vec<usize>,
    placed: Vec<f64>,
    cross: Vec<f64>,
    first: Vec<f64>,
    polar: Polar,
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
        let mut random = Stream::new(seed);
        let (mut rigid, mut conformal, mut leading) = ([0.0; DRAWS], [0.0; DRAWS], [0.0; DRAWS]);
        self.order.clear();
        self.order.extend(0..pair.members);
        for draw in 0..DRAWS {
            self.permute(pair, &mut random);
            let trace = self.nuclear_norm(width, dim);
            rigid[draw] = extent + size - 2.0 * trace;
            // The share that the closed form gives, and the drawn rest.
            let rest = (trace * trace - square(&self.cross)).max(0.0);
            conformal[draw] = extent * (1.0 - 1.0 / freedom) - rest / size;
            leading[draw] = if width > dim {
                self.lead(width, dim);
                principal + size - 2.0 * self.nuclear_norm(dim, dim)
            } else {
                rigid[draw]
            };
        }
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
        let mut random = Stream::new(seed);
        self.order.clear();
        self.order.extend(0..pair.members);
        Drawn::of(&std::array::from_fn(|_| {
            self.permute(pair, &mut random);
            let trace = self.nuclear_norm(width, dim);
            known - (trace * trace - square(&self.cross)).max(0.0) / sizes
        }))
    }

    /// Hands the places out anew and fills Z, r x d, column by column.
    #[inline(always)]
    fn permute(&mut self, pair: &Pair<'_>, random: &mut Stream) {
        for last in (1..pair.members).rev() {
            self.order.swap(last, below(random, last + 1));
        }
        self.cross.clear();
        for target in pair.target.chunks_exact(pair.stride) {
            self.placed.clear();
            self.placed.extend(self.order.iter().map(|&from| target[from]));
            self.placed.resize(pair.stride, 0.0);
            self.cross.extend(pair.source.chunks_exact(pair.stride).map(|source| dot(source, &self.placed)));
        }
    }

    /// Keeps the first `dim` rows of Z.
    #[inline(always)]
    fn lead(&mut self, width: usize, dim: usize) {
        self.first.clear();
        for column in self.cross.chunks_exact(width) {
            self.first.extend_from_slice(&column[..dim]);
        }
        std::mem::swap(&mut self.first, &mut self.cross);
    }

    /// The sum of the singular values of Z.
    #[inline(always)]
    fn nuclear_norm(&mut self, width: usize, dim: usize) -> f64 {
        match dim {
            1 => square(&self.cross).sqrt(),
            2 => {
                let (a, b) = self.cross.split_at(width);
                let (aa, bb, ab) = (square(a), square(b), dot(a, b));
                (aa + bb + 2.0 * determinant(aa, bb, ab).sqrt()).sqrt()
            }
            _ if width >= dim => {
                self.polar.decompose(&self.cross, width, dim);
                self.polar.trace()
            }
            _ => {
                self.polar.decompose_wide(&self.cross, width, dim);
                self.polar.trace()
            }
        }
    }

    /// How often permuted places agree with X as well as the actual ones.
    #[inline(always)]
    fn p_value(&mut self, pair: &Pair<'_>, extent: f64, size: f64) -> f64 {
        if pair.members < 4 {
            return 1.0;
        }
        // In units of the extents, so that no fourth power leaves the range of numbers.
        let source = Moments::of(pair.source, pair.stride, extent, &mut self.placed);
        let target = Moments::of(pair.target, pair.stride, size, &mut self.placed);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Centered columns of `members` numbers, padded.
    fn columns(count: usize, members: usize, seed: u64) -> Vec<f64> {
        let mut random = Stream::new(seed);
        let mut all = Vec::new();
        for _ in 0..count {
            let mut column: Vec<f64> = (0..members).map(|_| (random.bits() >> 40) as f64 / 1e7).collect();
            let mean = column.iter().sum::<f64>() / members as f64;
            column.iter_mut().for_each(|value| *value -= mean);
            column.resize(8, 0.0);
            all.extend(column);
        }
        all
    }

    #[test]
    fn the_share_alone_is_that_of_the_whole_and_near_that_of_all_orders() {
        for (width, dim) in [(3, 2), (2, 2), (1, 2), (4, 3)] {
            let (c, y) = (columns(width, 6, 5), columns(dim, 6, 9));
            let pair = Pair { source: &c, target: &y, stride: 8, members: 6, rank: dim };
            let (whole, share) = (Permuter::default().chance(&pair, 7), Permuter::default().conformal(&pair, 7));
            assert!((share.mean - whole.conformal.mean / square(&c)).abs() < 1e-12);
            let sizes = square(&c) * square(&y);
            let orders = all_orders(&pair);
            let exact = orders.iter().map(|(_, trace)| 1.0 - trace * trace / sizes).sum::<f64>() / orders.len() as f64;
            assert!((share.mean - exact).abs() < 5.0 * share.variance.sqrt() + 1e-12, "{} {exact}", share.mean);
        }
    }

    /// Every permutation of some members.
    fn orders(members: usize) -> Vec<Vec<usize>> {
        let longer = |order: Vec<usize>| {
            let others = (0..members).filter(|at| !order.contains(at)).collect::<Vec<_>>();
            others.into_iter().map(move |at| [&order[..], &[at]].concat())
        };
        (0..members).fold(vec![Vec::new()], |orders, _| orders.into_iter().flat_map(longer).collect())
    }

    /// |C'PY|^2 and its nuclear norm for every permutation of six members.
    fn all_orders(pair: &Pair<'_>) -> Vec<(f64, f64)> {
        let mut permuter = Permuter::default();
        let (width, dim) = (pair.source.len() / 8, pair.target.len() / 8);
        let one = |order: &Vec<usize>| {
            permuter.cross.clear();
            for target in pair.target.chunks_exact(8) {
                let mut placed: Vec<f64> = order.iter().map(|&from| target[from]).collect();
                placed.resize(8, 0.0);
                permuter.cross.extend(pair.source.chunks_exact(8).map(|source| dot(source, &placed)));
            }
            let norm = square(&permuter.cross);
            (norm, permuter.nuclear_norm(width, dim))
        };
        orders(pair.members).iter().map(one).collect()
    }

    #[test]
    fn moments_and_means_are_those_of_all_permutations() {
        for (width, dim) in [(3, 1), (3, 2), (2, 2), (1, 2), (4, 3)] {
            let (source, target) = (columns(width, 6, 1), columns(dim, 6, 2));
            let pair = Pair { source: &source, target: &target, stride: 8, members: 6, rank: dim };
            let (extent, size) = (square(&source), square(&target));
            let orders = all_orders(&pair);
            assert_eq!(orders.len(), 720);
            let mean = |of: &dyn Fn(&(f64, f64)) -> f64| orders.iter().map(of).sum::<f64>() / 720.0;
            let squares = mean(&|order| order.0);
            assert!((squares / (extent * size / 5.0) - 1.0).abs() < 1e-12);
            let variance = mean(&|order| (order.0 - squares).powi(2)) / (extent * size).powi(2);
            let (x, y) =
                (Moments::of(&source, 8, extent, &mut Vec::new()), Moments::of(&target, 8, size, &mut Vec::new()));
            let formula = 2.0 * x.spread(6.0) * y.spread(6.0) / (25.0 * 7.0 * 4.0)
                + x.uneven(6.0) * y.uneven(6.0) / (7.0 * 6.0 * 5.0 * 4.0 * 3.0);
            assert!((formula / variance - 1.0).abs() < 1e-10, "{width} {dim}: {formula} {variance}");

            let (mut rigid, mut conformal, draws) = (0.0, 0.0, 4000);
            for seed in 0..draws {
                let chance = Permuter::default().chance(&pair, seed * 7919);
                rigid += chance.rigid.mean / draws as f64;
                conformal += chance.conformal.mean / draws as f64;
            }
            let expected = mean(&|order| extent + size - 2.0 * order.1);
            assert!((rigid - expected).abs() < 0.01 * (extent + size), "{width} {dim}: {rigid} {expected}");
            let expected = mean(&|order| extent - order.1 * order.1 / size);
            assert!((conformal - expected).abs() < 0.005 * extent, "{width} {dim}: {conformal} {expected}");
        }
    }

    #[test]
    fn of_all_permutations_as_many_have_a_small_p_value_as_it_says() {
        let (mut permuter, mut counts) = (Permuter::default(), [0_usize; 3]);
        for seed in 0..30 {
            let (source, target) = (columns(3, 6, 500 + seed), columns(2, 6, 1000 + seed));
            let (extent, size) = (square(&source), square(&target));
            for order in orders(6) {
                let placed: Vec<f64> = target
                    .chunks_exact(8)
                    .flat_map(|column| order.iter().map(|&from| column[from]).chain([0.0; 2]))
                    .collect();
                let pair = Pair { source: &source, target: &placed, stride: 8, members: 6, rank: 2 };
                let p_value = permuter.p_value(&pair, extent, size);
                let levels = counts.iter_mut().zip([0.05, 0.2, 0.5]);
                levels.for_each(|(count, level)| *count += usize::from(p_value <= level));
            }
        }
        let shares = counts.map(|count| count as f64 / (30.0 * 720.0));
        let expected = [(0.05, 0.01), (0.2, 0.04), (0.5, 0.04)];
        for (share, (level, slack)) in shares.iter().zip(expected) {
            assert!((share - level).abs() < slack, "{shares:?}");
        }
    }

    #[test]
    fn the_same_shape_is_told_from_chance_and_a_simplex_never_is() {
        let source = columns(2, 8, 3);
        let pair = |source, target| Pair { source, target, stride: 8, members: 8, rank: 2 };
        let same = Permuter::default().chance(&pair(&source, &source), 0);
        assert!(same.p_value < 0.02, "{}", same.p_value);
        let other = columns(2, 8, 4);
        assert!(Permuter::default().chance(&pair(&source, &other), 0).p_value > 0.01);
        // Eight members at one distance from each other: seven equal principal axes.
        let simplex: Vec<f64> = (0..64).map(|at| if at % 9 == 0 { 7.0 / 8.0 } else { -1.0 / 8.0 }).collect();
        assert_eq!(Permuter::default().chance(&pair(&simplex, &source), 0).p_value, 1.0);
    }
}

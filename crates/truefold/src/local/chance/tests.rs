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
    let mut values = Vec::new();
    for orders in orders(pair.members).chunks_exact(DRAWS) {
        permuter.placed.resize(dim * pair.members, [0.0; DRAWS]);
        for (draw, order) in orders.iter().enumerate() {
            permuter.order.clone_from(order);
            permuter.place(pair, draw);
        }
        permuter.multiply(pair);
        values.extend(permuter.squares().into_iter().zip(permuter.nuclear_norms(width, dim, width)));
    }
    values
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
        let (x, y) = (Moments::of(&source, 8, extent, &mut Vec::new()), Moments::of(&target, 8, size, &mut Vec::new()));
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

//! Which analyzers may explain which points, listed both ways.

/// Pairs of an analyzer and a point, in the order of the analyzers and in that of the points.
#[derive(Debug)]
pub(super) struct Memberships {
    /// Where the slots of each analyzer begin.
    starts: Vec<usize>,
    /// The point of each slot.
    members: Vec<u32>,
    /// The place of each slot in the order of the points.
    places: Vec<usize>,
    /// Where the places of each point begin.
    offsets: Vec<usize>,
    /// The analyzer of each place, and its slot.
    owners: Vec<(u32, usize)>,
}

impl Memberships {
    /// From the points that each analyzer holds; gives the shares in the order of the points.
    pub(super) fn new(held: &[Vec<(u32, f64)>], count: usize) -> (Self, Vec<f64>) {
        let mut offsets = vec![0; count + 1];
        for &(point, _) in held.iter().flatten() {
            offsets[point as usize + 1] += 1;
        }
        for point in 0..count {
            offsets[point + 1] += offsets[point];
        }
        let total = offsets[count];
        let mut next = offsets.clone();
        let (mut starts, mut members, mut places) = (vec![0], Vec::with_capacity(total), Vec::with_capacity(total));
        let (mut owners, mut shares) = (vec![(0, 0); total], vec![0.0; total]);
        for (analyzer, held) in held.iter().enumerate() {
            for &(point, share) in held {
                let place = &mut next[point as usize];
                owners[*place] = (analyzer as u32, members.len());
                shares[*place] = share;
                places.push(*place);
                members.push(point);
                *place += 1;
            }
            starts.push(members.len());
        }
        (Self { starts, members, places, offsets, owners }, shares)
    }

    /// The number of analyzers.
    pub(super) fn analyzers(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of points.
    pub(super) fn points(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The points of an analyzer with their places.
    pub(super) fn of_analyzer(&self, analyzer: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
        let slots = self.starts[analyzer]..self.starts[analyzer + 1];
        self.members[slots.clone()].iter().map(|&point| point as usize).zip(self.places[slots].iter().copied())
    }

    /// The places of a point, each with its analyzer and its slot.
    pub(super) fn of_point(&self, point: usize) -> impl Iterator<Item = (usize, usize, usize)> + Clone {
        let places = self.offsets[point]..self.offsets[point + 1];
        places.map(|place| (place, self.owners[place].0 as usize, self.owners[place].1))
    }
}

//! Gradient descent with momentum and a gain for each coordinate.
//!
//! A gain grows while its coordinate goes downhill in the direction that it moves, and shrinks where it swings (Jacobs
//! 1988, as t-SNE has it). No point moves farther than a given length in a step. Cost: O(n d) a step.

/// What a descent remembers from step to step.
#[derive(Debug, Clone)]
pub(crate) struct Descent<const D: usize> {
    velocities: Vec<[f64; D]>,
    gains: Vec<[f64; D]>,
}

/// How a step is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The step for a gradient of one.
    pub(crate) rate: f64,
    /// The share of the last step that is made again.
    pub(crate) momentum: f64,
    /// The longest step of a point.
    pub(crate) longest: f64,
}

/// A gain does not fall below this.
const LEAST_GAIN: f64 = 0.01;

impl<const D: usize> Descent<D> {
    /// At rest.
    pub(crate) fn new(count: usize) -> Self {
        Self { velocities: vec![[0.0; D]; count], gains: vec![[1.0; D]; count] }
    }

    /// What it remembers of the points in another order.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        self.velocities = order.iter().map(|&row| self.velocities[row as usize]).collect();
        self.gains = order.iter().map(|&row| self.gains[row as usize]).collect();
    }

    /// Moves the points against `gradient`, and keeps their mean at the origin.
    pub(crate) fn step(&mut self, places: &mut [[f64; D]], gradient: &[[f64; D]], pace: Pace) {
        let mut mean = [0.0; D];
        let points = places.iter_mut().zip(gradient).zip(self.velocities.iter_mut().zip(&mut self.gains));
        for ((place, gradient), (velocity, gains)) in points {
            for axis in 0..D {
                let gain = &mut gains[axis];
                let is_downhill = velocity[axis] * gradient[axis] < 0.0 || velocity[axis] == 0.0;
                *gain = if is_downhill { *gain + 0.2 } else { *gain * 0.8 + LEAST_GAIN };
                velocity[axis] = pace.momentum * velocity[axis] - pace.rate * *gain * gradient[axis];
            }
            let length = velocity.iter().map(|part| part * part).sum::<f64>().sqrt();
            if length > pace.longest {
                velocity.iter_mut().for_each(|part| *part *= pace.longest / length);
            }
            for axis in 0..D {
                place[axis] += velocity[axis];
                mean[axis] += place[axis];
            }
        }
        let count = places.len() as f64;
        for place in places {
            place.iter_mut().zip(mean).for_each(|(place, mean)| *place -= mean / count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descent_finds_the_bottom_of_a_long_bowl() {
        let mut places = vec![[3.0, 1.0], [-3.0, -1.0]];
        let mut descent = Descent::new(2);
        let pace = Pace { rate: 0.1, momentum: 0.8, longest: 0.5 };
        for step in 0..400 {
            let before = places.clone();
            let gradient: Vec<[f64; 2]> =
                places.iter().map(|place: &[f64; 2]| [0.05 * place[0], 2.0 * place[1]]).collect();
            descent.step(&mut places, &gradient, pace);
            for (now, then) in places.iter().zip(&before) {
                let moved = ((now[0] - then[0]).powi(2) + (now[1] - then[1]).powi(2)).sqrt();
                assert!(moved <= 0.5 + 1e-12, "{step}: {moved}");
            }
        }
        assert!(places.iter().flatten().all(|at| at.abs() < 1e-3), "{places:?}");
    }
}

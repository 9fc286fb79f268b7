//! The neighborhood graph: its lists and links, components, walks and shortest paths, orders of its points, and which of
//! them lie on each other in a map.

mod adjacency;
mod ball_count;
mod breadth_first;
mod collapsed;
mod common_neighbors;
mod landmarks;
mod length_graph;
mod links;
mod locality;
mod renumber;

pub(crate) use adjacency::Adjacency;
pub(crate) use ball_count::BallCount;
pub(crate) use breadth_first::breadth_first;
pub(crate) use collapsed::{LocalRadius, Radius, StepBall};
pub(crate) use common_neighbors::{CommonNeighbors, false_share, is_on_itself};
pub(crate) use landmarks::spread_landmarks;
pub(crate) use length_graph::{LengthGraph, PathTree, ShortestPaths};
pub(crate) use links::Links;
pub(crate) use locality::{breadth_first_order, spatial_order};
pub(crate) use renumber::{RENUMBER_FROM, Renumbering};

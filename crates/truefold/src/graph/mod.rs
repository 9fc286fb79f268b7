//! The neighborhood graph: its links, components, walks and shortest paths, and which of its points lie on each other
//! in a map.

mod ball_count;
mod collapsed;
mod holders;
mod landmarks;
mod links;
mod renumber;
mod shortest_paths;
mod spatial_order;

pub(crate) use ball_count::BallCount;
pub(crate) use collapsed::{LocalRadius, Radius, Walk};
pub(crate) use holders::{Holders, turned_round};
pub(crate) use landmarks::spread_landmarks;
pub(crate) use links::Links;
#[cfg(test)]
pub(crate) use renumber::RENUMBER_FROM;
pub(crate) use renumber::Renumbering;
pub(crate) use shortest_paths::{Graph, PathTree, ShortestPaths};
pub(crate) use spatial_order::spatial_order;

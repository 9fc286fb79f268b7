//! Semidefinite embedding.

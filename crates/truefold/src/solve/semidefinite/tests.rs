//! The semidefinite program.

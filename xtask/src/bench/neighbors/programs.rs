//! The other programs, each with the settings that are tried, from the cheapest on.
//!
//! pynndescent: more candidates per round (`max_candidates`) and longer lists than wanted (`n_neighbors`) raise the recall;
//! fewer trees and rounds lower the cost. hnswlib and FAISS: a denser graph (`M`, `ef_construction`) and a wider search (`ef`)
//! raise it. The rest of their parameters is left as it is.

use serde_json::{Value, json};

/// Another program and its settings.
pub struct Program {
    /// The name that `neighbors_peer.py` has for it.
    pub name: &'static str,
    pub settings: Vec<Value>,
}

/// The program that the targets compare with.
pub const PYNNDESCENT: &str = "pynndescent";

/// Programs that find most of the neighbors.
pub fn approximate() -> Vec<Program> {
    let mut graphs = Vec::new();
    for (m, construction, widths) in [(12, 60, [16, 32, 64]), (32, 200, [64, 200, 600])] {
        graphs.extend(widths.map(|ef| json!({"M": m, "ef_construction": construction, "ef": ef})));
    }
    vec![
        Program { name: PYNNDESCENT, settings: pynndescent(&[18, 24, 30, 40, 60], true) },
        Program { name: "hnswlib", settings: graphs.clone() },
        Program { name: "faiss-hnsw", settings: graphs },
    ]
}

/// pynndescent alone, by fewer settings: for points that take minutes.
pub fn pynndescent_on_many() -> Vec<Program> {
    vec![Program { name: PYNNDESCENT, settings: pynndescent(&[18, 24, 30, 40], false) }]
}

/// Programs that compare all pairs.
pub fn exact() -> Vec<Program> {
    let precision = |name: &str| Program { name: "scikit-learn", settings: vec![json!({"precision": name})] };
    vec![precision("float32"), precision("float64"), Program { name: "faiss-flat", settings: vec![json!({})] }]
}

fn pynndescent(lists: &[usize], cheap: bool) -> Vec<Value> {
    let mut settings = Vec::new();
    if cheap {
        settings.push(json!({"n_trees": 4, "n_iters": 2, "max_candidates": 20}));
        settings.push(json!({"n_trees": 4, "n_iters": 3}));
        settings.push(json!({}));
        settings.push(json!({"max_candidates": 20}));
    }
    settings.extend(lists.iter().map(|length| json!({"n_neighbors": length})));
    settings
}

//! Judges an embedding from another program: `cargo run --release --example judge_an_embedding -- x.csv y.csv`.
//!
//! Row i of the second file is the embedding of row i of the first.
#![allow(clippy::print_stdout, reason = "an example that prints what it found")]

use truefold::io::{ReadOptions, read};
use truefold::judge;

fn main() -> truefold::Result<()> {
    let mut paths = std::env::args().skip(1);
    let (Some(x), Some(y)) = (paths.next(), paths.next()) else {
        println!("name the file of the data and the file of the embedding");
        return Ok(());
    };
    let options = ReadOptions::default();
    let judgment = judge(&read(x, &options)?, &read(y, &options)?, 12)?;
    for scored in &judgment.scores {
        println!(
            "{:<8} {:.4}, best possible {:.4}",
            scored.info.symbol,
            scored.score.value,
            scored.score.lower_bound.unwrap_or(0.0)
        );
    }
    if let Some(worst) = judgment.worst(3) {
        println!("the worst tenth of the points holds {:.0} % of R_N", 100.0 * worst.tenth_share);
        worst.rows.iter().for_each(|(row, value)| println!("  row {row}: {value:.4}"));
    }
    judgment.warnings.iter().for_each(|warning| println!("note: {warning}"));
    Ok(())
}

//! What a device finds in leaves, with the kernel's work done on the processor: the links of a sorted list, whatever is tied.

use super::emulated_leaves::choose;
use super::leaves::{WIDEST, check_room, held};
use crate::neighbors::Norm;
use crate::neighbors::kernel::Rows;
use crate::random::hash;

#[test]
fn the_smallest_links_are_chosen() {
    for (case, kinds) in [(0, 1 << 30), (1, 40), (2, 3), (3, 1)] {
        let draw = |at: usize| hash(case, at as u64);
        let never = f32::INFINITY.to_bits();
        let bits = |at: usize| if draw(at) % 7 == 0 { never } else { ((draw(at) % kinds) as f32 / 9.0).to_bits() };
        let values: Vec<u32> = (0..WIDEST).map(bits).collect();
        // Rows in no order, each once.
        let ids: Vec<u32> = (0..WIDEST).map(|at| ((at * 77) % 512 * 5) as u32).collect();
        let mut sorted: Vec<u64> = values
            .iter()
            .zip(&ids)
            .filter(|(bits, _)| **bits != never)
            .map(|(bits, id)| (u64::from(*bits) << 32) | u64::from(*id))
            .collect();
        sorted.sort_unstable();
        for room in [1, 7, 40, 300, 511] {
            let mut chosen = choose(&values, &ids, room);
            chosen.sort_unstable();
            assert_eq!(chosen, sorted[..room.min(sorted.len())], "case {case}, room for {room}");
        }
    }
}

#[test]
fn leaves_that_do_not_fit_are_refused_in_one_sentence() {
    let (values, squares) = (vec![0.0; 6000], vec![0.0; 2000]);
    let rows = Rows { values: &values, squares: &squares, dim: 3, norm: Norm::Squares };
    let held = held(rows, 0.0, 10);
    assert!(check_room(&held, 2 * held.bytes()).is_ok());
    assert_eq!(
        check_room(&held, held.bytes()).unwrap_err().to_string(),
        format!(
            "device = gpu has {} free bytes of memory, which is too little for this search; choose cpu for device, or free \
             memory of the device",
            held.bytes()
        )
    );
}

// All pairs of every leaf of a tree in single precision, and for each of its points the nearest ones within reach.
//
// For points i and j of a leaf, with rows a_i and squares s_i, the value is (s_i + s_j) - 2 a_i'a_j. The product adds fused
// multiplications in the order of the coordinates, as kernel.rs does on the processor. Where the value is not above zero and
// not above `doubtful` (s_i + s_j) it is mostly error, and the sum of the squared differences takes its place, in sixteen
// lanes as in rough.rs. So values have the bits of the processor. A link is a value and a row, ordered by the bits of the
// value, then by the row; a point gets its `room` smallest links.
//
// A block of 256 threads takes 32 points of a leaf as rows and all its points, at most 512, as columns. A thread has two
// columns, whose numbers come 16 at a time into registers; those of the rows come through shared memory. The values of the
// block then lie in shared memory, and a warp chooses those of a row by halving intervals of bits.
//
// Cost: 2 m^2 r operations for a leaf of m points with r coordinates.

constexpr int HIGH = 32;       // rows of a block
constexpr int WIDE = 512;      // points of a leaf, at the most
constexpr int STEP = 16;       // numbers of a step, and lanes of a sum
constexpr int THREADS = 256;
constexpr int OWN = WIDE / THREADS;  // columns of a thread
constexpr unsigned ALL = 0xffffffffu;
constexpr unsigned NEVER = 0x7f800000u;  // the bits of infinity: no link

struct Task {
    const float *rows;         // `stride` numbers each, filled up with zeros
    const float *squares;
    const unsigned *ids;       // the rows of the leaves, leaf by leaf
    const float *reaches;      // of each of these: how large a value may be
    const unsigned *starts;    // where each leaf begins among them, and the end
    unsigned *counts;          // links of each
    uint2 *links;              // row and bits of the value, `room` for each
    unsigned stride;           // a multiple of STEP
    unsigned room;
    float doubtful;
};

// The sum of squared differences of two rows.
__device__ float summed(const float *a, const float *b, unsigned stride) {
    float lanes[STEP];
#pragma unroll
    for (int lane = 0; lane < STEP; lane++) lanes[lane] = 0.0f;
    for (unsigned start = 0; start < stride; start += STEP) {
#pragma unroll
        for (int lane = 0; lane < STEP; lane++) {
            const float difference = __fadd_rn(a[start + lane], -b[start + lane]);
            lanes[lane] = __fadd_rn(lanes[lane], __fmul_rn(difference, difference));
        }
    }
#pragma unroll
    for (int width = STEP / 2; width > 0; width /= 2) {
#pragma unroll
        for (int lane = 0; lane < STEP / 2; lane++) {
            if (lane < width) lanes[lane] = __fadd_rn(lanes[lane], lanes[lane + width]);
        }
    }
    return lanes[0];
}

// How many values of a row are below `limit`; by one warp.
__device__ unsigned below(const float *values, unsigned limit) {
    unsigned found = 0;
    for (unsigned at = threadIdx.x & 31; at < WIDE; at += 32) found += __float_as_uint(values[at]) < limit;
    return __reduce_add_sync(ALL, found);
}

// How many of the rows whose value is `tied` are below `limit`; by one warp.
__device__ unsigned tied_below(const float *values, const unsigned *ids, unsigned tied, unsigned limit) {
    unsigned found = 0;
    for (unsigned at = threadIdx.x & 31; at < WIDE; at += 32) {
        found += __float_as_uint(values[at]) == tied && ids[at] < limit;
    }
    return __reduce_add_sync(ALL, found);
}

// Writes the smallest links of a row, `room` at the most, in any order; how many there are. By one warp.
__device__ unsigned choose(const float *values, const unsigned *ids, unsigned room, uint2 *links) {
    const unsigned lane = threadIdx.x & 31;
    // All below `to` stay; of those at `from`, if it is not `to`, the ones whose row is below `last`.
    unsigned from = 0, to = NEVER, last = 0, under = below(values, NEVER);
    while (under > room && to - from > 1) {
        const unsigned pivot = from + (to - from) / 2, found = below(values, pivot);
        if (found < room) {
            from = pivot;
        } else {
            to = pivot;
            under = found;
        }
    }
    unsigned limit = to;
    if (under > room) {
        // All of the values that are left in question are the same.
        limit = from;
        const unsigned wanted = room - below(values, from);
        unsigned least = 0;
        last = ALL;
        while (last - least > 1) {
            const unsigned pivot = least + (last - least) / 2;
            if (tied_below(values, ids, from, pivot) < wanted) {
                least = pivot;
            } else {
                last = pivot;
            }
        }
    }
    unsigned kept = 0;
    for (unsigned at = lane; at < WIDE; at += 32) {
        const unsigned bits = __float_as_uint(values[at]);
        const bool stays = bits < limit || (bits == limit && ids[at] < last);
        const unsigned mask = __ballot_sync(ALL, stays);
        if (stays) links[kept + __popc(mask & ((1u << lane) - 1))] = make_uint2(ids[at], bits);
        kept += __popc(mask);
    }
    return kept;
}

extern "C" __global__ void __launch_bounds__(THREADS) leaves(const __grid_constant__ Task task) {
    extern __shared__ __align__(16) float values[];  // HIGH x WIDE
    __shared__ __align__(16) float rows[STEP * HIGH];
    __shared__ unsigned ids[WIDE];
    __shared__ float squares[WIDE];
    const unsigned first = task.starts[blockIdx.y], count = task.starts[blockIdx.y + 1] - first;
    const unsigned high = blockIdx.x * HIGH;
    if (high >= count) return;
    for (unsigned at = threadIdx.x; at < WIDE; at += THREADS) {
        // What fills up the block is a copy of the first point, and is no link.
        ids[at] = task.ids[first + (at < count ? at : 0)];
        squares[at] = task.squares[ids[at]];
    }
    __syncthreads();

    float sums[OWN][HIGH];
    const float *own[OWN];
#pragma unroll
    for (int c = 0; c < OWN; c++) {
        own[c] = task.rows + (size_t)ids[threadIdx.x + c * THREADS] * task.stride;
#pragma unroll
        for (int r = 0; r < HIGH; r++) sums[c][r] = 0.0f;
    }
    // Two neighboring numbers of a row are brought by each thread.
    const unsigned brought = threadIdx.x / (STEP / 2), pair = threadIdx.x % (STEP / 2) * 2;
    const float *from = task.rows + (size_t)ids[high + brought] * task.stride + pair;
    for (unsigned start = 0; start < task.stride; start += STEP) {
        const float2 two = *(const float2 *)(from + start);
        rows[pair * HIGH + brought] = two.x;
        rows[(pair + 1) * HIGH + brought] = two.y;
        float numbers[OWN][STEP];
#pragma unroll
        for (int c = 0; c < OWN; c++) {
#pragma unroll
            for (int four = 0; four < STEP / 4; four++) {
                const float4 read = *(const float4 *)(own[c] + start + four * 4);
                numbers[c][four * 4] = read.x;
                numbers[c][four * 4 + 1] = read.y;
                numbers[c][four * 4 + 2] = read.z;
                numbers[c][four * 4 + 3] = read.w;
            }
        }
        __syncthreads();
#pragma unroll
        for (int axis = 0; axis < STEP; axis++) {
#pragma unroll
            for (int r = 0; r < HIGH; r += 4) {
                const float4 four = *(const float4 *)(rows + axis * HIGH + r);
#pragma unroll
                for (int c = 0; c < OWN; c++) {
                    sums[c][r] = __fmaf_rn(four.x, numbers[c][axis], sums[c][r]);
                    sums[c][r + 1] = __fmaf_rn(four.y, numbers[c][axis], sums[c][r + 1]);
                    sums[c][r + 2] = __fmaf_rn(four.z, numbers[c][axis], sums[c][r + 2]);
                    sums[c][r + 3] = __fmaf_rn(four.w, numbers[c][axis], sums[c][r + 3]);
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int c = 0; c < OWN; c++) {
        const unsigned column = threadIdx.x + c * THREADS;
#pragma unroll
        for (int r = 0; r < HIGH; r++) {
            const float both = __fadd_rn(squares[high + r], squares[column]);
            values[r * WIDE + column] = __fadd_rn(both, __fmul_rn(-2.0f, sums[c][r]));
        }
    }
    // The same thread looks at them once more, in a loop that is not unrolled, as few are in doubt.
    for (unsigned at = threadIdx.x; at < HIGH * WIDE; at += THREADS) {
        const unsigned row = high + at / WIDE, column = at % WIDE;
        float value = values[at];
        const bool is_pair = row < count && column < count && row != column;
        if (is_pair && !(value > 0.0f && value > __fmul_rn(task.doubtful, __fadd_rn(squares[row], squares[column])))) {
            const float *one = task.rows + (size_t)ids[row] * task.stride;
            value = summed(one, task.rows + (size_t)ids[column] * task.stride, task.stride);
        }
        if (!is_pair || !(value <= task.reaches[first + row])) value = __uint_as_float(NEVER);
        values[at] = value;
    }
    __syncthreads();

    for (unsigned r = threadIdx.x >> 5; r < HIGH && high + r < count; r += THREADS / 32) {
        const size_t line = first + high + r;
        const unsigned kept = choose(values + r * WIDE, ids, task.room, task.links + line * task.room);
        if ((threadIdx.x & 31) == 0) task.counts[line] = kept;
    }
}

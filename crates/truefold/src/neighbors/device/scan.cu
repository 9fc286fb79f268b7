// All columns of a chunk against a batch of rows: products of half-precision numbers on tensor cores, and for each row a
// list of the columns that may be near, kept while the columns pass by.
//
// For row i and column j, with the numbers of a row multiplied by 1 / c_i, p = a_i'a_j and t_ij = l_j - 2 c_i c_j p: the
// lowered square of the column is l_j, so that l_i + t_ij is at most the square of the distance (operands.rs has the
// bound). A list holds every column with t below the threshold of its row; when it is nearly full, the threshold falls to
// about the `keep`-th smallest t and what is not below it leaves. Whoever is not in a list has t at or above the threshold.
//
// A block of 4 warps takes 128 rows and walks over all tiles of 128 columns; each warp has 64 x 64 sums in registers. Steps
// of 32 numbers come through a ring in shared memory, without a break between tiles. In three parts a step takes the upper
// halves of rows and the lower of columns, and so on, in the order of their size: low times high, high times low, high
// times high.
//
// Cost: 2 R C q operations; R C q / 32 bytes from the cache of the second level.

typedef unsigned short half_bits;

constexpr int HIGH = 128;          // rows of a block
constexpr int WIDE = 128;          // columns of a tile
constexpr int STEP = 32;           // numbers of a step
constexpr int RING = 4;            // steps in shared memory
constexpr int THREADS = 128;
constexpr int OPERAND = HIGH * STEP * 2;  // bytes of one operand of a step
constexpr unsigned ALL = 0xffffffffu;

struct Slab {
    const half_bits *high;     // rows of `stride` numbers
    const half_bits *low;      // what they leave, or nothing
    const float2 *terms;       // c and l of each row
};

struct Lists {
    float *threshold;          // of each row of the batch
    unsigned *count;
    uint2 *entries;            // t and column, `capacity` for each row
    float *out_threshold;
    unsigned *out_count;
    uint2 *out_entries;        // `keep + keep / 4` for each row
};

struct Task {
    Slab rows;
    Slab columns;
    Lists lists;
    const unsigned *ids;       // the number of each row of the batch among all columns
    unsigned first_column;     // the number of the first column of the chunk
    unsigned tiles;            // of the chunk
    unsigned steps;            // stride / STEP
    unsigned parts;            // 1, or 3 with lower halves
    unsigned capacity;         // at least 5/4 keep + WIDE
    unsigned keep;
    unsigned last;             // whether no chunk follows
};

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return (unsigned)__cvta_generic_to_shared(pointer);
}

__device__ __forceinline__ void copy_async(unsigned to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}

__device__ __forceinline__ void load_four(unsigned (&out)[4], unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(from));
}

__device__ __forceinline__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Where 8 numbers of a row lie in an operand: turned so that eight rows never meet in one bank.
__device__ __forceinline__ unsigned place(unsigned row, unsigned eight) {
    return row * (STEP * 2) + ((eight ^ ((row >> 1) & 3)) << 4);
}

// Unsigned numbers in the order of the floats.
__device__ __forceinline__ unsigned key_of(unsigned bits) {
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ __forceinline__ float value_of(unsigned key) {
    return __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

// Copies of one step of both operands, by all threads.
struct Feed {
    const half_bits *rows, *columns;
    unsigned tile, part, step, slot;

    __device__ __forceinline__ void next(const Task &task, unsigned ring) {
        if (tile < task.tiles) {
            const unsigned stride = task.steps * STEP;
            const bool low_rows = task.parts == 3 && part == 0, low_columns = task.parts == 3 && part == 1;
            const size_t first = (size_t)blockIdx.x * HIGH * stride + step * STEP;
            const size_t beside = (size_t)tile * WIDE * stride + step * STEP;
            const half_bits *a = (low_rows ? task.rows.low : task.rows.high) + first;
            const half_bits *b = (low_columns ? task.columns.low : task.columns.high) + beside;
            const unsigned row = threadIdx.x >> 2, eight = threadIdx.x & 3;
            const unsigned to = ring + slot * 2 * OPERAND;
#pragma unroll
            for (int i = 0; i < HIGH / (THREADS / 4); i++) {
                const unsigned at = row + i * (THREADS / 4);
                copy_async(to + place(at, eight), a + (size_t)at * stride + eight * 8);
                copy_async(to + OPERAND + place(at, eight), b + (size_t)at * stride + eight * 8);
            }
            slot = (slot + 1) % RING;
            if (++step == task.steps) {
                step = 0;
                if (++part == task.parts) {
                    part = 0;
                    tile++;
                }
            }
        }
        asm volatile("cp.async.commit_group;");
    }
};

// How many of the first `count` entries are below `pivot`.
__device__ unsigned below(const uint2 *entries, unsigned count, unsigned pivot) {
    unsigned found = 0;
    for (unsigned at = threadIdx.x & 31; at < count; at += 32) found += key_of(entries[at].x) < pivot;
    return __reduce_add_sync(ALL, found);
}

// Lowers the threshold of a row so that about `keep` entries stay; by one warp. What lies at the threshold stays as far as
// there is room, which tells more about the distance of the last neighbor.
__device__ void cut(uint2 *entries, unsigned &count, float &threshold, unsigned keep) {
    const unsigned lane = threadIdx.x & 31, most = keep + keep / 4;
    unsigned least = ALL, largest = 0;
    for (unsigned at = lane; at < count; at += 32) {
        const unsigned key = key_of(entries[at].x);
        least = min(least, key);
        largest = max(largest, key);
    }
    unsigned from = __reduce_min_sync(ALL, least), to = __reduce_max_sync(ALL, largest) + 1, under = count;
    while (to - from > 1 && under > most) {
        const unsigned pivot = from + (to - from) / 2, found = below(entries, count, pivot);
        if (found < keep) {
            from = pivot;
        } else {
            to = pivot;
            under = found;
        }
    }
    const bool tied = under > most;
    const unsigned limit = tied ? from : to;
    unsigned room = tied ? keep - below(entries, count, limit) : 0, kept = 0;
    for (unsigned start = 0; start < count; start += 32) {
        const bool inside = start + lane < count;
        const uint2 entry = inside ? entries[start + lane] : make_uint2(0, 0);
        const unsigned key = key_of(entry.x);
        const bool first = inside && key < limit, equal = inside && tied && key == limit;
        const unsigned ties = __ballot_sync(ALL, equal), before = (1u << lane) - 1;
        const bool stays = first || (equal && __popc(ties & before) < room);
        const unsigned mask = __ballot_sync(ALL, stays);
        __syncwarp();
        if (stays) entries[kept + __popc(mask & before)] = entry;
        __syncwarp();
        room -= min(room, (unsigned)__popc(ties));
        kept += __popc(mask);
    }
    count = kept;
    threshold = value_of(limit);
}

struct State {
    float threshold[HIGH];
    unsigned count[HIGH];
};

// Adds the columns of a tile that are below the thresholds to the lists.
__device__ __forceinline__ void add(const Task &task, State &state, float (&sums)[4][8][4], unsigned tile) {
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned high = (warp >> 1) * 64 + (lane >> 2), wide = tile * WIDE + (warp & 1) * 64 + (lane & 3) * 2;
    const float4 *terms = (const float4 *)(task.columns.terms + wide);
    const float2 *own = task.rows.terms + (size_t)blockIdx.x * HIGH;
    float4 beside[8];
#pragma unroll
    for (int n = 0; n < 8; n++) beside[n] = terms[n * 4];
#pragma unroll
    for (int m = 0; m < 8; m++) {
        const unsigned row = high + m * 8;
        const float factor = -2.0f * own[row].x, threshold = state.threshold[row];
        float least = threshold;
#pragma unroll
        for (int n = 0; n < 8; n++) {
            const float *sum = &sums[m >> 1][n][(m & 1) * 2];
            least = fminf(least, __fmaf_rn(__fmul_rn(factor, beside[n].x), sum[0], beside[n].y));
            least = fminf(least, __fmaf_rn(__fmul_rn(factor, beside[n].z), sum[1], beside[n].w));
        }
        if (least < threshold) {
            const unsigned line = blockIdx.x * HIGH + row, self = task.ids[line];
            uint2 *entries = task.lists.entries + (size_t)line * task.capacity;
#pragma unroll
            for (int n = 0; n < 8; n++) {
                const float *sum = &sums[m >> 1][n][(m & 1) * 2];
#pragma unroll
                for (int side = 0; side < 2; side++) {
                    const float c = side ? beside[n].z : beside[n].x, l = side ? beside[n].w : beside[n].y;
                    const float t = __fmaf_rn(__fmul_rn(factor, c), sum[side], l);
                    const unsigned column = task.first_column + wide + n * 8 + side;
                    if (t < threshold && column != self) {
                        entries[atomicAdd(&state.count[row], 1u)] = make_uint2(__float_as_uint(t), column);
                    }
                }
            }
        }
    }
}

// Cuts the lists of this warp that hold more than `most`.
__device__ __forceinline__ void cut_long(const Task &task, State &state, unsigned most) {
    const unsigned lane = threadIdx.x & 31, first = (threadIdx.x >> 5) * 32;
    unsigned mask = __ballot_sync(ALL, state.count[first + lane] > most);
    while (mask) {
        const unsigned row = first + __ffs(mask) - 1;
        mask &= mask - 1;
        unsigned count = state.count[row];
        float threshold = state.threshold[row];
        __syncwarp();
        cut(task.lists.entries + (size_t)(blockIdx.x * HIGH + row) * task.capacity, count, threshold, task.keep);
        if (lane == 0) {
            state.count[row] = count;
            state.threshold[row] = threshold;
        }
    }
}

// Writes the lists out, each cut to its room.
__device__ __forceinline__ void finish(const Task &task, State &state) {
    const unsigned lane = threadIdx.x & 31, first = (threadIdx.x >> 5) * 32, room = task.keep + task.keep / 4;
    cut_long(task, state, room);
    __syncwarp();
    for (unsigned row = first; row < first + 32; row++) {
        const size_t line = (size_t)blockIdx.x * HIGH + row;
        for (unsigned at = lane; at < state.count[row]; at += 32) {
            task.lists.out_entries[line * room + at] = task.lists.entries[line * task.capacity + at];
        }
    }
    const unsigned line = blockIdx.x * HIGH + first + lane;
    task.lists.out_count[line] = state.count[first + lane];
    task.lists.out_threshold[line] = state.threshold[first + lane];
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) scan(const __grid_constant__ Task task) {
    extern __shared__ __align__(128) unsigned char ring_bytes[];
    __shared__ State state;
    const unsigned ring = shared_address(ring_bytes), lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned line = blockIdx.x * HIGH + threadIdx.x;
    state.threshold[threadIdx.x] = task.lists.threshold[line];
    state.count[threadIdx.x] = task.lists.count[line];

    Feed feed = {0, 0, 0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < RING - 1; i++) feed.next(task, ring);
    const unsigned steps = task.steps * task.parts;
    const unsigned a_row = (warp >> 1) * 64 + (lane & 15), a_eight = lane >> 4;
    const unsigned b_row = (warp & 1) * 64 + ((lane >> 4) << 3) + (lane & 7), b_eight = (lane >> 3) & 1;
    unsigned slot = 0;
    for (unsigned tile = 0; tile < task.tiles; tile++) {
        float sums[4][8][4];
#pragma unroll
        for (int m = 0; m < 4; m++)
#pragma unroll
            for (int n = 0; n < 8; n++)
#pragma unroll
                for (int i = 0; i < 4; i++) sums[m][n][i] = 0.0f;
        for (unsigned step = 0; step < steps; step++) {
            asm volatile("cp.async.wait_group %0;" ::"n"(RING - 2));
            __syncthreads();
            feed.next(task, ring);
            const unsigned rows = ring + slot * 2 * OPERAND, columns = rows + OPERAND;
            slot = (slot + 1) % RING;
#pragma unroll
            for (int k = 0; k < STEP / 16; k++) {
                unsigned a[4][4], b[4][4];
#pragma unroll
                for (int m = 0; m < 4; m++) load_four(a[m], rows + place(a_row + m * 16, k * 2 + a_eight));
#pragma unroll
                for (int n = 0; n < 4; n++) load_four(b[n], columns + place(b_row + n * 16, k * 2 + b_eight));
#pragma unroll
                for (int m = 0; m < 4; m++)
#pragma unroll
                    for (int n = 0; n < 8; n++) multiply(sums[m][n], a[m], b[n >> 1][(n & 1) * 2], b[n >> 1][(n & 1) * 2 + 1]);
            }
        }
        add(task, state, sums, tile);
        __syncthreads();
        cut_long(task, state, task.capacity - WIDE);
    }
    __syncthreads();
    if (task.last) {
        finish(task, state);
    } else {
        task.lists.threshold[line] = state.threshold[threadIdx.x];
        task.lists.count[line] = state.count[threadIdx.x];
    }
}

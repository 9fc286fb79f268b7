// Operands in half precision of rows that lie in the memory of the device, with the bits that the processor makes
// (operands.rs): each row relative to the mean, times a power of two of its own, rounded; and c and l of each.
//
// Eight threads take a row: the one of lane j the numbers j, j + 8, and so on, whose squares it adds in this order, as the
// processor does in eight sums. A row is read twice, for its largest number and for its halves. No product and sum are
// joined: each step is rounded as on the processor.
//
// Cost: 2 n q numbers read, n q halves written.

typedef unsigned short half_bits;

constexpr int LANES = 8;           // threads of a row
constexpr int THREADS = 256;

struct Task {
    const void *rows;          // of `dim` numbers each, as they were given
    const double *mean;        // of each coordinate
    const double *units;       // largest, mean and length of each row, or nothing
    const unsigned *ids;       // the rows to take
    half_bits *high;           // rows of `stride` numbers
    half_bits *low;            // what they leave, or nothing
    float2 *terms;             // c and l of each row
    double scale;
    double ratio;              // of the bound of the errors
    double share;
    unsigned kind;             // of the numbers: 0 double, 1 single, 2 half precision, 3 bytes
    unsigned dim;
    unsigned stride;
    unsigned count;            // rows; what follows up to the end of the last tile is beyond every reach
};

template <int KIND> __device__ __forceinline__ double number(const void *rows, size_t at) {
    if (KIND == 0) return ((const double *)rows)[at];
    if (KIND == 1) return (double)((const float *)rows)[at];
    if (KIND == 2) {
        float wide;
        asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(((const half_bits *)rows)[at]));
        return (double)wide;
    }
    return (double)((const unsigned char *)rows)[at];
}

// The nearest number of half precision that is not subnormal, ties to even, as bits and as a number.
__device__ __forceinline__ half_bits to_half(float value, float &number) {
    const unsigned bits = __float_as_uint(value), sign = bits & 0x80000000u, size = bits & 0x7fffffffu;
    const unsigned rounded = size < (113u << 23) ? 0 : (size + 0xfff + ((size >> 13) & 1)) & ~0x1fffu;
    number = __uint_as_float(rounded | sign);
    return (half_bits)((rounded ? (rounded >> 13) - (112u << 10) : 0) | (sign >> 16));
}

// Eight sums in their order.
__device__ __forceinline__ double total(double own, unsigned mask) {
    double sum = 0.0;
    for (int lane = 0; lane < LANES; lane++) sum = __dadd_rn(sum, __shfl_sync(mask, own, lane, LANES));
    return sum;
}

// The number just below.
__device__ __forceinline__ float next_down(float value) {
    const unsigned bits = __float_as_uint(value);
    if ((bits & 0x7fffffffu) == 0) return __uint_as_float(0x80000001u);
    return __uint_as_float(bits & 0x80000000u ? bits + 1 : bits - 1);
}

// l of a row, by the squares of its length, of what is left out, and of its second halves.
__device__ __forceinline__ float lowered(const Task &task, double square, double left, double second) {
    const double step = __dmul_rn(1.0 / (1 << 23), __dsqrt_rn(square)), length = __dadd_rn(__dsqrt_rn(left), step);
    const double errors = __ddiv_rn(__dmul_rn(length, length), task.ratio);
    const double lost = __dmul_rn(1.01, __dadd_rn(__dadd_rn(__dmul_rn(task.share, square), errors), second));
    return next_down(__double2float_rn(__dsub_rn(__dsub_rn(square, lost), 1e-30)));
}

template <int KIND> __device__ void make(const Task &task) {
    const unsigned lane = threadIdx.x % LANES, place = blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES;
    const unsigned mask = 0xffu << (threadIdx.x & 24);
    half_bits *high = task.high + (size_t)place * task.stride;
    half_bits *low = task.low ? task.low + (size_t)place * task.stride : nullptr;
    if (place >= task.count) {
        for (unsigned axis = lane; axis < task.stride; axis += LANES) {
            high[axis] = 0;
            if (low) low[axis] = 0;
        }
        if (lane == 0) task.terms[place] = make_float2(0.0f, __uint_as_float(0x7f800000u));
        return;
    }
    const size_t row = task.ids[place];
    const double *unit = task.units ? task.units + row * 3 : nullptr;
    const double largest_of = unit ? unit[0] : 1.0, mean_of = unit ? unit[1] : 0.0, length_of = unit ? unit[2] : 1.0;
    auto at = [&](unsigned axis) {
        double x = number<KIND>(task.rows, row * task.dim + axis);
        if (unit) x = __ddiv_rn(__dsub_rn(__ddiv_rn(x, largest_of), mean_of), length_of);
        return __double2float_rn(__dmul_rn(__dsub_rn(x, task.mean[axis]), task.scale));
    };
    float largest = 0.0f;
    for (unsigned axis = lane; axis < task.dim; axis += LANES) largest = fmaxf(largest, fabsf(at(axis)));
    for (int other = LANES / 2; other > 0; other /= 2) largest = fmaxf(largest, __shfl_xor_sync(mask, largest, other));
    const int exponent = min(13 + 127 - (int)(__float_as_uint(largest) >> 23), 62);
    const float factor = __uint_as_float((unsigned)(exponent + 127) << 23);
    double square = 0.0, left = 0.0, second = 0.0;
    for (unsigned axis = lane; axis < task.stride; axis += LANES) {
        half_bits first_half = 0, second_half = 0;
        if (axis < task.dim) {
            const float value = at(axis), times = __fmul_rn(value, factor);
            float rounded;
            first_half = to_half(times, rounded);
            float rest = __fsub_rn(times, rounded);
            if (low) {
                second_half = to_half(rest, rounded);
                rest = __fsub_rn(rest, rounded);
                second = __dadd_rn(second, __dmul_rn((double)rounded, (double)rounded));
            }
            square = __dadd_rn(square, __dmul_rn((double)value, (double)value));
            left = __dadd_rn(left, __dmul_rn((double)rest, (double)rest));
        }
        high[axis] = first_half;
        if (low) low[axis] = second_half;
    }
    square = total(square, mask);
    left = total(left, mask);
    second = total(second, mask);
    if (lane == 0) {
        const double unit_square = __dmul_rn((double)factor, (double)factor);
        const float l = lowered(task, square, __ddiv_rn(left, unit_square), __ddiv_rn(second, unit_square));
        task.terms[place] = make_float2(__fdiv_rn(1.0f, factor), l);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) convert(const __grid_constant__ Task task) {
    switch (task.kind) {
        case 0: return make<0>(task);
        case 1: return make<1>(task);
        case 2: return make<2>(task);
        default: return make<3>(task);
    }
}

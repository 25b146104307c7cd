/*
 * Solving a program for time.
 *
 * With fixed statistics, a comparison is a*t OP k, which holds in at most two intervals of whole
 * nanoseconds. AND intersects and OR unites sorted lists of intervals, each by one merge. A program
 * of n leaves is thus true in at most 2n intervals, found in O(n * depth) without sampling times.
 * Between two events of its queue only t changes, so time slots can be looked up and rate
 * conditions can wait on a timing wheel (section 5.3.5).
 *
 * A merge of m and n intervals has at most m + n intervals: each interval of a union or an
 * intersection begins where one of the m + n begins, and no two begin at the same time.
 */
#include <assert.h>
#include <string.h>

#include "evaluate.h"

/* Lists of windows are stored consecutively in one array; each list is an entry of the stack. */
struct solver {
    struct sdd_window windows[SDD_MAX_WINDOWS];
    unsigned first[SDD_MAX_LEAVES + 1]; /* start of entry i; first[depth] is the end */
    unsigned depth;
};

static sdd_wide floor_divide(sdd_wide dividend, int64_t divisor) {
    if (divisor == 1)
        return dividend;
    sdd_wide quotient = dividend / divisor;
    return quotient * divisor > dividend ? quotient - 1 : quotient;
}

/* Appends [open, close), clipped to valid times. */
static void add(struct solver *solver, sdd_wide open, sdd_wide close) {
    if (open < 0)
        open = 0;
    if (close > BASE_FOREVER)
        close = BASE_FOREVER;
    if (open < close)
        solver->windows[solver->first[solver->depth]++] =
            (struct sdd_window){(int64_t)open, (int64_t)close};
}

/* The windows of a * t OP k. */
static void compare(struct solver *solver, enum sdd_comparison comparison, int64_t a, sdd_wide k) {
    static const enum sdd_comparison mirrored[] = {SDD_GT, SDD_LT, SDD_GE, SDD_LE, SDD_EQ, SDD_NE};
    const sdd_wide end = BASE_FOREVER;
    if (a == 0) {
        if (sdd_evaluate_comparison(comparison, 0, k))
            add(solver, 0, end);
        return;
    }
    if (a < 0) {
        a = -a;
        k = -k;
        comparison = mirrored[comparison];
    }
    sdd_wide low = floor_divide(k, a); /* the last t with a * t <= k */
    bool whole = low * a == k;
    sdd_wide ceiling = whole ? low : low + 1; /* the first t with a * t >= k */
    switch (comparison) {
    case SDD_LT:
        add(solver, 0, ceiling);
        break;
    case SDD_LE:
        add(solver, 0, low + 1);
        break;
    case SDD_GT:
        add(solver, low + 1, end);
        break;
    case SDD_GE:
        add(solver, ceiling, end);
        break;
    case SDD_EQ:
        if (whole)
            add(solver, low, low + 1);
        break;
    default:
        if (whole && low >= 0) {
            add(solver, 0, low);
            add(solver, low + 1, end);
        } else {
            add(solver, 0, end);
        }
    }
}

static unsigned intersect(const struct sdd_window *a, unsigned m, const struct sdd_window *b,
                          unsigned n, struct sdd_window *out) {
    unsigned count = 0;
    for (unsigned i = 0, j = 0; i < m && j < n;) {
        int64_t open = a[i].open_ns > b[j].open_ns ? a[i].open_ns : b[j].open_ns;
        int64_t close = a[i].close_ns < b[j].close_ns ? a[i].close_ns : b[j].close_ns;
        if (open < close)
            out[count++] = (struct sdd_window){open, close};
        if (a[i].close_ns == close)
            i++;
        else
            j++;
    }
    return count;
}

static unsigned unite(const struct sdd_window *a, unsigned m, const struct sdd_window *b,
                      unsigned n, struct sdd_window *out) {
    unsigned count = 0;
    for (unsigned i = 0, j = 0; i < m || j < n;) {
        struct sdd_window next;
        if (j == n || (i < m && a[i].open_ns <= b[j].open_ns))
            next = a[i++];
        else
            next = b[j++];
        if (count > 0 && next.open_ns <= out[count - 1].close_ns) {
            if (next.close_ns > out[count - 1].close_ns)
                out[count - 1].close_ns = next.close_ns;
        } else {
            out[count++] = next;
        }
    }
    return count;
}

static void combine(struct solver *solver, uint8_t opcode) {
    assert(solver->depth >= 2); /* the program is checked */
    struct sdd_window merged[SDD_MAX_WINDOWS];
    unsigned a = solver->first[solver->depth - 2], b = solver->first[solver->depth - 1];
    unsigned end = solver->first[solver->depth];
    unsigned count = (opcode == SDD_OP_AND ? intersect : unite)(
        solver->windows + a, b - a, solver->windows + b, end - b, merged);
    memcpy(solver->windows + a, merged, count * sizeof *merged);
    solver->first[--solver->depth] = a + count;
}

unsigned sdd_program_windows(const struct sdd_program *program, const struct sdd_environment *env,
                             struct sdd_window windows[SDD_MAX_WINDOWS]) {
    struct solver solver;
    solver.first[0] = 0;
    solver.depth = 0;
    struct sdd_instruction instruction;
    for (unsigned at = 0; (at = sdd_code_read(program, at, &instruction)) != 0;) {
        if (instruction.opcode == SDD_OP_AND || instruction.opcode == SDD_OP_OR) {
            combine(&solver, instruction.opcode);
            continue;
        }
        solver.depth++;
        solver.first[solver.depth] = solver.first[solver.depth - 1];
        if (instruction.opcode == SDD_OP_COMPARE) {
            int32_t a;
            sdd_wide rest = sdd_evaluate_rest(&instruction, env, &a);
            compare(&solver, instruction.comparison, a, instruction.constant - rest);
        } else if (instruction.opcode == SDD_OP_TRUE) {
            add(&solver, 0, BASE_FOREVER);
        }
    }
    assert(solver.depth == 1);
    memcpy(windows, solver.windows, solver.first[1] * sizeof *windows);
    return solver.first[1];
}

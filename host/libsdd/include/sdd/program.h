/*
 * Conditions as programs: text (Tewari 2015, section 5.3.4) parsed to a small byte code.
 *
 * A controller may send byte code, and a host stores it. It is therefore checked before use, and
 * canonical: conditions that the parser turns into equal bytes are the same condition. A program is
 * a sequence of instructions in postfix order, all numbers little endian:
 *
 *     00 FALSE    01 TRUE    02 AND    03 OR
 *     10+op  terms:u8  constant:i64  terms x { coefficient:i32  variable:u8  queue:u16 }
 *
 * The last form is a comparison: op compares the sum of coefficient x variable with constant.
 *
 * The cost is bounded: a program has at most SDD_PROGRAM_BYTES bytes and no jumps, so evaluation is
 * one pass.
 */
#ifndef SDD_PROGRAM_H
#define SDD_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SDD_PROGRAM_BYTES 254 /* with its length, a program fills four cache lines */
#define SDD_MAX_TERMS 8       /* variables in one comparison */
#define SDD_MAX_READ 36       /* terms in one program, by their size */
#define SDD_MAX_LEAVES 32     /* TRUE, FALSE and comparisons in one program */
#define SDD_MAX_NESTING 32    /* parentheses within parentheses in the text */
#define SDD_OWN_QUEUE 0xffffu /* a term's queue: the queue of the condition */

/*
 * A queue's statistics, read-only counters as in section 5.3.2. A packet in flight between two
 * cores (sdd/pipe.h) is no longer queued and not yet sent. The order is that of enum sdd_variable.
 */
struct sdd_queue_stats {
    int64_t packets;      /* queued now */
    int64_t bytes;        /* queued now */
    int64_t flows;        /* with packets in the queue now */
    int64_t last_xmit_ns; /* time of the last transmission; 0: none yet */
    int64_t last_recv_ns; /* time of the last arrival into the queue; 0: none yet */
    int64_t sent_packets; /* since the queue was opened, as are the following */
    int64_t sent_bytes;
    int64_t received_packets; /* arrived from applications; MoveFlows does not count */
    int64_t received_bytes;
    int64_t dropped_packets;       /* refused because the queue was full, or discarded */
    int64_t packet_switch_packets; /* the part of sent_packets by the packet switch; conditions */
    int64_t packet_switch_bytes;   /* cannot name these two */
};

enum sdd_variable {
    SDD_PACKETS,
    SDD_BYTES,
    SDD_FLOWS,
    SDD_LAST_XMIT_TIME,
    SDD_LAST_RECV_TIME,
    SDD_SENT_PACKETS,
    SDD_SENT_BYTES,
    SDD_RECEIVED_PACKETS,
    SDD_RECEIVED_BYTES,
    SDD_DROPPED_PACKETS,
    SDD_CURRENT_TIME, /* belongs to no queue */
    SDD_VARIABLES
};

enum sdd_comparison { SDD_LT, SDD_GT, SDD_LE, SDD_GE, SDD_EQ, SDD_NE, SDD_COMPARISONS };

struct sdd_program {
    uint16_t length; /* bytes of code in use */
    uint8_t code[SDD_PROGRAM_BYTES];
};

/* How a program can be executed (section 5.3.5), by the values on which it depends. */
enum sdd_program_class {
    SDD_CONSTANT, /* depends on nothing */
    SDD_SCHEDULE, /* on currTime alone: slots, computed once and then looked up */
    SDD_PACED,    /* also on its own queue: solved for time at each event of the queue */
    SDD_EVALUATED /* also on other queues: evaluated for each packet */
};

struct sdd_parse_error {
    size_t position;     /* byte offset into the text */
    const char *message; /* the error at that position; a static string */
};

/*
 * Parses text, length bytes of any value. docs/reference/libsdd.md has the grammar. If the text is
 * not a condition, returns false, sets *error (not null) and leaves program unchanged.
 */
bool sdd_program_parse(const char *text, size_t length, struct sdd_program *program,
                       struct sdd_parse_error *error);

/*
 * Whether the other functions may run this program. queue_limit: queue numbers in it must be
 * smaller. If the program is invalid and fault is not null, *fault is the offset of the invalid
 * instruction. Programs from sdd_program_parse are valid, except for the queue limit.
 */
bool sdd_program_check(const struct sdd_program *program, uint32_t queue_limit, size_t *fault);

enum sdd_program_class sdd_program_class(const struct sdd_program *program);

/* Returns a bit for each enum sdd_variable that the program reads of its own queue, and for
 * SDD_CURRENT_TIME. */
uint32_t sdd_program_own_variables(const struct sdd_program *program);

/* Fills in the other queues that the program reads, once per term, and returns their number. */
unsigned sdd_program_queues(const struct sdd_program *program, uint32_t queues[SDD_MAX_READ]);

bool sdd_program_equal(const struct sdd_program *a, const struct sdd_program *b);

/*
 * Writes the program as zero-terminated text that parses to the same program, and returns the
 * text's length without the zero. A text of size or more characters is truncated.
 */
size_t sdd_program_print(const struct sdd_program *program, char *text, size_t size);

/*
 * The values that a program reads. Statistics of queue i are at (char *)all + i * stride for i <
 * count; those of other queues count as 0.
 */
struct sdd_environment {
    int64_t now_ns;
    const struct sdd_queue_stats *own;
    const struct sdd_queue_stats *all;
    size_t stride;
    uint32_t count;
};

/* Returns the value of a program that sdd_program_check accepted. Exact: no sum can overflow. */
bool sdd_program_evaluate(const struct sdd_program *program, const struct sdd_environment *env);

/* A half-open interval of time: from open_ns to before close_ns (BASE_FOREVER: it does not end). */
struct sdd_window {
    int64_t open_ns;
    int64_t close_ns;
};

/* The maximum for any program: each leaf has at most two windows, and AND and OR add none. */
#define SDD_MAX_WINDOWS (2 * SDD_MAX_LEAVES)

/*
 * Fills in all times t from 0 at which the program is true if the statistics stay as in env
 * (env->now_ns is ignored): ordered windows that neither overlap nor touch. Returns their number, 0
 * to SDD_MAX_WINDOWS. The program must have passed sdd_program_check.
 */
unsigned sdd_program_windows(const struct sdd_program *program, const struct sdd_environment *env,
                             struct sdd_window windows[SDD_MAX_WINDOWS]);

#ifdef __cplusplus
}
#endif
#endif

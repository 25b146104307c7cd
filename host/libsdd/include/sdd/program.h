/*
 * Conditions as programs: text (Tewari 2015, section 5.3.4) parsed to a small byte code.
 *
 * Byte code is what a controller may send and what a host keeps, so it is checked before use and is
 * canonical: conditions that the parser turns into equal bytes are the same condition. A program is
 * a sequence of instructions in postfix order, all numbers little endian:
 *
 *     00 FALSE    01 TRUE    02 AND    03 OR
 *     10+op  terms:u8  constant:i64  terms x { coefficient:i32  variable:u8  queue:u16 }
 *
 * A comparison: the sum of coefficient x variable, compared by op with constant.
 *
 * Bounded cost: at most SDD_PROGRAM_BYTES bytes, no jumps, so evaluation is one pass over them.
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
#define SDD_OWN_QUEUE 0xffffu /* a term's queue: the one that the condition is attached to */

/*
 * A queue's statistics, read-only counters as in section 5.3.2. A packet in flight between two
 * cores (sdd/pipe.h) is no longer queued and not yet sent. The order is that of enum sdd_variable.
 */
struct sdd_queue_stats {
    int64_t packets;      /* queued now */
    int64_t bytes;        /* queued now */
    int64_t flows;        /* with packets queued now */
    int64_t last_xmit_ns; /* time of the last transmission; 0: none yet */
    int64_t last_recv_ns; /* time of the last arrival into the queue; 0: none yet */
    int64_t sent_packets; /* since the queue was opened, as are the following */
    int64_t sent_bytes;
    int64_t received_packets; /* arrived from applications; MoveFlows does not count */
    int64_t received_bytes;
    int64_t dropped_packets;       /* refused because the queue was full, or discarded */
    int64_t packet_switch_packets; /* of those sent, what left by the packet switch; conditions */
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
    SDD_CURRENT_TIME, /* of no queue */
    SDD_VARIABLES
};

enum sdd_comparison { SDD_LT, SDD_GT, SDD_LE, SDD_GE, SDD_EQ, SDD_NE, SDD_COMPARISONS };

struct sdd_program {
    uint16_t length; /* bytes of code in use */
    uint8_t code[SDD_PROGRAM_BYTES];
};

/* How a program can be executed (section 5.3.5), from what it depends on. */
enum sdd_program_class {
    SDD_CONSTANT, /* on nothing */
    SDD_SCHEDULE, /* on currTime alone: time slots, computed once, then looked up */
    SDD_PACED,    /* also on its own queue: solved for time at the queue's own events */
    SDD_EVALUATED /* also on other queues: evaluated for each packet */
};

struct sdd_parse_error {
    size_t position;     /* byte offset into the text */
    const char *message; /* static: the error there */
};

/*
 * Parses text (any bytes; length of them). The grammar is in docs/reference/libsdd.md.
 * Returns false and fills error (not null) if the text is no condition; program is then unchanged.
 */
bool sdd_program_parse(const char *text, size_t length, struct sdd_program *program,
                       struct sdd_parse_error *error);

/*
 * Is this a program that the other functions may run? queue_limit: queue numbers in it must be
 * smaller. If not, and fault is not null, *fault is the offset of the instruction that is wrong.
 * What sdd_program_parse made passes, up to the queue limit.
 */
bool sdd_program_check(const struct sdd_program *program, uint32_t queue_limit, size_t *fault);

enum sdd_program_class sdd_program_class(const struct sdd_program *program);

/* A bit per enum sdd_variable that the program reads of its own queue (and SDD_CURRENT_TIME). */
uint32_t sdd_program_own_variables(const struct sdd_program *program);

/* The other queues that it reads, once per term; how many. */
unsigned sdd_program_queues(const struct sdd_program *program, uint32_t queues[SDD_MAX_READ]);

bool sdd_program_equal(const struct sdd_program *a, const struct sdd_program *b);

/*
 * Writes the program as text that parses to the same program, zero-terminated, and returns the
 * characters it takes without the zero; if that is size or more, the text is cut off.
 */
size_t sdd_program_print(const struct sdd_program *program, char *text, size_t size);

/*
 * What a program reads. Statistics of queue i are at (char *)all + i * stride for i < count; those
 * of other queues count as 0.
 */
struct sdd_environment {
    int64_t now_ns;
    const struct sdd_queue_stats *own;
    const struct sdd_queue_stats *all;
    size_t stride;
    uint32_t count;
};

/* The program's value. It must have passed sdd_program_check. Exact: no sum can overflow. */
bool sdd_program_evaluate(const struct sdd_program *program, const struct sdd_environment *env);

/* A span of time: from open_ns, up to but without close_ns (BASE_FOREVER: it does not end). */
struct sdd_window {
    int64_t open_ns;
    int64_t close_ns;
};

/* Enough for any program: each leaf has at most two windows, and AND and OR add none. */
#define SDD_MAX_WINDOWS (2 * SDD_MAX_LEAVES)

/*
 * All times t from 0 at which the program is true while the statistics stay as they are in env
 * (env->now_ns is ignored): disjoint windows in order, not touching. Returns how many (0 to
 * SDD_MAX_WINDOWS). The program must have passed sdd_program_check.
 */
unsigned sdd_program_windows(const struct sdd_program *program, const struct sdd_environment *env,
                             struct sdd_window windows[SDD_MAX_WINDOWS]);

#ifdef __cplusplus
}
#endif
#endif

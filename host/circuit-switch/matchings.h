/*
 * What a circuit switch's matchings say of a packet that arrived at some time: a plain structure
 * without input or output. Times are nanoseconds of the switch's clock.
 *
 * Configurations take turns: from its atNs each is dark for its night, then connects ports, until
 * the next one's atNs. Those that are over are remembered for a while, because packets are looked
 * at later than they arrive.
 */
#ifndef CIRCUIT_SWITCH_MATCHINGS_H
#define CIRCUIT_SWITCH_MATCHINGS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MAX_SWITCH_PORTS = 64,
    MAX_WAITING = 1024, /* configurations that are still to come */
    MAX_PAST = 256,     /* remembered ones */
    NO_CIRCUIT = 0xffff
};

struct matching {
    int64_t at_ns; /* the beginning of its night */
    int64_t night_end_ns;
    uint16_t output_of[MAX_SWITCH_PORTS];
};

struct matchings {
    struct matching ring[MAX_WAITING + MAX_PAST + 1];
    uint64_t first, end; /* of the ring, counting on */
    uint64_t carried_out;
    uint64_t late;
    uint64_t latest_ns; /* the longest that one came after its atNs */
};

enum matchings_status { MATCHINGS_OK, MATCHINGS_FULL };

/*
 * Adds a configuration at now_ns; those not earlier than it are removed. One whose atNs is over
 * begins now, and is late.
 */
enum matchings_status matchings_add(struct matchings *matchings, const struct matching *matching,
                                    int64_t now_ns);

enum forwarding { TO_CIRCUIT, IN_NIGHT, OUT_OF_SLOT };

/* Where a packet goes that arrived at input at time_ns; *output only if TO_CIRCUIT. */
enum forwarding matchings_forward(const struct matchings *matchings, uint16_t input,
                                  int64_t time_ns, uint16_t *output);

/* Configurations that have begun by now_ns. */
uint64_t matchings_begun(const struct matchings *matchings, int64_t now_ns);

#endif

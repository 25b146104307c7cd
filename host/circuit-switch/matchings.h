/*
 * A circuit switch's matchings over time: the output for a packet that arrives at a given time.
 * Does no input or output. Times are nanoseconds of the switch's clock.
 *
 * Each configuration begins at its atNs with a night, in which no circuit is up, then connects
 * ports until the next one's atNs. Past configurations are kept for a while, because packets are
 * processed later than they arrive.
 */
#ifndef CIRCUIT_SWITCH_MATCHINGS_H
#define CIRCUIT_SWITCH_MATCHINGS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MAX_SWITCH_PORTS = 64,
    MAX_WAITING = 1024, /* pending configurations */
    MAX_PAST = 256,     /* past configurations that are kept */
    NO_CIRCUIT = 0xffff
};

struct matching {
    int64_t at_ns; /* start of its night */
    int64_t night_end_ns;
    uint16_t output_of[MAX_SWITCH_PORTS];
};

struct matchings {
    struct matching ring[MAX_WAITING + MAX_PAST + 1];
    uint64_t first, end; /* indices into the ring, modulo its capacity */
    uint64_t carried_out;
    uint64_t late;
    uint64_t latest_ns; /* the largest delay of a configuration after its atNs */
};

enum matchings_status { MATCHINGS_OK, MATCHINGS_FULL };

/*
 * Adds a configuration at now_ns and removes those with the same or a later atNs. A configuration
 * whose atNs has passed begins now and counts as late.
 */
enum matchings_status matchings_add(struct matchings *matchings, const struct matching *matching,
                                    int64_t now_ns);

enum forwarding { TO_CIRCUIT, IN_NIGHT, OUT_OF_SLOT };

/* Returns how to forward a packet that arrived at input at time_ns. *output is set only if
 * TO_CIRCUIT. */
enum forwarding matchings_forward(const struct matchings *matchings, uint16_t input,
                                  int64_t time_ns, uint16_t *output);

/* Resets the counts at now_ns, and keeps all configurations. */
void matchings_restart_counts(struct matchings *matchings, int64_t now_ns);

/* Returns the number of configurations that have begun by now_ns. */
uint64_t matchings_begun(const struct matchings *matchings, int64_t now_ns);

#endif

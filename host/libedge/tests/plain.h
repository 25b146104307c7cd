/*
 * The schemes once more, as slow and plain as the papers' sentences: no masks, no running credits,
 * no wrapping clocks, every choice by a look at everything. It includes nothing of libedge, its
 * parameters neither, so that a mistake there is not made here too.
 *
 * Papers: those of edge/params.h; of static weights, Tewari 2015, section 3.3.1. What the papers
 * leave open is as docs/reference/libedge.md says. Weights are in units of 1/2^20, as one decision
 * in a million would differ otherwise.
 */
#ifndef EDGE_TESTS_PLAIN_H
#define EDGE_TESTS_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

enum { PLAIN_PATHS = 64, PLAIN_ENTRIES = 8, PLAIN_ONE = 1 << 20 };

enum plain_scheme {
    PLAIN_STATIC_WEIGHTS,
    PLAIN_PRESTO,
    PLAIN_EDGE_FLOWLET,
    PLAIN_CLOVE_ECN,
    PLAIN_LEAST_UTILISED, /* CLOVE-INT */
    PLAIN_LEAST_DELAY,    /* CLOVE with latency, ALB */
};

struct plain_packet {
    int64_t now_ns;
    uint32_t hash, bytes, random;
};

/* Of a table that packets look into by their hash. */
struct plain_entry {
    bool used;
    uint32_t hash;
    int64_t last_ns;
    int64_t cell_bytes;
    uint32_t flowlets; /* so far */
    int path;
};

struct plain_path {
    int64_t prior, weight;
    int64_t due, turns; /* of the weighted round robin: what it should have had, and had */
    bool noted;         /* a metric or a mark came */
    int64_t noted_ns, metric;
};

/* A sender, and its paths to one destination. */
struct plain_sender {
    enum plain_scheme scheme;
    int64_t rtt_ns;
    int64_t gap_share; /* of the spread of delays that is added to the gap, in 1/256 */
    int count;
    bool priors_differ;
    int64_t recovered_ns;
    struct plain_path paths[PLAIN_PATHS];
    struct plain_entry entries[PLAIN_ENTRIES];
    uint8_t slots[PLAIN_ONE]; /* a path has as many as its prior says */
};

void plain_begin(struct plain_sender *sender, enum plain_scheme scheme, int64_t rtt_ns);

/* Paths' weights, of the controller or the operator: all start again but what was noted. */
void plain_set_weights(struct plain_sender *sender, const uint32_t *weights, int count);

/* The path that a packet takes. */
int plain_send(struct plain_sender *sender, const struct plain_packet *packet);

/* A mark of a path came back. Returns whether the guest is to see it. */
bool plain_mark(struct plain_sender *sender, int path, int64_t now_ns);

/* A path's utilisation or delay came back. */
void plain_note(struct plain_sender *sender, int path, int64_t metric, int64_t now_ns);

/* LetFlow's switch: an uplink at random for each flowlet. */
struct plain_letflow {
    int uplinks;
    int64_t gap_ns;
    bool down[16];
    struct plain_entry entries[PLAIN_ENTRIES];
};

/* The uplink that a packet takes. */
int plain_letflow(struct plain_letflow *leaf, const struct plain_packet *packet);

/* All delays that ALB's receiver measured on a path, and in which window. */
struct plain_delays {
    int count, window;
    int64_t window_began_ns;
    struct {
        int window;
        int64_t ns;
    } samples[4096];
};

/*
 * The delay of a packet over the least one of this window and the last.
 *
 * remeasure: the sender's least RTT changed. measured_ns: by clocks that may be apart.
 */
int64_t plain_delay(struct plain_delays *delays, int64_t rtt_ns, bool remeasure,
                    int64_t measured_ns, int64_t now_ns);

#endif

/*
 * A slow model of the schemes that follows the papers' sentences: no masks, no running credits, no
 * wrapping clocks; every choice examines all paths. It includes no header of libedge, not even its
 * parameters, so that it does not repeat a mistake made there.
 *
 * Papers: those of edge/params.h; for static weights, Tewari 2015, section 3.3.1. Where the papers
 * are silent, the model follows docs/reference/libedge.md. Weights are in units of 1/2^20: with
 * another unit about one decision in a million would differ.
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

/* An entry of the table of flows, found by a packet's hash. */
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
    int64_t due, turns; /* weighted round robin: turns that the path is due, turns it had */
    bool noted;         /* a metric or a mark was reported */
    int64_t noted_ns, metric;
};

/* A sender, and its paths to one destination. */
struct plain_sender {
    enum plain_scheme scheme;
    int64_t rtt_ns;
    int64_t gap_share; /* share of the spread of delays that is added to the gap, in 1/256 */
    int count;
    bool priors_differ;
    int64_t recovered_ns;
    struct plain_path paths[PLAIN_PATHS];
    struct plain_entry entries[PLAIN_ENTRIES];
    uint8_t slots[PLAIN_ONE]; /* a path has as many slots as its prior */
};

void plain_begin(struct plain_sender *sender, enum plain_scheme scheme, int64_t rtt_ns);

/* Sets the paths' weights, from the controller or the operator. Resets everything except metrics
 * and marks. */
void plain_set_weights(struct plain_sender *sender, const uint32_t *weights, int count);

/* Returns the path that a packet takes. */
int plain_send(struct plain_sender *sender, const struct plain_packet *packet);

/* Applies a reported mark of a path. Returns whether the guest must see it. */
bool plain_mark(struct plain_sender *sender, int path, int64_t now_ns);

/* Applies a reported utilisation or delay of a path. */
void plain_note(struct plain_sender *sender, int path, int64_t metric, int64_t now_ns);

/* LetFlow's switch: a random uplink for each flowlet. */
struct plain_letflow {
    int uplinks;
    int64_t gap_ns;
    bool down[16];
    struct plain_entry entries[PLAIN_ENTRIES];
};

/* Returns the uplink that a packet takes. */
int plain_letflow(struct plain_letflow *leaf, const struct plain_packet *packet);

/* All delays that ALB's receiver measured on a path, each with its window. */
struct plain_delays {
    int count, window;
    int64_t window_began_ns;
    struct {
        int window;
        int64_t ns;
    } samples[4096];
};

/*
 * Returns a packet's delay over the least delay of this and the previous window.
 *
 * remeasure: the sender's least RTT changed. measured_ns: includes the offset of the clocks.
 */
int64_t plain_delay(struct plain_delays *delays, int64_t rtt_ns, bool remeasure,
                    int64_t measured_ns, int64_t now_ns);

#endif

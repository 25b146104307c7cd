/*
 * The table of all schemes. Everything that lists them is compiled from it, or written from it by
 * tests/tables.py. All combine three mechanisms: how a flowlet's path is chosen, what peers report
 * about paths, and the clock of the packets' time stamps.
 *
 * Papers: as in params.h.
 */
#ifndef EDGE_SCHEMES_H
#define EDGE_SCHEMES_H

#include "arithmetic.h"

/*
 * SCHEME(constant, name, number, choice, reports, clock, path of a new flowlet)
 *
 * The order gives the numbers in packets, so new schemes go to the end. name: in configurations.
 * number: in the controller's protocol (EdgeScheme in sdd-protocol.xml). choice: of enum
 * edge_reason. reports: of enum edge_reported. clock: OWN, or COMMON for one that PTP synchronises.
 */
#define EDGE_SCHEME_TABLE(SCHEME)                                                                  \
    SCHEME(ECMP, "ecmp", 0, BY_HASH, NOTHING, OWN,                                                 \
           "the path of its flow's hash: the whole flow uses one path")                            \
    SCHEME(WCMP, "wcmp", 1, BY_HASH, NOTHING, OWN, "the same over the controller's weights")       \
    /* [P] */                                                                                      \
    SCHEME(PRESTO, "presto", 2, IN_TURN, NOTHING, OWN,                                             \
           "the next path in weighted round robin, every 64 KB")                                   \
    /* [C section 3.2] */                                                                          \
    SCHEME(FLOWLET, "edge-flowlet", 3, AT_RANDOM, NOTHING, OWN,                                    \
           "a random path, weighted by the prior")                                                 \
    SCHEME(CLOVE_ECN, "clove-ecn", 4, IN_TURN, MARKS, OWN,                                         \
           "the next path in weighted round robin; weights follow marks")                          \
    SCHEME(CLOVE_INT, "clove-int", 7, LEAST_LOADED, UTILISATION, OWN,                              \
           "the least utilised path; among equals by the prior")                                   \
    /* [C section 7] */                                                                            \
    SCHEME(CLOVE_LATENCY, "clove-latency", 5, LEAST_LOADED, DELAY, COMMON,                         \
           "the path of least delay, by synchronised clocks; among equals by the prior")           \
    /* [A section II] */                                                                           \
    SCHEME(ALB, "alb", 6, LEAST_LOADED, QUEUEING, OWN,                                             \
           "the path of least delay over its baseline; among equals by the prior")                 \
    /* [I section III] */                                                                          \
    SCHEME(INTFLOW, "intflow", 8, BY_HASH, NOTHING, COMMON,                                        \
           "the leaf switch's choice, which follows the host's instruction")

#define EDGE_SCHEME_CONSTANT(CONSTANT, ...) EDGE_##CONSTANT,
enum edge_scheme { EDGE_SCHEME_TABLE(EDGE_SCHEME_CONSTANT) EDGE_SCHEMES };
#undef EDGE_SCHEME_CONSTANT

/* What peers report about a path. */
enum edge_reported {
    EDGE_REPORTS_NOTHING,
    EDGE_REPORTS_MARKS,
    EDGE_REPORTS_UTILISATION,
    EDGE_REPORTS_DELAY,   /* one way, by a common clock */
    EDGE_REPORTS_QUEUEING /* one-way delay over the path's baseline */
};

enum edge_clock { EDGE_CLOCK_OWN, EDGE_CLOCK_COMMON };

#define EDGE_SCHEME_REPORTS(CONSTANT, NAME, NUMBER, CHOICE, REPORTS, ...)                          \
    case EDGE_##CONSTANT:                                                                          \
        return EDGE_REPORTS_##REPORTS;
EDGE_INLINE enum edge_reported edge_reported_by(uint32_t scheme) {
    switch (scheme) {
        /* NOLINTNEXTLINE(bugprone-branch-clone): several rows may have the same value */
        EDGE_SCHEME_TABLE(EDGE_SCHEME_REPORTS)
    default:
        return EDGE_REPORTS_NOTHING;
    }
}
#undef EDGE_SCHEME_REPORTS

#define EDGE_SCHEME_CLOCK(CONSTANT, NAME, NUMBER, CHOICE, REPORTS, CLOCK, ...)                     \
    case EDGE_##CONSTANT:                                                                          \
        return EDGE_CLOCK_##CLOCK;
EDGE_INLINE enum edge_clock edge_clock_of(uint32_t scheme) {
    switch (scheme) {
        /* NOLINTNEXTLINE(bugprone-branch-clone): several rows may have the same value */
        EDGE_SCHEME_TABLE(EDGE_SCHEME_CLOCK)
    default:
        return EDGE_CLOCK_OWN;
    }
}
#undef EDGE_SCHEME_CLOCK

/* Whether a sender with this scheme needs reports. */
EDGE_INLINE bool edge_wants_reports(uint32_t scheme) {
    return edge_reported_by(scheme) != EDGE_REPORTS_NOTHING;
}

/* Whether it needs reports of marks, whatever the guests do with theirs. */
EDGE_INLINE bool edge_wants_marks(uint32_t scheme) {
    return edge_reported_by(scheme) == EDGE_REPORTS_MARKS;
}

/* Whether its metric of a path is a delay. */
EDGE_INLINE bool edge_measures_delays(uint32_t scheme) {
    return edge_reported_by(scheme) == EDGE_REPORTS_DELAY ||
           edge_reported_by(scheme) == EDGE_REPORTS_QUEUEING;
}

#endif

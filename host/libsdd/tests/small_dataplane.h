/*
 * A small dataplane for tests of the API: queue k is open and has the flows to host k (10.0.1.k), k
 * = 1 to 3.
 */
#ifndef SDD_TEST_SMALL_DATAPLANE_H
#define SDD_TEST_SMALL_DATAPLANE_H

#include "support.h"

enum { PACKETS = 64 };

struct small_dataplane {
    struct sdd *sdd;
    struct sdd_packet packets[PACKETS];
    unsigned used;
};

/* Its capacities. */
extern const struct sdd_limits small;

int small_dataplane_up(void **state);
int small_dataplane_down(void **state);

#define ON_A_SMALL_DATAPLANE(test)                                                                 \
    cmocka_unit_test_setup_teardown(test, small_dataplane_up, small_dataplane_down)

/* Queues its next packet in a flow to host `to`. */
enum sdd_status put_sized(struct small_dataplane *dataplane, unsigned to, uint16_t port,
                          uint32_t bytes, int64_t now_ns);

/* Queues 1500 bytes, which must succeed. */
void put(struct small_dataplane *dataplane, unsigned to, uint16_t port, int64_t now_ns);

/* Returns the packet to transmit as its number in the order of arrival; -1: none. */
int next(struct small_dataplane *dataplane, int64_t now_ns);

/* Adds a dequeue condition, which must succeed. */
void add(struct small_dataplane *dataplane, unsigned queue, const char *text, int64_t now_ns);

#endif

/* A small host to try the API on: queue k, open, takes what goes to host k (10.0.1.k), k = 1 to 3.
 */
#ifndef SDD_TEST_SMALL_HOST_H
#define SDD_TEST_SMALL_HOST_H

#include "support.h"

enum { PACKETS = 64 };

struct host {
    struct sdd *sdd;
    struct sdd_packet packets[PACKETS];
    unsigned used;
};

/* Its capacities. */
extern const struct sdd_config small;

int host_up(void **state);
int host_down(void **state);

#define ON_A_HOST(test) cmocka_unit_test_setup_teardown(test, host_up, host_down)

/* Queues the next of its packets, of a flow to host to. */
enum sdd_status put_sized(struct host *host, unsigned to, uint16_t port, uint32_t bytes,
                          int64_t now_ns);

/* 1500 bytes, which must be taken. */
void put(struct host *host, unsigned to, uint16_t port, int64_t now_ns);

/* The number, in the order of arrival, of the packet to transmit; -1: none. */
int next(struct host *host, int64_t now_ns);

/* A dequeue condition that must be taken. */
void add(struct host *host, unsigned queue, const char *text, int64_t now_ns);

#endif

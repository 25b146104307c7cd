/*
 * "Fragmentation needed", in IPv6 "packet too big", from the fabric refers to the outer packet,
 * which no guest could interpret. So the route to the prefixes behind the peer gets the smaller
 * MTU, and the kernel informs the guests: TCP cuts its segments again, IP refuses or fragments.
 */
#ifndef EDGE_PATH_MTU_H
#define EDGE_PATH_MTU_H

#include <stdbool.h>

#include "config.h"

/* The least that is believed in IPv4: 576, which every host takes, and the overlay's header. */
#define LEAST_PATH_MTU 632u

/* As Linux remembers path MTUs, and hosts are to (RFC 1191, section 6.3). */
#define PATH_MTU_AGE_NS UINT64_C(600000000000)

/* A socket that becomes readable when ICMP errors of the overlay's family arrive; negative errno if
 * there can be none. */
int path_mtu_watch(const struct config *config);

/*
 * What an ICMP error says, as a raw socket has it (icmp_error.h): the peer's path MTU is lowered if
 * a packet of ours to it was too long. mtu: what the fabric carries as configured. Returns whether
 * it was. One that says what is known already counts as news of now.
 */
bool path_mtu_take(const uint8_t *packet, size_t size, const struct edge_address *from,
                   uint32_t mtu, uint64_t now_ns, struct config *config);

/* Reads all that arrived. Returns whether a peer's path MTU is another one. */
bool path_mtu_learn(int watch, uint32_t mtu, uint64_t now_ns, struct config *config);

/* Forgets what was heard PATH_MTU_AGE_NS ago, as it may have been forged, or the way is another
 * one. Returns whether a peer's path MTU is another one. */
bool path_mtu_forget(uint64_t now_ns, struct config *config);

/* Until there is something to forget; -1: nothing. */
int path_mtu_wait_ms(uint64_t now_ns, const struct config *config);

#endif

/*
 * Handles "fragmentation needed" (IPv6: "packet too big") from the fabric. It refers to the outer
 * packet, which guests could not interpret. The route to the peer's prefixes therefore gets the
 * smaller MTU, and the kernel informs the guests: TCP sends smaller segments, IP rejects or
 * fragments packets.
 */
#ifndef EDGE_PATH_MTU_H
#define EDGE_PATH_MTU_H

#include <stdbool.h>

#include "config.h"

/* The least accepted MTU in IPv4: 576, which every host accepts, plus the overlay's header. */
#define LEAST_PATH_MTU 632u

/* The time for which Linux keeps a path MTU, as recommended for hosts (RFC 1191, section 6.3). */
#define PATH_MTU_AGE_NS UINT64_C(600000000000)

/* Returns a socket that becomes readable when ICMP errors of the overlay's family arrive, or a
 * negative errno. */
int path_mtu_watch(const struct config *config);

/*
 * Processes an ICMP error from a raw socket (icmp_error.h): lowers the peer's path MTU if a packet
 * of ours to it was too long. mtu: the configured MTU of the fabric. Returns whether the path MTU
 * was lowered. An error that repeats the known path MTU renews it.
 */
bool path_mtu_take(const uint8_t *packet, size_t size, const struct edge_address *from,
                   uint32_t mtu, uint64_t now_ns, struct config *config);

/* Reads all arrived errors. Returns whether a peer's path MTU changed. */
bool path_mtu_learn(int watch, uint32_t mtu, uint64_t now_ns, struct config *config);

/* Discards path MTUs that are older than PATH_MTU_AGE_NS, since the error may have been forged or
 * the route may have changed. Returns whether a peer's path MTU changed. */
bool path_mtu_forget(uint64_t now_ns, struct config *config);

/* Returns the time until a path MTU expires, in ms; -1: none. */
int path_mtu_wait_ms(uint64_t now_ns, const struct config *config);

#endif

/* Frames as they are on the wire: which flow one belongs to. */
#ifndef SDD_HOST_HEADERS_H
#define SDD_HOST_HEADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdd/packet.h"

/*
 * The 5-tuple of an Ethernet frame (any bytes), with up to two VLAN tags. Frames that are not IP,
 * and IP packets with a header that is cut off, are the flow of all zero bytes, which only a match
 * without addresses covers. Ports are 0 where there are none: protocols other than TCP, UDP, SCTP,
 * DCCP and UDP-Lite, and all fragments but the first. IPv6 extension headers are passed over.
 * Returns whether it is IP.
 */
bool headers_flow(const uint8_t *frame, size_t size, struct base_flow_key *key);

/*
 * Writes the DSCP (0 to 63) into the IP header of an Ethernet frame, and keeps the header's
 * checksum right. Frames that are not IP stay as they are.
 */
void headers_mark(uint8_t *frame, size_t size, uint8_t dscp);

/* Ethernet's types, as headers_network gives them. */
enum { HEADERS_IPV4 = 0x0800, HEADERS_IPV6 = 0x86dd };

/* Where the network layer of an Ethernet frame begins, behind up to two VLAN tags, and its type;
   size if it is cut off before. */
size_t headers_network(const uint8_t *frame, size_t size, uint16_t *type);

/* The DSCP of an Ethernet frame; -1: it is not IP. */
int headers_dscp(const uint8_t *frame, size_t size);

#endif

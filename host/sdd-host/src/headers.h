/* Reads and marks headers of frames on the wire. */
#ifndef SDD_HOST_HEADERS_H
#define SDD_HOST_HEADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdd/packet.h"

/*
 * Reads the 5-tuple of an Ethernet frame (any bytes) with up to two VLAN tags. Frames that are not
 * IP, and IP packets with a truncated header, belong to the flow of all zero bytes, which only a
 * match without addresses covers. Ports are 0 for protocols other than TCP, UDP, SCTP, DCCP and
 * UDP-Lite, and for all fragments except the first. IPv6 extension headers are skipped. Returns
 * whether the frame is IP.
 */
bool headers_flow(const uint8_t *frame, size_t size, struct base_flow_key *key);

/*
 * Writes the DSCP (0 to 63) into the IP header of an Ethernet frame and updates the header's
 * checksum. Frames that are not IP are unchanged.
 */
void headers_mark(uint8_t *frame, size_t size, uint8_t dscp);

/* EtherTypes that headers_network returns. */
enum { HEADERS_IPV4 = 0x0800, HEADERS_IPV6 = 0x86dd };

/* Returns the offset of an Ethernet frame's network layer after up to two VLAN tags, or size if the
 * frame is too short. *type: its EtherType. */
size_t headers_network(const uint8_t *frame, size_t size, uint16_t *type);

/* Returns the DSCP of an Ethernet frame; -1: not IP. */
int headers_dscp(const uint8_t *frame, size_t size);

#endif

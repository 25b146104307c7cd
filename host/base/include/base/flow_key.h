/* IP addresses and the 5-tuple that names a flow (Tewari 2015, section 5.3.3). */
#ifndef BASE_FLOW_KEY_H
#define BASE_FLOW_KEY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An IPv6 address in network byte order; an IPv4 address in its mapped form ::ffff:a.b.c.d. */
struct base_ip_address {
    uint8_t octets[16];
};

/* host_order: the IPv4 address 10.0.0.1 is 0x0a000001. */
struct base_ip_address base_ipv4(uint32_t host_order);

/* Ports are in host byte order, 0 if the protocol has none. */
struct base_flow_key {
    struct base_ip_address source;
    struct base_ip_address destination;
    uint16_t source_port;
    uint16_t destination_port;
    uint8_t protocol; /* IANA number: 6 TCP, 17 UDP */
    uint8_t zero[3];  /* must be 0, so that keys compare as bytes */
};

#ifdef __cplusplus
}
#endif
#endif

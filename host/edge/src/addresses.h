/* Addresses as user space has them: texts, sockets, comparisons. */
#ifndef EDGE_ADDRESSES_H
#define EDGE_ADDRESSES_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "address.h"

enum { ADDRESS_TEXT_BYTES = INET6_ADDRSTRLEN };

/* An IPv4 address in network byte order. */
struct edge_address address_ipv4(uint32_t address);

/* AF_INET or AF_INET6. */
int address_family(const struct edge_address *address);

/* Bits of an address of its family. */
unsigned address_bits(const struct edge_address *address);

bool address_same(const struct edge_address *a, const struct edge_address *b);

/* Whether it is none, 0.0.0.0 or ::. */
bool address_is_any(const struct edge_address *address);

/* Whether it can be a host's on a network. */
bool address_is_unicast(const struct edge_address *address);

/* Reads "192.0.2.1" or "2001:db8::1"; false for anything else. */
bool address_read(const char *text, struct edge_address *address);

/* Writes what address_read reads; returns text. */
const char *address_write(const struct edge_address *address, char text[ADDRESS_TEXT_BYTES]);

/* As sockets have it, and how much of that counts; the port in the host's byte order. */
socklen_t address_to_socket(const struct edge_address *address, uint16_t port,
                            struct sockaddr_storage *socket);
struct edge_address address_of_socket(const struct sockaddr_storage *socket);

#endif

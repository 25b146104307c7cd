/* Addresses in user space: texts, socket addresses, comparisons. */
#ifndef EDGE_ADDRESSES_H
#define EDGE_ADDRESSES_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "address.h"

enum { ADDRESS_TEXT_BYTES = INET6_ADDRSTRLEN };

/* Returns an IPv4 address. address: in network byte order. */
struct edge_address address_ipv4(uint32_t address);

/* Returns AF_INET or AF_INET6. */
int address_family(const struct edge_address *address);

/* Returns the number of bits of an address in its family. */
unsigned address_bits(const struct edge_address *address);

bool address_same(const struct edge_address *a, const struct edge_address *b);

/* Whether the address is missing, 0.0.0.0 or ::. */
bool address_is_any(const struct edge_address *address);

/* Whether the address can belong to a host on a network. */
bool address_is_unicast(const struct edge_address *address);

/* Reads a numeric address such as "192.0.2.1" or "2001:db8::1"; returns false for other texts. */
bool address_read(const char *text, struct edge_address *address);

/* Writes an address in the form that address_read reads; returns text. */
const char *address_write(const struct edge_address *address, char text[ADDRESS_TEXT_BYTES]);

/* Converts to a socket address and returns its length. port: in host byte order. */
socklen_t address_to_socket(const struct edge_address *address, uint16_t port,
                            struct sockaddr_storage *socket);
struct edge_address address_of_socket(const struct sockaddr_storage *socket);

#endif

#include "addresses.h"

#include <netinet/in.h>
#include <string.h>

struct edge_address address_ipv4(uint32_t address) {
    return (struct edge_address){.family = 4, .words = {address}};
}

int address_family(const struct edge_address *address) {
    return address->family == 6 ? AF_INET6 : AF_INET;
}

unsigned address_bits(const struct edge_address *address) {
    return address->family == 6 ? 128 : 32;
}

bool address_same(const struct edge_address *a, const struct edge_address *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

bool address_is_any(const struct edge_address *address) {
    static const uint32_t none[4];
    return memcmp(address->words, none, sizeof none) == 0;
}

bool address_is_unicast(const struct edge_address *address) {
    const uint8_t *bytes = (const void *)address->words;
    const struct edge_address loopback = {.family = 6, .words = {0, 0, 0, htonl(1)}};
    if (address->family == 6)
        return bytes[0] != 0xff && !address_is_any(address) && !address_same(address, &loopback);
    return bytes[0] != 0 && bytes[0] != 127 &&
           bytes[0] < 224; /* addresses above are multicast or reserved */
}

bool address_read(const char *text, struct edge_address *address) {
    *address = (struct edge_address){.family = strchr(text, ':') ? 6 : 4};
    return inet_pton(address_family(address), text, address->words) == 1;
}

const char *address_write(const struct edge_address *address, char text[ADDRESS_TEXT_BYTES]) {
    return inet_ntop(address_family(address), address->words, text, ADDRESS_TEXT_BYTES);
}

socklen_t address_to_socket(const struct edge_address *address, uint16_t port,
                            struct sockaddr_storage *socket) {
    memset(socket, 0, sizeof *socket);
    if (address->family == 6) {
        struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
        memcpy(&ipv6.sin6_addr, address->words, sizeof ipv6.sin6_addr);
        memcpy(socket, &ipv6, sizeof ipv6);
        return sizeof ipv6;
    }
    const struct sockaddr_in ipv4 = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = address->words[0]};
    memcpy(socket, &ipv4, sizeof ipv4);
    return sizeof ipv4;
}

struct edge_address address_of_socket(const struct sockaddr_storage *socket) {
    struct edge_address address = {0};
    if (socket->ss_family == AF_INET6) {
        struct sockaddr_in6 ipv6;
        memcpy(&ipv6, socket, sizeof ipv6);
        address.family = 6;
        memcpy(address.words, &ipv6.sin6_addr, sizeof ipv6.sin6_addr);
    } else if (socket->ss_family == AF_INET) {
        struct sockaddr_in ipv4;
        memcpy(&ipv4, socket, sizeof ipv4);
        address = address_ipv4(ipv4.sin_addr.s_addr);
    }
    return address;
}

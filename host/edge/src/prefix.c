#include "prefix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAMILY_BITS = 32 }; /* bits of a map's key before the address */

bool prefix_read(const char *text, struct prefix_config *prefix) {
    char address[INET6_ADDRSTRLEN];
    const char *slash = strchr(text, '/');
    if (!slash || (size_t)(slash - text) >= sizeof address)
        return false;
    memcpy(address, text, (size_t)(slash - text));
    address[slash - text] = '\0';
    const char *number = slash + 1;
    const size_t digits = strspn(number, "0123456789");
    if (digits < 1 || digits > 3 || number[digits] != '\0' || (digits > 1 && number[0] == '0'))
        return false;
    *prefix = (struct prefix_config){0};
    const unsigned long bits = strtoul(number, NULL, 10);
    if (!address_read(address, &prefix->address) || bits > address_bits(&prefix->address))
        return false;
    prefix->bits = (uint8_t)bits;
    return prefix_covers(prefix, &prefix->address);
}

const char *prefix_write(const struct prefix_config *prefix, char text[PREFIX_TEXT_BYTES]) {
    address_write(&prefix->address, text);
    snprintf(text + strlen(text), 5, "/%u", prefix->bits);
    return text;
}

bool prefix_covers(const struct prefix_config *prefix, const struct edge_address *address) {
    if (prefix->address.family != address->family)
        return false;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned before = 32 * i, bits = prefix->bits > before ? prefix->bits - before : 0;
        const uint32_t mask = bits == 0 ? 0 : bits >= 32 ? UINT32_MAX : UINT32_MAX << (32 - bits);
        if ((address->words[i] & htonl(mask)) != prefix->address.words[i])
            return false;
    }
    return true;
}

bool prefix_is_unicast(const struct prefix_config *prefix) {
    static const char *const others[] = {"0.0.0.0/8",   "127.0.0.0/8", "169.254.0.0/16",
                                         "224.0.0.0/3", "::1/128",     "fe80::/10",
                                         "ff00::/8"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct prefix_config other;
        if (prefix_read(others[i], &other) && prefix->bits >= other.bits &&
            prefix_covers(&other, &prefix->address))
            return false;
    }
    return true;
}

bool prefix_same(const struct prefix_config *a, const struct prefix_config *b) {
    return a->bits == b->bits && memcmp(&a->address, &b->address, sizeof a->address) == 0;
}

struct edge_prefix prefix_key(const struct prefix_config *prefix) {
    return (struct edge_prefix){.bits = FAMILY_BITS + prefix->bits, .address = prefix->address};
}

struct prefix_config prefix_of_key(const struct edge_prefix *key) {
    return (struct prefix_config){.address = key->address,
                                  .bits = (uint8_t)(key->bits - FAMILY_BITS)};
}

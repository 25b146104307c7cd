/* The addresses of the controllers of a host or circuit switch, which follows one of them
 * (sdd-protocol.md). */
#ifndef CONFIGURATION_CONTROLLERS_H
#define CONFIGURATION_CONTROLLERS_H

#include <stdint.h>

#include "fields.h"

enum { MAX_CONTROLLERS = 4 };

/* The address at which a controller listens. */
struct controller_address {
    char address[64]; /* IPv4 or IPv6, numeric */
    uint16_t port;
};

struct controllers {
    unsigned count; /* 0: none */
    struct controller_address list[MAX_CONTROLLERS];
};

/* Reads the address and port of the first controller, and those of the others from the array
 * `standby`. */
void controllers_read(struct fields *fields, json_t *object, struct controllers *controllers);

#endif

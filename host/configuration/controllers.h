/* The controllers of a host or a circuit switch, of which it follows one (sdd-protocol.md). */
#ifndef CONFIGURATION_CONTROLLERS_H
#define CONFIGURATION_CONTROLLERS_H

#include <stdint.h>

#include "fields.h"

enum { MAX_CONTROLLERS = 4 };

/* Where one listens. */
struct controller_address {
    char address[64]; /* IPv4 or IPv6, numeric */
    uint16_t port;
};

struct controllers {
    unsigned count; /* 0: none */
    struct controller_address list[MAX_CONTROLLERS];
};

/* Reads address and port of the first, and `standby`, an array of the others. */
void controllers_read(struct fields *fields, json_t *object, struct controllers *controllers);

#endif

/* The configuration of a circuit switch: one JSON document (docs/reference/sdd-host.md). */
#ifndef CIRCUIT_SWITCH_CONFIG_H
#define CIRCUIT_SWITCH_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controllers.h"
#include "matchings.h"

struct switch_port {
    char device[16]; /* an interface */
    char host[64];   /* the name of the host behind it */
};

struct switch_config {
    char name[64];
    uint64_t link_bps; /* of a circuit */
    uint64_t packet_switch_bps;
    int64_t packet_switch_queue_ns;
    int clock; /* CLOCK_MONOTONIC, ... */
    struct switch_port ports[MAX_SWITCH_PORTS];
    unsigned ports_count;
    struct controllers controllers;
    char server_name[128], certificate[256], key[256], authority[256];
};

/* False: the reason in error. */
bool switch_config_load(const char *path, struct switch_config *config, char *error, size_t size);

#endif

/* The configuration of a circuit switch: one JSON document (docs/reference/sdd-host.md). */
#ifndef CIRCUIT_SWITCH_CONFIG_H
#define CIRCUIT_SWITCH_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controllers.h"
#include "matchings.h"

struct switch_port {
    char device[16]; /* name of the network interface */
    char host[64];   /* name of the attached host */
};

struct switch_config {
    char name[64];
    uint64_t link_bps; /* rate of a circuit */
    uint64_t packet_switch_bps;
    int64_t packet_switch_queue_ns;
    int clock; /* CLOCK_MONOTONIC, ... */
    struct switch_port ports[MAX_SWITCH_PORTS];
    unsigned ports_count;
    struct controllers controllers;
    char server_name[128], certificate[256], key[256], authority[256];
};

/* Reads a configuration file. Returns false with the reason in error. */
bool switch_config_load(const char *path, struct switch_config *config, char *error, size_t size);

#endif

/*
 * The configuration of an sdd-host process: one JSON document, whose fields
 * docs/reference/sdd-host.md describes.
 */
#ifndef SDD_HOST_CONFIG_H
#define SDD_HOST_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access_config.h"
#include "controllers.h"
#include "sdd/sdd.h"

enum {
    MAX_HOSTS = 16,
    NAME_SIZE = 16, /* of an interface's name, with its zero */
    PATH_SIZE = 256,
    MAX_ADDRESSES = 64
};

enum driver { DRIVER_AF_PACKET, DRIVER_AF_XDP, DRIVER_PCI };

/* A port driven by DPDK. */
struct port_config {
    enum driver driver;
    char device[NAME_SIZE]; /* name of an interface, or a PCI address */
};

struct mapping_config {
    uint32_t queue;
    struct sdd_match match;
    uint8_t flow_priority;
};

struct condition_config {
    uint32_t queue;
    struct sdd_program program;
};

struct queue_config {
    uint32_t number;
    struct sdd_queue_config sdd;
};

enum clock_source { CLOCK_SOURCE_SYSTEM, CLOCK_SOURCE_PTP4L };

/* The state of queues while no controller is heard (docs/reference/sdd-protocol.md). */
enum safe_policy { SAFE_OPEN, SAFE_CLOSED, SAFE_RATE };

/* The controllers of a host, which follows one of them (docs/reference/sdd-protocol.md). */
struct control_config {
    struct controllers controllers;
    uint16_t datagram_port; /* for START and STOP; 0: any free port */
    char server_name[128];  /* in the controller's certificate */
    char certificate[PATH_SIZE];
    char key[PATH_SIZE];
    char authority[PATH_SIZE];
    enum safe_policy safe_policy; /* until a controller sets another */
    int64_t safe_rate_bps;        /* rate of each queue with SAFE_RATE */
};

struct host_config {
    char name[64];
    char tap[NAME_SIZE];                 /* the TAP device to which applications send; "": */
    struct port_config application_port; /* instead of it this port, the other end of a veth pair */
    char tap_namespace[PATH_SIZE];       /* path of its network namespace; empty: this process's */
    uint32_t segment_bytes;              /* maximum TCP segment from the TAP device; 0: a frame */
    uint64_t link_bps;                   /* rate of its NIC */
    bool pace_to_link;                   /* limits queues without a rate to link_bps */
    struct port_config port;
    struct sdd_match addresses[MAX_ADDRESSES]; /* matches for packets to this host */
    unsigned addresses_count;
    struct sdd_limits limits;
    struct queue_config *queues;
    struct mapping_config *mappings;
    struct condition_config *conditions;
    uint32_t queues_count, mappings_count, conditions_count;
    struct control_config control;
    struct applications_config applications;
};

struct config {
    int evaluate_cpu;
    int transmit_cpu;               /* -1: the evaluating core transmits */
    int ingest_cpu;                 /* -1: the evaluating core reads frames */
    int realtime_priority;          /* of these threads: 1 to 99 with SCHED_RR; 0: none */
    int64_t idle_poll_ns;           /* maximum wait of received packets while the process is idle */
    int clock;                      /* CLOCK_REALTIME, CLOCK_TAI or CLOCK_MONOTONIC */
    enum clock_source clock_source; /* source of the clock's offset */
    char ptp4l_socket[108];         /* sun_path */
    uint32_t memory_mb;
    bool huge_pages;
    uint32_t packet_buffers;
    char statistics_socket[108];
    struct host_config hosts[MAX_HOSTS];
    unsigned hosts_count;
};

/* Returns the number of queues for the configuration and the controller: queue numbers below it. */
static inline uint32_t config_controlled_queues(const struct host_config *host) {
    return host->limits.max_queues - host->applications.queues;
}

/*
 * Parses text. Returns a configuration, which the caller frees with config_free, or null with an
 * error that names the field and its valid values.
 */
struct config *config_parse(const char *text, size_t length, char *error, size_t error_size);
struct config *config_load(const char *path, char *error, size_t error_size);

/*
 * Whether the kernel allows the threads to run as configured. rt_runtime_us: its
 * kernel.sched_rt_runtime_us; negative: no limit on real-time threads. Returns false with an error
 * that names the field.
 */
bool config_suits_kernel(const struct config *config, int64_t rt_runtime_us, char *error,
                         size_t error_size);

/* Returns this kernel's value. */
int64_t config_rt_runtime_us(void);

void config_free(struct config *config);

#endif

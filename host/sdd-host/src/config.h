/*
 * The configuration of an sdd-host process: one JSON document, described field by field in
 * docs/reference/sdd-host.md.
 */
#ifndef SDD_HOST_CONFIG_H
#define SDD_HOST_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controllers.h"
#include "sdd/sdd.h"

enum {
    MAX_HOSTS = 16,
    MAX_CONFIG_QUEUES = 16384,
    NAME_SIZE = 16, /* an interface's, with its zero */
    PATH_SIZE = 256,
    MAX_ADDRESSES = 64,
    MAX_ACCESS_RULES = 64,
    MAX_ACCESS_MATCHES = 16,
    MAX_OBSERVED = 64,
    MAX_QUOTA = 65536 /* of mappings, conditions and triggers of a user */
};

enum driver { DRIVER_AF_PACKET, DRIVER_AF_XDP, DRIVER_PCI };

/* A port that DPDK drives. */
struct port_config {
    enum driver driver;
    char device[NAME_SIZE]; /* an interface, or a PCI address */
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

/* What queues do while no controller is heard (docs/reference/sdd-protocol.md). */
enum safe_policy { SAFE_OPEN, SAFE_CLOSED, SAFE_RATE };

/* The controllers of a host, of which it follows one (docs/reference/sdd-protocol.md). */
struct control_config {
    struct controllers controllers;
    uint16_t datagram_port; /* for START and STOP; 0: any that is free */
    char server_name[128];  /* in the controller's certificate */
    char certificate[PATH_SIZE];
    char key[PATH_SIZE];
    char authority[PATH_SIZE];
    enum safe_policy safe_policy; /* until a controller says otherwise */
    int64_t safe_rate_bps;        /* of each queue, with SAFE_RATE */
};

/* What each user of a rule may have, all its connections together. */
struct access_quota {
    uint32_t queues;
    int64_t packets; /* maxPackets of its queues together: what it may keep waiting */
    uint32_t mappings;
    uint32_t conditions;
    uint32_t triggers;
    uint32_t connections;
    uint32_t requests_per_second;
};

/* Which applications may use the host's queues, and how. */
struct access_rule {
    bool of_group;
    uint32_t id;              /* of the user, or of the group */
    uint8_t max_priority;     /* of their queues */
    enum sdd_network network; /* of its queues */
    struct access_quota quota;
    struct sdd_match matches[MAX_ACCESS_MATCHES]; /* flows that they may map whosever they are */
    unsigned matches_count;
    uint32_t observes[MAX_OBSERVED]; /* queues whose statistics and events they may have */
    unsigned observes_count;
};

/* Applications on a host (docs/reference/sdd-applications.md). */
struct applications_config {
    char socket[108]; /* sun_path; empty: there are none */
    uint32_t queues;  /* the last so many of the host's are theirs */
    struct access_rule *rules;
    unsigned rules_count;
};

struct host_config {
    char name[64];
    char tap[NAME_SIZE];                 /* the TAP device that applications send to; "": */
    struct port_config application_port; /* it is this port, the other end of a veth pair */
    char tap_namespace[PATH_SIZE]; /* of the network namespace it is in; empty: this process's */
    uint32_t
        segment_bytes; /* the largest TCP segment from the TAP device; 0: no larger than a frame */
    uint64_t link_bps; /* of its NIC */
    bool pace_to_link; /* virtual interfaces have no rate: queues without a limit get this one */
    struct port_config port;
    struct sdd_match addresses[MAX_ADDRESSES]; /* as destinations: packets to this host */
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
    int transmit_cpu;      /* -1: the evaluating core transmits */
    int ingest_cpu;        /* -1: the evaluating core takes frames in */
    int realtime_priority; /* of these threads: SCHED_RR 1 to 99, or 0 for none */
    int64_t idle_poll_ns; /* how long received packets may wait for a host that has nothing to do */
    int clock;            /* CLOCK_REALTIME, CLOCK_TAI or CLOCK_MONOTONIC */
    enum clock_source clock_source; /* who knows how far that is off */
    char ptp4l_socket[108];         /* sun_path */
    uint32_t memory_mb;
    bool huge_pages;
    uint32_t packet_buffers;
    char statistics_socket[108];
    struct host_config hosts[MAX_HOSTS];
    unsigned hosts_count;
};

/* The queues that the configuration and the controller have: numbers below this one. */
static inline uint32_t config_controlled_queues(const struct host_config *host) {
    return host->limits.max_queues - host->applications.queues;
}

/*
 * Parses text. Null: error names the field and what it must be.
 * Free it with config_free.
 */
struct config *config_parse(const char *text, size_t length, char *error, size_t error_size);
struct config *config_load(const char *path, char *error, size_t error_size);

/*
 * Whether the kernel lets the threads run as configured. rt_runtime_us: its
 * kernel.sched_rt_runtime_us; negative: it does not limit real-time threads. False: error names the
 * field.
 */
bool config_suits_kernel(const struct config *config, int64_t rt_runtime_us, char *error,
                         size_t error_size);

/* This kernel's. */
int64_t config_rt_runtime_us(void);

void config_free(struct config *config);

#endif

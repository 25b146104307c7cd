/*
 * The configuration of evenweave-edge: one JSON document, described field by field in
 * docs/reference/edge.md and by docs/schema/evenweave-edge.json.
 */
#ifndef EDGE_CONFIG_H
#define EDGE_CONFIG_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "edge/choose.h"
#include "key.h"
#include "prefix.h"
#include "tuning.h"

enum { MAX_PEERS = 1024, MAX_PREFIXES = 64, MAX_ALL_PREFIXES = 4096, MAX_TTL = 16 };

enum {
    LEAST_MTU = 632,      /* 576 bytes inside the overlay's header */
    LEAST_MTU_IPV6 = 1280 /* of every link (RFC 8200) */
};

/* How paths to a peer are discovered. */
struct discover_config {
    unsigned paths; /* how many are wanted; 0: they are listed */
    uint8_t max_ttl;
    uint64_t period_ns;
    uint64_t timeout_ns; /* for the answer to a probe */
};

struct peer_config {
    struct edge_address address; /* of the family of this host's */
    bool ack_correction;         /* with the scheme alb */
    enum edge_scheme own_scheme; /* as the file has it */
    struct edge_params params;   /* by that and the file's tuning, or as the controller orders */
    struct prefix_config prefixes[MAX_PREFIXES];
    unsigned prefixes_count;
    struct discover_config discover;
    /* Those listed, or the candidates of discovery; their keys are their source ports. */
    struct edge_found paths[EDGE_MAX_PATHS];
    unsigned paths_count;
    uint32_t path_mtu;    /* what the fabric said that it carries to the peer; 0: nothing yet */
    uint64_t path_mtu_ns; /* when; CLOCK_MONOTONIC */
    struct edge_keys keys;
};

/* Whether reports of peers need a code under a key, and where keys are from. */
struct authentication_config {
    bool enabled;
    bool drops;         /* also guests' packets need it */
    char key_file[256]; /* "": the controller orders keys */
};

/* Where the controller is, and who this edge is to it; texts as in the file. */
struct controller_config {
    bool enabled;
    char name[64];    /* in this edge's certificate */
    char address[64]; /* IPv4 or IPv6, numeric */
    uint16_t port;
    char server_name[128]; /* in the controller's certificate */
    char certificate[256]; /* files in PEM */
    char key[256];
    char authority[256];
};

struct config {
    char device[IF_NAMESIZE];
    struct edge_address address; /* of this host in the overlay's outer header */
    /* Of packets to peers' prefixes; all 0: the kernel's choice. */
    struct edge_address source, source6;
    uint32_t vni;
    uint32_t mtu; /* of the fabric; 0: the device's */
    uint16_t port;
    bool mdctcp;       /* the kernel is to offer the congestion control of that name */
    uint8_t transport; /* in the outer header: IPPROTO_UDP, or IPPROTO_TCP for what looks like it */
    bool hides;        /* with TCP: guests' own TCP instead of an overlay's header */
    struct tuning tuning;
    struct peer_config *peers;
    unsigned peers_count;
    struct controller_config controller;
    struct authentication_config authentication;
};

/* What a peer's flows go by with a scheme, the file's or an ordered one. */
struct edge_params peer_params(const struct peer_config *peer, enum edge_scheme scheme,
                               const struct tuning *tuning);

/* The scheme's name for operators, as in the configuration. */
const char *scheme_name(uint32_t scheme);

/*
 * Parses text. Null: error names the field and what it must be.
 * Free it with config_free.
 */
struct config *config_parse(const char *text, size_t length, char *error, size_t error_size);
struct config *config_load(const char *path, char *error, size_t error_size);
void config_free(struct config *config);

#endif

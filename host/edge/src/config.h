/*
 * The configuration of evenweave-edge: one JSON document, whose fields docs/reference/edge.md and
 * docs/schema/evenweave-edge.json describe.
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
    LEAST_MTU_IPV6 = 1280 /* the minimum of IPv6 links (RFC 8200) */
};

/* Parameters of the discovery of paths to a peer. */
struct discover_config {
    unsigned paths; /* number of paths wanted; 0: no discovery, the paths are listed */
    uint8_t max_ttl;
    uint64_t period_ns;
    uint64_t timeout_ns; /* for an answer to a probe */
};

struct peer_config {
    struct edge_address address; /* of the same family as this host's */
    bool ack_correction;         /* with the scheme alb */
    enum edge_scheme own_scheme; /* from the file */
    struct edge_params params;   /* from own_scheme and the file's tuning, or from the controller */
    struct prefix_config prefixes[MAX_PREFIXES];
    unsigned prefixes_count;
    struct discover_config discover;
    /* The listed paths, or the candidates of discovery; their keys are their source ports. */
    struct edge_found paths[EDGE_MAX_PATHS];
    unsigned paths_count;
    uint32_t path_mtu;    /* path MTU that the fabric reported; 0: none */
    uint64_t path_mtu_ns; /* time of that report; CLOCK_MONOTONIC */
    struct edge_keys keys;
};

/* Whether reports of peers need a code under a key, and the source of keys. */
struct authentication_config {
    bool enabled;
    bool drops;         /* guests' packets need the code too */
    char key_file[256]; /* "": the controller orders keys */
};

/* The controller's address and this edge's identity; texts as in the file. */
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
    /* Source addresses of packets to peers' prefixes; all 0: the kernel chooses. */
    struct edge_address source, source6;
    uint32_t vni;
    uint32_t mtu; /* of the fabric; 0: the device's */
    uint16_t port;
    bool mdctcp;       /* whether to load the congestion control mdctcp */
    uint8_t transport; /* outer protocol: IPPROTO_UDP, or IPPROTO_TCP for the TCP form */
    bool hides;        /* with TCP: the hidden overlay, which rewrites guests' TCP */
    struct tuning tuning;
    struct peer_config *peers;
    unsigned peers_count;
    struct controller_config controller;
    struct authentication_config authentication;
};

/* Returns the parameters of a peer's flows with a scheme, from the file or from the controller. */
struct edge_params peer_params(const struct peer_config *peer, enum edge_scheme scheme,
                               const struct tuning *tuning);

/* Returns the scheme's name as in the configuration. */
const char *scheme_name(uint32_t scheme);

/*
 * Parses text. Returns a configuration, which the caller frees with config_free, or null with an
 * error that names the field and its valid values.
 */
struct config *config_parse(const char *text, size_t length, char *error, size_t error_size);
struct config *config_load(const char *path, char *error, size_t error_size);
void config_free(struct config *config);

#endif

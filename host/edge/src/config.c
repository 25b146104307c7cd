#include "config.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"

#define NAME(CONSTANT, NAME, ...) NAME,
static const char *const scheme_names[] = {EDGE_SCHEME_TABLE(NAME) NULL};
#undef NAME

const char *scheme_name(uint32_t scheme) {
    return scheme < EDGE_SCHEMES ? scheme_names[scheme] : "unknown";
}

struct edge_params peer_params(const struct peer_config *peer, enum edge_scheme scheme,
                               const struct tuning *tuning) {
    struct edge_params params = tuning_params(scheme, tuning);
    params.ack_correction &= peer->ack_correction;
    return params;
}

/* Reads the address for the outer header. */
static struct edge_address read_address(struct fields *fields, json_t *object) {
    char text[64];
    struct edge_address address = {0};
    fields_text(fields, object, "address", text, sizeof text, NULL);
    if (!fields->failed && (!address_read(text, &address) || !address_is_unicast(&address)))
        fields_fail(fields, "address",
                    "must be a host's IP address, as in 192.0.2.1 or 2001:db8::1");
    return address;
}

static void read_prefix(struct fields *fields, json_t *value, const char *key,
                        struct prefix_config *prefix) {
    if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value) ||
        !prefix_read(json_string_value(value), prefix))
        fields_fail(fields, key,
                    "must be a prefix without bits of hosts, as in 10.0.0.0/24 or 2001:db8::/64");
    else if (!prefix_is_unicast(prefix))
        fields_fail(fields, key, "must not be of loopback, of a link, of multicast or reserved");
}

/* Applies the kernel's rules for names. The name is also a part of file names. */
static void read_device(struct fields *fields, json_t *document, char device[IF_NAMESIZE]) {
    fields_text(fields, document, "device", device, IF_NAMESIZE, NULL);
    if (strpbrk(device, "/: "))
        fields_fail(fields, "device", "must be the name of a network device");
}

static void read_path(struct fields *fields, json_t *object, struct edge_found *path) {
    static const char *const keys[] = {"sourcePort", "weight", NULL};
    fields_known(fields, object, keys);
    path->port =
        (uint16_t)fields_integer(fields, object, "sourcePort", 1024, UINT16_MAX, FIELD_REQUIRED);
    path->key = path->port;
    path->weight = (uint32_t)fields_integer(fields, object, "weight", 1, 1000000, 1);
}

static void read_listed(struct fields *fields, json_t *object, struct peer_config *peer) {
    json_t *paths = fields_array(fields, object, "paths", 1, EDGE_MAX_PATHS);
    for (size_t i = 0; i < json_array_size(paths) && !fields->failed; i++) {
        json_t *path = fields_item(fields, paths, "paths", i);
        const size_t mark = fields_enter(fields, "paths", i);
        read_path(fields, path, &peer->paths[i]);
        for (size_t j = 0; j < i; j++)
            if (peer->paths[j].port == peer->paths[i].port)
                fields_fail(fields, "sourcePort", "is already that of another path");
        fields_leave(fields, mark);
    }
    peer->paths_count = (unsigned)json_array_size(paths);
}

static void read_discover(struct fields *fields, json_t *object, struct peer_config *peer) {
    static const char *const keys[] = {"discover",  "firstPort", "candidates", "periodS",
                                       "timeoutMs", "maxTtl",    NULL};
    struct discover_config *discover = &peer->discover;
    const size_t mark = fields_enter(fields, "paths", SIZE_MAX);
    fields_known(fields, object, keys);
    discover->paths =
        (unsigned)fields_integer(fields, object, "discover", 1, EDGE_MAX_PATHS, FIELD_REQUIRED);
    /* With this many random ports, all of up to 8 ways are found with probability 0.998. */
    const unsigned enough = discover->paths < 8 ? 8 * discover->paths : EDGE_MAX_PATHS;
    const unsigned first = (unsigned)fields_integer(fields, object, "firstPort", 1024,
                                                    UINT16_MAX + 1 - EDGE_MAX_PATHS, 49152);
    peer->paths_count =
        (unsigned)fields_integer(fields, object, "candidates", 1, EDGE_MAX_PATHS, enough);
    if (peer->paths_count < discover->paths)
        fields_fail(fields, "candidates", "must not be fewer than the paths to discover");
    discover->period_ns =
        (uint64_t)fields_integer(fields, object, "periodS", 1, 86400, 30) * 1000000000;
    discover->timeout_ns =
        (uint64_t)fields_integer(fields, object, "timeoutMs", 1, 10000, 200) * 1000000;
    discover->max_ttl = (uint8_t)fields_integer(fields, object, "maxTtl", 1, MAX_TTL, 8);
    for (unsigned i = 0; i < peer->paths_count; i++) {
        const uint16_t port = (uint16_t)(first + i);
        peer->paths[i] = (struct edge_found){.key = port, .weight = 1, .port = port};
    }
    fields_leave(fields, mark);
}

static void read_peer(struct fields *fields, json_t *object, const struct tuning *tuning,
                      struct peer_config *peer) {
    static const char *const keys[] = {"address", "prefixes",      "scheme",
                                       "paths",   "ackCorrection", NULL};
    fields_known(fields, object, keys);
    peer->address = read_address(fields, object);
    json_t *prefixes = fields_array(fields, object, "prefixes", 1, MAX_PREFIXES), *prefix;
    size_t i;
    json_array_foreach(prefixes, i, prefix) {
        char name[40];
        snprintf(name, sizeof name, "prefixes[%zu]", i);
        read_prefix(fields, prefix, name, &peer->prefixes[i]);
        if (prefix_covers(&peer->prefixes[i], &peer->address))
            fields_fail(fields, name, "must not hold the address of the peer itself");
    }
    peer->prefixes_count = (unsigned)json_array_size(prefixes);
    peer->own_scheme =
        (enum edge_scheme)fields_choice(fields, object, "scheme", scheme_names, "clove-ecn");
    peer->ack_correction = fields_boolean(fields, object, "ackCorrection", true);
    peer->params = peer_params(peer, peer->own_scheme, tuning);
    json_t *paths = json_object_get(object, "paths");
    if (json_is_object(paths))
        read_discover(fields, paths, peer);
    else
        read_listed(fields, object, peer);
}

/* Checks a prefix against those of all peers up to this one. */
static void check_prefix(struct fields *fields, const struct config *config, unsigned at,
                         unsigned p) {
    const struct prefix_config *prefix = &config->peers[at].prefixes[p];
    char name[40];
    snprintf(name, sizeof name, "prefixes[%u]", p);
    if (config->hides && prefix->address.family == 6)
        fields_fail(fields, name, "must be of IPv4, as transport is hidden");
    if (prefix_covers(prefix, &config->address))
        fields_fail(fields, name, "must not hold the address of this host");
    for (unsigned i = 0; i <= at; i++) {
        const struct peer_config *other = &config->peers[i];
        for (unsigned q = 0; q < (i < at ? other->prefixes_count : p); q++)
            if (prefix_same(&other->prefixes[q], prefix))
                fields_fail(fields, name, "is listed already");
        if (prefix_covers(prefix, &other->address))
            fields_fail(fields, name, "must not hold the address of a peer");
    }
}

/* Checks a peer against the peers before it. */
static void check_peer(struct fields *fields, const struct config *config, unsigned at) {
    const struct peer_config *peer = &config->peers[at];
    if (peer->address.family != config->address.family)
        fields_fail(fields, "address", "must have the address family of this host's address");
    if (address_same(&peer->address, &config->address))
        fields_fail(fields, "address", "is this host's own");
    for (unsigned i = 0; i < at; i++)
        if (address_same(&config->peers[i].address, &peer->address))
            fields_fail(fields, "address", "is already that of another peer");
    unsigned prefixes = 0;
    for (unsigned i = 0; i <= at; i++)
        prefixes += config->peers[i].prefixes_count;
    if (prefixes > MAX_ALL_PREFIXES)
        fields_fail(fields, "prefixes",
                    "are more than 4096, including those of the preceding peers");
    for (unsigned p = 0; p < peer->prefixes_count; p++)
        check_prefix(fields, config, at, p);
}

static void read_controller(struct fields *fields, json_t *object,
                            struct controller_config *controller) {
    static const char *const keys[] = {"name",        "address", "port",      "serverName",
                                       "certificate", "key",     "authority", NULL};
    uint8_t octets[16];
    fields_known(fields, object, keys);
    controller->enabled = true;
    fields_text(fields, object, "name", controller->name, sizeof controller->name, NULL);
    fields_text(fields, object, "address", controller->address, sizeof controller->address, NULL);
    if (!fields->failed && inet_pton(AF_INET, controller->address, octets) != 1 &&
        inet_pton(AF_INET6, controller->address, octets) != 1)
        fields_fail(fields, "address", "must be a numeric IP address");
    controller->port =
        (uint16_t)fields_integer(fields, object, "port", 1, UINT16_MAX, FIELD_REQUIRED);
    fields_text(fields, object, "serverName", controller->server_name,
                sizeof controller->server_name, NULL);
    fields_text(fields, object, "certificate", controller->certificate,
                sizeof controller->certificate, NULL);
    fields_text(fields, object, "key", controller->key, sizeof controller->key, NULL);
    fields_text(fields, object, "authority", controller->authority, sizeof controller->authority,
                NULL);
}

static void read_authentication(struct fields *fields, json_t *document, struct config *config) {
    static const char *const keys[] = {"keyFile", "unauthenticated", NULL};
    static const char *const policies[] = {"deliver", "drop", NULL};
    struct authentication_config *authentication = &config->authentication;
    json_t *object = fields_object(fields, document, "authentication", false);
    if (!object)
        return;
    const size_t mark = fields_enter(fields, "authentication", SIZE_MAX);
    fields_known(fields, object, keys);
    authentication->enabled = true;
    fields_text(fields, object, "keyFile", authentication->key_file,
                sizeof authentication->key_file, "");
    authentication->drops = fields_choice(fields, object, "unauthenticated", policies, "deliver");
    fields_leave(fields, mark);
    if (config->hides)
        fields_fail(fields, "authentication", "is not possible, as transport is hidden");
    for (unsigned i = 0; i < config->peers_count; i++)
        config->peers[i].keys.required = 1;
}

static void read_transport(struct fields *fields, json_t *document, struct config *config) {
    static const char *const names[] = {"udp", "tcp", "hidden", NULL};
    enum { UDP, TCP, HIDDEN };
    const int chosen = (int)fields_choice(fields, document, "transport", names, "udp");
    config->transport = chosen == UDP ? IPPROTO_UDP : IPPROTO_TCP;
    config->hides = chosen == HIDDEN;
    if (config->hides && config->address.family == 6)
        fields_fail(fields, "address", "must be an IPv4 address, as transport is hidden");
}

static struct edge_address read_source(struct fields *fields, json_t *document) {
    char text[64];
    struct edge_address source = {.family = 4};
    if (!json_object_get(document, "source"))
        return source;
    fields_text(fields, document, "source", text, sizeof text, NULL);
    if (!fields->failed &&
        (!address_read(text, &source) || source.family != 4 || !address_is_unicast(&source)))
        fields_fail(fields, "source", "must be a host's IPv4 address, as in 192.0.2.1");
    return source;
}

static struct edge_address read_source6(struct fields *fields, json_t *document) {
    char text[64];
    struct edge_address source = {.family = 6};
    if (!json_object_get(document, "source6"))
        return source;
    fields_text(fields, document, "source6", text, sizeof text, NULL);
    if (!fields->failed &&
        (!address_read(text, &source) || source.family != 6 || !address_is_unicast(&source)))
        fields_fail(fields, "source6", "must be a host's IPv6 address, as in 2001:db8::1");
    return source;
}

/* Reads a time in microseconds, 1 to most_us. A missing field leaves the value unchanged. */
static void read_us(struct fields *fields, json_t *object, const char *key, int64_t most_us,
                    uint32_t *ns) {
    if (json_object_get(object, key))
        *ns = (uint32_t)fields_integer(fields, object, key, 1, most_us, 1) * 1000;
}

static void read_intflow(struct fields *fields, json_t *document, struct intflow_tuning *intflow) {
    static const char *const keys[] = {"linkMbps", "delayUs",   "windowUs", "timeoutUs",
                                       "settleUs", "sizeBytes", NULL};
    json_t *object = fields_object(fields, document, "intflow", false);
    if (!object)
        return;
    const size_t mark = fields_enter(fields, "intflow", SIZE_MAX);
    fields_known(fields, object, keys);
    intflow->link_mbps =
        (uint32_t)fields_integer(fields, object, "linkMbps", 1, 1000000, intflow->link_mbps);
    read_us(fields, object, "delayUs", 1000000, &intflow->delay_ns);
    read_us(fields, object, "windowUs", 4000000, &intflow->window_ns);
    read_us(fields, object, "timeoutUs", 4000000, &intflow->timeout_ns);
    if (json_object_get(object, "settleUs"))
        intflow->settle_ns =
            (uint32_t)fields_integer(fields, object, "settleUs", 0, 4000000, 0) * 1000;
    intflow->size_bytes =
        (uint32_t)fields_integer(fields, object, "sizeBytes", 1, 1000000000, intflow->size_bytes);
    fields_leave(fields, mark);
}

static void read_tuning(struct fields *fields, json_t *document, struct tuning *tuning) {
    *tuning = default_tuning;
    read_us(fields, document, "rttUs", 100000, &tuning->rtt_ns);
    read_us(fields, document, "gapUs", 1000000, &tuning->gap_ns);
    tuning->gap_percent = (uint32_t)fields_integer(fields, document, "gapAdaptPercent", 0, 400, 0);
    read_us(fields, document, "relayUs", 100000, &tuning->relay_ns);
    read_us(fields, document, "metricAgeUs", 4000000, &tuning->metric_age_ns);
    read_intflow(fields, document, &tuning->intflow);
}

static void read_config(struct fields *fields, json_t *document, void *into) {
    struct config *config = into;
    static const char *const keys[] = {
        "device",    "address",     "source",  "source6", "vni",        "port",
        "transport", "mtu",         "mdctcp",  "rttUs",   "gapUs",      "gapAdaptPercent",
        "relayUs",   "metricAgeUs", "intflow", "peers",   "controller", "authentication",
        NULL};
    fields_known(fields, document, keys);
    read_device(fields, document, config->device);
    config->address = read_address(fields, document);
    config->source = read_source(fields, document);
    config->source6 = read_source6(fields, document);
    config->vni = (uint32_t)fields_integer(fields, document, "vni", 0, (1 << 24) - 1, 0);
    config->port = (uint16_t)fields_integer(fields, document, "port", 1, UINT16_MAX, 6081);
    read_transport(fields, document, config);
    config->mdctcp = fields_boolean(fields, document, "mdctcp", false);
    config->mtu = (uint32_t)fields_integer(fields, document, "mtu", LEAST_MTU, UINT16_MAX, 0);
    if (config->mtu && config->mtu < LEAST_MTU_IPV6 && config->address.family == 6)
        fields_fail(fields, "mtu", "must be 1280 or more, as address is an IPv6 address");
    read_tuning(fields, document, &config->tuning);
    json_t *peers = fields_array(fields, document, "peers", 1, MAX_PEERS);
    config->peers_count = (unsigned)json_array_size(peers);
    config->peers = calloc(config->peers_count + 1, sizeof *config->peers);
    if (!config->peers) {
        fields_fail(fields, "peers", "out of memory");
        return;
    }
    for (unsigned i = 0; i < config->peers_count && !fields->failed; i++) {
        json_t *peer = fields_item(fields, peers, "peers", i);
        const size_t mark = fields_enter(fields, "peers", i);
        read_peer(fields, peer, &config->tuning, &config->peers[i]);
        check_peer(fields, config, i);
        fields_leave(fields, mark);
    }
    read_authentication(fields, document, config);
    json_t *controller = fields_object(fields, document, "controller", false);
    if (controller) {
        const size_t mark = fields_enter(fields, "controller", SIZE_MAX);
        read_controller(fields, controller, &config->controller);
        fields_leave(fields, mark);
    }
    const struct authentication_config *authentication = &config->authentication;
    if (authentication->enabled && !authentication->key_file[0] && !config->controller.enabled)
        fields_fail(fields, "authentication.keyFile",
                    "is required, as no controller distributes keys");
}

static void release(void *config) {
    config_free(config);
}

static const struct document_type type = {sizeof(struct config), read_config, release};

struct config *config_parse(const char *text, size_t length, char *error, size_t error_size) {
    return document_parse_new(text, length, &type, error, error_size);
}

struct config *config_load(const char *path, char *error, size_t error_size) {
    return document_load_new(path, &type, error, error_size);
}

void config_free(struct config *config) {
    if (config)
        free(config->peers);
    free(config);
}

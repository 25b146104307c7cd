#include "order_message.h"

#include <stdio.h>
#include <string.h>

/* Limits of the protocol, like the bounds in read_parameters. */
enum { LEAST_REPORT_MS = 100, MOST_REPORT_MS = 4000 };

/* The protocol has IPv4 addresses in mapped form. */
static struct edge_address address_of(const uint8_t bytes[16]) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    const bool is_ipv4 = memcmp(bytes, mapped, sizeof mapped) == 0;
    struct edge_address address = {.family = is_ipv4 ? 4 : 6};
    memcpy(address.words, is_ipv4 ? bytes + sizeof mapped : bytes, is_ipv4 ? 4 : 16);
    return address;
}

static const char *prefix_of(const uint8_t bytes[16], uint8_t bits, struct prefix_config *prefix) {
    *prefix = (struct prefix_config){.address = address_of(bytes), .bits = bits};
    if (bits > address_bits(&prefix->address))
        return "bits: must be 0 to 128, and of IPv4 0 to 32";
    return prefix_covers(prefix, &prefix->address) ? NULL : "address: must not have bits of hosts";
}

/* Reads a parameter, which may be absent; returns false if it is out of range. */
static bool take(uint32_t value, uint32_t none, uint32_t least, uint32_t most, uint32_t *ordered) {
    *ordered = value == none ? NOT_ORDERED : value;
    return value == none || (value >= least && value <= most);
}

/* Older controllers lack the parameters of versions 3, 6 and 7, for which the codecs then return
 * null. */
static const char *read_parameters(const struct sdd_wire_edgeOrder_prefixes *entry,
                                   struct ordered *ordered) {
    const uint32_t null = sdd_wire_edgeOrder_prefixes_rttNs_null_value();
    const uint16_t percent = sdd_wire_edgeOrder_prefixes_gapAdaptPercent(entry);
    /* The gap is older than optional fields: 0 means absent. */
    if (!take(sdd_wire_edgeOrder_prefixes_gapNs(entry), 0, 1, 1000000000, &ordered->gap_ns))
        return "gapNs: must be 0 to 1000000000";
    if (!take(percent, sdd_wire_edgeOrder_prefixes_gapAdaptPercent_null_value(), 0, 400,
              &ordered->gap_percent))
        return "gapAdaptPercent: must be 0 to 400";
    if (!take(sdd_wire_edgeOrder_prefixes_rttNs(entry), null, 1, 100000000, &ordered->rtt_ns))
        return "rttNs: must be 1 to 100000000";
    if (!take(sdd_wire_edgeOrder_prefixes_relayNs(entry), null, 1, 100000000, &ordered->relay_ns))
        return "relayNs: must be 1 to 100000000";
    if (!take(sdd_wire_edgeOrder_prefixes_delayNs(entry), null, 1, 1000000000, &ordered->delay_ns))
        return "delayNs: must be 1 to 1000000000";
    if (!take(sdd_wire_edgeOrder_prefixes_windowNs(entry), null, 1, 4000000000,
              &ordered->window_ns))
        return "windowNs: must be 1 to 4000000000";
    if (!take(sdd_wire_edgeOrder_prefixes_timeoutNs(entry), null, 1, 4000000000,
              &ordered->timeout_ns))
        return "timeoutNs: must be 1 to 4000000000";
    if (!take(sdd_wire_edgeOrder_prefixes_sizeBytes(entry), null, 1, 1000000000,
              &ordered->size_bytes))
        return "sizeBytes: must be 1 to 1000000000";
    if (!take(sdd_wire_edgeOrder_prefixes_metricAgeNs(entry), null, 1, 4000000000,
              &ordered->metric_age_ns))
        return "metricAgeNs: must be 1 to 4000000000";
    if (!take(sdd_wire_edgeOrder_prefixes_settleNs(entry), null, 0, 4000000000,
              &ordered->settle_ns))
        return "settleNs: must be 0 to 4000000000";
    return NULL;
}

/* Reads an entry of an order. Returns null, or an error that names the field. */
static const char *read_prefix(const struct sdd_wire_edgeOrder_prefixes *entry,
                               struct ordered_prefix *ordered) {
#define NUMBER(CONSTANT, NAME, NUMBER, ...) [NUMBER] = EDGE_##CONSTANT,
    static const enum edge_scheme schemes[] = {EDGE_SCHEME_TABLE(NUMBER)};
#undef NUMBER
    enum sdd_wire_edgeScheme scheme = sdd_wire_edgeScheme_NULL_VALUE;
    uint8_t address[16];
    (void)sdd_wire_edgeOrder_prefixes_get_address(entry, (char *)address, sizeof address);
    const char *why = prefix_of(address, sdd_wire_edgeOrder_prefixes_bits(entry), &ordered->prefix);
    if (why)
        return why;
    if (!sdd_wire_edgeOrder_prefixes_scheme(entry, &scheme) ||
        scheme >= sizeof schemes / sizeof *schemes)
        return "scheme: is not known here";
    ordered->what.scheme = schemes[scheme];
    return read_parameters(entry, &ordered->what);
}

bool order_message_read(const struct wire_message *message, uint64_t *request_id,
                        struct order *order, char *error, size_t error_size) {
    struct sdd_wire_edgeOrder_prefixes entry = {0};
    WIRE_DECODE(edgeOrder, codec, message);
    *request_id = sdd_wire_edgeOrder_requestId(&codec);
    order->count = 0;
    order->report_ms = sdd_wire_edgeOrder_reportMs(&codec);
    if (order->report_ms < LEAST_REPORT_MS || order->report_ms > MOST_REPORT_MS) {
        snprintf(error, error_size, "reportMs: must be 100 to 4000");
        return false;
    }
    if (!sdd_wire_edgeOrder_get_prefixes(&codec, &entry)) {
        snprintf(error, error_size, "prefixes: malformed");
        return false;
    }
    while (sdd_wire_edgeOrder_prefixes_has_next(&entry)) {
        if (order->count == MAX_ORDERED_PREFIXES) {
            snprintf(error, error_size, "prefixes: are more than 256");
            return false;
        }
        sdd_wire_edgeOrder_prefixes_next(&entry);
        const char *why = read_prefix(&entry, &order->prefixes[order->count]);
        if (why) {
            snprintf(error, error_size, "prefixes[%u].%s", order->count, why);
            return false;
        }
        order->count++;
    }
    return true;
}

const char *weights_message_read(const struct wire_message *message, uint64_t *request_id,
                                 struct weighted_prefix *weights) {
    struct sdd_wire_edgeWeights_hops entry = {0};
    uint8_t address[16];
    WIRE_DECODE(edgeWeights, codec, message);
    *request_id = sdd_wire_edgeWeights_requestId(&codec);
    (void)sdd_wire_edgeWeights_get_address(&codec, (char *)address, sizeof address);
    const char *why = prefix_of(address, sdd_wire_edgeWeights_bits(&codec), &weights->prefix);
    if (why)
        return why;
    if (!sdd_wire_edgeWeights_get_hops(&codec, &entry))
        return "hops: malformed";
    for (weights->count = 0; sdd_wire_edgeWeights_hops_has_next(&entry); weights->count++) {
        if (weights->count == MAX_WEIGHTED_HOPS)
            return "hops: are more than 256";
        struct weighted_hop *hop = &weights->hops[weights->count];
        sdd_wire_edgeWeights_hops_next(&entry);
        (void)sdd_wire_edgeWeights_hops_get_address(&entry, (char *)address, sizeof address);
        hop->address = address_of(address);
        hop->share = sdd_wire_edgeWeights_hops_share(&entry);
        if (hop->share < 1 || hop->share > WEIGHTS_ONE)
            return "hops: share must be 1 to 1000000";
    }
    return NULL;
}

/* As two little-endian words. */
static struct edge_key key_of(const uint8_t bytes[sizeof(struct edge_key)]) {
    struct edge_key key = {{0, 0}};
    for (unsigned i = sizeof key; i-- > 0;)
        key.words[i / 8] = key.words[i / 8] << 8 | bytes[i];
    return key;
}

static struct peer_config *peer_at(struct config *config, const struct edge_address *address) {
    for (unsigned i = 0; i < config->peers_count; i++)
        if (address_same(&config->peers[i].address, address))
            return &config->peers[i];
    return NULL;
}

static void take_keys(struct sdd_wire_edgeKeys_peers *entry, struct config *config) {
    uint8_t address[16], sent[16], accepted[16], also[16];
    (void)sdd_wire_edgeKeys_peers_get_address(entry, (char *)address, sizeof address);
    (void)sdd_wire_edgeKeys_peers_get_sent(entry, (char *)sent, sizeof sent);
    (void)sdd_wire_edgeKeys_peers_get_accepted(entry, (char *)accepted, sizeof accepted);
    (void)sdd_wire_edgeKeys_peers_get_alsoAccepted(entry, (char *)also, sizeof also);
    const struct edge_address of = address_of(address);
    struct peer_config *peer = peer_at(config, &of);
    if (!peer)
        return;
    peer->keys.out = key_of(sent);
    peer->keys.in[0] = key_of(accepted);
    peer->keys.in[1] = key_of(also);
    peer->keys.count = memcmp(accepted, also, sizeof also) == 0 ? 1 : 2;
}

const char *keys_message_take(const struct wire_message *message, uint64_t *request_id,
                              struct config *config) {
    struct sdd_wire_edgeKeys_peers entry = {0};
    WIRE_DECODE(edgeKeys, codec, message);
    *request_id = sdd_wire_edgeKeys_requestId(&codec);
    if (!config->authentication.enabled)
        return "authentication: is not configured at this edge";
    if (!sdd_wire_edgeKeys_get_peers(&codec, &entry))
        return "peers: malformed";
    if (config->authentication.key_file[0])
        return NULL; /* which has the same secret, or another on purpose */
    while (sdd_wire_edgeKeys_peers_has_next(&entry)) {
        sdd_wire_edgeKeys_peers_next(&entry);
        take_keys(&entry, config);
    }
    return NULL;
}

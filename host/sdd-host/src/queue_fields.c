#include "queue_fields.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static const char *const discipline_names[] = {"fifo", "roundRobin", "strictPriority", NULL};
static const sdd_get_next disciplines[] = {sdd_next_fifo, sdd_next_round_robin,
                                           sdd_next_strict_priority};
static const char *const network_names[] = {"circuit", "packet", NULL}; /* enum sdd_network */

void queue_fields_prefix(struct fields *fields, json_t *object, const char *key,
                         struct base_ip_address *address, uint8_t *bits) {
    char text[64], *slash;
    *bits = 0;
    memset(address, 0, sizeof *address);
    if (!json_object_get(object, key))
        return;
    fields_text(fields, object, key, text, sizeof text, NULL);
    if (fields->failed)
        return;
    uint8_t octets[4];
    slash = strchr(text, '/');
    if (slash)
        *slash++ = '\0';
    const bool is_ipv4 = inet_pton(AF_INET, text, octets) == 1;
    const unsigned most = is_ipv4 ? 32 : 128;
    unsigned prefix = most;
    if ((!is_ipv4 && inet_pton(AF_INET6, text, address->octets) != 1) ||
        (slash &&
         (*slash == '\0' || strlen(slash) > 3 || strspn(slash, "0123456789") != strlen(slash) ||
          (prefix = (unsigned)strtoul(slash, NULL, 10)) > most))) {
        fields_fail(fields, key, "must be an IP address or prefix, as in 10.0.0.0/24");
        return;
    }
    if (is_ipv4)
        *address = base_ipv4((uint32_t)octets[0] << 24 | (uint32_t)octets[1] << 16 |
                             (uint32_t)octets[2] << 8 | octets[3]);
    *bits = (uint8_t)(is_ipv4 ? 96 + prefix : prefix);
}

void queue_fields_match(struct fields *fields, json_t *object, struct sdd_match *match,
                        uint8_t *flow_priority) {
    static const char *const keys[] = {"source",   "destination",  "sourcePort", "destinationPort",
                                       "protocol", "flowPriority", NULL};
    fields_known(fields, object, keys);
    *match = sdd_match_all();
    queue_fields_prefix(fields, object, "source", &match->source, &match->source_prefix_bits);
    queue_fields_prefix(fields, object, "destination", &match->destination,
                        &match->destination_prefix_bits);
    const int64_t source = fields_integer(fields, object, "sourcePort", 0, UINT16_MAX, -1);
    const int64_t destination =
        fields_integer(fields, object, "destinationPort", 0, UINT16_MAX, -1);
    const int64_t protocol = fields_integer(fields, object, "protocol", 0, UINT8_MAX, -1);
    match->wildcards = (uint8_t)((source < 0 ? SDD_ANY_SOURCE_PORT : 0) |
                                 (destination < 0 ? SDD_ANY_DESTINATION_PORT : 0) |
                                 (protocol < 0 ? SDD_ANY_PROTOCOL : 0));
    match->source_port = (uint16_t)(source < 0 ? 0 : source);
    match->destination_port = (uint16_t)(destination < 0 ? 0 : destination);
    match->protocol = (uint8_t)(protocol < 0 ? 0 : protocol);
    *flow_priority =
        (uint8_t)fields_integer(fields, object, "flowPriority", 0, SDD_FLOW_PRIORITIES - 1, 0);
}

struct sdd_queue_config queue_fields_settings(struct fields *fields, json_t *object) {
    return (struct sdd_queue_config){
        .priority = (uint8_t)fields_integer(fields, object, "priority", 0, SDD_PRIORITIES - 1, 0),
        .closed_by_default = fields_boolean(fields, object, "closedByDefault", false),
        .drain_rate_bps =
            fields_integer(fields, object, "drainRateBps", 0, SDD_MAX_DRAIN_RATE_BPS, 0),
        .max_packets = fields_integer(fields, object, "maxPackets", 0, UINT32_MAX, 1000),
        .max_bytes = fields_integer(fields, object, "maxBytes", 0, INT64_C(1) << 40, 0),
        .get_next =
            disciplines[fields_choice(fields, object, "discipline", discipline_names, "fifo")]};
}

enum sdd_network queue_fields_network(struct fields *fields, json_t *object, const char *fallback) {
    return (enum sdd_network)fields_choice(fields, object, "network", network_names, fallback);
}

void queue_fields_condition(struct fields *fields, const json_t *text, const char *name,
                            struct sdd_program *program) {
    struct sdd_parse_error error;
    if (!json_is_string(text))
        fields_fail(fields, name, "must be a condition as text");
    else if (!sdd_program_parse(json_string_value(text), json_string_length(text), program, &error))
        fields_fail(fields, name, "character %zu: %s", error.position + 1, error.message);
}

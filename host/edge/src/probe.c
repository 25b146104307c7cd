#include "probe.h"

#include <arpa/inet.h>
#include <linux/in.h>
#include <stddef.h>
#include <string.h>

#include "icmp_error.h"
#include "overlay.h"

/* Writes the header in the form of packets; returns its size. */
static size_t put_header(const struct edge_header *header, uint32_t family, uint8_t *packet) {
    const size_t front = edge_front_bytes(family);
    const size_t none = offsetof(struct edge_header, geneve) - front;
    const bool is_tcp = edge_header_transport(header, family) == IPPROTO_TCP;
    const size_t rest = is_tcp ? sizeof header->rest : 0;
    memcpy(packet, (const uint8_t *)header + none, front);
    memcpy(packet + front, &header->rest, rest);
    memcpy(packet + front + rest, &header->geneve, sizeof header->geneve);
    return front + rest + sizeof header->geneve;
}

size_t probe_write(const struct probe *probe, const struct config *config, uint32_t scheme,
                   uint8_t *packet) {
    struct edge_header header;
    const struct edge_envelope envelope = {.source = &config->address,
                                           .destination = &probe->peer,
                                           .vni = config->vni,
                                           .inner_bytes = sizeof(struct iphdr),
                                           .number = probe->nonce,
                                           .protocol = ETH_P_IP,
                                           .source_port = probe->source_port,
                                           .port = config->port,
                                           .transport = config->transport,
                                           .tos = edge_wants_marks(scheme) ? EDGE_ECT0 : 0,
                                           .ttl = probe->ttl,
                                           .id = probe->id,
                                           .flags = EDGE_GENEVE_CONTROL,
                                           .scheme = (uint8_t)scheme};
    const struct edge_option option = {
        .instruction = EDGE_CONTROL_ASK, .packet = probe->id, .sent_ns = probe->nonce};
    struct iphdr inner = {.version = 4, .protocol = IPPROTO_NONE, .ttl = 1};
    inner.ihl = sizeof inner / 4;
    inner.tot_len = htons(sizeof inner);
    inner.check = edge_ip_checksum(&inner);
    edge_header_write(&header, &envelope, &option);
    const size_t size = put_header(&header, config->address.family, packet);
    memcpy(packet + size, &inner, sizeof inner);
    return size + sizeof inner;
}

/* Reads an option of discovery, of a probe or an answer. */
static bool read_option(const uint8_t *payload, size_t size, const struct config *config,
                        struct edge_option *option) {
    struct edge_geneve geneve;
    if (size < sizeof geneve)
        return false;
    memcpy(&geneve, payload, sizeof geneve);
    return edge_geneve_vni(&geneve) == config->vni && edge_geneve_read(&geneve, option) &&
           geneve.flags & EDGE_GENEVE_CONTROL;
}

bool probe_read_error(const uint8_t *packet, size_t size, const struct edge_address *from,
                      const struct config *config, struct probe_answer *answer) {
    struct icmp_error error;
    struct edge_option option = {0};
    if (!icmp_error_read(packet, size, from, &error) || error.kind == ICMP_ERROR_TOO_BIG ||
        !address_same(&error.source, &config->address) || error.destination_port != config->port)
        return false;
    /* Most routers quote the whole packet, others only 8 bytes after an IPv4 header (RFC 792). */
    const bool is_short = error.payload_size < sizeof(struct edge_geneve);
    if (!is_short && (!read_option(error.payload, error.payload_size, config, &option) ||
                      option.instruction != EDGE_CONTROL_ASK))
        return false;
    const bool is_ipv4 = config->address.family == 4;
    const uint16_t id = is_ipv4 ? error.id : option.packet;
    if (id == 0 || (!is_short && option.packet != id))
        return false;
    *answer = (struct probe_answer){.outcome =
                                        error.kind == ICMP_ERROR_TTL ? PROBE_PASSED : PROBE_STOPPED,
                                    .from = error.from,
                                    .probe = {.peer = error.destination,
                                              .nonce = option.sent_ns,
                                              .id = id,
                                              .source_port = error.source_port}};
    return true;
}

bool probe_read_answer(const uint8_t *payload, size_t size, const struct edge_address *from,
                       const struct config *config, struct probe_answer *answer) {
    struct edge_option option;
    if (!read_option(payload, size, config, &option) || option.instruction != EDGE_CONTROL_ANSWER ||
        option.packet == 0 || option.sent_ns == 0 || option.metric > UINT16_MAX ||
        option.flowlet > UINT8_MAX)
        return false;
    *answer = (struct probe_answer){.outcome = PROBE_ARRIVED,
                                    .from = *from,
                                    .ttl_left = (uint8_t)option.flowlet,
                                    .probe = {.peer = *from,
                                              .nonce = option.sent_ns,
                                              .id = option.packet,
                                              .source_port = (uint16_t)option.metric}};
    return true;
}

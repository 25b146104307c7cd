#include "probe.h"

#include <arpa/inet.h>
#include <linux/icmp.h>
#include <linux/in.h>
#include <string.h>

#include "icmp_error.h"
#include "overlay.h"

void probe_write(const struct probe *probe, const struct config *config, uint32_t scheme,
                 uint8_t *packet) {
    struct edge_outer outer;
    const struct edge_envelope envelope = {.source = config->address,
                                           .destination = probe->peer,
                                           .vni = config->vni,
                                           .inner_bytes = sizeof(struct iphdr),
                                           .protocol = ETH_P_IP,
                                           .source_port = probe->source_port,
                                           .port = config->port,
                                           .tos = scheme == EDGE_CLOVE_ECN ? EDGE_ECT0 : 0,
                                           .flags = EDGE_GENEVE_CONTROL,
                                           .scheme = (uint8_t)scheme};
    const struct edge_option option = {
        .instruction = EDGE_CONTROL_ASK, .packet = probe->id, .sent_ns = probe->nonce};
    struct iphdr inner = {.version = 4, .protocol = IPPROTO_NONE, .ttl = 1};
    inner.ihl = sizeof inner / 4;
    inner.tot_len = htons(sizeof inner);
    inner.check = edge_ip_checksum(&inner);
    edge_outer_write(&outer, &envelope, &option);
    outer.ip.ttl = probe->ttl;
    outer.ip.id = htons(probe->id);
    outer.ip.check = 0;
    outer.ip.check = edge_ip_checksum(&outer.ip);
    memcpy(packet, &outer, sizeof outer);
    memcpy(packet + sizeof outer, &inner, sizeof inner);
}

/* Reads an option of discovery, whether asked or answered. */
static bool read_option(const uint8_t *payload, size_t size, const struct config *config,
                        struct edge_option *option) {
    /* With a header that arrived in order, so that it is judged as the programs judge one. */
    struct edge_outer outer = {.ip = {.version = 4, .ihl = 5, .protocol = IPPROTO_UDP},
                               .udp.dest = htons(config->port)};
    outer.ip.daddr = config->address;
    if (size < sizeof outer.geneve)
        return false;
    memcpy(&outer.geneve, payload, sizeof outer.geneve);
    return edge_outer_is(&outer, config->address, config->port, config->vni) &&
           edge_outer_read(&outer, option) && outer.geneve.flags & EDGE_GENEVE_CONTROL;
}

bool probe_read_error(const uint8_t *packet, size_t size, const struct config *config,
                      struct probe_answer *answer) {
    struct icmp_error error;
    struct edge_option option = {.instruction = EDGE_CONTROL_ASK};
    if (!icmp_error_read(packet, size, &error) || error.source != config->address ||
        error.destination_port != config->port || error.id == 0)
        return false;
    const bool passed = error.type == ICMP_TIME_EXCEEDED && error.code == ICMP_EXC_TTL;
    const bool stopped = error.type == ICMP_DEST_UNREACH && error.code != ICMP_FRAG_NEEDED;
    if (!passed && !stopped)
        return false;
    /* Most routers quote it all, others 8 bytes behind the IP header (RFC 792). */
    if (error.payload_size >= sizeof(struct edge_geneve) &&
        (!read_option(error.payload, error.payload_size, config, &option) ||
         option.instruction != EDGE_CONTROL_ASK || option.packet != error.id))
        return false;
    *answer = (struct probe_answer){.outcome = passed ? PROBE_PASSED : PROBE_STOPPED,
                                    .from = error.from,
                                    .probe = {.peer = error.destination,
                                              .nonce = option.sent_ns,
                                              .id = error.id,
                                              .source_port = error.source_port}};
    return true;
}

bool probe_read_answer(const uint8_t *payload, size_t size, uint32_t from,
                       const struct config *config, struct probe_answer *answer) {
    struct edge_option option;
    if (!read_option(payload, size, config, &option) || option.instruction != EDGE_CONTROL_ANSWER ||
        option.packet == 0 || option.sent_ns == 0 || option.metric > UINT16_MAX ||
        option.flowlet > UINT8_MAX)
        return false;
    *answer = (struct probe_answer){.outcome = PROBE_ARRIVED,
                                    .from = from,
                                    .ttl_left = (uint8_t)option.flowlet,
                                    .probe = {.peer = from,
                                              .nonce = option.sent_ns,
                                              .id = option.packet,
                                              .source_port = (uint16_t)option.metric}};
    return true;
}

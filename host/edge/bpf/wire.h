/* Writes overlay packets that leave, return to their sender, or go to the edge's process. */
#ifndef EDGE_WIRE_H
#define EDGE_WIRE_H

#include "decide.h"
#include "header.h"
#include "maps.h"
#include "proof.h"

/* Writes the proof behind a header. Returns 0, or what went wrong. */
EDGE_INLINE int write_proof(struct __sk_buff *skb, const struct edge_geneve *geneve,
                            const struct edge_departure *departure, uint64_t epoch_ns) {
    struct edge_proved proved;
    /* Another clock would have to be read, which takes a third of all that this does. */
    const uint32_t time = (uint32_t)((departure->now_ns + epoch_ns) >> EDGE_PROOF_TICK_SHIFT);
    edge_proved_of(geneve, time, &proved);
    const struct edge_proof proof = {
        .time = bpf_htonl(time),
        .code = bpf_htonl((uint32_t)edge_siphash(&departure->key, &proved))};
    return (int)bpf_skb_store_bytes(
        skb, ETH_HLEN + edge_header_bytes(departure->peer.family, departure->transport), &proof,
        sizeof proof, 0);
}

/* Writes the header of a leaving packet. Returns 0 or a negative errno. */
__attribute__((noinline)) int edge_write_header(struct __sk_buff *skb,
                                                const struct edge_departure *departure,
                                                const struct edge_option *option) {
    uint32_t zero = 0;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set || !departure || !option)
        return -1;
    struct edge_header header;
    struct edge_envelope envelope = {.source = &set->address,
                                     .destination = &departure->peer,
                                     .vni = set->vni,
                                     .inner_bytes = departure->bytes,
                                     .proof_bytes = departure->proof_bytes,
                                     .number = departure->random,
                                     .protocol = departure->protocol,
                                     .source_port = departure->source_port,
                                     .port = set->port,
                                     .transport = departure->transport,
                                     .tos = departure->tos,
                                     .ttl = EDGE_TTL,
                                     .flags = departure->flags,
                                     .scheme = (uint8_t)departure->scheme};
    edge_header_write(&header, &envelope, option);
    const int result = store_header(skb, departure->peer.family, &header);
    return result || !departure->proof_bytes
               ? result
               : write_proof(skb, &header.geneve, departure, set->epoch_ns);
}

/* Rewrites the headers of an arriving packet so that it returns to its sender. */
EDGE_INLINE bool turn_round(struct __sk_buff *skb, const struct edge_departure *departure,
                            const struct edge_option *option) {
    struct ethhdr ethernet;
    if (bpf_skb_load_bytes(skb, 0, &ethernet, sizeof ethernet) ||
        bpf_skb_store_bytes(skb, 0, ethernet.h_source, ETH_ALEN, 0) ||
        bpf_skb_store_bytes(skb, ETH_ALEN, ethernet.h_dest, ETH_ALEN, 0) ||
        edge_write_header(skb, departure, option))
        return false;
    skb->mark = EDGE_MARK;
    bpf_set_hash_invalid(skb);
    return true;
}

/*
 * Passes an answer to the process that sent the probe. The process has a UDP socket, so a header
 * that looks like TCP becomes UDP; the kernel would answer TCP with a reset.
 */
__attribute__((noinline)) int edge_deliver_answer(struct __sk_buff *skb) {
    uint32_t zero = 0;
    struct edge_header header;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set)
        return TC_ACT_SHOT;
    const uint32_t family = set->address.family;
    if (!load_header(skb, family, &header))
        return TC_ACT_SHOT;
    if (edge_header_transport(&header, family) != IPPROTO_TCP)
        return TC_ACT_UNSPEC;
    const uint16_t bytes = (uint16_t)(edge_header_payload(&header, family) - EDGE_REST_BYTES);
    if (family == 6) {
        header.ip6.nexthdr = IPPROTO_UDP;
        header.ip6.payload_len = edge_net16(bytes);
    } else {
        header.ip4.protocol = IPPROTO_UDP;
        header.ip4.tot_len = edge_net16((uint16_t)(bytes + sizeof header.ip4));
        header.ip4.check = 0;
        header.ip4.check = edge_ip_checksum(&header.ip4);
    }
    header.udp.len = edge_net16(bytes);
    if (bpf_skb_adjust_room(skb, -(int)EDGE_REST_BYTES, BPF_ADJ_ROOM_MAC,
                            BPF_F_ADJ_ROOM_FIXED_GSO) ||
        store_header(skb, family, &header))
        return edge_drop(EDGE_DROP_NO_ROOM);
    return TC_ACT_UNSPEC;
}

#endif

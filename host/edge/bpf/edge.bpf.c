// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * The edge on a device's clsact qdisc: puts packets to peers' prefixes into the overlay, on the
 * path that libedge chooses, and takes packets from peers out of it.
 *
 *     edge_out  egress:  inner packet ─► flow, path, report ─► header in front
 *     edge_in   ingress: header ─► report for the sender, report about us ─► inner packet
 *
 * Segmentation offload is kept: a decision is for a whole large segment, and the receiver's kernel
 * or its NIC sees the inner packets as they are. Reports go with packets that go back; where none
 * does for probe_rtts round-trip times, edge_in sends a copy of what arrived to its own egress,
 * where edge_out makes a probe of it. So all this needs no process.
 *
 * What discovery asks (src/discovery.h) is answered here too, and the answer goes to its process.
 */
#include <linux/bpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>

#include "decide.h"
#include "inner.h"
#include "instruct.h"

char LICENSE[] SEC("license") = "Dual Apache-2.0/GPL";

/* Linux 6.3 or later; not in older headers. */
#define ADJ_ROOM_DECAP_L3_IPV6 (1u << 8)

#define TCP_FLAGS 13 /* offset in its header */
#define TCP_CHECKSUM 16
#define TCP_ECE 0x40u
#define TCP_SYN 0x02u
#define TCP_ACK 0x10u

/* The peer behind an inner address, or 0. */
EDGE_INLINE uint32_t peer_of(const struct edge_inner *address) {
    struct edge_prefix key = {.bits = 8 * sizeof *address, .address = *address};
    uint32_t *peer = bpf_map_lookup_elem(&prefixes, &key);
    return peer ? *peer : 0;
}

EDGE_INLINE void add_report(struct edge_account *account, uint32_t peer, uint64_t now_ns,
                            struct edge_option *option) {
    struct edge_feedback feedback = {0};
    if (!edge_take(peer, now_ns, &feedback))
        return;
    option->flags |= EDGE_OPTION_FEEDBACK | (feedback.marked ? EDGE_OPTION_MARKED : 0);
    option->feedback_path = feedback.path;
    option->metric = feedback.metric;
    if (feedback.marked)
        edge_count(&account->paths[edge_index(feedback.path)].marks_reported, 1);
}

/*
 * Cuts a packet of the overlay down to its header and the start of the inner packet, where the
 * kernel may still have to put a checksum. Returns how much of the inner packet is left; 0: none.
 *
 * The kernel does not cut what it knows as encapsulated, as packets are that come over veth; those
 * stay whole, unless they are large segments.
 */
EDGE_INLINE uint32_t cut_down(struct __sk_buff *skb, uint16_t protocol) {
    const uint32_t header = ETH_HLEN + sizeof(struct edge_outer);
    const uint32_t ip = protocol == ETH_P_IPV6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr);
    uint32_t kept = ip + 20;
    if (skb->len < header + kept)
        kept = ip + 8;
    if (!bpf_skb_change_tail(skb, header + kept, 0))
        return kept;
    return skb->gso_size || skb->len <= header ? 0 : skb->len - header;
}

/* Writes the header of a packet that came, so that it goes back where it came from. */
EDGE_INLINE bool turn_round(struct __sk_buff *skb, const struct edge_outer *outer) {
    struct ethhdr ethernet;
    if (bpf_skb_load_bytes(skb, 0, &ethernet, sizeof ethernet) ||
        bpf_skb_store_bytes(skb, 0, ethernet.h_source, ETH_ALEN, 0) ||
        bpf_skb_store_bytes(skb, ETH_ALEN, ethernet.h_dest, ETH_ALEN, 0) ||
        bpf_skb_store_bytes(skb, ETH_HLEN, outer, sizeof *outer, 0))
        return false;
    bpf_set_hash_invalid(skb);
    return true;
}

/* Makes a probe of a copy of an arrival: turns it round and has it carry a report. */
EDGE_INLINE int make_probe(struct __sk_buff *skb, const struct edge_settings *set,
                           struct edge_outer *outer) {
    uint32_t peer = outer->ip.saddr;
    uint64_t now_ns = bpf_ktime_get_ns();
    struct edge_account *account = bpf_map_lookup_elem(&accounts, &peer);
    struct edge_departure departure = {
        .now_ns = now_ns, .peer = peer, .random = bpf_get_prandom_u32()};
    uint16_t protocol = bpf_ntohs(outer->geneve.protocol);
    uint32_t kept = cut_down(skb, protocol);
    if (!account || !kept || edge_decide_probe(&departure))
        return TC_ACT_SHOT; /* none now; reports wait */
    struct edge_option option = {.path = departure.path,
                                 .sent_ns = edge_time_stamp(departure.scheme, now_ns)};
    add_report(account, peer, now_ns, &option);
    struct edge_envelope envelope = {.source = set->address,
                                     .destination = peer,
                                     .vni = set->vni,
                                     .inner_bytes = kept,
                                     .protocol = protocol,
                                     .source_port = departure.source_port,
                                     .port = set->port,
                                     .flags = EDGE_GENEVE_CONTROL,
                                     .scheme = (uint8_t)departure.scheme};
    edge_outer_write(outer, &envelope, &option);
    if (!turn_round(skb, outer))
        return edge_drop(EDGE_DROP_NO_ROOM);
    edge_count(&account->probes_sent, 1);
    return TC_ACT_OK;
}

/* Sends a probe of the peer's discovery back to it, by one of our paths. */
EDGE_INLINE int answer_probe(struct __sk_buff *skb, const struct edge_settings *set,
                             struct edge_account *account, struct edge_outer *outer,
                             struct edge_option *option) {
    struct edge_departure departure = {.peer = outer->ip.saddr, .random = bpf_get_prandom_u32()};
    if (edge_decide_probe(&departure))
        return TC_ACT_SHOT;
    struct edge_envelope envelope = {.source = set->address,
                                     .destination = departure.peer,
                                     .vni = set->vni,
                                     .inner_bytes = skb->len - ETH_HLEN - sizeof *outer,
                                     .protocol = bpf_ntohs(outer->geneve.protocol),
                                     .source_port = departure.source_port,
                                     .port = set->port,
                                     .flags = EDGE_GENEVE_CONTROL,
                                     .scheme = (uint8_t)departure.scheme};
    option->flowlet = outer->ip.ttl;
    option->metric = bpf_ntohs(outer->udp.source);
    option->instruction = EDGE_CONTROL_ANSWER;
    edge_outer_write(outer, &envelope, option);
    if (!turn_round(skb, outer))
        return edge_drop(EDGE_DROP_NO_ROOM);
    edge_count(&account->answered, 1);
    return (int)bpf_redirect(skb->ifindex, 0);
}

/* IntFlow: what the leaf and the peer are told in a packet of a connection. */
EDGE_INLINE void instruct(struct __sk_buff *skb, const struct edge_settings *set,
                          const struct edge_departure *departure, const struct inner *inner,
                          struct edge_account *account, struct edge_option *option) {
    struct edge_segment segment = {.now_ns = set->slower ? departure->now_ns / set->slower : 0,
                                   .peer = departure->peer,
                                   .hash = departure->hash};
    edge_read_segment(skb, ETH_HLEN, departure->bytes, inner, &segment);
    if (edge_instruct(&segment))
        return;
    option->instruction = segment.instruction;
    if (segment.told) {
        option->flags |= EDGE_OPTION_FEEDBACK;
        option->metric = segment.delay_ns;
    }
    if (!segment.payload)
        return;
    edge_count(&account->instructed[segment.instruction & 3], 1);
    if (segment.instruction & EDGE_RETRANSMISSION)
        edge_count(&account->resent, 1);
}

/* The same for one that arrived. */
EDGE_INLINE void take_segment(struct __sk_buff *skb, const struct edge_arrival *arrival,
                              const struct inner *inner) {
    const uint32_t at = ETH_HLEN + sizeof(struct edge_outer);
    struct edge_segment segment = {.peer = arrival->peer, .hash = edge_reverse_hash(inner)};
    edge_read_segment(skb, at, skb->len - at, inner, &segment);
    edge_take_segment(&segment, arrival);
}

/* Bytes of the longest IP packet that a large segment is cut into. */
EDGE_INLINE uint32_t longest(struct __sk_buff *skb, const struct inner *inner) {
    uint8_t offset = 0x50;
    if (!skb->gso_size)
        return skb->len - ETH_HLEN;
    if (inner->protocol != IPPROTO_TCP)
        return inner->header + 8 + skb->gso_size;
    bpf_skb_load_bytes(skb, ETH_HLEN + inner->header + 12, &offset, 1);
    return inner->header + (uint32_t)(offset >> 4) * 4 + skb->gso_size;
}

/*
 * An IPv6 packet came here by a route whose gateway is made up (src/routes.c): its Ethernet header
 * leads nowhere. The kernel makes the one of the outer packet, which then comes here again.
 */
EDGE_INLINE int find_next_hop(struct __sk_buff *skb) {
    uint16_t type = edge_net16(ETH_P_IP);
    if (bpf_skb_store_bytes(skb, 2 * ETH_ALEN, &type, sizeof type, 0))
        return edge_drop(EDGE_DROP_NO_ROOM);
    return (int)bpf_redirect_neigh(skb->ifindex, NULL, 0, 0);
}

SEC("tc") int edge_out(struct __sk_buff *skb) {
    uint32_t zero = 0, type = bpf_ntohs((uint16_t)skb->protocol);
    struct edge_outer outer;
    struct inner inner;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set || (type != ETH_P_IP && type != ETH_P_IPV6) ||
        !read_inner(skb, ETH_HLEN, type, &inner))
        return TC_ACT_UNSPEC;
    /* Nothing else on its way out is for ourselves. */
    if (inner.destination.family == 4 && inner.destination.words[0] == set->address) {
        if (bpf_skb_load_bytes(skb, ETH_HLEN, &outer, sizeof outer) ||
            !edge_outer_is(&outer, set->address, set->port, set->vni))
            return TC_ACT_UNSPEC;
        return make_probe(skb, set, &outer);
    }
    uint32_t peer = peer_of(&inner.destination);
    struct edge_account *account = peer ? bpf_map_lookup_elem(&accounts, &peer) : NULL;
    if (!account)
        return TC_ACT_UNSPEC;
    uint32_t bytes = skb->len - ETH_HLEN;
    if (bytes + sizeof outer > 65535)
        return edge_drop(EDGE_DROP_TOO_BIG);
    struct edge_departure departure = {.now_ns = bpf_ktime_get_ns(),
                                       .peer = peer,
                                       .hash = flow_hash(&inner),
                                       .bytes = bytes,
                                       .random = bpf_get_prandom_u32()};
    if (edge_decide_path(&departure))
        return edge_drop(EDGE_DROP_NO_ROOM);
    struct edge_option option = {.path = departure.path,
                                 .packet = departure.packet,
                                 .flowlet = departure.flowlet,
                                 .sent_ns = edge_time_stamp(departure.scheme, departure.now_ns)};
    if (departure.rebase)
        option.flags = EDGE_OPTION_REBASE;
    add_report(account, peer, departure.now_ns, &option);
    if (departure.scheme == EDGE_INTFLOW)
        instruct(skb, set, &departure, &inner, account, &option);
    /* Clove sees marks whatever the guest can; others leave congestion to the guests. */
    bool ours = departure.scheme == EDGE_CLOVE_ECN;
    uint8_t tos = ours ? (uint8_t)((inner.tos & ~EDGE_ECN_MASK) | EDGE_ECT0) : inner.tos;
    struct edge_envelope envelope = {.source = set->address,
                                     .destination = peer,
                                     .vni = set->vni,
                                     .inner_bytes = bytes,
                                     .protocol = (uint16_t)type,
                                     .source_port = departure.source_port,
                                     .port = set->port,
                                     .tos = tos,
                                     .scheme = (uint8_t)departure.scheme};
    edge_outer_write(&outer, &envelope, &option);
    uint64_t flags = BPF_F_ADJ_ROOM_ENCAP_L3_IPV4 | BPF_F_ADJ_ROOM_ENCAP_L4_UDP;
    /* Segments stay as long as the route's MTU made them; where it did not, they get shorter. */
    if (longest(skb, &inner) + sizeof outer <= set->mtu)
        flags |= BPF_F_ADJ_ROOM_FIXED_GSO;
    else if (!skb->gso_size || inner.protocol != IPPROTO_TCP)
        return edge_drop(EDGE_DROP_TOO_BIG);
    if (bpf_skb_adjust_room(skb, sizeof outer, BPF_ADJ_ROOM_MAC, flags) ||
        bpf_skb_store_bytes(skb, ETH_HLEN, &outer, sizeof outer, 0))
        return edge_drop(EDGE_DROP_NO_ROOM);
    /* It was the inner flow's, and would stand for the outer header's in whoever asks for it. */
    bpf_set_hash_invalid(skb);
    struct edge_path_account *path = &account->paths[edge_index(departure.path)];
    edge_count(&path->sent_packets, 1);
    edge_count(&path->sent_bytes, bytes);
    if (departure.begins)
        edge_count(&path->flowlets, 1);
    return type == ETH_P_IPV6 ? find_next_hop(skb) : TC_ACT_UNSPEC;
}

/* Tells the guest of congestion as its peer would: ECE in an acknowledgement. */
EDGE_INLINE bool echo_congestion(struct __sk_buff *skb, const struct inner *inner) {
    uint8_t flags[2]; /* with the byte before, for the checksum is of 16-bit words */
    uint32_t tcp = ETH_HLEN + inner->header;
    if (inner->protocol != IPPROTO_TCP ||
        bpf_skb_load_bytes(skb, tcp + TCP_FLAGS - 1, flags, sizeof flags) ||
        !(flags[1] & TCP_ACK) || flags[1] & (TCP_SYN | TCP_ECE))
        return false;
    uint16_t before = (uint16_t)(flags[0] | flags[1] << 8);
    flags[1] |= TCP_ECE;
    uint16_t after = (uint16_t)(flags[0] | flags[1] << 8);
    return !bpf_l4_csum_replace(skb, tcp + TCP_CHECKSUM, before, after, sizeof after) &&
           !bpf_skb_store_bytes(skb, tcp + TCP_FLAGS - 1, flags, sizeof flags, 0);
}

SEC("tc") int edge_in(struct __sk_buff *skb) {
    uint32_t zero = 0;
    struct edge_outer outer;
    struct inner inner;
    struct edge_option option = {0};
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set || skb->protocol != bpf_htons(ETH_P_IP) ||
        bpf_skb_load_bytes(skb, ETH_HLEN, &outer, sizeof outer) ||
        !edge_outer_is(&outer, set->address, set->port, set->vni))
        return TC_ACT_UNSPEC;
    uint32_t peer = outer.ip.saddr;
    struct edge_account *account = bpf_map_lookup_elem(&accounts, &peer);
    if (!account)
        return edge_drop(EDGE_DROP_STRANGER);
    bool control = outer.geneve.flags & EDGE_GENEVE_CONTROL;
    uint32_t type = bpf_ntohs(outer.geneve.protocol);
    if (!edge_outer_read(&outer, &option) ||
        !read_inner(skb, ETH_HLEN + sizeof outer, type, &inner))
        return edge_drop(EDGE_DROP_MALFORMED);
    if (control && option.instruction == EDGE_CONTROL_ASK)
        return answer_probe(skb, set, account, &outer, &option);
    if (control && option.instruction == EDGE_CONTROL_ANSWER)
        return TC_ACT_UNSPEC; /* to the process that asked */
    if (!control && peer_of(&inner.source) != peer)
        return edge_drop(EDGE_DROP_SPOOFED);
    bool marked = (outer.ip.tos & EDGE_ECN_MASK) == EDGE_CE;
    uint32_t scheme = outer.geneve.option_type;
    struct edge_arrival arrival = {.now_ns = bpf_ktime_get_ns(),
                                   .peer = peer,
                                   .scheme = scheme,
                                   .path = option.path,
                                   .metric_path = option.feedback_path,
                                   .metric = option.metric,
                                   .sent_ns = option.sent_ns,
                                   .flags = option.flags,
                                   .marked = marked};
    arrival.stamp_ns = edge_time_stamp(scheme, arrival.now_ns);
    int due = edge_take_arrival(&arrival);
    if (due & EDGE_TOOK_MARK)
        edge_count(&account->paths[edge_index(option.feedback_path)].marks_taken, 1);
    if (due & EDGE_LIMITED_MARK)
        edge_count(&account->marks_limited, 1);
    if (control) { /* nothing is told about probes, or they would never end */
        edge_count(&account->probes_received, 1);
        return TC_ACT_SHOT;
    }
    if (scheme == EDGE_INTFLOW)
        take_segment(skb, &arrival, &inner);
    if (edge_note_arrival(&arrival) & EDGE_DUE_PROBE)
        bpf_clone_redirect(skb, skb->ifindex, 0);
    struct edge_path_account *path = &account->paths[edge_index(option.path)];
    edge_count(&path->received_packets, 1);
    edge_count(&path->received_bytes, skb->len - ETH_HLEN - sizeof outer);
    if (marked)
        edge_count(&path->received_marks, 1);
    uint64_t flags = BPF_F_ADJ_ROOM_FIXED_GSO;
    if (type == ETH_P_IPV6)
        flags |= ADJ_ROOM_DECAP_L3_IPV6;
    if (bpf_skb_adjust_room(skb, -(int)sizeof outer, BPF_ADJ_ROOM_MAC, flags))
        return edge_drop(EDGE_DROP_NO_ROOM);
    if (marked && scheme != EDGE_CLOVE_ECN)
        bpf_skb_ecn_set_ce(skb); /* as RFC 6040 */
    if (due & EDGE_DUE_ECHO && echo_congestion(skb, &inner))
        edge_count(&account->echoes, 1);
    return TC_ACT_UNSPEC;
}

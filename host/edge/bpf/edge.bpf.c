// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * The edge on a device's clsact qdisc: encapsulates packets to peers' prefixes on the path that
 * libedge chooses, and decapsulates packets from peers.
 *
 *     edge_out  egress:  inner packet ─► flow, path, report ─► add the header
 *     edge_in   ingress: header ─► report to the sender, report about our paths ─► inner packet
 *
 * In UDP, segmentation offload continues to work (for TCP see segments.h): a decision applies to a
 * whole large segment, and the receiver's kernel or NIC sees ordinary inner packets. Reports travel
 * in returning packets. If none returns for probe_rtts round-trip times, edge_in sends a copy of
 * the arriving packet to its own egress, where edge_out turns it into a probe. None of this needs a
 * process.
 *
 * The programs also answer probes of discovery (src/discovery.h), and pass answers to its process.
 */
#include <linux/bpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>

#include "acks.h"
#include "arrivals.h"
#include "decide.h"
#include "inner.h"
#include "instruct.h"
#include "segments.h"
#include "tcp.h"
#include "wire.h"

char LICENSE[] SEC("license") = "Dual Apache-2.0/GPL";

/* Linux 6.3 or later; missing in older headers. */
#define ADJ_ROOM_DECAP_L3_IPV4 (1u << 7)
#define ADJ_ROOM_DECAP_L3_IPV6 (1u << 8)

EDGE_INLINE void add_report(struct edge_account *account, const struct edge_address *peer,
                            uint64_t now_ns, struct edge_option *option) {
    struct edge_feedback feedback = {0};
    if (!edge_report_to_send(peer, now_ns, &feedback))
        return;
    option->flags |= EDGE_OPTION_FEEDBACK | (feedback.marked ? EDGE_OPTION_MARKED : 0);
    option->feedback_path = feedback.path;
    option->metric = feedback.metric;
    if (feedback.marked)
        edge_count(&account->paths[edge_index(feedback.path)].marks_reported, 1);
}

/*
 * Truncates an overlay packet to its header and the start of the inner packet, into which the
 * kernel may still have to write a checksum. Returns the remaining bytes of the inner packet; 0:
 * none.
 *
 * The kernel does not truncate packets that it knows as encapsulated, such as packets over veth;
 * those stay whole, unless they are large segments.
 */
EDGE_INLINE uint32_t cut_down(struct __sk_buff *skb, uint32_t header_bytes, uint16_t protocol) {
    const uint32_t header = ETH_HLEN + header_bytes;
    const uint32_t ip = protocol == ETH_P_IPV6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr);
    uint32_t kept = ip + 20;
    if (skb->len < header + kept)
        kept = ip + 8;
    if (!bpf_skb_change_tail(skb, header + kept, 0))
        return kept;
    return skb->gso_size || skb->len <= header ? 0 : skb->len - header;
}

/* Turns a copy of an arriving packet into a probe: reverses its direction and adds a report. */
EDGE_INLINE int make_probe(struct __sk_buff *skb, const struct edge_settings *set) {
    uint32_t family = set->address.family;
    struct edge_header header;
    if (!load_header(skb, family, &header) ||
        !edge_header_is(&header, &set->address, set->port, set->vni))
        return TC_ACT_UNSPEC;
    struct edge_departure departure = {.now_ns = bpf_ktime_get_ns(),
                                       .peer = edge_header_source(&header, family),
                                       .random = bpf_get_prandom_u32(),
                                       .protocol = bpf_ntohs(header.geneve.protocol),
                                       .transport = edge_header_transport(&header, family),
                                       .flags = EDGE_GENEVE_CONTROL};
    struct edge_account *account = bpf_map_lookup_elem(&accounts, &departure.peer);
    const uint32_t proof_bytes = edge_geneve_proof_bytes(&header.geneve);
    departure.bytes = cut_down(skb, edge_header_bytes(family, departure.transport) + proof_bytes,
                               departure.protocol);
    /* The probe's proof replaces that of the arriving packet. */
    if (!account || !departure.bytes || edge_decide_probe(&departure) ||
        departure.proof_bytes != proof_bytes)
        return TC_ACT_SHOT; /* no probe now; reports wait */
    struct edge_option option = {.path = departure.path,
                                 .sent_ns = edge_time_stamp(departure.scheme, departure.now_ns)};
    add_report(account, &departure.peer, departure.now_ns, &option);
    if (!turn_round(skb, &departure, &option))
        return edge_drop(EDGE_DROP_NO_ROOM);
    edge_count(&account->probes_sent, 1);
    return TC_ACT_OK;
}

/* Answers a probe of the peer's discovery by one of our paths. */
__attribute__((noinline)) int edge_answer(struct __sk_buff *skb,
                                          const struct edge_arrival *arrival) {
    if (!arrival)
        return TC_ACT_SHOT;
    struct edge_departure departure = {.peer = arrival->peer,
                                       .random = bpf_get_prandom_u32(),
                                       .protocol = arrival->protocol,
                                       .transport = arrival->transport,
                                       .flags = EDGE_GENEVE_CONTROL};
    departure.bytes =
        skb->len - ETH_HLEN - edge_header_bytes(departure.peer.family, departure.transport);
    struct edge_account *account = bpf_map_lookup_elem(&accounts, &departure.peer);
    if (!account || edge_decide_probe(&departure))
        return TC_ACT_SHOT;
    departure.proof_bytes = 0; /* the numbers of the probe prove it */
    struct edge_option option = arrival->option;
    option.flowlet = arrival->ttl;
    option.metric = arrival->source_port;
    option.instruction = EDGE_CONTROL_ANSWER;
    if (!turn_round(skb, &departure, &option))
        return edge_drop(EDGE_DROP_NO_ROOM);
    edge_count(&account->answered, 1);
    return (int)bpf_redirect(skb->ifindex, 0);
}

/* IntFlow: sets the instruction to the leaf and the report to the peer in a packet of a
 * connection. */
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
    if (segment.has_delay) {
        option->flags |= EDGE_OPTION_FEEDBACK;
        option->metric = segment.delay_ns;
    }
    if (!segment.payload)
        return;
    edge_count(&account->instructed[segment.instruction & 3], 1);
    if (segment.instruction & EDGE_RETRANSMISSION)
        edge_count(&account->resent, 1);
}

/* Returns the option of a packet that leaves. */
EDGE_INLINE struct edge_option option_of(struct __sk_buff *skb, const struct edge_settings *set,
                                         const struct edge_departure *departure,
                                         const struct inner *inner, struct edge_account *account) {
    struct edge_option option = {.path = departure->path,
                                 .packet = departure->packet,
                                 .flowlet = departure->flowlet,
                                 .sent_ns = edge_time_stamp(departure->scheme, departure->now_ns)};
    if (departure->rebase)
        option.flags = EDGE_OPTION_REBASE;
    if (departure->reports)
        add_report(account, &departure->peer, departure->now_ns, &option);
    if (departure->scheme == EDGE_INTFLOW)
        instruct(skb, set, departure, inner, account, &option);
    if (departure->corrected)
        option.echo = (uint32_t)edge_acks_leave(skb, inner);
    return option;
}

/* Returns the length of the longest IP packet into which a large segment is divided. */
EDGE_INLINE uint32_t longest(struct __sk_buff *skb, const struct inner *inner) {
    uint8_t offset = 0x50;
    if (!skb->gso_size)
        return skb->len - ETH_HLEN;
    if (inner->protocol != IPPROTO_TCP)
        return inner->header + 8 + skb->gso_size;
    bpf_skb_load_bytes(skb, ETH_HLEN + inner->header + 12, &offset, 1);
    return inner->header + (uint32_t)(offset >> 4) * 4 + skb->gso_size;
}

/* The kind of a packet to a peer's overlay address. */
enum edge_own { EDGE_NOT_OVERLAY, EDGE_OWN, EDGE_FORGED };

/*
 * Sets the Ethernet header's type if the outer packet's family differs from the inner one's.
 *
 * IPv6 packets came by a route with an invented gateway, which may not be an IPv4 address
 * (src/routes.c), so their Ethernet header is not usable. The kernel creates the outer packet's
 * Ethernet header, and the packet passes this program again. IPv4 packets came by the outer
 * packet's IPv6 gateway.
 */
EDGE_INLINE int change_family(struct __sk_buff *skb, uint32_t family) {
    uint16_t type = edge_net16(edge_ether_type(family));
    if (bpf_skb_store_bytes(skb, 2 * ETH_ALEN, &type, sizeof type, 0))
        return edge_drop(EDGE_DROP_NO_ROOM);
    if (family == 6)
        return TC_ACT_UNSPEC;
    skb->mark = EDGE_MARK;
    return (int)bpf_redirect_neigh(skb->ifindex, NULL, 0, 0);
}

/*
 * Classifies a packet to a peer's overlay address. EDGE_OWN: an overlay packet that the programs or
 * the process wrote; it has their mark, which is removed. EDGE_FORGED: an overlay packet from
 * another source, as any user's socket can send to the peer's port. Segments of real TCP
 * connections do not look like overlay packets.
 */
__attribute__((noinline)) int edge_judge_own(struct __sk_buff *skb) {
    uint32_t zero = 0;
    struct edge_header header;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set)
        return EDGE_NOT_OVERLAY;
    if (skb->mark == EDGE_MARK) {
        skb->mark = 0;
        return EDGE_OWN;
    }
    const uint32_t family = set->address.family;
    return load_header(skb, family, &header) && header.udp.dest == edge_net16(set->port) &&
                   edge_transport_is(&header, family)
               ? EDGE_FORGED
               : EDGE_NOT_OVERLAY;
}

SEC("tc") int edge_out(struct __sk_buff *skb) {
    uint32_t zero = 0, type = bpf_ntohs((uint16_t)skb->protocol);
    struct inner inner;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set || is_of_a_vlan(skb) || (type != ETH_P_IP && type != ETH_P_IPV6) ||
        !read_inner(skb, ETH_HLEN, type, &inner))
        return TC_ACT_UNSPEC;
    uint32_t family = set->address.family;
    uint32_t header_bytes = edge_header_bytes(family, set->transport);
    /* No other leaving packet has our own address as destination. */
    if (edge_same_address(&inner.destination, &set->address))
        return make_probe(skb, set);
    if (bpf_map_lookup_elem(&accounts, &inner.destination)) {
        const int judged = edge_judge_own(skb);
        if (judged != EDGE_NOT_OVERLAY)
            return judged == EDGE_OWN ? TC_ACT_UNSPEC : edge_drop(EDGE_DROP_FORGED);
    }
    struct edge_address *peer = peer_of(&inner.destination);
    struct edge_account *account = peer ? bpf_map_lookup_elem(&accounts, peer) : NULL;
    if (!account || set->hides) /* packets that hidden_out skipped leave unchanged */
        return TC_ACT_UNSPEC;
    if (is_whole(skb, set))
        return (int)bpf_redirect(set->segmenter, 0);
    uint32_t bytes = skb->len - ETH_HLEN;
    if (bytes + header_bytes + EDGE_PROOF_BYTES > 65535)
        return edge_drop(EDGE_DROP_TOO_BIG);
    struct edge_departure departure = {.now_ns = bpf_ktime_get_ns(),
                                       .peer = *peer,
                                       .hash = flow_hash(&inner),
                                       .bytes = bytes,
                                       .random = bpf_get_prandom_u32(),
                                       .protocol = (uint16_t)type,
                                       .transport = (uint8_t)set->transport,
                                       .tos = inner.tos};
    if (edge_assign_path(&departure))
        return edge_drop(EDGE_DROP_NO_ROOM);
    struct edge_option option = option_of(skb, set, &departure, &inner, account);
    /* Clove uses marks even if the guest does not support ECN; other schemes leave congestion to
     * the guests. */
    if (edge_wants_marks(departure.scheme))
        departure.tos = (uint8_t)((inner.tos & ~EDGE_ECN_MASK) | EDGE_ECT0);
    header_bytes += departure.proof_bytes;
    uint64_t flags = family == 6 ? BPF_F_ADJ_ROOM_ENCAP_L3_IPV6 : BPF_F_ADJ_ROOM_ENCAP_L3_IPV4;
    if (set->transport == IPPROTO_UDP)
        flags |= BPF_F_ADJ_ROOM_ENCAP_L4_UDP;
    /* Segments keep the length that the route's MTU set; if they are longer, they are shortened. */
    if (longest(skb, &inner) + header_bytes <= set->mtu)
        flags |= BPF_F_ADJ_ROOM_FIXED_GSO;
    else if (!skb->gso_size || inner.protocol != IPPROTO_TCP)
        return edge_drop(EDGE_DROP_TOO_BIG);
    if (bpf_skb_adjust_room(skb, (int)header_bytes, BPF_ADJ_ROOM_MAC, flags) ||
        edge_write_header(skb, &departure, &option))
        return edge_drop(EDGE_DROP_NO_ROOM);
    /* The hash was the inner flow's; readers would take it for that of the outer header. */
    bpf_set_hash_invalid(skb);
    edge_count_departure(account, &departure);
    return type == edge_ether_type(family) ? TC_ACT_UNSPEC : change_family(skb, family);
}

/* Sends packets from the segmenter back to the device from which they came. */
SEC("tc") int edge_segmented(struct __sk_buff *skb) {
    uint32_t zero = 0, type = bpf_ntohs((uint16_t)skb->protocol);
    struct inner inner;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    /* The kernel itself may send packets on any device. */
    if (!set || (type != ETH_P_IP && type != ETH_P_IPV6) ||
        !read_inner(skb, ETH_HLEN, type, &inner) || !peer_of(&inner.destination))
        return TC_ACT_SHOT;
    return skb->gso_size ? edge_drop(EDGE_DROP_NO_ROOM) : (int)bpf_redirect(set->device, 0);
}

enum edge_verdict {
    EDGE_OTHER = -1, /* not an overlay packet */
    EDGE_GOOD = -2
}; /* others: a reason of enum edge_drop */

/*
 * Returns whether a packet's reports count: the peer has no keys, or the packet has the right code
 * and is not a replay. ends: the offset behind the header.
 */
EDGE_INLINE bool is_trusted(struct __sk_buff *skb, uint32_t ends, const struct edge_geneve *geneve,
                            struct edge_keys *keys, uint64_t now_ns) {
    struct edge_proof proof;
    struct edge_proved proved;
    if (!keys->required)
        return true;
    if (!keys->count || !edge_geneve_proof_bytes(geneve) ||
        bpf_skb_load_bytes(skb, ends, &proof, sizeof proof))
        return false;
    const uint32_t time = bpf_ntohl(proof.time);
    edge_proved_of(geneve, time, &proved);
    if ((uint32_t)edge_siphash(&keys->in[0], &proved) != bpf_ntohl(proof.code) &&
        (keys->count < 2 || (uint32_t)edge_siphash(&keys->in[1], &proved) != bpf_ntohl(proof.code)))
        return false;
    if (!edge_is_fresh(keys, time, now_ns))
        return false;
    edge_note_proof(keys, time, now_ns);
    return true;
}

/* Reads and checks the headers of an arriving packet. */
__attribute__((noinline)) int edge_judge(struct __sk_buff *skb, struct edge_arrival *arrival) {
    uint32_t zero = 0;
    struct edge_header header;
    struct inner inner;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set || !arrival || is_of_a_vlan(skb))
        return EDGE_OTHER;
    uint32_t family = set->address.family;
    if (skb->protocol != bpf_htons(edge_ether_type(family)) || !load_header(skb, family, &header) ||
        !edge_header_is(&header, &set->address, set->port, set->vni))
        return EDGE_OTHER;
    struct edge_address peer = edge_header_source(&header, family);
    struct edge_peer *sender = bpf_map_lookup_elem(&peers, &peer);
    if (!sender)
        return EDGE_DROP_STRANGER;
    uint16_t type = bpf_ntohs(header.geneve.protocol);
    struct edge_option option;
    const uint8_t transport = edge_header_transport(&header, family);
    const uint32_t ends = ETH_HLEN + edge_header_bytes(family, transport);
    if (!edge_geneve_read(&header.geneve, &option))
        return EDGE_DROP_MALFORMED;
    arrival->proof_bytes = edge_geneve_proof_bytes(&header.geneve);
    if (!read_inner(skb, ends + arrival->proof_bytes, type, &inner))
        return EDGE_DROP_MALFORMED;
    arrival->control = (header.geneve.flags & EDGE_GENEVE_CONTROL) != 0;
    if (!arrival->control) {
        struct edge_address *behind = peer_of(&inner.source);
        if (!behind || !edge_same_address(behind, &peer))
            return EDGE_DROP_SPOOFED;
    }
    arrival->peer = peer;
    arrival->option = option;
    arrival->now_ns = bpf_ktime_get_ns();
    arrival->trusted = is_trusted(skb, ends, &header.geneve, &sender->keys, arrival->now_ns);
    if (!arrival->trusted && !arrival->control && set->drops_unproved)
        return EDGE_DROP_UNPROVED;
    arrival->scheme = header.geneve.option_type;
    arrival->stamp_ns = edge_time_stamp(arrival->scheme, arrival->now_ns);
    arrival->hash = edge_keeps_flows(arrival->scheme) ? flow_hash(&inner) : 0;
    arrival->inner_ip = inner.protocol == IPPROTO_TCP ? inner.header : 0;
    arrival->protocol = type;
    arrival->source_port = bpf_ntohs(header.udp.source);
    arrival->transport = transport;
    arrival->ttl = edge_header_ttl(&header, family);
    arrival->marked = (edge_header_tos(&header, family) & EDGE_ECN_MASK) == EDGE_CE;
    return EDGE_GOOD;
}

/* Applies ACK correction to an arriving packet. */
EDGE_INLINE void correct(struct __sk_buff *skb, const struct edge_arrival *arrival, int due,
                         struct edge_account *account) {
    if (!arrival->inner_ip || !(arrival->scheme == EDGE_ALB || due & EDGE_DUE_CORRECTION))
        return;
    const int acked = edge_acks_arrive(skb, arrival, due & EDGE_DUE_CORRECTION);
    if (acked & EDGE_OF_ANOTHER_PATH)
        edge_count(&account->of_another_path, 1);
    if (acked & EDGE_WITHHELD_ECHO)
        edge_count(&account->echoes_withheld, 1);
}

SEC("tc") int edge_in(struct __sk_buff *skb) {
    struct edge_arrival arrival = {0};
    int verdict = edge_judge(skb, &arrival);
    if (verdict == EDGE_OTHER)
        return TC_ACT_UNSPEC;
    if (verdict != EDGE_GOOD)
        return edge_drop((uint32_t)verdict);
    if (arrival.control && arrival.option.instruction == EDGE_CONTROL_ASK)
        return edge_answer(skb, &arrival);
    if (arrival.control && arrival.option.instruction == EDGE_CONTROL_ANSWER)
        return edge_deliver_answer(skb);
    struct edge_account *account = bpf_map_lookup_elem(&accounts, &arrival.peer);
    if (!account)
        return TC_ACT_SHOT;
    int due = arrival.trusted ? edge_apply_report(&arrival) : 0;
    edge_count_report(account, &arrival, due);
    if (arrival.control) { /* no reports on probes, which would otherwise never end */
        edge_count(&account->probes_received, 1);
        return TC_ACT_SHOT;
    }
    if (arrival.trusted && arrival.scheme == EDGE_INTFLOW)
        edge_receive_segment(skb, &arrival);
    if (arrival.trusted)
        due |= edge_note_arrival(&arrival);
    if (due & EDGE_DUE_PROBE)
        bpf_clone_redirect(skb, skb->ifindex, 0);
    uint32_t family = arrival.peer.family;
    uint32_t header_bytes = edge_header_bytes(family, arrival.transport) + arrival.proof_bytes;
    edge_count_arrival(account, &arrival, skb->len - ETH_HLEN - header_bytes);
    if (arrival.trusted && edge_keeps_flows(arrival.scheme) &&
        edge_arrives_late(arrival.hash, &arrival.option))
        edge_count(&account->late[edge_index(arrival.option.path)], 1);
    uint64_t flags = BPF_F_ADJ_ROOM_FIXED_GSO;
    if (arrival.protocol != edge_ether_type(family))
        flags |= family == 6 ? ADJ_ROOM_DECAP_L3_IPV4 : ADJ_ROOM_DECAP_L3_IPV6;
    if (bpf_skb_adjust_room(skb, -(int)header_bytes, BPF_ADJ_ROOM_MAC, flags))
        return edge_drop(EDGE_DROP_NO_ROOM);
    if (arrival.marked && !edge_wants_marks(arrival.scheme))
        bpf_skb_ecn_set_ce(skb); /* as in RFC 6040 */
    if (arrival.trusted)
        correct(skb, &arrival, due, account);
    if (due & EDGE_DUE_ECHO && echo_congestion(skb, arrival.inner_ip))
        edge_count(&account->echoes, 1);
    return TC_ACT_UNSPEC;
}

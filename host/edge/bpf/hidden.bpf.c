// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * The hidden overlay (hidden_form.h) on a device's clsact qdisc, in front of edge_out and edge_in,
 * with the same maps and decisions:
 *
 *     hidden_out  egress:  guest's segment ─► flow, path, report ─► the overlay's five-tuple
 *     hidden_in   ingress: report to the sender, report about our paths ─► the guest's five-tuple
 *
 * The resulting packets have hosts' addresses, so edge_out and edge_in ignore them. Packets that
 * hidden_out cannot hide leave unchanged. Reports need no probes, because all arriving packets are
 * TCP, which returns acknowledgements.
 */
#include <linux/bpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>

#include "decide.h"
#include "hidden_form.h"
#include "inner.h"
#include "maps.h"
#include "tcp.h"

char LICENSE[] SEC("license") = "Dual Apache-2.0/GPL";

#define IP_BYTES 20u
#define TCP_BYTES 20u
#define IP_DF 0x4000

/*
 * The bytes that are removed from a large segment before its headers are rewritten: more than
 * precede the TCP header. The kernel would start a checksum at the TCP header's old position when
 * it divides the segment. Once that position is removed, the kernel discards the pending checksum
 * (skb_postpull_rcsum) and computes it again when it divides the segment.
 */
#define TAKEN_BYTES 36u

/* A guest's leaving segment. */
struct segment {
    struct edge_hidden_packet packet; /* the guest's headers, then the new ones */
    uint32_t options;                 /* length of its options */
    uint32_t kept;                    /* length of the options that are kept */
    uint32_t bytes;                   /* of the IP packet that the receiving guest gets */
    uint32_t gso_flags;               /* flags for bpf_skb_adjust_room */
    uint8_t timestamps[EDGE_HIDDEN_KEPT_BYTES];
};

/*
 * Removes SACK from the options of a large segment that leave no room for ours. Acknowledgements
 * without data carry the same SACK and have room. Returns false if other options take the room.
 */
EDGE_INLINE bool leave_out_sack(struct __sk_buff *skb, struct segment *segment) {
    static const uint8_t none = 1, timestamps = 8, sack = 5;
    uint8_t options[EDGE_HIDDEN_KEPT_BYTES + 4];
    if (bpf_skb_load_bytes(skb, ETH_HLEN + IP_BYTES + TCP_BYTES, options, sizeof options) ||
        options[0] != none || options[1] != none)
        return false;
    __builtin_memcpy(segment->timestamps, options, sizeof segment->timestamps);
    segment->kept = options[2] == timestamps ? EDGE_HIDDEN_KEPT_BYTES : 0;
    const uint8_t *rest = options + segment->kept;
    return options[2] == sack ||
           (segment->kept && rest[0] == none && rest[1] == none && rest[2] == sack);
}

/* Reads a segment. Returns EDGE_UNHIDDEN_REASONS, or the reason it cannot be hidden. */
EDGE_INLINE uint32_t read_segment(struct __sk_buff *skb, const struct inner *inner, uint32_t mtu,
                                  struct segment *segment) {
    struct tcphdr *tcp = &segment->packet.tcp;
    if (inner->protocol != IPPROTO_TCP ||
        bpf_skb_load_bytes(skb, ETH_HLEN, &segment->packet, IP_BYTES + TCP_BYTES) || tcp->doff < 5)
        return EDGE_UNHIDDEN_NOT_TCP;
    const uint32_t bytes = skb->len - ETH_HLEN;
    segment->options = tcp->doff * 4u - TCP_BYTES;
    segment->kept = segment->options;
    segment->bytes = bytes;
    segment->gso_flags = BPF_F_ADJ_ROOM_FIXED_GSO;
    if (!skb->gso_size)
        return bytes + EDGE_HIDDEN_BYTES > mtu ? EDGE_UNHIDDEN_TOO_LONG : EDGE_UNHIDDEN_REASONS;
    if (segment->options > EDGE_HIDDEN_KEPT_BYTES && !leave_out_sack(skb, segment))
        return EDGE_UNHIDDEN_NO_ROOM;
    segment->bytes -= segment->options - segment->kept;
    /* Segments stay as long as the route's MTU made them; where it did not, they get shorter. */
    if (IP_BYTES + TCP_BYTES + EDGE_HIDDEN_BYTES + segment->kept + skb->gso_size > mtu)
        segment->gso_flags = 0;
    return segment->bytes + EDGE_HIDDEN_BYTES > 65535 ? EDGE_UNHIDDEN_TOO_LONG
                                                      : EDGE_UNHIDDEN_REASONS;
}

EDGE_INLINE void rewrite_ip(struct iphdr *ip, uint32_t source, uint32_t destination, uint8_t ecn,
                            uint32_t bytes) {
    ip->saddr = source;
    ip->daddr = destination;
    ip->tos = (uint8_t)((ip->tos & ~EDGE_ECN_MASK) | ecn);
    ip->tot_len = edge_net16((uint16_t)bytes);
    ip->check = 0;
    ip->check = edge_ip_checksum(ip);
}

/* Writes our bytes in front of a segment's TCP header. Returns 0 or a negative errno. The flag
 * tells drivers that the header for the checksum is not the first one after IP. */
EDGE_INLINE long put_front(struct __sk_buff *skb, const struct edge_hidden *hidden,
                           uint16_t source_port, uint16_t port, struct segment *segment) {
    segment->packet.front = edge_hidden_front(hidden, source_port, port, segment->bytes - IP_BYTES);
    return bpf_skb_adjust_room(skb, EDGE_HIDDEN_BYTES, BPF_ADJ_ROOM_MAC,
                               BPF_F_ADJ_ROOM_ENCAP_L3_IPV4) ||
           bpf_skb_store_bytes(skb, ETH_HLEN, &segment->packet, IP_BYTES + EDGE_HIDDEN_BYTES, 0);
}

/* Writes our bytes as the first option of a large segment. */
EDGE_INLINE long put_option(struct __sk_buff *skb, const struct edge_hidden *hidden,
                            uint16_t source_port, uint16_t port, struct segment *segment) {
    struct edge_hidden_packet *packet = &segment->packet;
    const uint32_t kept = segment->kept, options = segment->options;
    const int more = (int)(EDGE_HIDDEN_BYTES + kept) - (int)options;
    packet->tcp.source = edge_net16(source_port);
    packet->tcp.dest = edge_net16(port);
    packet->tcp.doff = (TCP_BYTES + EDGE_HIDDEN_BYTES + kept) / 4 & 15;
    packet->tcp.check = 0;
    packet->option = edge_hidden_option(hidden);
    return bpf_skb_adjust_room(skb, -(int)TAKEN_BYTES, BPF_ADJ_ROOM_MAC, segment->gso_flags) ||
           bpf_skb_adjust_room(skb, (int)TAKEN_BYTES + more, BPF_ADJ_ROOM_MAC,
                               segment->gso_flags) ||
           bpf_skb_store_bytes(skb, ETH_HLEN, packet, sizeof *packet, 0) ||
           (kept != options && kept &&
            bpf_skb_store_bytes(skb, ETH_HLEN + sizeof *packet, segment->timestamps,
                                sizeof segment->timestamps, 0));
}

EDGE_INLINE void add_report(struct edge_account *account, const struct edge_departure *departure,
                            struct edge_option *option) {
    struct edge_feedback feedback = {0};
    if (departure->rebase)
        option->flags = EDGE_OPTION_REBASE;
    if (!departure->reports || !edge_report_to_send(&departure->peer, departure->now_ns, &feedback))
        return;
    option->flags |= EDGE_OPTION_FEEDBACK | (feedback.marked ? EDGE_OPTION_MARKED : 0);
    option->feedback_path = feedback.path;
    option->metric = feedback.metric;
    if (feedback.marked)
        edge_count(&account->paths[edge_index(feedback.path)].marks_reported, 1);
}

SEC("tc") int hidden_out(struct __sk_buff *skb) {
    uint32_t zero = 0;
    struct inner inner;
    struct segment segment;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set || is_of_a_vlan(skb) || skb->protocol != bpf_htons(ETH_P_IP) ||
        !read_inner(skb, ETH_HLEN, ETH_P_IP, &inner))
        return TC_ACT_UNSPEC;
    struct edge_address *peer = peer_of(&inner.destination);
    struct edge_account *account = peer ? bpf_map_lookup_elem(&accounts, peer) : NULL;
    if (!account)
        return TC_ACT_UNSPEC;
    const uint32_t reason = read_segment(skb, &inner, set->mtu, &segment);
    if (reason < EDGE_UNHIDDEN_REASONS) {
        edge_count(&account->unhidden[reason], 1);
        return TC_ACT_UNSPEC;
    }
    struct edge_departure departure = {.now_ns = bpf_ktime_get_ns(),
                                       .peer = *peer,
                                       .hash = flow_hash(&inner),
                                       .bytes = segment.bytes,
                                       .random = bpf_get_prandom_u32()};
    if (edge_assign_path(&departure))
        return edge_drop(EDGE_DROP_NO_ROOM);
    struct edge_hidden hidden = {
        .source = inner.source.words[0],
        .destination = inner.destination.words[0],
        .source_port = segment.packet.tcp.source,
        .destination_port = segment.packet.tcp.dest,
        .ecn = inner.tos & EDGE_ECN_MASK,
        .scheme = (uint8_t)departure.scheme,
        .option = {.path = departure.path,
                   .sent_ns = edge_time_stamp(departure.scheme, departure.now_ns)}};
    add_report(account, &departure, &hidden.option);
    /* Clove uses marks even without ECN at the guest; others leave congestion to guests. */
    const uint8_t ecn = edge_wants_marks(departure.scheme) ? EDGE_ECT0 : hidden.ecn;
    segment.packet.ip.frag_off = edge_net16(IP_DF); /* fragments could not be reassembled */
    rewrite_ip(&segment.packet.ip, set->address.words[0], departure.peer.words[0], ecn,
               segment.bytes + EDGE_HIDDEN_BYTES);
    if (skb->gso_size ? put_option(skb, &hidden, departure.source_port, set->port, &segment)
                      : put_front(skb, &hidden, departure.source_port, set->port, &segment))
        return edge_drop(EDGE_DROP_NO_ROOM);
    /* The hash was the guest's flow's; readers would take it for that of the new five-tuple. */
    bpf_set_hash_invalid(skb);
    edge_count_departure(account, &departure);
    return TC_ACT_UNSPEC;
}

/* An arriving packet. */
struct found {
    struct edge_hidden_packet packet;
    struct edge_hidden hidden;
};

/* Reads and checks an arriving packet. Returns one of enum edge_hidden_kind, or -1 minus a reason
 * of enum edge_drop. */
__attribute__((noinline)) int hidden_judge(struct __sk_buff *skb, struct found *found,
                                           struct edge_arrival *arrival) {
    uint32_t zero = 0;
    struct edge_settings *set = bpf_map_lookup_elem(&settings, &zero);
    if (!set || !found || !arrival ||
        bpf_skb_load_bytes(skb, ETH_HLEN, &found->packet, sizeof found->packet))
        return EDGE_NOT_HIDDEN;
    const struct iphdr *ip = &found->packet.ip;
    const enum edge_hidden_kind kind =
        edge_hidden_kind(&found->packet, set->address.words[0], set->port);
    /* The kernel drops packets that were damaged in transit. */
    if (kind == EDGE_NOT_HIDDEN || edge_ip_checksum(ip))
        return EDGE_NOT_HIDDEN;
    const struct edge_address peer = {.family = 4, .words = {ip->saddr}};
    const struct edge_peer *sender = bpf_map_lookup_elem(&peers, &peer);
    if (!sender)
        return -1 - EDGE_DROP_STRANGER;
    if (!edge_hidden_read(&found->packet, kind, &found->hidden))
        return -1 - EDGE_DROP_MALFORMED;
    const struct edge_address guest = {.family = 4, .words = {found->hidden.source}};
    struct edge_address *behind = peer_of(&guest);
    if (!behind || !edge_same_address(behind, &peer))
        return -1 - EDGE_DROP_SPOOFED;
    /* Neither form has room for a code. */
    arrival->trusted = !sender->keys.required;
    if (!arrival->trusted && set->drops_unproved)
        return -1 - EDGE_DROP_UNPROVED;
    arrival->peer = peer;
    arrival->option = found->hidden.option;
    arrival->now_ns = bpf_ktime_get_ns();
    arrival->scheme = found->hidden.scheme;
    arrival->stamp_ns = edge_time_stamp(arrival->scheme, arrival->now_ns);
    arrival->inner_ip = IP_BYTES;
    arrival->protocol = ETH_P_IP;
    arrival->transport = IPPROTO_TCP;
    arrival->marked = (ip->tos & EDGE_ECN_MASK) == EDGE_CE;
    return (int)kind;
}

/* Restores a segment from the bytes in front of its TCP header. Returns 0 or a negative errno. */
EDGE_INLINE long take_front(struct __sk_buff *skb, struct found *found) {
    const struct edge_hidden *hidden = &found->hidden;
    struct iphdr *ip = &found->packet.ip;
    rewrite_ip(ip, hidden->source, hidden->destination, hidden->ecn,
               (uint32_t)bpf_ntohs(ip->tot_len) - EDGE_HIDDEN_BYTES);
    return bpf_skb_adjust_room(skb, -(int)EDGE_HIDDEN_BYTES, BPF_ADJ_ROOM_MAC,
                               BPF_F_ADJ_ROOM_FIXED_GSO) ||
           bpf_skb_store_bytes(skb, ETH_HLEN, ip, sizeof *ip, 0);
}

/*
 * Restores a segment from its option. The packet keeps its length: the guest's options move to the
 * front again, followed by the end of the option list. The position of a checksum that the kernel
 * may have to write thus does not change either.
 */
EDGE_INLINE long take_option(struct __sk_buff *skb, struct found *found) {
    enum { OPTIONS = ETH_HLEN + IP_BYTES + TCP_BYTES, CHECKSUM = OPTIONS - TCP_BYTES + 16 };
    const struct edge_hidden *hidden = &found->hidden;
    struct iphdr *ip = &found->packet.ip;
    const struct tcphdr *tcp = &found->packet.tcp;
    const uint32_t kept = (tcp->doff * 4u - TCP_BYTES - EDGE_HIDDEN_BYTES) & 12;
    const uint32_t ports = (uint32_t)hidden->destination_port << 16 | hidden->source_port;
    const uint32_t ports_before = (uint32_t)tcp->dest << 16 | tcp->source;
    const uint32_t source = ip->saddr, destination = ip->daddr;
    uint32_t before[10] = {0}, after[10] = {0};
    if (bpf_skb_load_bytes(skb, OPTIONS, before, EDGE_HIDDEN_BYTES + kept))
        return -1;
    __builtin_memcpy(after, (const uint8_t *)before + EDGE_HIDDEN_BYTES, EDGE_HIDDEN_KEPT_BYTES);
    const int64_t difference = bpf_csum_diff(before, sizeof before, after, sizeof after, 0);
    rewrite_ip(ip, hidden->source, hidden->destination, hidden->ecn, bpf_ntohs(ip->tot_len));
    return bpf_l4_csum_replace(skb, CHECKSUM, 0, (uint64_t)difference, 0) ||
           bpf_l4_csum_replace(skb, CHECKSUM, ports_before, ports, sizeof ports) ||
           bpf_l4_csum_replace(skb, CHECKSUM, source, ip->saddr, BPF_F_PSEUDO_HDR | 4) ||
           bpf_l4_csum_replace(skb, CHECKSUM, destination, ip->daddr, BPF_F_PSEUDO_HDR | 4) ||
           bpf_skb_store_bytes(skb, ETH_HLEN, ip, sizeof *ip, 0) ||
           bpf_skb_store_bytes(skb, ETH_HLEN + IP_BYTES, &ports, sizeof ports, 0) ||
           bpf_skb_store_bytes(skb, OPTIONS, after, EDGE_HIDDEN_BYTES + kept, 0);
}

/* Whether the packet is TCP: hosts that do not hide packets also run this program on all arriving
 * packets. */
EDGE_INLINE bool is_tcp(struct __sk_buff *skb) {
    uint8_t protocol = 0;
    return skb->protocol == bpf_htons(ETH_P_IP) && !is_of_a_vlan(skb) &&
           !bpf_skb_load_bytes(skb, ETH_HLEN + offsetof(struct iphdr, protocol), &protocol,
                               sizeof protocol) &&
           protocol == IPPROTO_TCP;
}

SEC("tc") int hidden_in(struct __sk_buff *skb) {
    if (!is_tcp(skb))
        return TC_ACT_UNSPEC;
    struct edge_arrival arrival = {0};
    struct found found = {0};
    const int kind = hidden_judge(skb, &found, &arrival);
    if (kind == EDGE_NOT_HIDDEN)
        return TC_ACT_UNSPEC;
    if (kind < 0)
        return edge_drop((uint32_t)(-1 - kind));
    struct edge_account *account = bpf_map_lookup_elem(&accounts, &arrival.peer);
    if (!account)
        return TC_ACT_SHOT;
    const int due = arrival.trusted ? edge_apply_report(&arrival) | edge_note_arrival(&arrival) : 0;
    edge_count_report(account, &arrival, due);
    edge_count_arrival(account, &arrival, skb->len - ETH_HLEN - EDGE_HIDDEN_BYTES);
    if (kind == EDGE_IN_FRONT ? take_front(skb, &found) : take_option(skb, &found))
        return edge_drop(EDGE_DROP_NO_ROOM);
    if (arrival.marked && !edge_wants_marks(arrival.scheme))
        bpf_skb_ecn_set_ce(skb); /* as RFC 6040 */
    if (due & EDGE_DUE_ECHO && echo_congestion(skb, arrival.inner_ip))
        edge_count(&account->echoes, 1);
    return TC_ACT_UNSPEC;
}

// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * MDCTCP, the congestion control of ALB (Shi et al., section II.B d): DCTCP (RFC 8257) that ignores
 * acknowledgements for another path than the flow's current one.
 *
 *     an acknowledgement of the current path      α, cwnd ← cwnd (1 - α/2) once for a window with
 *                                                 marks, growth as Reno
 *     of another path (PCN 1)                     cwnd and α do not change
 *
 * The paper signals PCN by a reserved bit of TCP, which Linux does not pass to congestion controls.
 * Here the edge records it in `connections` and clears the ECN echo, so that the kernel's state
 * machine does not react either. Without an edge MDCTCP is DCTCP.
 *
 * As in Linux's DCTCP, a loss halves the window (RFC 8257, section 3.5) and α starts at one. A
 * connection without ECN behaves like Reno.
 */
#include <linux/bpf.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/tcp.h>

#include "connections.h"
#include "edge/mdctcp.h"

/* One of this file's two licences: the kernel accepts only the GPL for a congestion control. */
char LICENSE[] SEC("license") = "GPL";

#define FAMILY_IPV6 10                /* AF_INET6, whose header is for user space */
#define MAPPED_IPV4 bpf_htonl(0xffff) /* third word of an IPv4 address in IPv6 */

/* Constants of the kernel: include/net/tcp.h, include/net/inet_connection_sock.h. */
enum { CONG_NEEDS_ECN = 2 };
enum { LEVEL_TCP = 6, OPTION_CONGESTION = 13 };                  /* SOL_TCP, TCP_CONGESTION */
enum { EVENT_LOSS = 3, EVENT_NOT_MARKED = 4, EVENT_MARKED = 5 }; /* enum tcp_ca_event */
enum { ECN_RFC3168 = 1, ECN_DEMAND_CWR = 4, ECN_ACCURATE = 16 }; /* flags of ecn_flags */
enum { ACK_TIMER = 2, ACK_NOW = 16 };                            /* flags of pending */

/* The fields of kernel structures that are used. Their offsets come from the running kernel
 * (CO-RE). */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct in6_addr {
    union {
        uint32_t u6_addr32[4];
    } in6_u;
};

struct sock_common {
    uint16_t skc_family;
    uint32_t skc_daddr;
    uint32_t skc_rcv_saddr;
    uint16_t skc_dport; /* in network byte order */
    uint16_t skc_num;   /* in host byte order */
    struct in6_addr skc_v6_daddr;
    struct in6_addr skc_v6_rcv_saddr;
};

struct sock {
    /* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl51-cpp): the kernel's name */
    struct sock_common __sk_common;
};

struct inet_sock {
    struct sock sk;
};

struct inet_connection_sock {
    struct inet_sock icsk_inet;
    struct {
        uint8_t pending;
    } icsk_ack;
    uint64_t icsk_ca_priv[13];
};

struct tcp_sock {
    struct inet_connection_sock inet_conn;
    uint8_t ecn_flags;
    uint32_t snd_una;
    uint32_t snd_nxt;
    uint32_t rcv_nxt;
    uint32_t snd_cwnd;
    uint32_t snd_ssthresh;
    uint32_t delivered;
    uint32_t delivered_ce;
};

struct ack_sample;

struct tcp_congestion_ops {
    char name[16];
    uint32_t flags;
    void (*init)(struct sock *sk);
    uint32_t (*ssthresh)(struct sock *sk);
    void (*cong_avoid)(struct sock *sk, uint32_t number, uint32_t acked);
    void (*set_state)(struct sock *sk, uint8_t state);
    void (*cwnd_event)(struct sock *sk, uint32_t event);
    void (*pkts_acked)(struct sock *sk, const struct ack_sample *sample);
    uint32_t (*undo_cwnd)(struct sock *sk);
};

#pragma clang attribute pop

extern void tcp_reno_cong_avoid(struct sock *sk, uint32_t number, uint32_t acked) __ksym;

/* A connection's state in icsk_ca_priv. */
struct mdctcp {
    struct edge_mdctcp sender;
    uint32_t window_end; /* a new window begins when all data before this number is acknowledged */
    uint32_t delivered;  /* the kernel's count at the previous acknowledgement */
    uint32_t delivered_ce; /* the same for packets with an ECN echo */
    uint32_t loss_cwnd;    /* the window before its last reduction */
    uint32_t prior_rcv_nxt;
    uint8_t is_marked; /* as a receiver: the latest segment was marked */
    uint8_t changed;   /* the current acknowledgement is for another path */
};

_Static_assert(sizeof(struct mdctcp) <= 13 * sizeof(uint64_t), "it fits in icsk_ca_priv");

EDGE_INLINE struct mdctcp *state_of(struct sock *sk) {
    return (struct mdctcp *)((struct inet_connection_sock *)sk)->icsk_ca_priv;
}

EDGE_INLINE struct tcp_sock *tcp_of(struct sock *sk) {
    return (struct tcp_sock *)sk;
}

/* Returns the connection's key, by its outgoing packets. */
EDGE_INLINE void key_of(struct sock *sk, struct edge_connection_key *key) {
    const struct sock_common *common = &sk->__sk_common;
    const uint32_t ports[2] = {bpf_htons(common->skc_num), common->skc_dport};
    *key = (struct edge_connection_key){
        .source = {.family = 4, .words = {common->skc_rcv_saddr}},
        .destination = {.family = 4, .words = {common->skc_daddr}},
    };
    if (common->skc_family == FAMILY_IPV6 &&
        common->skc_v6_daddr.in6_u.u6_addr32[2] != MAPPED_IPV4) {
        key->source.family = key->destination.family = 6;
        for (uint32_t i = 0; i < 4; i++) {
            key->source.words[i] = common->skc_v6_rcv_saddr.in6_u.u6_addr32[i];
            key->destination.words[i] = common->skc_v6_daddr.in6_u.u6_addr32[i];
        }
    }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    key->ports = ports[0] | ports[1] << 16;
#else
    key->ports = ports[0] << 16 | ports[1];
#endif
}

/* Returns PCN for the current acknowledgement. */
EDGE_INLINE bool is_of_another_path(struct sock *sk) {
    struct edge_connection_key key;
    key_of(sk, &key);
    const struct edge_connection *connection = bpf_map_lookup_elem(&connections, &key);
    return connection && edge_is_changed(connection, tcp_of(sk)->snd_una);
}

SEC("struct_ops") void BPF_PROG(mdctcp_init, struct sock *sk) {
    const struct tcp_sock *tp = tcp_of(sk);
    struct mdctcp *state = state_of(sk);
    /* Otherwise its packets would be marked instead of dropped, and the peer would not echo the
     * marks. */
    if (!(tp->ecn_flags & (ECN_RFC3168 | ECN_ACCURATE))) {
        char reno[] = "reno";
        bpf_setsockopt(sk, LEVEL_TCP, OPTION_CONGESTION, reno, sizeof reno);
        return;
    }
    *state = (struct mdctcp){.sender.alpha = EDGE_ALPHA_ONE,
                             .window_end = tp->snd_nxt,
                             .delivered = tp->delivered,
                             .delivered_ce = tp->delivered_ce,
                             .prior_rcv_nxt = tp->rcv_nxt};
}

/* Called for each acknowledgement after it is counted: the counters' growth is what it
 * delivered. */
SEC("struct_ops")
void BPF_PROG(mdctcp_acked, struct sock *sk, const struct ack_sample *sample) {
    (void)sample; /* only counts data acknowledged in order */
    const struct tcp_sock *tp = tcp_of(sk);
    struct mdctcp *state = state_of(sk);
    const uint32_t delivered = tp->delivered, delivered_ce = tp->delivered_ce;
    state->changed = is_of_another_path(sk);
    edge_mdctcp_acked(&state->sender, delivered - state->delivered,
                      delivered_ce - state->delivered_ce, state->changed);
    state->delivered = delivered;
    state->delivered_ce = delivered_ce;
    if (edge_before32(tp->snd_una, state->window_end))
        return;
    edge_mdctcp_window(&state->sender);
    state->window_end = tp->snd_nxt;
}

/* The kernel calls this when a window has an ECN echo. The echo is for the current path, because
 * the edge clears others. */
SEC("struct_ops") uint32_t BPF_PROG(mdctcp_ssthresh, struct sock *sk) {
    const uint32_t cwnd = tcp_of(sk)->snd_cwnd;
    struct mdctcp *state = state_of(sk);
    state->loss_cwnd = cwnd;
    return edge_mdctcp_cut(&state->sender, cwnd);
}

SEC("struct_ops")
void BPF_PROG(mdctcp_grow, struct sock *sk, uint32_t number, uint32_t acked) {
    if (!state_of(sk)->changed)
        tcp_reno_cong_avoid(sk, number, acked);
}

EDGE_INLINE void halve(struct sock *sk) {
    struct tcp_sock *tp = tcp_of(sk);
    state_of(sk)->loss_cwnd = tp->snd_cwnd;
    tp->snd_ssthresh = tp->snd_cwnd > 4 ? tp->snd_cwnd / 2 : 2;
}

SEC("struct_ops") void BPF_PROG(mdctcp_set_state, struct sock *sk, uint8_t now) {
    if (now == TCP_CA_Recovery)
        halve(sk);
}

SEC("struct_ops") uint32_t BPF_PROG(mdctcp_undo, struct sock *sk) {
    const uint32_t cwnd = tcp_of(sk)->snd_cwnd, before = state_of(sk)->loss_cwnd;
    return cwnd > before ? cwnd : before;
}

/* Turns the ECN echo of later acknowledgements on or off. */
EDGE_INLINE void echo(struct tcp_sock *tp, bool marked) {
    if (marked)
        tp->ecn_flags |= ECN_DEMAND_CWR;
    else
        tp->ecn_flags &= (uint8_t)~ECN_DEMAND_CWR;
}

/* The receiver of RFC 8257, section 3.2: the ECN echo of an acknowledgement applies to its own
 * segments. */
EDGE_INLINE void take_mark(struct sock *sk, bool marked) {
    struct tcp_sock *tp = tcp_of(sk);
    struct mdctcp *state = state_of(sk);
    if (state->is_marked != marked) {
        if (tp->inet_conn.icsk_ack.pending & ACK_TIMER) { /* acknowledges the previous segments */
            echo(tp, state->is_marked);
            bpf_tcp_send_ack(tp, state->prior_rcv_nxt);
        }
        tp->inet_conn.icsk_ack.pending |= ACK_NOW;
    }
    state->prior_rcv_nxt = tp->rcv_nxt;
    state->is_marked = marked;
    echo(tp, marked);
}

SEC("struct_ops") void BPF_PROG(mdctcp_event, struct sock *sk, uint32_t event) {
    if (event == EVENT_MARKED || event == EVENT_NOT_MARKED)
        take_mark(sk, event == EVENT_MARKED);
    else if (event == EVENT_LOSS)
        halve(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops mdctcp = {
    .name = "mdctcp",
    .flags = CONG_NEEDS_ECN,
    .init = (void *)mdctcp_init,
    .ssthresh = (void *)mdctcp_ssthresh,
    .cong_avoid = (void *)mdctcp_grow,
    .set_state = (void *)mdctcp_set_state,
    .cwnd_event = (void *)mdctcp_event,
    .pkts_acked = (void *)mdctcp_acked,
    .undo_cwnd = (void *)mdctcp_undo,
};

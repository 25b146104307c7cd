/*
 * The values of the maps, which the programs in the kernel and user space share.
 *
 * Addresses are in network byte order, all other values in host byte order.
 */
#ifndef EDGE_STATE_H
#define EDGE_STATE_H

#include <linux/bpf.h>

#include "address.h"
#include "edge/choose.h"
#include "edge/delay.h"
#include "edge/feedback.h"
#include "edge/intflow.h"
#include "edge/params.h"
#include "key.h"

#define EDGE_TRACES 16u /* a power of two */
#define EDGE_PREFIXES 4096u
#define EDGE_PEERS 1024u
#define EDGE_FLOWS 65536u
#define EDGE_SENDERS 16384u
#define EDGE_HOPS 16u /* maximum length of a discovered route */

/* This host's settings; a single entry with key 0. */
struct edge_settings {
    uint32_t unused; /* keeps version and ours at the same offset in all versions */
    uint32_t vni;
    uint32_t mtu;                /* of the device: the maximum length of an IP packet */
    uint16_t port;               /* the overlay's destination port */
    uint8_t ours;                /* whether the clsact qdisc was created for this edge */
    uint8_t version;             /* of these structures */
    struct edge_address address; /* this host's overlay address; peers' have the same family */
    uint32_t slower;    /* IntFlow: the factor by which its flows' time is slower, at least 1 */
    uint32_t transport; /* outer protocol number of packets to peers: UDP or TCP */
    /* With TCP that does not hide, indices of devices (src/segmenter.h): ours, the one into which
     * guests' packets go, and the one from which they return, no longer than the route's MTU. */
    uint32_t device;
    uint32_t segmenter;
    uint32_t segmented;
    uint32_t hides;          /* 1: the overlay is hidden (hidden_form.h) and carries only TCP */
    uint32_t drops_unproved; /* 1: guests' packets without the right code are dropped */
    /* TAI minus CLOCK_MONOTONIC when the edge was attached: the base of the time in proof.h. */
    uint64_t epoch_ns;
};

/* The mark of packets that the programs and the process write. Only root can set a mark. */
#define EDGE_MARK 0x65766e65u

#define EDGE_STATE_VERSION 16u

/* Longest prefix match on inner addresses; the value is the peer's overlay address. */
struct edge_prefix {
    uint32_t bits; /* includes the bits of the family */
    struct edge_address address;
};

/* The rate limit of a peer's reports that a path of ours is marked: one per relay_ns, with a small
 * burst. */
struct edge_mark_limit {
    uint64_t due_ns;  /* when the next report is due at this rate */
    uint32_t sent_ns; /* time stamp of the packet with the last report */
    uint32_t unused;
};

/*
 * A remote edge, by its overlay address. The lock protects all fields and the flows to the peer. No
 * program holds two locks.
 */
struct edge_peer {
    struct bpf_spin_lock lock;
    uint32_t traced; /* number of decisions; the last EDGE_TRACES are stored */
    struct edge_keys keys;
    struct edge_params params;
    struct edge_paths paths;
    struct edge_reports reports; /* to the peer, about its paths */
    struct edge_baseline baselines[EDGE_MAX_PATHS];
    struct edge_mark_limit mark_limits[EDGE_MAX_PATHS];
    uint64_t sent_ns; /* when a packet last carried reports to the peer */
    uint64_t echo_ns; /* until this time the guest is shown congestion */
    uint64_t rebase;  /* bit per path: the next packet reports that its route changed */
    struct edge_trace traces[EDGE_TRACES];
    uint64_t sends_alb; /* 1: the peer has sent packets with the scheme alb */
};

/* Counters of a path, to the peer and from it; one cache line. */
struct edge_path_account {
    uint64_t sent_packets; /* as sent by the stack: large segments count once */
    uint64_t sent_bytes;
    uint64_t flowlets;
    uint64_t marks_taken; /* the peer's reports of marks that were applied */
    uint64_t received_packets;
    uint64_t received_bytes;
    uint64_t received_marks;
    uint64_t marks_reported; /* our reports of marks that were sent */
};

/* The reason why a packet to a peer is not hidden. */
enum edge_unhidden {
    EDGE_UNHIDDEN_NOT_TCP,  /* not TCP, or a fragment */
    EDGE_UNHIDDEN_NO_ROOM,  /* a large segment has no room for our option */
    EDGE_UNHIDDEN_TOO_LONG, /* too long with our bytes */
    EDGE_UNHIDDEN_REASONS
};

/* Counters that the programs increase. */
struct edge_account {
    struct edge_path_account paths[EDGE_MAX_PATHS];
    uint64_t late[EDGE_MAX_PATHS]; /* reordered packets from the peer, by path */
    uint64_t probes_sent;
    uint64_t probes_received;
    uint64_t marks_limited;   /* reports of marks beyond their rate, or repeated */
    uint64_t echoes;          /* packets in which the guest was shown congestion */
    uint64_t answered;        /* answered probes of the peer's discovery */
    uint64_t instructed[4];   /* IntFlow: packets with data, by instruction */
    uint64_t resent;          /* of these, retransmissions */
    uint64_t of_another_path; /* ACK correction: acknowledgements for another path */
    uint64_t echoes_withheld; /* of these, with the ECN echo hidden from the guest */
    uint64_t unhidden[EDGE_UNHIDDEN_REASONS];
    uint64_t not_asked; /* reports about paths without recent packets */
    uint64_t unproved;  /* packets without the right code where one is required */
};

/* The routers on the route to a peer, nearest first, and the peer itself at the end. */
struct edge_route {
    struct edge_address hops[EDGE_HOPS]; /* family 0: no answer, or beyond `length` */
    uint32_t length;
};

/*
 * The results of discovery, for `show` and for the next process; programs do not read them. Indices
 * are those of edge_paths; a path whose port differs there has no route here.
 */
struct edge_routes {
    uint64_t found_ns; /* time of the discovery; 0: never */
    uint32_t tried;    /* source ports tried */
    uint32_t arrived;  /* source ports on which the peer answered */
    uint16_t port[EDGE_MAX_PATHS];
    struct edge_route route[EDGE_MAX_PATHS];
};

/* Increases a counter that no lock protects. */
EDGE_INLINE void edge_count(uint64_t *counter, uint64_t by) {
    __sync_fetch_and_add(counter, by);
}

/* The key of a flow: the peer and the hash of the inner five-tuple. The value is libedge's. */
struct edge_flow_key {
    struct edge_address peer;
    uint32_t hash;
};

/* IntFlow: a TCP connection, by the key of its outgoing packets. */
struct edge_sender {
    struct edge_flow_status status;
    uint32_t delay_ns;  /* delay of the peer's latest segment */
    uint32_t has_delay; /* 1: delay_ns must be reported */
};

/* The reason for which a packet was dropped. */
enum edge_drop {
    EDGE_DROP_STRANGER,  /* the sender is not a peer of the overlay */
    EDGE_DROP_SPOOFED,   /* its inner source does not belong to that peer */
    EDGE_DROP_MALFORMED, /* not the format that a peer writes */
    EDGE_DROP_TOO_BIG,   /* too big with the overlay's header */
    EDGE_DROP_NO_ROOM,   /* the kernel could not insert or remove the header */
    EDGE_DROP_FORGED,    /* sent by this host to a peer's overlay, but not by the edge */
    EDGE_DROP_UNPROVED,  /* it lacks the right code, and such packets are dropped */
    EDGE_DROPS
};

#endif

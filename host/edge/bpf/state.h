/*
 * What the programs in the kernel keep, as user space reads and fills it: the values of the maps.
 *
 * Addresses are in network byte order, everything else in the host's.
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
#define EDGE_HOPS 16u /* of a way that is discovered, at most */

/* Of this host; one, at key 0. */
struct edge_settings {
    uint32_t
        unused; /* version and ours are where all versions have them, so that any can be told */
    uint32_t vni;
    uint32_t mtu;                /* of the device: the longest IP packet */
    uint16_t port;               /* the overlay's destination port */
    uint8_t ours;                /* whether the clsact qdisc is there for us only */
    uint8_t version;             /* of these structures */
    struct edge_address address; /* the overlay's, of this host; peers' are of its family */
    uint32_t slower;    /* IntFlow: how many times slower time passes for its flows, 1 or more */
    uint32_t transport; /* what peers are sent: the number of UDP or TCP */
    /* With TCP that does not hide, numbers of devices (src/segmenter.h): ours, that which guests'
     * packets go into, and that which they come out of, no longer than the route's MTU. */
    uint32_t device;
    uint32_t segmenter;
    uint32_t segmented;
    uint32_t hides;          /* 1: of peers' traffic TCP alone is in the overlay, which is hidden
                                (hidden_form.h) */
    uint32_t drops_unproved; /* 1: guests' packets without a right code are dropped */
    /* TAI less CLOCK_MONOTONIC when the edge was put on its device: what proof.h's time is from. */
    uint64_t epoch_ns;
};

/* The mark of packets that the programs and the process have written themselves: whoever else sets
 * one has to be root. */
#define EDGE_MARK 0x65766e65u

#define EDGE_STATE_VERSION 15u

/* Longest prefix match on inner addresses; the value is the peer's overlay address. */
struct edge_prefix {
    uint32_t bits; /* those of the family too */
    struct edge_address address;
};

/* How often a peer may say that a path of ours is marked: once per relay_ns, and a few ahead. */
struct edge_told {
    uint64_t due_ns;  /* when the next one is due if they come at the rate */
    uint32_t sent_ns; /* time stamp of the packet that brought the last one */
    uint32_t unused;
};

/*
 * A remote edge, by its overlay address. The lock guards all of it, and the flows to the peer; no
 * program holds two.
 */
struct edge_peer {
    struct bpf_spin_lock lock;
    uint32_t traced; /* decisions so far; the last EDGE_TRACES are kept */
    struct edge_keys keys;
    struct edge_params params;
    struct edge_paths paths;
    struct edge_reports reports; /* for the peer, about its paths */
    struct edge_baseline baselines[EDGE_MAX_PATHS];
    struct edge_told told[EDGE_MAX_PATHS];
    uint64_t sent_ns; /* when a packet last carried reports to the peer */
    uint64_t echo_ns; /* until when the guest is to see congestion */
    uint64_t rebase;  /* bit per path: the next packet says that its way is another one now */
    struct edge_trace traces[EDGE_TRACES];
    uint64_t hears_alb; /* 1: packets with the scheme alb have come from the peer */
};

/* What went over a path, to the peer and from it; a cache line. */
struct edge_path_account {
    uint64_t sent_packets; /* as they left the stack: large segments count once */
    uint64_t sent_bytes;
    uint64_t flowlets;
    uint64_t marks_taken; /* the peer's reports of marks that changed weights */
    uint64_t received_packets;
    uint64_t received_bytes;
    uint64_t received_marks;
    uint64_t marks_reported; /* our reports of marks that left */
};

/* Why a packet to a peer goes as it is where the overlay is hidden. */
enum edge_left {
    EDGE_LEFT_NOT_TCP,  /* or a fragment */
    EDGE_LEFT_NO_ROOM,  /* for our option, in a large segment beside others */
    EDGE_LEFT_TOO_LONG, /* with what tells of it */
    EDGE_LEFTS
};

/* Only counted up, by the programs. */
struct edge_account {
    struct edge_path_account paths[EDGE_MAX_PATHS];
    uint64_t late[EDGE_MAX_PATHS]; /* packets from the peer, by path, behind later ones of a flow */
    uint64_t probes_sent;
    uint64_t probes_received;
    uint64_t marks_limited;   /* reports of marks beyond their rate, or repeated */
    uint64_t echoes;          /* packets in which the guest was told of congestion */
    uint64_t answered;        /* probes of the peer's discovery */
    uint64_t instructed[4];   /* IntFlow: packets with data, by instruction */
    uint64_t resent;          /* those of them that were sent before */
    uint64_t of_another_path; /* ACK correction: packets that acknowledge another path */
    uint64_t echoes_withheld; /* those of them whose ECN echo the guest did not see */
    uint64_t left[EDGE_LEFTS];
    uint64_t not_asked; /* reports about paths that no packet left by of late */
    uint64_t unproved;  /* packets without a right code, where one is required */
};

/* The routers on the way to a peer, nearest first, and at the end the peer itself. */
struct edge_way {
    struct edge_address hops[EDGE_HOPS]; /* none: it does not answer, or is behind `length` */
    uint32_t length;
};

/*
 * What discovery found, for `show` and for the next process; programs do not read it. Paths are as
 * in edge_paths, and one with another port there has no way here.
 */
struct edge_ways {
    uint64_t found_ns; /* when; 0: never */
    uint32_t tried;    /* source ports */
    uint32_t arrived;  /* those that the peer answered on */
    uint16_t port[EDGE_MAX_PATHS];
    struct edge_way way[EDGE_MAX_PATHS];
};

/* How programs count, in what no lock guards. */
EDGE_INLINE void edge_count(uint64_t *counter, uint64_t by) {
    __sync_fetch_and_add(counter, by);
}

/* A flow: the peer and the hash of the inner five-tuple. Its entry is libedge's. */
struct edge_flow_key {
    struct edge_address peer;
    uint32_t hash;
};

/* IntFlow: a TCP connection, by the key of its packets that leave. */
struct edge_sender {
    struct edge_flow_status status;
    uint32_t delay_ns; /* of the peer's latest segment */
    uint32_t told;     /* 1: it is to go back */
};

/* Why a packet was dropped. */
enum edge_drop {
    EDGE_DROP_STRANGER,  /* from outside the overlay's peers */
    EDGE_DROP_SPOOFED,   /* its inner source is not behind that peer */
    EDGE_DROP_MALFORMED, /* not what a peer writes */
    EDGE_DROP_TOO_BIG,   /* does not fit with the overlay's header */
    EDGE_DROP_NO_ROOM,   /* the kernel could not make or close the gap for the header */
    EDGE_DROP_FORGED,    /* of this host for a peer's overlay, and not the edge's own */
    EDGE_DROP_UNPROVED,  /* has no right code, and packets without are to be dropped */
    EDGE_DROPS
};

#endif

#include "flow_owner.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_tun.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ANSWER_BYTES = 32768, WHOLE_ADDRESS = 128, ANSWER_SECONDS = 2 };

/* Sockets that are closing have no owner any more and send no new data. */
static const uint32_t states_with_owner =
    ~(1u << TCP_TIME_WAIT | 1u << TCP_SYN_RECV | 1u << TCP_LAST_ACK | 1u << TCP_CLOSING);

bool flow_can_be_claimed(const struct sdd_match *match) {
    return (match->wildcards & (SDD_ANY_PROTOCOL | SDD_ANY_SOURCE_PORT)) == 0 &&
           (match->protocol == IPPROTO_TCP || match->protocol == IPPROTO_UDP);
}

static bool any(const struct base_ip_address *address) {
    static const struct base_ip_address none = {0};
    const struct base_ip_address none_ipv4 = base_ipv4(0);
    return memcmp(address, &none, sizeof none) == 0 ||
           memcmp(address, &none_ipv4, sizeof none_ipv4) == 0;
}

/* Returns a match for the packets that the socket may send. */
static struct sdd_match match_of(const struct base_flow_key *key) {
    struct sdd_match match = sdd_match_flow(key);
    if (any(&key->source))
        match.source_prefix_bits = 0;
    if (any(&key->destination))
        match.destination_prefix_bits = 0;
    if (key->destination_port == 0)
        match.wildcards = SDD_ANY_DESTINATION_PORT;
    return match;
}

static bool is_one_flow(const struct sdd_match *match) {
    return match->source_prefix_bits == WHOLE_ADDRESS &&
           match->destination_prefix_bits == WHOLE_ADDRESS && match->wildcards == 0;
}

void flow_claim_consider(struct flow_claim *claim, const struct flow_socket *socket) {
    const struct sdd_match sends = match_of(&socket->key);
    if (!sdd_match_overlaps(claim->match, &sends))
        return;
    const bool own = socket->user == claim->user;
    /* a connected socket is more specific than one that listens at its port */
    if (is_one_flow(claim->match) && is_one_flow(&sends)) {
        claim->own_exact = claim->own_exact || own;
        claim->foreign_exact = claim->foreign_exact || !own;
    } else {
        claim->own = claim->own || own;
        claim->foreign = claim->foreign || !own;
    }
}

void flow_claim_decide(struct flow_claim *claim) {
    claim->good = claim->own_exact || claim->foreign_exact
                      ? claim->own_exact && !claim->foreign_exact
                      : claim->own && !claim->foreign;
}

static struct base_ip_address address_of(uint8_t family, const uint32_t words[4]) {
    struct base_ip_address address = base_ipv4(ntohl(words[0]));
    if (family == AF_INET6)
        memcpy(address.octets, words, sizeof address.octets);
    return address;
}

static void consider(const struct inet_diag_msg *found, uint8_t protocol, struct flow_claim *claims,
                     unsigned count) {
    if (found->idiag_inode == 0)
        return; /* no process owns it: not accepted yet, or closed */
    const struct flow_socket socket = {
        .key = {.source = address_of(found->idiag_family, found->id.idiag_src),
                .destination = address_of(found->idiag_family, found->id.idiag_dst),
                .source_port = ntohs(found->id.idiag_sport),
                .destination_port = ntohs(found->id.idiag_dport),
                .protocol = protocol},
        .user = found->idiag_uid};
    for (unsigned i = 0; i < count; i++)
        if (claims[i].match->source_port == socket.key.source_port)
            flow_claim_consider(&claims[i], &socket);
}

/* Reads the answers to one request. Returns false with errno. */
static bool read_sockets(int netlink, uint8_t protocol, struct flow_claim *claims, unsigned count) {
    static _Thread_local _Alignas(NLMSG_ALIGNTO) char buffer[ANSWER_BYTES];
    for (;;) {
        const ssize_t size = recv(netlink, buffer, sizeof buffer, 0);
        if (size < 0)
            return false;
        unsigned left = (unsigned)size;
        for (const struct nlmsghdr *header = (const struct nlmsghdr *)buffer;
             NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
            if (header->nlmsg_type == NLMSG_DONE)
                return true;
            if (header->nlmsg_type == NLMSG_ERROR) {
                errno = -((const struct nlmsgerr *)NLMSG_DATA(header))->error;
                return false;
            }
            if (header->nlmsg_len >= NLMSG_LENGTH(sizeof(struct inet_diag_msg)))
                consider(NLMSG_DATA(header), protocol, claims, count);
        }
    }
}

static bool ask(int netlink, uint8_t family, uint8_t protocol, struct flow_claim *claims,
                unsigned count) {
    const struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } message = {.header = {.nlmsg_len = sizeof message,
                            .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                            .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
                 .request = {.sdiag_family = family,
                             .sdiag_protocol = protocol,
                             .idiag_states = states_with_owner}};
    return send(netlink, &message, sizeof message, 0) == (ssize_t)sizeof message &&
           read_sockets(netlink, protocol, claims, count);
}

/* Opens a netlink socket in the namespace of the device. Returns -1 with errno. */
static int open_in_namespace_of(int tap) {
    const struct timeval limit = {.tv_sec = ANSWER_SECONDS};
    const int namespace = ioctl(tap, TUNGETDEVNETNS);
    if (namespace < 0)
        return -1;
    int netlink = -1;
    if (setns(namespace, CLONE_NEWNET) == 0)
        netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    const int reason = errno;
    close(namespace);
    if (netlink >= 0)
        setsockopt(netlink, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    errno = reason;
    return netlink;
}

bool flow_owner_check(int tap, struct flow_claim *claims, unsigned count) {
    static const uint8_t families[] = {AF_INET, AF_INET6}, protocols[] = {IPPROTO_TCP, IPPROTO_UDP};
    const int netlink = open_in_namespace_of(tap);
    bool good = netlink >= 0;
    for (unsigned i = 0; i < 4 && good; i++)
        good = ask(netlink, families[i / 2], protocols[i % 2], claims, count);
    const int reason = errno;
    for (unsigned i = 0; i < count; i++) {
        flow_claim_decide(&claims[i]);
        claims[i].good = claims[i].good && good;
    }
    if (netlink >= 0)
        close(netlink);
    errno = reason;
    return good;
}

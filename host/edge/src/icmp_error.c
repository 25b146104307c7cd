#include "icmp_error.h"

#include <errno.h>
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

enum { SOL_ICMP_RAW = 255 }; /* SOL_RAW */

static int filter_ipv4(int watch, unsigned kinds) {
    uint32_t types = 0;
    if (kinds & 1u << ICMP_ERROR_TTL)
        types |= 1u << ICMP_TIME_EXCEEDED;
    if (kinds & (1u << ICMP_ERROR_TOO_BIG | 1u << ICMP_ERROR_UNREACHABLE))
        types |= 1u << ICMP_DEST_UNREACH;
    const struct icmp_filter others = {.data = ~types};
    return setsockopt(watch, SOL_ICMP_RAW, ICMP_FILTER, &others, sizeof others);
}

static int filter_ipv6(int watch, unsigned kinds) {
    static const uint8_t types[] = {[ICMP_ERROR_TTL] = ICMPV6_TIME_EXCEED,
                                    [ICMP_ERROR_TOO_BIG] = ICMPV6_PKT_TOOBIG,
                                    [ICMP_ERROR_UNREACHABLE] = ICMPV6_DEST_UNREACH};
    struct icmp6_filter others; /* a bit for each type to block */
    memset(&others, 0xff, sizeof others);
    for (unsigned kind = 0; kind < sizeof types; kind++)
        if (kinds >> kind & 1)
            others.data[0] &= ~(1u << types[kind]);
    return setsockopt(watch, IPPROTO_ICMPV6, ICMPV6_FILTER, &others, sizeof others);
}

int icmp_error_watch(uint32_t family, unsigned kinds) {
    const bool is_ipv6 = family == 6;
    const int watch = socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
                             is_ipv6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP);
    if (watch < 0)
        return -errno;
    if ((is_ipv6 ? filter_ipv6 : filter_ipv4)(watch, kinds) == 0)
        return watch;
    const int error = errno;
    close(watch);
    return -error;
}

ssize_t icmp_error_receive(int watch, uint8_t *packet, size_t size, struct edge_address *from) {
    struct sockaddr_storage sender = {0};
    socklen_t sender_size = sizeof sender;
    const ssize_t got =
        recvfrom(watch, packet, size, MSG_DONTWAIT, (struct sockaddr *)&sender, &sender_size);
    if (got >= 0)
        *from = address_of_socket(&sender);
    return got;
}

/* Reads an IPv4 header. Returns the offset after it, or 0 if there is none. */
static size_t read_ip(const uint8_t *packet, size_t size, size_t at, struct iphdr *ip) {
    if (size < at + sizeof *ip)
        return 0;
    memcpy(ip, packet + at, sizeof *ip);
    return ip->version == 4 && ip->ihl >= 5 ? at + 4 * (size_t)ip->ihl : 0;
}

static bool is_transport(uint8_t protocol) {
    return protocol == IPPROTO_UDP || protocol == IPPROTO_TCP;
}

/* Each reads up to the UDP or TCP header and returns its offset, or 0 if the message is not such an
 * error. */
static size_t read_ipv4(const uint8_t *packet, size_t size, struct icmp_error *error) {
    struct iphdr ip, ours;
    struct icmphdr icmp;
    size_t at = read_ip(packet, size, 0, &ip);
    if (!at || size < at + sizeof icmp)
        return 0;
    memcpy(&icmp, packet + at, sizeof icmp);
    at = read_ip(packet, size, at + sizeof icmp, &ours);
    if (!at || !is_transport(ours.protocol) ||
        ours.frag_off & htons(0x1fff)) /* a later fragment has no such header */
        return 0;
    if (icmp.type == ICMP_TIME_EXCEEDED && icmp.code == ICMP_EXC_TTL)
        error->kind = ICMP_ERROR_TTL;
    else if (icmp.type == ICMP_DEST_UNREACH)
        error->kind = icmp.code == ICMP_FRAG_NEEDED ? ICMP_ERROR_TOO_BIG : ICMP_ERROR_UNREACHABLE;
    else
        return 0;
    error->mtu = ntohs(icmp.un.frag.mtu);
    error->source = address_ipv4(ours.saddr);
    error->destination = address_ipv4(ours.daddr);
    error->id = ntohs(ours.id);
    error->length = ntohs(ours.tot_len);
    error->transport = ours.protocol;
    return at;
}

static size_t read_ipv6(const uint8_t *packet, size_t size, struct icmp_error *error) {
    struct icmp6hdr icmp;
    struct ipv6hdr ours;
    if (size < sizeof icmp + sizeof ours)
        return 0;
    memcpy(&icmp, packet, sizeof icmp);
    memcpy(&ours, packet + sizeof icmp, sizeof ours);
    if (ours.version != 6 || !is_transport(ours.nexthdr))
        return 0;
    if (icmp.icmp6_type == ICMPV6_TIME_EXCEED && icmp.icmp6_code == ICMPV6_EXC_HOPLIMIT)
        error->kind = ICMP_ERROR_TTL;
    else if (icmp.icmp6_type == ICMPV6_PKT_TOOBIG)
        error->kind = ICMP_ERROR_TOO_BIG;
    else if (icmp.icmp6_type == ICMPV6_DEST_UNREACH)
        error->kind = ICMP_ERROR_UNREACHABLE;
    else
        return 0;
    error->mtu = ntohl(icmp.icmp6_mtu);
    error->transport = ours.nexthdr;
    error->length = (uint32_t)sizeof ours + ntohs(ours.payload_len);
    error->source = error->destination = (struct edge_address){.family = 6};
    memcpy(error->source.words, &ours.saddr, sizeof ours.saddr);
    memcpy(error->destination.words, &ours.daddr, sizeof ours.daddr);
    return sizeof icmp + sizeof ours;
}

bool icmp_error_read(const uint8_t *packet, size_t size, const struct edge_address *from,
                     struct icmp_error *error) {
    struct udphdr udp; /* TCP begins with its ports too */
    *error = (struct icmp_error){.from = *from};
    size_t at = (from->family == 6 ? read_ipv6 : read_ipv4)(packet, size, error);
    if (!at || size < at + sizeof udp)
        return false;
    memcpy(&udp, packet + at, sizeof udp);
    at += error->transport == IPPROTO_TCP ? sizeof(struct tcphdr) : sizeof udp;
    error->source_port = ntohs(udp.source);
    error->destination_port = ntohs(udp.dest);
    error->payload_size = size > at ? size - at : 0;
    error->payload = packet + size - error->payload_size;
    return true;
}

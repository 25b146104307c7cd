#include "icmp_error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/icmp.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SOL_ICMP_RAW = 255 }; /* SOL_RAW */

int icmp_error_watch(uint32_t types) {
    const struct icmp_filter others = {.data = ~types};
    const int watch = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_ICMP);
    if (watch < 0)
        return -errno;
    if (setsockopt(watch, SOL_ICMP_RAW, ICMP_FILTER, &others, sizeof others) == 0)
        return watch;
    const int error = errno;
    close(watch);
    return -error;
}

/* Reads an IPv4 header; the offset behind it, or 0 if there is none. */
static size_t read_ip(const uint8_t *packet, size_t size, size_t at, struct iphdr *ip) {
    if (size < at + sizeof *ip)
        return 0;
    memcpy(ip, packet + at, sizeof *ip);
    return ip->version == 4 && ip->ihl >= 5 ? at + 4 * (size_t)ip->ihl : 0;
}

bool icmp_error_read(const uint8_t *packet, size_t size, struct icmp_error *error) {
    struct iphdr ip, ours;
    struct icmphdr icmp;
    struct udphdr udp;
    size_t at = read_ip(packet, size, 0, &ip);
    if (!at || size < at + sizeof icmp)
        return false;
    memcpy(&icmp, packet + at, sizeof icmp);
    at = read_ip(packet, size, at + sizeof icmp, &ours);
    if (!at || size < at + sizeof udp || ours.protocol != IPPROTO_UDP ||
        ours.frag_off & htons(0x1fff)) /* a later fragment has no UDP header */
        return false;
    memcpy(&udp, packet + at, sizeof udp);
    at += sizeof udp;
    *error = (struct icmp_error){.type = icmp.type,
                                 .code = icmp.code,
                                 .mtu = ntohs(icmp.un.frag.mtu),
                                 .from = ip.saddr,
                                 .source = ours.saddr,
                                 .destination = ours.daddr,
                                 .id = ntohs(ours.id),
                                 .source_port = ntohs(udp.source),
                                 .destination_port = ntohs(udp.dest),
                                 .payload = packet + at,
                                 .payload_size = size - at};
    return true;
}

#include "path_mtu.h"

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

int path_mtu_watch(void) {
    const struct icmp_filter errors = {.data = ~(1u << ICMP_DEST_UNREACH)};
    const int watch = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_ICMP);
    if (watch < 0)
        return -errno;
    if (setsockopt(watch, SOL_ICMP_RAW, ICMP_FILTER, &errors, sizeof errors) == 0)
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

static struct peer_config *find_peer(struct config *config, uint32_t address, uint16_t port) {
    for (unsigned i = 0; i < config->peers_count; i++)
        for (unsigned p = 0;
             config->peers[i].address == address && p < config->peers[i].paths_count; p++)
            if (config->peers[i].paths[p].port == port)
                return &config->peers[i];
    return NULL;
}

bool path_mtu_take(const uint8_t *packet, size_t size, uint32_t mtu, struct config *config) {
    struct iphdr ip, ours;
    struct icmphdr icmp;
    struct udphdr udp;
    size_t at = read_ip(packet, size, 0, &ip);
    if (!at || size < at + sizeof icmp)
        return false;
    memcpy(&icmp, packet + at, sizeof icmp);
    at = read_ip(packet, size, at + sizeof icmp, &ours);
    if (icmp.type != ICMP_DEST_UNREACH || icmp.code != ICMP_FRAG_NEEDED || !at ||
        size < at + sizeof udp || ours.protocol != IPPROTO_UDP || ours.saddr != config->address)
        return false;
    memcpy(&udp, packet + at, sizeof udp);
    struct peer_config *peer = find_peer(config, ours.daddr, ntohs(udp.source));
    uint32_t said = ntohs(icmp.un.frag.mtu);
    if (said < LEAST_PATH_MTU)
        said = LEAST_PATH_MTU;
    if (!peer || ntohs(udp.dest) != config->port || said >= (peer->path_mtu ? peer->path_mtu : mtu))
        return false;
    peer->path_mtu = said;
    return true;
}

bool path_mtu_learn(int watch, uint32_t mtu, struct config *config) {
    uint8_t packet[2048];
    bool changed = false;
    for (;;) {
        const ssize_t size = recv(watch, packet, sizeof packet, MSG_DONTWAIT);
        if (size < 0)
            return changed;
        changed |= path_mtu_take(packet, (size_t)size, mtu, config);
    }
}

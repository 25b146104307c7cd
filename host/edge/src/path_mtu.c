#include "path_mtu.h"

#include "icmp_error.h"

int path_mtu_watch(const struct config *config) {
    return icmp_error_watch(config->address.family, 1u << ICMP_ERROR_TOO_BIG);
}

static struct peer_config *find_peer(struct config *config, const struct edge_address *address,
                                     uint16_t port) {
    for (unsigned i = 0; i < config->peers_count; i++)
        for (unsigned p = 0;
             address_same(&config->peers[i].address, address) && p < config->peers[i].paths_count;
             p++)
            if (config->peers[i].paths[p].port == port)
                return &config->peers[i];
    return NULL;
}

bool path_mtu_take(const uint8_t *packet, size_t size, const struct edge_address *from,
                   uint32_t mtu, struct config *config) {
    struct icmp_error error;
    if (!icmp_error_read(packet, size, from, &error) || error.kind != ICMP_ERROR_TOO_BIG ||
        !address_same(&error.source, &config->address))
        return false;
    struct peer_config *peer = find_peer(config, &error.destination, error.source_port);
    const uint32_t least = config->address.family == 6 ? LEAST_MTU_IPV6 : LEAST_PATH_MTU;
    const uint32_t said = error.mtu < least ? least : error.mtu;
    if (!peer || error.destination_port != config->port ||
        said >= (peer->path_mtu ? peer->path_mtu : mtu))
        return false;
    peer->path_mtu = said;
    return true;
}

bool path_mtu_learn(int watch, uint32_t mtu, struct config *config) {
    uint8_t packet[2048];
    struct edge_address from;
    bool changed = false;
    for (;;) {
        const ssize_t size = icmp_error_receive(watch, packet, sizeof packet, &from);
        if (size < 0)
            return changed;
        changed |= path_mtu_take(packet, (size_t)size, &from, mtu, config);
    }
}

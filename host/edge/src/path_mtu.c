#include "path_mtu.h"

#include <linux/icmp.h>
#include <sys/socket.h>

#include "icmp_error.h"

int path_mtu_watch(void) {
    return icmp_error_watch(1u << ICMP_DEST_UNREACH);
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
    struct icmp_error error;
    if (!icmp_error_read(packet, size, &error) || error.type != ICMP_DEST_UNREACH ||
        error.code != ICMP_FRAG_NEEDED || error.source != config->address)
        return false;
    struct peer_config *peer = find_peer(config, error.destination, error.source_port);
    uint32_t said = error.mtu;
    if (said < LEAST_PATH_MTU)
        said = LEAST_PATH_MTU;
    if (!peer || error.destination_port != config->port ||
        said >= (peer->path_mtu ? peer->path_mtu : mtu))
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

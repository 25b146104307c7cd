#include "path_mtu.h"

#include <string.h>

#include "icmp_error.h"
#include "overlay.h"

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

/* Whether the error can be about a packet of this host: one that fits the device, exceeds the
 * reported MTU, and, as far as it is quoted, belongs to this overlay. */
static bool is_about_ours(const struct icmp_error *error, uint32_t mtu,
                          const struct config *config) {
    struct edge_geneve geneve;
    if (error->length > mtu || error->length <= error->mtu)
        return false;
    if (config->hides || error->payload_size < sizeof geneve)
        return true; /* routers need not quote more than 8 bytes (RFC 792) */
    memcpy(&geneve, error->payload, sizeof geneve);
    return edge_geneve_vni(&geneve) == config->vni;
}

bool path_mtu_forget(uint64_t now_ns, struct config *config) {
    bool changed = false;
    for (unsigned i = 0; i < config->peers_count; i++) {
        struct peer_config *peer = &config->peers[i];
        if (!peer->path_mtu || now_ns - peer->path_mtu_ns < PATH_MTU_AGE_NS)
            continue;
        peer->path_mtu = 0;
        changed = true;
    }
    return changed;
}

int path_mtu_wait_ms(uint64_t now_ns, const struct config *config) {
    uint64_t least_ns = UINT64_MAX;
    for (unsigned i = 0; i < config->peers_count; i++) {
        const struct peer_config *peer = &config->peers[i];
        const uint64_t age_ns = now_ns - peer->path_mtu_ns;
        const uint64_t left_ns = age_ns < PATH_MTU_AGE_NS ? PATH_MTU_AGE_NS - age_ns : 0;
        if (peer->path_mtu && left_ns < least_ns)
            least_ns = left_ns;
    }
    return least_ns == UINT64_MAX ? -1 : (int)(least_ns / 1000000) + 1;
}

bool path_mtu_take(const uint8_t *packet, size_t size, const struct edge_address *from,
                   uint32_t mtu, uint64_t now_ns, struct config *config) {
    struct icmp_error error;
    if (!icmp_error_read(packet, size, from, &error) || error.kind != ICMP_ERROR_TOO_BIG ||
        !address_same(&error.source, &config->address))
        return false;
    struct peer_config *peer = find_peer(config, &error.destination, error.source_port);
    const uint32_t least = config->address.family == 6 ? LEAST_MTU_IPV6 : LEAST_PATH_MTU;
    const uint32_t said = error.mtu < least ? least : error.mtu;
    if (!peer || error.destination_port != config->port || !is_about_ours(&error, mtu, config))
        return false;
    const uint32_t before = peer->path_mtu ? peer->path_mtu : mtu;
    if (said > before || (said == before && !peer->path_mtu))
        return false;
    peer->path_mtu_ns = now_ns;
    peer->path_mtu = said;
    return said < before;
}

bool path_mtu_learn(int watch, uint32_t mtu, uint64_t now_ns, struct config *config) {
    uint8_t packet[2048];
    struct edge_address from;
    bool changed = false;
    for (;;) {
        const ssize_t size = icmp_error_receive(watch, packet, sizeof packet, &from);
        if (size < 0)
            return changed;
        changed |= path_mtu_take(packet, (size_t)size, &from, mtu, now_ns, config);
    }
}

/*
 * Uses any bytes as an ICMP message and as a peer's answer. Invariants: no read beyond the input
 * (AddressSanitizer checks this), an accepted answer refers to a packet of this host's overlay, and
 * a knock or a trace accepts it only with the random numbers of the probe.
 */
#include "fuzz_probe.h"

#include <stdlib.h>
#include <string.h>

#include "exact_copy.h"
#include "path_mtu.h"
#include "prober.h"

static void require(bool holds) {
    if (!holds)
        abort();
}

static void take(struct prober *prober, const struct probe *sent,
                 const struct probe_answer *answer) {
    const bool taken = prober_take(prober, 0, answer);
    const struct probe *probe = &answer->probe;
    require(answer->probe.id != 0);
    require(!taken ||
            (address_same(&probe->peer, &sent->peer) && probe->source_port == sent->source_port &&
             probe->id == sent->id && !address_is_any(&answer->from) &&
             (probe->nonce == 0 || probe->nonce == sent->nonce)));
    require(!taken || answer->outcome != PROBE_ARRIVED ||
            (address_same(&answer->from, &sent->peer) && probe->nonce == sent->nonce));
}

static void read_as(const struct edge_address *own, const struct edge_address *its,
                    const uint8_t *data, size_t size) {
    struct peer_config peer = {.address = *its,
                               .discover = {.paths = 1,
                                            .max_ttl = MAX_TTL,
                                            .period_ns = 1000000000,
                                            .timeout_ns = 1000000},
                               .paths = {{.port = 50000}},
                               .paths_count = 1};
    struct config config = {.address = *own,
                            .vni = 7,
                            .port = 6081,
                            .transport = IPPROTO_UDP,
                            .peers = &peer,
                            .peers_count = 1};
    struct probe_answer answer;
    struct probe sent;
    for (unsigned traces = 0; traces < 2; traces++) {
        struct prober *prober = prober_create(&config, 1, 0);
        if (!prober)
            return;
        require(prober_send(prober, prober_next_ns(prober), &sent));
        if (traces) {
            const struct probe_answer there = {
                .outcome = PROBE_ARRIVED, .from = *its, .ttl_left = 1, .probe = sent};
            require(prober_take(prober, 0, &there));
            require(prober_send(prober, PROBER_NEVER - 1, &sent));
        }
        if (probe_read_error(data, size, its, &config, &answer))
            take(prober, &sent, &answer);
        if (probe_read_answer(data, size, its, &config, &answer))
            take(prober, &sent, &answer);
        prober_free(prober);
    }
    (void)path_mtu_take(data, size, its, 1500, 1, &config);
    require(peer.path_mtu == 0 || (peer.path_mtu >= LEAST_PATH_MTU && peer.path_mtu < 1500));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct edge_address own4 = {4, {0x010200c0}}, its4 = {4, {0x020200c0}},
                                     own6 = {6, {0xb80d0120, 0, 0, 1}},
                                     its6 = {6, {0xb80d0120, 0, 0, 2}};
    const struct exact_copy copy = exact_copy_make(data, size);
    read_as(&own4, &its4, copy.bytes, size);
    read_as(&own6, &its6, copy.bytes, size);
    exact_copy_free(copy);
    return 0;
}

/*
 * Any bytes as an ICMP message and as a peer's answer. What must hold: nothing outside of them is
 * read (AddressSanitizer watches), an answer is about a packet of this host's overlay, and a trace
 * takes it only by the numbers that were drawn for the probe.
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
    const bool taken = prober_take(prober, answer);
    const struct probe *probe = &answer->probe;
    require(answer->probe.id != 0);
    require(!taken || (probe->peer == sent->peer && probe->source_port == sent->source_port &&
                       probe->id == sent->id && answer->from != 0 &&
                       (probe->nonce == 0 || probe->nonce == sent->nonce)));
    require(!taken || answer->outcome != PROBE_ARRIVED ||
            (answer->from == sent->peer && probe->nonce == sent->nonce));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct peer_config peer = {.address = 0x020200c0,
                                      .discover = {.paths = 1,
                                                   .max_ttl = MAX_TTL,
                                                   .period_ns = 1000000000,
                                                   .timeout_ns = 1000000},
                                      .paths = {{.port = 50000}},
                                      .paths_count = 1};
    static struct config config = {
        .address = 0x010200c0, .vni = 7, .port = 6081, .peers = &peer, .peers_count = 1};
    struct probe_answer answer;
    struct probe sent;
    struct prober *prober = prober_create(&config, 1, 0);
    if (!prober)
        return 0;
    require(prober_send(prober, prober_next_ns(prober), &sent));
    const struct exact_copy copy = exact_copy_make(data, size);
    if (probe_read_error(copy.bytes, size, &config, &answer))
        take(prober, &sent, &answer);
    if (probe_read_answer(copy.bytes, size, peer.address, &config, &answer))
        take(prober, &sent, &answer);
    peer.path_mtu = 0;
    (void)path_mtu_take(copy.bytes, size, 1500, &config);
    require(peer.path_mtu == 0 || (peer.path_mtu >= LEAST_PATH_MTU && peer.path_mtu < 1500));
    exact_copy_free(copy);
    prober_free(prober);
    return 0;
}

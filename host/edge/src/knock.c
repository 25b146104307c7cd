#include "knock.h"

void knock_begin(struct knock *knock, unsigned wanted, uint64_t random) {
    *knock = (struct knock){.wanted = wanted,
                            .together = 1,
                            .nonce = (uint32_t)random ? (uint32_t)random : 1,
                            .id = (uint16_t)(1 + (random >> 32) % UINT16_MAX)};
}

bool knock_is_ready(const struct knock *knock, uint64_t now_ns) {
    return knock->sent < knock->wanted &&
           (knock->sent < knock->together || now_ns >= knock->until_ns);
}

void knock_send(struct knock *knock, uint64_t now_ns, uint64_t timeout_ns) {
    if (knock->sent == knock->together)
        knock->together = 2 * knock->together + 1;
    knock->sent++;
    knock->until_ns = now_ns + timeout_ns;
}

bool knock_has_failed(const struct knock *knock, uint64_t now_ns) {
    return knock->sent == knock->wanted && now_ns >= knock->until_ns;
}

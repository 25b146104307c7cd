#include "model_random.h"

#include <string.h>

#include "support.h"

struct base_flow_key random_key(struct random *random) {
    struct base_flow_key key =
        flow_key((unsigned)random_between(random, 1, 3), (uint16_t)random_between(random, 1, 3));
    key.protocol = 6;
    return key;
}

struct sdd_match random_match(struct random *random) {
    struct base_flow_key key = random_key(random);
    struct sdd_match match = sdd_match_flow(&key);
    if (random_one_in(random, 2))
        return match;
    match.wildcards = (uint8_t)random_between(random, 0, 7);
    /* wildcard fields are zero here, so that equal matches have equal bytes */
    match.source_port = match.wildcards & SDD_ANY_SOURCE_PORT ? 0 : match.source_port;
    match.destination_port = match.wildcards & SDD_ANY_DESTINATION_PORT ? 0 : 80;
    match.protocol = match.wildcards & SDD_ANY_PROTOCOL ? 0 : 6;
    if (random_one_in(random, 2)) {
        match.destination_prefix_bits = 0;
        memset(&match.destination, 0, sizeof match.destination);
    }
    return match;
}

struct sdd_program random_condition(struct random *random, int64_t now_ns) {
    long long near = now_ns + random_between(random, -20, 60);
    long long later = near + random_between(random, 0, 60);
    long long few = random_between(random, 0, 6), gap = random_between(random, 0, 40);
    long long other = random_between(random, 0, MODEL_QUEUES - 1);
    switch (random_between(random, 0, 13)) {
    case 0:
        return condition("TRUE");
    case 1:
        return condition("FALSE");
    case 2:
        return condition("currTime >= %lld AND currTime < %lld", near, later);
    case 3:
        return condition("currTime < %lld OR currTime > %lld", near, later);
    case 4:
        return condition("currTime >= %lld AND currTime < %lld OR currTime = %lld", near,
                         near + few, later);
    case 5:
        return condition("currTime - lastXmitTime > %lld", gap);
    case 6:
        return condition("packets > %lld", few);
    case 7:
        return condition("currTime - lastRecvTime >= %lld AND bytes < %lld", gap, 20 * few);
    case 8:
        return condition("Q[%lld].packets > packets", other);
    case 9:
        return condition("Q[%lld].bytes = 0 AND currTime < %lld", other, later);
    case 10:
        return condition("flows >= 2 OR currTime - lastXmitTime < %lld", gap);
    case 11:
        return condition("3*currTime - 2*lastXmitTime <= %lld AND sentPackets - 2*packets < %lld",
                         later, few);
    case 12:
        return condition("droppedPackets != %lld AND currTime != %lld", few, later);
    default:
        return condition("receivedPackets > %lld AND receivedBytes - sentBytes > %lld", few, gap);
    }
}

struct sdd_queue_config random_config(struct random *random, enum model_discipline *discipline) {
    static const sdd_get_next get_next[] = {NULL, sdd_next_round_robin, sdd_next_strict_priority};
    *discipline = (enum model_discipline)random_between(random, 0, 2);
    return (struct sdd_queue_config){
        .priority = (uint8_t)(random_one_in(random, 4) ? 63 : random_between(random, 0, 1)),
        .closed_by_default = random_one_in(random, 4),
        .drain_rate_bps =
            random_one_in(random, 2) ? 0 : random_between(random, 1000000000, 20000000000),
        .max_packets = random_one_in(random, 2) ? 0 : random_between(random, 1, 12),
        .max_bytes = random_one_in(random, 2) ? 0 : random_between(random, 1, 200),
        .network = random_one_in(random, 5) ? SDD_PACKET : SDD_CIRCUIT,
        .get_next = get_next[*discipline]};
}

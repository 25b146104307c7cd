/* Granting packets for transmission. */
#ifndef SDD_DISPATCH_H
#define SDD_DISPATCH_H

#include "state.h"

struct sdd_grant {
    struct sdd_packet *packet;
    struct sdd_flow *flow;
    int64_t from_ns;
    int64_t until_ns;
    uint32_t queue;
    uint32_t version;
    uint32_t bytes;
    enum sdd_network network;
    bool by_packet_slot;
};

/* Removes the next packet to transmit from its queue and counts it as in flight. Returns false if
 * there is none. */
bool sdd_grant(struct sdd *sdd, struct sdd_grant *grant);

/* Record that the granted packet was sent, or return it to its flow. A sent packet is not
 * accessed. */
void sdd_granted_sent(struct sdd *sdd, const struct sdd_grant *grant, int64_t time_ns);
void sdd_granted_back(struct sdd *sdd, const struct sdd_grant *grant);

#endif

/* DPDK: its environment, packet buffers, and ports. */
#ifndef SDD_HOST_NIC_H
#define SDD_HOST_NIC_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "config.h"
#include "sdd/packet.h"

enum { BURST = 32 }; /* packets moved at once; DPDK's usual number */
/* 0 is the main thread */
enum { LCORE_EVALUATE = 1, LCORE_TRANSMIT = 2, LCORE_INGEST = 3 };

/* Starts DPDK and makes the pool of packet buffers; may be called once. False: failed and logged.
 */
bool nic_start(const struct config *config);
void nic_stop(void);

struct rte_mempool *nic_buffers(void);

/* Numbers of ports: h is the NIC of host h, and NIC_APPLICATIONS + h its applications' port. */
enum { NIC_APPLICATIONS = MAX_HOSTS, MAX_PORTS = 2 * MAX_HOSTS };

/* Whether the device of a port, if there is a port of this number, is there now. False: error names
   the field. */
bool nic_is_there(const struct config *config, unsigned number, char *error, size_t error_size);

/* Starts a port. False: failed and logged. */
bool nic_open(const struct config *config, unsigned number, uint16_t *port);
void nic_close(uint16_t port);

/* The largest frame, with a VLAN tag, that the port's device transmits now: what is larger it
   loses without a word. */
uint32_t nic_frame_bytes(const struct config *config, unsigned number, uint16_t port);

/* What is in the private area of a packet's buffer, which follows its header. */
struct nic_private {
    struct sdd_packet packet; /* first, so that a pointer to the packet is one to this */
    int64_t queued_ns;
};

static inline struct nic_private *nic_private(struct rte_mbuf *buffer) {
    return (struct nic_private *)rte_mbuf_to_priv(buffer);
}

static inline struct rte_mbuf *nic_buffer(struct nic_private *private) {
    return (struct rte_mbuf *)((char *)private - sizeof(struct rte_mbuf));
}

#endif

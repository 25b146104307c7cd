/* DPDK: its environment, packet buffers, and ports. */
#ifndef SDD_HOST_NIC_H
#define SDD_HOST_NIC_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "config.h"
#include "sdd/packet.h"

enum { BURST = 32 }; /* packets per call; DPDK's usual number */
/* lcore 0 is the main thread */
enum { LCORE_EVALUATE = 1, LCORE_TRANSMIT = 2, LCORE_INGEST = 3 };

/* Starts DPDK and creates the pool of packet buffers; may be called once. Returns false after
 * logging an error. */
bool nic_start(const struct config *config);
void nic_stop(void);

struct rte_mempool *nic_buffers(void);

/* Port numbers: h is the NIC of host h, NIC_APPLICATIONS + h its applications' port. */
enum { NIC_APPLICATIONS = MAX_HOSTS, MAX_PORTS = 2 * MAX_HOSTS };

/* Whether the device of a port exists now, or there is no port with this number. Returns false with
 * an error that names the field. */
bool nic_is_there(const struct config *config, unsigned number, char *error, size_t error_size);

/* Starts a port. Returns false after logging an error. */
bool nic_open(const struct config *config, unsigned number, uint16_t *port);
void nic_close(uint16_t port);

/* Returns the size of the largest frame, with a VLAN tag, that the port's device transmits now. The
 * device drops larger frames silently. */
uint32_t nic_frame_bytes(const struct config *config, unsigned number, uint16_t port);

/* The private area of a packet's buffer, which follows its header. */
struct nic_private {
    struct sdd_packet packet; /* first, so that a pointer to the packet points to this struct */
    int64_t queued_ns;
};

static inline struct nic_private *nic_private(struct rte_mbuf *buffer) {
    return (struct nic_private *)rte_mbuf_to_priv(buffer);
}

static inline struct rte_mbuf *nic_buffer(struct nic_private *private) {
    return (struct rte_mbuf *)((char *)private - sizeof(struct rte_mbuf));
}

#endif

/* When a queue may transmit. */
#ifndef SDD_GATE_H
#define SDD_GATE_H

#include "state.h"

/* Recomputes the queue's gate and arms its timer for the next change. */
void sdd_gate_settle(struct sdd *sdd, struct sdd_queue *queue);

/* Whether a queue in the ready set may transmit, including conditions about other queues. */
bool sdd_gate_open(const struct sdd *sdd, const struct sdd_queue *queue);

/* Whether the queue has no condition, and none has expired. */
bool sdd_gate_unconditioned(const struct sdd_queue *queue);

/* Whether its conditions or rate depend on the last packet's transmission time. */
bool sdd_gate_paced(const struct sdd_queue *queue);

/* Updates the drain rate's state for a packet sent at time_ns. */
void sdd_gate_sent(struct sdd_queue *queue, uint32_t bytes, int64_t time_ns);

/* Changes the drain rate at now_ns. The queue's configuration must still have the old rate. */
void sdd_gate_change_rate(struct sdd_queue *queue, int64_t new_rate_bps, int64_t now_ns);

/* Recalls the packets in flight. */
void sdd_gate_recall(struct sdd *sdd, struct sdd_queue *queue);

/* The network to which the queue transmits by its conditions or by an override. */
enum sdd_network sdd_gate_network(const struct sdd *sdd, const struct sdd_queue *queue);

#endif

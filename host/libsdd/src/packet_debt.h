/* When and at what rate packet slots let a queue transmit. */
#ifndef SDD_PACKET_DEBT_H
#define SDD_PACKET_DEBT_H

#include "state.h"

/* Updates the debt to the current time and removes slots that are over. */
void sdd_packet_slots_settle(struct sdd *sdd, struct sdd_queue *queue);

/* Returns the interval, from from_ns on, in which packet slots next allow a packet; BASE_FOREVER
 * twice: never. The packet slots must be settled. */
struct sdd_window sdd_packet_window(const struct sdd *sdd, const struct sdd_queue *queue,
                                    int64_t from_ns);

/* Adds a packet that was sent by a packet slot to the debt. */
void sdd_packet_slot_sent(struct sdd *sdd, struct sdd_queue *queue, uint32_t bytes);

void sdd_forget_packet_slots(struct sdd *sdd, struct sdd_queue *queue);

#endif

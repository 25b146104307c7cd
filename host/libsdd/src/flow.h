/* Flows and their packets. */
#ifndef SDD_FLOW_H
#define SDD_FLOW_H

#include "state.h"

/* Finds or creates the flow of the key. SDD_ERR_UNMAPPED, SDD_ERR_FULL. */
enum sdd_status sdd_flow_of(struct sdd *sdd, const struct base_flow_key *key,
                            struct sdd_flow **flow);

/* Append a packet at the end, return a packet by its time of arrival, and remove the packet at the
 * head. */
void sdd_flow_append(struct sdd_flow *flow, struct sdd_packet *packet);
void sdd_flow_return(struct sdd_flow *flow, struct sdd_packet *packet);
struct sdd_packet *sdd_flow_pop(struct sdd *sdd, struct sdd_flow *flow);

/* After a change of mappings: moves the flow and its packets to the queue it now maps to. */
void sdd_flow_rebind(struct sdd *sdd, struct sdd_flow *flow);

/* Records that a packet in flight was sent or returned; the flow may then become idle. */
void sdd_flow_landed(struct sdd *sdd, struct sdd_flow *flow);

#endif

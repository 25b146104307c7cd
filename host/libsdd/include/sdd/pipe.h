/*
 * Evaluation and transmission on two cores (Tewari 2015, section 5.3.5).
 *
 * The evaluating core owns the struct sdd: it queues packets, evaluates conditions and sends
 * packets ahead as grants, each valid from one time to another. The transmitting core owns nothing:
 * it takes grants in order, each when its time has come, and reports back. Two single-producer,
 * single-consumer rings connect them, and one number per queue, its version:
 *
 *     evaluating core --- grants (packet, queue, version, from, until) ---> transmitting core
 *                     <-- receipts (sent at, or packet returned) ----------
 *                     --- version of each queue, raised by a recall ------>
 *
 * A change that could close a queue (a condition removed, FALSE added, a lower drain rate, flows
 * moved away) recalls its grants by raising the version: STOP works at once and not only behind the
 * packets in flight. Grants that are too late or recalled go back to the head of their flow, in
 * order: after the first return of a queue, the transmitting core returns all of its grants with
 * that version, and the evaluating core grants no more until all have come back.
 *
 * A condition on time holds at transmission, since the grant carries the slot's end. A condition on
 * the queue itself (rate) or on others holds when it is evaluated; such queues, and those with a
 * drain rate, have at most one packet in flight, so that none is sent before the last one's time of
 * transmission is known.
 */
#ifndef SDD_PIPE_H
#define SDD_PIPE_H

#include "sdd/sdd.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sdd_pipe;

/*
 * grants: packets in flight at most, 1 to 2^20, rounded up to a power of two; small, because
 * priorities no longer reorder them. One pipe per struct sdd at a time. SDD_ERR_ARGUMENT,
 * SDD_ERR_MEMORY, SDD_ERR_BUSY (there is one already).
 */
enum sdd_status sdd_pipe_create(struct sdd *sdd, uint32_t grants, struct sdd_pipe **pipe);

/* Both cores must have left it. Packets in flight go back to their queues. Null is allowed. */
void sdd_pipe_destroy(struct sdd_pipe *pipe);

/*
 * Evaluating core: takes in receipts, then grants what may be transmitted at now_ns, at most limit
 * packets, and returns how many. Give a now_ns slightly in the future to have packets wait at the
 * transmitting core for the very beginning of their slot: none leaves before the now_ns at which it
 * was granted. now_ns is as for all calls on the struct sdd.
 */
uint32_t sdd_pipe_fill(struct sdd_pipe *pipe, int64_t now_ns, uint32_t limit);

/* Evaluating core: packets granted and not yet reported sent or returned. */
uint32_t sdd_pipe_in_flight(const struct sdd_pipe *pipe);

/*
 * Transmitting core: the packet to transmit at now_ns, or null; returns what is too late or
 * recalled. *next_ns, if not null: the time before which the next grant is not valid; BASE_FOREVER
 * if there is none. The packet stays first in line until sdd_pipe_sent, and may then also change.
 */
struct sdd_packet *sdd_pipe_front(struct sdd_pipe *pipe, int64_t now_ns, int64_t *next_ns);

/* Transmitting core: the packet that sdd_pipe_front last gave left at time_ns, and is the caller's.
 */
void sdd_pipe_sent(struct sdd_pipe *pipe, int64_t time_ns);

#ifdef __cplusplus
}
#endif
#endif

/*
 * Evaluation and transmission on two cores (Tewari 2015, section 5.3.5).
 *
 * The evaluating core owns the struct sdd: it queues packets, evaluates conditions and issues
 * packets in advance as grants, each valid in an interval of time. The transmitting core owns
 * nothing: it takes grants in order, each when its interval begins, and reports back. Two
 * single-producer, single-consumer rings connect them, and one number per queue, its version:
 *
 *     evaluating core --- grants (packet, queue, version, from, until) ---> transmitting core
 *                     <-- receipts (sent at, or packet returned) ----------
 *                     --- version of each queue, raised by a recall ------>
 *
 * A change that could close a queue (a condition removed, FALSE added, a lower drain rate, flows
 * moved away) recalls its grants by raising the version, so that STOP takes effect at once and not
 * after the packets in flight. Grants that are too late or recalled return to the head of their
 * flow, in order: after the first return of a queue, the transmitting core returns all of its
 * grants with that version, and the evaluating core issues no more until all have returned.
 *
 * A condition on time holds at transmission, since the grant carries the slot's end. A condition on
 * the queue itself (rate) or on others holds when it is evaluated; such queues, and those with a
 * drain rate, have at most one packet in flight, so that none is sent before the previous one's
 * transmission time is known.
 */
#ifndef SDD_PIPE_H
#define SDD_PIPE_H

#include "sdd/sdd.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sdd_pipe;

/*
 * Creates the pipe of a struct sdd, which can have one at a time. grants: maximum number of packets
 * in flight, 1 to 2^20, rounded up to a power of two; choose it small, because priorities do not
 * reorder packets in flight. SDD_ERR_ARGUMENT, SDD_ERR_MEMORY, SDD_ERR_BUSY (a pipe exists
 * already).
 */
enum sdd_status sdd_pipe_create(struct sdd *sdd, uint32_t grants, struct sdd_pipe **pipe);

/* Destroys a pipe that neither core uses any more, or null. Packets in flight return to their
 * queues. */
void sdd_pipe_destroy(struct sdd_pipe *pipe);

/*
 * Evaluating core: processes receipts, then grants packets that may be transmitted at now_ns, at
 * most limit of them, and returns their number. With a now_ns slightly in the future, packets wait
 * at the transmitting core for the beginning of their slot: none leaves before the now_ns of its
 * grant. now_ns is as for all calls on the struct sdd.
 */
uint32_t sdd_pipe_fill(struct sdd_pipe *pipe, int64_t now_ns, uint32_t limit);

/* Evaluating core: the number of granted packets that are not yet reported as sent or returned. */
uint32_t sdd_pipe_in_flight(const struct sdd_pipe *pipe);

/*
 * Transmitting core: returns the packet to transmit at now_ns, or null, and sends back grants that
 * are too late or recalled. *next_ns, if next_ns is not null: the time before which the next grant
 * is not valid, or BASE_FOREVER without a grant. The packet stays at the front until sdd_pipe_sent,
 * but a recall or the end of its interval may replace it.
 */
struct sdd_packet *sdd_pipe_front(struct sdd_pipe *pipe, int64_t now_ns, int64_t *next_ns);

/* Transmitting core: reports that the last packet from sdd_pipe_front left at time_ns. The caller
 * then owns it. */
void sdd_pipe_sent(struct sdd_pipe *pipe, int64_t time_ns);

#ifdef __cplusplus
}
#endif
#endif

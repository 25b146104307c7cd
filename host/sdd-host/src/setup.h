/* The end of a session's setup: it removes the queues and mappings of earlier sessions that this
 * one did not set up. */
#ifndef SDD_HOST_SETUP_H
#define SDD_HOST_SETUP_H

#include "agent.h"

/*
 * Ends the controller's mappings and queues from before this session that it has not set up again;
 * what the host's configuration has is as it was there. Packets go to the queue of the next best
 * mapping, in order. One mapping at most per call, so that packets do not wait for all of them:
 * call it again until it is true. *next, 0 at first: where to go on. For the thread that owns the
 * queues.
 */
bool setup_end(struct agent *agent, uint32_t *next, int64_t now_ns);

#endif

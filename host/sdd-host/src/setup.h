/* The end of a session's setup: it removes the queues and mappings of earlier sessions that this
 * one did not set up. */
#ifndef SDD_HOST_SETUP_H
#define SDD_HOST_SETUP_H

#include "agent.h"

/*
 * Removes the controller's mappings and queues of earlier sessions that this session has not set up
 * again, and restores those of the host's configuration. Packets move in order to the queue of the
 * next best mapping. Each call changes at most one mapping, so that packets do not wait for all of
 * them: call it until it returns true. *next: the position, initially 0. For the thread that owns
 * the queues.
 */
bool setup_end(struct agent *agent, uint32_t *next, int64_t now_ns);

#endif

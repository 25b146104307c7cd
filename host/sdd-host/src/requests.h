/* Executes the controller's requests: the API of section 5.3.3. */
#ifndef SDD_HOST_REQUESTS_H
#define SDD_HOST_REQUESTS_H

#include "agent.h"

/* Slots of a SetSchedule per job, so that packets do not wait for all 10,000 of them. */
enum { REQUEST_SLOTS = 250 };

struct request_progress {
    uint32_t done; /* slots added so far, or mappings that EndSetup has checked */
    bool unfinished;
};

/*
 * Executes a request that wire_check accepted and writes the reply into a buffer of
 * WIRE_MAX_FRAME_BYTES. Returns the reply's size. Returns 0 if the message violates the protocol
 * (it is not a request, or a field is not in its enumeration), or if progress->unfinished is set:
 * then call it again. For the thread that owns the queues.
 */
size_t request_execute(struct agent *agent, const struct wire_message *message,
                       struct request_progress *progress, int64_t now_ns, uint8_t *buffer);

#endif

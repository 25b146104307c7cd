/* Execution of the controller's requests: the API of section 5.3.3. */
#ifndef SDD_HOST_REQUESTS_H
#define SDD_HOST_REQUESTS_H

#include "agent.h"

/* Slots of a SetSchedule per job, so that packets do not wait for 10,000 of them. */
enum { REQUEST_SLOTS = 250 };

struct request_progress {
    uint32_t done; /* slots added so far; mappings that EndSetup has looked at */
    bool unfinished;
};

/*
 * Executes a request that wire_check found good and writes the reply into a buffer of
 * WIRE_MAX_FRAME_BYTES. Returns its size; 0: the message breaks the protocol (it is no request, or
 * a field is out of its enumeration), or there is more to do: call it again while
 * progress->unfinished. For the thread that owns the queues.
 */
size_t request_execute(struct agent *agent, const struct wire_message *message,
                       struct request_progress *progress, int64_t now_ns, uint8_t *buffer);

#endif

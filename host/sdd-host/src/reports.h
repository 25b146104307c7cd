/* Encodes the reports of a host. For the thread that owns the queues, in jobs. */
#ifndef SDD_HOST_REPORTS_H
#define SDD_HOST_REPORTS_H

#include "agent.h"

/* Each writes one message into a buffer of WIRE_MAX_FRAME_BYTES and returns its size. */
size_t report_demand(struct agent *agent, uint64_t period, int64_t now_ns, uint8_t *buffer);

/* Returns 0 if there are no misses since the last report. */
size_t report_missed(struct agent *agent, uint64_t period, int64_t now_ns, uint8_t *buffer);

/* Returns 0 if the policy has not changed since the last report. */
size_t report_policy(struct agent *agent, int64_t now_ns, uint8_t *buffer);

size_t report_queues(struct agent *agent, uint64_t request_id, uint32_t first, uint32_t count,
                     int64_t now_ns, uint8_t *buffer);

#endif

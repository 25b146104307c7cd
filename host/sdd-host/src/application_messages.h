/* Messages to applications: answers and notifications as lines of JSON. */
#ifndef SDD_HOST_APPLICATION_MESSAGES_H
#define SDD_HOST_APPLICATION_MESSAGES_H

#include "application_job.h"

/* Returns the answer to an executed request, from its method, its id and the job's result. The
 * caller frees it; null: no memory. */
char *message_answer(const struct application_job *job, const struct config *config);

/* Returns an error message; id may be null. The caller frees it; null: no memory. */
char *message_error(json_t *id, enum application_status status, const char *text);

/* Returns a notification that a trigger fired: the application's own (method triggered), or the
 * controller's on a queue to which it listens (method event). dropped: events that it lost since it
 * connected. */
char *message_event(const struct sdd_event *event, uint64_t cookie, uint64_t dropped);

/* Returns a notification that the sockets of a mapping no longer exist. */
char *message_unmapped(const struct held_mapping *mapping);

#endif

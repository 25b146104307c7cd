/* Messages to applications: answers and events, as lines of JSON. */
#ifndef SDD_HOST_APPLICATION_MESSAGES_H
#define SDD_HOST_APPLICATION_MESSAGES_H

#include "application_job.h"

/* The answer to a request that was executed. Of the request's method, id and the job's answer.
   To be freed; null: no memory. */
char *message_answer(const struct application_job *job, const struct config *config);

/* An error; id may be null. To be freed; null: no memory. */
char *message_error(json_t *id, enum application_status status, const char *text);

/* A trigger fired: the application's own (method triggered), or one that the controller set on a
   queue that it listens to (method event). dropped: events that it did not get, since it came. */
char *message_event(const struct sdd_event *event, uint64_t cookie, uint64_t dropped);

/* The sockets that a mapping was claimed by are no longer there. */
char *message_unmapped(const struct held_mapping *mapping);

#endif

/*
 * One document for all hosts. What all have alike is in "everyHost"; "byHost" has what differs, by
 * the hosts' names. A host's document is the former, changed by its part of the latter as a JSON
 * Merge Patch (RFC 7386) changes a document: objects are merged, everything else is replaced.
 */
#ifndef CONFIGURATION_PART_H
#define CONFIGURATION_PART_H

#include "fields.h"

/* Where the name is that this host has in such documents; without it the kernel's host name, or
   that up to its first dot. */
#define HOST_VARIABLE "EVENWEAVE_HOST"

/*
 * This host's document: a new reference. The document itself if it has no field "byHost"; null if
 * it has and fields has failed.
 *
 * "peers" of all hosts may list every host: the one with this host's own "address" is left out.
 * "host" is short for "hosts" with this one host, whose "name" is that in "byHost".
 */
json_t *part_of_host(struct fields *fields, json_t *document);

#endif

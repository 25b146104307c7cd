/*
 * One document for all hosts. "everyHost" has the common fields; "byHost" has an object for each
 * host by its name. A host's document is "everyHost" with that object applied as a JSON Merge Patch
 * (RFC 7386): objects are merged, all other values are replaced.
 */
#ifndef CONFIGURATION_PART_H
#define CONFIGURATION_PART_H

#include "fields.h"

/* The environment variable with this host's name in such documents. Without it the name is the
 * kernel's host name, in full or up to its first dot. */
#define HOST_VARIABLE "EVENWEAVE_HOST"

/*
 * Returns this host's document as a new reference; the document itself if it has no field "byHost";
 * null if reading its part failed, with the error in fields.
 *
 * A common list "peers" may contain every host: the entry with this host's own "address" is
 * removed. "host" is short for "hosts" with a single host, whose "name" is its key in "byHost".
 */
json_t *part_of_host(struct fields *fields, json_t *document);

#endif

/* Reads the field `applications` of a host's configuration. */
#ifndef SDD_HOST_ACCESS_CONFIG_H
#define SDD_HOST_ACCESS_CONFIG_H

#include "config.h"
#include "fields.h"

/* Reads into host->applications. host->limits must be read already. */
void access_config_read(struct fields *fields, json_t *object, struct host_config *host);

#endif

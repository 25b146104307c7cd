/* Programs on a device's clsact qdisc, identified by their position there and their names. */
#ifndef EDGE_FILTER_H
#define EDGE_FILTER_H

#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdint.h>

enum { EDGE_PRIORITY = 0xed9e, FILTER_HANDLE = 0xed9e }; /* of the edge's filters */

struct filter {
    enum bpf_tc_attach_point point;
    uint32_t priority;   /* lower ones run first */
    const char *program; /* the program's name */
};

/* Whether this process may inspect loaded programs; otherwise it does not find the edge's
 * filters. */
bool filter_may_inspect(void);

/* Returns a descriptor of the program at this position if it is ours, else -1. */
int filter_find(const struct filter *filter, unsigned device);

/* Attaches a program at this position, or replaces ours. Returns 0 or a negative errno. */
int filter_attach(const struct filter *filter, unsigned device, int program);

/* Detaches our program; returns false if it is attached and cannot be removed. */
bool filter_detach(const struct filter *filter, unsigned device);

/* Whether our program is attached. */
bool filter_is_attached(const struct filter *filter, unsigned device);

#endif

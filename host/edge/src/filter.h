/* Programs on a device's clsact qdisc, known by their place there and their names. */
#ifndef EDGE_FILTER_H
#define EDGE_FILTER_H

#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdint.h>

enum { EDGE_PRIORITY = 0xed9e, FILTER_HANDLE = 0xed9e }; /* of the edge's own filters */

struct filter {
    enum bpf_tc_attach_point point;
    uint32_t priority;   /* the lower ones are asked first */
    const char *program; /* its name */
};

/* Whether this process may look at the programs of others; without it none of ours is found. */
bool filter_may_look(void);

/* The descriptor of the program there, if it is ours; -1: there is none. */
int filter_find(const struct filter *filter, unsigned device);

/* Attaches a program there, or replaces ours. Returns 0 or a negative errno. */
int filter_attach(const struct filter *filter, unsigned device, int program);

/* Takes ours off; false if it is there and stays. */
bool filter_detach(const struct filter *filter, unsigned device);

/* Whether it is there. */
bool filter_stands(const struct filter *filter, unsigned device);

#endif

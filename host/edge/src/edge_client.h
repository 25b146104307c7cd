/*
 * An edge's session with the controller (docs/reference/sdd-protocol.md, section Edges): a thread
 * that applies orders, forwards changes of the topology, and reports the output of `show`. Without
 * a session the edge continues with the last order.
 */
#ifndef EDGE_CLIENT_H
#define EDGE_CLIENT_H

#include <pthread.h>

#include "client.h"
#include "config.h"
#include "kernel_edge.h"
#include "order.h"
#include "weights.h"

struct edge_client {
    pthread_mutex_t lock; /* protects the fields below and their targets; not held while waiting */
    struct config *config;
    const struct kernel_edge *edge;
    struct order order; /* the current order */
    struct weights weights;

    struct controller_config controller; /* its address, if enabled */
    struct client client;
    int64_t report_due_ns; /* CLOCK_MONOTONIC */
    int stop;              /* readable when the thread must end */
};

/* Warns on standard error if the session's files cannot be loaded. path: of the configuration. */
void edge_client_warn(const struct controller_config *controller, const char *path);

/*
 * Starts the thread if the configuration has a controller. Config and edge must exist as long as
 * the thread, which uses them under the lock. Returns false with errno.
 */
bool edge_client_start(struct edge_client *client, struct config *config,
                       const struct kernel_edge *edge);

/* Ends the thread and waits for it. The caller must not hold the lock. */
void edge_client_stop(struct edge_client *client);

/* Whether both have the same controller and the same identity of the edge. */
bool edge_client_same(const struct controller_config *one, const struct controller_config *other);

/* Applies the current order to a new configuration. Returns false with an error if the order does
 * not fit it. The caller holds the lock. */
bool edge_client_carry_over(const struct edge_client *client, struct config *config, char *error,
                            size_t error_size);

#endif

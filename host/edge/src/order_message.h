/* The controller's commands to an edge, as structures. */
#ifndef EDGE_ORDER_MESSAGE_H
#define EDGE_ORDER_MESSAGE_H

#include "client.h" /* for its wire.h: a header of the BPF programs has that name too */
#include "order.h"
#include "weights.h"

/*
 * Reads an EdgeOrder that wire_check found good. False: the error begins with the field's path. The
 * number of the request is there in any case.
 */
bool order_message_read(const struct wire_message *message, uint64_t *request_id,
                        struct order *order, char *error, size_t error_size);

/* The same of an EdgeWeights. Null, or what is wrong with which field. */
const char *weights_message_read(const struct wire_message *message, uint64_t *request_id,
                                 struct weighted_prefix *weights);

/*
 * Takes the keys of an EdgeKeys over into those peers of a configuration that it names. Null, or
 * what is wrong; then no peer has other keys.
 */
const char *keys_message_take(const struct wire_message *message, uint64_t *request_id,
                              struct config *config);

#endif

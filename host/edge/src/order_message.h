/* Decodes the controller's commands to an edge. */
#ifndef EDGE_ORDER_MESSAGE_H
#define EDGE_ORDER_MESSAGE_H

#include "client.h" /* for its wire.h: a header of the BPF programs has that name too */
#include "order.h"
#include "weights.h"

/*
 * Reads an EdgeOrder that wire_check accepted. Returns false with an error that begins with the
 * field's path. Sets *request_id in any case.
 */
bool order_message_read(const struct wire_message *message, uint64_t *request_id,
                        struct order *order, char *error, size_t error_size);

/* Reads an EdgeWeights in the same way. Returns null, or an error that names the field. */
const char *weights_message_read(const struct wire_message *message, uint64_t *request_id,
                                 struct weighted_prefix *weights);

/*
 * Takes the keys of an EdgeKeys over into those peers of a configuration that it names. Null, or
 * what is wrong; then no peer has other keys.
 */
const char *keys_message_take(const struct wire_message *message, uint64_t *request_id,
                              struct config *config);

#endif

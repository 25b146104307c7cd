#include "edge_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "keys.h"
#include "order_message.h"
#include "show.h"
#include "tables.h"
#include "weights.h"

/* Limits of the protocol. */
enum {
    DEFAULT_REPORT_MS = 1000,
    MAX_DOCUMENT_BYTES = 65000,
    FIRST_RETRY_MS = 100,
    LAST_RETRY_MS = 5000,
    ERROR_BYTES = 600
};

static int64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static size_t hello(void *context, uint8_t *buffer) {
    const struct edge_client *edge = context;
    struct sdd_wire_hello_addresses addresses = {0};
    struct sdd_wire_hello_ports ports = {0};
    WIRE_ENCODE(hello, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_hello_set_protocolVersion(&codec, WIRE_PROTOCOL_VERSION);
    sdd_wire_hello_set_role(&codec, sdd_wire_role_EDGE);
    sdd_wire_hello_set_linkBps(&codec, 1); /* not used, but must not be 0 */
    sdd_wire_hello_set_datagramPort(&codec, 0);
    sdd_wire_hello_set_maxQueues(&codec, 0);
    sdd_wire_hello_addresses_set_count(&codec, &addresses, 0);
    sdd_wire_hello_ports_set_count(&codec, &ports, 0);
    sdd_wire_hello_put_name(&codec, edge->controller.name, (uint16_t)strlen(edge->controller.name));
    return WIRE_ENCODED(hello, codec);
}

/* An edge has no requirements on Welcome. */
static bool accepts(void *context, const struct wire_message *message, const char **why) {
    (void)context, (void)message, (void)why;
    return true;
}

static void welcome(void *context, const struct wire_message *message) {
    (void)message;
    ((struct edge_client *)context)->report_due_ns = now_ns();
}

static enum sdd_wire_status install_order(struct edge_client *edge, const struct order *order,
                                          char *error, size_t error_size) {
    enum sdd_wire_status status = sdd_wire_status_ARGUMENT;
    pthread_mutex_lock(&edge->lock);
    if (order_fits(order, edge->config, error, error_size)) {
        order_apply(order, edge->config);
        status = sdd_wire_status_OK;
        if (tables_fill(edge->config, edge->edge)) {
            edge->order = *order;
        } else {
            status = sdd_wire_status_FULL;
            snprintf(error, error_size, "the kernel has no memory for it");
            order_apply(&edge->order, edge->config);
            (void)tables_fill(edge->config, edge->edge);
        }
    }
    pthread_mutex_unlock(&edge->lock);
    return status;
}

static enum sdd_wire_status weigh(struct edge_client *edge, const struct weighted_prefix *put,
                                  char *error, size_t error_size) {
    enum sdd_wire_status status = sdd_wire_status_OK;
    pthread_mutex_lock(&edge->lock);
    if (!weights_put(&edge->weights, put)) {
        status = sdd_wire_status_FULL;
        snprintf(error, error_size, "there are weights for 256 prefixes already");
    }
    for (unsigned i = 0; status == sdd_wire_status_OK && i < edge->config->peers_count; i++) {
        const struct peer_config *peer = &edge->config->peers[i];
        if (peer->discover.paths && prefix_covers(&put->prefix, &peer->address) &&
            !tables_weigh(edge->edge, &peer->address, weights_of(&edge->weights, &peer->address))) {
            status = sdd_wire_status_FULL;
            snprintf(error, error_size, "the kernel rejects the weights");
        }
    }
    pthread_mutex_unlock(&edge->lock);
    return status;
}

/* The keys that the controller hands out. */
static enum sdd_wire_status share(struct edge_client *edge, const struct wire_message *message,
                                  uint64_t *request_id, char *error, size_t error_size) {
    enum sdd_wire_status status = sdd_wire_status_OK;
    pthread_mutex_lock(&edge->lock);
    const char *why = keys_message_take(message, request_id, edge->config);
    if (why) {
        status = sdd_wire_status_ARGUMENT;
        snprintf(error, error_size, "%s", why);
    } else if (!tables_fill(edge->config, edge->edge)) {
        status = sdd_wire_status_FULL;
        snprintf(error, error_size, "the kernel does not take the keys");
    }
    pthread_mutex_unlock(&edge->lock);
    return status;
}

static size_t execute(void *context, const struct wire_message *message, uint8_t *buffer) {
    struct edge_client *edge = context;
    struct sdd_wire_reply_queues none = {0};
    enum sdd_wire_status status = sdd_wire_status_OK;
    char error[ERROR_BYTES] = "";
    uint64_t request_id;
    if (message->template_id == WIRE_EDGE_ORDER) {
        struct order order;
        status = order_message_read(message, &request_id, &order, error, sizeof error)
                     ? install_order(edge, &order, error, sizeof error)
                     : sdd_wire_status_ARGUMENT;
    } else if (message->template_id == WIRE_TOPOLOGY_CHANGED) {
        WIRE_DECODE(topologyChanged, codec, message);
        request_id = sdd_wire_topologyChanged_requestId(&codec);
        pthread_mutex_lock(&edge->lock);
        char device[IF_NAMESIZE];
        memcpy(device, edge->config->device, sizeof device);
        pthread_mutex_unlock(&edge->lock);
        command_begin_discovery(device); /* of this process */
    } else if (message->template_id == WIRE_EDGE_WEIGHTS) {
        struct weighted_prefix read;
        const char *why = weights_message_read(message, &request_id, &read);
        if (why)
            snprintf(error, sizeof error, "%s", why);
        status = why ? sdd_wire_status_ARGUMENT : weigh(edge, &read, error, sizeof error);
    } else if (message->template_id == WIRE_EDGE_KEYS) {
        status = share(edge, message, &request_id, error, sizeof error);
    } else {
        return 0;
    }
    WIRE_ENCODE(reply, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_reply_set_requestId(&codec, request_id);
    sdd_wire_reply_set_status(&codec, status);
    sdd_wire_reply_set_position(&codec, 0);
    sdd_wire_reply_set_value(&codec, 0);
    sdd_wire_reply_queues_set_count(&codec, &none, 0);
    sdd_wire_reply_put_text(&codec, error, (uint16_t)strlen(error));
    return WIRE_ENCODED(reply, codec);
}

static int64_t report_due(void *context) {
    const struct edge_client *edge = context;
    return edge->report_due_ns - now_ns();
}

static bool send_peer(struct edge_client *edge, struct session *session, json_t *all, json_t *peers,
                      size_t at) {
    char document[MAX_DOCUMENT_BYTES];
    uint8_t *buffer = edge->client.buffer;
    json_object_set_new(all, "peers", json_pack("[O]", json_array_get(peers, at)));
    const size_t size =
        json_dumpb(all, document, sizeof document, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (size > sizeof document) /* 64 paths, 64 prefixes and 16 decisions need less */
        return true;
    WIRE_ENCODE(edgeReport, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_edgeReport_set_peers(&codec, (uint32_t)json_array_size(peers));
    sdd_wire_edgeReport_set_peer(&codec, (uint32_t)at);
    sdd_wire_edgeReport_put_document(&codec, document, (uint16_t)size);
    return session_write(session, buffer, WIRE_ENCODED(edgeReport, codec));
}

static bool report(void *context, struct session *session) {
    struct edge_client *edge = context;
    if (report_due(edge) > 0)
        return true;
    pthread_mutex_lock(&edge->lock);
    const struct show_peers everyone = {.limit = EDGE_PEERS};
    json_t *all = show_json(edge->edge, &everyone);
    edge->report_due_ns = now_ns() + (int64_t)edge->order.report_ms * 1000000;
    pthread_mutex_unlock(&edge->lock);
    json_t *peers = json_incref(json_object_get(all, "peers"));
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(peers); i++)
        good = send_peer(edge, session, all, peers, i);
    json_decref(peers);
    json_decref(all);
    return good;
}

static const struct client_role role = {.hello = hello,
                                        .accepts = accepts,
                                        .welcome = welcome,
                                        .execute = execute,
                                        .report_due = report_due,
                                        .report = report};

static struct session_config session_of(const struct controller_config *controller, int stop) {
    return (struct session_config){.address = controller->address,
                                   .port = controller->port,
                                   .server_name = controller->server_name,
                                   .certificate = controller->certificate,
                                   .key = controller->key,
                                   .authority = controller->authority,
                                   .stop = stop};
}

void edge_client_warn(const struct controller_config *controller, const char *path) {
    const struct session_config session = session_of(controller, -1);
    char error[512];
    if (controller->enabled && !session_check(&session, error, sizeof error))
        fprintf(stderr, "evenweave-edge: %s: warning: controller: %s\n", path, error);
}

bool edge_client_start(struct edge_client *client, struct config *config,
                       const struct kernel_edge *edge) {
    *client = (struct edge_client){.config = config,
                                   .edge = edge,
                                   .order = {.report_ms = DEFAULT_REPORT_MS},
                                   .controller = config->controller};
    const struct controller_config *controller = &client->controller;
    errno = pthread_mutex_init(&client->lock, NULL);
    if (errno != 0)
        return false;
    if (!controller->enabled)
        return true;
    client->stop = eventfd(0, EFD_CLOEXEC);
    const struct client_config settings = {.log_prefix = "evenweave-edge",
                                           .session = session_of(controller, client->stop),
                                           .first_retry_ms = FIRST_RETRY_MS,
                                           .last_retry_ms = LAST_RETRY_MS};
    return client->stop >= 0 && client_start(&client->client, &settings, &role, client);
}

void edge_client_stop(struct edge_client *client) {
    const uint64_t one = 1;
    if (!client->controller.enabled)
        return;
    (void)!write(client->stop, &one, sizeof one);
    client_join(&client->client);
    close(client->stop);
    free(client->weights.prefixes);
}

bool edge_client_same(const struct controller_config *one, const struct controller_config *other) {
    return one->enabled == other->enabled && one->port == other->port &&
           strcmp(one->name, other->name) == 0 && strcmp(one->address, other->address) == 0 &&
           strcmp(one->server_name, other->server_name) == 0 &&
           strcmp(one->certificate, other->certificate) == 0 && strcmp(one->key, other->key) == 0 &&
           strcmp(one->authority, other->authority) == 0;
}

bool edge_client_carry_over(const struct edge_client *client, struct config *config, char *error,
                            size_t error_size) {
    char why[ERROR_BYTES / 2];
    if (!order_fits(&client->order, config, why, sizeof why)) {
        snprintf(error, error_size, "peers: do not fit the controller's order: %s", why);
        return false;
    }
    order_apply(&client->order, config);
    keys_carry_over(client->config, config);
    return true;
}

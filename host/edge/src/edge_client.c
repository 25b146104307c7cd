#include "edge_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "show.h"
#include "tables.h"
#include "weights.h"

/* Of the protocol. */
enum {
    LEAST_REPORT_MS = 100,
    MOST_REPORT_MS = 4000,
    DEFAULT_REPORT_MS = 1000,
    MAX_GAP_NS = 1000000000,
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
    sdd_wire_hello_set_linkBps(&codec, 1); /* does not count, and must not be 0 */
    sdd_wire_hello_set_datagramPort(&codec, 0);
    sdd_wire_hello_set_maxQueues(&codec, 0);
    sdd_wire_hello_addresses_set_count(&codec, &addresses, 0);
    sdd_wire_hello_ports_set_count(&codec, &ports, 0);
    sdd_wire_hello_put_name(&codec, edge->controller.name, (uint16_t)strlen(edge->controller.name));
    return WIRE_ENCODED(hello, codec);
}

static bool welcome(void *context, const struct wire_message *message, const char **why) {
    struct edge_client *edge = context;
    (void)message, (void)why; /* only the session counts */
    edge->report_due_ns = now_ns();
    return true;
}

/* The protocol has IPv4 addresses of prefixes and hops only, mapped. */
static bool read_address(const uint8_t bytes[16], struct edge_address *address) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    *address = (struct edge_address){.family = 4};
    memcpy(address->words, bytes + sizeof mapped, 4);
    return memcmp(bytes, mapped, sizeof mapped) == 0;
}

/* One entry of an order. Null, or what is wrong with which field. */
static const char *read_prefix(const struct sdd_wire_edgeOrder_prefixes *entry,
                               struct ordered_prefix *ordered) {
    static const enum edge_scheme schemes[] = {
        [sdd_wire_edgeScheme_ECMP] = EDGE_ECMP,
        [sdd_wire_edgeScheme_WCMP] = EDGE_WCMP,
        [sdd_wire_edgeScheme_PRESTO] = EDGE_PRESTO,
        [sdd_wire_edgeScheme_EDGE_FLOWLET] = EDGE_FLOWLET,
        [sdd_wire_edgeScheme_CLOVE_ECN] = EDGE_CLOVE_ECN,
        [sdd_wire_edgeScheme_CLOVE_INT] = EDGE_CLOVE_INT,
        [sdd_wire_edgeScheme_CLOVE_LATENCY] = EDGE_CLOVE_LATENCY,
        [sdd_wire_edgeScheme_ALB] = EDGE_ALB,
    };
    enum sdd_wire_edgeScheme scheme = sdd_wire_edgeScheme_NULL_VALUE;
    uint8_t address[16];
    (void)sdd_wire_edgeOrder_prefixes_get_address(entry, (char *)address, sizeof address);
    if (!read_address(address, &ordered->prefix.address))
        return "address: must be IPv4, mapped";
    ordered->prefix.bits = sdd_wire_edgeOrder_prefixes_bits(entry);
    if (ordered->prefix.bits > 32)
        return "bits: must be 0 to 32";
    if (!prefix_covers(&ordered->prefix, &ordered->prefix.address))
        return "address: must not have bits of hosts";
    if (!sdd_wire_edgeOrder_prefixes_scheme(entry, &scheme) ||
        scheme >= sizeof schemes / sizeof *schemes)
        return "scheme: is not known here";
    ordered->scheme = schemes[scheme];
    ordered->gap_ns = sdd_wire_edgeOrder_prefixes_gapNs(entry);
    return ordered->gap_ns > MAX_GAP_NS ? "gapNs: must be 0 to 1000000000" : NULL;
}

/* False: the error begins with the field's path. */
static bool read_order(struct sdd_wire_edgeOrder *codec, struct order *order, char *error,
                       size_t error_size) {
    struct sdd_wire_edgeOrder_prefixes entry = {0};
    order->count = 0;
    order->report_ms = sdd_wire_edgeOrder_reportMs(codec);
    if (order->report_ms < LEAST_REPORT_MS || order->report_ms > MOST_REPORT_MS) {
        snprintf(error, error_size, "reportMs: must be 100 to 4000");
        return false;
    }
    if (!sdd_wire_edgeOrder_get_prefixes(codec, &entry)) {
        snprintf(error, error_size, "prefixes: malformed");
        return false;
    }
    while (sdd_wire_edgeOrder_prefixes_has_next(&entry)) {
        if (order->count == MAX_ORDERED_PREFIXES) {
            snprintf(error, error_size, "prefixes: are more than 256");
            return false;
        }
        sdd_wire_edgeOrder_prefixes_next(&entry);
        const char *why = read_prefix(&entry, &order->prefixes[order->count]);
        if (why) {
            snprintf(error, error_size, "prefixes[%u].%s", order->count, why);
            return false;
        }
        order->count++;
    }
    return true;
}

static enum sdd_wire_status obey(struct edge_client *edge, const struct order *order, char *error,
                                 size_t error_size) {
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

/* Null, or what is wrong with which field. */
static const char *read_weights(struct sdd_wire_edgeWeights *codec, struct weighted_prefix *read) {
    struct sdd_wire_edgeWeights_hops entry = {0};
    uint8_t address[16];
    (void)sdd_wire_edgeWeights_get_address(codec, (char *)address, sizeof address);
    read->prefix.bits = sdd_wire_edgeWeights_bits(codec);
    const bool is_ipv4 = read_address(address, &read->prefix.address);
    if (!is_ipv4 || read->prefix.bits > 32 || !prefix_covers(&read->prefix, &read->prefix.address))
        return "address: must be an IPv4 prefix, mapped, without bits of hosts";
    if (!sdd_wire_edgeWeights_get_hops(codec, &entry))
        return "hops: malformed";
    for (read->count = 0; sdd_wire_edgeWeights_hops_has_next(&entry); read->count++) {
        if (read->count == MAX_WEIGHTED_HOPS)
            return "hops: are more than 256";
        struct weighted_hop *hop = &read->hops[read->count];
        sdd_wire_edgeWeights_hops_next(&entry);
        (void)sdd_wire_edgeWeights_hops_get_address(&entry, (char *)address, sizeof address);
        hop->share = sdd_wire_edgeWeights_hops_share(&entry);
        if (!read_address(address, &hop->address))
            return "hops: address must be IPv4, mapped";
        if (hop->share < 1 || hop->share > WEIGHTS_ONE)
            return "hops: share must be 1 to 1000000";
    }
    return NULL;
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
            snprintf(error, error_size, "the kernel does not take the weights");
        }
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
        WIRE_DECODE(edgeOrder, codec, message);
        request_id = sdd_wire_edgeOrder_requestId(&codec);
        status = read_order(&codec, &order, error, sizeof error)
                     ? obey(edge, &order, error, sizeof error)
                     : sdd_wire_status_ARGUMENT;
    } else if (message->template_id == WIRE_TOPOLOGY_CHANGED) {
        WIRE_DECODE(topologyChanged, codec, message);
        request_id = sdd_wire_topologyChanged_requestId(&codec);
        pthread_mutex_lock(&edge->lock);
        char device[IF_NAMESIZE];
        memcpy(device, edge->config->device, sizeof device);
        pthread_mutex_unlock(&edge->lock);
        (void)command_discover(device); /* this process's own */
    } else if (message->template_id == WIRE_EDGE_WEIGHTS) {
        struct weighted_prefix read;
        WIRE_DECODE(edgeWeights, codec, message);
        request_id = sdd_wire_edgeWeights_requestId(&codec);
        const char *why = read_weights(&codec, &read);
        if (why)
            snprintf(error, sizeof error, "%s", why);
        status = why ? sdd_wire_status_ARGUMENT : weigh(edge, &read, error, sizeof error);
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
    if (size > sizeof document) /* 64 paths, 64 prefixes and 16 decisions take less */
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
    json_t *all = show_json(edge->edge);
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
                                        .welcome = welcome,
                                        .execute = execute,
                                        .report_due = report_due,
                                        .report = report};

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
                                           .session = {.address = controller->address,
                                                       .port = controller->port,
                                                       .server_name = controller->server_name,
                                                       .certificate = controller->certificate,
                                                       .key = controller->key,
                                                       .authority = controller->authority,
                                                       .stop = client->stop},
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
    return true;
}

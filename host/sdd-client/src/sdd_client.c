#include "sdd_client/sdd_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lines.h"

struct sdd_client {
    struct lines lines;
    json_t *events; /* an array of events that are not yet taken */
    json_int_t requests;
    char error[700];
};

static bool fail(struct sdd_client *client, const char *why) {
    snprintf(client->error, sizeof client->error, "%s", why);
    return false;
}

static bool fail_with_error(struct sdd_client *client, const json_t *error) {
    const char *status = "UNKNOWN", *message = "";
    json_unpack((json_t *)error, "{s:s, s:{s:s}}", "message", &message, "data", "status", &status);
    snprintf(client->error, sizeof client->error, "%s: %.600s", status, message);
    return false;
}

/* Returns the next reply and stores events. Returns null if the connection is closed. */
static json_t *next_answer(struct sdd_client *client) {
    for (;;) {
        json_t *message = lines_next(&client->lines, -1);
        if (!message || !json_object_get(message, "method"))
            return message;
        json_array_append_new(client->events, message);
    }
}

/* Sends a request and steals the reference params. Returns the result, which the caller releases,
 * or null with the error set. */
static json_t *request(struct sdd_client *client, const char *method, json_t *params) {
    client->error[0] = '\0';
    if (!params) {
        fail(client, "out of memory, or a text that is not UTF-8");
        return NULL;
    }
    json_t *message = json_pack("{ss sI ss so}", "jsonrpc", "2.0", "id", ++client->requests,
                                "method", method, "params", params);
    json_t *answer = NULL;
    /* a host that closed the connection may have sent the reason */
    if (message && (lines_put(&client->lines, message) || errno == EPIPE))
        answer = next_answer(client);
    json_decref(message);
    json_t *result = json_object_get(answer, "result");
    if (!answer)
        fail(client, "sdd-host has ended the connection");
    else if (!result)
        fail_with_error(client, json_object_get(answer, "error"));
    json_incref(result);
    json_decref(answer);
    return result;
}

static bool done(json_t *result) {
    json_decref(result);
    return result != NULL;
}

/* Reads a result with one number. */
static bool done_with(json_t *result, const char *key, uint32_t *number) {
    if (result)
        *number = (uint32_t)json_integer_value(json_object_get(result, key));
    return done(result);
}

struct sdd_client *sdd_client_connect(const char *path, const char *name, char *error,
                                      size_t error_size) {
    struct sdd_client *client = calloc(1, sizeof *client);
    if (!client) {
        snprintf(error, error_size, "out of memory");
        return NULL;
    }
    client->events = json_array();
    if (!lines_connect(&client->lines, path))
        snprintf(client->error, sizeof client->error, "%s: %s", path, strerrordesc_np(errno));
    else if (done(request(client, "hello", json_pack("{ss}", "name", name))))
        return client;
    snprintf(error, error_size, "%s", client->error);
    sdd_client_close(client);
    return NULL;
}

void sdd_client_close(struct sdd_client *client) {
    if (!client)
        return;
    lines_close(&client->lines);
    json_decref(client->events);
    free(client);
}

int sdd_client_descriptor(const struct sdd_client *client) {
    return client->lines.socket;
}

const char *sdd_client_error(const struct sdd_client *client) {
    return client->error;
}

bool sdd_client_open_queue(struct sdd_client *client, const struct sdd_client_queue *settings,
                           uint32_t *queue) {
    json_t *params =
        json_pack("{si sb sI sI sI}", "priority", settings->priority, "closedByDefault",
                  settings->closed_by_default, "drainRateBps", (json_int_t)settings->drain_rate_bps,
                  "maxBytes", (json_int_t)settings->max_bytes, "maxPackets",
                  (json_int_t)(settings->max_packets ? settings->max_packets : 1000));
    return done_with(request(client, "openQueue", params), "queue", queue);
}

static json_t *about_queue(uint32_t queue) {
    return json_pack("{sI}", "queue", (json_int_t)queue);
}

bool sdd_client_close_queue(struct sdd_client *client, uint32_t queue) {
    return done(request(client, "closeQueue", about_queue(queue)));
}

static bool set_address(json_t *match, const char *address_key, const char *port_key,
                        const struct sockaddr_storage *address) {
    char text[INET6_ADDRSTRLEN];
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    const bool is_ipv4 = address->ss_family == AF_INET;
    if ((!is_ipv4 && address->ss_family != AF_INET6) ||
        !inet_ntop(address->ss_family, is_ipv4 ? (const void *)&v4->sin_addr : &v6->sin6_addr, text,
                   sizeof text))
        return false;
    json_object_set_new(match, address_key, json_string(text));
    /* the port has the same offset in both families */
    json_object_set_new(match, port_key, json_integer(ntohs(v4->sin_port)));
    return true;
}

/* Returns the match for a socket's packets; null if the socket is not connected. */
static json_t *flow_of(int connected) {
    struct sockaddr_storage local = {0}, remote = {0};
    socklen_t local_size = sizeof local, remote_size = sizeof remote, size = sizeof(int);
    int protocol = 0;
    if (getsockname(connected, (struct sockaddr *)&local, &local_size) != 0 ||
        getpeername(connected, (struct sockaddr *)&remote, &remote_size) != 0 ||
        getsockopt(connected, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) != 0)
        return NULL;
    json_t *match = json_pack("{si}", "protocol", protocol);
    if (set_address(match, "source", "sourcePort", &local) &&
        set_address(match, "destination", "destinationPort", &remote))
        return match;
    json_decref(match);
    return NULL;
}

bool sdd_client_map_socket(struct sdd_client *client, uint32_t queue, int connected) {
    json_t *match = flow_of(connected);
    if (!match)
        return fail(client, "the socket is not connected");
    return done(request(client, "mapFlow",
                        json_pack("{sI so}", "queue", (json_int_t)queue, "match", match)));
}

bool sdd_client_unmap_socket(struct sdd_client *client, int connected) {
    json_t *match = flow_of(connected);
    if (!match)
        return fail(client, "the socket is not connected");
    return done(request(client, "unmapFlow", json_pack("{so}", "match", match)));
}

static json_t *about_condition(uint32_t queue, const char *condition) {
    return json_pack("{sI ss}", "queue", (json_int_t)queue, "condition", condition);
}

bool sdd_client_add_condition(struct sdd_client *client, uint32_t queue, const char *condition) {
    return done(request(client, "addDequeueCondition", about_condition(queue, condition)));
}

bool sdd_client_remove_condition(struct sdd_client *client, uint32_t queue, const char *condition) {
    return done(request(client, "removeDequeueCondition", about_condition(queue, condition)));
}

bool sdd_client_add_trigger(struct sdd_client *client, uint32_t queue, const char *condition,
                            uint64_t cookie, uint32_t *trigger) {
    json_t *params = about_condition(queue, condition);
    json_object_set_new(params, "cookie", json_integer((json_int_t)cookie));
    return done_with(request(client, "addTrigger", params), "trigger", trigger);
}

bool sdd_client_remove_trigger(struct sdd_client *client, uint32_t trigger) {
    return done(
        request(client, "removeTrigger", json_pack("{sI}", "trigger", (json_int_t)trigger)));
}

bool sdd_client_listen(struct sdd_client *client, uint32_t queue) {
    return done(request(client, "listen", about_queue(queue)));
}

bool sdd_client_statistics(struct sdd_client *client, uint32_t queue,
                           struct sdd_client_statistics *statistics) {
    json_int_t values[11] = {0};
    json_t *result = request(client, "queueStatistics", about_queue(queue));
    if (!result)
        return false;
    json_unpack(result, "{sI sI sI sI sI sI sI sI sI sI sI}", "timeNs", &values[0], "packets",
                &values[1], "bytes", &values[2], "flows", &values[3], "lastXmitNs", &values[4],
                "lastRecvNs", &values[5], "sentPackets", &values[6], "sentBytes", &values[7],
                "receivedPackets", &values[8], "receivedBytes", &values[9], "droppedPackets",
                &values[10]);
    *statistics = (struct sdd_client_statistics){.time_ns = values[0],
                                                 .packets = values[1],
                                                 .bytes = values[2],
                                                 .flows = values[3],
                                                 .last_xmit_ns = values[4],
                                                 .last_recv_ns = values[5],
                                                 .sent_packets = values[6],
                                                 .sent_bytes = values[7],
                                                 .received_packets = values[8],
                                                 .received_bytes = values[9],
                                                 .dropped_packets = values[10]};
    return done(result);
}

bool sdd_client_request(struct sdd_client *client, const char *method, const char *params,
                        char **result) {
    json_t *parsed = params ? json_loads(params, JSON_REJECT_DUPLICATES, NULL) : json_object();
    if (!parsed)
        return fail(client, "the parameters are not JSON");
    json_t *answer = request(client, method, parsed);
    if (answer && result)
        *result = json_dumps(answer, JSON_COMPACT);
    return done(answer);
}

static struct sdd_client_event event_of(const json_t *message) {
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *params = json_object_get(message, "params");
    const bool own = method && strcmp(method, "triggered") == 0;
    const bool unmapped = method && strcmp(method, "unmapped") == 0;
#define NUMBER(key) json_integer_value(json_object_get(params, key))
    return (struct sdd_client_event){.kind = own        ? SDD_CLIENT_TRIGGERED
                                             : unmapped ? SDD_CLIENT_UNMAPPED
                                                        : SDD_CLIENT_EVENT,
                                     .queue = (uint32_t)NUMBER("queue"),
                                     .trigger = (uint32_t)NUMBER("trigger"),
                                     .cookie = (uint64_t)NUMBER("cookie"),
                                     .time_ns = NUMBER("timeNs"),
                                     .packets = NUMBER("packets"),
                                     .bytes = NUMBER("bytes"),
                                     .dropped = (uint64_t)NUMBER("dropped")};
#undef NUMBER
}

bool sdd_client_next_event(struct sdd_client *client, int timeout_ms,
                           struct sdd_client_event *event) {
    client->error[0] = '\0';
    if (json_array_size(client->events) == 0) {
        json_t *message = lines_next(&client->lines, timeout_ms);
        if (!message)
            return errno == ETIMEDOUT ? false : fail(client, "sdd-host has ended the connection");
        json_array_append_new(client->events, message);
    }
    *event = event_of(json_array_get(client->events, 0));
    json_array_remove(client->events, 0);
    return true;
}

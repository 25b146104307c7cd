/*
 * The C client of sdd-host for applications, which open queues for their own flows
 * (docs/reference/sdd-applications.md). A connection is for one thread. Calls block until the host
 * replies, usually well below a millisecond. Needs jansson.
 *
 *     char error[200];
 *     struct sdd_client *client =
 *         sdd_client_connect("/run/sdd-host/h1.sock", "backup", error, sizeof error);
 *     uint32_t queue, trigger;
 *     struct sdd_client_queue shut = {.closed_by_default = true};
 *     sdd_client_open_queue(client, &shut, &queue);
 *     sdd_client_map_socket(client, queue, connection);
 *     sdd_client_add_trigger(client, queue, "packets >= 100", 1, &trigger);
 */
#ifndef SDD_CLIENT_SDD_CLIENT_H
#define SDD_CLIENT_SDD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sdd_client;

/* The settings of a queue. Zero is the default of each field. */
struct sdd_client_queue {
    uint8_t priority; /* 0 to 63, at most the user's limit */
    bool closed_by_default;
    int64_t drain_rate_bps; /* 0: no limit */
    int64_t max_packets;    /* 0: 1000 */
    int64_t max_bytes;      /* 0: no limit */
};

struct sdd_client_statistics {
    int64_t time_ns; /* current time of the host's clock */
    int64_t packets, bytes, flows;
    int64_t last_xmit_ns, last_recv_ns;
    int64_t sent_packets, sent_bytes;
    int64_t received_packets, received_bytes;
    int64_t dropped_packets;
};

enum sdd_client_event_kind {
    SDD_CLIENT_TRIGGERED, /* a trigger of this application fired */
    SDD_CLIENT_EVENT,     /* a trigger of the controller fired, on a queue to which the application
                             listens */
    SDD_CLIENT_UNMAPPED   /* the socket of a mapping is closed; only `queue` is valid */
};

struct sdd_client_event {
    enum sdd_client_event_kind kind;
    uint32_t queue;
    uint32_t trigger; /* for SDD_CLIENT_TRIGGERED */
    uint64_t cookie;
    int64_t time_ns; /* when the condition became true, by the host's clock */
    int64_t packets; /* queued at that time */
    int64_t bytes;
    uint64_t dropped; /* events lost since the connection began */
};

/*
 * Connects with a name that operators see. On failure returns null with the reason in error; if the
 * host refuses, the reason begins with its status ("DENIED: ..."). Close the client also after
 * errors.
 */
struct sdd_client *sdd_client_connect(const char *path, const char *name, char *error,
                                      size_t error_size);

/* Closes a client, or null, with all its queues. Their flows return to the queues that they would
 * use without them. */
void sdd_client_close(struct sdd_client *client);

/* Returns a descriptor that is readable when an event may have arrived; sdd_client_next_event takes
 * it. */
int sdd_client_descriptor(const struct sdd_client *client);

/*
 * Requests return true if the host executed them. Otherwise sdd_client_error returns the reason
 * until the next request: a sentence that begins with the status ("QUOTA: ...").
 */
const char *sdd_client_error(const struct sdd_client *client);

bool sdd_client_open_queue(struct sdd_client *client, const struct sdd_client_queue *settings,
                           uint32_t *queue);
bool sdd_client_close_queue(struct sdd_client *client, uint32_t queue);

/* Maps, or unmaps, exactly the packets that a connected TCP or UDP socket sends. */
bool sdd_client_map_socket(struct sdd_client *client, uint32_t queue, int connected);
bool sdd_client_unmap_socket(struct sdd_client *client, int connected);

bool sdd_client_add_condition(struct sdd_client *client, uint32_t queue, const char *condition);
bool sdd_client_remove_condition(struct sdd_client *client, uint32_t queue, const char *condition);

bool sdd_client_add_trigger(struct sdd_client *client, uint32_t queue, const char *condition,
                            uint64_t cookie, uint32_t *trigger);
bool sdd_client_remove_trigger(struct sdd_client *client, uint32_t trigger);

bool sdd_client_listen(struct sdd_client *client, uint32_t queue);
bool sdd_client_statistics(struct sdd_client *client, uint32_t queue,
                           struct sdd_client_statistics *statistics);

/*
 * Sends any other request of the reference, with its parameters and result as JSON texts. params:
 * may be null. *result, if not null: the caller frees it.
 */
bool sdd_client_request(struct sdd_client *client, const char *method, const char *params,
                        char **result);

/* Takes the oldest event. Returns false if none arrives within timeout_ms (-1: no limit) or if the
 * connection is closed, which sdd_client_error then reports. */
bool sdd_client_next_event(struct sdd_client *client, int timeout_ms,
                           struct sdd_client_event *event);

#ifdef __cplusplus
}
#endif
#endif

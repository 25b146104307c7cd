/*
 * Applications' side of sdd-host in C: queues for flows of one's own
 * (docs/reference/sdd-applications.md). One connection is for one thread; calls block until the
 * host has answered, which takes it well below a millisecond. Needs jansson.
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

/* Zero is the default of each field. */
struct sdd_client_queue {
    uint8_t priority; /* 0 to 63, as far as the user may */
    bool closed_by_default;
    int64_t drain_rate_bps; /* 0: no limit */
    int64_t max_packets;    /* 0: 1000 */
    int64_t max_bytes;      /* 0: no limit */
};

struct sdd_client_statistics {
    int64_t time_ns; /* now, of the host's clock */
    int64_t packets, bytes, flows;
    int64_t last_xmit_ns, last_recv_ns;
    int64_t sent_packets, sent_bytes;
    int64_t received_packets, received_bytes;
    int64_t dropped_packets;
};

enum sdd_client_event_kind {
    SDD_CLIENT_TRIGGERED, /* a trigger of one's own */
    SDD_CLIENT_EVENT,     /* one that the controller set, on a queue that one listens to */
    SDD_CLIENT_UNMAPPED   /* the socket of a mapping is gone; only `queue` counts */
};

struct sdd_client_event {
    enum sdd_client_event_kind kind;
    uint32_t queue;
    uint32_t trigger; /* of SDD_CLIENT_TRIGGERED */
    uint64_t cookie;
    int64_t time_ns; /* when the condition became true, of the host's clock */
    int64_t packets; /* queued then */
    int64_t bytes;
    uint64_t dropped; /* events that did not get here, since the connection began */
};

/*
 * Connects and says one's name, which operators see. Null: the error says why, with the name of the
 * reason in front where it is the host that refuses ("DENIED: ..."). Close it also after errors.
 */
struct sdd_client *sdd_client_connect(const char *path, const char *name, char *error,
                                      size_t error_size);

/* With it go all its queues; their flows go where they would go without them. Null is allowed. */
void sdd_client_close(struct sdd_client *client);

/* Readable when something may have come: sdd_client_next_event takes it. */
int sdd_client_descriptor(const struct sdd_client *client);

/*
 * All requests: true if the host did it. If not, sdd_client_error says why in a sentence, which
 * begins with the reason's name ("QUOTA: ..."), until the next request.
 */
const char *sdd_client_error(const struct sdd_client *client);

bool sdd_client_open_queue(struct sdd_client *client, const struct sdd_client_queue *settings,
                           uint32_t *queue);
bool sdd_client_close_queue(struct sdd_client *client, uint32_t queue);

/* Maps, or no longer maps, exactly what a connected TCP or UDP socket sends. */
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
 * Any other request of the reference: its parameters and its result as JSON texts. params null:
 * none. *result, if not null, is to be freed.
 */
bool sdd_client_request(struct sdd_client *client, const char *method, const char *params,
                        char **result);

/* The oldest event. False: none came within timeout_ms (-1: no limit), or the connection is over,
   which sdd_client_error then says. */
bool sdd_client_next_event(struct sdd_client *client, int timeout_ms,
                           struct sdd_client_event *event);

#ifdef __cplusplus
}
#endif
#endif

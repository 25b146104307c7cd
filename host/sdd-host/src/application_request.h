/*
 * Requests of applications: JSON-RPC 2.0, one object per line
 * (docs/reference/sdd-applications.md). Parsing one has no side effects.
 */
#ifndef SDD_HOST_APPLICATION_REQUEST_H
#define SDD_HOST_APPLICATION_REQUEST_H

#include <jansson.h>

#include "sdd/sdd.h"

enum { APPLICATION_NAME_SIZE = 32, APPLICATION_TEXT_SIZE = 600 };

enum application_method {
    METHOD_HELLO,
    METHOD_OPEN_QUEUE,
    METHOD_CONFIGURE_QUEUE,
    METHOD_CLOSE_QUEUE,
    METHOD_MAP_FLOW,
    METHOD_UNMAP_FLOW,
    METHOD_MOVE_FLOWS,
    METHOD_GET_QUEUES_FOR_FLOWS,
    METHOD_ADD_DEQUEUE_CONDITION,
    METHOD_REMOVE_DEQUEUE_CONDITION,
    METHOD_CLEAR_DEQUEUE_CONDITIONS,
    METHOD_ADD_TRIGGER,
    METHOD_REMOVE_TRIGGER,
    METHOD_QUEUE_STATISTICS,
    METHOD_LISTEN,
    METHOD_IGNORE
};

/* The status of an answer; the first three are defined by JSON-RPC. */
enum application_status {
    ANSWER_OK,
    ANSWER_NOT_JSON,
    ANSWER_NOT_A_REQUEST,
    ANSWER_METHOD,    /* no method has this name */
    ANSWER_PARAMETER, /* a field of params is invalid; the text begins with its name */
    ANSWER_DENIED,    /* no rule allows it */
    ANSWER_QUOTA,     /* a limit of the user, or of all applications together */
    ANSWER_QUEUE,     /* the application has no such queue */
    ANSWER_EXISTS,    /* these flows are mapped already */
    ANSWER_NOT_FOUND, /* no such mapping, condition or trigger */
    ANSWER_FULL       /* a capacity of the host is exhausted */
};

/* A request. The method determines which fields are used. */
struct application_request {
    json_t *id; /* a number or a text; owned. Null: no valid id */
    enum application_method method;
    uint32_t queue;
    uint32_t to_queue;
    uint32_t trigger;
    uint64_t cookie;
    uint8_t flow_priority;
    struct sdd_match match;
    struct sdd_queue_config config;
    struct sdd_program program;
    char name[APPLICATION_NAME_SIZE];
};

/*
 * Reads a line without its end. If the result is not ANSWER_OK, text is one sentence. request->id
 * is set if it was found. The caller frees the request with application_request_free in either
 * case.
 */
enum application_status application_request_read(const char *line, size_t length,
                                                 struct application_request *request,
                                                 char text[APPLICATION_TEXT_SIZE]);
void application_request_free(struct application_request *request);

/* Return an error's name for `data.status`, and its number for `code`. */
const char *application_status_name(enum application_status status);
int application_status_code(enum application_status status);

#endif

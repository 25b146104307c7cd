#include "application_request.h"

#include <stdio.h>
#include <string.h>

#include "queue_fields.h"

enum { MAX_ID_BYTES = 64, MOST_PARAMETERS = 8 };

#define SETTINGS                                                                                   \
    "priority", "closedByDefault", "drainRateBps", "maxPackets", "maxBytes", "discipline"

/* In the order of enum application_method. */
static const struct {
    const char *name;
    const char *parameters[MOST_PARAMETERS];
} methods[] = {
    {"hello", {"name"}},
    {"openQueue", {SETTINGS}},
    {"configureQueue", {"queue", SETTINGS}},
    {"closeQueue", {"queue"}},
    {"mapFlow", {"queue", "match"}},
    {"unmapFlow", {"match"}},
    {"moveFlows", {"fromQueue", "toQueue", "match"}},
    {"getQueuesForFlows", {"match"}},
    {"addDequeueCondition", {"queue", "condition"}},
    {"removeDequeueCondition", {"queue", "condition"}},
    {"clearDequeueConditions", {"queue"}},
    {"addTrigger", {"queue", "condition", "cookie"}},
    {"removeTrigger", {"trigger"}},
    {"queueStatistics", {"queue"}},
    {"listen", {"queue"}},
    {"ignore", {"queue"}},
};

static const struct {
    const char *name;
    int code;
} statuses[] = {
    [ANSWER_OK] = {"OK", 0},
    [ANSWER_NOT_JSON] = {"NOT_JSON", -32700},
    [ANSWER_NOT_A_REQUEST] = {"NOT_A_REQUEST", -32600},
    [ANSWER_METHOD] = {"METHOD", -32601},
    [ANSWER_PARAMETER] = {"PARAMETER", -32602},
    [ANSWER_DENIED] = {"DENIED", -32001},
    [ANSWER_QUOTA] = {"QUOTA", -32002},
    [ANSWER_QUEUE] = {"QUEUE", -32003},
    [ANSWER_EXISTS] = {"EXISTS", -32004},
    [ANSWER_NOT_FOUND] = {"NOT_FOUND", -32005},
    [ANSWER_FULL] = {"FULL", -32006},
};

const char *application_status_name(enum application_status status) {
    return statuses[status].name;
}

int application_status_code(enum application_status status) {
    return statuses[status].code;
}

static bool takes(enum application_method method, const char *parameter) {
    for (unsigned i = 0; i < MOST_PARAMETERS && methods[method].parameters[i]; i++)
        if (strcmp(methods[method].parameters[i], parameter) == 0)
            return true;
    return false;
}

static uint32_t read_number(struct fields *fields, json_t *params, const char *key) {
    return (uint32_t)fields_integer(fields, params, key, 0, UINT32_MAX - 1, FIELD_REQUIRED);
}

static void read_parameters(struct fields *fields, json_t *params,
                            struct application_request *request) {
    const char *known[MOST_PARAMETERS + 1] = {0};
    const enum application_method method = request->method;
    memcpy(known, methods[method].parameters, sizeof methods[method].parameters);
    fields_known(fields, params, known);
    if (takes(method, "name"))
        fields_text(fields, params, "name", request->name, sizeof request->name, "");
    if (takes(method, "queue"))
        request->queue = read_number(fields, params, "queue");
    if (takes(method, "fromQueue")) {
        request->queue = read_number(fields, params, "fromQueue");
        request->to_queue = read_number(fields, params, "toQueue");
    }
    if (takes(method, "trigger"))
        request->trigger = read_number(fields, params, "trigger");
    if (takes(method, "cookie"))
        request->cookie = (uint64_t)fields_integer(fields, params, "cookie", 0, INT64_MAX, 0);
    if (takes(method, "priority"))
        request->config = queue_fields_settings(fields, params);
    if (takes(method, "condition")) {
        const json_t *text = json_object_get(params, "condition");
        queue_fields_condition(fields, text, "condition", &request->program);
    }
    if (takes(method, "match")) {
        json_t *match = fields_object(fields, params, "match", true);
        const size_t mark = fields_enter(fields, "match", SIZE_MAX);
        queue_fields_match(fields, match, &request->match, &request->flow_priority);
        fields_leave(fields, mark);
    }
}

/* Returns the identifier if it is valid in an answer. */
static json_t *identifier(json_t *object) {
    json_t *id = json_object_get(object, "id");
    const bool good = json_is_integer(id) ||
                      (json_is_string(id) && json_string_length(id) <= (size_t)MAX_ID_BYTES);
    return good ? json_incref(id) : NULL;
}

static enum application_status read_request(json_t *object, struct application_request *request,
                                            char text[APPLICATION_TEXT_SIZE]) {
    static const char *const keys[] = {"jsonrpc", "id", "method", "params", NULL};
    struct fields fields = {0};
    char version[4], name[32];
    request->id = identifier(object);
    fields_known(&fields, object, keys);
    fields_text(&fields, object, "jsonrpc", version, sizeof version, NULL);
    fields_text(&fields, object, "method", name, sizeof name, NULL);
    if (!fields.failed && strcmp(version, "2.0") != 0)
        fields_fail(&fields, "jsonrpc", "must be \"2.0\"");
    if (!request->id)
        fields_fail(&fields, "id", "must be a number, or a text of at most 64 bytes");
    json_t *params = fields_object(&fields, object, "params", false);
    snprintf(text, APPLICATION_TEXT_SIZE, "%s", fields.error);
    if (fields.failed)
        return ANSWER_NOT_A_REQUEST;
    unsigned method = 0;
    while (method < sizeof methods / sizeof *methods && strcmp(methods[method].name, name) != 0)
        method++;
    if (method == sizeof methods / sizeof *methods) {
        snprintf(text, APPLICATION_TEXT_SIZE, "method: there is no %s", name);
        return ANSWER_METHOD;
    }
    request->method = (enum application_method)method;
    json_t *none = params ? NULL : json_object();
    read_parameters(&fields, params ? params : none, request);
    json_decref(none);
    snprintf(text, APPLICATION_TEXT_SIZE, "%s", fields.error);
    return fields.failed ? ANSWER_PARAMETER : ANSWER_OK;
}

enum application_status application_request_read(const char *line, size_t length,
                                                 struct application_request *request,
                                                 char text[APPLICATION_TEXT_SIZE]) {
    json_error_t syntax;
    memset(request, 0, sizeof *request);
    text[0] = '\0';
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &syntax);
    enum application_status status = ANSWER_NOT_JSON;
    if (!object) {
        snprintf(text, APPLICATION_TEXT_SIZE, "column %d: %s", syntax.column, syntax.text);
    } else if (!json_is_object(object)) {
        status = ANSWER_NOT_A_REQUEST;
        snprintf(text, APPLICATION_TEXT_SIZE, "a request must be an object");
    } else {
        status = read_request(object, request, text);
    }
    json_decref(object);
    return status;
}

void application_request_free(struct application_request *request) {
    json_decref(request->id);
    request->id = NULL;
}

/* Valid requests of applications, and the errors of invalid ones. */
#include <stdio.h>
#include <string.h>

#include "application_request.h"
#include "testing.h"

#define CALL(method, params)                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" params "}}"

static enum application_status read_line(const char *line, struct application_request *request,
                                         char *text) {
    return application_request_read(line, strlen(line), request, text);
}

static void every_method_is_read(void **state) {
    (void)state;
    static const struct {
        const char *line;
        enum application_method method;
    } cases[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"hello\"}", METHOD_HELLO},
        {CALL("hello", "\"name\":\"me\""), METHOD_HELLO},
        {CALL("openQueue", ""), METHOD_OPEN_QUEUE},
        {CALL("configureQueue", "\"queue\":9,\"priority\":3"), METHOD_CONFIGURE_QUEUE},
        {CALL("closeQueue", "\"queue\":9"), METHOD_CLOSE_QUEUE},
        {CALL("mapFlow", "\"queue\":9,\"match\":{\"protocol\":6}"), METHOD_MAP_FLOW},
        {CALL("unmapFlow", "\"match\":{}"), METHOD_UNMAP_FLOW},
        {CALL("moveFlows", "\"fromQueue\":9,\"toQueue\":8,\"match\":{}"), METHOD_MOVE_FLOWS},
        {CALL("getQueuesForFlows", "\"match\":{}"), METHOD_GET_QUEUES_FOR_FLOWS},
        {CALL("addDequeueCondition", "\"queue\":9,\"condition\":\"bytes > 5\""),
         METHOD_ADD_DEQUEUE_CONDITION},
        {CALL("removeDequeueCondition", "\"queue\":9,\"condition\":\"TRUE\""),
         METHOD_REMOVE_DEQUEUE_CONDITION},
        {CALL("clearDequeueConditions", "\"queue\":9"), METHOD_CLEAR_DEQUEUE_CONDITIONS},
        {CALL("addTrigger", "\"queue\":9,\"condition\":\"TRUE\",\"cookie\":7"), METHOD_ADD_TRIGGER},
        {CALL("removeTrigger", "\"trigger\":4"), METHOD_REMOVE_TRIGGER},
        {CALL("queueStatistics", "\"queue\":9"), METHOD_QUEUE_STATISTICS},
        {CALL("listen", "\"queue\":9"), METHOD_LISTEN},
        {CALL("ignore", "\"queue\":9"), METHOD_IGNORE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct application_request request;
        char text[APPLICATION_TEXT_SIZE];
        assert_int_equal(read_line(cases[i].line, &request, text), ANSWER_OK);
        assert_string_equal(text, "");
        assert_int_equal(request.method, cases[i].method);
        assert_non_null(request.id);
        application_request_free(&request);
    }
}

static void parameters_are_what_they_say(void **state) {
    (void)state;
    struct application_request request;
    char text[APPLICATION_TEXT_SIZE];
    assert_int_equal(read_line(CALL("moveFlows",
                                    "\"fromQueue\":9,\"toQueue\":8,\"match\":"
                                    "{\"protocol\":6,\"sourcePort\":80,"
                                    "\"flowPriority\":2}"),
                               &request, text),
                     ANSWER_OK);
    assert_int_equal(request.queue, 9);
    assert_int_equal(request.to_queue, 8);
    assert_int_equal(request.match.source_port, 80);
    assert_int_equal(request.match.wildcards, SDD_ANY_DESTINATION_PORT);
    assert_int_equal(request.flow_priority, 2);
    application_request_free(&request);
    assert_int_equal(read_line(CALL("openQueue", ""), &request, text), ANSWER_OK);
    assert_int_equal(request.config.max_packets, 1000);
    assert_false(request.config.closed_by_default);
    application_request_free(&request);
}

static void every_fault_is_one_sentence_and_its_status(void **state) {
    (void)state;
    static const struct {
        const char *line;
        enum application_status status;
        const char *text;
    } cases[] = {
        {"", ANSWER_NOT_JSON, "column"},
        {"{\"id\":1,\"id\":1}", ANSWER_NOT_JSON, "duplicate"},
        {"[]", ANSWER_NOT_A_REQUEST, "must be an object"},
        {"{}", ANSWER_NOT_A_REQUEST, "jsonrpc: must be"},
        {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"hello\"}", ANSWER_NOT_A_REQUEST,
         "jsonrpc: must be \"2.0\""},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}", ANSWER_NOT_A_REQUEST, "id: must be"},
        {"{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"hello\"}", ANSWER_NOT_A_REQUEST, "id: "},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"x\":1}", ANSWER_NOT_A_REQUEST,
         "x: unknown field"},
        {CALL("fly", ""), ANSWER_METHOD, "method: there is no fly"},
        {CALL("closeQueue", ""), ANSWER_PARAMETER, "queue: must be a whole number"},
        {CALL("closeQueue", "\"queue\":4294967295"), ANSWER_PARAMETER, "queue: must be"},
        {CALL("closeQueue", "\"queue\":1,\"x\":1"), ANSWER_PARAMETER, "x: unknown field"},
        {CALL("mapFlow", "\"queue\":1"), ANSWER_PARAMETER, "match: must be an object"},
        {CALL("mapFlow", "\"queue\":1,\"match\":{\"protocol\":256}"), ANSWER_PARAMETER,
         "match.protocol: must be"},
        {CALL("addTrigger", "\"queue\":1,\"condition\":\"currTime >\""), ANSWER_PARAMETER,
         "condition: character 11:"},
        {CALL("addTrigger", "\"queue\":1"), ANSWER_PARAMETER, "condition: must be"},
        {CALL("openQueue", "\"priority\":64"), ANSWER_PARAMETER, "priority: must be"},
        {CALL("hello", "\"name\":\"12345678901234567890123456789012\""), ANSWER_PARAMETER,
         "name: must be a text of 1 to 31"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct application_request request;
        char text[APPLICATION_TEXT_SIZE];
        assert_int_equal(read_line(cases[i].line, &request, text), cases[i].status);
        print_message("# %s\n", text);
        assert_non_null(strstr(text, cases[i].text));
        assert_int_not_equal(application_status_code(cases[i].status), 0);
        application_request_free(&request);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_is_read),
        cmocka_unit_test(parameters_are_what_they_say),
        cmocka_unit_test(every_fault_is_one_sentence_and_its_status),
    };
    return cmocka_run_group_tests_name("application_request", tests, NULL, NULL);
}

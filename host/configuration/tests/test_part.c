/* A host's part of a document for all hosts. */
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "part.h"
#include "testing.h"

static char got[1000], error[600];

static void keep(struct fields *fields, json_t *document, void *into) {
    (void)fields, (void)into;
    char *text = json_dumps(document, JSON_COMPACT | JSON_SORT_KEYS);
    assert_non_null(text);
    snprintf(got, sizeof got, "%s", text);
    free(text);
}

static bool read_as(const char *host, const char *document) {
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the test has one thread */
    setenv(HOST_VARIABLE, host, 1);
    got[0] = error[0] = '\0';
    return document_parse(document, strlen(document), keep, NULL, error, sizeof error);
}

static void a_document_without_parts_stays(void **state) {
    (void)state;
    assert_true(read_as("h1", "{\"device\":\"e0\"}"));
    assert_string_equal(got, "{\"device\":\"e0\"}");
}

static void what_a_host_has_replaces_what_all_have(void **state) {
    (void)state;
    const char *document =
        "{\"everyHost\":{\"a\":{\"b\":1,\"c\":[1,2]},\"d\":2},"
        "\"byHost\":{\"h1\":{\"a\":{\"c\":[3]},\"d\":null},\"h2\":{}}}";
    assert_true(read_as("h1", document));
    assert_string_equal(got, "{\"a\":{\"b\":1,\"c\":[3]}}");
    assert_true(read_as("h2", document));
    assert_string_equal(got, "{\"a\":{\"b\":1,\"c\":[1,2]},\"d\":2}");
}

static void a_host_is_not_its_own_peer(void **state) {
    (void)state;
    const char *document =
        "{\"everyHost\":{\"peers\":[{\"address\":\"192.0.2.1\"},"
        "{\"address\":\"192.0.2.2\"}]},"
        "\"byHost\":{\"h1\":{\"address\":\"192.0.2.1\"}}}";
    assert_true(read_as("h1", document));
    assert_string_equal(got, "{\"address\":\"192.0.2.1\",\"peers\":[{\"address\":\"192.0.2.2\"}]}");
}

static void a_host_has_its_name(void **state) {
    (void)state;
    const char *document =
        "{\"everyHost\":{\"host\":{\"tap\":\"tap0\"}},"
        "\"byHost\":{\"h1\":{\"host\":{\"addresses\":[\"10.9.0.1\"]}}}}";
    assert_true(read_as("h1", document));
    assert_string_equal(
        got, "{\"hosts\":[{\"addresses\":[\"10.9.0.1\"],\"name\":\"h1\",\"tap\":\"tap0\"}]}");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    assert_false(read_as("h9", "{\"everyHost\":{},\"byHost\":{\"h1\":{}}}"));
    assert_string_equal(error,
                        "byHost: must have an object for this host, \"h9\" (or for the host that "
                        "EVENWEAVE_HOST names)");
    assert_false(read_as("h1", "{\"byHost\":{\"h1\":{}}}"));
    assert_non_null(strstr(error, "everyHost"));
    assert_false(read_as("h1", "{\"everyHost\":{},\"byHost\":{},\"device\":\"e0\"}"));
    assert_non_null(strstr(error, "device"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_without_parts_stays),
        cmocka_unit_test(what_a_host_has_replaces_what_all_have),
        cmocka_unit_test(a_host_is_not_its_own_peer),
        cmocka_unit_test(a_host_has_its_name),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests_name("part", tests, NULL, NULL);
}

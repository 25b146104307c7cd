/* The connection of an application, and the rule that admits it. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "application.h"
#include "testing.h"

/* An application, and the peer's end of its connection. */
struct bed {
    struct application *application;
    int peer;
};

static int connected(void **state) {
    struct bed *bed = calloc(1, sizeof *bed);
    int ends[2];
    assert_non_null(bed);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    bed->application = calloc(1, sizeof *bed->application);
    assert_non_null(bed->application);
    bed->application->connection = ends[0];
    bed->peer = ends[1];
    *state = bed;
    return 0;
}

static int ended(void **state) {
    struct bed *bed = *state;
    if (bed->application->connection >= 0)
        close(bed->application->connection);
    if (bed->peer >= 0)
        close(bed->peer);
    free(bed->application);
    free(bed);
    return 0;
}

static void say(const struct bed *bed, const char *text) {
    assert_int_equal(send(bed->peer, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static void assert_next_line(struct application *application, const char *expected) {
    size_t length = 0;
    assert_true(application_line(application, &length));
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(application->input, expected, length);
    application_drop_line(application, length);
}

static void lines_are_found_however_they_arrive(void **state) {
    struct bed *bed = *state;
    struct application *application = bed->application;
    size_t length;
    application_receive(application); /* nothing has come */
    assert_false(application->broken || application->input_over);
    say(bed, "one\n\ntw");
    application_receive(application);
    assert_next_line(application, "one");
    assert_next_line(application, "");
    assert_false(application_line(application, &length));
    say(bed, "o\n");
    application_receive(application);
    assert_next_line(application, "two");
    assert_int_equal(application->input_used, 0);
    shutdown(bed->peer, SHUT_WR);
    application_receive(application);
    assert_true(application->input_over);
    assert_false(application->broken);
}

static void input_beyond_the_room_waits_in_the_socket(void **state) {
    struct bed *bed = *state;
    struct application *application = bed->application;
    static char line[APPLICATION_LINE_BYTES + 1];
    size_t length;
    memset(line, 'x', sizeof line);
    line[0] = '\n';
    line[sizeof line - 1] = '\n';
    assert_int_equal(send(bed->peer, line, sizeof line, MSG_NOSIGNAL), sizeof line);
    application_receive(application);
    assert_int_equal(application->input_used, APPLICATION_LINE_BYTES);
    application_receive(application);
    assert_int_equal(application->input_used, APPLICATION_LINE_BYTES);
    assert_next_line(application, "");
    assert_false(application_line(application, &length));
    application_receive(application);
    assert_true(application_line(application, &length));
    assert_int_equal(length, APPLICATION_LINE_BYTES - 1);
    assert_false(application->broken);
}

/* Line number `number` of the output, APPLICATION_ANSWER_BYTES long with its end. */
static void put_answer(struct application *application, unsigned number, bool expected) {
    static char text[APPLICATION_ANSWER_BYTES - 1];
    memset(text, (int)('a' + number % 26), sizeof text);
    assert_int_equal(application_put(application, text, sizeof text), expected);
}

static void a_peer_that_does_not_read_gets_all_that_was_accepted(void **state) {
    struct bed *bed = *state;
    struct application *application = bed->application;
    static char got[1 << 20];
    unsigned answers = 0;
    size_t before;
    /* fill the socket, then the buffer */
    do {
        while (application_has_room(application))
            put_answer(application, answers++, true);
        before = application->output_used;
        application_send(application);
    } while (application->output_used < before);
    put_answer(application, 0, false);
    assert_false(application->broken);
    assert_true((size_t)answers * APPLICATION_ANSWER_BYTES <= sizeof got);
    size_t used = 0;
    while (used < (size_t)answers * APPLICATION_ANSWER_BYTES) {
        const ssize_t size = recv(bed->peer, got + used, sizeof got - used, 0);
        assert_true(size > 0);
        used += (size_t)size;
        application_send(application);
    }
    for (size_t i = 0; i < used; i++) {
        const size_t place = i % APPLICATION_ANSWER_BYTES;
        const char wanted = (char)('a' + i / APPLICATION_ANSWER_BYTES % 26);
        assert_int_equal(got[i], place == APPLICATION_ANSWER_BYTES - 1 ? '\n' : wanted);
    }
    assert_int_equal(application->output_used, 0);
}

static void without_its_peer_the_connection_is_broken_and_its_output_dropped(void **state) {
    struct bed *bed = *state;
    struct application *application = bed->application;
    application_send(application); /* without output nothing is tried */
    assert_true(application_put(application, "late", 4));
    close(bed->peer);
    bed->peer = -1;
    application_send(application);
    assert_true(application->broken);
    assert_int_equal(application->output_used, 0);
}

static void a_peer_that_is_hung_up_on_reads_the_last_answer(void **state) {
    struct bed *bed = *state;
    struct application *application = bed->application;
    char got[16];
    say(bed, "a request that nobody reads\n");
    assert_true(application_put(application, "refused", 7));
    application_send(application);
    application_hang_up(application->connection);
    application->connection = -1;
    assert_int_equal(recv(bed->peer, got, sizeof got, 0), 8);
    assert_memory_equal(got, "refused\n", 8);
    assert_int_equal(recv(bed->peer, got, sizeof got, 0), 0); /* the end, and no reset */
}

static void the_first_rule_for_the_user_or_a_group_applies(void **state) {
    struct bed *bed = *state;
    const uint32_t me = getuid(), my_group = getgid();
    struct access_rule rules[] = {
        {.of_group = false, .id = me + 1},
        {.of_group = true, .id = my_group + 1000000},
        {.of_group = true, .id = my_group},
        {.of_group = false, .id = me},
    };
    const struct applications_config two = {.rules = rules, .rules_count = 2};
    const struct applications_config all = {.rules = rules, .rules_count = 4};
    uint32_t user = me + 1;
    int32_t process = 0;
    assert_null(application_access(bed->application->connection, &two, &user, &process));
    assert_int_equal(user, me);
    assert_int_equal(process, getpid());
    assert_ptr_equal(application_access(bed->application->connection, &all, &user, &process),
                     &rules[2]);
    rules[2].of_group = false;
    rules[2].id = me + 2;
    assert_ptr_equal(application_access(bed->application->connection, &all, &user, &process),
                     &rules[3]);
}

#define WITH_A_PEER(test) cmocka_unit_test_setup_teardown(test, connected, ended)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_A_PEER(lines_are_found_however_they_arrive),
        WITH_A_PEER(input_beyond_the_room_waits_in_the_socket),
        WITH_A_PEER(a_peer_that_does_not_read_gets_all_that_was_accepted),
        WITH_A_PEER(without_its_peer_the_connection_is_broken_and_its_output_dropped),
        WITH_A_PEER(a_peer_that_is_hung_up_on_reads_the_last_answer),
        WITH_A_PEER(the_first_rule_for_the_user_or_a_group_applies),
    };
    return cmocka_run_group_tests_name("application", tests, NULL, NULL);
}

/* The session loop of hosts and circuit switches with a scripted controller. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "captured_log.h"
#include "client.h"
#include "testing.h"
#include "tls_peer.h"

enum { HELLO_BYTES = 10, START_BYTES = 11, REPLY_BYTES = 12, REPORT_BYTES = 13, LENGTH_BYTES = 4 };

/* Records calls of the role. Only the client's thread writes it until that is joined. */
struct calls {
    unsigned hellos, looks, welcomes, starts, requests, reports;
    uint64_t session_id;
    uint16_t request; /* template of the last request */
    bool refuses_welcome;
    bool reports_at_once;
};

static struct tls_peer peer;
static struct followed followed;
static int stop;

static int set_up(void **state) {
    static struct calls calls;
    calls = (struct calls){0};
    *state = &calls;
    stop = eventfd(0, EFD_CLOEXEC);
    followed_init(&followed);
    tls_peer_open(&peer);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    tls_peer_close(&peer);
    followed_free(&followed);
    close(stop);
    return 0;
}

static size_t hello(void *context, uint8_t *buffer) {
    ((struct calls *)context)->hellos++;
    memset(buffer, 0, HELLO_BYTES);
    return HELLO_BYTES;
}

static bool accepts(void *context, const struct wire_message *message, const char **why) {
    struct calls *calls = context;
    (void)message;
    calls->looks++;
    *why = "the test refuses it";
    return !calls->refuses_welcome;
}

static void welcome(void *context, const struct wire_message *message) {
    struct calls *calls = context;
    WIRE_DECODE(welcome, codec, message);
    calls->session_id = sdd_wire_welcome_sessionId(&codec);
    calls->welcomes++;
}

static bool start(void *context, struct session *session) {
    static const uint8_t frame[START_BYTES];
    ((struct calls *)context)->starts++;
    return session_write(session, frame, sizeof frame);
}

/* This role accepts only RemoveQueue. */
static size_t execute(void *context, const struct wire_message *message, uint8_t *buffer) {
    struct calls *calls = context;
    calls->requests++;
    calls->request = message->template_id;
    memset(buffer, 0, REPLY_BYTES);
    return message->template_id == WIRE_REMOVE_QUEUE ? REPLY_BYTES : 0;
}

static int64_t report_due(void *context) {
    return ((struct calls *)context)->reports_at_once ? 0 : INT64_C(3600000000000);
}

static bool report(void *context, struct session *session) {
    static const uint8_t frame[REPORT_BYTES];
    struct calls *calls = context;
    if (!calls->reports_at_once)
        return true;
    calls->reports++;
    return session_write(session, frame, sizeof frame);
}

static const struct client_role role = {.hello = hello,
                                        .accepts = accepts,
                                        .welcome = welcome,
                                        .start = start,
                                        .execute = execute,
                                        .report_due = report_due,
                                        .report = report};

static void start_client(struct client *client, struct calls *calls) {
    const struct client_config config = {.log_prefix = "test",
                                         .session = {.address = "127.0.0.1",
                                                     .port = peer.port,
                                                     .server_name = TLS_PEER_NAME,
                                                     .certificate = peer.certificate,
                                                     .key = peer.key,
                                                     .authority = peer.certificate,
                                                     .stop = stop},
                                         .followed = &followed,
                                         .first_retry_ms = 1,
                                         .last_retry_ms = 8};
    assert_true(client_start(client, &config, &role, calls));
}

static void stop_client(struct client *client) {
    eventfd_write(stop, 1);
    client_join(client);
}

/* Concatenated frames, as the controller sends them. */
struct script {
    uint8_t bytes[1024];
    size_t size;
};

static void append(struct script *script, size_t message_bytes) {
    const uint8_t length[LENGTH_BYTES] = {(uint8_t)message_bytes, (uint8_t)(message_bytes >> 8)};
    memcpy(script->bytes + script->size, length, LENGTH_BYTES);
    script->size += LENGTH_BYTES + message_bytes;
}

#define SCRIPT_ENCODE(type, script)                                                                \
    WIRE_ENCODE(type, codec, (script)->bytes + (script)->size + LENGTH_BYTES,                      \
                sizeof(script)->bytes - (script)->size - LENGTH_BYTES)

static void append_welcome(struct script *script) {
    SCRIPT_ENCODE(welcome, script);
    sdd_wire_welcome_set_sessionId(&codec, 42);
    append(script, WIRE_ENCODED(welcome, codec));
}

static void append_leadership(struct script *script, uint64_t generation) {
    SCRIPT_ENCODE(leadership, script);
    sdd_wire_leadership_set_generation(&codec, generation);
    append(script, WIRE_ENCODED(leadership, codec));
}

static size_t following_bytes(void) {
    return WIRE_HEADER_BYTES + (size_t)sdd_wire_following_sbe_block_length();
}

static void append_refused(struct script *script) {
    SCRIPT_ENCODE(refused, script);
    sdd_wire_refused_put_text(&codec, "no\nsuch host", 12);
    append(script, WIRE_ENCODED(refused, codec));
}

static void append_remove_queue(struct script *script) {
    SCRIPT_ENCODE(removeQueue, script);
    sdd_wire_removeQueue_set_requestId(&codec, 7);
    append(script, WIRE_ENCODED(removeQueue, codec));
}

static void append_remove_trigger(struct script *script) {
    SCRIPT_ENCODE(removeTrigger, script);
    append(script, WIRE_ENCODED(removeTrigger, codec));
}

/* Runs a session in which the controller sends the script, reads `bytes` bytes from the client, and
 * closes. */
static void controller_session(const struct script *script, size_t bytes) {
    tls_peer_start(&peer, (struct peer_plan){.ending = PEER_CLOSE_NOTIFY,
                                             .bytes = bytes,
                                             .greeting = script->bytes,
                                             .greeting_bytes = script->size});
    tls_peer_join(&peer);
}

static void a_request_is_executed_and_answered(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    append_welcome(&script);
    append_remove_queue(&script);
    start_client(&client, calls);
    controller_session(&script, 3 * LENGTH_BYTES + HELLO_BYTES + START_BYTES + REPLY_BYTES);
    stop_client(&client);
    assert_int_equal(calls->welcomes, 1);
    assert_int_equal(calls->session_id, 42);
    assert_int_equal(calls->starts, 1);
    assert_int_equal(calls->requests, 1);
    assert_int_equal(calls->request, WIRE_REMOVE_QUEUE);
    assert_int_equal(calls->reports, 0);
}

static void reports_that_are_due_are_sent(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    calls->reports_at_once = true;
    append_welcome(&script);
    start_client(&client, calls);
    controller_session(&script, 4 * LENGTH_BYTES + HELLO_BYTES + START_BYTES + 2 * REPORT_BYTES);
    stop_client(&client);
    assert_true(calls->reports >= 2);
}

static void the_client_reconnects_after_each_session(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    append_welcome(&script);
    start_client(&client, calls);
    for (unsigned i = 0; i < 3; i++)
        controller_session(&script, 2 * LENGTH_BYTES + HELLO_BYTES + START_BYTES);
    stop_client(&client);
    assert_int_equal(calls->welcomes, 3);
    assert_int_equal(calls->starts, 3);
}

static void a_refused_client_reconnects(void **state) {
    struct calls *calls = *state;
    struct script refusal = {0}, script = {0};
    struct client client;
    append_refused(&refusal);
    append_welcome(&script);
    start_client(&client, calls);
    controller_session(&refusal, LENGTH_BYTES + HELLO_BYTES);
    controller_session(&script, 2 * LENGTH_BYTES + HELLO_BYTES + START_BYTES);
    stop_client(&client);
    assert_int_equal(calls->welcomes, 1);
    assert_true(calls->hellos >= 2);
}

static void a_welcome_that_the_role_refuses_starts_no_session(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    calls->refuses_welcome = true;
    assert_true(followed_begin(&followed, &stop, 5));
    append_leadership(&script, 7);
    append_welcome(&script);
    append_remove_queue(&script);
    start_client(&client, calls);
    controller_session(&script, SIZE_MAX);
    stop_client(&client);
    assert_int_equal(calls->looks, 1);
    assert_int_equal(calls->welcomes, 0);
    assert_int_equal(calls->starts, 0);
    assert_int_equal(calls->requests, 0);
    /* the other controller's session goes on */
    assert_true(followed_is(&followed, &stop));
    assert_int_equal(followed.generation, 5);
}

static void a_message_that_is_no_request_to_the_role_ends_the_session(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    append_welcome(&script);
    append_remove_trigger(&script);
    append_remove_queue(&script);
    start_client(&client, calls);
    controller_session(&script, SIZE_MAX);
    stop_client(&client);
    assert_int_equal(calls->requests, 1);
    assert_int_equal(calls->request, WIRE_REMOVE_TRIGGER);
}

static void a_client_waits_while_its_controller_stands_by(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    append_leadership(&script, 0);
    append_leadership(&script, 0);
    append_leadership(&script, 7);
    append_welcome(&script);
    append_remove_queue(&script);
    start_client(&client, calls);
    controller_session(&script, 5 * LENGTH_BYTES + HELLO_BYTES + 2 * following_bytes() +
                                    START_BYTES + REPLY_BYTES);
    stop_client(&client);
    assert_int_equal(calls->welcomes, 1);
    assert_int_equal(calls->requests, 1);
    assert_int_equal(followed.generation, 7);
    assert_null(followed.leader);
}

static void a_controller_that_was_overtaken_is_told_and_not_followed(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    assert_true(followed_begin(&followed, &stop, 9));
    append_leadership(&script, 7);
    append_welcome(&script);
    append_remove_queue(&script); /* sent before the controller learns that */
    append_leadership(&script, 0);
    start_client(&client, calls);
    controller_session(&script, 3 * LENGTH_BYTES + HELLO_BYTES + 2 * following_bytes());
    stop_client(&client);
    assert_int_equal(calls->welcomes, 0);
    assert_int_equal(calls->requests, 0);
    assert_true(followed_is(&followed, &stop));
}

static void a_session_ends_when_one_of_a_later_generation_begins(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    calls->reports_at_once = true;
    append_leadership(&script, 7);
    append_welcome(&script);
    start_client(&client, calls);
    tls_peer_start(&peer, (struct peer_plan){.ending = PEER_SILENT,
                                             .greeting = script.bytes,
                                             .greeting_bytes = script.size});
    while (!followed_is(&followed, &client))
        usleep(1000);
    assert_false(followed_begin(&followed, &stop, 6));
    assert_true(followed_is(&followed, &client));
    assert_true(followed_begin(&followed, &stop, 8));
    tls_peer_join(&peer); /* until the client has closed it */
    stop_client(&client);
    assert_true(followed_is(&followed, &stop));
}

static void a_controller_that_falls_silent_while_it_stands_by_is_left(void **state) {
    struct calls *calls = *state;
    struct script script = {0};
    struct client client;
    char text[512];
    append_leadership(&script, 0);
    const struct captured_log log = captured_log_begin();
    start_client(&client, calls);
    tls_peer_start(&peer, (struct peer_plan){.ending = PEER_SILENT,
                                             .greeting = script.bytes,
                                             .greeting_bytes = script.size});
    tls_peer_join(&peer); /* until the client has closed it */
    stop_client(&client);
    captured_log_end(log, text, sizeof text);
    assert_non_null(strstr(text, "test: controller: no Welcome: no message within 5 s\n"));
}

static void attempts_that_fail_for_the_same_reason_are_logged_once(void **state) {
    static const char line[] = "test: controller: no session: cannot connect: Connection refused\n";
    struct calls *calls = *state;
    struct client client;
    char text[sizeof line * 2];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int deaf = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); /* bound, and never listens */
    assert_int_equal(bind(deaf, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(deaf, (struct sockaddr *)&address, &size), 0);
    peer.port = ntohs(address.sin_port);
    const struct captured_log log = captured_log_begin();
    start_client(&client, calls);
    while (lseek(fileno(log.file), 0, SEEK_END) == 0)
        usleep(1000);
    usleep(50000); /* some more attempts, 8 ms apart */
    stop_client(&client);
    captured_log_end(log, text, sizeof text);
    close(deaf);
    assert_string_equal(text, line);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_request_is_executed_and_answered),
        TEST(reports_that_are_due_are_sent),
        TEST(the_client_reconnects_after_each_session),
        TEST(a_refused_client_reconnects),
        TEST(a_welcome_that_the_role_refuses_starts_no_session),
        TEST(a_message_that_is_no_request_to_the_role_ends_the_session),
        TEST(a_client_waits_while_its_controller_stands_by),
        TEST(a_controller_that_falls_silent_while_it_stands_by_is_left),
        TEST(a_controller_that_was_overtaken_is_told_and_not_followed),
        TEST(attempts_that_fail_for_the_same_reason_are_logged_once),
        TEST(a_session_ends_when_one_of_a_later_generation_begins),
    };
    return cmocka_run_group_tests_name("client", tests, NULL, NULL);
}

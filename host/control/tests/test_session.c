/* Sessions that end or never begin: the process survives them with any disposition of SIGPIPE. */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "random.h"
#include "session.h"
#include "testing.h"
#include "tls_peer.h"

enum { ROUNDS = 50, FRAME_BYTES = 1000, STREAM_BYTES = 4 + FRAME_BYTES };

static struct tls_peer peer;
static int stop;

static struct session_config config(void) {
    return (struct session_config){.address = "127.0.0.1",
                                   .port = peer.port,
                                   .server_name = TLS_PEER_NAME,
                                   .certificate = peer.certificate,
                                   .key = peer.key,
                                   .authority = peer.certificate,
                                   .stop = stop};
}

static int set_up(void **state) {
    (void)state;
    /* the library must work with any disposition of the signal */
    (void)signal(SIGPIPE, SIG_DFL);
    stop = eventfd(0, EFD_CLOEXEC);
    tls_peer_open(&peer);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    tls_peer_close(&peer);
    close(stop);
    return 0;
}

/* Writes until the session is over, like a host with reports. */
static void write_until_it_ends(struct session *session) {
    static const uint8_t frame[FRAME_BYTES];
    while (session_write(session, frame, sizeof frame))
        ;
    assert_true(strlen(session->error) > 0);
    /* once more, for callers that ignore the first result */
    assert_false(session_write(session, frame, sizeof frame));
}

static void read_until_it_ends(struct session *session) {
    static const uint8_t frame[FRAME_BYTES];
    const uint8_t *received;
    size_t size;
    /* enough for the bytes for which the peer waits */
    for (unsigned i = 0; i < 4; i++)
        if (!session_write(session, frame, sizeof frame))
            return;
    while (session_read(session, INT64_C(10000000000), &received, &size) != SESSION_ENDED)
        ;
    assert_true(strlen(session->error) > 0);
}

static void a_peer_that_ends_the_session_does_not_end_the_process(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct peer_plan plan = {
            .ending = (enum peer_ending)(round % PEER_SILENT),
            .before_handshake = random_one_in(&random, 8),
            .bytes = (size_t)random_between(&random, 0, 3 * STREAM_BYTES - 1)};
        const struct session_config session_config = config();
        struct session session;
        tls_peer_start(&peer, plan);
        const bool opened = session_open(&session, &session_config);
        assert_true(opened || plan.before_handshake);
        if (opened && random_one_in(&random, 2))
            write_until_it_ends(&session);
        else if (opened)
            read_until_it_ends(&session);
        session_close(&session);
        tls_peer_join(&peer);
    }
}

static void a_peer_that_says_nothing_is_named_as_the_reason(void **state) {
    (void)state;
    const struct session_config session_config = config();
    struct session session;
    const uint8_t *frame;
    size_t size;
    tls_peer_start(&peer, (struct peer_plan){.ending = PEER_SILENT});
    assert_true(session_open(&session, &session_config));
    assert_false(session_await(&session, 1000000, &frame, &size));
    assert_string_equal(session.error, "no message within 0.001 s");
    session_close(&session);
    tls_peer_join(&peer);
}

/* Also if no controller listens. */
static void a_file_that_cannot_be_loaded_is_named(void **state) {
    (void)state;
    char none[512];
    const struct session_config good = config();
    assert_true(session_check(&good, none, sizeof none));
    static const struct {
        const char *what;
        size_t at; /* offset of the field */
    } files[] = {{"authority", offsetof(struct session_config, authority)},
                 {"certificate", offsetof(struct session_config, certificate)},
                 {"key", offsetof(struct session_config, key)}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (unsigned there = 0; there < 2; there++) {
            struct session_config session_config = config();
            struct session session;
            char start[64];
            const char *path = there ? "/dev/null" : "/nonexistent/file";
            memcpy((char *)&session_config + files[i].at, &path, sizeof path);
            session_config.port = 1;
            assert_false(session_open(&session, &session_config));
            snprintf(start, sizeof start, "cannot load the %s %s: ", files[i].what, path);
            assert_memory_equal(session.error, start, strlen(start));
            if (!there)
                assert_string_equal(session.error + strlen(start), "No such file or directory");
            char error[512];
            assert_false(session_check(&session_config, error, sizeof error));
            assert_string_equal(error, session.error);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peer_that_ends_the_session_does_not_end_the_process),
        cmocka_unit_test(a_peer_that_says_nothing_is_named_as_the_reason),
        cmocka_unit_test(a_file_that_cannot_be_loaded_is_named),
    };
    return cmocka_run_group_tests_name("session", tests, set_up, tear_down);
}

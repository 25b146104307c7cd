/* The clock's offset with faulty ptp4l processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock_status.h"
#include "testing.h"

struct ptp4l {
    char folder[32];
    struct sockaddr_un address;
    int socket; /* never read */
};

static int set_up(void **state) {
    static struct ptp4l ptp4l;
    ptp4l = (struct ptp4l){.folder = "/tmp/ptp4l-XXXXXX", .address.sun_family = AF_UNIX};
    *state = &ptp4l;
    assert_non_null(mkdtemp(ptp4l.folder));
    snprintf(ptp4l.address.sun_path, sizeof ptp4l.address.sun_path, "%s/socket", ptp4l.folder);
    ptp4l.socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(
        bind(ptp4l.socket, (const struct sockaddr *)&ptp4l.address, sizeof ptp4l.address), 0);
    return 0;
}

static int tear_down(void **state) {
    struct ptp4l *ptp4l = *state;
    close(ptp4l->socket);
    unlink(ptp4l->address.sun_path);
    return rmdir(ptp4l->folder);
}

static void assert_no_answer(const struct ptp4l *ptp4l) {
    bool measured = false;
    const struct clock_status status =
        clock_status(CLOCK_SOURCE_PTP4L, ptp4l->address.sun_path, &measured);
    assert_false(status.known);
    assert_string_equal(status.why, "ptp4l does not respond");
}

static void one_that_does_not_answer_does_not_respond(void **state) {
    assert_no_answer(*state);
}

static void one_with_no_room_for_a_request_does_not_respond(void **state) {
    struct ptp4l *ptp4l = *state;
    const int other = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    while (sendto(other, "", 1, 0, (const struct sockaddr *)&ptp4l->address,
                  sizeof ptp4l->address) == 1)
        ;
    assert_no_answer(ptp4l);
    close(other);
}

static void one_that_is_not_there_does_not_respond(void **state) {
    struct ptp4l *ptp4l = *state;
    close(ptp4l->socket);
    ptp4l->socket = -1;
    assert_no_answer(ptp4l);
}

/* Answers one request in a separate process. */
static void answer(const struct ptp4l *ptp4l, int64_t offset_ns) {
    uint8_t message[1500] = {0};
    struct sockaddr_un from;
    socklen_t size = sizeof from;
    if (fork() != 0)
        return;
    if (recvfrom(ptp4l->socket, message, sizeof message, 0, (struct sockaddr *)&from, &size) < 0)
        _exit(1);
    message[46] = 2;  /* action: response */
    message[95] = 1;  /* there is a master */
    message[100] = 0; /* the identity after it ends at 104 */
    for (unsigned i = 0; i < 8; i++)
        message[54 + i] = (uint8_t)((uint64_t)offset_ns >> (56 - 8 * i));
    (void)sendto(ptp4l->socket, message, 104, 0, (const struct sockaddr *)&from, size);
    _exit(0);
}

/* Returns the status for an answer with this offset; retries if the answer is too late. */
static struct clock_status status_of(const struct ptp4l *ptp4l, int64_t offset_ns, bool *measured) {
    struct clock_status status;
    do {
        answer(ptp4l, offset_ns);
        status = clock_status(CLOCK_SOURCE_PTP4L, ptp4l->address.sun_path, measured);
        while (wait(NULL) > 0)
            ;
    } while (!status.known && strcmp(status.why, "ptp4l does not respond") == 0);
    return status;
}

/* Sums with an impossible offset would overflow, and the controller would end the session. */
static void an_offset_that_no_clock_has_is_not_known(void **state) {
    struct ptp4l *ptp4l = *state;
    static const int64_t wrong[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, -(INT64_C(1) << 62)};
    bool measured = false;
    struct clock_status status = status_of(ptp4l, -7000, &measured);
    assert_true(status.known && measured);
    assert_int_equal(status.offset_ns, -7000);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        status = status_of(ptp4l, wrong[i], &measured);
        assert_false(status.known);
        assert_string_equal(status.why, "ptp4l reports an implausible offset");
    }
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_that_does_not_answer_does_not_respond),
        TEST(one_with_no_room_for_a_request_does_not_respond),
        TEST(one_that_is_not_there_does_not_respond),
        TEST(an_offset_that_no_clock_has_is_not_known),
    };
    return cmocka_run_group_tests_name("clock_status", tests, NULL, NULL);
}

/* The datagrams that a service manager receives, through a socket like systemd's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "notify.h"
#include "testing.h"

/* NOLINTBEGIN(concurrency-mt-unsafe): the tests have one thread */
/* The manager's socket, in the abstract name space so that no file is left. */
static int open_manager(void) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    char name[64];
    snprintf(name, sizeof name, "@evenweave-test-notify-%d", (int)getpid());
    memcpy(at.sun_path, name, strlen(name));
    at.sun_path[0] = '\0';
    const int manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_true(manager >= 0);
    assert_int_equal(bind(manager, (const struct sockaddr *)&at,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))),
                     0);
    setenv("NOTIFY_SOCKET", name, 1);
    return manager;
}

static void assert_told(int manager, const char *state) {
    char got[200] = "";
    const ssize_t length = recv(manager, got, sizeof got - 1, 0);
    if (!state) {
        assert_int_equal(length, -1);
        return;
    }
    assert_int_equal(strncmp(got, state, strlen(state)), 0);
}

static void states_are_datagrams_to_the_socket(void **state) {
    (void)state;
    const int manager = open_manager();
    notify_ready();
    assert_told(manager, "READY=1\nWATCHDOG=1");
    notify_reloading();
    assert_told(manager, "RELOADING=1\nMONOTONIC_USEC=");
    close(manager);
}

static void signs_of_life_are_sent_only_to_a_watchdog_of_this_process(void **state) {
    (void)state;
    char self[32];
    const int manager = open_manager();
    snprintf(self, sizeof self, "%d", (int)getpid());
    unsetenv("WATCHDOG_USEC");
    assert_int_equal(notify_period_ms(), -1);
    notify_alive();
    assert_told(manager, NULL);
    setenv("WATCHDOG_USEC", "30000000", 1);
    setenv("WATCHDOG_PID", "1", 1);
    assert_int_equal(notify_period_ms(), -1);
    setenv("WATCHDOG_PID", self, 1);
    assert_int_equal(notify_period_ms(), 15000);
    notify_alive();
    assert_told(manager, "WATCHDOG=1");
    close(manager);
}

static void without_a_manager_nothing_is_sent(void **state) {
    (void)state;
    const int manager = open_manager();
    unsetenv("NOTIFY_SOCKET");
    notify_ready();
    assert_told(manager, NULL);
    close(manager);
}

/* NOLINTEND(concurrency-mt-unsafe) */

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_datagrams_to_the_socket),
        cmocka_unit_test(signs_of_life_are_sent_only_to_a_watchdog_of_this_process),
        cmocka_unit_test(without_a_manager_nothing_is_sent),
    };
    return cmocka_run_group_tests_name("notify", tests, NULL, NULL);
}

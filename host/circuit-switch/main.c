/* circuit-switch: an optical circuit switch for test beds (docs/reference/sdd-host.md). */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "crossbar.h"
#include "licenses.h"
#include "notify.h"
#include "switch_client.h"
#include "version.h"

static const char usage[] =
    "usage: circuit-switch [--check] CONFIGURATION | --licenses | --version\n"
    "\n"
    "Forwards frames over the circuits that the controller configures, and drops\n"
    "frames that arrive in a night or without a circuit. CONFIGURATION is a JSON\n"
    "file. Runs until SIGTERM or SIGINT.\n"
    "\n"
    "  --check     check the configuration and exit\n"
    "  --licenses  print the licences of this program and of its libraries\n"
    "  --version   print the version\n";

int main(int argc, char **argv) {
    static struct switch_config config;
    static struct crossbar crossbar;
    static struct switch_client switch_clients[MAX_CONTROLLERS];
    unsigned started = 0;
    char error[600];
    const bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (licenses_wanted(argc, argv))
        return licenses_print();
    if (version_wanted(argc, argv))
        return version_print("circuit-switch");
    if (argc != 2 && !check) {
        fputs(usage, stderr);
        return 2;
    }
    if (!switch_config_load(argv[argc - 1], &config, error, sizeof error)) {
        fprintf(stderr, "circuit-switch: %s: %s\n", argv[argc - 1], error);
        return 2;
    }
    if (check)
        return 0;
    /* Sessions write with MSG_NOSIGNAL, but a write to a closed log pipe would raise SIGPIPE. */
    (void)signal(SIGPIPE, SIG_IGN);
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigprocmask(SIG_BLOCK, &ending, NULL);
    /* never read, so it stays readable after the signal and ends all threads' waits */
    int stop = signalfd(-1, &ending, SFD_CLOEXEC);
    if (stop < 0 || !crossbar_open(&crossbar, &config))
        return 1;
    followed_init(&crossbar.followed);
    for (; started < config.controllers.count; started++)
        if (!switch_client_start(&switch_clients[started], &crossbar, started, stop)) {
            fprintf(stderr, "circuit-switch: cannot start the controller's thread\n");
            return 1;
        }
    puts("ready");
    fflush(stdout);
    notify_ready();
    crossbar_run(&crossbar, stop);
    while (started > 0)
        switch_client_join(&switch_clients[--started]);
    crossbar_close(&crossbar);
    return 0;
}

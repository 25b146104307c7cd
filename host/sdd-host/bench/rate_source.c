/*
 * A traffic source with a permanent backlog: sends UDP packets of FRAME_BYTES on the wire in FLOWS
 * flows (destination ports from FIRST_PORT), each OVERDRIVE times as fast as its limit, so that the
 * limiter always has a backlog. Flow i has the priority 1:(i + 1), by which HTB chooses its class.
 *
 * usage: rate_source ADDRESS FLOWS BPS SECONDS
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/system_clock.h"

enum { FRAME_BYTES = 1500, HEADERS_BYTES = 42, FIRST_PORT = 20000, MAX_FLOWS = 10000, BATCH = 64 };
#define TICK_NS INT64_C(500000)
#define OVERDRIVE 1.1

static int flow_socket(const char *address, unsigned flow) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)(FIRST_PORT + flow))};
    const int priority = (int)(0x10001 + flow), buffer = 16 << 20;
    int sock = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (sock < 0 || inet_pton(AF_INET, address, &to.sin_addr) != 1 ||
        setsockopt(sock, SOL_SOCKET, SO_PRIORITY, &priority, sizeof priority) != 0 ||
        setsockopt(sock, SOL_SOCKET, SO_SNDBUFFORCE, &buffer, sizeof buffer) != 0 ||
        connect(sock, (struct sockaddr *)&to, sizeof to) != 0) {
        perror("rate_source");
        exit(1);
    }
    return sock;
}

/* The limiter drops the excess; the source ignores that. */
static void send_some(int sock, unsigned count) {
    static char payload[FRAME_BYTES - HEADERS_BYTES];
    struct iovec part = {payload, sizeof payload};
    struct mmsghdr messages[BATCH];
    memset(messages, 0, sizeof messages);
    for (unsigned i = 0; i < BATCH; i++)
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1};
    while (count > 0) {
        const unsigned batch = count < BATCH ? count : BATCH;
        if (sendmmsg(sock, messages, batch, 0) < (int)batch)
            return;
        count -= batch;
    }
}

int main(int argc, char **argv) {
    static int sockets[MAX_FLOWS];
    static int64_t sent[MAX_FLOWS];
    const long flows = argc == 5 ? strtol(argv[2], NULL, 10) : 0;
    const double bps = argc == 5 ? strtod(argv[3], NULL) : 0;
    const double seconds = argc == 5 ? strtod(argv[4], NULL) : 0;
    if (flows < 1 || flows > MAX_FLOWS || bps <= 0 || seconds <= 0) {
        fprintf(stderr, "usage: rate_source ADDRESS FLOWS BPS SECONDS\n");
        return 2;
    }
    prctl(PR_SET_TIMERSLACK, 1);
    for (unsigned i = 0; i < (unsigned)flows; i++)
        sockets[i] = flow_socket(argv[1], i);
    const int64_t began_ns = base_system_clock_ns(CLOCK_MONOTONIC),
                  end_ns = began_ns + (int64_t)(seconds * 1e9);
    const double packets_per_ns = bps * OVERDRIVE / (FRAME_BYTES * 8.0) / 1e9;
    for (int64_t time = began_ns; time < end_ns; time = base_system_clock_ns(CLOCK_MONOTONIC)) {
        for (long i = 0; i < flows; i++) {
            /* the starts of flows are spread over a gap; each flow starts with two packets */
            const int64_t due = 2 + (int64_t)((double)(time - began_ns) * packets_per_ns +
                                              (double)i / (double)flows);
            if (due > sent[i])
                send_some(sockets[i], (unsigned)(due - sent[i]));
            sent[i] = due;
        }
        nanosleep(&(struct timespec){.tv_nsec = TICK_NS}, NULL);
    }
    return 0;
}

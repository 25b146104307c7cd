/*
 * Measures how evenly packets of rate_source arrive at an interface: the error of the gaps between
 * packets of a flow, by the kernel's time stamps of their arrival.
 *
 * usage: rate_meter INTERFACE FLOWS GAP_NS SECONDS; one JSON object on stdout:
 *   packets, gaps: counted after the first WARM_UP_NS; lostByMeter: must be 0 for valid results
 *   meanGapUs; medianUs: median of the errors' absolute values; rmseUs: root mean square error;
 *   trimmedRmseUs: the same for the 99 % with the smallest absolute errors
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/system_clock.h"
#include "gap_errors.h"

enum { FIRST_PORT = 20000, MAX_FLOWS = 10000, MAX_GAPS = 1 << 23, BATCH = 64, HEAD = 64 };
#define WARM_UP_NS INT64_C(300000000)
#define KEPT 0.99

static int64_t last_ns[MAX_FLOWS];
static struct gap_errors errors;
static uint64_t packets;

static int open_interface(const char *name) {
    const int yes = 1, buffer = 128 << 20;
    struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                  .sll_protocol = htons(ETH_P_IP),
                                  .sll_ifindex = (int)if_nametoindex(name)};
    const struct timeval timeout = {.tv_usec = 100000};
    int sock = socket(AF_PACKET, SOCK_RAW, 0);
    if (sock < 0 || address.sll_ifindex == 0 ||
        setsockopt(sock, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes) != 0 ||
        setsockopt(sock, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) != 0 ||
        setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0 ||
        bind(sock, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("rate_meter");
        exit(1);
    }
    return sock;
}

/* Returns the flow of a frame, or MAX_FLOWS. */
static unsigned flow_of(const uint8_t *frame, size_t size, unsigned flows) {
    if (size < 38 || frame[14] != 0x45 || frame[23] != 17)
        return MAX_FLOWS;
    const unsigned port = (unsigned)frame[36] << 8 | frame[37];
    return port >= FIRST_PORT && port < FIRST_PORT + flows ? port - FIRST_PORT : MAX_FLOWS;
}

static int64_t stamp_of(struct msghdr *message) {
    struct timespec time = {0};
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS)
            memcpy(&time, CMSG_DATA(part), sizeof time);
    return base_timespec_ns(&time);
}

static void note(unsigned flow, int64_t time_ns, double gap_ns) {
    packets++;
    if (last_ns[flow] > 0)
        gap_errors_note(&errors, (double)(time_ns - last_ns[flow]), gap_ns);
    last_ns[flow] = time_ns;
}

int main(int argc, char **argv) {
    const unsigned flows = argc == 5 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    const double gap_ns = argc == 5 ? strtod(argv[3], NULL) : 0;
    const double seconds = argc == 5 ? strtod(argv[4], NULL) : 0;
    if (flows < 1 || flows > MAX_FLOWS || gap_ns <= 0 || seconds <= 0) {
        fprintf(stderr, "usage: rate_meter INTERFACE FLOWS GAP_NS SECONDS\n");
        return 2;
    }
    if (!gap_errors_init(&errors, MAX_GAPS)) {
        fprintf(stderr, "rate_meter: out of memory\n");
        return 1;
    }
    static uint8_t heads[BATCH][HEAD];
    static char controls[BATCH][CMSG_SPACE(sizeof(struct timespec))];
    struct iovec parts[BATCH];
    struct mmsghdr messages[BATCH];
    const int sock = open_interface(argv[1]);
    int64_t first_ns = 0, time_ns = 0;
    const int64_t began_ns = base_system_clock_ns(CLOCK_MONOTONIC);
    puts("ready");
    fflush(stdout);
    do {
        memset(messages, 0, sizeof messages);
        for (unsigned i = 0; i < BATCH; i++) {
            parts[i] = (struct iovec){heads[i], HEAD};
            messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i],
                                                  .msg_iovlen = 1,
                                                  .msg_control = controls[i],
                                                  .msg_controllen = sizeof controls[i]};
        }
        const int count = recvmmsg(sock, messages, BATCH, MSG_WAITFORONE, NULL);
        for (int i = 0; i < count; i++) {
            const unsigned flow = flow_of(heads[i], messages[i].msg_len, flows);
            if (flow == MAX_FLOWS)
                continue;
            time_ns = stamp_of(&messages[i].msg_hdr);
            first_ns = first_ns ? first_ns : time_ns;
            if (time_ns - first_ns >= WARM_UP_NS)
                note(flow, time_ns, gap_ns);
        }
    } while ((double)(base_system_clock_ns(CLOCK_MONOTONIC) - began_ns) / 1e9 < seconds);
    struct tpacket_stats lost = {0};
    socklen_t size = sizeof lost;
    getsockopt(sock, SOL_PACKET, PACKET_STATISTICS, &lost, &size);
    gap_errors_sort(&errors);
    const double wall_ns = (double)(time_ns - first_ns - WARM_UP_NS);
    printf("{\"packets\": %" PRIu64 ", \"gaps\": %" PRIu64
           ", \"lostByMeter\": %u, "
           "\"meanGapUs\": %.3f, \"medianUs\": %.3f, \"trimmedRmseUs\": %.3f, \"rmseUs\": %.3f}\n",
           packets, errors.count, lost.tp_drops,
           packets ? wall_ns * flows / (double)packets / 1e3 : 0, gap_errors_median_us(&errors),
           gap_errors_rmse_us(&errors, KEPT), gap_errors_rmse_us(&errors, 1));
    gap_errors_free(&errors);
    return 0;
}

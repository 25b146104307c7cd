#include "crossbar.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/system_clock.h"
#include "headers.h"

enum { BATCH = 32, FRAME_ROOM = 2048, PACKET_SWITCH_DSCP = 8 };
/* A day's burst at 10 Gb/s fits; the default holds 90 packets. */
enum { RECEIVE_BUFFER_BYTES = 16 << 20 };

int64_t crossbar_now(const struct crossbar *crossbar) {
    return base_system_clock_ns(crossbar->config->clock);
}

static int open_port(const char *interface) {
    const int yes = 1, buffer = RECEIVE_BUFFER_BYTES;
    struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                  .sll_protocol = htons(ETH_P_ALL),
                                  .sll_ifindex = (int)if_nametoindex(interface)};
    if (address.sll_ifindex == 0)
        return -1;
    /* no protocol before bind: otherwise the socket receives packets of all interfaces until
     * then */
    int sock = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (sock >= 0 && (setsockopt(sock, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes) != 0 ||
                      setsockopt(sock, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) != 0 ||
                      setsockopt(sock, SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes, sizeof yes) != 0 ||
                      setsockopt(sock, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof yes) != 0 ||
                      bind(sock, (struct sockaddr *)&address, sizeof address) != 0)) {
        const int reason = errno;
        close(sock);
        errno = reason;
        return -1;
    }
    return sock;
}

bool crossbar_open(struct crossbar *crossbar, const struct switch_config *config) {
    memset(crossbar, 0, sizeof *crossbar);
    crossbar->config = config;
    pthread_mutex_init(&crossbar->lock, NULL);
    for (unsigned i = 0; i < MAX_SWITCH_PORTS; i++)
        crossbar->sockets[i] = -1;
    crossbar->ready = epoll_create1(EPOLL_CLOEXEC);
    for (unsigned i = 0; i < config->ports_count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        crossbar->sockets[i] = open_port(config->ports[i].device);
        if (crossbar->sockets[i] < 0 ||
            epoll_ctl(crossbar->ready, EPOLL_CTL_ADD, crossbar->sockets[i], &event) != 0) {
            fprintf(stderr, "circuit-switch: ports[%u].device: %s: %s\n", i,
                    config->ports[i].device, strerrordesc_np(errno));
            crossbar_close(crossbar);
            return false;
        }
    }
    return true;
}

void crossbar_close(struct crossbar *crossbar) {
    for (unsigned i = 0; i < MAX_SWITCH_PORTS; i++)
        if (crossbar->sockets[i] >= 0)
            close(crossbar->sockets[i]);
    close(crossbar->ready);
    pthread_mutex_destroy(&crossbar->lock);
}

static void emit(struct crossbar *crossbar, unsigned output, const struct iovec *frame,
                 struct port_counters *counters, uint64_t *packets, uint64_t *bytes) {
    if (send(crossbar->sockets[output], frame->iov_base, frame->iov_len, MSG_DONTWAIT) < 0) {
        counters->dropped_other++;
        return;
    }
    (*packets)++;
    *bytes += frame->iov_len;
}

/* Forwards like a learning switch: to the port of the destination address, or by flooding if that
 * is unknown. */
static void packet_switch(struct crossbar *crossbar, unsigned input, const struct iovec *frame,
                          int64_t time_ns) {
    const struct switch_config *config = crossbar->config;
    struct port_counters *counters = &crossbar->counters[input];
    const uint8_t *destination = frame->iov_base;
    unsigned known = MAX_SWITCH_PORTS;
    for (unsigned i = 0; i < config->ports_count; i++)
        if (memcmp(crossbar->addresses[i], destination, 6) == 0)
            known = i;
    const int64_t takes_ns =
        (int64_t)((double)frame->iov_len * 8e9 / (double)config->packet_switch_bps);
    for (unsigned i = 0; i < config->ports_count; i++) {
        struct packet_output *output = &crossbar->outputs[i];
        if (i == input || (known != MAX_SWITCH_PORTS && i != known))
            continue;
        if (output->free_ns < time_ns)
            output->free_ns = time_ns;
        if (output->free_ns - time_ns > config->packet_switch_queue_ns) {
            counters->dropped_other++;
            continue;
        }
        output->free_ns += takes_ns;
        emit(crossbar, i, frame, counters, &counters->packet_packets, &counters->packet_bytes);
    }
}

static bool marked(const uint8_t *frame, size_t size) {
    return headers_dscp(frame, size) == PACKET_SWITCH_DSCP;
}

static void forward(struct crossbar *crossbar, unsigned input, const struct iovec *frame,
                    int64_t time_ns) {
    struct port_counters *counters = &crossbar->counters[input];
    const uint8_t *bytes = frame->iov_base;
    uint16_t output;
    memcpy(crossbar->addresses[input], bytes + 6, 6);
    if (marked(bytes, frame->iov_len)) {
        packet_switch(crossbar, input, frame, time_ns);
        return;
    }
    switch (matchings_forward(&crossbar->matchings, (uint16_t)input, time_ns, &output)) {
    case TO_CIRCUIT:
        emit(crossbar, output, frame, counters, &counters->circuit_packets,
             &counters->circuit_bytes);
        break;
    case IN_NIGHT:
        counters->dropped_in_night++;
        break;
    case OUT_OF_SLOT:
        counters->dropped_out_of_slot++;
        break;
    }
}

/* Converts the kernel's time stamp, which is of CLOCK_REALTIME, to a time of the configured
 * clock. */
static int64_t stamp_of(struct msghdr *message, int64_t from_realtime_ns) {
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        struct timespec time;
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        memcpy(&time, CMSG_DATA(part), sizeof time);
        return base_timespec_ns(&time) + from_realtime_ns;
    }
    return base_system_clock_ns(CLOCK_REALTIME) + from_realtime_ns;
}

static void take_batch(struct crossbar *crossbar, unsigned input) {
    static uint8_t frames[BATCH][FRAME_ROOM];
    static char controls[BATCH][CMSG_SPACE(sizeof(struct timespec))];
    struct iovec parts[BATCH];
    struct mmsghdr messages[BATCH];
    memset(messages, 0, sizeof messages);
    for (unsigned i = 0; i < BATCH; i++) {
        parts[i] = (struct iovec){frames[i], FRAME_ROOM};
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i],
                                              .msg_iovlen = 1,
                                              .msg_control = controls[i],
                                              .msg_controllen = sizeof controls[i]};
    }
    const int count = recvmmsg(crossbar->sockets[input], messages, BATCH, 0, NULL);
    const int64_t from_realtime_ns = crossbar_now(crossbar) - base_system_clock_ns(CLOCK_REALTIME);
    pthread_mutex_lock(&crossbar->lock);
    for (int i = 0; i < count; i++) {
        parts[i].iov_len = messages[i].msg_len;
        if (parts[i].iov_len >= ETH_HLEN)
            forward(crossbar, input, &parts[i], stamp_of(&messages[i].msg_hdr, from_realtime_ns));
    }
    pthread_mutex_unlock(&crossbar->lock);
}

void crossbar_run(struct crossbar *crossbar, int stop) {
    const uint32_t stopping = MAX_SWITCH_PORTS;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = stopping};
    epoll_ctl(crossbar->ready, EPOLL_CTL_ADD, stop, &event);
    prctl(PR_SET_TIMERSLACK, 1);
    for (;;) {
        struct epoll_event events[MAX_SWITCH_PORTS + 1];
        const int count = epoll_wait(crossbar->ready, events, MAX_SWITCH_PORTS + 1, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.u32 == stopping)
                return;
            take_batch(crossbar, events[i].data.u32);
        }
    }
}

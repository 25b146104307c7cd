#include "clock_status.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * IEEE 1588-2008, clause 15 (management messages), with linuxptp's TLV TIME_STATUS_NP: a common
 * header of 34 bytes, then targetPortIdentity (10), hops (2), action and a reserved byte (2), and
 * the TLV: type, length, id (2 each), then master_offset (8) and more, big-endian.
 */
enum {
    HEADER = 34,
    MANAGEMENT = 48,
    REQUEST = MANAGEMENT + 6,
    MESSAGE_MANAGEMENT = 0x0d,
    TLV_MANAGEMENT = 1,
    TIME_STATUS_NP = 0xc000,
    ACTION_GET = 0,
    ACTION_RESPONSE = 2,
    /* offset after master_offset, ingress_time, cumulativeScaledRateOffset,
       scaledLastGmPhaseChange, gmTimeBaseIndicator and lastGmPhaseChange: whether there is a master
     */
    GM_PRESENT = REQUEST + 8 + 8 + 4 + 4 + 2 + 12,
    ANSWER = GM_PRESENT + 4 + 8
};

/* About 73 years: sums of a few such times do not overflow. */
static const int64_t MOST_OFFSET_NS = INT64_C(1) << 61;

static struct clock_status unknown(const char *why) {
    return (struct clock_status){.why = why};
}

static struct clock_status read_answer(const uint8_t *answer, ssize_t size) {
    if (size < ANSWER || (answer[0] & 15) != MESSAGE_MANAGEMENT ||
        (answer[HEADER + 12] & 15) != ACTION_RESPONSE || answer[MANAGEMENT] != 0 ||
        answer[MANAGEMENT + 1] != TLV_MANAGEMENT || answer[MANAGEMENT + 4] != TIME_STATUS_NP >> 8 ||
        answer[MANAGEMENT + 5] != (TIME_STATUS_NP & 255))
        return unknown("ptp4l sent an invalid response");
    if (answer[GM_PRESENT + 3] == 0)
        return unknown("ptp4l has no master");
    uint64_t offset = 0;
    for (unsigned i = 0; i < 8; i++)
        offset = offset << 8 | answer[REQUEST + i];
    if ((int64_t)offset > MOST_OFFSET_NS || (int64_t)offset < -MOST_OFFSET_NS)
        return unknown("ptp4l reports an implausible offset");
    return (struct clock_status){.known = true, .offset_ns = (int64_t)offset, .why = ""};
}

struct clock_status clock_status(enum clock_source source, const char *socket_path,
                                 bool *measured) {
    if (source == CLOCK_SOURCE_SYSTEM)
        return (struct clock_status){.known = true, .why = ""};
    uint8_t request[REQUEST] = {[0] = MESSAGE_MANAGEMENT,
                                [1] = 2, /* PTP version 2 */
                                [3] = REQUEST,
                                [HEADER + 12] = ACTION_GET,
                                [MANAGEMENT + 1] = TLV_MANAGEMENT,
                                [MANAGEMENT + 3] = 2,
                                [MANAGEMENT + 4] = TIME_STATUS_NP >> 8,
                                [MANAGEMENT + 5] = TIME_STATUS_NP & 255};
    uint8_t answer[1500];
    request[32] = 4;                    /* controlField: management */
    request[33] = 0x7f;                 /* logMessageInterval: none */
    memset(request + HEADER, 0xff, 10); /* to all ports */
    const struct timeval timeout = {.tv_usec = 100000};
    struct sockaddr_un own = {.sun_family = AF_UNIX}, theirs = {.sun_family = AF_UNIX};
    snprintf(theirs.sun_path, sizeof theirs.sun_path, "%s", socket_path);
    struct clock_status status = unknown("ptp4l does not respond");
    ssize_t size;
    int sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    /* autobind: an abstract address for the response leaves no file. Sending does not wait for room
     * in the queue of a ptp4l that does not read it. */
    if (sock >= 0 && bind(sock, (struct sockaddr *)&own, sizeof own.sun_family) == 0 &&
        setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) == 0 &&
        connect(sock, (struct sockaddr *)&theirs, sizeof theirs) == 0 &&
        send(sock, request, sizeof request, MSG_DONTWAIT) == sizeof request &&
        (size = recv(sock, answer, sizeof answer, 0)) >= 0)
        status = read_answer(answer, size);
    if (sock >= 0)
        close(sock);
    *measured = status.known && (*measured || status.offset_ns != 0);
    return status.known && !*measured ? unknown("ptp4l has not measured the offset yet") : status;
}

#include "netlink.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

void netlink_begin(struct netlink_request *request, uint16_t type, uint16_t flags,
                   const void *family, size_t size) {
    memset(request, 0, sizeof *request);
    request->header = (struct nlmsghdr){.nlmsg_len = (uint32_t)NLMSG_LENGTH(size),
                                        .nlmsg_type = type,
                                        .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags),
                                        .nlmsg_seq = 1};
    memcpy(request->body, family, size);
}

void netlink_add(struct netlink_request *request, uint16_t type, const void *data, size_t size) {
    const size_t at = NLMSG_ALIGN(request->header.nlmsg_len);
    const struct rtattr attribute = {.rta_len = (uint16_t)RTA_LENGTH(size), .rta_type = type};
    char *end = (char *)request + at;
    memcpy(end, &attribute, sizeof attribute);
    if (size)
        memcpy(end + RTA_LENGTH(0), data, size);
    request->header.nlmsg_len = (uint32_t)(at + RTA_ALIGN(attribute.rta_len));
}

void netlink_append(struct netlink_request *request, const void *data, size_t size) {
    const size_t at = NLMSG_ALIGN(request->header.nlmsg_len);
    memcpy((char *)request + at, data, size);
    request->header.nlmsg_len = (uint32_t)(at + NLMSG_ALIGN(size));
}

size_t netlink_nest(struct netlink_request *request, uint16_t type) {
    const size_t nest = NLMSG_ALIGN(request->header.nlmsg_len);
    netlink_add(request, type, NULL, 0);
    return nest;
}

void netlink_end(struct netlink_request *request, size_t nest) {
    const uint16_t length = (uint16_t)(request->header.nlmsg_len - nest);
    memcpy((char *)request + nest + offsetof(struct rtattr, rta_len), &length, sizeof length);
}

static int open_socket(uint32_t groups) {
    const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    const int opened = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (opened < 0)
        return -errno;
    if (bind(opened, (const struct sockaddr *)&address, sizeof address) == 0)
        return opened;
    const int error = errno;
    close(opened);
    return -error;
}

/* Reads the answer. Returns 1 if more follows, 0 at its end, or a negative errno. */
static int receive(int opened, netlink_each each, void *context) {
    static _Alignas(struct nlmsghdr) char buffer[65536];
    const ssize_t size = recv(opened, buffer, sizeof buffer, 0);
    if (size < 0)
        return errno == EINTR ? 1 : -errno;
    int more = 1;
    size_t left = (size_t)size;
    for (const struct nlmsghdr *message = (const void *)buffer; NLMSG_OK(message, left);
         message = NLMSG_NEXT(message, left)) {
        if (message->nlmsg_type == NLMSG_DONE)
            return 0;
        if (message->nlmsg_type == NLMSG_ERROR)
            return ((const struct nlmsgerr *)NLMSG_DATA(message))->error;
        if (each)
            each(message, context);
    }
    return more;
}

int netlink_call(struct netlink_request *request, netlink_each each, void *context) {
    const int opened = open_socket(0);
    if (opened < 0)
        return opened;
    /* A dump ends by itself, other requests by their acknowledgement. Both bits must be tested:
     * other requests use one of them with another meaning. */
    if ((request->header.nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP)
        request->header.nlmsg_flags |= NLM_F_ACK;
    int result = 1;
    if (send(opened, request, request->header.nlmsg_len, 0) < 0)
        result = -errno;
    while (result > 0)
        result = receive(opened, each, context);
    close(opened);
    return result;
}

int netlink_call_both(struct netlink_request requests[2], int results[2]) {
    static const char padding[NLMSG_ALIGNTO];
    struct iovec parts[4];
    const int opened = open_socket(0);
    if (opened < 0)
        return opened;
    for (size_t i = 0; i < 2; i++) {
        const size_t size = requests[i].header.nlmsg_len;
        requests[i].header.nlmsg_flags |= NLM_F_ACK;
        parts[2 * i] = (struct iovec){&requests[i], size};
        parts[2 * i + 1] = (struct iovec){(void *)padding, NLMSG_ALIGN(size) - size};
    }
    int result = writev(opened, parts, 4) < 0 ? -errno : 0;
    for (unsigned i = 0; result == 0 && i < 2; i++)
        do
            results[i] = receive(opened, NULL, NULL);
        while (results[i] > 0);
    close(opened);
    return result;
}

const struct rtattr *netlink_attribute(const struct rtattr *first, size_t bytes, uint16_t type) {
    for (; RTA_OK(first, bytes); first = RTA_NEXT(first, bytes))
        if ((first->rta_type & NLA_TYPE_MASK) == type)
            return first;
    return NULL;
}

int netlink_watch(void) {
    return open_socket(RTMGRP_LINK | RTMGRP_TC | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE |
                       RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR);
}

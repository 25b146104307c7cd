#include "link.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ANSWER_BYTES = 32768 };

struct request {
    struct nlmsghdr header;
    struct ifinfomsg link;
    char attributes[RTA_SPACE(LINK_ALIAS_SIZE)];
};

/* Sends the request and returns the size of the answer, an acknowledgement or a link; returns 0
 * with errno. */
static size_t ask(const struct request *request, char answer[ANSWER_BYTES]) {
    const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    ssize_t size = -1;
    if (netlink < 0)
        return 0;
    if (send(netlink, request, request->header.nlmsg_len, 0) >= 0)
        size = recv(netlink, answer, ANSWER_BYTES, 0);
    int reason = errno;
    const struct nlmsghdr *header = (const struct nlmsghdr *)answer;
    if (size >= (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)) &&
        header->nlmsg_type == NLMSG_ERROR &&
        ((const struct nlmsgerr *)NLMSG_DATA(header))->error != 0) {
        reason = -((const struct nlmsgerr *)NLMSG_DATA(header))->error;
        size = -1;
    }
    close(netlink);
    errno = reason;
    return size > 0 ? (size_t)size : 0;
}

static struct request request_of(unsigned index, uint16_t type, uint16_t flags) {
    return (struct request){.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
                                       .nlmsg_type = type,
                                       .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags)},
                            .link = {.ifi_family = AF_UNSPEC, .ifi_index = (int)index}};
}

/* Sets an attribute. length: at most LINK_ALIAS_SIZE. */
static bool set(unsigned index, uint16_t type, const void *value, size_t length) {
    static _Alignas(NLMSG_ALIGNTO) char answer[ANSWER_BYTES];
    struct request request = request_of(index, RTM_NEWLINK, NLM_F_ACK);
    struct rtattr *attribute = (struct rtattr *)request.attributes;
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(length);
    memcpy(RTA_DATA(attribute), value, length);
    request.header.nlmsg_len += (uint32_t)RTA_SPACE(length);
    return ask(&request, answer) > 0;
}

bool link_alias_set(unsigned index, const char *alias) {
    return set(index, IFLA_IFALIAS, alias, strlen(alias));
}

bool link_segment_bytes_set(unsigned index, uint32_t bytes) {
    return set(index, IFLA_GSO_MAX_SIZE, &bytes, sizeof bytes);
}

bool link_alias_get(unsigned index, char alias[LINK_ALIAS_SIZE]) {
    static _Alignas(NLMSG_ALIGNTO) char answer[ANSWER_BYTES];
    const struct request request = request_of(index, RTM_GETLINK, 0);
    const size_t size = ask(&request, answer);
    const struct nlmsghdr *header = (const struct nlmsghdr *)answer;
    if (size < NLMSG_LENGTH(sizeof(struct ifinfomsg)) || header->nlmsg_type != RTM_NEWLINK)
        return false;
    size_t left = size - NLMSG_LENGTH(sizeof(struct ifinfomsg));
    const struct rtattr *attribute = IFLA_RTA(NLMSG_DATA(header));
    for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
        const size_t length = RTA_PAYLOAD(attribute);
        if (attribute->rta_type != IFLA_IFALIAS || length > LINK_ALIAS_SIZE)
            continue;
        memcpy(alias, RTA_DATA(attribute), length);
        alias[length < LINK_ALIAS_SIZE ? length : LINK_ALIAS_SIZE - 1] = '\0';
        return true;
    }
    return false;
}

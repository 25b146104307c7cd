/* Requests to the kernel by rtnetlink, one at a time. */
#ifndef EDGE_NETLINK_H
#define EDGE_NETLINK_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <stdint.h>

/* A request that grows: header, the family's struct, attributes. */
struct netlink_request {
    struct nlmsghdr header;
    char body[1024];
};

void netlink_begin(struct netlink_request *request, uint16_t type, uint16_t flags,
                   const void *family, size_t size);
void netlink_add(struct netlink_request *request, uint16_t type, const void *data, size_t size);
/* A family's struct, in an attribute that begins with one. */
void netlink_append(struct netlink_request *request, const void *data, size_t size);
/* What is added until the end is inside. */
size_t netlink_nest(struct netlink_request *request, uint16_t type);
void netlink_end(struct netlink_request *request, size_t nest);

typedef void (*netlink_each)(const struct nlmsghdr *message, void *context);

/*
 * Sends it and calls `each` (may be null) for every message of the answer.
 *
 * Returns 0, or the kernel's error as a negative errno.
 */
int netlink_call(struct netlink_request *request, netlink_each each, void *context);

/*
 * Sends both in one message: the kernel does the second after the first, also if that fails, and
 * whatever becomes of this process. Fills in the results as of netlink_call.
 *
 * Returns 0, or a negative errno if they could not be sent or their results not be read.
 */
int netlink_call_both(struct netlink_request requests[2], int results[2]);

/* Walks attributes: the first of a message's, and of their bytes those left; null: none. */
const struct rtattr *netlink_attribute(const struct rtattr *first, size_t bytes, uint16_t type);

/* A socket that becomes readable when links, filters, routes or addresses change; negative errno if
 * not. */
int netlink_watch(void);

#endif

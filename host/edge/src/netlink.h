/* Requests to the kernel by rtnetlink, one at a time. */
#ifndef EDGE_NETLINK_H
#define EDGE_NETLINK_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <stdint.h>

/* A request that is built step by step: header, the family's struct, attributes. */
struct netlink_request {
    struct nlmsghdr header;
    char body[1024];
};

void netlink_begin(struct netlink_request *request, uint16_t type, uint16_t flags,
                   const void *family, size_t size);
void netlink_add(struct netlink_request *request, uint16_t type, const void *data, size_t size);
/* Appends a family's struct, for an attribute that begins with one. */
void netlink_append(struct netlink_request *request, const void *data, size_t size);
/* Begins a nested attribute, which has all attributes added until its end. */
size_t netlink_nest(struct netlink_request *request, uint16_t type);
void netlink_end(struct netlink_request *request, size_t nest);

typedef void (*netlink_each)(const struct nlmsghdr *message, void *context);

/*
 * Sends the request and calls `each` (may be null) for every message of the answer.
 *
 * Returns 0, or the kernel's error as a negative errno.
 */
int netlink_call(struct netlink_request *request, netlink_each each, void *context);

/*
 * Sends both requests in one message: the kernel executes the second after the first, even if the
 * first fails or this process is killed. Fills in the results as netlink_call returns them.
 *
 * Returns 0, or a negative errno if sending or reading the results failed.
 */
int netlink_call_both(struct netlink_request requests[2], int results[2]);

/* Finds an attribute of this type. first, bytes: the first attribute and the length of all. Returns
 * null if there is none. */
const struct rtattr *netlink_attribute(const struct rtattr *first, size_t bytes, uint16_t type);

/* Returns a socket that becomes readable when links, filters, routes or addresses change, or a
 * negative errno. */
int netlink_watch(void);

#endif

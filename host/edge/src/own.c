#include "own.h"

#include <ifaddrs.h>
#include <stdio.h>
#include <string.h>

#include "addresses.h"
#include "netlink.h"

static void note_local(const struct nlmsghdr *message, void *local) {
    const struct rtmsg *head = NLMSG_DATA(message);
    if (message->nlmsg_type == RTM_NEWROUTE)
        *(bool *)local = head->rtm_type == RTN_LOCAL;
}

/* Whether the kernel delivers packets to it: an address on no device may be in a local prefix. */
static bool is_local(const struct edge_address *address) {
    const struct rtmsg head = {.rtm_family = (uint8_t)address_family(address),
                               .rtm_dst_len = (uint8_t)address_bits(address)};
    bool local = false;
    struct netlink_request request;
    netlink_begin(&request, RTM_GETROUTE, 0, &head, sizeof head);
    netlink_add(&request, RTA_DST, address->words, address_bits(address) / 8);
    return netlink_call(&request, note_local, &local) == 0 && local;
}

/* Also during IPv6's duplicate address detection. */
static bool is_on_a_device(const struct ifaddrs *all, const struct edge_address *address) {
    for (const struct ifaddrs *at = all; at; at = at->ifa_next) {
        struct sockaddr_storage socket = {0};
        if (!at->ifa_addr || at->ifa_addr->sa_family != address_family(address))
            continue;
        memcpy(&socket, at->ifa_addr,
               address->family == 6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
        const struct edge_address found = address_of_socket(&socket);
        if (address_same(&found, address))
            return true;
    }
    return false;
}

bool own_addresses(const struct config *config, char *error, size_t error_size) {
    const struct {
        const char *field;
        const struct edge_address *address;
    } fields[] = {
        {"address", &config->address}, {"source", &config->source}, {"source6", &config->source6}};
    struct ifaddrs *all = NULL;
    bool good = true;
    if (getifaddrs(&all) < 0) {
        snprintf(error, error_size, "address: this host's cannot be read");
        return false;
    }
    for (size_t i = 0; good && i < sizeof fields / sizeof *fields; i++) {
        char text[ADDRESS_TEXT_BYTES];
        good = address_is_any(fields[i].address) || is_on_a_device(all, fields[i].address) ||
               is_local(fields[i].address);
        if (!good)
            snprintf(error, error_size, "%s: %s is no address of this host", fields[i].field,
                     address_write(fields[i].address, text));
    }
    freeifaddrs(all);
    return good;
}

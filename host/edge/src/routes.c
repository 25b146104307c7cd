#include "routes.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/neighbour.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hidden_form.h"
#include "netlink.h"
#include "overlay.h"

/* /etc/iproute2/rt_protos assigns no numbers from 192 on. */
enum { PROTOCOL_EDGE = 229 };

/*
 * The gateway of IPv6 routes to IPv4 peers, which does not exist: an IPv6 route cannot have an IPv4
 * gateway, and the programs determine the outer packet's next hop. Its static neighbour entry,
 * which prevents neighbour discovery, has a locally administered address.
 */
static const struct edge_address no_gateway = {.family = 6,
                                               .words = {0x000080fe, 0, 0x6e657665, 0xe5000000}};
static const uint8_t nobodys_ethernet[6] = {0x02, 0x65, 0x76, 0x65, 0x6e, 0xe5};

struct route {
    struct prefix_config prefix;
    struct edge_address gateway;
    struct edge_address source; /* all 0: the kernel chooses */
    uint32_t mtu;
};

struct routes {
    struct route *items;
    unsigned count;
    unsigned device;
    bool failed; /* out of memory */
};

static uint32_t value_of(const struct rtattr *first, size_t bytes, uint16_t type) {
    const struct rtattr *found = netlink_attribute(first, bytes, type);
    uint32_t value = 0;
    if (found && RTA_PAYLOAD(found) >= sizeof value)
        memcpy(&value, RTA_DATA(found), sizeof value);
    return value;
}

static struct edge_address inner_of(const struct rtattr *first, size_t bytes, uint16_t type,
                                    uint8_t family) {
    struct edge_address address = {.family = family == AF_INET6 ? 6 : 4};
    const size_t size = address_bits(&address) / 8;
    const struct rtattr *found = netlink_attribute(first, bytes, type);
    if (found && RTA_PAYLOAD(found) >= size)
        memcpy(address.words, RTA_DATA(found), size);
    return address;
}

static void add_inner(struct netlink_request *request, uint16_t type,
                      const struct edge_address *address) {
    netlink_add(request, type, address->words, address_bits(address) / 8);
}

/* An IPv4 route may have an IPv6 gateway. */
static struct edge_address gateway_of(const struct rtattr *first, size_t bytes, uint8_t family) {
    const struct rtattr *via = netlink_attribute(first, bytes, RTA_VIA);
    struct edge_address address = {.family = 6};
    uint16_t via_family = AF_UNSPEC;
    if (!via || RTA_PAYLOAD(via) < sizeof via_family + sizeof address.words)
        return inner_of(first, bytes, RTA_GATEWAY, family);
    memcpy(&via_family, RTA_DATA(via), sizeof via_family);
    if (via_family == AF_INET6)
        memcpy(address.words, (const char *)RTA_DATA(via) + sizeof via_family,
               sizeof address.words);
    return address;
}

static void add_gateway(struct netlink_request *request, const struct route *route) {
    char via[sizeof(uint16_t) + sizeof route->gateway.words];
    const uint16_t family = AF_INET6;
    if (route->gateway.family == route->prefix.address.family) {
        add_inner(request, RTA_GATEWAY, &route->gateway);
        return;
    }
    memcpy(via, &family, sizeof family);
    memcpy(via + sizeof family, route->gateway.words, sizeof route->gateway.words);
    netlink_add(request, RTA_VIA, via, sizeof via);
}

static void collect(const struct nlmsghdr *message, void *context) {
    struct routes *routes = context;
    const struct rtmsg *head = NLMSG_DATA(message);
    if (message->nlmsg_type != RTM_NEWROUTE || head->rtm_protocol != PROTOCOL_EDGE)
        return;
    const struct rtattr *first = RTM_RTA(head);
    const size_t bytes = RTM_PAYLOAD(message);
    if (value_of(first, bytes, RTA_OIF) != routes->device)
        return;
    struct route *grown = realloc(routes->items, (routes->count + 1) * sizeof *grown);
    if (!grown) {
        routes->failed = true;
        return;
    }
    routes->items = grown;
    const struct rtattr *metrics = netlink_attribute(first, bytes, RTA_METRICS);
    grown[routes->count++] = (struct route){
        .prefix = {.address = inner_of(first, bytes, RTA_DST, head->rtm_family),
                   .bits = head->rtm_dst_len},
        .gateway = gateway_of(first, bytes, head->rtm_family),
        .source = inner_of(first, bytes, RTA_PREFSRC, head->rtm_family),
        .mtu = metrics ? value_of(RTA_DATA(metrics), RTA_PAYLOAD(metrics), RTAX_MTU) : 0};
}

/* Lists the existing routes. The caller frees the items. */
static bool list(struct routes *routes) {
    static const uint8_t families[] = {AF_INET, AF_INET6};
    bool good = true;
    for (size_t i = 0; i < sizeof families && good; i++) {
        const struct rtmsg head = {.rtm_family = families[i]};
        struct netlink_request request;
        netlink_begin(&request, RTM_GETROUTE, NLM_F_DUMP, &head, sizeof head);
        const int result = netlink_call(&request, collect, routes);
        /* A kernel without IPv6 has no IPv6 routes. */
        good =
            (result == 0 || (families[i] == AF_INET6 && result == -EOPNOTSUPP)) && !routes->failed;
    }
    return good;
}

/* Replaces or deletes the neighbour entry of the nonexistent gateway. */
static int change_neighbour(uint16_t type, unsigned device) {
    const struct ndmsg head = {
        .ndm_family = AF_INET6, .ndm_ifindex = (int)device, .ndm_state = NUD_PERMANENT};
    struct netlink_request request;
    netlink_begin(&request, type, type == RTM_NEWNEIGH ? NLM_F_CREATE | NLM_F_REPLACE : 0, &head,
                  sizeof head);
    add_inner(&request, NDA_DST, &no_gateway);
    if (type == RTM_NEWNEIGH)
        netlink_add(&request, NDA_LLADDR, nobodys_ethernet, sizeof nobodys_ethernet);
    return netlink_call(&request, NULL, NULL);
}

static int change(uint16_t type, uint16_t flags, const struct route *route, unsigned device) {
    const struct rtmsg head = {.rtm_family = (uint8_t)address_family(&route->prefix.address),
                               .rtm_dst_len = route->prefix.bits,
                               .rtm_table = RT_TABLE_MAIN,
                               .rtm_protocol = PROTOCOL_EDGE,
                               .rtm_scope = RT_SCOPE_UNIVERSE,
                               .rtm_type = RTN_UNICAST,
                               .rtm_flags = RTNH_F_ONLINK};
    struct netlink_request request;
    netlink_begin(&request, type, flags, &head, sizeof head);
    add_inner(&request, RTA_DST, &route->prefix.address);
    netlink_add(&request, RTA_OIF, &device, sizeof device);
    add_gateway(&request, route);
    if (type == RTM_NEWROUTE && !address_is_any(&route->source))
        add_inner(&request, RTA_PREFSRC, &route->source);
    if (type == RTM_NEWROUTE) {
        const size_t metrics = netlink_nest(&request, RTA_METRICS);
        netlink_add(&request, RTAX_MTU, &route->mtu, sizeof route->mtu);
        netlink_end(&request, metrics);
    }
    return netlink_call(&request, NULL, NULL);
}

struct next_hop {
    struct edge_address gateway;
    uint32_t device;
};

static void take_next_hop(const struct nlmsghdr *message, void *context) {
    struct next_hop *hop = context;
    if (message->nlmsg_type != RTM_NEWROUTE)
        return;
    const struct rtmsg *head = NLMSG_DATA(message);
    hop->gateway = inner_of(RTM_RTA(head), RTM_PAYLOAD(message), RTA_GATEWAY, head->rtm_family);
    hop->device = value_of(RTM_RTA(head), RTM_PAYLOAD(message), RTA_OIF);
}

/* Finds the next hop for an address: a router, or the address itself. */
static int find_next_hop(const struct edge_address *address, struct next_hop *hop) {
    const struct rtmsg head = {.rtm_family = (uint8_t)address_family(address),
                               .rtm_dst_len = (uint8_t)address_bits(address)};
    struct netlink_request request;
    netlink_begin(&request, RTM_GETROUTE, 0, &head, sizeof head);
    add_inner(&request, RTA_DST, address);
    const int result = netlink_call(&request, take_next_hop, hop);
    if (address_is_any(&hop->gateway))
        hop->gateway = *address;
    return result;
}

/* Removes a route from the list and returns it; null if the list has none with this prefix. */
static const struct route *take(struct routes *routes, const struct route *wanted) {
    static struct route taken;
    for (unsigned i = 0; i < routes->count; i++)
        if (prefix_same(&routes->items[i].prefix, &wanted->prefix)) {
            taken = routes->items[i];
            routes->items[i] = routes->items[--routes->count];
            return &taken;
        }
    return NULL;
}

static bool same(const struct route *a, const struct route *b) {
    return memcmp(&a->gateway, &b->gateway, sizeof a->gateway) == 0 &&
           memcmp(&a->source, &b->source, sizeof a->source) == 0 && a->mtu == b->mtu;
}

static int put(struct routes *there, const struct route *wanted) {
    const struct route *before = take(there, wanted);
    if (before && same(before, wanted))
        return 0;
    /* A route that is not ours is not replaced. */
    return change(RTM_NEWROUTE, NLM_F_CREATE | (before ? NLM_F_REPLACE : NLM_F_EXCL), wanted,
                  there->device);
}

/* Returns the growth of packets by the overlay. */
static uint32_t header_bytes(const struct config *config) {
    if (config->hides)
        return EDGE_HIDDEN_BYTES;
    return edge_header_bytes(config->address.family, config->transport) +
           (config->authentication.enabled ? EDGE_PROOF_BYTES : 0);
}

/* Returns the route to a peer's prefix over the fabric's next hop. mtu: maximum length of overlay
 * packets. */
static struct route route_to(const struct prefix_config *prefix, const struct config *config,
                             const struct edge_address *gateway, uint32_t mtu) {
    const uint32_t inner_mtu = mtu - header_bytes(config);
    if (prefix->address.family == 6)
        return (struct route){.prefix = *prefix,
                              .gateway = gateway->family == 6 ? *gateway : no_gateway,
                              .source = config->source6,
                              .mtu = inner_mtu < LEAST_MTU_IPV6 ? LEAST_MTU_IPV6 : inner_mtu};
    return (struct route){
        .prefix = *prefix, .gateway = *gateway, .source = config->source, .mtu = inner_mtu};
}

/* Whether overlay packets of mtu bytes have room for the minimum MTU of the prefix's family. */
static bool has_room(const struct prefix_config *prefix, const struct config *config, uint32_t mtu,
                     char *why, size_t why_size) {
    const uint32_t least = LEAST_MTU_IPV6 + header_bytes(config);
    if (prefix->address.family != 6 || mtu >= least)
        return true;
    snprintf(why, why_size, "IPv6 needs an mtu of %u or more, not %u", least, mtu);
    return false;
}

/* Adds or replaces a route. Returns false with the reason in why; returns true with a warning in
 * why if a foreign route exists. */
static bool put_route(struct routes *there, const struct route *route, uint32_t outer_family,
                      char *why, size_t why_size) {
    int result = 0;
    if (route->prefix.address.family == 6 && outer_family == 4)
        result = change_neighbour(RTM_NEWNEIGH, there->device);
    if (result == 0)
        result = put(there, route);
    if (result == -EEXIST)
        snprintf(why, why_size, "has a foreign route, which stays");
    else if (result)
        snprintf(why, why_size, "cannot add a route: %s", strerrordesc_np(-result));
    return result == 0 || result == -EEXIST;
}

/* The result for many routes: the first error, or else the first warning. */
struct findings {
    bool good;
    char *text;
    size_t size;
};

static void find(struct findings *findings, bool good, const char *field, const char *why) {
    if (findings->good && (!good || !findings->text[0]))
        snprintf(findings->text, findings->size, "%s: %s", field, why);
    findings->good &= good;
}

/* Handles the routes to a peer's prefixes. there: the existing routes; null to check only. */
static void put_peer(const struct config *config, unsigned at, struct routes *there, uint32_t mtu,
                     const struct edge_address *gateway, struct findings *findings) {
    const struct peer_config *peer = &config->peers[at];
    const bool is_less = peer->path_mtu && peer->path_mtu < mtu;
    for (unsigned p = 0; p < peer->prefixes_count; p++) {
        const struct route route =
            route_to(&peer->prefixes[p], config, gateway, is_less ? peer->path_mtu : mtu);
        char field[60], why[120] = "";
        bool good = has_room(&peer->prefixes[p], config, mtu, why, sizeof why);
        if (good && there)
            good = put_route(there, &route, config->address.family, why, sizeof why);
        snprintf(field, sizeof field, "peers[%u].prefixes[%u]", at, p);
        if (why[0])
            find(findings, good, field, why);
    }
}

/* An unreachable peer does not affect the routes to others, and keeps its routes. */
static bool put_all(const struct config *config, unsigned device, struct routes *there,
                    uint32_t mtu, char *error, size_t error_size) {
    struct findings findings = {.good = true, .text = error, .size = error_size};
    error[0] = '\0';
    for (unsigned i = 0; i < config->peers_count; i++) {
        struct next_hop hop = {0};
        const int found = find_next_hop(&config->peers[i].address, &hop);
        if (found == 0 && hop.device == device) {
            put_peer(config, i, there, mtu, &hop.gateway, &findings);
            continue;
        }
        char field[40], why[120];
        snprintf(field, sizeof field, "peers[%u].address", i);
        snprintf(why, sizeof why, "is not reached through %s%s%s", config->device,
                 found ? ": " : "", found ? strerrordesc_np(-found) : "");
        find(&findings, false, field, why);
        for (unsigned p = 0; there && p < config->peers[i].prefixes_count; p++)
            (void)take(there, &(struct route){.prefix = config->peers[i].prefixes[p]});
    }
    return findings.good;
}

bool routes_check(const struct config *config, unsigned device, uint32_t mtu, char *error,
                  size_t error_size) {
    return put_all(config, device, NULL, mtu, error, error_size);
}

bool routes_apply(const struct config *config, unsigned device, uint32_t mtu, char *error,
                  size_t error_size) {
    struct routes there = {.device = device};
    const bool listed = list(&there);
    if (!listed)
        snprintf(error, error_size, "routes cannot be read");
    const bool good = listed && put_all(config, device, &there, mtu, error, error_size);
    /* Routes still on the list belong to an earlier configuration. */
    for (unsigned i = 0; listed && i < there.count; i++)
        change(RTM_DELROUTE, 0, &there.items[i], device);
    free(there.items);
    return good;
}

bool routes_exist(unsigned device) {
    struct routes there = {.device = device};
    const bool some = list(&there) && there.count > 0;
    free(there.items);
    return some;
}

bool routes_remove(unsigned device) {
    struct routes there = {.device = device};
    bool good = list(&there);
    for (unsigned i = 0; good && i < there.count; i++)
        good = change(RTM_DELROUTE, 0, &there.items[i], device) == 0;
    change_neighbour(RTM_DELNEIGH, device); /* may not exist */
    free(there.items);
    return good;
}

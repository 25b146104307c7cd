#include "segmenter.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <linux/veth.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netlink.h"

enum {
    LONGEST = 65535, /* an MTU that never limits packets */
    SHORTEST = 512   /* segment length of large packets, about the kernel's minimum */
};

/* Names with an index of ten digits just fit. */
static void name_ends(unsigned device, char *in, char *cut) {
    snprintf(in, IF_NAMESIZE, "ew%uin", device);
    snprintf(cut, IF_NAMESIZE, "ew%ucut", device);
}

static int make_pair(const char *in, const char *cut) {
    const struct ifinfomsg head = {.ifi_family = AF_UNSPEC};
    const uint32_t mtu = LONGEST, most_bytes = SHORTEST, most_segments = 1;
    struct netlink_request request;
    netlink_begin(&request, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &head, sizeof head);
    netlink_add(&request, IFLA_IFNAME, in, strlen(in) + 1);
    netlink_add(&request, IFLA_MTU, &mtu, sizeof mtu);
    /* Forces the kernel to segment all large packets; those of virtual machines do not give their
     * number of segments. */
    netlink_add(&request, IFLA_GSO_MAX_SEGS, &most_segments, sizeof most_segments);
    netlink_add(&request, IFLA_GSO_MAX_SIZE, &most_bytes, sizeof most_bytes);
    const size_t info = netlink_nest(&request, IFLA_LINKINFO);
    netlink_add(&request, IFLA_INFO_KIND, "veth", sizeof "veth" - 1);
    const size_t data = netlink_nest(&request, IFLA_INFO_DATA);
    const size_t peer = netlink_nest(&request, VETH_INFO_PEER);
    netlink_append(&request, &head, sizeof head);
    netlink_add(&request, IFLA_IFNAME, cut, strlen(cut) + 1);
    netlink_add(&request, IFLA_MTU, &mtu, sizeof mtu);
    netlink_end(&request, peer);
    netlink_end(&request, data);
    netlink_end(&request, info);
    return netlink_call(&request, NULL, NULL);
}

/* Prevents both ends from sending their own packets. */
static void silence(unsigned end) {
    const struct ifinfomsg head = {.ifi_family = AF_UNSPEC, .ifi_index = (int)end};
    const uint8_t none = IN6_ADDR_GEN_MODE_NONE;
    struct netlink_request request;
    netlink_begin(&request, RTM_NEWLINK, 0, &head, sizeof head);
    const size_t families = netlink_nest(&request, IFLA_AF_SPEC);
    const size_t ipv6 = netlink_nest(&request, AF_INET6);
    netlink_add(&request, IFLA_INET6_ADDR_GEN_MODE, &none, sizeof none);
    netlink_end(&request, ipv6);
    netlink_end(&request, families);
    (void)netlink_call(&request, NULL, NULL); /* fails in a kernel without IPv6 */
}

static int bring_up(unsigned end) {
    const struct ifinfomsg head = {.ifi_family = AF_UNSPEC,
                                   .ifi_index = (int)end,
                                   .ifi_flags = IFF_UP | IFF_NOARP,
                                   .ifi_change = IFF_UP | IFF_NOARP};
    struct netlink_request request;
    netlink_begin(&request, RTM_NEWLINK, 0, &head, sizeof head);
    return netlink_call(&request, NULL, NULL);
}

static int attach(unsigned end, int program) {
    LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)end, .attach_point = BPF_TC_INGRESS);
    LIBBPF_OPTS(bpf_tc_opts, filter, .handle = 1, .priority = 1, .prog_fd = program,
                .flags = BPF_TC_F_REPLACE);
    const int result = bpf_tc_hook_create(&hook);
    return result && result != -EEXIST ? result : bpf_tc_attach(&hook, &filter);
}

int segmenter_make(unsigned device, int program, struct segmenter *segmenter) {
    char in[IF_NAMESIZE], cut[IF_NAMESIZE];
    name_ends(device, in, cut);
    int result = make_pair(in, cut);
    const bool there = result == -EEXIST;
    *segmenter = (struct segmenter){.in = if_nametoindex(in), .cut = if_nametoindex(cut)};
    if (there)
        result = segmenter->in && segmenter->cut ? 0 : -EEXIST;
    if (result == 0 && !there) {
        silence(segmenter->in);
        silence(segmenter->cut);
    }
    if (result == 0)
        result = attach(segmenter->cut, program);
    if (result == 0)
        result = bring_up(segmenter->in);
    if (result == 0)
        result = bring_up(segmenter->cut);
    if (result && !there)
        (void)segmenter_remove(device);
    return result;
}

bool segmenter_exists(unsigned device) {
    char in[IF_NAMESIZE], cut[IF_NAMESIZE];
    name_ends(device, in, cut);
    return if_nametoindex(in) && if_nametoindex(cut);
}

static bool is_up(const char *name) {
    struct ifreq flags = {0};
    snprintf(flags.ifr_name, sizeof flags.ifr_name, "%s", name);
    const int asked = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool up =
        asked >= 0 && ioctl(asked, SIOCGIFFLAGS, &flags) == 0 && (flags.ifr_flags & IFF_UP);
    if (asked >= 0)
        close(asked);
    return up;
}

bool segmenter_is_intact(unsigned device, const struct segmenter *segmenter) {
    char in[IF_NAMESIZE], cut[IF_NAMESIZE];
    name_ends(device, in, cut);
    LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)segmenter->cut, .attach_point = BPF_TC_INGRESS);
    LIBBPF_OPTS(bpf_tc_opts, filter, .handle = 1, .priority = 1);
    return segmenter->in && segmenter->in == if_nametoindex(in) && is_up(in) && segmenter->cut &&
           segmenter->cut == if_nametoindex(cut) && is_up(cut) && bpf_tc_query(&hook, &filter) == 0;
}

/* Returns the index of the device to whose pair a device of this name may belong; 0: none. */
static unsigned device_of(const char *name) {
    return strncmp(name, "ew", 2) == 0 ? (unsigned)strtoul(name + 2, NULL, 10) : 0;
}

bool segmenter_remove_orphans(void) {
    bool removed = false;
    struct if_nameindex *all = if_nameindex();
    for (unsigned i = 0; all && all[i].if_index; i++) {
        char in[IF_NAMESIZE], cut[IF_NAMESIZE], name[IF_NAMESIZE];
        const unsigned device = device_of(all[i].if_name);
        if (!device || if_indextoname(device, name))
            continue;
        name_ends(device, in, cut);
        if (strcmp(all[i].if_name, in) == 0 && segmenter_exists(device))
            removed |= segmenter_remove(device);
    }
    if_freenameindex(all);
    return removed;
}

bool segmenter_remove(unsigned device) {
    char in[IF_NAMESIZE], cut[IF_NAMESIZE];
    name_ends(device, in, cut);
    const struct ifinfomsg head = {.ifi_family = AF_UNSPEC, .ifi_index = (int)if_nametoindex(in)};
    struct netlink_request request;
    if (!head.ifi_index)
        return true;
    netlink_begin(&request, RTM_DELLINK, 0, &head, sizeof head);
    return netlink_call(&request, NULL, NULL) == 0; /* also removes the other end */
}

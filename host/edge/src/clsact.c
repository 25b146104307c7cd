#include "clsact.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <string.h>

#include "netlink.h"

static void note_clsact(const struct nlmsghdr *message, void *context) {
    const struct tcmsg *head = NLMSG_DATA(message);
    struct tcmsg *wanted = context;
    /* A dump has all devices. An ingress qdisc has the same handle and parent. */
    if (message->nlmsg_type != RTM_NEWQDISC || head->tcm_ifindex != wanted->tcm_ifindex)
        return;
    const struct rtattr *kind =
        netlink_attribute(TCA_RTA(head), message->nlmsg_len - NLMSG_LENGTH(sizeof *head), TCA_KIND);
    if (kind && strcmp(RTA_DATA(kind), "clsact") == 0)
        wanted->tcm_handle = head->tcm_handle;
}

bool clsact_exists(unsigned device) {
    struct tcmsg head = {.tcm_family = AF_UNSPEC, .tcm_ifindex = (int)device};
    struct netlink_request request;
    netlink_begin(&request, RTM_GETQDISC, NLM_F_DUMP, &head, sizeof head);
    return netlink_call(&request, note_clsact, &head) == 0 && head.tcm_handle;
}

static uint32_t parent_of(enum bpf_tc_attach_point point) {
    return TC_H_MAKE(TC_H_CLSACT, point == BPF_TC_INGRESS ? TC_H_MIN_INGRESS : TC_H_MIN_EGRESS);
}

int clsact_make(const struct filter *filter, unsigned device, int program, bool *made) {
    static const uint32_t flags = TCA_BPF_FLAG_ACT_DIRECT;
    struct tcmsg head = {.tcm_family = AF_UNSPEC,
                         .tcm_ifindex = (int)device,
                         .tcm_handle = TC_H_MAKE(TC_H_CLSACT, 0),
                         .tcm_parent = TC_H_CLSACT};
    struct netlink_request requests[2];
    int results[2];
    netlink_begin(&requests[0], RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL, &head, sizeof head);
    netlink_add(&requests[0], TCA_KIND, "clsact", sizeof "clsact");
    head.tcm_handle = FILTER_HANDLE;
    head.tcm_parent = parent_of(filter->point);
    head.tcm_info = TC_H_MAKE(filter->priority << 16, htons(ETH_P_ALL));
    netlink_begin(&requests[1], RTM_NEWTFILTER, NLM_F_CREATE | NLM_F_REPLACE, &head, sizeof head);
    netlink_add(&requests[1], TCA_KIND, "bpf", sizeof "bpf");
    const size_t options = netlink_nest(&requests[1], TCA_OPTIONS);
    netlink_add(&requests[1], TCA_BPF_FD, &program, sizeof program);
    netlink_add(&requests[1], TCA_BPF_NAME, filter->program, strlen(filter->program) + 1);
    netlink_add(&requests[1], TCA_BPF_FLAGS, &flags, sizeof flags);
    netlink_end(&requests[1], options);
    const int sent = netlink_call_both(requests, results);
    if (sent)
        return sent;
    *made = results[0] == 0;
    if (*made && results[1])
        (void)clsact_remove(device);
    return results[0] && results[0] != -EEXIST ? results[0] : results[1];
}

static bool is_ours(const struct tcmsg *head) {
    const uint32_t priority = TC_H_MAJ(head->tcm_info) >> 16;
    return head->tcm_handle == FILTER_HANDLE &&
           (priority == EDGE_PRIORITY || priority == EDGE_PRIORITY - 1);
}

static void count_others(const struct nlmsghdr *message, void *count) {
    const struct tcmsg *head = NLMSG_DATA(message);
    /* A dump has one additional entry per priority, without a handle. */
    if (message->nlmsg_type == RTM_NEWTFILTER && head->tcm_handle && !is_ours(head))
        ++*(unsigned *)count;
}

bool clsact_is_shared(unsigned device) {
    static const enum bpf_tc_attach_point points[] = {BPF_TC_INGRESS, BPF_TC_EGRESS};
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof points / sizeof *points; i++) {
        const struct tcmsg head = {.tcm_family = AF_UNSPEC,
                                   .tcm_ifindex = (int)device,
                                   .tcm_parent = parent_of(points[i])};
        struct netlink_request request;
        netlink_begin(&request, RTM_GETTFILTER, NLM_F_DUMP, &head, sizeof head);
        if (netlink_call(&request, count_others, &count))
            return true;
    }
    return count > 0;
}

bool clsact_remove(unsigned device) {
    LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)device,
                .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS);
    return bpf_tc_hook_destroy(&hook) == 0 || !clsact_exists(device);
}

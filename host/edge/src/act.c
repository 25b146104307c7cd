#include "act.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "addresses.h"
#include "command.h"
#include "filter.h"
#include "instance.h"
#include "kernel.h"
#include "mdctcp.h"

void act_print_reason(const char *device, int error) {
    if (error == -EBUSY)
        fprintf(stderr, "evenweave-edge: another process manages the edge of %s\n", device);
    else if (error == -EPERM)
        fputs("evenweave-edge: " INSTANCE_FOLDER
              " is not root's alone: it must be owned by root, "
              "with mode 0700\n",
              stderr);
    else
        fprintf(stderr, "evenweave-edge: " INSTANCE_FOLDER " cannot be used: %s\n",
                strerrordesc_np(-error));
}

bool act_discover(const struct kernel_edge *edge) {
    static const char *const why[] = {
        [COMMAND_NOBODY] = "no process manages the edge of %s",
        [COMMAND_STUCK] = "the process of %s accepts no commands: it is stopped or stuck",
        [COMMAND_IDLE] = "the process of %s cannot discover now: its log says why",
        [COMMAND_LEFT] = "the process of %s ended before its discovery",
    };
    char device[IF_NAMESIZE] = "";
    if_indextoname(edge->device, device);
    const enum command_outcome outcome = command_discover(device);
    if (outcome == COMMAND_DONE)
        return act_check_paths(edge);
    fputs("evenweave-edge: ", stderr);
    fprintf(stderr, why[outcome], device);
    fputc('\n', stderr);
    return false;
}

bool act_check_paths(const struct kernel_edge *edge) {
    static struct edge_routes routes; /* too large for the stack */
    const int map = edge->maps[KERNEL_WAYS];
    struct edge_address key;
    char first[ADDRESS_TEXT_BYTES] = "", others[32] = "";
    unsigned without = 0, tried = 0;
    for (int more = bpf_map_get_next_key(map, NULL, &key); more == 0;
         more = bpf_map_get_next_key(map, &key, &key)) {
        if (bpf_map_lookup_elem(map, &key, &routes) || routes.tried == 0 || routes.arrived > 0)
            continue;
        if (without++ == 0) {
            address_write(&key, first);
            tried = routes.tried;
        }
    }
    if (without == 0)
        return true;
    if (without > 1)
        snprintf(others, sizeof others, " and %u other peers", without - 1);
    fprintf(stderr,
            "evenweave-edge: no path to %s%s was found: none of %u source ports was answered; "
            "check that the fabric reaches it, and that its edge runs with this vni and port and "
            "has this host among its peers\n",
            first, others, tried);
    return false;
}

bool act_stop(struct kernel_edge *edge) {
    char device[IF_NAMESIZE] = "";
    struct instance instance;
    const int taken =
        if_indextoname(edge->device, device) ? instance_take(&instance, device) : -ENODEV;
    if (taken) {
        if (taken == -EBUSY)
            fprintf(stderr, "evenweave-edge: a process manages the edge of %s: end it first\n",
                    device);
        else
            act_print_reason(device, taken);
        kernel_forget(edge);
        return false;
    }
    const bool good = kernel_remove(edge);
    if (!good)
        fputs("evenweave-edge: not all of the edge could be removed\n", stderr);
    instance_leave(&instance);
    return good;
}

bool act_release(void) {
    if (filter_may_inspect() && mdctcp_release(0))
        return true;
    fputs("evenweave-edge: cannot remove mdctcp from the kernel: it needs root\n", stderr);
    return false;
}

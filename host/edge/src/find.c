#include "find.h"

#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "filter.h"
#include "kernel.h"

/* Prints why a command has no edge. left: a device with the remains of an edge, or empty. */
static void print_reason(const char *device, const char *left) {
    if (left[0])
        fprintf(stderr,
                "evenweave-edge: %s has an incomplete edge, so that packets may be lost: start it "
                "again, or stop it\n",
                left);
    else if (device)
        fprintf(stderr, "evenweave-edge: %s has no edge\n", device);
    else
        fputs("evenweave-edge: no device has an edge\n", stderr);
}

bool find_edge(const char *device, bool remains, struct kernel_edge *edge) {
    unsigned found = 0;
    char left[IF_NAMESIZE] = "";
    if (!filter_may_inspect()) {
        fputs("evenweave-edge: cannot inspect edges: it needs root (CAP_SYS_ADMIN)\n", stderr);
        return false;
    }
    struct if_nameindex *devices = if_nameindex();
    for (unsigned i = 0; devices && devices[i].if_index; i++) {
        struct kernel_edge candidate;
        const unsigned index = devices[i].if_index;
        if (device && strcmp(devices[i].if_name, device) != 0)
            continue;
        const bool whole = kernel_find(index, &candidate);
        const bool some = !whole && kernel_has_remains(index);
        if (some)
            snprintf(left, sizeof left, "%s", devices[i].if_name);
        if (!whole && !(some && remains))
            continue;
        if (found++ == 0)
            *edge = candidate;
        else
            kernel_forget(&candidate);
    }
    if_freenameindex(devices);
    if (found == 1 && !remains && !kernel_is_compatible(edge)) {
        kernel_forget(edge);
        fprintf(stderr, "evenweave-edge: the edge on %s is of another version, stop it first\n",
                if_indextoname(edge->device, left));
        return false;
    }
    if (found == 1)
        return true;
    if (found > 1) {
        kernel_forget(edge);
        fputs("evenweave-edge: several devices have an edge: name one\n", stderr);
    } else {
        print_reason(device, left);
    }
    return false;
}

#include "filter.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

bool filter_may_inspect(void) {
    uint32_t first = 0;
    return bpf_prog_get_next_id(0, &first) == 0 || errno != EPERM;
}

int filter_find(const struct filter *filter, unsigned device) {
    LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)device, .attach_point = filter->point);
    LIBBPF_OPTS(bpf_tc_opts, found, .handle = FILTER_HANDLE, .priority = filter->priority);
    if (bpf_tc_query(&hook, &found))
        return -1;
    const int program = bpf_prog_get_fd_by_id(found.prog_id);
    struct bpf_prog_info info = {0};
    uint32_t size = sizeof info;
    if (program >= 0 && bpf_obj_get_info_by_fd(program, &info, &size) == 0 &&
        strcmp(info.name, filter->program) == 0)
        return program;
    if (program >= 0)
        close(program);
    return -1;
}

bool filter_is_attached(const struct filter *filter, unsigned device) {
    const int program = filter_find(filter, device);
    if (program >= 0)
        close(program);
    return program >= 0;
}

int filter_attach(const struct filter *filter, unsigned device, int program) {
    LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)device, .attach_point = filter->point);
    LIBBPF_OPTS(bpf_tc_opts, wanted, .handle = FILTER_HANDLE, .priority = filter->priority,
                .prog_fd = program, .flags = BPF_TC_F_REPLACE);
    return bpf_tc_attach(&hook, &wanted);
}

bool filter_detach(const struct filter *filter, unsigned device) {
    if (!filter_is_attached(filter, device))
        return true;
    LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)device, .attach_point = filter->point);
    LIBBPF_OPTS(bpf_tc_opts, ours, .handle = FILTER_HANDLE, .priority = filter->priority);
    return bpf_tc_detach(&hook, &ours) == 0;
}

#include "hidden.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <hidden.skel.h> /* made by bpftool */

#include "filter.h"

/* Before the edge's programs. */
static const struct filter in = {BPF_TC_INGRESS, EDGE_PRIORITY - 1, "hidden_in"};
static const struct filter out = {BPF_TC_EGRESS, EDGE_PRIORITY - 1, "hidden_out"};

/* Loads the programs with the edge's maps. Returns 0 or a negative errno. */
static int load(struct bpf_object *object, const struct kernel_edge *edge) {
    int result = 0;
    for (unsigned i = 0; result == 0 && i < KERNEL_MAPS; i++) {
        struct bpf_map_info info = {0};
        uint32_t size = sizeof info;
        struct bpf_map *map = NULL;
        result = bpf_obj_get_info_by_fd(edge->maps[i], &info, &size);
        if (result == 0)
            map = bpf_object__find_map_by_name(object, info.name);
        if (map)
            result = bpf_map__reuse_fd(map, edge->maps[i]);
    }
    return result ? result : bpf_object__load(object);
}

static int attach(const struct filter *filter, unsigned device, const struct bpf_object *object) {
    const struct bpf_program *program = bpf_object__find_program_by_name(object, filter->program);
    return filter_attach(filter, device, bpf_program__fd(program));
}

int hidden_attach(const struct kernel_edge *edge, bool hides) {
    size_t size = 0;
    const void *elf = hidden_bpf__elf_bytes(&size);
    struct bpf_object *object = bpf_object__open_mem(elf, size, NULL);
    int result = object ? 0 : -errno;
    if (result == 0)
        result =
            bpf_program__set_autoload(bpf_object__find_program_by_name(object, out.program), hides);
    if (result == 0)
        result = load(object, edge);
    if (result == 0)
        result = attach(&in, edge->device, object);
    if (result == 0 && hides)
        result = attach(&out, edge->device, object);
    bpf_object__close(object); /* attached programs remain */
    if (result == 0 && !hides && !filter_detach(&out, edge->device))
        result = -EBUSY;
    return result;
}

bool hidden_is_attached(unsigned device, bool hides) {
    return filter_is_attached(&in, device) && (!hides || filter_is_attached(&out, device));
}

bool hidden_detach(unsigned device) {
    const bool good = filter_detach(&out, device); /* leaving packets first */
    return filter_detach(&in, device) && good;
}

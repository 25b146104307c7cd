#include "kernel.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <edge.skel.h> /* made by bpftool */
#include <errno.h>
#include <linux/if_arp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "clsact.h"
#include "filter.h"
#include "hidden.h"
#include "mdctcp.h"
#include "netlink.h"
#include "own.h"
#include "routes.h"
#include "segmenter.h"
#include "settings.h"
#include "tables.h"

static const char *const map_names[KERNEL_MAPS] = {"settings", "prefixes", "peers",
                                                   "accounts", "flows",    "drops",
                                                   "routes",   "senders",  "connections"};
static const struct filter programs[] = {{BPF_TC_INGRESS, EDGE_PRIORITY, "edge_in"},
                                         {BPF_TC_EGRESS, EDGE_PRIORITY, "edge_out"}};

static void take_map(uint32_t id, struct kernel_edge *edge) {
    struct bpf_map_info info = {0};
    uint32_t size = sizeof info;
    const int map = bpf_map_get_fd_by_id(id);
    if (map < 0)
        return;
    if (bpf_obj_get_info_by_fd(map, &info, &size) == 0)
        for (unsigned i = 0; i < KERNEL_MAPS; i++)
            if (edge->maps[i] < 0 && strcmp(info.name, map_names[i]) == 0) {
                edge->maps[i] = map;
                return;
            }
    close(map);
}

static bool complete(const struct kernel_edge *edge) {
    for (unsigned i = 0; i < KERNEL_MAPS; i++)
        if (edge->maps[i] < 0)
            return false;
    return true;
}

bool kernel_find(unsigned device, struct kernel_edge *edge) {
    edge->device = device;
    memset(edge->maps, -1, sizeof edge->maps);
    for (unsigned point = 0; point < 2; point++) {
        const int program = filter_find(&programs[point], device);
        if (program < 0)
            continue;
        uint32_t ids[16] = {0};
        struct bpf_prog_info info = {.nr_map_ids = 16, .map_ids = (uintptr_t)ids};
        uint32_t size = sizeof info;
        if (bpf_obj_get_info_by_fd(program, &info, &size) == 0)
            for (uint32_t i = 0; i < info.nr_map_ids && i < 16; i++)
                take_map(ids[i], edge);
        close(program);
    }
    if (complete(edge))
        return true;
    kernel_forget(edge);
    return false;
}

void kernel_forget(struct kernel_edge *edge) {
    for (unsigned i = 0; i < KERNEL_MAPS; i++) {
        if (edge->maps[i] >= 0)
            close(edge->maps[i]);
        edge->maps[i] = -1;
    }
}

/* Returns the device's index and MTU, or 0 with an error if the device is not suitable. */
static unsigned read_device(const struct config *config, uint32_t *mtu, char *error,
                            size_t error_size) {
    struct ifreq hardware = {0}, size = {0};
    memcpy(hardware.ifr_name, config->device, sizeof hardware.ifr_name);
    memcpy(size.ifr_name, config->device, sizeof size.ifr_name);
    const unsigned device = if_nametoindex(config->device);
    const uint32_t least = config->address.family == 6 ? LEAST_MTU_IPV6 : LEAST_MTU;
    const int probe = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool answered = probe >= 0 && device && ioctl(probe, SIOCGIFHWADDR, &hardware) == 0 &&
                          ioctl(probe, SIOCGIFMTU, &size) == 0;
    if (probe >= 0)
        close(probe);
    if (!answered) {
        snprintf(error, error_size, "device: there is no network device %s", config->device);
        return 0;
    }
    if (hardware.ifr_hwaddr.sa_family != ARPHRD_ETHER) {
        snprintf(error, error_size, "device: %s has no Ethernet header", config->device);
        return 0;
    }
    *mtu = (uint32_t)size.ifr_mtu;
    if (*mtu >= least)
        return device;
    snprintf(error, error_size, "device: %s has an MTU of %u; the minimum is %u", config->device,
             *mtu, least);
    return 0;
}

/* Returns the maximum length of an overlay packet on a device with this MTU. */
static uint32_t carried(const struct config *config, uint32_t mtu) {
    return config->mtu && config->mtu < mtu ? config->mtu : mtu;
}

/* Returns the existing map that the programs reuse; -1: a new one. shared: the map of mdctcp, or
 * -1. */
static int wanted_map(const struct kernel_edge *there, unsigned i, int shared) {
    if (i != KERNEL_CONNECTIONS)
        return there->maps[i];
    return shared < 0 && mdctcp_has(there->maps[i]) ? -1 : shared < 0 ? there->maps[i] : shared;
}

/* Opens the programs with the existing maps and loads them. */
static struct bpf_object *load(const struct kernel_edge *there, int shared, char *error,
                               size_t error_size) {
    size_t size = 0;
    const void *elf = edge_bpf__elf_bytes(&size);
    struct bpf_object *object = bpf_object__open_mem(elf, size, NULL);
    int result = object ? 0 : -errno;
    for (unsigned i = 0; result == 0 && i < KERNEL_MAPS; i++) {
        const int map = wanted_map(there, i, shared);
        if (map >= 0)
            result = bpf_map__reuse_fd(bpf_object__find_map_by_name(object, map_names[i]), map);
    }
    if (result == 0)
        result = bpf_object__load(object);
    if (result == 0)
        return object;
    snprintf(error, error_size, "the programs cannot be loaded: %s", strerrordesc_np(-result));
    bpf_object__close(object);
    return NULL;
}

bool kernel_is_compatible(const struct kernel_edge *edge) {
    struct edge_settings settings;
    return settings_read(edge->maps[KERNEL_SETTINGS], &settings);
}

static int program_of(const struct bpf_object *object, const char *name) {
    return bpf_program__fd(bpf_object__find_program_by_name(object, name));
}

/* Whether any filter of ours is attached. */
static bool has_filters(unsigned device) {
    return filter_is_attached(&programs[0], device) || filter_is_attached(&programs[1], device) ||
           hidden_is_attached(device, false);
}

/* Binds all maps to the program, including unused ones, so that they can be found through it. */
static int hold_maps(int program, const struct kernel_edge *edge) {
    int result = 0;
    for (unsigned i = 0; result == 0 && i < KERNEL_MAPS; i++)
        result = bpf_prog_bind_map(program, edge->maps[i], NULL);
    return result;
}

/*
 * Ensures that the device has a clsact qdisc. A new one is created together with the first filter,
 * whose map already records that the qdisc is the edge's, so that `stop` can remove it after a
 * killed start. A qdisc without a filter of ours belongs to another program.
 */
static int ensure_qdisc(const struct kernel_edge *edge, const struct bpf_object *object,
                        bool *ours) {
    const int program = program_of(object, programs[0].program);
    const int settings = edge->maps[KERNEL_SETTINGS];
    if (clsact_exists(edge->device)) {
        *ours &= has_filters(edge->device);
        return 0;
    }
    int result = settings_note_qdisc(settings, true);
    if (result == 0)
        result = clsact_make(&programs[0], edge->device, program, ours);
    if (result == 0 && !*ours)
        result = settings_note_qdisc(settings, false);
    return result;
}

static int attach(const struct kernel_edge *edge, const struct bpf_object *object) {
    int result = 0;
    for (unsigned point = 0; result == 0 && point < 2; point++)
        result = filter_attach(&programs[point], edge->device,
                               program_of(object, programs[point].program));
    return result;
}

/* Detaches the filters, and removes the qdisc if the edge created it and no other program uses
 * it. */
static bool detach(unsigned device, bool ours) {
    if (ours && !clsact_is_shared(device))
        return clsact_remove(device);
    bool good = hidden_detach(device);
    for (unsigned point = 2; point-- > 0;) /* leaving packets first */
        good &= filter_detach(&programs[point], device);
    return good;
}

static void take_maps(const struct bpf_object *object, struct kernel_edge *edge) {
    kernel_forget(edge);
    for (unsigned i = 0; i < KERNEL_MAPS; i++)
        edge->maps[i] = dup(bpf_map__fd(bpf_object__find_map_by_name(object, map_names[i])));
}

/* Whether packets pass the segmenter before they get the TCP form. */
static bool cuts(const struct config *config) {
    return config->transport == IPPROTO_TCP && !config->hides;
}

static uint64_t time_of(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns the epoch of an attached edge, whose time must not go back; a new edge gets TAI's. */
static uint64_t epoch_ns(const struct kernel_edge *edge) {
    struct edge_settings before;
    if (settings_read(edge->maps[KERNEL_SETTINGS], &before) && before.epoch_ns)
        return before.epoch_ns;
    return time_of(CLOCK_TAI) - time_of(CLOCK_MONOTONIC);
}

/* Fills the maps and attaches the loaded programs. ours: see struct edge_settings. */
static bool attach_programs(const struct config *config, const struct bpf_object *object,
                            const struct kernel_edge *edge, bool *ours, uint32_t mtu, char *error,
                            size_t error_size) {
    const uint32_t zero = 0;
    LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)edge->device,
                .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS);
    struct segmenter segmenter = {0};
    int result = cuts(config) ? segmenter_make(edge->device, program_of(object, "edge_segmented"),
                                               &segmenter)
                              : 0;
    if (result) {
        snprintf(error, error_size, "transport: cannot create the devices that divide packets: %s",
                 strerrordesc_np(-result));
        return false;
    }
    for (unsigned point = 0; result == 0 && point < 2; point++)
        result = hold_maps(program_of(object, programs[point].program), edge);
    if (result == 0)
        result = ensure_qdisc(edge, object, ours);
    const struct edge_settings settings = {.address = config->address,
                                           .vni = config->vni,
                                           .mtu = mtu,
                                           .port = config->port,
                                           .ours = *ours,
                                           .version = EDGE_STATE_VERSION,
                                           .slower = tuning_slower(&config->tuning),
                                           .transport = config->transport,
                                           .device = edge->device,
                                           .segmenter = segmenter.in,
                                           .segmented = segmenter.cut,
                                           .hides = config->hides,
                                           .drops_unproved = config->authentication.drops,
                                           .epoch_ns = epoch_ns(edge)};
    /* Before the settings: between settings and programs, packets would leave without the
     * overlay. */
    if (result == 0)
        result = hidden_attach(edge, config->hides);
    if (result == 0)
        result = bpf_map_update_elem(edge->maps[KERNEL_SETTINGS], &zero, &settings, BPF_ANY);
    if (result == 0 && !tables_fill(config, edge))
        result = -ENOMEM;
    if (result == 0)
        result = attach(edge, object);
    if (result)
        snprintf(error, error_size, "device: the programs cannot be attached to %s: %s",
                 config->device, strerrordesc_np(-result));
    return result == 0;
}

/* The same with routes. Removes everything after a failure if no edge existed before. */
static bool start(const struct config *config, const struct bpf_object *object,
                  struct kernel_edge *edge, bool there, uint32_t mtu, char *error,
                  size_t error_size) {
    bool ours = there && settings_own_qdisc(edge->maps[KERNEL_SETTINGS]);
    if (attach_programs(config, object, edge, &ours, mtu, error, error_size) &&
        routes_apply(config, edge->device, mtu, error, error_size))
        return cuts(config) || segmenter_remove(edge->device);
    if (!there) {
        routes_remove(edge->device);
        detach(edge->device, ours);
        segmenter_remove(edge->device);
    }
    return false;
}

static uint32_t map_number(int map) {
    struct bpf_map_info info = {0};
    uint32_t size = sizeof info;
    return bpf_obj_get_info_by_fd(map, &info, &size) ? 0 : info.id;
}

bool kernel_install(const struct config *config, struct kernel_edge *edge, char *error,
                    size_t error_size) {
    uint32_t mtu = 0;
    const unsigned device = read_device(config, &mtu, error, error_size);
    if (!device)
        return false;
    if (config->mtu > mtu) {
        snprintf(error, error_size, "mtu: %s carries %u bytes at most", config->device, mtu);
        return false;
    }
    mtu = carried(config, mtu);
    if (!own_addresses(config, error, error_size) ||
        !routes_check(config, device, mtu, error, error_size))
        return false;
    (void)segmenter_remove_orphans();
    const bool there = kernel_find(device, edge);
    if (there && !kernel_is_compatible(edge)) {
        snprintf(error, error_size, "device: the edge on %s is of another version, stop it first",
                 config->device);
        kernel_forget(edge);
        return false;
    }
    const bool had = there && mdctcp_has(edge->maps[KERNEL_CONNECTIONS]);
    const int shared = config->mdctcp ? mdctcp_offer(error, error_size) : -1;
    struct bpf_object *object =
        config->mdctcp && shared < 0 ? NULL : load(edge, shared, error, error_size);
    bool good = object;
    if (good)
        take_maps(object, edge);
    good = good && start(config, object, edge, there, mtu, error, error_size);
    bpf_object__close(object); /* attached programs remain */
    if (shared >= 0)
        close(shared);
    if (good ? had && !config->mdctcp : !there && config->mdctcp)
        mdctcp_release(map_number(edge->maps[KERNEL_SETTINGS]));
    if (!good)
        kernel_forget(edge);
    return good;
}

bool kernel_is_intact(const struct config *config, const struct kernel_edge *edge) {
    struct edge_settings settings;
    char ignored[200];
    uint32_t mtu = 0;
    /* The kernel still lists objects that it is about to remove; a dump waits until it has removed
     * them. */
    (void)clsact_is_shared(edge->device);
    if (!settings_read(edge->maps[KERNEL_SETTINGS], &settings) ||
        read_device(config, &mtu, ignored, sizeof ignored) != edge->device ||
        settings.mtu != carried(config, mtu))
        return false;
    const struct segmenter segmenter = {.in = settings.segmenter, .cut = settings.segmented};
    return kernel_is_attached(edge) &&
           (!cuts(config) || segmenter_is_intact(edge->device, &segmenter));
}

bool kernel_is_attached(const struct kernel_edge *edge) {
    struct edge_settings settings;
    return settings_read(edge->maps[KERNEL_SETTINGS], &settings) &&
           filter_is_attached(&programs[0], edge->device) &&
           filter_is_attached(&programs[1], edge->device) &&
           hidden_is_attached(edge->device, settings.hides);
}

bool kernel_restore(const struct config *config, struct kernel_edge *edge, char *error,
                    size_t error_size) {
    uint32_t mtu = 0;
    const unsigned device = read_device(config, &mtu, error, error_size);
    if (!device)
        return false;
    const int shared = config->mdctcp ? mdctcp_offer(error, error_size) : -1;
    struct bpf_object *object =
        config->mdctcp && shared < 0 ? NULL : load(edge, shared, error, error_size);
    if (shared >= 0)
        close(shared);
    if (!object)
        return false;
    bool ours = settings_own_qdisc(edge->maps[KERNEL_SETTINGS]);
    take_maps(object, edge);
    if (device != edge->device) { /* the old device may exist under another name */
        (void)routes_remove(edge->device);
        (void)detach(edge->device, ours);
        (void)segmenter_remove(edge->device);
        ours = false;
    }
    edge->device = device;
    (void)segmenter_remove_orphans();
    const bool good =
        attach_programs(config, object, edge, &ours, carried(config, mtu), error, error_size);
    bpf_object__close(object);
    return good && (cuts(config) || segmenter_remove(device));
}

uint32_t kernel_mtu(const struct kernel_edge *edge) {
    struct edge_settings settings;
    return settings_read(edge->maps[KERNEL_SETTINGS], &settings) ? settings.mtu : 0;
}

bool kernel_has_remains(unsigned device) {
    return has_filters(device) || routes_exist(device) || segmenter_exists(device);
}

bool kernel_remove(struct kernel_edge *edge) {
    const bool ours = settings_own_qdisc(edge->maps[KERNEL_SETTINGS]);
    const bool routes = routes_remove(edge->device);
    const uint32_t settings = map_number(edge->maps[KERNEL_SETTINGS]);
    const bool had = mdctcp_has(edge->maps[KERNEL_CONNECTIONS]);
    kernel_forget(edge);
    const bool detached = detach(edge->device, ours);
    const bool segmenter = segmenter_remove(edge->device);
    (void)segmenter_remove_orphans();
    return (!had || mdctcp_release(settings)) && segmenter && detached && routes;
}

#include "mdctcp.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <mdctcp.skel.h> /* made by bpftool */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "mdctcp";               /* the congestion control's and its map's */
static const char program_name[] = "mdctcp_acked"; /* a program that uses the map of connections */
static const char map_name[] = "connections";

/* The kernel takes a moment to free the programs of another edge that ended just now. */
enum { FREED_TRIES = 20, FREED_WAIT_US = 100000 };

/* The kernel's enum bpf_struct_ops_state, the second field of a struct_ops map's value. */
enum { REGISTERED = 1 };

static bool map_info(int map, struct bpf_map_info *info) {
    uint32_t size = sizeof *info;
    memset(info, 0, sizeof *info);
    return bpf_obj_get_info_by_fd(map, info, &size) == 0;
}

static bool is_registered(int map, const struct bpf_map_info *info) {
    const uint32_t zero = 0;
    uint32_t *value = calloc(1, info->value_size);
    const bool registered =
        value && bpf_map_lookup_elem(map, &zero, value) == 0 && value[1] == REGISTERED;
    free(value);
    return registered;
}

/* Returns the struct_ops map by which it is registered; -1: not registered. */
static int find_operations(void) {
    struct bpf_map_info info;
    uint32_t id = 0;
    while (bpf_map_get_next_id(id, &id) == 0) {
        const int map = bpf_map_get_fd_by_id(id);
        if (map >= 0 && map_info(map, &info) && info.type == BPF_MAP_TYPE_STRUCT_OPS &&
            strcmp(info.name, name) == 0 && is_registered(map, &info))
            return map;
        if (map >= 0)
            close(map);
    }
    return -1;
}

/* A program's maps, by their ids. */
struct program {
    struct bpf_prog_info info;
    uint32_t maps[16];
};

static bool read_program(uint32_t id, struct program *program) {
    uint32_t size = sizeof program->info;
    const int descriptor = bpf_prog_get_fd_by_id(id);
    memset(program, 0, sizeof *program);
    program->info.nr_map_ids = 16;
    program->info.map_ids = (uintptr_t)program->maps;
    const bool good =
        descriptor >= 0 && bpf_obj_get_info_by_fd(descriptor, &program->info, &size) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return good;
}

static uint32_t connections_of(const struct program *program) {
    struct bpf_map_info info;
    uint32_t found = 0;
    for (uint32_t i = 0; !found && i < program->info.nr_map_ids && i < 16; i++) {
        const int map = bpf_map_get_fd_by_id(program->maps[i]);
        if (map >= 0 && map_info(map, &info) && strcmp(info.name, map_name) == 0)
            found = program->maps[i];
        if (map >= 0)
            close(map);
    }
    return found;
}

static bool is_ours(const struct program *program) {
    return program->info.type == BPF_PROG_TYPE_STRUCT_OPS &&
           strcmp(program->info.name, program_name) == 0;
}

/*
 * Returns the id of the map of connections; 0: none. Among several congestion controls only the one
 * loaded last can be registered; old connections still use the others.
 */
static uint32_t find_connections(void) {
    struct program program;
    uint32_t id = 0, found = 0;
    while (bpf_prog_get_next_id(id, &id) == 0)
        if (read_program(id, &program) && is_ours(&program))
            found = connections_of(&program);
    return found;
}

static bool has_map(const struct program *program, uint32_t map) {
    for (uint32_t i = 0; i < program->info.nr_map_ids && i < 16; i++)
        if (program->maps[i] == map)
            return true;
    return false;
}

/* Whether a program of an edge uses the map. The kernel may not yet have freed those of the removed
 * edge. */
static bool is_used(uint32_t connections, uint32_t gone) {
    struct program program;
    uint32_t id = 0;
    while (bpf_prog_get_next_id(id, &id) == 0)
        if (read_program(id, &program) && program.info.type == BPF_PROG_TYPE_SCHED_CLS &&
            has_map(&program, connections) && !has_map(&program, gone))
            return true;
    return false;
}

/* Loads and registers it, so that it remains without a process. Returns 0 or a negative errno. */
static int add(int *connections) {
    size_t size = 0;
    const void *elf = mdctcp_bpf__elf_bytes(&size);
    struct bpf_object *object = bpf_object__open_mem(elf, size, NULL);
    int result = object ? bpf_object__load(object) : -errno;
    struct bpf_link *link = NULL;
    if (result == 0) {
        link = bpf_map__attach_struct_ops(bpf_object__find_map_by_name(object, name));
        result = link ? 0 : -errno;
    }
    if (result == 0) {
        *connections = dup(bpf_map__fd(bpf_object__find_map_by_name(object, map_name)));
        bpf_link__disconnect(link); /* it remains registered */
        bpf_link__destroy(link);
    }
    bpf_object__close(object);
    return result;
}

/* Returns the map of the registered congestion control; -1: none. */
static int find(void) {
    const int operations = find_operations();
    if (operations < 0)
        return -1;
    close(operations);
    return bpf_map_get_fd_by_id(find_connections());
}

int mdctcp_offer(char *error, size_t error_size) {
    int connections = find();
    int result = connections >= 0 ? 0 : add(&connections);
    if (result == -EEXIST) { /* another process registered it just now */
        connections = find();
        result = connections >= 0 ? 0 : result;
    }
    if (result)
        snprintf(error, error_size,
                 "mdctcp: the programs cannot be loaded as a congestion control: %s",
                 strerrordesc_np(-result));
    return connections;
}

bool mdctcp_has(int connections) {
    struct bpf_map_info info;
    struct program program;
    uint32_t id = 0;
    while (map_info(connections, &info) && bpf_prog_get_next_id(id, &id) == 0)
        if (read_program(id, &program) && is_ours(&program) && connections_of(&program) == info.id)
            return true;
    return false;
}

bool mdctcp_release(uint32_t gone) {
    const uint32_t zero = 0, connections = find_connections();
    const int operations = find_operations();
    if (operations < 0)
        return true;
    bool used = is_used(connections, gone);
    for (int i = 0; used && i < FREED_TRIES; i++) {
        (void)usleep(FREED_WAIT_US);
        used = is_used(connections, gone);
    }
    /* The last two edges may end at the same time, and the other one removes it. */
    const bool good = used || bpf_map_delete_elem(operations, &zero) == 0 || errno == ENOENT ||
                      errno == EINPROGRESS;
    close(operations);
    return good;
}

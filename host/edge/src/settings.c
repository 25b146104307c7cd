#include "settings.h"

#include <bpf/bpf.h>
#include <stddef.h>
#include <string.h>

enum { ROOM = 1024 }; /* room for settings of any version */

/* Returns the size of the settings; 0: they cannot be read. The kernel writes the map's whole
 * value. */
static uint32_t read_any(int map, uint8_t bytes[ROOM]) {
    const uint32_t zero = 0;
    struct bpf_map_info info = {0};
    uint32_t size = sizeof info;
    memset(bytes, 0, ROOM);
    return bpf_obj_get_info_by_fd(map, &info, &size) == 0 && info.value_size <= ROOM &&
                   bpf_map_lookup_elem(map, &zero, bytes) == 0
               ? info.value_size
               : 0;
}

bool settings_read(int map, struct edge_settings *settings) {
    uint8_t bytes[ROOM];
    if (read_any(map, bytes) != sizeof *settings)
        return false;
    memcpy(settings, bytes, sizeof *settings);
    return settings->version == EDGE_STATE_VERSION;
}

bool settings_own_qdisc(int map) {
    uint8_t bytes[ROOM];
    return read_any(map, bytes) > offsetof(struct edge_settings, ours) &&
           bytes[offsetof(struct edge_settings, ours)];
}

int settings_note_qdisc(int map, bool ours) {
    const uint32_t zero = 0;
    struct edge_settings settings;
    const int result = bpf_map_lookup_elem(map, &zero, &settings);
    if (result)
        return result;
    settings.version = EDGE_STATE_VERSION;
    settings.ours = ours;
    return bpf_map_update_elem(map, &zero, &settings, BPF_ANY);
}

/* An edge in the kernel, and the maps that its programs share. */
#ifndef EDGE_KERNEL_EDGE_H
#define EDGE_KERNEL_EDGE_H

enum kernel_map {
    KERNEL_SETTINGS,
    KERNEL_PREFIXES,
    KERNEL_PEERS,
    KERNEL_ACCOUNTS,
    KERNEL_FLOWS,
    KERNEL_DROPS,
    KERNEL_WAYS,
    KERNEL_SENDERS,
    KERNEL_CONNECTIONS,
    KERNEL_MAPS
};

struct kernel_edge {
    unsigned device;
    int maps[KERNEL_MAPS]; /* descriptors */
};

#endif

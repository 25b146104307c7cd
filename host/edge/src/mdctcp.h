/*
 * The TCP congestion control `mdctcp` (bpf/mdctcp.bpf.c) in this kernel: one for all network
 * namespaces. It shares a map with the edges that are configured for it, and stays loaded as long
 * as one of them is attached. Connections that use it keep it to their end.
 */
#ifndef EDGE_MDCTCP_H
#define EDGE_MDCTCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Registers it, unless it is there.
 *
 * Returns a descriptor of its map of connections, or -1 and an error.
 */
int mdctcp_offer(char *error, size_t error_size);

/* Whether the map is that of a congestion control which is, or was, there. */
bool mdctcp_has(int connections);

/*
 * Takes it out of the kernel if no edge has its map any more. While one has, this takes 2 s.
 *
 * gone: the number of the map of settings of an edge that does not count; 0: all do.
 * Returns false if that failed.
 */
bool mdctcp_release(uint32_t gone);

#endif

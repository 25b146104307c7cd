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
 * Registers the congestion control, unless it is registered.
 *
 * Returns a descriptor of its map of connections, or -1 and an error.
 */
int mdctcp_offer(char *error, size_t error_size);

/* Whether the map belongs to a present or former congestion control. */
bool mdctcp_has(int connections);

/*
 * Removes it from the kernel if no edge uses its map any more. If one does, this takes 2 s.
 *
 * gone: the id of the settings map of an edge that is ignored; 0: none. Returns false if that
 * failed.
 */
bool mdctcp_release(uint32_t gone);

#endif

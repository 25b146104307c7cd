/* Attributes of network interfaces in the calling thread's namespace that only netlink can set. */
#ifndef SDD_HOST_LINK_H
#define SDD_HOST_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum { LINK_ALIAS_SIZE = 256 }; /* IFALIASZ */

/* Sets the alias that `ip link show` prints. Returns false with errno. */
bool link_alias_set(unsigned index, const char *alias);

/* Reads the alias. Returns false if there is none, or with errno. */
bool link_alias_get(unsigned index, char alias[LINK_ALIAS_SIZE]);

/* Sets the largest TCP segment that the kernel passes to the interface whole (gso_max_size).
 * Returns false with errno. */
bool link_segment_bytes_set(unsigned index, uint32_t bytes);

#endif

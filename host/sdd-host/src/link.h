/* Attributes of network interfaces that only netlink sets, in the calling thread's namespace. */
#ifndef SDD_HOST_LINK_H
#define SDD_HOST_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum { LINK_ALIAS_SIZE = 256 }; /* IFALIASZ */

/* What `ip link show` calls alias. False: errno. */
bool link_alias_set(unsigned index, const char *alias);

/* False: it has none, or errno. */
bool link_alias_get(unsigned index, char alias[LINK_ALIAS_SIZE]);

/* The largest segment of TCP that the kernel hands to the interface whole, if that takes any
   (gso_max_size). False: errno. */
bool link_segment_bytes_set(unsigned index, uint32_t bytes);

#endif

/* The alias of a network interface (ip link show: "alias"), in the calling thread's namespace. */
#ifndef SDD_HOST_LINK_ALIAS_H
#define SDD_HOST_LINK_ALIAS_H

#include <stdbool.h>

enum { LINK_ALIAS_SIZE = 256 }; /* IFALIASZ */

/* False: errno. */
bool link_alias_set(unsigned index, const char *alias);

/* False: it has none, or errno. */
bool link_alias_get(unsigned index, char alias[LINK_ALIAS_SIZE]);

#endif

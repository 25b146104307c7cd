/*
 * The process that manages a device's edge: it holds the lock of a file in a directory that only
 * root or the service's user can access, so that no other user can block or impersonate it. File
 * names include the cookie of the network namespace, which is unique until the next boot.
 */
#ifndef EDGE_INSTANCE_H
#define EDGE_INSTANCE_H

#include <net/if.h>
#include <stdbool.h>
#include <sys/types.h>

#define INSTANCE_FOLDER "/run/evenweave-edge"

/* Room for the folder, a cookie of 20 digits, a device's name and a suffix. */
enum { INSTANCE_PATH_BYTES = 80 };

struct instance {
    int lock;
    char device[IF_NAMESIZE];
};

/*
 * Makes this process the device's process, and removes files of terminated processes. Returns 0;
 * -EBUSY if another process manages the device; -EPERM if others than root can access the folder;
 * or another negative errno.
 */
int instance_take(struct instance *instance, const char *device);

/* Releases the device and removes its files, and the folder if it is empty. */
void instance_leave(struct instance *instance);

/* Whether the user may manage edges: root, this process's user, and evenweave-edge, the user of the
 * package's service. */
bool instance_is_trusted(uid_t user);

/* Whether a process manages the device. */
bool instance_is_taken(const char *device);

/* Writes the path of the socket at which the device's process listens. Returns false if others than
 * root can access the folder. */
bool instance_socket(const char *device, char path[INSTANCE_PATH_BYTES]);

#endif

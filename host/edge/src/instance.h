/*
 * The process that manages a device's edge: the one that holds the lock of a file in a directory
 * that only root or the service's user can access, so that no other user can block or impersonate
 * it. Files are by network namespace too, whose cookie no other one has until the next boot.
 */
#ifndef EDGE_INSTANCE_H
#define EDGE_INSTANCE_H

#include <net/if.h>
#include <stdbool.h>
#include <sys/types.h>

#define INSTANCE_FOLDER "/run/evenweave-edge"

/* Longer than the folder, a cookie of 20 digits, a device's name and what follows on it. */
enum { INSTANCE_PATH_BYTES = 80 };

struct instance {
    int lock;
    char device[IF_NAMESIZE];
};

/*
 * Becomes the device's process; what processes that are gone have left is removed. Returns 0,
 * -EBUSY if another process is, -EPERM if the folder is not root's alone, or another errno of it.
 */
int instance_take(struct instance *instance, const char *device);

/* Is it no more, and leaves no file, nor the folder if it was the last. */
void instance_leave(struct instance *instance);

/* Whether the user may look after edges: root, this process's user, and evenweave-edge, as whom the
   package's service runs. */
bool instance_is_trusted(uid_t user);

/* Whether the device has a process. */
bool instance_is_taken(const char *device);

/* Where the device's process listens. Returns false if the folder is not root's alone. */
bool instance_socket(const char *device, char path[INSTANCE_PATH_BYTES]);

#endif

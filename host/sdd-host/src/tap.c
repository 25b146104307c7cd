#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "link.h"

static bool has_address(int tap, struct ifreq *request, const uint8_t address[6]) {
    return ioctl(tap, SIOCGIFHWADDR, request) == 0 &&
           memcmp(request->ifr_hwaddr.sa_data, address, 6) == 0;
}

static bool set_address(int tap, struct ifreq *request, const uint8_t address[6]) {
    if (has_address(tap, request, address))
        return true;
    memset(&request->ifr_hwaddr, 0, sizeof request->ifr_hwaddr);
    request->ifr_hwaddr.sa_family = ARPHRD_ETHER;
    memcpy(request->ifr_hwaddr.sa_data, address, 6);
    return ioctl(tap, SIOCSIFHWADDR, request) == 0;
}

/* Whether the device does not exist, or may be taken over; then sets *found. */
static bool is_ours(const char *name, const char *alias, bool *found) {
    char theirs[LINK_ALIAS_SIZE];
    const unsigned index = if_nametoindex(name);
    *found = index != 0;
    if (!*found)
        return true;
    if (link_alias_get(index, theirs) && strcmp(theirs, alias) == 0)
        return true;
    errno = EEXIST;
    return false;
}

/* Sets the device's offloads. They persist with the device, so a device that is taken over may have
 * others. */
static bool set_segments(int tap, const char *name, uint32_t bytes) {
    const int header_bytes = sizeof(struct virtio_net_hdr);
    const unsigned long offloads =
        bytes > 0 ? TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN : 0;
    return ioctl(tap, TUNSETVNETHDRSZ, &header_bytes) == 0 &&
           ioctl(tap, TUNSETOFFLOAD, offloads) == 0 &&
           (bytes == 0 || link_segment_bytes_set(if_nametoindex(name), bytes));
}

/* Returns a descriptor of the device, which is created if it does not exist. Returns -1 with
 * errno. */
static int attach(const char *name, struct ifreq *request) {
    int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0)
        return -1;
    *request = (struct ifreq){.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
    snprintf(request->ifr_name, sizeof request->ifr_name, "%s", name);
    if (ioctl(tap, TUNSETIFF, request) == 0)
        return tap;
    const int reason = errno;
    close(tap);
    errno = reason;
    return -1;
}

/* Opens the device in the calling thread's namespace. */
static int open_here(const char *name, const char *alias, const uint8_t address[6],
                     uint32_t segment_bytes, bool *found) {
    struct ifreq request;
    if (!is_ours(name, alias, found))
        return -1;
    const int tap = attach(name, &request);
    if (tap < 0)
        return -1;
    /* the alias first: a device that remains must be recognisable */
    if (set_address(tap, &request, address) && link_alias_set(if_nametoindex(name), alias) &&
        set_segments(tap, name, segment_bytes) && ioctl(tap, TUNSETPERSIST, 1) == 0)
        return tap;
    const int reason = errno;
    close(tap);
    errno = reason;
    return -1;
}

/* Enters the network namespace at a path, unless that is empty. *own: the argument for leave.
 * Returns false with errno. */
static bool enter(const char *path, int *own) {
    *own = -1;
    if (path[0] == '\0')
        return true;
    const int other = open(path, O_RDONLY | O_CLOEXEC);
    *own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    const bool entered = *own >= 0 && other >= 0 && setns(other, CLONE_NEWNET) == 0;
    const int reason = errno;
    if (other >= 0)
        close(other);
    if (!entered && *own >= 0)
        close(*own);
    errno = reason;
    return entered;
}

/* Returns to the calling thread's original namespace. Returns false with errno. */
static bool leave(int own) {
    if (own < 0)
        return true;
    const bool left = setns(own, CLONE_NEWNET) == 0;
    const int reason = errno;
    close(own);
    errno = reason;
    return left;
}

static void alias_of(const char *host, char alias[LINK_ALIAS_SIZE]) {
    snprintf(alias, LINK_ALIAS_SIZE, "sdd-host %s", host);
}

int tap_open(const char *name, const char *namespace, const char *host, const uint8_t address[6],
             uint32_t segment_bytes, bool *found) {
    char alias[LINK_ALIAS_SIZE];
    int own;
    alias_of(host, alias);
    if (!enter(namespace, &own))
        return -1;
    const int tap = open_here(name, alias, address, segment_bytes, found);
    int reason = errno;
    if (leave(own)) {
        errno = reason;
        return tap;
    }
    reason = errno;
    if (tap >= 0 && *found)
        tap_leave(tap);
    else if (tap >= 0)
        tap_remove(tap);
    errno = reason;
    return -1;
}

void tap_discard(const char *name, const char *namespace, const char *host) {
    char alias[LINK_ALIAS_SIZE];
    struct ifreq request;
    bool found = false;
    int own;
    alias_of(host, alias);
    if (!enter(namespace, &own))
        return;
    const int tap = is_ours(name, alias, &found) && found ? attach(name, &request) : -1;
    if (tap >= 0)
        tap_remove(tap);
    leave(own);
}

void tap_leave(int tap) {
    ioctl(tap, TUNSETOFFLOAD, 0UL);
    close(tap);
}

void tap_remove(int tap) {
    ioctl(tap, TUNSETPERSIST, 0);
    close(tap);
}

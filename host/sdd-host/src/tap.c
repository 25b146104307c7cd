#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <stdbool.h>
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

/* Whether the device is one that may be taken over, or not there. */
static bool is_ours(const char *name, const char *alias) {
    char found[LINK_ALIAS_SIZE];
    const unsigned index = if_nametoindex(name);
    if (index == 0)
        return true;
    if (link_alias_get(index, found) && strcmp(found, alias) == 0)
        return true;
    errno = EEXIST;
    return false;
}

/* All this stays with the device, and may be other than this of one that is taken over. */
static bool set_segments(int tap, const char *name, uint32_t bytes) {
    const int header_bytes = sizeof(struct virtio_net_hdr);
    const unsigned long offloads =
        bytes > 0 ? TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN : 0;
    return ioctl(tap, TUNSETVNETHDRSZ, &header_bytes) == 0 &&
           ioctl(tap, TUNSETOFFLOAD, offloads) == 0 &&
           (bytes == 0 || link_segment_bytes_set(if_nametoindex(name), bytes));
}

/* In the calling thread's namespace. */
static int open_here(const char *name, const char *alias, const uint8_t address[6],
                     uint32_t segment_bytes) {
    if (!is_ours(name, alias))
        return -1;
    int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0)
        return -1;
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    /* the alias first: what stays must be known */
    if (ioctl(tap, TUNSETIFF, &request) == 0 && set_address(tap, &request, address) &&
        link_alias_set(if_nametoindex(name), alias) && set_segments(tap, name, segment_bytes) &&
        ioctl(tap, TUNSETPERSIST, 1) == 0)
        return tap;
    const int reason = errno;
    close(tap);
    errno = reason;
    return -1;
}

int tap_open(const char *name, const char *namespace, const char *host, const uint8_t address[6],
             uint32_t segment_bytes) {
    char alias[LINK_ALIAS_SIZE];
    snprintf(alias, sizeof alias, "sdd-host %s", host);
    if (namespace[0] == '\0')
        return open_here(name, alias, address, segment_bytes);
    const int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    const int other = open(namespace, O_RDONLY | O_CLOEXEC);
    int tap = -1, reason = errno;
    if (own >= 0 && other >= 0 && setns(other, CLONE_NEWNET) == 0) {
        tap = open_here(name, alias, address, segment_bytes);
        reason = errno;
        if (setns(own, CLONE_NEWNET) != 0 && tap >= 0) {
            reason = errno;
            tap_remove(tap);
            tap = -1;
        }
    } else if (own >= 0 && other >= 0) {
        reason = errno;
    }
    if (own >= 0)
        close(own);
    if (other >= 0)
        close(other);
    errno = reason;
    return tap;
}

void tap_leave(int tap) {
    ioctl(tap, TUNSETOFFLOAD, 0UL);
    close(tap);
}

void tap_remove(int tap) {
    ioctl(tap, TUNSETPERSIST, 0);
    close(tap);
}

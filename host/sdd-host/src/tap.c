#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int tap_open(const char *name, const uint8_t address[6]) {
    int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0)
        return -1;
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (ioctl(tap, TUNSETIFF, &request) == 0) {
        memset(&request.ifr_hwaddr, 0, sizeof request.ifr_hwaddr);
        request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
        memcpy(request.ifr_hwaddr.sa_data, address, 6);
        if (ioctl(tap, SIOCSIFHWADDR, &request) == 0)
            return tap;
    }
    int reason = errno;
    close(tap);
    errno = reason;
    return -1;
}

#include "nic.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

enum { MAX_ARGUMENTS = 16 + MAX_HOSTS, ARGUMENT_SIZE = 96, DESCRIPTORS = 512 };
enum { CACHE = 256 }; /* of buffers per core: several bursts */

#define ANY_SOCKET ((unsigned)SOCKET_ID_ANY)

static struct rte_mempool *buffers;

struct arguments {
    char texts[MAX_ARGUMENTS][ARGUMENT_SIZE];
    int count;
};

static void add(struct arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct arguments *arguments, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(arguments->texts[arguments->count++], ARGUMENT_SIZE, format, list);
    va_end(list);
}

/* The name that DPDK knows a port by. */
static void device_name(const struct config *config, unsigned h, char *name, size_t size) {
    const struct port_config *port = &config->hosts[h].port;
    if (port->driver == DRIVER_PCI)
        snprintf(name, size, "%s", port->device);
    else
        snprintf(name, size, "net_%s%u", port->driver == DRIVER_AF_XDP ? "af_xdp" : "af_packet", h);
}

static bool may_run_on(int cpu, const char *field) {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    if (cpu < 0 || CPU_ISSET((size_t)cpu, &allowed))
        return true;
    fprintf(stderr, "sdd-host: cores.%s: this process may not run on core %d\n", field, cpu);
    return false;
}

/* Where the main thread and the controllers' threads run: beside the two that move packets, unless
   there is no other core. As many as fit, in DPDK's form, "(1,2)". */
static void other_cores(const struct config *config, char *text, size_t size) {
    cpu_set_t allowed, others;
    sched_getaffinity(0, sizeof allowed, &allowed);
    others = allowed;
    CPU_CLR((size_t)config->evaluate_cpu, &others);
    if (config->transmit_cpu >= 0)
        CPU_CLR((size_t)config->transmit_cpu, &others);
    if (CPU_COUNT(&others) == 0)
        others = allowed;
    size_t used = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && used + 8 < size; cpu++)
        if (CPU_ISSET((size_t)cpu, &others))
            used += (size_t)snprintf(text + used, size - used, "%c%d", used ? ',' : '(', cpu);
    snprintf(text + used, size - used, ")");
}

/*
 * DPDK creates a runtime directory and never removes it. With this process's arguments it keeps no
 * files there, so the directory is removed as soon as DPDK has started or failed to: nothing is
 * left behind however the process ends.
 */
static void remove_folders(void) {
    char folder[256];
    snprintf(folder, sizeof folder, "%s", rte_eal_get_runtime_dir());
    /* the second is shared with other processes, and not empty while one has its folder in it */
    if (rmdir(folder) == 0) {
        *strrchr(folder, '/') = '\0';
        rmdir(folder);
    }
}

void nic_stop(void) {
    rte_mempool_free(buffers);
    buffers = NULL;
    rte_eal_cleanup();
}

bool nic_start(const struct config *config) {
    static struct arguments arguments;
    if (!may_run_on(config->evaluate_cpu, "evaluate") ||
        !may_run_on(config->transmit_cpu, "transmit"))
        return false;
    bool pci = false;
    add(&arguments, "sdd-host");
    add(&arguments, "--no-telemetry");
    add(&arguments, "--log-level=4"); /* errors */
    /* either way without files that others could see, or that would be left behind */
    add(&arguments, config->huge_pages ? "--in-memory" : "--no-shconf");
    if (!config->huge_pages)
        add(&arguments, "--no-huge");
    add(&arguments, "--file-prefix=sdd-host-%d", getpid());
    add(&arguments, "-m");
    add(&arguments, "%u", config->memory_mb);
    char others[ARGUMENT_SIZE / 2];
    other_cores(config, others, sizeof others);
    if (config->transmit_cpu < 0)
        add(&arguments, "--lcores=0@%s,%d@%d", others, LCORE_EVALUATE, config->evaluate_cpu);
    else
        add(&arguments, "--lcores=0@%s,%d@%d,%d@%d", others, LCORE_EVALUATE, config->evaluate_cpu,
            LCORE_TRANSMIT, config->transmit_cpu);
    for (unsigned h = 0; h < config->hosts_count; h++) {
        const struct port_config *port = &config->hosts[h].port;
        char name[64];
        device_name(config, h, name, sizeof name);
        pci = pci || port->driver == DRIVER_PCI;
        if (port->driver == DRIVER_PCI)
            add(&arguments, "--allow=%s", name);
        else
            add(&arguments, "--vdev=%s,iface=%s%s", name, port->device,
                port->driver == DRIVER_AF_PACKET ? ",qdisc_bypass=1" : "");
    }
    if (!pci)
        add(&arguments, "--no-pci");
    char *pointers[MAX_ARGUMENTS + 1] = {0};
    for (int i = 0; i < arguments.count; i++)
        pointers[i] = arguments.texts[i];
    const bool started = rte_eal_init(arguments.count, pointers) >= 0;
    const int reason = rte_errno;
    remove_folders();
    if (!started) {
        fprintf(stderr, "sdd-host: DPDK does not start: %s\n", rte_strerror(reason));
        return false;
    }
    const uint16_t private_bytes = RTE_ALIGN(sizeof(struct nic_private), RTE_MBUF_PRIV_ALIGN);
    buffers = rte_pktmbuf_pool_create("packets", config->packet_buffers, CACHE, private_bytes,
                                      RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    if (!buffers) {
        fprintf(stderr, "sdd-host: packetBuffers: %u do not fit into memoryMb (%u): %s\n",
                config->packet_buffers, config->memory_mb, rte_strerror(rte_errno));
        nic_stop();
        return false;
    }
    return true;
}

struct rte_mempool *nic_buffers(void) {
    return buffers;
}

bool nic_open(const struct config *config, unsigned h, uint16_t *port) {
    const struct rte_eth_conf defaults = {0};
    const char *step = "not found";
    char name[64];
    device_name(config, h, name, sizeof name);
    int status = rte_eth_dev_get_port_by_name(name, port);
    if (status == 0) {
        step = "cannot be configured";
        status = rte_eth_dev_configure(*port, 1, 1, &defaults);
    }
    if (status == 0)
        status = rte_eth_rx_queue_setup(*port, 0, DESCRIPTORS, ANY_SOCKET, NULL, buffers);
    if (status == 0)
        status = rte_eth_tx_queue_setup(*port, 0, DESCRIPTORS, ANY_SOCKET, NULL);
    if (status == 0) {
        step = "does not start";
        status = rte_eth_dev_start(*port);
    }
    if (status != 0)
        fprintf(stderr, "sdd-host: hosts[%u].port.device: %s %s: %s\n", h,
                config->hosts[h].port.device, step, rte_strerror(-status));
    return status == 0;
}

void nic_close(uint16_t port) {
    rte_eth_dev_stop(port);
    rte_eth_dev_close(port);
}

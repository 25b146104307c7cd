#include "nic.h"

#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

enum { MAX_ARGUMENTS = 16 + MAX_PORTS, ARGUMENT_SIZE = 96, DESCRIPTORS = 2048 };
enum { CACHE = 256 }; /* buffers cached per core: several bursts */

#define ANY_SOCKET ((unsigned)SOCKET_ID_ANY)

/* Without the queueing discipline, and without busy polling, with which every poll of a port would
 * run the kernel's receive path on this core instead of the sender's. */
static const char *const driver_options[] = {
    [DRIVER_AF_PACKET] = "qdisc_bypass=1", [DRIVER_AF_XDP] = "busy_budget=0"};

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

/* Returns the configuration of a port; null: no such port. */
static const struct port_config *port_of(const struct config *config, unsigned number) {
    const struct host_config *host = &config->hosts[number % NIC_APPLICATIONS];
    if (number % NIC_APPLICATIONS >= config->hosts_count)
        return NULL;
    if (number < NIC_APPLICATIONS)
        return &host->port;
    return host->tap[0] == '\0' ? &host->application_port : NULL;
}

/* Writes DPDK's name of a port. */
static void device_name(const struct config *config, unsigned number, char *name, size_t size) {
    const struct port_config *port = port_of(config, number);
    if (port->driver == DRIVER_PCI)
        snprintf(name, size, "%s", port->device);
    else
        snprintf(name, size, "net_%s%u", port->driver == DRIVER_AF_XDP ? "af_xdp" : "af_packet",
                 number);
}

static bool may_run_on(int cpu, const char *field) {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    if (cpu < 0 || CPU_ISSET((size_t)cpu, &allowed))
        return true;
    fprintf(stderr, "sdd-host: cores.%s: this process may not run on core %d\n", field, cpu);
    return false;
}

/* Writes the cores for the main thread and the controllers' threads: all except those that move
 * packets, if there are others. As many as fit, in DPDK's form "(1,2)". */
static void other_cores(const struct config *config, char *text, size_t size) {
    cpu_set_t allowed, others;
    sched_getaffinity(0, sizeof allowed, &allowed);
    others = allowed;
    CPU_CLR((size_t)config->evaluate_cpu, &others);
    if (config->transmit_cpu >= 0)
        CPU_CLR((size_t)config->transmit_cpu, &others);
    if (config->ingest_cpu >= 0)
        CPU_CLR((size_t)config->ingest_cpu, &others);
    if (CPU_COUNT(&others) == 0)
        others = allowed;
    size_t used = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && used + 8 < size; cpu++)
        if (CPU_ISSET((size_t)cpu, &others))
            used += (size_t)snprintf(text + used, size - used, "%c%d", used ? ',' : '(', cpu);
    snprintf(text + used, size - used, ")");
}

static void add_cores(struct arguments *arguments, const struct config *config) {
    char others[ARGUMENT_SIZE / 2], transmit[16] = "", ingest[16] = "";
    other_cores(config, others, sizeof others);
    if (config->transmit_cpu >= 0)
        snprintf(transmit, sizeof transmit, ",%d@%d", LCORE_TRANSMIT, config->transmit_cpu);
    if (config->ingest_cpu >= 0)
        snprintf(ingest, sizeof ingest, ",%d@%d", LCORE_INGEST, config->ingest_cpu);
    add(arguments, "--lcores=0@%s,%d@%d%s%s", others, LCORE_EVALUATE, config->evaluate_cpu,
        transmit, ingest);
}

/*
 * Removes DPDK's runtime directory, which DPDK never removes. With this process's arguments it has
 * no files, so it is removed as soon as DPDK has started or failed to start, and nothing is left
 * behind however the process ends.
 */
static void remove_folders(void) {
    char folder[256];
    snprintf(folder, sizeof folder, "%s", rte_eal_get_runtime_dir());
    /* the parent is shared with other processes, and not empty while one has its folder in it */
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

/*
 * Without huge pages a buffer must not cross a page, so each uses a whole page. The buffers here
 * have the size of a page, because DPDK's AF_XDP driver assumes buffers without gaps: it would
 * otherwise register too little memory with the kernel, which would drop packets from the rest.
 */
static struct rte_mempool *create_buffers(const struct config *config) {
    const uint32_t private_bytes = RTE_ALIGN(sizeof(struct nic_private), RTE_MBUF_PRIV_ALIGN),
                   before_data = (uint32_t)sizeof(struct rte_mbuf) + private_bytes;
    /* no gaps between buffers for spreading over memory channels */
    const unsigned flags = RTE_MEMPOOL_F_NO_SPREAD;
    uint32_t data_bytes = RTE_MBUF_DEFAULT_BUF_SIZE;
    if (!config->huge_pages)
        data_bytes = (uint32_t)getpagesize() - rte_mempool_calc_obj_size(before_data, flags, NULL);
    struct rte_pktmbuf_pool_private pool = {.mbuf_data_room_size = (uint16_t)data_bytes,
                                            .mbuf_priv_size = (uint16_t)private_bytes};
    struct rte_mempool *made =
        rte_mempool_create_empty("packets", config->packet_buffers, before_data + data_bytes, CACHE,
                                 sizeof pool, SOCKET_ID_ANY, flags);
    if (!made)
        return NULL;
    rte_pktmbuf_pool_init(made, &pool);
    if (rte_mempool_populate_default(made) < 0) {
        rte_mempool_free(made);
        return NULL;
    }
    rte_mempool_obj_iter(made, rte_pktmbuf_init, NULL);
    return made;
}

bool nic_start(const struct config *config) {
    static struct arguments arguments;
    if (!may_run_on(config->evaluate_cpu, "evaluate") ||
        !may_run_on(config->transmit_cpu, "transmit") || !may_run_on(config->ingest_cpu, "ingest"))
        return false;
    bool pci = false;
    add(&arguments, "sdd-host");
    add(&arguments, "--no-telemetry");
    add(&arguments, "--log-level=4"); /* errors only */
    /* in both cases without files that others could see or that would remain */
    add(&arguments, config->huge_pages ? "--in-memory" : "--no-shconf");
    if (!config->huge_pages)
        add(&arguments, "--no-huge");
    add(&arguments, "--file-prefix=sdd-host-%d", getpid());
    add(&arguments, "-m");
    add(&arguments, "%u", config->memory_mb);
    add_cores(&arguments, config);
    for (unsigned number = 0; number < MAX_PORTS; number++) {
        const struct port_config *port = port_of(config, number);
        char name[64];
        if (!port)
            continue;
        device_name(config, number, name, sizeof name);
        pci = pci || port->driver == DRIVER_PCI;
        if (port->driver == DRIVER_PCI)
            add(&arguments, "--allow=%s", name);
        else
            add(&arguments, "--vdev=%s,iface=%s,%s", name, port->device,
                driver_options[port->driver]);
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
    buffers = create_buffers(config);
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

static const char *field_of(unsigned number) {
    return number < NIC_APPLICATIONS ? "port" : "applicationPort";
}

bool nic_is_there(const struct config *config, unsigned number, char *error, size_t error_size) {
    const struct port_config *port = port_of(config, number);
    char path[64];
    if (!port)
        return true;
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s", port->device);
    if (port->driver == DRIVER_PCI ? access(path, F_OK) == 0 : if_nametoindex(port->device) != 0)
        return true;
    snprintf(error, error_size, "hosts[%u].%s.device: there is no %s", number % NIC_APPLICATIONS,
             field_of(number), port->device);
    return false;
}

bool nic_open(const struct config *config, unsigned number, uint16_t *port) {
    const struct rte_eth_conf defaults = {0};
    const char *step = "not found";
    char name[64];
    device_name(config, number, name, sizeof name);
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
        fprintf(stderr, "sdd-host: hosts[%u].%s.device: %s %s: %s\n", number % NIC_APPLICATIONS,
                field_of(number), port_of(config, number)->device, step, rte_strerror(-status));
    return status == 0;
}

/* Returns the MTU of a network device; 0: unknown. */
static int kernel_mtu(const char *device) {
    struct ifreq request = {0};
    const int any = socket(AF_INET, SOCK_DGRAM, 0);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device);
    const bool known = any >= 0 && ioctl(any, SIOCGIFMTU, &request) == 0;
    if (any >= 0)
        close(any);
    return known ? request.ifr_mtu : 0;
}

uint32_t nic_frame_bytes(const struct config *config, unsigned number, uint16_t port) {
    const struct port_config *of = port_of(config, number);
    uint16_t of_driver = RTE_ETHER_MTU;
    rte_eth_dev_get_mtu(port, &of_driver);
    /* drivers on kernel devices do not query their MTU */
    const int of_device = of->driver == DRIVER_PCI ? 0 : kernel_mtu(of->device);
    const uint32_t mtu = of_device > 0 ? (uint32_t)of_device : of_driver;
    return mtu + RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN;
}

void nic_close(uint16_t port) {
    rte_eth_dev_stop(port);
    rte_eth_dev_close(port);
}

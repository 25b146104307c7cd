#include "sdd/egress.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "ns3/simulator.h"

namespace sim {

namespace {

/* Addresses in libsdd represent host numbers; the first is 10.0.0.1. */
constexpr uint32_t first_address = 0x0a000001;

sdd_limits limits_of(uint32_t hosts) {
    return {.max_queues = hosts + 1,
            .max_flows = 65536,
            .max_mappings = 65536,
            .max_slots = 65536,
            .max_conditions = 2 * hosts + 2,
            .max_triggers = 1,
            .max_events = 1,
            .hash_seed = 1};
}

void require(sdd_status status, const char *what) {
    if (status != SDD_OK)
        throw std::runtime_error(std::string("libsdd: ") + what + ": " + sdd_status_text(status));
}

int64_t now() {
    return static_cast<int64_t>(now_ns());
}

} // namespace

/* A frame that libsdd owns; the descriptor is first, so that a pointer to it points to this
 * struct. */
struct Egress::Buffered {
    sdd_packet packet{};
    FramePtr frame;
};

void Egress::Destroy::operator()(sdd *dataplane) const {
    sdd_destroy(dataplane);
}

Egress::Egress(const EgressSettings &settings, Port &nic) : hosts_(settings.hosts), nic_(nic) {
    sdd_limits limits = limits_of(hosts_);
    sdd *made = nullptr;
    require(sdd_create(&limits, &made), "create");
    sdd_.reset(made);
    sdd_parse_error error;
    if (!sdd_program_parse("TRUE", 4, &always_, &error))
        throw std::runtime_error(error.message);
    open_queues(settings);
}

Egress::~Egress() {
    wake_.Cancel();
    for (uint32_t queue = 0; queue <= hosts_; queue++)
        while (sdd_packet *packet = sdd_discard(sdd_.get(), queue, now()))
            delete reinterpret_cast<Buffered *>(packet);
}

void Egress::open_queues(const EgressSettings &settings) {
    for (uint32_t queue = 0; queue <= hosts_; queue++) {
        bool to_host = queue < hosts_;
        struct sdd_queue_config config {};
        config.closed_by_default = to_host && settings.scheduled;
        config.drain_rate_bps =
            static_cast<int64_t>(to_host ? settings.circuit_bps : settings.packet_bps);
        config.max_bytes = static_cast<int64_t>(settings.queue_bytes);
        require(sdd_open_queue(sdd_.get(), queue, &config), "open queue");
        if (!to_host)
            continue;
        sdd_match match = sdd_match_to_ipv4(first_address + queue, 32);
        require(sdd_map_flow(sdd_.get(), queue, &match, 0, 0), "map");
    }
}

void Egress::map_to_packet_queue(uint16_t source_port) {
    sdd_match match = sdd_match_all();
    match.source_port = source_port;
    match.wildcards = SDD_ANY_DESTINATION_PORT | SDD_ANY_PROTOCOL;
    /* One mapping for each destination is needed to be more specific than the queues' mappings. */
    for (uint32_t to = 0; to < hosts_; to++) {
        match.destination = base_ipv4(first_address + to);
        match.destination_prefix_bits = 128;
        require(sdd_map_flow(sdd_.get(), hosts_, &match, 0, now()), "map");
    }
}

bool Egress::send(FramePtr frame) {
    auto buffered = std::make_unique<Buffered>();
    base_flow_key &key = buffered->packet.key;
    key.source = base_ipv4(first_address + frame->from);
    key.destination = base_ipv4(first_address + frame->to);
    if (frame->segment) {
        std::array<uint8_t, 4> ports{};
        frame->segment->CopyData(ports.data(), ports.size());
        key.source_port = static_cast<uint16_t>(edge_get16(ports.data()));
        key.destination_port = static_cast<uint16_t>(edge_get16(ports.data() + 2));
        key.protocol = 6;
    }
    buffered->packet.bytes = frame->wire_bytes();
    buffered->frame = std::move(frame);
    sdd_status status = sdd_enqueue(sdd_.get(), &buffered->packet, now());
    if (status == SDD_ERR_FULL)
        return false;
    require(status, "enqueue");
    (void)buffered.release(); // libsdd owns it until it returns it
    pump();
    return true;
}

void Egress::add_slot(uint32_t to, uint64_t open_ns, uint64_t close_ns) {
    sdd_window slot = {static_cast<int64_t>(open_ns), static_cast<int64_t>(close_ns)};
    require(sdd_add_slot(sdd_.get(), to, slot, now()), "slot");
    pump();
}

void Egress::start(uint32_t to) {
    require(sdd_add_dequeue_condition(sdd_.get(), to, &always_, now()), "START");
    pump();
}

void Egress::stop(uint32_t to) {
    require(sdd_remove_dequeue_condition(sdd_.get(), to, &always_, now()), "STOP");
}

uint64_t Egress::queued_bytes() const {
    int64_t sum = 0;
    for (uint32_t queue = 0; queue <= hosts_; queue++)
        sum += this->queue(queue).bytes;
    return static_cast<uint64_t>(sum);
}

/* The NIC receives one frame at a time, when the wire is free, so that it never holds a frame
 * beyond the end of a slot. */
void Egress::pump() {
    while (nic_.free_ns() <= now_ns()) {
        sdd_packet *packet = sdd_dequeue(sdd_.get(), now());
        if (!packet) {
            int64_t next = sdd_next_ns(sdd_.get());
            if (next != BASE_FOREVER)
                wake_at(std::max(static_cast<uint64_t>(next), now_ns() + 1));
            return;
        }
        std::unique_ptr<Buffered> buffered(reinterpret_cast<Buffered *>(packet));
        buffered->frame->circuit = packet->queue < hosts_;
        if (sent_)
            sent_(*buffered->frame, now_ns());
        nic_.send(std::move(buffered->frame));
    }
    wake_at(nic_.free_ns());
}

/* At most one event is pending: the earliest requested one. */
void Egress::wake_at(uint64_t ns) {
    if (wake_.IsPending()) {
        if (wake_ns_ <= ns)
            return;
        wake_.Cancel();
    }
    wake_ns_ = ns;
    wake_ = ns3::Simulator::Schedule(ns3::NanoSeconds(ns - now_ns()), [this] { pump(); });
}

} // namespace sim

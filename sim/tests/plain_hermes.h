/* A slow and simple model of Hermes. */
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "host/hermes.h"

namespace sim {

/*
 * Records all events and computes everything from them again, following the paper's text. It
 * returns the set of paths that a packet may take, because Hermes draws among equal ones.
 */
class PlainHermes {
  public:
    PlainHermes(const HermesParams &limits, uint32_t paths, std::vector<uint32_t> leaf_of)
        : limits_(limits), paths_(paths), leaf_of_(std::move(leaf_of)) {
    }

    std::set<uint32_t> may_take(const HermesPacket &packet, uint64_t now) {
        now_ = now;
        Flow &flow = flows_[packet.hash];
        bool is_new = flow.sent.empty();
        bool resent = false, timed_out = false;
        if (!is_new) {
            uint32_t highest = flow.first;
            for (const Sent &sent : flow.sent)
                highest = std::max(highest, sent.sequence + sent.payload);
            resent = packet.payload > 0 && packet.sequence < highest;
            timed_out = resent && now - flow.sent.back().at >= limits_.timeout_ns;
            uint32_t lost_on = first_taken_by(flow, packet);
            if (resent)
                windows_[{leaf_of_[packet.to], lost_on}].resent++;
            if (packet.payload > 0)
                note_sent(packet.to, flow.path);
            if (timed_out && ++timeouts_[{packet.to, flow.path}] >= limits_.timeouts)
                pair_failed_[{packet.to, flow.path}] = now;
        }
        std::set<uint32_t> all;
        for (uint32_t i = 0; i < paths_; i++)
            all.insert(i);
        auto of = [&](PathType wanted) {
            std::set<uint32_t> found;
            for (uint32_t i : all)
                if (type(packet.to, i) == wanted)
                    found.insert(i);
            return found;
        };
        if (is_new || timed_out || type(packet.to, flow.path) == PathType::failed) {
            placed += !is_new;
            for (PathType wanted : {PathType::good, PathType::gray})
                if (!of(wanted).empty())
                    return slowest(packet.to, of(wanted));
            auto left = of(PathType::congested);
            return left.empty() ? all : left;
        }
        double sent_bytes = 0;
        for (const Sent &sent : flow.sent)
            sent_bytes += sent.payload;
        double bps = rate(flow.sent, flow.sent.front().at) * 8e9 / 160'000;
        if (type(packet.to, flow.path) != PathType::congested ||
            sent_bytes <= static_cast<double>(limits_.least_sent_bytes) ||
            bps >= static_cast<double>(limits_.rate_bps))
            return {flow.path};
        const auto [rtt, share] = state(packet.to, flow.path);
        for (PathType wanted : {PathType::good, PathType::gray}) {
            std::set<uint32_t> better;
            for (uint32_t i : of(wanted)) {
                const auto [other_rtt, other_share] = state(packet.to, i);
                if (other_rtt >= 0 && rtt - other_rtt > limits_.better_rtt_ns &&
                    share - other_share > limits_.better_share)
                    better.insert(i);
            }
            if (!better.empty()) {
                moved++;
                return slowest(packet.to, better);
            }
        }
        stayed++;
        return {flow.path};
    }

    void took(const HermesPacket &packet, uint32_t path) {
        Flow &flow = flows_[packet.hash];
        if (flow.sent.empty())
            flow.first = packet.sequence;
        flow.path = path;
        flow.sent.push_back({now_, packet.sequence, packet.payload, packet.bytes, path});
        on_path_[{leaf_of_[packet.to], path}].push_back(flow.sent.back());
    }

    void heard(uint32_t leaf, uint32_t path, double delay, bool marked, uint64_t now) {
        samples_[{leaf, path}].push_back(
            {now, delay + limits_.idle_rtt_ns / 2.0, marked ? 1.0 : 0.0});
    }

    void acknowledged(uint32_t to, uint32_t path) {
        timeouts_[{to, path}] = 0;
    }

    int placed = 0, moved = 0, stayed = 0, failed = 0;

  private:
    struct Sent {
        uint64_t at;
        uint32_t sequence, payload, bytes, path;
    };
    struct Sample {
        uint64_t at;
        double rtt, marked;
    };
    struct Flow {
        uint32_t first = 0;
        uint32_t path = 0;
        std::vector<Sent> sent;
    };
    struct Window {
        uint64_t began = 0;
        uint32_t sent = 0, resent = 0;
    };
    using Key = std::pair<uint32_t, uint32_t>;

    /* Returns the path that lost a retransmitted segment: the previous path if it was sent before
     * the flow moved. */
    static uint32_t first_taken_by(const Flow &flow, const HermesPacket &packet) {
        uint32_t highest = flow.first, sent_before = flow.first, path = flow.path;
        for (const Sent &sent : flow.sent) {
            highest = std::max(highest, sent.sequence + sent.payload);
            if (sent.path != flow.path) {
                sent_before = highest;
                path = sent.path;
            }
        }
        return packet.sequence < sent_before ? path : flow.path;
    }

    /* Returns the current averages, which a silence of 10 ms resets; -1: unknown. */
    std::pair<double, double> state(uint32_t to, uint32_t path) {
        double rtt = -1, share = -1;
        uint64_t at = 0;
        for (const Sample &one : samples_[{leaf_of_[to], path}]) {
            bool begins = at == 0 || one.at - at >= limits_.age_ns;
            rtt = begins ? one.rtt : rtt + (one.rtt - rtt) / 2;
            share = begins ? one.marked : share + (one.marked - share) / 16;
            at = one.at;
        }
        return at == 0 || now_ - at >= limits_.age_ns ? std::pair(-1.0, -1.0)
                                                      : std::pair(rtt, share);
    }

    PathType condition(uint32_t to, uint32_t path) {
        auto [rtt, share] = state(to, path);
        if (rtt >= 0 && share <= 0.4 && rtt < limits_.idle_rtt_ns + 20'000)
            return PathType::good;
        if (rtt >= 0 && share > 0.4 && rtt > 180'000)
            return PathType::congested;
        return PathType::gray;
    }

    PathType type(uint32_t to, uint32_t path) {
        for (uint64_t at : {pair_failed_[{to, path}], path_failed_[{leaf_of_[to], path}]})
            if (at != 0 && now_ - at < limits_.failed_ns) {
                failed++;
                return PathType::failed;
            }
        return condition(to, path);
    }

    void note_sent(uint32_t to, uint32_t path) {
        Window &window = windows_[{leaf_of_[to], path}];
        if (window.sent == 0)
            window.began = now_;
        window.sent++;
        if (window.sent < 100 || now_ - window.began < 10'000'000)
            return;
        if (window.resent * 1024 > window.sent * limits_.resent_per_1024 &&
            condition(to, path) != PathType::congested)
            path_failed_[{leaf_of_[to], path}] = now_;
        window = {};
    }

    /* Returns the register of an estimator that loses an eighth every 20 us since `from`. */
    double rate(const std::vector<Sent> &sent, uint64_t from) const {
        double sum = 0;
        for (const Sent &one : sent)
            sum += one.bytes * std::pow(7.0 / 8, static_cast<double>((now_ - from) / 20'000 -
                                                                     (one.at - from) / 20'000));
        return sum;
    }

    /* Returns the paths with the least rate, with a tolerance for the estimator's integer
     * rounding. */
    std::set<uint32_t> slowest(uint32_t to, const std::set<uint32_t> &among) {
        auto of = [&](uint32_t path) { return rate(on_path_[{leaf_of_[to], path}], 0); };
        double least = 1e18;
        for (uint32_t path : among)
            least = std::min(least, of(path));
        std::set<uint32_t> found;
        for (uint32_t path : among)
            if (of(path) <= 1.01 * least + 64)
                found.insert(path);
        return found;
    }

    HermesParams limits_;
    uint32_t paths_;
    std::vector<uint32_t> leaf_of_;
    uint64_t now_ = 0;
    std::map<uint32_t, Flow> flows_;
    std::map<Key, std::vector<Sample>> samples_;
    std::map<Key, std::vector<Sent>> on_path_;
    std::map<Key, uint32_t> timeouts_;
    std::map<Key, uint64_t> pair_failed_, path_failed_;
    std::map<Key, Window> windows_;
};

} // namespace sim

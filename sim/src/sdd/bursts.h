/*
 * Measures how long a link is busy and idle: the ON and OFF durations of a host that follows slots.
 */
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace sim {

class Bursts {
  public:
    /* gap_ns: idle time that ends a burst; shorter gaps are between frames of a burst. */
    explicit Bursts(uint64_t gap_ns) : gap_ns_(gap_ns) {
    }

    /* Adds a frame that occupies the link from `start_ns` on; frames must be in order. */
    void add(uint64_t start_ns, uint64_t duration_ns) {
        if (end_ns_ > 0 && start_ns > end_ns_ + gap_ns_) {
            on_.push_back(static_cast<double>(end_ns_ - start_ns_));
            off_.push_back(static_cast<double>(start_ns - end_ns_));
            start_ns_ = start_ns;
        } else if (end_ns_ == 0) {
            start_ns_ = start_ns;
        }
        end_ns_ = start_ns + duration_ns;
    }

    /* Standard deviations; none with fewer than two complete bursts. */
    std::optional<double> on_deviation_ns() const {
        return deviation(on_);
    }
    std::optional<double> off_deviation_ns() const {
        return deviation(off_);
    }

  private:
    static std::optional<double> deviation(const std::vector<double> &values) {
        if (values.size() < 2)
            return std::nullopt;
        double sum = 0, squares = 0;
        for (double value : values)
            sum += value;
        double mean = sum / static_cast<double>(values.size());
        for (double value : values)
            squares += (value - mean) * (value - mean);
        return std::sqrt(squares / static_cast<double>(values.size() - 1));
    }

    uint64_t gap_ns_;
    uint64_t start_ns_ = 0;
    uint64_t end_ns_ = 0;
    std::vector<double> on_;
    std::vector<double> off_;
};

} // namespace sim

/* Measurements of queues: lengths at regular intervals, and their distribution. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sim {

class Gauge {
  public:
    void add(uint64_t bytes) {
        bytes_.push_back(bytes);
    }

    double mean() const {
        double sum = std::accumulate(bytes_.begin(), bytes_.end(), 0.0);
        return bytes_.empty() ? 0 : sum / static_cast<double>(bytes_.size());
    }

    /* Percentile by nearest rank; 0 without samples. */
    uint64_t percentile(size_t percent) const {
        if (bytes_.empty())
            return 0;
        auto sorted = bytes_;
        std::sort(sorted.begin(), sorted.end());
        return sorted[(sorted.size() * percent + 99) / 100 - 1];
    }

  private:
    std::vector<uint64_t> bytes_;
};

} // namespace sim

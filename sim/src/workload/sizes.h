/*
 * Flow sizes by an empirical distribution: points of its cumulative function,
 * linear in between.
 */
#pragma once

#include <cstdint>
#include <vector>

namespace sim {

class Sizes {
  public:
    struct Point {
        double bytes;
        double probability; // of a flow of at most so many bytes
    };

    /* Throws std::invalid_argument unless both rise and the last probability
     * is 1. */
    explicit Sizes(std::vector<Point> points);

    /* uniform: in [0, 1). At least one byte. */
    uint64_t draw(double uniform) const;

    double mean() const;

  private:
    std::vector<Point> points_;
};

} // namespace sim

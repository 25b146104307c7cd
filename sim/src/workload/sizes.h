/*
 * Flow sizes by an empirical distribution: points of its cumulative function with linear
 * interpolation.
 */
#pragma once

#include <cstdint>
#include <vector>

namespace sim {

class Sizes {
  public:
    struct Point {
        double bytes;
        double probability; // of a flow of at most this many bytes
    };

    /* Throws std::invalid_argument unless sizes and probabilities increase and the last probability
     * is 1. */
    explicit Sizes(std::vector<Point> points);

    /* Returns a size of at least one byte. uniform: in [0, 1). */
    uint64_t draw(double uniform) const;

    double mean() const;

  private:
    std::vector<Point> points_;
};

} // namespace sim

#include "workload/sizes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sim {

Sizes::Sizes(std::vector<Point> points) : points_(std::move(points)) {
    if (points_.size() < 2 || points_.front().bytes < 0 || points_.back().probability != 1)
        throw std::invalid_argument(
            "sizes must be two points or more, the last with probability 1");
    for (size_t i = 1; i < points_.size(); i++)
        if (points_[i].bytes <= points_[i - 1].bytes ||
            points_[i].probability < points_[i - 1].probability)
            throw std::invalid_argument("sizes and their probabilities must rise");
}

uint64_t Sizes::draw(double uniform) const {
    auto above = std::upper_bound(points_.begin() + 1, points_.end() - 1, uniform,
                                  [](double u, const Point &p) { return u < p.probability; });
    const Point &from = *(above - 1);
    double width = above->probability - from.probability;
    double share = width > 0 ? std::clamp((uniform - from.probability) / width, 0.0, 1.0) : 0;
    double bytes = from.bytes + share * (above->bytes - from.bytes);
    return static_cast<uint64_t>(std::max(1.0, std::round(bytes)));
}

double Sizes::mean() const {
    double mean = points_.front().bytes * points_.front().probability;
    for (size_t i = 1; i < points_.size(); i++)
        mean += (points_[i].probability - points_[i - 1].probability) *
                (points_[i].bytes + points_[i - 1].bytes) / 2;
    return mean;
}

} // namespace sim

/* Counts how often a flow's data changed its path. */
#pragma once

#include <cstdint>
#include <vector>

namespace sim {

/* The reroutes of one flow, recorded where its paths are chosen. */
class Reroutes {
  public:
    /* Records a segment with data on this path. bytes: payload, above 0. */
    void note(uint32_t path, uint32_t bytes) {
        count_ += bytes_ > 0 && path != path_;
        path_ = path;
        bytes_ += bytes;
    }

    uint32_t count() const {
        return count_;
    }
    /* Payload, including retransmissions. */
    uint64_t bytes() const {
        return bytes_;
    }

  private:
    uint64_t bytes_ = 0;
    uint32_t path_ = 0;
    uint32_t count_ = 0;
};

} // namespace sim

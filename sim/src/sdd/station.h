/*
 * A host on the hybrid switch without TCP: it counts arriving datagrams and assigns them to their
 * messages.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sdd/traffic.h"

namespace sim {

class Station final : public Receiver {
  public:
    /* Assigns payload from a host to these messages; otherwise it is only counted. */
    void expect(uint32_t from, Messages &messages) {
        if (messages_.size() <= from)
            messages_.resize(from + 1);
        messages_[from] = &messages;
    }

    void receive(FramePtr frame, uint32_t /*port*/) override {
        frames_++;
        payload_ += frame->bytes - datagram_header_bytes;
        if (frame->from < messages_.size())
            messages_[frame->from]->arrived(*frame);
    }

    uint64_t frames() const {
        return frames_;
    }
    /* Bytes. */
    uint64_t payload() const {
        return payload_;
    }

  private:
    std::vector<Messages *> messages_; // by sender
    uint64_t frames_ = 0;
    uint64_t payload_ = 0;
};

} // namespace sim

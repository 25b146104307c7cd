/*
 * Explains flowlets' paths: writes a line of JSON for each flowlet that begins. Lines of hosts have
 * the form of evenweave-edge's decisions; lines of leaves name switches and their ports.
 */
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "workload/run.h"

namespace sim {

/* Whether libedge makes decisions in this scheme, which can be explained. */
bool is_explained(const std::string &scheme);

class Explanation final : public Explainer {
  public:
    /* Throws std::runtime_error if the file cannot be written. */
    explicit Explanation(const std::string &path);

    void host(uint32_t from, uint32_t to, const edge_trace &why) override;
    void leaf(const std::string &from, const std::string &to,
              const LeafDecision &decision) override;

    /* Throws std::runtime_error if the file could not be written completely. */
    void finish();

  private:
    std::string path_;
    std::ofstream file_;
};

} // namespace sim

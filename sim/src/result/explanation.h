/*
 * Why flowlets took their paths: a file with a line of JSON for each that began. Those of hosts are
 * as evenweave-edge shows its last ones; those of leaves name switches and their ports.
 */
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "workload/run.h"

namespace sim {

/* Whether libedge decides anything under this scheme that could be explained. */
bool is_explained(const std::string &scheme);

class Explanation final : public Explainer {
  public:
    /* Throws std::runtime_error if the file cannot be written. */
    explicit Explanation(const std::string &path);

    void host(uint32_t from, uint32_t to, const edge_trace &why) override;
    void leaf(const std::string &from, const std::string &to,
              const LeafDecision &decision) override;

    /* Throws std::runtime_error if not all of it could be written. */
    void finish();

  private:
    std::string path_;
    std::ofstream file_;
};

} // namespace sim

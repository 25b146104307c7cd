/*
 * Why flowlets took their paths: a file with a line of JSON for each that began, as
 * evenweave-edge shows its last ones.
 */
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "libedge.h"

namespace sim {

/* Whether hosts decide anything under this scheme that could be explained. */
bool is_explained(const std::string &scheme);

class Explanation {
  public:
    /* Throws std::runtime_error if the file cannot be written. */
    explicit Explanation(const std::string &path);

    void write(uint32_t from, uint32_t to, const edge_trace &why);

    /* Throws std::runtime_error if not all of it could be written. */
    void finish();

  private:
    std::string path_;
    std::ofstream file_;
};

} // namespace sim

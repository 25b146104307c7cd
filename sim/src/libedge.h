/*
 * libedge as it ships, compiled as C++. Its headers have no extern "C" guards, since hosts and BPF
 * need none.
 */
#pragma once

extern "C" {
#include "edge/choose.h"
#include "edge/delay.h"
#include "edge/feedback.h"
#include "edge/intflow.h"
#include "edge/option.h"
#include "edge/reorder.h"
#include "edge/switch/leaf.h"
#include "edge/switch/multipath.h"
#include "edge/switch/rate.h"
}

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reader-targets.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unistd.h>

/// What libFuzzer calls. @param data bytes of a file @param size how many @return 0
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    static const std::string SCRATCH = "/dev/shm/ml-cluster-" + std::to_string(getpid());
    static const auto& TARGET = ns3::mlcluster::fuzz::GetTargets().at(ML_CLUSTER_FUZZ_TARGET);
    TARGET(std::string(reinterpret_cast<const char*>(data), size), SCRATCH);
    return 0;
}

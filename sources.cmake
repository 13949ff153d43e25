# Copyright (c) 2026 The ml-cluster authors
#
# SPDX-License-Identifier: GPL-2.0-only

# The files of the module, for CMakeLists.txt and test/unit/CMakeLists.txt.
# `contrib/check-sources` compares them with the folders, `--fix` writes them anew.

# sources that need no ns-3
set(ML_CLUSTER_CORE_SOURCES
    model/collective/collective-type.cc
    model/common/diagnostics.cc
    model/common/quantity.cc
    model/report/run-report.cc
    model/topology/cluster-topology.cc
    model/topology/link-graph.cc
)

# sources that need ns-3
set(ML_CLUSTER_NS3_SOURCES
    model/collective/collective-planner.cc
    model/memory/memory-model.cc
    model/memory/per-npu-memory-model.cc
    model/network/network-backend.cc
)

# public headers
set(ML_CLUSTER_HEADERS
    helper/astra-config.h
    helper/cluster-helper.h
    helper/experiment-config.h
    model/collective/collective-algorithm.h
    model/collective/collective-plan.h
    model/collective/collective-planner.h
    model/collective/collective-type.h
    model/collective/rank-schedule.h
    model/common/diagnostics.h
    model/common/quantity.h
    model/memory/memory-model.h
    model/memory/per-npu-memory-model.h
    model/network/network-backend.h
    model/network/network-message.h
    model/report/run-report.h
    model/topology/cluster-topology.h
    model/topology/link-graph.h
    model/workload/chakra-reader.h
    model/workload/chakra-writer.h
    model/workload/cluster-workload.h
    model/workload/execution-graph.h
)

# ns-3 test suites
set(ML_CLUSTER_TEST_SUITES
)

# GoogleTest tests of the core
set(ML_CLUSTER_UNIT_TESTS
    test/unit/cluster-topology-test.cc
    test/unit/link-graph-test.cc
)

# programs, one file each
set(ML_CLUSTER_EXAMPLES
)

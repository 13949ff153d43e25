# Copyright (c) 2026 The ml-cluster authors
#
# SPDX-License-Identifier: GPL-2.0-only

# The files of the module, for CMakeLists.txt and test/unit/CMakeLists.txt.
# `contrib/check-sources` compares them with the folders, `--fix` writes them anew.

# sources that need no ns-3
set(ML_CLUSTER_CORE_SOURCES
    helper/collective-sweep.cc
    helper/config-document.cc
    helper/effective-config.cc
    helper/experiment-config.cc
    helper/experiment-dimensions.cc
    helper/experiment-input.cc
    helper/experiment-keys.cc
    helper/experiment-schema.cc
    helper/module-version.cc
    helper/report-table.cc
    helper/result-folder.cc
    helper/result-writer.cc
    model/collective/collective-algorithm.cc
    model/collective/collective-type.cc
    model/collective/direct-algorithm.cc
    model/collective/halving-doubling-algorithm.cc
    model/collective/part-sizes.cc
    model/collective/rank-schedule.cc
    model/collective/relay-algorithm.cc
    model/collective/ring-algorithm.cc
    model/common/diagnostics.cc
    model/common/quantity.cc
    model/npu/message-mailbox.cc
    model/npu/time-breakdown.cc
    model/report/run-report.cc
    model/topology/cluster-topology.cc
    model/topology/link-graph.cc
    model/workload/cluster-workload.cc
    model/workload/communication-index.cc
    model/workload/communicator-groups.cc
    model/workload/execution-graph.cc
    model/workload/message-tally.cc
    model/workload/trace-file.cc
    model/workload/workload-checker.cc
)

# sources that need ns-3
set(ML_CLUSTER_NS3_SOURCES
    helper/cluster-helper.cc
    helper/cluster-pcap-helper.cc
    helper/experiment-runner.cc
    helper/run-control.cc
    helper/run-recorder.cc
    helper/stuck-report.cc
    model/collective/collective-executor.cc
    model/collective/collective-planner.cc
    model/memory/memory-model.cc
    model/memory/per-npu-memory-model.cc
    model/network/analytical-channel.cc
    model/network/cluster-link-channel.cc
    model/network/cluster-net-device.cc
    model/network/message-header.cc
    model/network/network-backend.cc
    model/network/packet-backend.cc
    model/network/packet-forwarder.cc
    model/network/packet-frame.cc
    model/network/packet-transport.cc
    model/npu/collective-table.cc
    model/npu/npu-application.cc
)

# public headers
set(ML_CLUSTER_HEADERS
    helper/astra-config.h
    helper/cluster-helper.h
    helper/cluster-pcap-helper.h
    helper/collective-sweep.h
    helper/config-document.h
    helper/effective-config.h
    helper/experiment-config.h
    helper/experiment-dimensions.h
    helper/experiment-input.h
    helper/experiment-runner.h
    helper/experiment-schema.h
    helper/module-version.h
    helper/report-table.h
    helper/result-folder.h
    helper/result-writer.h
    helper/run-control.h
    helper/run-recorder.h
    helper/stuck-report.h
    model/collective/collective-algorithm.h
    model/collective/collective-executor.h
    model/collective/collective-plan.h
    model/collective/collective-planner.h
    model/collective/collective-type.h
    model/collective/direct-algorithm.h
    model/collective/halving-doubling-algorithm.h
    model/collective/part-sizes.h
    model/collective/rank-schedule.h
    model/collective/relay-algorithm.h
    model/collective/ring-algorithm.h
    model/common/diagnostics.h
    model/common/ns3-compatibility.h
    model/common/quantity.h
    model/memory/memory-model.h
    model/memory/per-npu-memory-model.h
    model/network/analytical-channel.h
    model/network/cluster-link-channel.h
    model/network/cluster-net-device.h
    model/network/message-header.h
    model/network/network-backend.h
    model/network/network-message.h
    model/network/packet-backend.h
    model/network/packet-forwarder.h
    model/network/packet-frame.h
    model/network/packet-transport.h
    model/npu/collective-table.h
    model/npu/message-mailbox.h
    model/npu/npu-application.h
    model/npu/time-breakdown.h
    model/report/run-report.h
    model/topology/cluster-topology.h
    model/topology/link-graph.h
    model/workload/chakra-reader.h
    model/workload/chakra-writer.h
    model/workload/cluster-workload.h
    model/workload/communication-index.h
    model/workload/communicator-groups.h
    model/workload/execution-graph.h
    model/workload/message-tally.h
    model/workload/trace-file.h
    model/workload/workload-checker.h
)

# ns-3 test suites
set(ML_CLUSTER_TEST_SUITES
    test/packet-backend-test-suite.cc
)

# GoogleTest tests of the core
set(ML_CLUSTER_UNIT_TESTS
    test/unit/cluster-topology-test.cc
    test/unit/collective-sweep-test.cc
    test/unit/link-graph-test.cc
    test/unit/report-table-test.cc
    test/unit/result-folder-test.cc
    test/unit/result-writer-test.cc
)

# programs, one file each
set(ML_CLUSTER_EXAMPLES
    examples/benchmark/ml-cluster-benchmark-packet.cc
)

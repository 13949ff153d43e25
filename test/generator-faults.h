/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GENERATOR_FAULTS_H
#define ML_CLUSTER_GENERATOR_FAULTS_H

#include "transformer-faults.h"

#include <map>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/// @ingroup ml-cluster-tests
/// Errors of recommendation models.
inline const std::vector<GeneratorFault> DLRM_FAULTS{
    {"model: dlrm",
     {"8: workload.dlrm.model: \"dlrm\" is no recommendation model; allowed are dlrm-kaggle, "
      "dlrm-mlperf",
      "workload.dlrm.batch: 1 samples; needed is a multiple of the 4 NPUs"}},
    {"vector-size: 16, rows: [10, 20], bottom-widths: [13, 16], top-widths: [8, 1], batch: 10",
     {"8: workload.dlrm.batch: 10 samples; needed is a multiple of the 4 NPUs"}},
    {"+tables: 3",
     {"8: workload.dlrm.rows: 2 values are given for 3 tables; allowed is one for all, or one for "
      "each"}},
    {"vector-size: 16, bottom-widths: [13, 16], top-widths: [1], batch: 8, tables: 4",
     {"workload.dlrm.rows: is missing; needed are rows of the 4 tables, one number for all or one "
      "each"}},
    {"+pooling: [1, 2, 3]",
     {"8: workload.dlrm.pooling: 3 values are given for 2 tables; allowed is one for all, or one "
      "for each"}},
    {"+pooling: 0", {"8: workload.dlrm.pooling: '0' is too small; the least is 1"}},
    {"+sharding: rows",
     {"8: workload.dlrm.sharding: 'rows' is not known (nearest: row); allowed are table, row, "
      "column, data"}},
    {"+sharding: column, shards: 3",
     {"8: workload.dlrm.shards: table 0 has 3 shards of 16 columns for 4 ranks; allowed is 1, "
      "column-wise a divisor of the columns up to the number of ranks"}},
    {"+sharding: column, shards: 8",
     {"8: workload.dlrm.shards: table 0 has 8 shards of 16 columns for 4 ranks; allowed is 1, "
      "column-wise a divisor of the columns up to the number of ranks"}},
    {"+sharding: [row, table], ranks: [0, 4]",
     {"8: workload.dlrm.ranks: table 0 is to be on ranks 0; allowed are none, which are then "
      "chosen, or table- and column-wise 1 different ones below 4"}},
    {"+ranks: [x, auto]",
     {"8: workload.dlrm.ranks: 'x' is no whole number; allowed are digits without sign, leading "
      "zero or unit, for example 4"}},
    {"+sharding: column, shards: 2, ranks: 1+1",
     {"8: workload.dlrm.ranks: table 0 is to be on ranks 1, 1; allowed are none, which are then "
      "chosen, or table- and column-wise 2 different ones below 4"}},
    {"vector-size: 16, rows: 10, bottom-widths: [13, 8], top-widths: [1], batch: 8",
     {"8: workload.dlrm.bottom-widths: 13, 8; needed are at least two, the last of them "
      "vector-size, 16"}},
    {"batch: 8",
     {"workload.dlrm.model: needed is the name of a published model, or all of vector-size, rows, "
      "bottom-widths, top-widths; missing: vector-size, rows, bottom-widths, top-widths"}},
    {"vector-size: 16, rows: 10, bottom-widths: [13], top-widths: [1], batch: 8",
     {"8: workload.dlrm.bottom-widths: 13; needed are at least two, the last of them vector-size, "
      "16"}},
    {"vector-size: 16, rows: 10, bottom-widths: [13, 16], top-widths: [8, 2], batch: 8",
     {"8: workload.dlrm.top-widths: 8, 2; the last of them must be 1"}},
    {"vector-size: 16, rows: [10, 20], top-widths: [8, 1], batch: 8, bottom-widths: "
     "[18446744073709551615, 16]",
     {"8: workload.dlrm.bottom-widths: layer \"bottom 0\" has a size of 18446744073709551615; "
      "allowed are 1 to 2^32"}},
    {"vector-size: 16, rows: 18446744073709551615, bottom-widths: [13, 16], top-widths: [1], "
     "batch: 8",
     {"8: workload.dlrm.rows: elements of tables: more than 2^64 - 1, which cannot be counted"}},
    {"vector-size: 16, rows: [10, 20], bottom-widths: [13, 16], top-widths: [8, 1], batch: 8192",
     {"workload.dlrm: tables lie unevenly on 8192 ranks; allowed are up to 4096, or tables that "
      "give all ranks equal parts"},
     "Switch(8192)"},
    {"+element-bytes: 0", {"8: workload.dlrm.element-bytes: '0' is too small; the least is 1"}},
    {"+index-bytes: 18446744073709551615",
     {"workload.dlrm: bytes of lengths: more than 2^64 - 1, which cannot be counted"}},
    {"+pooling: 18446744073709551615",
     {"8: workload.dlrm.pooling: elements read for a sample: more than 2^64 - 1, which cannot be "
      "counted"}},
    {"vector-size: 18446744073709551615, rows: 10, bottom-widths: [13, 18446744073709551615], "
     "top-widths: [8, 1], batch: 8",
     {"8: workload.dlrm.bottom-widths: layer \"bottom 0\" has a size of 18446744073709551615; "
      "allowed are 1 to 2^32",
      "8: workload.dlrm.top-widths: width of the top MLP's input: more than 2^64 - 1, which cannot "
      "be counted"}},
    {"vector-size: 16, rows: 10, bottom-widths: [13, 16], top-widths: [8, 1], batch: 8, tables: "
     "1048577",
     {"8: workload.dlrm.tables: '1048577' is too large; the most is 1048576"}},
};

/// @ingroup ml-cluster-tests
/// Errors of networks of layers.
inline const std::vector<GeneratorFault> LAYERED_FAULTS{
    {"batch: 8",
     {"workload.layers.model: no network is given; needed is one of model, file and widths"}},
    {"model: resnet-50, widths: [1, 2], batch: 8",
     {"8: workload.layers.model: several networks are given; needed is one of model, file and "
      "widths"}},
    {"model: resnet, batch: 8",
     {"8: workload.layers.model: \"resnet\" is no network; allowed are resnet-50, vgg-16"}},
    {"widths: [64], batch: 8",
     {"8: workload.layers.widths: 64; needed are at least two, that of the input first"}},
    {"widths: [4294967297, 1], batch: 8",
     {"8: workload.layers.widths: layer \"fc 0\" has a size of 4294967297; allowed are 1 to 2^32"}},
    {"model: vgg-16, batch: 6, tensor: 3",
     {"8: workload.layers.batch: 6 samples; needed is a multiple of the 4 NPUs",
      "8: workload.layers.tensor: 3; it must divide the 4 NPUs"}},
    {"file: missing.csv, batch: 8",
     {"8: workload.layers.file: missing.csv: No such file or directory"}},
    {"file: empty.csv, batch: 8",
     {"8: workload.layers.file: empty.csv: the first line must be Layer, m, n, k"}},
    {"file: head.csv, batch: 8",
     {"8: workload.layers.file: head.csv: there are no layers; needed is a line of each"}},
    {"file: bad.csv, batch: 8",
     {"bad.csv:2: a: 3 columns are given; needed are 4",
      "bad.csv:3: b: m is 9; needed is a multiple of the batch, 8",
      "bad.csv:4: c c: the name \"c c\" is empty or has blanks",
      "bad.csv:5: d: 'x' is no whole number; allowed are digits without sign, leading zero or "
      "unit, for example 4",
      "bad.csv:6: e: m, n and k must be above 0",
      "bad.csv:7: f: '2199023255552' is too large; the most is 1099511627776"}},
    {"file: pol.csv, batch: 8",
     {"pol.csv:2: a: \"DAT\" is no policy of a layer, did you mean DATA?; allowed are DATA, MODEL, "
      "HYBRID_DATA_MODEL, HYBRID_MODEL_DATA"}},
    {"file: big.csv, batch: 8",
     {"big.csv:2: a: elements of a sample: more than 2^64 - 1, which cannot be counted"}},
    {"widths: [8, 8, 8], batch: 8, data-layers: [fc 0, fc 7], tensor-layers: [fc 0]",
     {"8: workload.layers.data-layers: \"fc 7\" is no layer, did you mean fc 0?; allowed are fc 0, "
      "fc 1",
      "8: workload.layers.tensor-layers: \"fc 0\" is named twice; allowed is once, in one of the "
      "lists"}},
    {"widths: [8, 8, 8], batch: 8, parallelism: model",
     {"8: workload.layers.parallelism: 'model' is not known; allowed are data, hybrid, tensor"}},
    {"widths: [4294967296, 2147483648], batch: 8",
     {"workload.layers: operations of 'fc 0': more than 2^64 - 1, which cannot be counted"}},
    {"widths: [4, 4], batch: 8, element-bytes: 18446744073709551615",
     {"workload.layers: bytes of 'fc 0': more than 2^64 - 1, which cannot be counted"}},
};

/// @ingroup ml-cluster-tests
/// Errors of mixtures of experts in remote memory.
inline const std::vector<GeneratorFault> REMOTE_MOE_FAULTS{
    {"+top-experts: 5",
     {"8: workload.remote-moe.top-experts: 5; allowed are 1 to the 4 experts of a layer"}},
    {"parameters: 0", {"8: workload.remote-moe.parameters: '0' is too small; the least is 1"}},
    {"layers: 65537", {"8: workload.remote-moe.layers: '65537' is too large; the most is 65536"}},
    {"+dense-fraction: 1",
     {"8: workload.remote-moe.dense-fraction: 1; allowed are numbers from 0 to below 1, such as "
      "0.01 (0: 12 / (12 + 8 E) of E experts in a layer)"}},
    {"parameters: 100, layers: 50",
     {"8: workload.remote-moe.parameters: 100 leave 0 dense ones for each of 50 layers, and 100 "
      "for 4 experts in each; needed is at least one for every layer and expert: more parameters, "
      "or fewer layers or experts"}},
    {"+parameter-location: far, gradient-location: 0, optimizer-location: 64, activation-location: "
     "-1",
     {"8: workload.remote-moe.parameter-location: 'far' is no memory; allowed are local, remote, "
      "or a number from 1 (the NPU's own memory) to 63",
      "8: workload.remote-moe.gradient-location: '0' is no memory; allowed are local, remote, or a "
      "number from 1 (the NPU's own memory) to 63",
      "8: workload.remote-moe.optimizer-location: '64' is too large; the most is 63",
      "8: workload.remote-moe.activation-location: '-1' is no memory; allowed are local, remote, "
      "or a number from 1 (the NPU's own memory) to 63"}},
    {"+tokens: 18446744073709551615",
     {"workload.remote-moe: operations of 'layer 0 dense': more than 2^64 - 1, which cannot be "
      "counted"}},
};

/// @ingroup ml-cluster-tests
/// Errors of logs.
inline const std::vector<GeneratorFault> AICB_FAULTS{
    {"initialisation: true", {"workload.aicb.file: is missing; needed is the path of a file"}},
    {"file: missing.csv", {"7: workload.aicb.file: missing.csv: No such file or directory"}},
    {"file: a0.csv",
     {"a0.csv: log: is no log of AICB: needed are a line such as [rank0 ~ rank127] and a heading"}},
    {"file: a1.csv",
     {"a1.csv:3: comm_type: \"all_redduce\" is no comm_type, did you mean all_reduce?; ...",
      "a1.csv:4: comm_type: isend belongs to a pipeline, of which one log for all ranks does not "
      "say who sends to whom; allowed are collectives and computations",
      "a1.csv:5: msg_size: 'x' is no whole number; allowed are digits without sign, leading zero "
      "or unit, for example 4"}},
    {"file: a2.csv",
     {"a2.csv: log: there is nothing to do; needed are operations, of stages that begin with init "
      "only if initialisation is wanted"}},
    {"file: a3.csv",
     {"a3.csv: log: there is nothing to do; needed are operations, of stages that begin with init "
      "only if initialisation is wanted"}},
    {"file: a4.csv", {"a4.csv: log: groups of 3 ranks, 1 apart, do not divide 8 ranks evenly"}},
    {"file: a5.csv",
     {"a5.csv:3: _elapsed_time: a computation has no time; needed are measured ones, in ms",
      "a5.csv:4: _elapsed_time: '-2' is no time; allowed are ms from 0 to 9e9",
      "a5.csv:5: count: 3 is given; allowed is 1, one operation a row"}},
};

/// @ingroup ml-cluster-tests
/// Errors of the section workload.
inline const std::vector<GeneratorFault> WORKLOAD_FAULTS{
    {"text: {file: ok.txt}",
     {"cluster.npu.roofline: must be false: the workload has durations, no operations"}},
    {"dlrm: {vector-size: 16, rows: [10, 20], bottom-widths: [13, 16], top-widths: [8, 1], batch: "
     "8}",
     {"cluster.npu.roofline: must be true, with peak-flops and memory-bandwidth: the workload has "
      "operations and bytes, no durations"},
     "",
     false},
    {"text: {file: ok.txt}, dlrm: {batch: 4}",
     {"workload: dlrm, text exclude each other; give one of chakra, collective, transformer, dlrm, "
      "layers, remote-moe, text, aicb"}},
    {"skip-repeats: true",
     {"workload: nothing to do is given; give one of chakra, collective, transformer, dlrm, "
      "layers, remote-moe, text, aicb"}},
    {"skip-repeats: true, collective: {type: barrier}",
     {"7: workload.skip-repeats: goes with workloads that are generated, not with collective"},
     "",
     false},
    {"groups: x, text: {file: ok.txt}",
     {"7: workload.groups: goes with workload.chakra only"},
     "",
     false},
};

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GENERATOR_FAULTS_H

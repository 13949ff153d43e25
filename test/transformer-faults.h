/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRANSFORMER_FAULTS_H
#define ML_CLUSTER_TRANSFORMER_FAULTS_H

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/**
 * @ingroup ml-cluster-tests
 * A section of an experiment file that is wrong, and what is told of it.
 */
struct GeneratorFault
{
    std::string settings;            ///< of the section; those of a working one go before "+"
    std::vector<std::string> errors; ///< without the path of the experiment file; "..." is any end
    std::string topology{};          ///< notation; "": the usual one
    bool hasRoofline{true};          ///< whether NPUs have one, if the section is none
};

/// @ingroup ml-cluster-tests
/// Errors of transformers.
inline const std::vector<GeneratorFault> TRANSFORMER_FAULTS{
    {"hidden-size: 64, layers: -1",
     {"8: workload.transformer.layers: '-1' is no whole number; allowed are digits without sign, "
      "leading zero or unit, for example 4"}},
    {"+tensor: 0", {"8: workload.transformer.tensor: '0' is too small; the least is 1"}},
    {"+micro-batch: 4294967296",
     {"8: workload.transformer.micro-batch: '4294967296' is too large; the most is 4294967295"}},
    {"+schedule: 1f1",
     {"8: workload.transformer.schedule: '1f1' is not known (nearest: 1f1b); allowed are gpipe, "
      "1f1b, interleaved, zero-bubble"}},
    {"+tensr: 2",
     {"8: workload.transformer.tensr: there is no such key; did you mean tensor? ..."}},
    {"+tensor: [1, 2]",
     {"8: workload.transformer.tensor: a list is given; one value is needed: tensor parallelism: "
      "ranks that share a layer"}},
    {"+bucket-size: 12",
     {"8: workload.transformer.bucket-size: '12' is no size: the unit is missing; allowed are, for "
      "example, 64MiB, 100kB, 4096B, 512Mbit"}},
    {"+expert-skew: x",
     {"8: workload.transformer.expert-skew: 'x' is no factor; allowed are numbers from 0 on "
      "without unit, for example 1.5"}},
    {"+sequence-parallel: maybe",
     {"8: workload.transformer.sequence-parallel: 'maybe' is no truth value; allowed are true, "
      "false"}},
    {"+stage-layers: [0, 2]",
     {"8: workload.transformer.stage-layers[0]: '0' is too small; the least is 1"}},
    {"+zero-stage: 4", {"8: workload.transformer.zero-stage: '4' is too large; the most is 3"}},
    {"tensor: 1",
     {"workload.transformer.model: needed is the name of a published model, or all of layers, "
      "hidden-size, heads, vocabulary, sequence-length; missing: layers, hidden-size, heads, "
      "vocabulary, sequence-length"}},
    {"model: gpt5", {"8: workload.transformer.model: \"gpt5\" is no model; ..."}},
    {"+tensor: 3",
     {"8: workload.transformer.tensor: tensor 3 x context 1 x pipeline 1 must divide the number of "
      "NPUs, 4"}},
    {"+data: 3",
     {"8: workload.transformer.data: tensor 1 x context 1 x pipeline 1 x data 3 must be the number "
      "of NPUs, 4"}},
    {"+global-batch: 6",
     {"8: workload.transformer.global-batch: 6 sequences are no multiple, up to 2^32 - 1, of "
      "micro-batch 1 x data 4"}},
    {"+global-batch: 8, micro-batches: 3",
     {"8: workload.transformer.micro-batches: 3 contradicts the global batch of 8 sequences, which "
      "makes 2 micro-batches; give one of both"}},
    {"+kv-heads: 3", {"8: workload.transformer.kv-heads: 3: it must divide heads, 4"}},
    {"+tensor: 4, kv-heads: 2", {"8: workload.transformer.tensor: 4: it must divide kv-heads, 2"}},
    {"layers: 2, heads: 4, vocabulary: 64, sequence-length: 32, family: llama, hidden-size: 20",
     {"8: workload.transformer.heads: 4: hidden-size / heads is 5; rotary positions need an even "
      "number"}},
    {"layers: 2, hidden-size: 66, heads: 4, vocabulary: 64, sequence-length: 32",
     {"8: workload.transformer.heads: 4: it must divide hidden-size, 66"}},
    {"layers: 100001, hidden-size: 64, heads: 4, vocabulary: 64, sequence-length: 32",
     {"8: workload.transformer.layers: 100001: allowed is 1 to 100000"}},
    {"layers: 2, hidden-size: 64, heads: 4, vocabulary: 63, ffn-size: 190, sequence-length: 32, "
     "tensor: 4",
     {"8: workload.transformer.tensor: 4: it must divide ffn-size, 190",
      "8: workload.transformer.tensor: 4: it must divide vocabulary, 63"}},
    {"layers: 2, hidden-size: 64, heads: 4, vocabulary: 64, sequence-length: 30, context: 4",
     {"8: workload.transformer.context: 4: it must divide sequence-length, 30"}},
    {"layers: 2, hidden-size: 64, heads: 4, vocabulary: 64, sequence-length: 12, context: 4, "
     "flash-attention: true, causal: true",
     {"8: workload.transformer.context: 2 x context = 8: it must divide sequence-length, 12"}},
    {"layers: 2, hidden-size: 64, heads: 4, vocabulary: 64, sequence-length: 6, context: 2, "
     "tensor: 2, sequence-parallel: true",
     {"8: workload.transformer.context: tensor x context = 4: it must divide sequence-length, with "
      "sequence parallelism, 6"}},
    {"+context: 4, context-scheme: ulysses, kv-heads: 2",
     {"8: workload.transformer.context: tensor x context = 4: it must divide kv-heads, which "
      "ulysses trades, 2"}},
    {"+chunks: 2",
     {"8: workload.transformer.chunks: 2 chunks a stage with the schedule 1f1b and 1 stages; only "
      "interleaved, with at least 2 stages, has more than one"}},
    {"hidden-size: 64, heads: 4, vocabulary: 64, sequence-length: 32, pipeline: 2, schedule: "
     "interleaved, chunks: 2, micro-batches: 3, layers: 4",
     {"8: workload.transformer.chunks: 3 micro-batches; interleaved needs a multiple of the 2 "
      "stages"}},
    {"+micro-batches: 1048577",
     {"8: workload.transformer.micro-batches: a pipeline of 1 stages, 1048577 micro-batches and 1 "
      "chunks a stage: each must be at least 1, and micro-batches x chunks at most 1048576"}},
    {"+rank-order: tensor-data",
     {"8: workload.transformer.rank-order: \"tensor-data\" is no rank order; allowed is each of "
      "tensor, context, data and pipeline once, fastest first, such as "
      "tensor-context-data-pipeline"}},
    {"+pipeline: 4",
     {"8: workload.transformer.pipeline: pipeline x chunks = 4: each part needs a layer, and there "
      "are 2"}},
    {"+pipeline: 2, stage-layers: [2, 1]",
     {"8: workload.transformer.stage-layers: 2, 1: allowed are 2 numbers (pipeline x chunks), none "
      "0, that add up to layers, 2"}},
    {"+top-experts: 2",
     {"8: workload.transformer.top-experts: 2: the model has no experts; experts is their number"}},
    {"+expert-ffn-size: 2, shared-ffn-size: 3, expert: 2",
     {"8: workload.transformer.expert-ffn-size: 2: the model has no experts; experts is their "
      "number",
      "8: workload.transformer.shared-ffn-size: 3: the model has no experts; experts is their "
      "number",
      "8: workload.transformer.expert: 2: the model has no experts; experts is their number"}},
    {"+experts: 100001, top-experts: 1",
     {"8: workload.transformer.experts: 100001: allowed is 0 to 100000"}},
    {"+experts: 4, top-experts: 5",
     {"8: workload.transformer.top-experts: 5: allowed is 1 to the number of experts, 4"}},
    {"+experts: 4, top-experts: 1, expert: 3",
     {"8: workload.transformer.expert: the expert degree is 3; it must divide the 4 ranks of a "
      "stage that experts are spread over, data x context",
      "8: workload.transformer.expert: 3: it must divide experts, 4"}},
    {"+experts: 6, top-experts: 1, expert: 4",
     {"8: workload.transformer.expert: 4: it must divide experts, 6"}},
    {"+experts: 4, top-experts: 1, tensor: 4, expert-ffn-size: 6",
     {"workload.transformer.expert-tensor: 4: it must divide expert-ffn-size, 6"}},
    {"+experts: 4, top-experts: 1, tensor: 2, expert-tensor: 1",
     {"8: workload.transformer.expert-tensor: 1: less than tensor, 2, needs sequence-parallel, "
      "since all ranks of a tensor group else send the same tokens"}},
    {"+experts: 4, top-experts: 1, tensor: 4, expert-tensor: 2, sequence-parallel: true",
     {"8: workload.transformer.expert-tensor: the tensor degree of experts is 2; allowed are 1 and "
      "that of the plan, 4"}},
    {"+capacity-factor: 2",
     {"8: workload.transformer.capacity-factor: 2: allowed is 0 to experts / top-experts, 0, where "
      "each expert has room for all tokens"}},
    {"+experts: 4, top-experts: 2, capacity-factor: 3",
     {"8: workload.transformer.capacity-factor: 3: allowed is 0 to experts / top-experts, 2, where "
      "each expert has room for all tokens"}},
    {"+expert-skew: 1",
     {"8: workload.transformer.expert-skew: 1: allowed is a number of at least 0, and 0 without "
      "experts"}},
    {"+expert-skew: -1",
     {"8: workload.transformer.expert-skew: '-1' is no factor; allowed are numbers from 0 on "
      "without unit, for example 1.5"}},
    {"+element-bytes: 3, gradient-bytes: 8",
     {"8: workload.transformer.element-bytes: 3: allowed are 1, 2 and 4",
      "8: workload.transformer.gradient-bytes: 8: allowed are 1, 2 and 4"}},
    {"layers: 2, hidden-size: 4294967292, heads: 4, vocabulary: 4294967292, sequence-length: "
     "4294967292",
     {"8: workload.transformer.hidden-size: 4294967292: allowed is 1 to 2147483648",
      "8: workload.transformer.vocabulary: 4294967292: allowed is 1 to 2147483648",
      "8: workload.transformer.sequence-length: 4294967292: allowed is 1 to 2147483648"}},
    {"model: mpt-7b, bucket-size: 1B",
     {"8: workload.transformer.bucket-size: buckets of 1 bytes would cut the gradients of "
      "6658859008 parameters of a rank in more than 65536 parts"}},
    {"+dropout: yes",
     {"8: workload.transformer.dropout: 'yes' is not known; allowed are auto, true, false"}},
    {"+family: mpt",
     {"8: workload.transformer.family: 'mpt' is not known (nearest: gpt); allowed are gpt, llama"}},
    {"+recompute: some, context-scheme: rings",
     {"8: workload.transformer.recompute: 'some' is not known (nearest: none); allowed are none, "
      "selective, full",
      "8: workload.transformer.context-scheme: 'rings' is not known (nearest: ring); allowed are "
      "ring, all-gather, ulysses"}},
    {"layers: 2, hidden-size: 2147483648, heads: 4, vocabulary: 2147483648, sequence-length: "
     "2147483648",
     {"workload.transformer.model: operations of 'norm 1': more than 2^64 - 1, which cannot be "
      "counted"}},
};

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRANSFORMER_FAULTS_H

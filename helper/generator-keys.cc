/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "generator-keys.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Value = ExperimentValue;
using Shape = ExperimentShape;

const std::string GENERATOR = "ns3::mlcluster::WorkloadGenerator::";
const std::string TEXT = "ns3::mlcluster::TextFileWorkload::";
const std::string DLRM = "ns3::mlcluster::DlrmWorkload::";
const std::string LAYERS = "ns3::mlcluster::LayeredWorkload::";
const std::string MOE = "ns3::mlcluster::RemoteMoeWorkload::";
const std::string AICB = "ns3::mlcluster::AicbWorkload::";
const std::string TRANSFORMER = "ns3::mlcluster::TransformerWorkload::";

/// Sections of "workload" that describe a generated one, and what generates it.
const std::vector<std::pair<std::string, std::string>> GENERATORS = {
    {"transformer", "ns3::mlcluster::TransformerWorkload"},
    {"dlrm", "ns3::mlcluster::DlrmWorkload"},
    {"layers", "ns3::mlcluster::LayeredWorkload"},
    {"remote-moe", "ns3::mlcluster::RemoteMoeWorkload"},
    {"text", "ns3::mlcluster::TextFileWorkload"},
    {"aicb", "ns3::mlcluster::AicbWorkload"},
};

/// Words for what a published model may have.
const std::vector<std::string> FLAGS{"auto", "true", "false"};

// clang-format off

std::vector<ExperimentKey>
GetModelKeys()
{
    return {
        {"workload.transformer.model", Value::Text, Shape::Single, TRANSFORMER + "Model",
         "published name of the model, such as GPT-3 175B; empty: its sizes are given"},
        {"workload.transformer.family", Value::Word, Shape::Single, TRANSFORMER + "Family",
         "what layers are made of: gpt or llama; empty: as the model has it, else gpt",
         {"gpt", "llama"}},
        {"workload.transformer.layers", Value::Count, Shape::Single, TRANSFORMER + "Layers",
         "layers; 0: as the model has it", {}, 0, UINT32_MAX},
        {"workload.transformer.hidden-size", Value::Count, Shape::Single, TRANSFORMER + "HiddenSize",
         "hidden size; 0: as the model has it", {}, 0, UINT32_MAX},
        {"workload.transformer.heads", Value::Count, Shape::Single, TRANSFORMER + "Heads",
         "attention heads; 0: as the model has it", {}, 0, UINT32_MAX},
        {"workload.transformer.kv-heads", Value::Count, Shape::Single, TRANSFORMER + "KvHeads",
         "key-value heads; 0: as the model has it, else one for each head", {}, 0, UINT32_MAX},
        {"workload.transformer.ffn-size", Value::Count, Shape::Single, TRANSFORMER + "FfnSize",
         "width of the FFN; 0: as the model has it, else 4 times the hidden size", {}, 0, UINT32_MAX},
        {"workload.transformer.vocabulary", Value::Count, Shape::Single, TRANSFORMER + "Vocabulary",
         "padded vocabulary; 0: as the model has it", {}, 0, UINT32_MAX},
        {"workload.transformer.sequence-length", Value::Count, Shape::Single, TRANSFORMER + "SequenceLength",
         "tokens of a sequence; 0: as the model has it", {}, 0, UINT32_MAX},
        {"workload.transformer.dropout", Value::Word, Shape::Single, TRANSFORMER + "Dropout",
         "whether a gpt is trained with dropout; auto: as the model has it, else true", FLAGS},
        {"workload.transformer.flash-attention", Value::Word, Shape::Single, TRANSFORMER + "FlashAttention",
         "whether the attention core is fused, so that scores are not written to memory; auto: as "
         "the model has it, else false", FLAGS},
        {"workload.transformer.causal", Value::Word, Shape::Single, TRANSFORMER + "Causal",
         "whether a fused attention core skips what is masked; auto: as the model has it, else false",
         FLAGS},
        {"workload.transformer.experts", Value::Count, Shape::Single, TRANSFORMER + "Experts",
         "experts of a layer that has some; 0: as the model has it", {}, 0, UINT32_MAX},
        {"workload.transformer.top-experts", Value::Count, Shape::Single, TRANSFORMER + "TopExperts",
         "experts a token goes to; 0: as the model has it", {}, 0, UINT32_MAX},
        {"workload.transformer.expert-interval", Value::Count, Shape::Single, TRANSFORMER + "ExpertInterval",
         "layers 0, i, 2 i, ... have experts; 0: as the model has it", {}, 0, UINT32_MAX},
        {"workload.transformer.expert-ffn-size", Value::Count, Shape::Single, TRANSFORMER + "ExpertFfnSize",
         "FFN width of an expert; 0: as the model has it, else that of the FFN", {}, 0, UINT32_MAX},
        {"workload.transformer.shared-ffn-size", Value::Count, Shape::Single, TRANSFORMER + "SharedFfnSize",
         "FFN width of the expert that all tokens take; 0: as the model has it", {}, 0, UINT32_MAX},
    };
}

std::vector<ExperimentKey>
GetParallelismKeys()
{
    return {
        {"workload.transformer.tensor", Value::Count, Shape::Single, TRANSFORMER + "Tensor",
         "tensor parallelism: ranks that share a layer", {}, 1, UINT32_MAX},
        {"workload.transformer.context", Value::Count, Shape::Single, TRANSFORMER + "Context",
         "context parallelism: ranks that share a sequence", {}, 1, UINT32_MAX},
        {"workload.transformer.pipeline", Value::Count, Shape::Single, TRANSFORMER + "Pipeline",
         "pipeline stages", {}, 1, UINT32_MAX},
        {"workload.transformer.data", Value::Count, Shape::Single, TRANSFORMER + "Data",
         "data parallelism: copies of the model; 0: as many as fill the topology", {}, 0, UINT32_MAX},
        {"workload.transformer.expert", Value::Count, Shape::Single, TRANSFORMER + "Expert",
         "expert parallelism: ranks that share the experts of a layer", {}, 1, UINT32_MAX},
        {"workload.transformer.expert-tensor", Value::Count, Shape::Single, TRANSFORMER + "ExpertTensor",
         "tensor parallelism of experts: 1 or that of layers; 0: that of layers", {}, 0, UINT32_MAX},
        {"workload.transformer.sequence-parallel", Value::Flag, Shape::Single, TRANSFORMER + "SequenceParallel",
         "whether norms and dropout are divided over the tensor group too"},
        {"workload.transformer.context-scheme", Value::Word, Shape::Single, TRANSFORMER + "ContextScheme",
         "how context parallelism exchanges keys and values: ring, all-gather or ulysses",
         {"ring", "all-gather", "ulysses"}},
        {"workload.transformer.rank-order", Value::Text, Shape::Single, TRANSFORMER + "RankOrder",
         "kinds of parallelism by which ranks are numbered, fastest first"},
        {"workload.transformer.micro-batch", Value::Count, Shape::Single, TRANSFORMER + "MicroBatch",
         "sequences of a micro-batch", {}, 1, UINT32_MAX},
        {"workload.transformer.micro-batches", Value::Count, Shape::Single, TRANSFORMER + "MicroBatches",
         "micro-batches of a step, on each copy of the model; 0: as global-batch says, else 1", {}, 0,
         UINT32_MAX},
        {"workload.transformer.global-batch", Value::Count, Shape::Single, TRANSFORMER + "GlobalBatch",
         "sequences of a step over all copies, instead of micro-batches; 0: not given", {}, 0, UINT32_MAX},
        {"workload.transformer.schedule", Value::Word, Shape::Single, TRANSFORMER + "Schedule",
         "pipeline schedule: gpipe, 1f1b, interleaved or zero-bubble",
         {"gpipe", "1f1b", "interleaved", "zero-bubble"}},
        {"workload.transformer.chunks", Value::Count, Shape::Single, TRANSFORMER + "Chunks",
         "parts of the model on a stage (interleaved)", {}, 1, UINT32_MAX},
        {"workload.transformer.stage-layers", Value::Count, Shape::List, TRANSFORMER + "StageLayers",
         "layers of each part of the model in order, separated by commas; empty: even", {}, 1, UINT32_MAX},
    };
}

std::vector<ExperimentKey>
GetTrainingKeys()
{
    return {
        {"workload.transformer.zero-stage", Value::Count, Shape::Single, TRANSFORMER + "ZeroStage",
         "what data parallelism shards: 0 nothing, 1 optimizer states, 2 gradients too, 3 "
         "weights too (FSDP)", {}, 0, 3},
        {"workload.transformer.bucket-size", Value::Size, Shape::Single, TRANSFORMER + "BucketBytes",
         "bytes of gradients reduced at once; 0: all of a rank"},
        {"workload.transformer.prefetch", Value::Count, Shape::Single, TRANSFORMER + "Prefetch",
         "zero-stage 3: layers gathered beyond the current one", {}, 0, UINT32_MAX},
        {"workload.transformer.reshard-after-forward", Value::Flag, Shape::Single, TRANSFORMER + "ReshardAfterForward",
         "zero-stage 3: whether weights are gathered again in the backward pass"},
        {"workload.transformer.overlap-gradients", Value::Flag, Shape::Single, TRANSFORMER + "OverlapGradients",
         "whether gradients are reduced while the last backward pass goes on"},
        {"workload.transformer.recompute", Value::Word, Shape::Single, TRANSFORMER + "Recompute",
         "what the backward pass computes again: none, selective (attention core) or full",
         {"none", "selective", "full"}},
        {"workload.transformer.element-bytes", Value::Count, Shape::Single, TRANSFORMER + "ElementBytes",
         "bytes of an activation or weight", {}, 1, UINT32_MAX},
        {"workload.transformer.gradient-bytes", Value::Count, Shape::Single, TRANSFORMER + "GradientBytes",
         "bytes of a gradient where gradients are added up and reduced", {}, 1, UINT32_MAX},
        {"workload.transformer.capacity-factor", Value::Number, Shape::Single, TRANSFORMER + "CapacityFactor",
         "capacity of experts over their even share of tokens; 0: no token is dropped"},
        {"workload.transformer.expert-skew", Value::Number, Shape::Single, TRANSFORMER + "ExpertSkew",
         "Zipf exponent of the load of experts; 0: all have the same"},
        {"workload.transformer.optimizer", Value::Flag, Shape::Single, TRANSFORMER + "Optimizer",
         "whether the step ends with the optimizer's"},
        {"workload.transformer.optimizer-bytes", Value::Count, Shape::Single, TRANSFORMER + "OptimizerBytes",
         "bytes that the optimizer reads and writes per parameter, beside the norm of gradients; 0: 28 "
         "and those of a weight, as Adam in mixed precision", {}, 0, UINT32_MAX},
    };
}

std::vector<ExperimentKey>
GetDlrmKeys()
{
    return {
        {"workload.dlrm.model", Value::Text, Shape::Single, DLRM + "Model",
         "published name of the model, such as dlrm-mlperf; empty: its sizes are given"},
        {"workload.dlrm.vector-size", Value::Count, Shape::Single, DLRM + "VectorSize",
         "columns of all tables; 0: as the model has it"},
        {"workload.dlrm.tables", Value::Count, Shape::Single, DLRM + "Tables",
         "embedding tables; 0: as many as the model has, or as rows are given for", {}, 0, 1 << 20},
        {"workload.dlrm.rows", Value::Count, Shape::List, DLRM + "Rows",
         "rows of tables, one number for all or one each; none: as the model has it", {}, 1},
        {"workload.dlrm.pooling", Value::Count, Shape::List, DLRM + "Pooling",
         "rows looked up and summed up for a sample, for all tables or each; none: as the model has "
         "it, else 1", {}, 1},
        {"workload.dlrm.sharding", Value::Word, Shape::List, DLRM + "Sharding",
         "how tables lie on NPUs, all or each: table (whole, on one), row or column (divided), data "
         "(whole, on all)", {"table", "row", "column", "data"}},
        {"workload.dlrm.shards", Value::Count, Shape::List, DLRM + "Shards",
         "NPUs that the columns of column-wise tables are divided over, for all tables or each", {}, 1,
         UINT32_MAX},
        {"workload.dlrm.ranks", Value::Text, Shape::List, DLRM + "Ranks",
         "ranks that table- and column-wise tables are on, such as 3, for all tables or each; several "
         "are joined by +; auto: so that all have equal work"},
        {"workload.dlrm.bottom-widths", Value::Count, Shape::List, DLRM + "BottomWidths",
         "dense features, then widths of the bottom MLP, the last of them vector-size; none: as the "
         "model has it", {}, 1},
        {"workload.dlrm.top-widths", Value::Count, Shape::List, DLRM + "TopWidths",
         "widths of the top MLP behind its input, the last of them 1; none: as the model has it", {}, 1},
        {"workload.dlrm.batch", Value::Count, Shape::Single, DLRM + "Batch",
         "samples of a step, on all NPUs together", {}, 1},
        {"workload.dlrm.steps", Value::Count, Shape::Single, DLRM + "Steps",
         "training steps", {}, 1, UINT32_MAX},
        {"workload.dlrm.element-bytes", Value::Count, Shape::Single, DLRM + "ElementBytes",
         "bytes of an element of the MLPs", {}, 1},
        {"workload.dlrm.gradient-bytes", Value::Count, Shape::Single, DLRM + "GradientBytes",
         "bytes of a gradient of the MLPs, and of replicated tables", {}, 1},
        {"workload.dlrm.embedding-bytes", Value::Count, Shape::Single, DLRM + "EmbeddingBytes",
         "bytes of an element of tables, and of the vectors exchanged", {}, 1},
        {"workload.dlrm.index-bytes", Value::Count, Shape::Single, DLRM + "IndexBytes",
         "bytes of an index of a row, and of a count of indices", {}, 1},
        {"workload.dlrm.bucket-size", Value::Size, Shape::Single, DLRM + "BucketBytes",
         "bytes of gradients of the MLPs reduced at once; 0: all"},
    };
}

std::vector<ExperimentKey>
GetLayerKeys()
{
    return {
        {"workload.layers.model", Value::Text, Shape::Single, LAYERS + "Model",
         "published name of the network, resnet-50 or vgg-16; empty: file or widths tell its layers"},
        {"workload.layers.file", Value::Text, Shape::Single, LAYERS + "File",
         "table Layer,m,n,k of layers as products of matrices m x k and k x n", {}, 0, UINT64_MAX, true},
        {"workload.layers.widths", Value::Count, Shape::List, LAYERS + "Widths",
         "widths of an MLP, that of its input first", {}, 1},
        {"workload.layers.parallelism", Value::Word, Shape::Single, LAYERS + "Parallelism",
         "how layers that no list names are trained: data (all NPUs have the weights), tensor (each "
         "has a part), hybrid (each of a tensor group has)", {"data", "hybrid", "tensor"}},
        {"workload.layers.data-layers", Value::Text, Shape::List, LAYERS + "DataLayers",
         "names of layers that are data-parallel"},
        {"workload.layers.hybrid-layers", Value::Text, Shape::List, LAYERS + "HybridLayers",
         "names of layers that tensor groups share"},
        {"workload.layers.tensor-layers", Value::Text, Shape::List, LAYERS + "TensorLayers",
         "names of layers that all NPUs share"},
        {"workload.layers.tensor", Value::Count, Shape::Single, LAYERS + "Tensor",
         "NPUs in a row that are a tensor group, of hybrid layers", {}, 1, UINT32_MAX},
        {"workload.layers.batch", Value::Count, Shape::Single, LAYERS + "Batch",
         "samples of a step, on all NPUs together", {}, 1},
        {"workload.layers.steps", Value::Count, Shape::Single, LAYERS + "Steps",
         "training steps", {}, 1, UINT32_MAX},
        {"workload.layers.element-bytes", Value::Count, Shape::Single, LAYERS + "ElementBytes",
         "bytes of an activation or weight", {}, 1},
        {"workload.layers.gradient-bytes", Value::Count, Shape::Single, LAYERS + "GradientBytes",
         "bytes of a gradient of weights", {}, 1},
        {"workload.layers.bucket-size", Value::Size, Shape::Single, LAYERS + "BucketBytes",
         "bytes of gradients reduced at once; 0: all of a rank"},
    };
}

std::vector<ExperimentKey>
GetRemoteMoeKeys()
{
    return {
        {"workload.remote-moe.parameters", Value::Count, Shape::Single, MOE + "Parameters",
         "parameters of the model", {}, 1, uint64_t{1} << 53},
        {"workload.remote-moe.layers", Value::Count, Shape::Single, MOE + "Layers",
         "layers, each with experts", {}, 1, 1 << 16},
        {"workload.remote-moe.experts-per-rank", Value::Count, Shape::Single, MOE + "ExpertsPerRank",
         "experts of a layer on each NPU", {}, 1, 1 << 16},
        {"workload.remote-moe.dense-fraction", Value::Number, Shape::Single, MOE + "DenseFraction",
         "part of the parameters that all tokens use, below 1; 0: 12 / (12 + 8 E) with E experts in "
         "a layer"},
        {"workload.remote-moe.hidden-size", Value::Count, Shape::Single, MOE + "HiddenSize",
         "elements of a token; 0: the root of a 12th of a layer's dense parameters"},
        {"workload.remote-moe.tokens", Value::Count, Shape::Single, MOE + "Tokens",
         "tokens of an NPU in a step", {}, 1},
        {"workload.remote-moe.top-experts", Value::Count, Shape::Single, MOE + "TopExperts",
         "experts a token goes to", {}, 1},
        {"workload.remote-moe.element-bytes", Value::Count, Shape::Single, MOE + "ElementBytes",
         "bytes of a weight, and of an element of a token", {}, 1},
        {"workload.remote-moe.gradient-bytes", Value::Count, Shape::Single, MOE + "GradientBytes",
         "bytes of a gradient of a weight", {}, 1},
        {"workload.remote-moe.operations", Value::Count, Shape::Single, MOE + "Operations",
         "floating-point operations of a token per weight, forward", {}, 1},
        {"workload.remote-moe.optimizer-bytes", Value::Count, Shape::Single, MOE + "OptimizerBytes",
         "bytes of the optimizer's states per parameter, loaded and stored again in a step; 0: no "
         "optimizer"},
        {"workload.remote-moe.parameter-location", Value::Text, Shape::Single,
         MOE + "ParameterLocation",
         "where parameters lie: local, remote, or a number of a memory from 1 (the own one)"},
        {"workload.remote-moe.gradient-location", Value::Text, Shape::Single, MOE + "GradientLocation",
         "where gradients of weights lie, likewise"},
        {"workload.remote-moe.optimizer-location", Value::Text, Shape::Single,
         MOE + "OptimizerLocation", "where the optimizer's states lie, likewise"},
        {"workload.remote-moe.activation-location", Value::Text, Shape::Single,
         MOE + "ActivationLocation",
         "where inputs of layers lie from their forward to their backward pass, likewise"},
        {"workload.remote-moe.prefetch", Value::Count, Shape::Single, MOE + "Prefetch",
         "layers whose loads may begin before the one that is computed has ended", {}, 0, UINT32_MAX},
        {"workload.remote-moe.recompute", Value::Flag, Shape::Single, MOE + "Recompute",
         "whether the backward pass computes the products of the forward one again"},
        {"workload.remote-moe.serial", Value::Flag, Shape::Single, MOE + "Serial",
         "whether everything is done one after the other, so that nothing overlaps"},
        {"workload.remote-moe.steps", Value::Count, Shape::Single, MOE + "Steps",
         "training steps", {}, 1, UINT32_MAX},
    };
}

std::vector<ExperimentKey>
GetTextKeys()
{
    return {
        {"workload.text.file", Value::Text, Shape::Single, TEXT + "File",
         "text file of layers, of ASTRA-sim 1.0, LIBRA or SimAI", {}, 0, UINT64_MAX, true},
        {"workload.text.dialect", Value::Word, Shape::Single, TEXT + "Dialect",
         "whose format it is; auto: by what it says", {"auto", "astra-sim", "libra", "simai"}},
        {"workload.text.form", Value::Word, Shape::Single, TEXT + "Form",
         "ASTRA-sim 1.0's training loop, or the graph of Chakra's converter",
         {"loop", "converter"}},
        {"workload.text.passes", Value::Count, Shape::Single, TEXT + "Passes",
         "training steps", {}, 1, UINT32_MAX},
        {"workload.text.compute-scale", Value::Number, Shape::Single, TEXT + "ComputeScale",
         "factor to compute times"},
        {"workload.text.communication-scale", Value::Number, Shape::Single,
         TEXT + "CommunicationScale", "factor to sizes of collectives"},
        {"workload.text.cycle", Value::Time, Shape::Single, TEXT + "Cycle",
         "time of a cycle, the unit of compute times"},
        {"workload.text.scheduling", Value::Word, Shape::Single, TEXT + "Scheduling",
         "which collective goes first where the loop says nothing; collectives.priority explicit "
         "heeds it", {"lifo", "fifo"}},
        {"workload.text.input-gradients", Value::Word, Shape::Single, TEXT + "InputGradients",
         "while a loop with model parallelism exchanges input gradients it computes weight "
         "gradients, as ASTRA-sim 1.0 does, or waits", {"overlapped", "blocking"}},
        {"workload.text.training-loop", Value::Text, Shape::Single, TEXT + "TrainingLoop",
         "training loop as a formula of phases, or a name of one; none: as the file's policy "
         "says"},
        {"workload.text.communicators", Value::Text, Shape::Single, TEXT + "Communicators",
         "LIBRA's communicator file", {}, 0, UINT64_MAX, true},
    };
}

std::vector<ExperimentKey>
GetAicbKeys()
{
    return {
        {"workload.aicb.file", Value::Text, Shape::Single, AICB + "File",
         "workload log of AICB, a table with communication and times of all ranks", {}, 0, UINT64_MAX,
         true},
        {"workload.aicb.initialisation", Value::Flag, Shape::Single, AICB + "Initialisation",
         "whether operations before the first step, whose stage begins with init, count"},
    };
}

// clang-format on

} // namespace

std::vector<ExperimentKey>
GetGeneratorKeys()
{
    std::vector<ExperimentKey> keys{{"workload.skip-repeats",
                                     Value::Flag,
                                     Shape::Single,
                                     GENERATOR + "SkipRepeats",
                                     "leave out equal parts of generated work, such as "
                                     "micro-batches, that are proven to repeat"}};
    for (const auto& section : {GetModelKeys(),
                                GetParallelismKeys(),
                                GetTrainingKeys(),
                                GetDlrmKeys(),
                                GetLayerKeys(),
                                GetRemoteMoeKeys(),
                                GetTextKeys(),
                                GetAicbKeys()})
    {
        keys.insert(keys.end(), section.begin(), section.end());
    }
    return keys;
}

std::vector<std::string>
GetWorkloadSources()
{
    std::vector<std::string> sources{"chakra", "collective"};
    for (const auto& [section, type] : GENERATORS)
    {
        sources.push_back(section);
    }
    return sources;
}

std::string
GetGeneratorOf(const std::string& source)
{
    const auto found = std::find_if(GENERATORS.begin(), GENERATORS.end(), [&](const auto& entry) {
        return entry.first == source;
    });
    return found == GENERATORS.end() ? "" : found->second;
}

} // namespace mlcluster
} // namespace ns3

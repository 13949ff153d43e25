/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a user sets of a TransformerWorkload.

#include "transformer-workload.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(TransformerWorkload);

TypeId
TransformerWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::TransformerWorkload")
            .SetParent<WorkloadGenerator>()
            .SetGroupName("MlCluster")
            .AddConstructor<TransformerWorkload>()
            .AddAttribute(
                "Model",
                "Published name of the model, such as GPT-3 175B; empty: its sizes are given.",
                StringValue(""),
                MakeStringAccessor(&TransformerWorkload::m_modelName),
                MakeStringChecker())
            .AddAttribute(
                "Family",
                "What layers are made of: gpt or llama; empty: as the model has it, else gpt.",
                StringValue(""),
                MakeStringAccessor(&TransformerWorkload::m_family),
                MakeStringChecker())
            .AddAttribute("Layers",
                          "Layers; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::layers)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HiddenSize",
                          "Hidden size; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::hiddenSize)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Heads",
                          "Attention heads; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::heads)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KvHeads",
                          "Key-value heads; 0: as the model has it, else one for each head.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::kvHeads)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("FfnSize",
                          "Width of the FFN; 0: as the model has it, else 4 times the hidden size.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::ffnSize)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Vocabulary",
                          "Padded vocabulary; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::vocabulary)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SequenceLength",
                          "Tokens of a sequence; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::sequenceLength)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Dropout",
                          "Whether a gpt is trained with dropout: true, false, or auto: as the "
                          "model has it, else true.",
                          StringValue("auto"),
                          MakeStringAccessor(&TransformerWorkload::m_dropout),
                          MakeStringChecker())
            .AddAttribute("FlashAttention",
                          "Whether the attention core is fused, so that scores are not written to "
                          "memory: true, false, or auto: as the model has it, else false.",
                          StringValue("auto"),
                          MakeStringAccessor(&TransformerWorkload::m_flashAttention),
                          MakeStringChecker())
            .AddAttribute("Causal",
                          "Whether a fused attention core skips what is masked: true, false, or "
                          "auto: as the model has it, else false.",
                          StringValue("auto"),
                          MakeStringAccessor(&TransformerWorkload::m_causal),
                          MakeStringChecker())
            .AddAttribute("Experts",
                          "Experts of a layer that has some; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::experts)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("TopExperts",
                          "Experts a token goes to; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::topExperts)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ExpertInterval",
                          "Layers 0, i, 2 i, ... have experts; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::expertInterval)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ExpertFfnSize",
                          "FFN width of an expert; 0: as the model has it, else that of the FFN.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::expertFfnSize)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SharedFfnSize",
                          "FFN width of the expert that all tokens take; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::sharedFfnSize)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Tensor",
                          "Tensor parallelism: ranks that share a layer.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::tensor)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Context",
                          "Context parallelism: ranks that share a sequence.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::context)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Pipeline",
                          "Pipeline stages.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::pipeline)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Data",
                          "Data parallelism: copies of the model; 0: as many as fill the topology.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&ParallelPlan::data)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Expert",
                          "Expert parallelism: ranks that share the experts of a layer.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::expert)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ExpertTensor",
                          "Tensor parallelism of experts: 1 or that of layers; 0: that of layers.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&ParallelPlan::expertTensor)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SequenceParallel",
                          "Whether norms and dropout are divided over the tensor group too.",
                          BooleanValue(false),
                          MakeBooleanAccessor(Of(&ParallelPlan::sequenceParallel)),
                          MakeBooleanChecker())
            .AddAttribute(
                "ContextScheme",
                "How context parallelism exchanges keys and values: ring, all-gather or ulysses.",
                StringValue("ring"),
                MakeStringAccessor(Of(&ParallelPlan::contextScheme)),
                MakeStringChecker())
            .AddAttribute("RankOrder",
                          "Kinds of parallelism by which ranks are numbered, fastest first.",
                          StringValue("tensor-context-data-pipeline"),
                          MakeStringAccessor(Of(&ParallelPlan::rankOrder)),
                          MakeStringChecker())
            .AddAttribute("MicroBatch",
                          "Sequences of a micro-batch.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::microBatch)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MicroBatches",
                          "Micro-batches of a step, on each copy of the model; 0: as GlobalBatch "
                          "says, else 1.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&ParallelPlan::microBatches)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "GlobalBatch",
                "Sequences of a step over all copies, instead of MicroBatches; 0: not given.",
                UintegerValue(0),
                MakeUintegerAccessor(&TransformerWorkload::m_globalBatch),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("Schedule",
                          "Pipeline schedule: gpipe, 1f1b, interleaved or zero-bubble.",
                          StringValue("1f1b"),
                          MakeStringAccessor(Of(&ParallelPlan::schedule)),
                          MakeStringChecker())
            .AddAttribute("Chunks",
                          "Parts of the model on a stage (interleaved).",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::chunks)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "StageLayers",
                "Layers of each part of the model in order, separated by commas; empty: even.",
                StringValue(""),
                MakeStringAccessor(&TransformerWorkload::m_stageLayers),
                MakeStringChecker())
            .AddAttribute("ZeroStage",
                          "What data parallelism shards: 0 nothing, 1 optimizer states, 2 "
                          "gradients too, 3 weights too (FSDP).",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&ParallelPlan::zeroStage)),
                          MakeUintegerChecker<uint32_t>(0, 3))
            .AddAttribute("BucketBytes",
                          "Bytes of gradients reduced at once; 0: all of a rank.",
                          UintegerValue(26214400),
                          MakeUintegerAccessor(Of(&ParallelPlan::bucketBytes)),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Prefetch",
                          "ZeroStage 3: layers gathered beyond the current one.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::prefetch)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReshardAfterForward",
                          "ZeroStage 3: whether weights are gathered again in the backward pass.",
                          BooleanValue(true),
                          MakeBooleanAccessor(Of(&ParallelPlan::reshardAfterForward)),
                          MakeBooleanChecker())
            .AddAttribute("OverlapGradients",
                          "Whether gradients are reduced while the last backward pass goes on.",
                          BooleanValue(true),
                          MakeBooleanAccessor(Of(&ParallelPlan::overlapGradients)),
                          MakeBooleanChecker())
            .AddAttribute(
                "Recompute",
                "What the backward pass computes again: none, selective (attention core) or full.",
                StringValue("none"),
                MakeStringAccessor(Of(&ParallelPlan::recompute)),
                MakeStringChecker())
            .AddAttribute("ElementBytes",
                          "Bytes of an activation or weight.",
                          UintegerValue(2),
                          MakeUintegerAccessor(Of(&ParallelPlan::elementBytes)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("GradientBytes",
                          "Bytes of a gradient where gradients are added up and reduced.",
                          UintegerValue(4),
                          MakeUintegerAccessor(Of(&ParallelPlan::gradientBytes)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "CapacityFactor",
                "Capacity of experts over their even share of tokens; 0: no token is dropped.",
                DoubleValue(0.0),
                MakeDoubleAccessor(Of(&ParallelPlan::capacityFactor)),
                MakeDoubleChecker<double>(0.0, 1000.0))
            .AddAttribute("ExpertSkew",
                          "Zipf exponent of the load of experts; 0: all have the same.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(Of(&ParallelPlan::expertSkew)),
                          MakeDoubleChecker<double>(0.0, 1000.0))
            .AddAttribute("Optimizer",
                          "Whether the step ends with the optimizer's.",
                          BooleanValue(true),
                          MakeBooleanAccessor(Of(&ParallelPlan::optimizer)),
                          MakeBooleanChecker())
            .AddAttribute(
                "OptimizerBytes",
                "Bytes that the optimizer reads and writes per parameter, beside the norm "
                "of gradients; 0: 28 and those of a weight, as Adam in mixed precision.",
                UintegerValue(0),
                MakeUintegerAccessor(Of(&ParallelPlan::optimizerBytes)),
                MakeUintegerChecker<uint32_t>());
    return tid;
}

} // namespace mlcluster
} // namespace ns3

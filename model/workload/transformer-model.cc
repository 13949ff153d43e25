/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-model.h"

namespace ns3
{
namespace mlcluster
{

uint64_t
TransformerModel::GetKvHeads() const
{
    return kvHeads == 0 ? heads : kvHeads;
}

uint64_t
TransformerModel::GetFfnSize() const
{
    return ffnSize == 0 ? uint64_t{4} * hiddenSize : ffnSize;
}

uint64_t
TransformerModel::GetExpertFfnSize() const
{
    return expertFfnSize == 0 ? GetFfnSize() : expertFfnSize;
}

uint64_t
TransformerModel::GetHeadSize() const
{
    return hiddenSize / heads;
}

uint64_t
TransformerModel::GetKvSize() const
{
    return GetKvHeads() * GetHeadSize();
}

uint64_t
TransformerModel::GetUpMatrices() const
{
    return IsGated() ? 2 : 1;
}

uint64_t
TransformerModel::GetNormSize() const
{
    return uint64_t{HasBiases() ? 2U : 1U} * hiddenSize;
}

bool
TransformerModel::HasExperts(uint32_t layer) const
{
    return experts > 0 && layer % expertInterval == 0;
}

uint32_t
TransformerModel::CountExpertLayers(uint32_t first, uint32_t end) const
{
    const auto before = [this](uint32_t layer) {
        return layer / expertInterval + (layer % expertInterval != 0 ? 1 : 0);
    };
    return experts > 0 ? before(end) - before(first) : 0;
}

bool
TransformerModel::HasBiases() const
{
    return family == Family::Gpt;
}

bool
TransformerModel::HasDropout() const
{
    return family == Family::Gpt && dropout;
}

bool
TransformerModel::HasLearnedPositions() const
{
    return family == Family::Gpt;
}

bool
TransformerModel::HasRotaryPositions() const
{
    return family == Family::Llama;
}

bool
TransformerModel::IsGated() const
{
    return family == Family::Llama;
}

bool
TransformerModel::IsTied() const
{
    return family == Family::Gpt;
}

void
TransformerModel::TakeSizes(const TransformerModel& other)
{
    for (const auto size : {&TransformerModel::layers,
                            &TransformerModel::hiddenSize,
                            &TransformerModel::heads,
                            &TransformerModel::kvHeads,
                            &TransformerModel::ffnSize,
                            &TransformerModel::vocabulary,
                            &TransformerModel::sequenceLength,
                            &TransformerModel::experts,
                            &TransformerModel::topExperts,
                            &TransformerModel::expertInterval,
                            &TransformerModel::expertFfnSize,
                            &TransformerModel::sharedFfnSize})
    {
        this->*size = this->*size == 0 ? other.*size : this->*size;
    }
}

} // namespace mlcluster
} // namespace ns3

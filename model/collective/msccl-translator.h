/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MSCCL_TRANSLATOR_H
#define ML_CLUSTER_MSCCL_TRANSLATOR_H

#include "collective-layout.h"
#include "msccl-document.h"
#include "rank-schedule.h"

#include "ns3/diagnostics.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster-msccl
 * Turns the steps of one GPU into a schedule; see MscclAlgorithm. The buffers of a member are
 * input, output (empty in place: then both are buffer 0, as large as the whole), scratch, and what
 * is received to be sent on only.
 */
class MscclTranslator
{
  public:
    /// Buffers of a member.
    static constexpr uint32_t N_BUFFERS = 4;

    /// @param document checked without errors @param gpu number of the GPU
    MscclTranslator(const MscclDocument& document, uint32_t gpu);

    /**
     * @param diagnostics receives steps of the GPU that wait for each other
     * @return the schedule; all its transfers have 0 bytes
     */
    RankSchedule Translate(Diagnostics& diagnostics);

    /// @return places of each buffer
    std::vector<uint32_t> GetBufferSizes() const;

    /// @param document a document @param gpu number of a GPU @param place chunk of one of its
    /// buffers
    /// @return where it is
    static CollectiveLayout::Place Locate(const MscclDocument& document,
                                          uint32_t gpu,
                                          const MscclPlace& place);

  private:
    /// How far a thread block is.
    struct Progress
    {
        std::vector<uint32_t> last;              ///< steps behind which the next one starts
        std::vector<std::vector<uint32_t>> done; ///< per step handed over, those that complete it
        uint32_t nSends{0};                      ///< sends handed over
        uint32_t nReceives{0};                   ///< receives handed over
        uint32_t passage{0}; ///< first own place in the buffer of what is sent on
    };

    /// @param id thread block; translates as many of its steps as can be now @return whether any
    bool Advance(uint32_t id);
    /// @param step of the GPU @return whether it stores where its source is
    bool IsInSource(const MscclStep& step) const;
    /// @param id thread block @param step to translate @param after what it starts behind @return
    /// its last step in the schedule
    uint32_t AddStep(uint32_t id, const MscclStep& step, std::vector<uint32_t> after);
    /// @param peer member @param tag of the message @param place where it is from or goes @param
    /// count chunks @param reduce whether it is added @return one end
    static Transfer MakeTransfer(uint32_t peer,
                                 uint32_t tag,
                                 CollectiveLayout::Place place,
                                 uint32_t count,
                                 bool reduce);

    const MscclDocument& m_document;  ///< file
    uint32_t m_id;                    ///< number of the GPU
    const MscclGpu& m_gpu;            ///< GPU
    std::vector<Progress> m_progress; ///< by thread block
    uint32_t m_nPassage{0};           ///< places for what is sent on
    uint32_t m_nLocal{0};             ///< transfers within the GPU
    RankSchedule m_schedule;          ///< so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MSCCL_TRANSLATOR_H

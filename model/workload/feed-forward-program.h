/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_FEED_FORWARD_PROGRAM_H
#define ML_CLUSTER_FEED_FORWARD_PROGRAM_H

#include "program-builder.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A feed-forward network: of a dense layer, of the experts on a rank, or of the expert that all
 * tokens take. Up (f columns, gated 2 f), activation, down, with the tokens gathered before and
 * the parts summed after as ProgramBuilder has it.
 *
 * The activation takes 8 operations per output element (GeLU, backward 12) and moves 2 beta bytes
 * (backward 3 beta); as SwiGLU 6 (10) and 3 beta (5 beta).
 */
class FeedForwardProgram
{
  public:
    /// What differs between the uses.
    struct Size
    {
        std::string name;                  ///< "ffn", "expert", "shared expert"
        ProgramBuilder::Division division; ///< of tokens outside
        Amount rows;                       ///< tokens inside
        Amount width;                      ///< f, columns on this rank
        Amount networks{1};                ///< networks that share the tokens: experts on this rank
    };

    /// @param builder receives the steps, must outlive this @param size what is computed
    FeedForwardProgram(ProgramBuilder& builder, const Size& size);

    /// @param after the input @return the output, summed up
    ProgramBuilder::Steps AddForward(const ProgramBuilder::Steps& after);
    /// @param after gradient of the output @return gradient of the input, summed up
    ProgramBuilder::Steps AddBackward(const ProgramBuilder::Steps& after);

  private:
    ProgramBuilder& m_builder;      ///< receives the steps
    Size m_size;                    ///< what is computed
    ProgramBuilder::Product m_up;   ///< divides columns
    ProgramBuilder::Product m_down; ///< divides rows
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_FEED_FORWARD_PROGRAM_H

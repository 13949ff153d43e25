/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STEP_LIST_H
#define ML_CLUSTER_STEP_LIST_H

#include "layer-program.h"

#include "ns3/amount.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Writes what one rank does in a training step, as one program. Computation of nothing and
 * collectives of nothing or of one rank are left out: what waits for them waits for what they wait
 * for.
 */
class StepList
{
  public:
    using Steps = std::vector<uint32_t>; ///< steps to wait for

    /// Ranks that communicate.
    struct Group
    {
        std::string family; ///< of communicator groups; "": all ranks
        uint64_t size{1};   ///< ranks
    };

    /// @param name name @param operations floating-point operations @param bytes read and written
    /// @param after steps it waits for @return the step @throw InputError if a number is above
    /// 2^64 - 1
    Steps Compute(const std::string& name, Amount operations, Amount bytes, const Steps& after);
    /// @param name name @param type operation @param group ranks @param bytes size as Chakra has it
    /// @param after steps it waits for @return the step @throw InputError if the size is above 2^63
    Steps Collective(const std::string& name,
                     CollectiveType type,
                     const Group& group,
                     Amount bytes,
                     const Steps& after);
    /**
     * @param name name
     * @param parts bytes for each of all ranks
     * @param isEven whether all parts of all ranks are equal
     * @param after steps it waits for
     * @return an all-to-all; left out on all ranks if even and empty
     * @throw InputError if the size is above 2^63
     */
    Steps AllToAll(const std::string& name,
                   const std::vector<uint64_t>& parts,
                   bool isEven,
                   const Steps& after);
    /// @param kind MemoryLoad or MemoryStore @param name name @param bytes moved @param location
    /// where they lie, a MemoryLocation @param after steps it waits for @return the step; left out
    /// if it moves nothing @throw InputError if the bytes are above 2^64 - 1
    Steps Access(NodeKind kind,
                 const std::string& name,
                 Amount bytes,
                 uint32_t location,
                 const Steps& after);
    /// @param name name @param after steps @return a step that does nothing and waits for all of
    /// them
    Steps Join(const std::string& name, const Steps& after);
    LayerProgram Take(); ///< @return the program, whose output is its last step; this is empty then

  private:
    /// @param step a step but for name and dependencies @param name its name @param after steps it
    /// waits for @return it
    Steps Add(ProgramStep step, const std::string& name, const Steps& after);

    LayerProgram m_program; ///< written so far
};

/// @ingroup ml-cluster
/// @param a steps @param b steps @return both
StepList::Steps operator+(StepList::Steps a, const StepList::Steps& b);

/**
 * @ingroup ml-cluster
 * Gathers gradients in buckets that are all-reduced at once: as soon as a bucket is full, and at
 * the end. Each group has buckets of its own.
 */
class GradientBuckets
{
  public:
    /// @param list receives the all-reduces, must outlive this @param bucketBytes size of a full
    /// bucket; 0: none is before the end
    GradientBuckets(StepList& list, uint64_t bucketBytes);

    /// @param group ranks that have these gradients @param bytes of them @param after steps that
    /// give them
    void Add(const StepList::Group& group, Amount bytes, const StepList::Steps& after);
    /// Reduces what is left. @return the ends of all all-reduces
    StepList::Steps Flush();

  private:
    /// Gradients that wait.
    struct Bucket
    {
        StepList::Group group; ///< ranks
        Amount bytes;          ///< of gradients
        StepList::Steps after; ///< steps that give them
    };

    /// @param bucket what to reduce; is empty then
    void Reduce(Bucket& bucket);

    StepList& m_list;                        ///< receives all-reduces
    uint64_t m_bucketBytes;                  ///< size of a full bucket
    std::map<std::string, Bucket> m_buckets; ///< by family
    StepList::Steps m_ends;                  ///< ends of all-reduces
    uint32_t m_nReduced{0};                  ///< buckets reduced
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STEP_LIST_H

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_OWNERSHIP_PROOF_H
#define ML_CLUSTER_OWNERSHIP_PROOF_H

#include "collective-algorithm.h"
#include "collective-layout.h"
#include "schedule-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Moves ownership through the steps of a collective in one order that can happen, and compares what
 * each member ends with to what the collective promises. Without races all orders end alike. See
 * CollectiveVerifier.
 */
class OwnershipProof
{
  public:
    /**
     * @param request what is promised; not a barrier
     * @param layout places
     * @param graph the schedules, without deadlock; its transfers lie within the layout
     * @param violations receives what is wrong
     */
    OwnershipProof(const CollectiveRequest& request,
                   const CollectiveLayout& layout,
                   const ScheduleGraph& graph,
                   std::vector<std::string>& violations);

    void Run(); ///< Moves and compares.

  private:
    /// A part of the data, with the contributions of some members; 0: nothing.
    using Value = uint32_t;

    /// Fills in what members have before.
    void Begin();
    /// @param message index @param step it is sent in; takes what is there
    void Send(uint32_t message, uint32_t step);
    /// @param message index @param step it is received in; puts it in place
    void Receive(uint32_t message, uint32_t step);
    /// Compares what members have with what they must have.
    void End();
    /// @param member a member @param place where @param part of the data that must be there
    /// @param origin whose it is; MAX_UINT32: the sum of all
    void Expect(uint32_t member, CollectiveLayout::Place place, uint32_t part, uint32_t origin);
    /// @param member a member @param place where @return the value there
    Value& At(uint32_t member, CollectiveLayout::Place place);
    /// @param part of the data @return a value of it without contributions
    Value AddValue(uint32_t part);
    /// @param value a value @return words of its set of members
    uint64_t* GetMembers(Value value);
    /// @param value not nothing @return first member whose contribution it has
    uint32_t GetOrigin(Value value);
    /// @param own a value @param brought another @param step that reduces @return their sum;
    /// nothing if they have none
    Value Reduce(Value own, Value brought, uint32_t step);
    /// @param value a value @return what it is, for messages
    std::string Describe(Value value);
    /// @param member a member @param part of the data @return whether the member contributes it
    bool IsContributor(uint32_t member, uint32_t part) const;

    const CollectiveRequest& m_request;                      ///< what is promised
    const CollectiveLayout& m_layout;                        ///< places
    const ScheduleGraph& m_graph;                            ///< schedules
    std::vector<std::string>& m_violations;                  ///< what is wrong
    uint32_t m_nWords;                                       ///< words of a set of members
    std::vector<uint32_t> m_parts;                           ///< by value
    std::vector<uint64_t> m_members;                         ///< sets by value
    std::vector<std::vector<std::vector<Value>>> m_holdings; ///< by member, buffer, place
    std::vector<std::vector<Value>> m_payloads;              ///< by message, while under way
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_OWNERSHIP_PROOF_H

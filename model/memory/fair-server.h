/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_FAIR_SERVER_H
#define ML_CLUSTER_FAIR_SERVER_H

#include "fine-time.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A link that flows share in proportion to their weights, all of it while there is any work; the
 * items of a flow come one after the other. An item alone takes s; let v(t) grow at the rate 1 / W
 * with W the weights of all flows that have items: the first item of a flow of weight w ends when v
 * has grown by s / w since it began. One clock serves all flows, and a step costs O(log n).
 *
 * The time never goes back. What takes parts of 2^-64 ps is rounded so that nothing ends late.
 * @tparam Item what is served
 */
template <typename Item>
class FairServer
{
  public:
    /**
     * Adds an item behind those of its flow.
     * @param flow its flow
     * @param weight of the flow, above 0, the same for all items
     * @param item the item
     * @param time how long it takes alone
     * @param now now; items that end before have been taken
     * @return whether the next end has changed
     */
    bool Add(uint64_t flow, uint64_t weight, const Item& item, FineTime time, FineTime now)
    {
        Flow& own = m_flows[flow];
        own.items.emplace_back(item, time);
        if (own.items.size() > 1)
        {
            return false;
        }
        m_served =
            m_weights == 0 ? FineTime() : m_served + (now - m_now).MultiplyRoundedUp(1, m_weights);
        m_now = now;
        own.weight = weight;
        m_weights += weight;
        Begin(flow, own);
        return true;
    }

    /// @return when the next item ends if none is added before; nothing if there is none
    std::optional<FineTime> GetNextEnd() const
    {
        if (m_ends.empty())
        {
            return std::nullopt;
        }
        return m_now + (m_ends.begin()->first - m_served) * m_weights;
    }

    /// @return the item that ends next, which there must be; now is its end
    Item TakeNext()
    {
        m_now = *GetNextEnd();
        m_served = m_ends.begin()->first;
        const uint64_t flow = m_ends.begin()->second;
        m_ends.erase(m_ends.begin());
        const auto own = m_flows.find(flow);
        const Item item = own->second.items.front().first;
        own->second.items.pop_front();
        if (own->second.items.empty())
        {
            m_weights -= own->second.weight;
            m_flows.erase(own);
        }
        else
        {
            Begin(flow, own->second);
        }
        return item;
    }

    /// @param change is called with every item, which it may change
    template <typename Change>
    void ChangeItems(Change change)
    {
        for (auto& entry : m_flows)
        {
            for (auto& waiting : entry.second.items)
            {
                change(waiting.first);
            }
        }
    }

  private:
    /// Items of a flow, the first under way.
    struct Flow
    {
        uint64_t weight{0};                            ///< of the flow
        std::deque<std::pair<Item, FineTime>> items{}; ///< with their times alone
    };

    /// @param flow whose first item begins now @param own its items
    void Begin(uint64_t flow, const Flow& own)
    {
        m_ends.emplace(m_served + own.items.front().second.MultiplyRoundedDown(1, own.weight),
                       flow);
    }

    std::map<uint64_t, Flow> m_flows;               ///< that have items
    std::set<std::pair<FineTime, uint64_t>> m_ends; ///< v at the ends of first items, and flows
    uint64_t m_weights{0};                          ///< W
    FineTime m_now;                                 ///< time of the state
    FineTime m_served;                              ///< v at that time
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_FAIR_SERVER_H

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SIMULATED_DESIGN_H
#define ML_CLUSTER_SIMULATED_DESIGN_H

#include "closed-loop.h"
#include "design-analysis.h"
#include "result-folder.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The answer to a design in simulation: beside equal bandwidths and those of the file, by the
 * schedulers of design.simulate; refined, if that is wanted; and in packets, on the small instance
 * that design.simulate.packets makes of the file, with the answer for that and equal bandwidths.
 */
class SimulatedDesign
{
  public:
    /**
     * Prepares the simulations.
     * @param chosen the design; must outlive this
     * @param report its answer; must outlive this
     * @param argc number of arguments of main
     * @param argv arguments of main, whose attributes win over the file's; must outlive this
     * @throw InputError if it cannot be simulated
     */
    SimulatedDesign(const ChosenDesign& chosen, const DesignReport& report, int argc, char* argv[]);

    /**
     * Simulates. Refinement is by the first scheduler.
     * @param mostTrials simulations for refinement; 0: none
     * @throw InputError if it cannot be refined
     */
    void Run(uint32_t mostTrials);
    /// @param os receives the tables
    void Print(std::ostream& os) const;
    bool IsWhole() const; ///< @return whether no signal ended it
    /// @param folder receives simulated.csv, packets.csv and refined.csv, as far as there are such
    void Write(ResultFolder& folder) const;

  private:
    using Networks = std::vector<ClosedLoop::Network>; ///< what is simulated

    /// @param model of the design @param argc of main @param argv of main @return its simulations
    std::unique_ptr<ClosedLoop> MakeLoop(const DesignModel& model, int argc, char* argv[]) const;
    /// @param chosen the design @param argc of main @param argv of main; fills m_small and what is
    /// of it
    void MakePackets(const ChosenDesign& chosen, int argc, char* argv[]);

    const ChosenDesign& m_chosen;          ///< the design
    const DesignReport& m_report;          ///< its answer
    std::unique_ptr<DesignModel> m_small;  ///< instance for packets; null if there is none
    std::unique_ptr<ClosedLoop> m_loop;    ///< of the design
    Networks m_smallNetworks;              ///< of the small instance
    std::unique_ptr<ClosedLoop> m_packets; ///< of the small instance; null if there is none
    BandwidthRefiner::Result m_refined;    ///< no trials: not refined
    bool m_isSlowdown{false};              ///< whether its times are slowdowns
    bool m_isWhole{true};                  ///< whether no signal came
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SIMULATED_DESIGN_H

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_FAULTS_H
#define ML_CLUSTER_DESIGN_FAULTS_H

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// A design that is wrong, and what is told of it.
struct DesignFault
{
    std::string design;              ///< the section, from line 6 on
    std::vector<std::string> errors; ///< without the folder
};

inline const std::string TOTAL = "  constraints: [total = 100]\n"; ///< a line of designs
inline const std::string PRICES =
    "  tiers: [A, B]\n"
    "  prices: {A: {Link: 1}, B: {Link: 8, Switch: 10, Nic: 10}}\n"; ///< likewise

/// Errors of designs.
inline const std::vector<DesignFault> DESIGN_FAULTS{
    {"  objektive: time\n",
     {"design.yaml:6: design.objektive: there is no such key; did you mean objective? Allowed "
      "here are network, tiers, prices, speeds, objective, time-target, bandwidth-of-parts, "
      "constraints, sweep, workloads, combine, npus, choices, sensitivity, pareto, simulate"}},
    {"  objective: fast\n",
     {"design.yaml:6: design.objective: 'fast' is given (nearest: cost); needed is what is to "
      "be least; allowed are cost, time, time-times-cost"}},
    {TOTAL + "  objective: cost\n",
     {"design.yaml: design.time-target: is missing; without one the cheapest network has no "
      "bandwidth",
      "design.yaml: design.prices: is missing; the objective cost needs it"}},
    {TOTAL + "  objective: time-times-cost\n",
     {"design.yaml: design.prices: is missing; the objective time-times-cost needs it"}},
    {"  constraints: []\n",
     {"design.yaml:6: design.constraints: an empty list is given; needed are constraints, such "
      "as [total = 500, b1 >= 2 b2]"}},
    {"  constraints: total = 100\n",
     {"design.yaml:6: design.constraints: 'total = 100' is given; needed is a list: "
      "constraints, such as [total = 500, b1 >= 2 b2]"}},
    {"  constraints: [total < 100, b5 = 3, b1 + = 4, cost <= 3, 3 <= 4]\n",
     {"design.yaml:6: design.constraints[0]: \"<\" stands in \"total < 100\" where <=, >= or = "
      "is needed",
      "design.yaml:6: design.constraints[1]: \"b5\" stands in \"b5 = 3\" where b1 to b2, total "
      "or cost is needed",
      "design.yaml:6: design.constraints[2]: \"=\" stands in \"b1 + = 4\" where a number, b1 "
      "to b2, total or cost is needed",
      "design.yaml:6: design.constraints[3]: 'cost <= 3' limits the cost; it needs "
      "design.prices",
      "design.yaml:6: design.constraints[4]: \"3 <= 4\" compares nothing that depends on "
      "bandwidths"}},
    {TOTAL + "  tiers: [A]\n", {"design.yaml:7: design.tiers: 1 tiers are given for 2 dimensions"}},
    {TOTAL + "  tiers: [A, C]\n  prices: {A: {Link: 1}, B: {Link: 8, Switch: 10, Nic: 10}}\n",
     {"design.yaml:7: design.tiers[1]: tier \"C\" has no prices (nearest: A); there are prices "
      "of A, B"}},
    {TOTAL + "  tiers: [A, B]\n  prices: {A: {Link: -1, Lnk: 3}, B: {Link: 8, Switch: 10}}\n",
     {"design.yaml:8: design.prices.A.Link: '-1' is given; needed is a price in $ per GB/s: 0, "
      "or from 1e-9 to 1e9"}},
    {TOTAL + "  tiers: [A, B]\n  prices: {A: {Link: 1e300}, B: {Link: 1e-10, Port: 2e9}}\n",
     {"design.yaml:8: design.prices.A.Link: '1e300' is given; needed is a price in $ per GB/s: 0, "
      "or from 1e-9 to 1e9",
      "design.yaml:8: design.prices.B.Link: 1e-10 is given; needed is a price in $ per GB/s: 0, "
      "or from 1e-9 to 1e9",
      "design.yaml:8: design.prices.B.Port: '2e9' is given; needed is a price in $: 0, or from "
      "1e-9 to 1e9"}},
    {TOTAL + "  tiers: [A, \"\"]\n  prices: {A: {Link: 1}}\n",
     {"design.yaml:7: design.tiers[1]: tier \"\" has no prices (nearest: A); there are prices "
      "of A"}},
    {TOTAL + "  tiers: [A, B]\n  prices: {}\n",
     {"design.yaml:8: design.prices: no tier is given; needed are prices such as {InterNode: "
      "{Link: 4}}"}},
    {"  constraints: [total = 1e10, b1 >= 1e-10, total <= 90]\n",
     {"design.yaml:6: design.constraints[0]: \"total = 1e10\" is about bandwidths of 1e+10 GB/s; "
      "allowed are 1e-9 to 1e9",
      "design.yaml:6: design.constraints[1]: \"b1 >= 1e-10\" is about bandwidths of 1e-10 GB/s; "
      "allowed are 1e-9 to 1e9"}},
    {TOTAL + "  tiers: [A, B]\n  prices: {A: {Link: 1}, B: {Link: 8, Switch: 10}}\n",
     {"design.yaml:8: design.prices.B.Nic: is missing; tier \"B\" needs a price of Nic in $ "
      "per GB/s, since a Switch is made of it"}},
    {TOTAL + "  prices: {A: {Link: 1}, B: {Link: 8, Switch: 10}}\n",
     {"design.yaml: design.tiers: is missing; needed is the tier of each dimension, one of "
      "those that design.prices has"}},
    {TOTAL + "  prices: none.yml\n",
     {"none.yml: cannot be read: No such file or directory",
      "design.yaml: design.tiers: is missing; needed is the tier of each dimension, one of "
      "those that design.prices has"}},
    {TOTAL + "  prices: [2]\n",
     {"design.yaml:7: design.prices: a list is given; needed is the path of a file with prices "
      "of tiers, or a map of them such as {InterNode: {Link: 4}}",
      "design.yaml: design.tiers: is missing; needed is the tier of each dimension, one of "
      "those that design.prices has"}},
    {TOTAL + "  network: none.yml\n",
     {"design.yaml:1: cluster.topology: is given by the file design.network too; give one of "
      "them",
      "none.yml: cannot be read: No such file or directory"}},
    {TOTAL + "  network: [1]\n",
     {"design.yaml:1: cluster.topology: is given by the file design.network too; give one of "
      "them",
      "design.yaml:7: design.network: a list is given; needed is the path of a network file of "
      "LIBRA"}},
    {TOTAL + "  speeds: {b1: [10GB/s, x], b3: [1GB/s]}\n",
     {"design.yaml:7: design.speeds.b1[1]: 'x' is no data rate: it must begin with a digit; "
      "allowed are, for example, 400Gbps, 1.6Tbps, 200GB/s, 200GiB/s",
      "design.yaml:7: design.speeds.b3: there is no such key; did you mean b1? Allowed here "
      "are b1, b2"}},
    {TOTAL + "  speeds: {b1: []}\n",
     {"design.yaml:7: design.speeds.b1: an empty list is given; needed are bandwidths of one "
      "NPU, such as [50GB/s, 100GB/s]"}},
    {TOTAL + "  speeds: 3\n",
     {"design.yaml:7: design.speeds: '3' is given; needed is such as {b1: [50GB/s, 100GB/s]}"}},
    {TOTAL + "  time-target: 0ns\n",
     {"design.yaml:7: design.time-target: 0 is given; needed is a time above 0, such as "
      "700ms"}},
    {TOTAL + "  time-target: 5\n",
     {"design.yaml:7: design.time-target: '5' is no time: the unit is missing; allowed are, "
      "for example, 500ns, 1.5us, 936.25ns, 2ms, 1s"}},
    {TOTAL + "  time-target: [5]\n",
     {"design.yaml:7: design.time-target: a list is given; needed is a time above 0, such as "
      "700ms"}},
    {TOTAL + "  combine: worst\n  time-target: 1ms\n",
     {"design.yaml:8: design.time-target: cannot be given with combine: worst, where slowdowns "
      "take the place of times"}},
    {TOTAL + "  combine: best\n",
     {"design.yaml:7: design.combine: 'best' is given; needed is what becomes of the times of "
      "several workloads; allowed are sum, worst"}},
    {TOTAL + "  sensitivity: 1\n",
     {"design.yaml:7: design.sensitivity: 1 is given; needed is a factor above 1 and at most 1e6",
      "design.yaml:7: design.sensitivity: is given, but neither prices nor weights of several "
      "workloads, which it would change"}},
    {PRICES + TOTAL + "  sensitivity: 2e6\n",
     {"design.yaml:9: design.sensitivity: '2e6' is given; needed is a factor above 1 and at most "
      "1e6"}},
    {TOTAL + "  combine: worst\n  workloads: {a: {}, b: {}}\n  sensitivity: 2\n",
     {"design.yaml:9: design.sensitivity: is given, but neither prices nor weights of several "
      "workloads, which it would change"}},
    {TOTAL + "  pareto: {points: 1, slowest: 1, x: 3}\n",
     {"design.yaml:7: design.pareto.points: '1' is given; needed is a number of time targets, "
      "from 2 to 10000",
      "design.yaml:7: design.pareto.slowest: 1 is given; needed is the last target over the "
      "least time, above 1 and at most 1e6",
      "design.yaml:7: design.pareto.x: there is no such key. Allowed here are points, slowest",
      "design.yaml: design.prices: is missing; design.pareto needs it"}},
    {TOTAL + "  pareto: 3\n",
     {"design.yaml:7: design.pareto: '3' is given; needed is such as {points: 21, slowest: "
      "2}"}},
    {PRICES + TOTAL + "  pareto: {points: 10001}\n",
     {"design.yaml:9: design.pareto.points: '10001' is given; needed is a number of time "
      "targets, from 2 to 10000"}},
    {PRICES + TOTAL + "  pareto: {points: 2.5}\n",
     {"design.yaml:9: design.pareto.points: 2.5 is given; needed is a number of time targets, "
      "from 2 to 10000"}},
    {TOTAL + "  simulate: {schedulers: []}\n",
     {"design.yaml:7: design.simulate.schedulers: an empty list is given; needed are schedulers, "
      "such as baseline or themis/smallest-first"}},
    {TOTAL + "  simulate: {schedulers: [baseline, thermis, themis/random]}\n",
     {"design.yaml:7: design.simulate.schedulers[1]: \"thermis\" is no scheduler, did you mean "
      "themis?; allowed are baseline, themis, round-robin, offline-greedy, offline-greedy-flex",
      "design.yaml:7: design.simulate.schedulers[2]: \"random\" is no queue policy; allowed are "
      "fifo, smallest-first"}},
    {TOTAL + "  simulate: {schedulers: baseline, packets: {cluster.topologi: 3, design.npus: 4}}\n",
     {"design.yaml:7: design.simulate.schedulers: 'baseline' is given; needed is a list: "
      "schedulers, such as baseline or themis/smallest-first",
      "design.yaml:7: cluster.topologi: there is no such key; did you mean topology? Allowed "
      "here are topology, bandwidth, link-bandwidth, latency, in-network, processing-time, "
      "slots, npu, memory",
      "design.yaml:7: design.npus: cannot be given here; of the section design allowed are "
      "design.network, design.tiers, design.prices, design.constraints, design.speeds, "
      "design.bandwidth-of-parts"}},
    {TOTAL + "  sweep: [b9 = 3, total = 3 3]\n",
     {"design.yaml:7: design.sweep[0]: \"b9\" stands in \"b9 = 3\" where b1 to b2, total or "
      "cost is needed",
      "design.yaml:7: design.sweep[1]: \"3\" stands in \"total = 3 3\" where <=, >= or = is "
      "needed"}},
    {TOTAL + "  workloads: {}\n",
     {"design.yaml:7: design.workloads: none is given; needed is at least one"}},
    {TOTAL + "  workloads: {a: {weight: -1}, b: {weight: x, set: 3}, c: 3, d: {sat: {}, set: "
             "{workload.text.fil: 2, design.tiers: [A], "
             "cluster.latency: }}}\n",
     {"design.yaml:7: design.workloads.a.weight: '-1' is given; needed is a weight: 0, or from "
      "1e-9 to 1e9",
      "design.yaml:7: design.workloads.b.weight: 'x' is given; needed is a weight: 0, or from 1e-9 "
      "to 1e9",
      "design.yaml:7: design.workloads.b.set: '3' is given; needed are keys and values, such "
      "as {workload.transformer.tensor: 8}",
      "design.yaml:7: design.workloads.c: '3' is given; needed is such as {weight: 1, set: "
      "{workload.text.file: gpt3.txt}}",
      "design.yaml:7: design.workloads.d.sat: there is no such key; did you mean set? Allowed "
      "here are weight, set",
      "design.yaml:7: workload.text.fil: there is no such key; did you mean file? ...",
      "design.yaml:7: design.tiers: cannot be given here, where the section design is the same for "
      "all",
      "design.yaml:7: cluster.latency: the value is missing"}},
    {TOTAL + "  workloads: {a: {weight: .nan}}\n",
     {"design.yaml:7: design.workloads.a.weight: '.nan' is given; needed is a weight: 0, or from "
      "1e-9 to 1e9"}},
    {TOTAL + "  workloads: {a: {set: {cluster.topology: Switch(16), cluster.bandwidth: 1GB/s}}, "
             "sum: {}}\n",
     {"design.yaml:7: cluster.topology: cannot be given here, where the network is the same for "
      "all",
      "design.yaml:7: cluster.bandwidth: cannot be given here, where the network is the same for "
      "all",
      "design.yaml:7: design.workloads.sum: is no name for a workload; needed are printable "
      "characters, and neither sum nor worst, which stand for all workloads"}},
    {TOTAL + "  workloads: {a: {set: {workload.text: {file: b.txt}}}}\n",
     {"design.yaml:7: workload.text: is a section; give its keys, such as workload.text.file"}},
    {TOTAL + "  workloads: {a: {weight: 0}}\n",
     {"design.yaml:7: design.workloads: all weights are 0; needed is one above 0"}},
    {TOTAL + "  workloads: {a: {set: {cluster.latency: 5}}, b: {set: {workload.text.passes: x}}}\n",
     {"design.yaml:7: cluster.latency: '5' is no time: the unit is missing; allowed are, for "
      "example, 500ns, 1.5us, 936.25ns, 2ms, 1s",
      "design.yaml:7: workload.text.passes: 'x' is no whole number; allowed are digits without "
      "sign, leading zero or unit, for example 4"}},
    {TOTAL + "  bandwidth-of-parts: some\n",
     {"design.yaml:7: design.bandwidth-of-parts: 'some' is given; needed is what groups use "
      "that have a part of a block of a dimension; allowed are links, all"}},
    {TOTAL + "  choices: {a: []}\n",
     {"design.yaml:7: design.choices.a: an empty list is given; needed are options such as "
      "[{workload.transformer.tensor: 8}, ...]"}},
    {TOTAL + "  choices: 3\n",
     {"design.yaml:7: design.choices: '3' is given; needed is such as {plan: "
      "[{workload.transformer.tensor: 8}, ...]}"}},
    {TOTAL + "  choices: {a: [{workload.text.fil: 3}, {design.objective: time}, 3]}\n",
     {"design.yaml:7: workload.text.fil: there is no such key; did you mean file? ...",
      "design.yaml:7: design.objective: cannot be given here; of the section design allowed are "
      "design.network, design.tiers, design.prices, design.constraints, design.speeds, "
      "design.bandwidth-of-parts",
      "design.yaml:7: design.choices.a[2]: '3' is given; needed are keys and values, such as "
      "{workload.transformer.tensor: 8}"}},
    {TOTAL + "  choices: {a: [{cluster.topology: Ring(*)}]}\n",
     {"design.yaml:7: cluster.topology: (*) stands for all sizes with a number of NPUs; needed "
      "is design.npus"}},
    {TOTAL + "  npus: 1\n  choices: {a: [{cluster.topology: Ring(*)}]}\n",
     {"design.yaml:7: design.npus: '1' is given; needed is a number of NPUs from 2 to "
      "1048576"}},
    {TOTAL + "  npus: 2000000\n",
     {"design.yaml:7: design.npus: '2000000' is given; needed is a number of NPUs from 2 to "
      "1048576"}},
    {TOTAL + "  npus: 2.5\n",
     {"design.yaml:7: design.npus: 2.5 is given; needed is a number of NPUs from 2 to 1048576"}},
    {TOTAL + "  choices: {}\n",
     {"design.yaml:7: design.choices: none is given; needed is such as {plan: "
      "[{workload.transformer.tensor: 8}, ...]}"}},
    {TOTAL + "  choices: {a: [{workload.text.passes: 2}], b: [{workload.text.passes: 3}]}\n",
     {"design.yaml:7: workload.text.passes: is chosen by design.choices.a too; give it in one of "
      "them"}},
    {TOTAL + "  npus: 7\n  choices: {a: [{cluster.topology: Ring(*)_Switch(*)}, "
             "{cluster.topology: Rong(*)}]}\n",
     {"design.yaml:8: cluster.topology: no sizes from 2 on give \"Ring(*)_Switch(*)\" 7 NPUs "
      "(design.npus)",
      "design.yaml:8: cluster.topology: topology \"Rong(1)\", part \"Rong(1)\": \"Rong\" is "
      "not a building block, did you mean \"Ring\"?; allowed is Ring(n), FullyConnected(n) or "
      "Switch(n), short R(n), FC(n) or SW(n), with n from 1 to 2147483648, joined by \"_\", "
      "such as \"Ring(4)_Switch(8)\""}},
    {"  constraints:\n",
     {"design.yaml:6: design.constraints: nothing is given; needed is a list: constraints, "
      "such as [total = 500, b1 >= 2 b2]"}},
    {"",
     {"design.yaml:5: design: nothing is given; needed is a section that says which bandwidths "
      "to find, such as {objective: time, constraints: [total = 500]}"}},
    {TOTAL + "  objective: time-times-cost\n  tiers: [A, B]\n  prices: {A: {Link: 0}, B: "
             "{Link: 8, Switch: 10, Nic: 10}}\n",
     {"design.yaml:8: design.tiers[0]: tier A costs nothing; the objective time-times-cost "
      "needs prices above 0"}},
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_FAULTS_H

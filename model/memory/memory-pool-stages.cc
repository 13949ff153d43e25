/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-stages.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param kind a hop @return whether it is links, from every row to every column
bool
IsMesh(PoolHopKind kind)
{
    return kind == PoolHopKind::GroupLink || kind == PoolHopKind::NodeLink;
}

/// @param kind a hop @return whether its rows are nodes
bool
HasNodeRows(PoolHopKind kind)
{
    return kind == PoolHopKind::InBackplane || kind == PoolHopKind::InAdder ||
           kind == PoolHopKind::GpuLink;
}

/// A rectangle of a grid.
struct Part
{
    uint32_t firstRow;    ///< first row
    uint32_t nRows;       ///< rows
    uint32_t firstColumn; ///< first column
    uint32_t nColumns;    ///< columns
};

/// @param grid servers of a hop @param kind which @param access who accesses @param isWhole
/// whether nodes and GPUs stand for all @return the servers the access needs
Part
GetPart(const MemoryPoolServers::Grid& grid,
        PoolHopKind kind,
        const MemoryPoolAccess& access,
        bool isWhole)
{
    Part part{0, grid.rows, 0, grid.columns};
    if (isWhole)
    {
        return part;
    }
    if (HasNodeRows(kind))
    {
        part.firstRow = access.firstNode;
        part.nRows = access.nNodes;
    }
    if (kind == PoolHopKind::NodeLink)
    {
        part.firstColumn = access.firstNode;
        part.nColumns = access.nNodes;
    }
    if (kind == PoolHopKind::GpuLink)
    {
        part.firstColumn = access.firstGpu;
        part.nColumns = access.nGpus;
    }
    return part;
}

/// @param stage has units; learns how many end at each vertex
void
CountNeeded(MemoryPoolStage& stage)
{
    for (const auto& unit : stage.units)
    {
        if (unit.to >= stage.needed.size())
        {
            stage.needed.resize(unit.to + 1);
        }
        ++stage.needed[unit.to];
    }
}

/// @param hop which @param grid its servers @param part those it needs @return the stage
MemoryPoolStage
MakeStage(const MemoryPoolHop& hop, const MemoryPoolServers::Grid& grid, const Part& part)
{
    MemoryPoolStage stage{hop, false, {}, {}, {}};
    const bool isMesh = IsMesh(hop.kind);
    const bool isTree = hop.kind == PoolHopKind::GpuLink;
    const uint32_t nOuter = hop.isUp && isMesh ? part.nColumns : part.nRows;
    const uint32_t nInner = hop.isUp && isMesh ? part.nRows : part.nColumns;
    for (uint32_t outer = 0; outer < nOuter; ++outer)
    {
        for (uint32_t inner = 0; inner < nInner; ++inner)
        {
            if (inner == 0 || (isTree && hop.isUp))
            {
                stage.firstUnit.push_back(stage.units.size());
            }
            const uint32_t row = hop.isUp && isMesh ? inner : outer;
            const uint32_t column = hop.isUp && isMesh ? outer : inner;
            const uint32_t server =
                grid.first + (part.firstRow + row) * grid.columns + part.firstColumn + column;
            const uint32_t leaf = outer * nInner + inner;
            const uint32_t to = isMesh ? inner : isTree && !hop.isUp ? leaf : outer;
            stage.units.push_back({server, to, row, column});
        }
    }
    stage.firstUnit.push_back(stage.units.size());
    CountNeeded(stage);
    return stage;
}

} // namespace

uint64_t
MemoryPoolStage::GetShare(const MemoryPoolLayout& layout,
                          const MemoryPoolLayout::Round& round,
                          const Unit& unit) const
{
    if (isLargest)
    {
        return hop.GetLargestShare(round.bytes);
    }
    switch (hop.kind)
    {
    case PoolHopKind::Memory:
        return layout.GetMemoryBytes(round, unit.row);
    case PoolHopKind::GroupLink:
        return layout.GetGroupLinkBytes(round, unit.row, unit.column);
    case PoolHopKind::NodeLink:
        return layout.GetNodeLinkBytes(round, unit.row, unit.column);
    case PoolHopKind::GpuLink:
        return layout.GetGpuLinkBytes(round, unit.row, unit.column);
    case PoolHopKind::OutBackplane:
    case PoolHopKind::OutAdder:
        return hop.numerator * layout.GetOutSwitchBytes(round, unit.row);
    default:
        return hop.numerator * layout.GetNodeBytes(round, unit.row);
    }
}

std::vector<MemoryPoolStage>
MakeMemoryPoolStages(const MemoryPoolShape& shape,
                     const MemoryPoolServers& servers,
                     const MemoryPoolAccess& access)
{
    const bool isWhole = servers.GetDetail() == PoolDetail::OneGpu;
    std::vector<MemoryPoolStage> stages;
    for (const MemoryPoolHop& hop : GetMemoryPoolHops(shape, access))
    {
        const auto& grid = servers.GetGrid(hop.kind, hop.isUp);
        stages.push_back(MakeStage(hop, grid, GetPart(grid, hop.kind, access, isWhole)));
        stages.back().isLargest =
            isWhole || access.isExchange ||
            (servers.GetDetail() == PoolDetail::EveryGpu && !HasNodeRows(hop.kind));
    }
    return stages;
}

} // namespace mlcluster
} // namespace ns3

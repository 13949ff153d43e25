/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DLRM_MODEL_H
#define ML_CLUSTER_DLRM_MODEL_H

#include "layered-model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A deep learning recommendation model (Naumov et al., 2019): dense features go through the bottom
 * MLP, categorical ones through embedding tables, each of which sums up the rows looked up; the dot
 * products of all pairs of these vectors and the bottom's output go through the top MLP.
 */
struct DlrmModel
{
    /// How a table is divided over the ranks.
    enum class Sharding
    {
        Table,  ///< whole, on one rank
        Row,    ///< its rows over all ranks
        Column, ///< its columns over some ranks
        Data    ///< whole, on every rank
    };

    /// One embedding table.
    struct Table
    {
        uint64_t rows{1};                   ///< R
        uint64_t pooling{1};                ///< l, rows looked up and summed up for a sample
        Sharding sharding{Sharding::Table}; ///< see there
        uint32_t shards{1};            ///< Column: ranks it is on, divides the size of a vector
        std::vector<uint32_t> ranks{}; ///< Table: its rank; Column: one per shard; empty: they
                                       ///< are chosen so that ranks have equal work
    };

    std::string name;                   ///< published name
    std::string source;                 ///< where the sizes are from
    uint64_t vectorSize{0};             ///< d, columns of all tables
    std::vector<Table> tables;          ///< at least one
    std::vector<uint64_t> bottomWidths; ///< dense features, widths of the bottom MLP; the last is d
    std::vector<uint64_t> topWidths;    ///< widths of the top MLP but that of its input, the last
                                        ///< is 1

    /// @return width of the top MLP's input: d + (N + 1) N / 2 for N tables @throw InputError if it
    /// does not fit 64 bits
    uint64_t GetTopInput() const;
    /// @return layers of the bottom MLP
    std::vector<LayeredModel::Layer> GetBottomLayers() const;
    /// @return layers of the top MLP @throw InputError if its input does not fit 64 bits
    std::vector<LayeredModel::Layer> GetTopLayers() const;
    /// @return parameters of both MLPs @throw InputError if above 2^64 - 1
    uint64_t CountDenseParameters() const;
    /// @return parameters of all tables @throw InputError if above 2^64 - 1
    uint64_t CountEmbeddingParameters() const;
};

/// @ingroup ml-cluster
/// @return names of published models: "dlrm-kaggle", "dlrm-mlperf"
std::vector<std::string> GetDlrmModelNames();
/// @ingroup ml-cluster
/// @param name one of them @return the model, all tables Table-sharded
/// @throw InputError if it is none
DlrmModel FindDlrmModel(const std::string& name);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DLRM_MODEL_H

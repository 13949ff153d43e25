/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dlrm-model.h"

#include "ns3/amount.h"
#include "ns3/diagnostics.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param model receives tables @param rows of each, looked up once a sample
void
AddTables(DlrmModel& model, const std::vector<uint64_t>& rows)
{
    for (const uint64_t count : rows)
    {
        model.tables.emplace_back();
        model.tables.back().rows = count;
    }
}

/// @return the model for Criteo's Kaggle data
DlrmModel
MakeKaggle()
{
    DlrmModel model;
    model.name = "dlrm-kaggle";
    model.source =
        "Naumov et al., Deep Learning Recommendation Model for Personalization and "
        "Recommendation Systems, 2019, and its published benchmark of Criteo's Kaggle data";
    model.vectorSize = 16;
    AddTables(model, {1460,  583,  10131227, 2202608, 305, 24,     12517,   633,   3,
                      93145, 5683, 8351593,  3194,    27,  14992,  5461306, 10,    5652,
                      2173,  4,    7046547,  18,      15,  286181, 105,     142572});
    model.bottomWidths = {13, 512, 256, 64, 16};
    model.topWidths = {512, 256, 1};
    return model;
}

/// @return the model of MLPerf Training 0.7 to 2.0
DlrmModel
MakeMlPerf()
{
    DlrmModel model;
    model.name = "dlrm-mlperf";
    model.source =
        "MLPerf Training 0.7 to 2.0, recommendation: DLRM on Criteo's 1 TB data, tables cut "
        "at 40 million rows";
    model.vectorSize = 128;
    AddTables(model, {39884406, 39043,    17289,    7420,     20263,  3,     7120, 1543, 63,
                      38532951, 2953546,  403346,   10,       2208,   11938, 155,  4,    976,
                      14,       39979771, 25641295, 39664984, 585935, 12972, 108,  36});
    model.bottomWidths = {13, 512, 256, 128};
    model.topWidths = {1024, 1024, 512, 256, 1};
    return model;
}

} // namespace

uint64_t
DlrmModel::GetTopInput() const
{
    const Amount n = tables.size();
    return (Amount(vectorSize) + (n + 1) * n / 2).Get("width of the top MLP's input");
}

std::vector<LayeredModel::Layer>
DlrmModel::GetBottomLayers() const
{
    return LayeredModel::MakeMlp("bottom", bottomWidths);
}

std::vector<LayeredModel::Layer>
DlrmModel::GetTopLayers() const
{
    std::vector<uint64_t> widths{GetTopInput()};
    widths.insert(widths.end(), topWidths.begin(), topWidths.end());
    return LayeredModel::MakeMlp("top", widths);
}

uint64_t
DlrmModel::CountDenseParameters() const
{
    LayeredModel dense;
    dense.name = name;
    dense.layers = GetBottomLayers();
    const auto top = GetTopLayers();
    dense.layers.insert(dense.layers.end(), top.begin(), top.end());
    return dense.CountParameters();
}

uint64_t
DlrmModel::CountEmbeddingParameters() const
{
    Amount sum;
    for (const Table& table : tables)
    {
        sum += Amount(table.rows) * vectorSize;
    }
    return sum.Get("parameters of the tables of " + name);
}

std::vector<std::string>
GetDlrmModelNames()
{
    return {"dlrm-kaggle", "dlrm-mlperf"};
}

DlrmModel
FindDlrmModel(const std::string& name)
{
    CheckWord("recommendation model", name, GetDlrmModelNames());
    return name == "dlrm-kaggle" ? MakeKaggle() : MakeMlPerf();
}

} // namespace mlcluster
} // namespace ns3

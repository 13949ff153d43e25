/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STUDY_STATEMENT_H
#define ML_CLUSTER_STUDY_STATEMENT_H

#include "published-figure.h"

#include "ns3/diagnostics.h"

#include <limits>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What others say of a system of a study, as limits of a figure.
 */
struct StudyStatement
{
    std::string text;       ///< what they say
    PublishedFigure figure; ///< of what, by whom; its value is not used
    double least{-std::numeric_limits<double>::infinity()}; ///< of the figure, if it holds
    double most{std::numeric_limits<double>::infinity()};   ///< likewise

    /// @param ours our figure @return "holds", "does not hold", or "was not run" if it is no number
    std::string Judge(double ours) const;
    /// @return the limits for a table
    std::string FormatLimits() const;
};

/**
 * @ingroup ml-cluster
 * Reads statements from a CSV file (CsvTable) with the headings `statement`, `quantity`, `system`,
 * `scheduler`, `least`, `most`, `source`; quantities are those of ReadPublishedFigures that are no
 * times. One of the limits may be empty.
 * @param path the file
 * @param diagnostics receives every problem
 * @return the statements in order
 */
std::vector<StudyStatement> ReadStudyStatements(const std::string& path, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STUDY_STATEMENT_H

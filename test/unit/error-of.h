/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ERROR_OF_H
#define ML_CLUSTER_ERROR_OF_H

#include "ns3/diagnostics.h"

#include <functional>
#include <string>

namespace ns3
{
namespace mlcluster
{

/// @param body what may throw @return the text of the InputError it throws, "" if it throws none
inline std::string
ErrorOf(const std::function<void()>& body)
{
    try
    {
        body();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ERROR_OF_H

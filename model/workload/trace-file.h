/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRACE_FILE_H
#define ML_CLUSTER_TRACE_FILE_H

#include "ns3/diagnostics.h"

#include <istream>
#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Opens a file for reading block by block, unpacked on the way if it begins like a gzip file,
 * whatever its name.
 * @param path the file
 * @return its content, unpacked; reading throws InputError without the path, if the file cannot be
 * read or unpacked
 * @throw InputError likewise, if it cannot be opened
 */
std::unique_ptr<std::istream> OpenTraceFile(const std::string& path);

/**
 * @ingroup ml-cluster
 * Reads a whole file and unpacks it if it begins like a gzip file, whatever its name.
 * @param path the file
 * @return its content, unpacked
 * @throw InputError without the path, if it cannot be read or unpacked
 */
std::string ReadTraceFile(const std::string& path);

/**
 * @ingroup ml-cluster
 * Writes a whole file.
 * @param path the file
 * @param content what to write
 * @param gzip whether to compress it; equal content gives equal files
 * @throw InputError with the path, if it cannot be written
 */
void WriteTraceFile(const std::string& path, const std::string& content, bool gzip);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRACE_FILE_H

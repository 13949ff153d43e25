/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Takes the place of ../trace-file.cc where zlib is missing: plain files only.

#include "ns3/trace-file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string NO_ZLIB = "this build cannot compress: install zlib and configure ns-3 again";

} // namespace

std::string
ReadTraceFile(const std::string& path)
{
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.is_open() || file.bad() || errno == EISDIR)
    {
        throw InputError(std::strerror(errno));
    }
    if (content.compare(0, 2, "\x1f\x8b") == 0)
    {
        throw InputError("is compressed, " + NO_ZLIB);
    }
    return content;
}

void
WriteTraceFile(const std::string& path, const std::string& content, bool gzip)
{
    if (gzip)
    {
        throw InputError(path + ": " + NO_ZLIB);
    }
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file)
    {
        throw InputError(path + ": cannot be written: " + std::strerror(errno));
    }
}

} // namespace mlcluster
} // namespace ns3

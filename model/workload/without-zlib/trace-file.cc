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

std::unique_ptr<std::istream>
OpenTraceFile(const std::string& path)
{
    errno = 0;
    auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
    const bool isEmpty = file->peek() == std::ifstream::traits_type::eof();
    if (!file->is_open() || file->bad() || errno == EISDIR)
    {
        throw InputError(std::strerror(errno));
    }
    if (!isEmpty && file->peek() == 0x1f && file->ignore().peek() == 0x8b)
    {
        throw InputError("is compressed, " + NO_ZLIB);
    }
    file->clear();
    file->seekg(0);
    file->exceptions(std::ios::badbit);
    return file;
}

std::string
ReadTraceFile(const std::string& path)
{
    const auto file = OpenTraceFile(path);
    return {std::istreambuf_iterator<char>(*file), std::istreambuf_iterator<char>()};
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

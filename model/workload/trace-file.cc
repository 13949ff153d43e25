/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <zlib.h>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Closes a file of zlib's.
struct GzipCloser
{
    /// @param file the file
    void operator()(gzFile file) const
    {
        gzclose(file);
    }
};

using GzipFile = std::unique_ptr<gzFile_s, GzipCloser>; ///< closes itself

/// Bytes handed to zlib at once.
constexpr std::size_t BLOCK_BYTES = 1 << 20;

/// Bytes a file is first expected to have.
constexpr std::size_t FIRST_BYTES = 1 << 14;

/// @param path a file @param mode how to open it @return it @throw InputError with the reason
GzipFile
Open(const std::string& path, const char* mode)
{
    errno = 0;
    GzipFile file(gzopen(path.c_str(), mode));
    if (!file)
    {
        throw InputError(std::strerror(errno != 0 ? errno : ENOMEM));
    }
    return file;
}

/// @param file a file @throw InputError with the reason if it has failed
void
ThrowIfFailed(gzFile file)
{
    int code = Z_OK;
    const char* text = gzerror(file, &code);
    if (code == Z_OK || code == Z_STREAM_END)
    {
        return;
    }
    if (code == Z_ERRNO)
    {
        throw InputError(std::strerror(errno));
    }
    throw InputError("damaged gzip file (" + std::string(text) + ")");
}

} // namespace

std::string
ReadTraceFile(const std::string& path)
{
    const GzipFile file = Open(path, "rb");
    std::string content(FIRST_BYTES, '\0');
    std::size_t size = 0;
    for (int got = 1; got > 0; size += std::max(got, 0))
    {
        if (size == content.size())
        {
            content.resize(2 * size);
        }
        got = gzread(file.get(), &content[size], std::min(content.size() - size, BLOCK_BYTES));
    }
    ThrowIfFailed(file.get());
    content.resize(size);
    return content;
}

void
WriteTraceFile(const std::string& path, const std::string& content, bool gzip)
{
    try
    {
        GzipFile file = Open(path, gzip ? "wb" : "wbT");
        for (std::size_t done = 0; done < content.size(); done += BLOCK_BYTES)
        {
            gzwrite(file.get(), &content[done], std::min(content.size() - done, BLOCK_BYTES));
        }
        ThrowIfFailed(file.get());
        if (gzclose(file.release()) != Z_OK)
        {
            throw InputError(std::strerror(errno));
        }
    }
    catch (const InputError& error)
    {
        throw InputError(path + ": cannot be written: " + error.what());
    }
}

} // namespace mlcluster
} // namespace ns3

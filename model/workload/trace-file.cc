/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <streambuf>
#include <vector>
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

constexpr std::size_t WRITE_BYTES = 1 << 20;    ///< bytes handed to zlib at once
constexpr std::streamsize READ_BYTES = 1 << 16; ///< bytes asked of zlib at once

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

/// Unpacks a file block by block.
class GzipBuffer : public std::streambuf
{
  public:
    /// @param path the file
    explicit GzipBuffer(const std::string& path)
        : m_file(Open(path, "rb")),
          m_block(READ_BYTES)
    {
        gzbuffer(m_file.get(), READ_BYTES);
    }

  protected:
    /// @return the next byte, or the end @throw InputError if the file is damaged
    int_type underflow() override
    {
        const int got = gzread(m_file.get(), m_block.data(), m_block.size());
        ThrowIfFailed(m_file.get());
        setg(m_block.data(), m_block.data(), m_block.data() + got);
        return got == 0 ? traits_type::eof() : traits_type::to_int_type(m_block[0]);
    }

  private:
    GzipFile m_file;           ///< the file
    std::vector<char> m_block; ///< what was unpacked last
};

/// A stream with a buffer of its own.
class GzipStream : public std::istream
{
  public:
    /// @param path the file
    explicit GzipStream(const std::string& path)
        : std::istream(nullptr),
          m_buffer(path)
    {
        rdbuf(&m_buffer);
        exceptions(std::ios::badbit);
    }

  private:
    GzipBuffer m_buffer; ///< the file
};

} // namespace

std::unique_ptr<std::istream>
OpenTraceFile(const std::string& path)
{
    auto stream = std::make_unique<GzipStream>(path);
    stream->peek();
    return stream;
}

std::string
ReadTraceFile(const std::string& path)
{
    GzipBuffer buffer(path);
    std::string content;
    std::streamsize got = READ_BYTES;
    while (got == READ_BYTES)
    {
        const std::size_t size = content.size();
        content.resize(size + READ_BYTES);
        got = buffer.sgetn(&content[size], READ_BYTES);
        content.resize(size + got);
    }
    return content;
}

void
WriteTraceFile(const std::string& path, const std::string& content, bool gzip)
{
    try
    {
        GzipFile file = Open(path, gzip ? "wb" : "wbT");
        for (std::size_t done = 0; done < content.size(); done += WRITE_BYTES)
        {
            gzwrite(file.get(), &content[done], std::min(content.size() - done, WRITE_BYTES));
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

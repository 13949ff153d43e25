/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "page-file.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace ns3
{
namespace mlcluster
{

PageFile::~PageFile()
{
    Clear();
}

void
PageFile::Open()
{
    const char* folder = std::getenv("TMPDIR");
    m_folder = folder && *folder ? folder : "/tmp";
    std::string path = m_folder + "/ml-cluster-nodes-XXXXXX";
    m_descriptor = mkstemp(path.data());
    if (m_descriptor < 0)
    {
        Fail("a file cannot be made");
    }
    unlink(path.c_str());
}

void
PageFile::Fail(const std::string& what) const
{
    const std::string reason = std::strerror(errno);
    throw InputError("nodes beyond workload.node-memory go to a temporary file, but in folder " +
                     m_folder + " " + what + ": " + reason + " (after " + FormatBytes(m_size) +
                     "); set TMPDIR to a folder with more room, or raise workload.node-memory");
}

uint64_t
PageFile::Append(const std::string& bytes)
{
    if (m_descriptor < 0)
    {
        Open();
    }
    for (std::size_t done = 0; done < bytes.size();)
    {
        const ssize_t count =
            pwrite(m_descriptor, bytes.data() + done, bytes.size() - done, m_size + done);
        if (count < 0 && errno != EINTR)
        {
            Fail("it cannot be written");
        }
        done += count > 0 ? count : 0;
    }
    m_size += bytes.size();
    return m_size - bytes.size();
}

void
PageFile::Read(uint64_t offset, std::string& bytes) const
{
    for (std::size_t done = 0; done < bytes.size();)
    {
        errno = EIO; // at the end of the file
        const ssize_t count =
            pread(m_descriptor, bytes.data() + done, bytes.size() - done, offset + done);
        if (count == 0 || (count < 0 && errno != EINTR))
        {
            Fail("it cannot be read");
        }
        done += count > 0 ? count : 0;
    }
}

void
PageFile::Clear()
{
    if (m_descriptor >= 0)
    {
        close(m_descriptor);
    }
    m_descriptor = -1;
    m_size = 0;
}

uint64_t
PageFile::GetSize() const
{
    return m_size;
}

} // namespace mlcluster
} // namespace ns3

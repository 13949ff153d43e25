/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "result-folder.h"

#include "ns3/diagnostics.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <locale>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Bytes written for trial: more than a file system keeps inside a directory entry.
constexpr std::size_t TRIAL_BYTES = 4096;

bool
FlushToDisk(const std::string& path)
{
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0)
    {
        return false;
    }
    const bool flushed = fsync(file) == 0;
    return close(file) == 0 && flushed;
}

} // namespace

ResultFolder::ResultFolder(const std::string& path)
    : m_path(path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error)
    {
        errno = error.value();
        Fail("the folder cannot be created");
    }
    try
    {
        Write("trial", [](std::ostream& os) { os << std::string(TRIAL_BYTES, '\n'); });
    }
    catch (...)
    {
        Discard();
        throw;
    }
    Discard();
}

ResultFolder::~ResultFolder()
{
    Discard();
}

const std::string&
ResultFolder::GetPath() const
{
    return m_path;
}

void
ResultFolder::Write(const std::string& name, const std::function<void(std::ostream&)>& write)
{
    const std::string temporary = CreateTemporary(name);
    m_pending.emplace_back(temporary, m_path + "/" + name);
    errno = 0;
    std::ofstream os(temporary, std::ios::binary);
    os.imbue(std::locale::classic());
    write(os);
    os.close();
    if (!os || !FlushToDisk(temporary))
    {
        Fail(name + " cannot be written");
    }
}

void
ResultFolder::LeaveOut(const std::string& name)
{
    m_leftOut.push_back(m_path + "/" + name);
}

void
ResultFolder::Publish()
{
    const int folder = open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
    {
        Fail("the folder cannot be opened");
    }
    flock(folder, LOCK_EX);
    for (const auto& path : m_leftOut)
    {
        unlink(path.c_str());
    }
    m_leftOut.clear();
    bool renamed = true;
    for (const auto& [temporary, final] : m_pending)
    {
        renamed = renamed && std::rename(temporary.c_str(), final.c_str()) == 0;
    }
    const int error = errno;
    close(folder);
    if (!renamed)
    {
        errno = error;
        Fail("a file cannot be given its name");
    }
    m_pending.clear();
}

std::string
ResultFolder::CreateTemporary(const std::string& name)
{
    for (uint32_t i = 0;; ++i)
    {
        const std::string path =
            m_path + "/." + name + "." + std::to_string(getpid()) + "-" + std::to_string(i);
        const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
        {
            close(file);
            return path;
        }
        if (errno != EEXIST)
        {
            Fail("no file can be created in it");
        }
    }
}

void
ResultFolder::Discard()
{
    for (const auto& [temporary, final] : m_pending)
    {
        unlink(temporary.c_str());
    }
    m_pending.clear();
}

void
ResultFolder::Fail(const std::string& what) const
{
    const std::string reason = errno ? std::generic_category().message(errno) : "write error";
    throw InputError("output folder \"" + m_path + "\": " + what + ": " + reason +
                     "; give a folder that can be written and has room");
}

} // namespace mlcluster
} // namespace ns3

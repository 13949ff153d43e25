/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/result-folder.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3::mlcluster;
namespace fs = std::filesystem;

namespace
{

constexpr uid_t NOBODY = 65534; ///< a user without rights

/// A fresh folder, removed at the end.
class ResultFolderTest : public testing::Test
{
  protected:
    ResultFolderTest()
    {
        std::string path = fs::temp_directory_path() / "ml-cluster-XXXXXX";
        m_root = mkdtemp(path.data());
    }

    ~ResultFolderTest() override
    {
        fs::permissions(m_root, fs::perms::owner_all);
        fs::remove_all(m_root);
    }

    static std::string Read(const fs::path& path)
    {
        std::ifstream is(path);
        std::ostringstream os;
        os << is.rdbuf();
        return os.str();
    }

    std::size_t CountFiles() const
    {
        return std::distance(fs::directory_iterator(m_root), fs::directory_iterator());
    }

    /// The exit status of a process of its own that runs `function`.
    template <typename Function>
    static int RunApart(Function function)
    {
        const pid_t child = fork();
        if (child == 0)
        {
            _exit(function());
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    /// The same for a process whose files cannot grow over `bytes`.
    template <typename Function>
    static int RunOnFullDisk(rlim_t bytes, Function function)
    {
        return RunApart([&] {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{bytes, bytes};
            setrlimit(RLIMIT_FSIZE, &limit);
            return function();
        });
    }

    fs::path m_root; ///< the folder
};

} // namespace

TEST_F(ResultFolderTest, MakesMissingFoldersAndLeavesNoTrialFile)
{
    const ResultFolder folder(m_root / "a" / "b");
    EXPECT_TRUE(fs::is_directory(m_root / "a" / "b"));
    EXPECT_TRUE(fs::is_empty(m_root / "a" / "b"));
    EXPECT_EQ(folder.GetPath(), (m_root / "a" / "b").string());
}

TEST_F(ResultFolderTest, FilesAppearTogetherWhenPublished)
{
    std::ofstream(m_root / "one") << "old";
    ResultFolder folder(m_root);
    folder.Write("one", [](std::ostream& os) { os << "first"; });
    folder.Write("two", [](std::ostream& os) { os << "second"; });
    EXPECT_EQ(Read(m_root / "one"), "old");
    EXPECT_FALSE(fs::exists(m_root / "two"));
    folder.Publish();
    EXPECT_EQ(Read(m_root / "one"), "first");
    EXPECT_EQ(Read(m_root / "two"), "second");
    EXPECT_EQ(CountFiles(), 2U);
}

TEST_F(ResultFolderTest, WhatIsLeftOutIsNotKeptFromAnEarlierRun)
{
    std::ofstream(m_root / "one") << "old";
    std::ofstream(m_root / "two") << "old";
    std::ofstream(m_root / "three") << "old";
    ResultFolder folder(m_root);
    folder.LeaveOut("one");
    folder.LeaveOut("two");
    folder.LeaveOut("none");
    folder.Write("two", [](std::ostream& os) { os << "new"; });
    EXPECT_EQ(CountFiles(), 4U) << "until all is there";
    folder.Publish();
    EXPECT_FALSE(fs::exists(m_root / "one"));
    EXPECT_EQ(Read(m_root / "two"), "new");
    EXPECT_EQ(Read(m_root / "three"), "old");
}

TEST_F(ResultFolderTest, WhatIsNotPublishedLeavesNothing)
{
    {
        ResultFolder folder(m_root);
        folder.Write("one", [](std::ostream& os) { os << "first"; });
    }
    EXPECT_EQ(CountFiles(), 0U);
}

TEST_F(ResultFolderTest, RefusesAPathThatIsAFile)
{
    const fs::path file = m_root / "file";
    std::ofstream(file) << "x";
    for (const fs::path& path : {file, file / "below"})
    {
        const std::string error = ErrorOf([&] { ResultFolder folder(path); });
        EXPECT_NE(error.find(path.string()), std::string::npos) << error;
        EXPECT_NE(error.find("Not a directory"), std::string::npos) << error;
    }
}

TEST_F(ResultFolderTest, RefusesAFolderThatCannotBeWritten)
{
    EXPECT_NE(ErrorOf([] { ResultFolder folder("/proc"); }), "");
    EXPECT_NE(ErrorOf([] { ResultFolder folder("/proc/none"); }), "");
    fs::permissions(m_root, fs::perms(0555));
    const int status = RunApart([&] {
        if (geteuid() == 0 && setuid(NOBODY) != 0)
        {
            return 2;
        }
        const std::string error = ErrorOf([&] { ResultFolder folder(m_root); });
        return error.find("Permission denied") == std::string::npos ? 0 : 1;
    });
    EXPECT_EQ(status, 1);
}

TEST_F(ResultFolderTest, RefusesAFullDiskBeforeTheRun)
{
    const int status = RunOnFullDisk(100, [&] {
        return ErrorOf([&] { ResultFolder folder(m_root); }).empty() ? 0 : 1;
    });
    EXPECT_EQ(status, 1);
    EXPECT_EQ(CountFiles(), 0U);
}

TEST_F(ResultFolderTest, ADiskThatBecomesFullLeavesTheOlderFile)
{
    std::ofstream(m_root / "one") << "old";
    const int status = RunOnFullDisk(10000, [&] {
        const std::string error = ErrorOf([&] {
            ResultFolder folder(m_root);
            folder.Write("one", [](std::ostream& os) { os << std::string(20000, 'x'); });
            folder.Publish();
        });
        return error.find("one cannot be written: File too large") == std::string::npos ? 0 : 1;
    });
    EXPECT_EQ(status, 1);
    EXPECT_EQ(Read(m_root / "one"), "old");
    EXPECT_EQ(CountFiles(), 1U);
}

TEST_F(ResultFolderTest, RunsAtTheSameTimeDoNotMix)
{
    constexpr int RUNS = 10;
    std::vector<pid_t> children;
    for (int i = 0; i < RUNS; ++i)
    {
        children.push_back(fork());
        if (children.back() == 0)
        {
            const std::string text(100000, static_cast<char>('0' + i));
            ResultFolder folder(m_root);
            folder.Write("one", [&](std::ostream& os) { os << text; });
            folder.Write("two", [&](std::ostream& os) { os << text; });
            folder.Publish();
            _exit(0);
        }
    }
    for (const pid_t child : children)
    {
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    const std::string one = Read(m_root / "one");
    EXPECT_EQ(one, std::string(100000, one[0]));
    EXPECT_EQ(Read(m_root / "two"), one);
    EXPECT_EQ(CountFiles(), 2U);
}

TEST_F(ResultFolderTest, TwoFoldersOfOneProcessDoNotMix)
{
    ResultFolder first(m_root);
    ResultFolder second(m_root);
    first.Write("one", [](std::ostream& os) { os << "first"; });
    second.Write("one", [](std::ostream& os) { os << "second"; });
    first.Publish();
    EXPECT_EQ(Read(m_root / "one"), "first");
    second.Publish();
    EXPECT_EQ(Read(m_root / "one"), "second");
}

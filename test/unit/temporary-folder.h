/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEMPORARY_FOLDER_H
#define ML_CLUSTER_TEMPORARY_FOLDER_H

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>

/// The folder of one test, gone after it.
class TemporaryFolder
{
  public:
    TemporaryFolder()
        : m_path(std::filesystem::temp_directory_path() /
                 ("ml-cluster-" + std::to_string(std::random_device()())))
    {
        std::filesystem::create_directories(m_path);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    ~TemporaryFolder()
    {
        std::filesystem::remove_all(m_path);
    }

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

    /// @return the path of the file
    std::string Write(const std::string& name, const std::string& text) const
    {
        const auto path = m_path / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }

  private:
    std::filesystem::path m_path;
};

/// A test with a folder of its own.
class FolderTest : public testing::Test
{
  protected:
    /// @param name file name @return its path in the folder
    std::string Path(const std::string& name) const
    {
        return (m_folder.GetPath() / name).string();
    }

    /// @param name file name @param content what to write @return its path
    std::string Write(const std::string& name, const std::string& content) const
    {
        return m_folder.Write(name, content);
    }

    /// @param path a file @return its content
    static std::string ReadBack(const std::string& path)
    {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

  private:
    TemporaryFolder m_folder; ///< the folder
};

/// @return the folder of the module
inline std::filesystem::path
GetModuleFolder()
{
    return std::filesystem::path(ML_CLUSTER_TEST_DATA).parent_path().parent_path();
}

/// @return the text with a part of it, which it must have, replaced
inline std::string
Replace(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

#endif // ML_CLUSTER_TEMPORARY_FOLDER_H

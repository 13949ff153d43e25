/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RESULT_FOLDER_H
#define ML_CLUSTER_RESULT_FOLDER_H

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The folder a run leaves its results in. Files appear complete or not at all: each is written
 * under a temporary name (".name.pid-n") in the same folder, flushed to the disk, and renamed when
 * all are there. Renaming is one step for all files of a run: of several runs that end in one
 * folder at the same time, the last one's files remain, all of them.
 */
class ResultFolder
{
  public:
    /**
     * Creates the folder (and those above it) if it is missing, and writes a file for trial, so
     * that a run does not start whose results cannot be kept.
     * @param path the folder
     * @throw InputError naming the folder and the system's reason
     */
    explicit ResultFolder(const std::string& path);

    /// Removes what was written but not published.
    ~ResultFolder();

    ResultFolder(const ResultFolder&) = delete;            ///< not copied: it owns files
    ResultFolder& operator=(const ResultFolder&) = delete; ///< @return nothing; not copied

    const std::string& GetPath() const; ///< @return the folder as given

    /**
     * Writes a file under a temporary name.
     * @param name name the file will have in the folder
     * @param write writes the content
     * @throw InputError if it cannot be written whole, as on a full disk
     */
    void Write(const std::string& name, const std::function<void(std::ostream&)>& write);

    /// Leaves no older file of a name, which would seem to belong to this run, unless one is
    /// written.
    /// @param name of it
    void LeaveOut(const std::string& name);

    /**
     * Gives all files written so far their names, over older ones, and removes what is left out.
     * @throw InputError if one cannot be renamed
     */
    void Publish();

  private:
    std::string CreateTemporary(
        const std::string& name); ///< @param name final name @return path of a new empty file
    void Discard();               ///< removes the files not published
    /// @param what what failed @throw InputError with the reason in errno
    [[noreturn]] void Fail(const std::string& what) const;

    std::string m_path; ///< the folder
    /// Temporary and final path of the files not published.
    std::vector<std::pair<std::string, std::string>> m_pending;
    std::vector<std::string> m_leftOut; ///< paths that shall not be there
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RESULT_FOLDER_H

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PAGE_FILE_H
#define ML_CLUSTER_PAGE_FILE_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A temporary file that grows at its end, in the folder that the environment variable TMPDIR names,
 * or /tmp. It has no name, so that nothing is left of it when the process ends, however it does.
 */
class PageFile
{
  public:
    PageFile() = default; ///< Makes no file yet.
    ~PageFile();          ///< Gives its space back.

    PageFile(const PageFile&) = delete;            ///< not copied
    PageFile& operator=(const PageFile&) = delete; ///< not copied

    /**
     * @param bytes go to the end
     * @return where they begin
     * @throw InputError with the folder and the bytes written so far, if it cannot be written
     */
    uint64_t Append(const std::string& bytes);
    /**
     * @param offset where to begin @param bytes receives as many as it has room for
     * @throw InputError with the folder, if it cannot be read
     */
    void Read(uint64_t offset, std::string& bytes) const;
    void Clear();             ///< Forgets all bytes and gives their space back.
    uint64_t GetSize() const; ///< @return bytes in it

  private:
    void Open(); ///< Makes the file.
    /// @param what could not be done @throw InputError that says so, with the reason
    [[noreturn]] void Fail(const std::string& what) const;

    std::string m_folder; ///< where it is
    int m_descriptor{-1}; ///< of the open file; -1: there is none
    uint64_t m_size{0};   ///< bytes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PAGE_FILE_H

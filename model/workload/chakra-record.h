/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_RECORD_H
#define ML_CLUSTER_CHAKRA_RECORD_H

#include "chakra-attribute.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A node as a Chakra file holds it; the views point into the file's content.
 */
struct ChakraNode
{
    uint64_t id{0};                            ///< id
    std::string_view name;                     ///< name
    uint64_t type{0};                          ///< number of the NodeType
    std::vector<uint64_t> controlDependencies; ///< ids
    std::vector<uint64_t> dataDependencies;    ///< ids
    uint64_t durationMicroseconds{0};          ///< measured duration, us
    std::string_view inputValues;              ///< text of the list of inputs
    ChakraAttributes attributes;               ///< attributes
    std::string_view repeatedAttribute;        ///< an attribute given more than once, or empty
    bool isLegacy{false};                      ///< it has fields of schemas before 0.0.4
};

/**
 * @ingroup ml-cluster
 * Cuts the content of a Chakra file into records: each a base-128 length and so many bytes.
 */
class ChakraRecordReader
{
  public:
    /// @param content the whole file, unpacked; must outlive this
    explicit ChakraRecordReader(std::string_view content);

    /**
     * Goes on to the next record. An empty one ends the file if nothing follows.
     * @return whether there is one
     * @throw InputError if it is cut off, empty though others follow, or its length makes no sense
     */
    bool Next();

    std::string_view GetRecord() const; ///< @return the bytes of the record
    uint64_t GetOffset() const;         ///< @return where the record (its length) begins, in bytes

  private:
    std::string_view m_content; ///< whole file
    std::string_view m_rest;    ///< what follows the record
    std::string_view m_record;  ///< the record
    uint64_t m_offset{0};       ///< where it begins
};

/**
 * @ingroup ml-cluster
 * Tells a GlobalMetadata from a node, since old writers leave it out: a node has an integer in
 * field 1 or any field from 3 on.
 * @param record the first record of a file
 * @return whether it is a GlobalMetadata
 * @throw InputError if it is malformed
 */
bool IsChakraMetadata(std::string_view record);

/**
 * @ingroup ml-cluster
 * @param record the bytes of a node
 * @param mayBeLegacy whether to look for fields that only schemas before 0.0.4 have; a node that
 * has some is marked and not decoded
 * @return the node
 * @throw InputError if it is malformed
 */
ChakraNode DecodeChakraNode(std::string_view record, bool mayBeLegacy);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_RECORD_H

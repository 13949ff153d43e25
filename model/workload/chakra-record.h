/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_RECORD_H
#define ML_CLUSTER_CHAKRA_RECORD_H

#include "chakra-attribute.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A node as a Chakra file holds it; the views point into what was read.
 */
struct ChakraNode
{
    uint64_t id{0};                            ///< id
    std::string_view name;                     ///< name
    uint64_t type{0};                          ///< number of the NodeType
    std::vector<uint64_t> controlDependencies; ///< ids
    std::vector<uint64_t> dataDependencies;    ///< ids
    uint64_t duration{0};                      ///< measured duration, in its unit
    int64_t durationUnitPs{1000000};           ///< unit of the duration, ps
    std::string_view inputValues;              ///< text of the list of inputs
    ChakraAttributes attributes;               ///< attributes
    bool mayLackCommunication{false};          ///< communication that lacks all attributes takes
                                               ///< its duration
    std::string_view repeatedAttribute;        ///< an attribute given more than once, or empty

    /// Adds an attribute, and notes if it was there already. @param attribute name and value
    void Add(std::pair<std::string_view, ChakraAttributes::Value> attribute);
};

/**
 * @ingroup ml-cluster
 * Cuts a Chakra file into records: each a base-128 length and so many bytes. No more than one
 * record is in memory.
 */
class ChakraRecordReader
{
  public:
    /// @param stream the file, unpacked; must outlive this
    explicit ChakraRecordReader(std::istream& stream);

    /**
     * Goes on to the next record. An empty one ends the file if nothing follows.
     * @return whether there is one
     * @throw InputError if it is cut off, empty though others follow, or its length makes no sense
     */
    bool Next();

    std::string_view GetRecord() const; ///< @return the bytes of the record, up to the next one
    uint64_t GetOffset() const;         ///< @return where the record (its length) begins, in bytes

  private:
    /// @return the length in front of a record, or nothing at the end of the file
    std::optional<uint64_t> TakeLength();
    void TakeBytes(uint64_t length); ///< @param length bytes that the record should have

    std::streambuf& m_source; ///< what is left of the file
    std::string m_record;     ///< the record
    uint64_t m_offset{0};     ///< where it begins
    uint64_t m_end{0};        ///< bytes read
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
 * @param record the bytes of a node of schema 0.0.4
 * @return the node
 * @throw InputError if it is malformed
 */
ChakraNode DecodeChakraNode(std::string_view record);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_RECORD_H

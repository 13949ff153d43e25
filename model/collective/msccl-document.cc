/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "msccl-document.h"

#include "ns3/message-tally.h"
#include "ns3/trace-file.h"

#include <algorithm>
#include <charconv>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits>
#include <memory>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int64_t MAX_NUMBER = std::numeric_limits<int32_t>::max(); ///< of most attributes

/// What a type of step does.
struct StepKind
{
    const char* name; ///< as written
    bool receives;    ///< see MscclStep
    bool reduces;     ///< likewise
    bool copies;      ///< likewise
    bool stores;      ///< likewise
    bool sends;       ///< likewise
};

constexpr StepKind STEP_KINDS[] = {
    {"s", false, false, false, false, true},
    {"r", true, false, false, true, false},
    {"cpy", false, false, true, true, false},
    {"re", false, true, false, true, false},
    {"rcs", true, false, false, true, true},
    {"rrc", true, true, false, true, false},
    {"rrs", true, true, false, false, true},
    {"rrcs", true, true, false, true, true},
    {"nop", false, false, false, false, false},
};

/// A collective as a file names it.
struct CollectiveName
{
    const char* name;    ///< as written
    CollectiveType type; ///< operation
};

constexpr CollectiveName COLLECTIVES[] = {
    {"allreduce", CollectiveType::AllReduce},
    {"allgather", CollectiveType::AllGather},
    {"reduce_scatter", CollectiveType::ReduceScatter},
    {"alltoall", CollectiveType::AllToAll},
    {"broadcast", CollectiveType::Broadcast},
    {"reduce", CollectiveType::Reduce},
};

/// Frees what libxml2 allocates.
struct XmlDeleter
{
    /// @param document to free
    void operator()(xmlDoc* document) const
    {
        xmlFreeDoc(document);
    }

    /// @param text to free
    void operator()(xmlChar* text) const
    {
        xmlFree(text);
    }
};

/// @param entries with names @return the names
template <typename Entries>
std::vector<std::string>
NamesOf(const Entries& entries)
{
    std::vector<std::string> names;
    for (const auto& entry : entries)
    {
        names.emplace_back(entry.name);
    }
    return names;
}

/// Reads a file into a document.
class MscclReader
{
  public:
    /// @param limits of what is read @param document receives it; its file is set @param
    /// diagnostics receives problems
    MscclReader(const MscclLimits& limits, MscclDocument& document, Diagnostics& diagnostics)
        : m_limits(limits),
          m_document(document),
          m_errors(diagnostics)
    {
    }

    void Read(); ///< Reads it.

  private:
    /// @param element an element @param message what is wrong with it
    void Refuse(const xmlNode* element, const std::string& message);
    /// @param element an element @param name of an attribute @return its text, if it has it
    static std::optional<std::string> Find(const xmlNode* element, const char* name);
    /// @param element an element @param names of an attribute, any of which it may have @return
    /// its text, "" with an error if it has none
    std::string GetText(const xmlNode* element, const std::vector<const char*>& names);
    /// @param element an element @param names likewise @param min allowed @param max allowed @param
    /// absent what a missing one means; none: it must be there @return its number
    int64_t GetNumber(const xmlNode* element,
                      const std::vector<const char*>& names,
                      int64_t min,
                      int64_t max,
                      std::optional<int64_t> absent = std::nullopt);
    /// @param element an element @param text of an attribute @param entries what is allowed @return
    /// the entry, the first one with an error if there is none
    template <typename Entries>
    const auto& GetEntry(const xmlNode* element, const std::string& text, const Entries& entries);
    /// @param element an element @param names of the elements it may hold @param limit of their
    /// number @param id attribute that counts them from 0 @param read reads one
    template <typename Body>
    void ForEach(const xmlNode* element,
                 const std::vector<std::string>& names,
                 uint32_t limit,
                 const std::vector<const char*>& id,
                 const Body& read);

    /// @param element algo
    void ReadAlgorithm(const xmlNode* element);
    /// @param element gpu @return what it says
    MscclGpu ReadGpu(const xmlNode* element);
    /// @param element tb @return what it says
    MscclThreadBlock ReadThreadBlock(const xmlNode* element);
    /// @param element step or op @return what it says
    MscclStep ReadStep(const xmlNode* element);
    /// @param element step or op @param buffer attribute @param offset attribute @return the place
    MscclPlace ReadPlace(const xmlNode* element, const char* buffer, const char* offset);

    MscclLimits m_limits;      ///< of what is read
    MscclDocument& m_document; ///< what is read
    MessageTally m_errors;     ///< problems
};

void
MscclReader::Refuse(const xmlNode* element, const std::string& message)
{
    m_errors.Error({m_document.file,
                    static_cast<int>(xmlGetLineNo(element)),
                    reinterpret_cast<const char*>(element->name)},
                   message);
}

std::optional<std::string>
MscclReader::Find(const xmlNode* element, const char* name)
{
    const std::unique_ptr<xmlChar, XmlDeleter> text(
        xmlGetProp(element, reinterpret_cast<const xmlChar*>(name)));
    return text ? std::optional<std::string>(reinterpret_cast<const char*>(text.get()))
                : std::nullopt;
}

std::string
MscclReader::GetText(const xmlNode* element, const std::vector<const char*>& names)
{
    for (const char* name : names)
    {
        if (auto text = Find(element, name))
        {
            return *text;
        }
    }
    Refuse(element, std::string("attribute ") + names[0] + " is missing");
    return "";
}

int64_t
MscclReader::GetNumber(const xmlNode* element,
                       const std::vector<const char*>& names,
                       int64_t min,
                       int64_t max,
                       std::optional<int64_t> absent)
{
    const bool isThere = std::any_of(names.begin(), names.end(), [&](const char* name) {
        return Find(element, name).has_value();
    });
    if (!isThere && absent)
    {
        return *absent;
    }
    const std::string text = GetText(element, names);
    int64_t number = min;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = result.ec == std::errc() && result.ptr == text.data() + text.size();
    if (isThere && (!isWhole || number < min || number > max))
    {
        Refuse(element,
               std::string(names[0]) + " is \"" + text + "\"; a whole number from " +
                   std::to_string(min) + " to " + std::to_string(max) + " is allowed");
        return min;
    }
    return number;
}

template <typename Entries>
const auto&
MscclReader::GetEntry(const xmlNode* element, const std::string& text, const Entries& entries)
{
    for (const auto& entry : entries)
    {
        if (text == entry.name)
        {
            return entry;
        }
    }
    if (!text.empty())
    {
        Refuse(element,
               "\"" + text + "\" is not known; allowed are " + JoinWords(NamesOf(entries)));
    }
    return entries[0];
}

template <typename Body>
void
MscclReader::ForEach(const xmlNode* element,
                     const std::vector<std::string>& names,
                     uint32_t limit,
                     const std::vector<const char*>& id,
                     const Body& read)
{
    uint32_t count = 0;
    for (const xmlNode* child = element->children; child; child = child->next)
    {
        if (child->type != XML_ELEMENT_NODE)
        {
            continue;
        }
        const std::string name = reinterpret_cast<const char*>(child->name);
        if (std::find(names.begin(), names.end(), name) == names.end())
        {
            Refuse(child, "is no element of this place; allowed is " + JoinWords(names));
            continue;
        }
        if (GetNumber(child, id, 0, MAX_NUMBER) != count)
        {
            Refuse(child,
                   std::string(id[0]) + " is not " + std::to_string(count) +
                       "; they count from 0 in order");
        }
        if (++count > limit)
        {
            Refuse(child, "is one too many; at most " + std::to_string(limit) + " are allowed");
            return;
        }
        read(child);
    }
}

void
MscclReader::Read()
{
    const std::string content = ReadTraceFile(m_document.file);
    if (content.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    {
        throw InputError("larger than 2 GiB");
    }
    xmlSetStructuredErrorFunc(this, [](void* reader, auto* error) {
        std::string text = error->message ? error->message : "no well-formed XML";
        text.erase(std::find(text.begin(), text.end(), '\n'), text.end());
        auto* self = static_cast<MscclReader*>(reader);
        self->m_errors.Error({self->m_document.file, error->line, ""}, text);
    });
    const std::unique_ptr<xmlDoc, XmlDeleter> document(
        xmlReadMemory(content.data(),
                      static_cast<int>(content.size()),
                      nullptr,
                      nullptr,
                      XML_PARSE_NONET | XML_PARSE_BIG_LINES));
    xmlSetStructuredErrorFunc(nullptr, nullptr);
    const xmlNode* root = document ? xmlDocGetRootElement(document.get()) : nullptr;
    if (root)
    {
        ReadAlgorithm(root);
    }
    else if (m_errors.GetNErrors() == 0)
    {
        throw InputError("no XML");
    }
}

void
MscclReader::ReadAlgorithm(const xmlNode* element)
{
    const std::string root = reinterpret_cast<const char*>(element->name);
    if (root != "algo")
    {
        Refuse(element, "is the outermost element; algo is expected");
        return;
    }
    m_document.line = static_cast<int>(xmlGetLineNo(element));
    m_document.name = Find(element, "name").value_or("");
    m_document.type = GetEntry(element, GetText(element, {"coll"}), COLLECTIVES).type;
    m_document.inPlace = GetNumber(element, {"inplace"}, 0, 1, 0) == 1;
    m_document.minBytes = GetNumber(element, {"minBytes"}, 0, INT64_MAX, 0);
    const int64_t maxBytes = GetNumber(element, {"maxBytes"}, 0, INT64_MAX, 0);
    if (maxBytes > 0)
    {
        m_document.maxBytes = maxBytes;
        if (m_document.maxBytes < m_document.minBytes)
        {
            Refuse(element, "maxBytes is below minBytes");
        }
    }
    ForEach(element, {"gpu"}, MAX_NUMBER, {"id"}, [&](const xmlNode* gpu) {
        m_document.gpus.push_back(ReadGpu(gpu));
    });
    const auto nGpus = static_cast<int64_t>(m_document.gpus.size());
    const int64_t nExpected = GetNumber(element, {"ngpus"}, 1, MAX_NUMBER, nGpus);
    if (nGpus == 0 || nExpected != nGpus)
    {
        Refuse(element,
               "ngpus is \"" + std::to_string(nExpected) + "\"; there are " +
                   std::to_string(nGpus) + " gpu elements");
    }
    int64_t largest = 1;
    for (const auto& gpu : m_document.gpus)
    {
        largest = std::max<int64_t>({largest, gpu.inputChunks, gpu.outputChunks});
    }
    m_document.nChunks = static_cast<uint32_t>(
        GetNumber(element, {"nchunksperloop"}, 1, m_limits.maxChunks, largest));
}

MscclGpu
MscclReader::ReadGpu(const xmlNode* element)
{
    MscclGpu gpu;
    gpu.line = static_cast<int>(xmlGetLineNo(element));
    gpu.inputChunks =
        static_cast<uint32_t>(GetNumber(element, {"i_chunks"}, 0, m_limits.maxChunks));
    gpu.outputChunks =
        static_cast<uint32_t>(GetNumber(element, {"o_chunks"}, 0, m_limits.maxChunks));
    gpu.scratchChunks =
        static_cast<uint32_t>(GetNumber(element, {"s_chunks"}, 0, m_limits.maxChunks));
    ForEach(element, {"tb"}, m_limits.maxThreadBlocks, {"id"}, [&](const xmlNode* child) {
        gpu.threadBlocks.push_back(ReadThreadBlock(child));
    });
    return gpu;
}

MscclThreadBlock
MscclReader::ReadThreadBlock(const xmlNode* element)
{
    constexpr int64_t MAX_CHANNEL = (1 << 16) - 1;
    MscclThreadBlock block;
    block.line = static_cast<int>(xmlGetLineNo(element));
    block.sendPeer = GetNumber(element, {"send"}, -1, MAX_NUMBER);
    block.receivePeer = GetNumber(element, {"recv"}, -1, MAX_NUMBER);
    block.channel = static_cast<uint32_t>(GetNumber(element, {"chan"}, 0, MAX_CHANNEL));
    ForEach(element, {"step", "op"}, m_limits.maxSteps, {"s", "step"}, [&](const xmlNode* child) {
        block.steps.push_back(ReadStep(child));
    });
    return block;
}

MscclStep
MscclReader::ReadStep(const xmlNode* element)
{
    MscclStep step;
    step.line = static_cast<int>(xmlGetLineNo(element));
    step.type = GetText(element, {"type", "op"});
    const StepKind& kind = GetEntry(element, step.type, STEP_KINDS);
    step.receives = kind.receives;
    step.reduces = kind.reduces;
    step.copies = kind.copies;
    step.stores = kind.stores;
    step.sends = kind.sends;
    if (step.stores || step.reduces || step.sends)
    {
        step.count = static_cast<uint32_t>(GetNumber(element, {"cnt"}, 1, m_limits.maxCount, 1));
    }
    if (step.reduces || step.copies || (step.sends && !step.receives))
    {
        step.source = ReadPlace(element, "srcbuf", "srcoff");
    }
    if (step.stores)
    {
        step.destination = ReadPlace(element, "dstbuf", "dstoff");
    }
    step.dependsOn = GetNumber(element, {"depid"}, -1, MAX_NUMBER, -1);
    step.dependsOnStep = GetNumber(element, {"deps"}, -1, MAX_NUMBER, -1);
    return step;
}

MscclPlace
MscclReader::ReadPlace(const xmlNode* element, const char* buffer, const char* offset)
{
    const std::string name = GetText(element, {buffer, "buf"});
    constexpr char NAMES[] = "ios";
    const char* found = name.size() == 1 ? std::find(NAMES, NAMES + 3, name[0]) : NAMES + 3;
    if (found == NAMES + 3)
    {
        if (!name.empty())
        {
            Refuse(element, std::string(buffer) + " is \"" + name + "\"; allowed are i, o, s");
        }
        found = NAMES;
    }
    return {static_cast<MscclBuffer>(found - NAMES),
            GetNumber(element, {offset, "off"}, 0, MAX_NUMBER)};
}

} // namespace

bool
MscclDocument::IsByPiece() const
{
    return type == CollectiveType::AllGather || type == CollectiveType::ReduceScatter ||
           type == CollectiveType::AllToAll;
}

uint32_t
MscclDocument::GetNInput() const
{
    return type == CollectiveType::AllGather ? nChunks / static_cast<uint32_t>(gpus.size())
                                             : nChunks;
}

uint32_t
MscclDocument::GetNOutput() const
{
    return type == CollectiveType::ReduceScatter ? nChunks / static_cast<uint32_t>(gpus.size())
                                                 : nChunks;
}

MscclDocument
ReadMscclDocument(const std::string& path, const MscclLimits& limits, Diagnostics& diagnostics)
{
    MscclDocument document;
    document.file = path;
    try
    {
        MscclReader(limits, document, diagnostics).Read();
    }
    catch (const InputError& error)
    {
        diagnostics.Error({path, 0, ""}, std::string("cannot be read: ") + error.what());
    }
    return document;
}

} // namespace mlcluster
} // namespace ns3

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-workload-reader.h"

#include "trace-file.h"

#include "ns3/plain-number.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t LARGEST_EXACT = uint64_t{1} << 53; // as a double, which times are kept in
constexpr uint64_t LARGEST_SIZE = std::numeric_limits<int64_t>::max();

/// Collectives, as ASTRA-sim writes them.
const std::vector<std::string> COLLECTIVES{"NONE",
                                           "ALLREDUCE",
                                           "ALLTOALL",
                                           "ALLGATHER",
                                           "REDUCESCATTER"};

/// Header keys of one number.
const std::map<std::string, uint64_t TextWorkload::*> NUMBER_KEYS{
    {"model_parallel_NPU_group", &TextWorkload::modelGroup},
    {"ep", &TextWorkload::expertGroup},
    {"pp", &TextWorkload::pipeline},
    {"vpp", &TextWorkload::virtualStages},
    {"ga", &TextWorkload::microBatches},
    {"all_gpus", &TextWorkload::ranks},
    {"pp_comm", &TextWorkload::pipelineBytes}};

/// Header keys of a counted list of layers.
const std::map<std::string, std::vector<uint64_t> TextWorkload::*> LIST_KEYS{
    {"checkpoints", &TextWorkload::checkpoints},
    {"checkpoint_initiates", &TextWorkload::recomputations}};

/// Header key of SimAI's DLRM.
const std::string BOTTOM_KEY = "DLRM_LAST_BOTTOM_LAYER";

/// @param text a word @param end an end @return whether it ends so; then it is cut off
bool
CutEnd(std::string& text, const std::string& end)
{
    const bool ends =
        text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
    text.resize(text.size() - (ends ? end.size() : 0));
    return ends;
}

/// @param word any word @return whether it is a collective of ASTRA-sim
bool
IsCollective(const std::string& word)
{
    return std::find(COLLECTIVES.begin(), COLLECTIVES.end(), word) != COLLECTIVES.end();
}

/// @param text any text @return it in capital letters
std::string
ToUpper(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

/// @param text a word @return whether it begins with a digit
bool
IsNumber(const std::string& text)
{
    return text[0] >= '0' && text[0] <= '9';
}

/// @param dialect a dialect @param policy a policy of a transformer @return keys of its header
std::vector<std::string>
GetHeaderKeys(TextDialect dialect, TextPolicy policy)
{
    std::vector<std::string> keys{"model_parallel_NPU_group"};
    if (policy == TextPolicy::HybridTransformerRecomputing)
    {
        keys.insert(keys.end(), {"checkpoints", "checkpoint_initiates"});
    }
    if (dialect == TextDialect::SimAi)
    {
        keys.insert(keys.end(), {"ep", "pp", "vpp", "ga", "all_gpus", "pp_comm"});
    }
    return keys;
}

} // namespace

TextWorkloadReader::TextWorkloadReader(const std::string& content,
                                       const std::string& file,
                                       std::optional<TextDialect> dialect,
                                       Diagnostics& diagnostics)
    : m_file(file),
      m_diagnostics(diagnostics),
      m_tally(diagnostics),
      m_tokens(content)
{
    m_workload.file = file;
    m_workload.dialect = dialect ? *dialect : FindDialect();
}

TextDialect
TextWorkloadReader::FindDialect() const
{
    const auto& tokens = m_tokens.GetAll();
    if (!tokens.empty() && ParseTextPolicy(tokens[0].text))
    {
        const bool isSimAi = HasSimAiWords();
        const bool gathers = std::any_of(tokens.begin(), tokens.end(), [](const auto& token) {
            return token.text == "ALLGATHER";
        });
        if (!isSimAi && gathers && MayBeOfAicb())
        {
            throw InputError("this may be a file of ASTRA-sim, where ALLGATHER counts the shard of "
                             "one rank, or of AICB for SimAI, where it counts the whole; state the "
                             "dialect: astra-sim or simai");
        }
        return isSimAi ? TextDialect::SimAi : TextDialect::AstraSim;
    }
    return tokens.size() > 3 && IsCollective(ToUpper(tokens[3].text)) ? TextDialect::Libra
                                                                      : TextDialect::AstraSim;
}

bool
TextWorkloadReader::HasSimAiWords() const
{
    const std::set<std::string>
        own{"ep:", "pp:", "vpp:", "ga:", "all_gpus:", "pp_comm:", BOTTOM_KEY + ":", "BROADCAST"};
    const auto& tokens = m_tokens.GetAll();
    return std::any_of(tokens.begin(), tokens.end(), [&](const auto& token) {
        std::string word = token.text;
        const bool hasSuffix = CutEnd(word, "_DP_EP") || CutEnd(word, "_EP");
        return own.count(token.text) > 0 || (hasSuffix && IsCollective(word));
    });
}

bool
TextWorkloadReader::MayBeOfAicb() const
{
    const auto& tokens = m_tokens.GetAll();
    const auto policy = ParseTextPolicy(tokens[0].text);
    const auto has = [&](const std::string& word, const std::string& value) {
        const auto found = std::find_if(tokens.begin(), tokens.end(), [&](const auto& token) {
            return token.text == word;
        });
        return found != tokens.end() &&
               (value.empty() || (found + 1 != tokens.end() && (found + 1)->text == value));
    };
    return (policy == TextPolicy::Micro && has("micro_test", "")) ||
           (policy == TextPolicy::HybridTransformerRecomputing && has("checkpoints:", "0") &&
            has("checkpoint_initiates:", "0"));
}

TextWorkload
TextWorkloadReader::Read()
{
    std::optional<uint64_t> count;
    if (m_workload.dialect == TextDialect::Libra)
    {
        m_workload.policy = TextPolicy::WithoutOverlap;
    }
    else
    {
        bool isPolicy = false;
        Try([&] {
            const std::string& word = Take("policy");
            CheckWord("policy", word, GetTextPolicyWords());
            m_workload.policy = *ParseTextPolicy(word);
            isPolicy = true;
            ReadHeader();
        });
        const bool isCounted =
            isPolicy && Try([&] { count = ParseCount(Take("number of layers")); });
        if (!isCounted)
        {
            return m_workload;
        }
    }
    ReadLayers(count);
    if (m_tally.GetNErrors() == 0)
    {
        CheckTextWorkload(m_workload, m_diagnostics);
    }
    return m_workload;
}

void
TextWorkloadReader::ReadHeader()
{
    switch (m_workload.policy)
    {
    case TextPolicy::HybridTransformer:
    case TextPolicy::HybridTransformerRecomputing:
        ReadHeaderKeys();
        break;
    case TextPolicy::HybridDlrm:
    case TextPolicy::HybridDlrmEnhanced:
        ReadLastBottomLayer();
        break;
    default:
        break;
    }
}

void
TextWorkloadReader::ReadHeaderKeys()
{
    const auto keys = GetHeaderKeys(m_workload.dialect, m_workload.policy);
    std::set<std::string> seen;
    while (!m_tokens.IsAtEnd() && !IsNumber(m_tokens.Peek().text))
    {
        std::string key = Take("header");
        CutEnd(key, ":");
        CheckWord("key of the header of " + ToString(m_workload.policy), key, keys);
        if (!seen.insert(key).second)
        {
            throw InputError(key + " is given twice");
        }
        ReadHeaderKey(key);
    }
    const std::size_t nNeeded =
        m_workload.policy == TextPolicy::HybridTransformerRecomputing ? 3 : 1;
    for (std::size_t i = 0; i < nNeeded; ++i)
    {
        if (seen.count(keys[i]) == 0)
        {
            m_tally.Error({m_file, m_place.line, "header"},
                          ToString(m_workload.policy) + " lacks " + keys[i] + ":");
        }
    }
}

void
TextWorkloadReader::ReadHeaderKey(const std::string& key)
{
    const uint64_t value = ParseCount(Take(key));
    const auto number = NUMBER_KEYS.find(key);
    if (number != NUMBER_KEYS.end())
    {
        m_workload.*number->second = value;
        return;
    }
    auto& list = m_workload.*LIST_KEYS.at(key);
    for (uint64_t i = 0; i < value; ++i)
    {
        list.push_back(ParseCount(Take(key)));
    }
}

void
TextWorkloadReader::ReadLastBottomLayer()
{
    const bool isKey = !m_tokens.IsAtEnd() && !IsNumber(m_tokens.Peek().text);
    if (isKey && m_workload.dialect == TextDialect::SimAi)
    {
        std::string key = Take("header");
        CutEnd(key, ":");
        CheckWord("key of the header of " + ToString(m_workload.policy), key, {BOTTOM_KEY});
    }
    m_workload.lastBottomLayer = ParseCount(Take("last bottom layer"));
}

void
TextWorkloadReader::ReadLayers(std::optional<uint64_t> count)
{
    uint64_t nRead = 0;
    for (; !m_tokens.IsAtEnd() && (!count || nRead < *count); ++nRead)
    {
        Try([&] { ReadLayer(); }, true);
    }
    if (count && m_tally.GetNErrors() == 0 && (nRead < *count || !m_tokens.IsAtEnd()))
    {
        m_tally.Error({m_file,
                       m_tokens.IsAtEnd() ? m_tokens.GetLastLine() : m_tokens.Peek().line,
                       "number of layers"},
                      nRead < *count ? "is stated as " + std::to_string(*count) +
                                           ", but the file ends after " + std::to_string(nRead) +
                                           "; it is cut off, or must state " + std::to_string(nRead)
                                     : "is stated as " + std::to_string(*count) +
                                           ", but more follows: \"" + m_tokens.Peek().text + "\"");
    }
}

void
TextWorkloadReader::ReadLayer()
{
    TextLayer layer;
    layer.name = Take("layer");
    const std::string key =
        "layer " + std::to_string(m_workload.layers.size()) + " \"" + layer.name + "\" ";
    m_workload.layers.emplace_back();
    const std::string& reserved = Take(key + "reserved");
    ParseCount(reserved.substr(reserved[0] == '-' ? 1 : 0));
    layer.forward = ReadPass(key, "FWD");
    layer.inputGradient = ReadPass(key, "IG");
    layer.weightGradient = ReadPass(key, "WG");
    layer.updateCycles = ReadCycles(Take(key + "UPD_T"));
    if (m_workload.policy == TextPolicy::HybridCustomized)
    {
        const std::string& word = Take(key + "policy");
        CheckWord("policy of a layer",
                  word,
                  {"DATA", "MODEL", "HYBRID_DATA_MODEL", "HYBRID_MODEL_DATA"});
        layer.policy = *ParseTextPolicy(word);
    }
    m_workload.layers.back() = layer;
}

TextPass
TextWorkloadReader::ReadPass(const std::string& layer, const std::string& name)
{
    TextPass pass;
    pass.cycles = ReadCycles(Take(layer + name + "_T"));
    ReadCollective(Take(layer + name + "_C"), pass);
    pass.bytes = ParseLimitedCount(Take(layer + name + "_S"), LARGEST_SIZE);
    return pass;
}

void
TextWorkloadReader::ReadCollective(std::string word, TextPass& pass)
{
    std::vector<std::string> allowed = COLLECTIVES;
    if (m_workload.dialect == TextDialect::Libra)
    {
        word = ToUpper(word);
    }
    if (m_workload.dialect == TextDialect::SimAi)
    {
        allowed.insert(allowed.end(), {"BROADCAST", "ALLREDUCEALLTOALL"});
        pass.suffix = CutEnd(word, "_DP_EP") ? TextPass::Suffix::ExpertData
                      : CutEnd(word, "_EP")  ? TextPass::Suffix::Expert
                                             : TextPass::Suffix::None;
    }
    CheckWord("collective", word, allowed);
    if (word == "ALLREDUCEALLTOALL")
    {
        m_tally.Warning("ALLREDUCEALLTOALL is taken for ALLREDUCE, as SimAI does", m_place);
    }
    const std::map<std::string, CollectiveType> types{
        {"ALLREDUCE", CollectiveType::AllReduce},
        {"ALLREDUCEALLTOALL", CollectiveType::AllReduce},
        {"ALLTOALL", CollectiveType::AllToAll},
        {"ALLGATHER", CollectiveType::AllGather},
        {"REDUCESCATTER", CollectiveType::ReduceScatter}};
    const auto found = types.find(word);
    pass.type = found == types.end() ? std::nullopt : std::optional(found->second);
}

double
TextWorkloadReader::ReadCycles(const std::string& text) const
{
    if (m_workload.dialect != TextDialect::Libra)
    {
        return static_cast<double>(ParseLimitedCount(text, LARGEST_EXACT));
    }
    const double cycles = ParseNumber(text);
    if (cycles < 0 || cycles > static_cast<double>(LARGEST_EXACT))
    {
        throw InputError("'" + text + "' is no time; allowed are numbers from 0 to 2^53 (cycles)");
    }
    return cycles;
}

const std::string&
TextWorkloadReader::Take(const std::string& key)
{
    m_place = {m_file, m_tokens.GetLastLine(), key};
    if (m_tokens.IsAtEnd())
    {
        throw InputError("is missing: the file ends here");
    }
    const auto& token = m_tokens.Take();
    m_place.line = token.line;
    return token.text;
}

bool
TextWorkloadReader::Try(const std::function<void()>& read, bool keepsFirst)
{
    try
    {
        read();
        return true;
    }
    catch (const InputError& error)
    {
        m_tally.Error(m_place, error.what());
    }
    if (keepsFirst && !m_tokens.IsAtEnd() && m_tokens.GetLast().isFirst)
    {
        m_tokens.StepBack();
    }
    else
    {
        m_tokens.SkipLine();
    }
    return false;
}

TextWorkload
ReadTextWorkload(const std::string& path,
                 std::optional<TextDialect> dialect,
                 Diagnostics& diagnostics)
{
    TextWorkload workload;
    diagnostics.Collect({path, 0, "text workload"}, [&] {
        workload = TextWorkloadReader(ReadTraceFile(path), path, dialect, diagnostics).Read();
    });
    return workload;
}

} // namespace mlcluster
} // namespace ns3

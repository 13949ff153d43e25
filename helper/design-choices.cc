/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-choices.h"

#include "astra-section.h"
#include "experiment-input.h"
#include "experiment-schema.h"

#include "ns3/cluster-topology.h"
#include "ns3/shown-text.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Kind = ConfigNode::Kind;

const std::string TOPOLOGY = "cluster.topology";
const std::string EXAMPLE = "[{workload.transformer.tensor: 8}, ...]";
constexpr std::size_t MOST_OPTIONS = 10000;
constexpr uint32_t MOST_NPUS = 1 << 20;

/// @param node a value @return it as a YAML document has it, in one line
std::string
ToYaml(const ConfigNode& node)
{
    const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_.+-/()*^ ";
    if (node.kind == Kind::Scalar)
    {
        const auto first = static_cast<unsigned char>(node.text.empty() ? ' ' : node.text[0]);
        const bool isPlain = node.text.find_first_not_of(plain) == std::string::npos &&
                             (std::isalpha(first) || (std::isdigit(first) && !node.isQuoted));
        return isPlain ? node.text : QuoteYaml(node.text);
    }
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < node.children.size(); ++i)
    {
        const std::string name = node.kind == Kind::Map ? QuoteYaml(node.names[i]) + ": " : "";
        parts.push_back(name + ToYaml(node.children[i]));
    }
    return node.kind == Kind::Map    ? "{" + JoinWords(parts) + "}"
           : node.kind == Kind::List ? "[" + JoinWords(parts) + "]"
                                     : "";
}

/// @param key full key @param allowsDesign see ReadOverrideMap @return why it cannot be given; ""
/// if it can
std::string
FindOverrideFault(const std::string& key, bool allowsDesign)
{
    static const std::vector<std::string> CHOSEN{"design.network",
                                                 "design.tiers",
                                                 "design.prices",
                                                 "design.constraints",
                                                 "design.speeds",
                                                 "design.bandwidth-of-parts"};
    static const std::vector<std::string> NETWORK{"cluster.topology",
                                                  "cluster.bandwidth",
                                                  "cluster.link-bandwidth"};
    if (!allowsDesign && std::find(NETWORK.begin(), NETWORK.end(), key) != NETWORK.end())
    {
        return "cannot be given here, where the network is the same for all";
    }
    if (key.rfind("design.", 0) != 0)
    {
        return FindKeyFault(key);
    }
    const bool isAllowed =
        allowsDesign && std::find(CHOSEN.begin(), CHOSEN.end(), key) != CHOSEN.end();
    return isAllowed ? ""
           : allowsDesign
               ? "cannot be given here; of the section design allowed are " + JoinWords(CHOSEN)
               : "cannot be given here, where the section design is the same for all";
}

/// @param overrides of an option @return what tells it from others
std::string
GetOptionName(const std::vector<ExperimentOverride>& overrides)
{
    std::string name;
    for (const auto& override : overrides)
    {
        const std::string& key = override.place.key;
        name += (name.empty() ? "" : ", ") +
                (key == TOPOLOGY ? "" : key.substr(key.rfind('.') + 1) + "=") + override.value;
    }
    return name.empty() ? "as given" : name;
}

/// Finds the shapes of a pattern.
class ShapeFinder
{
  public:
    /// @param pattern see ExpandTopologyPattern
    explicit ShapeFinder(const std::string& pattern)
        : m_pattern(pattern)
    {
    }

    /// @param begin where the part at hand begins @param shape so far @param nRanks left to place
    void Find(std::size_t begin, const std::string& shape, uint64_t nRanks)
    {
        const std::size_t star = m_pattern.find("(*)", begin);
        const std::string head = m_pattern.substr(begin, star - begin);
        if (star == std::string::npos)
        {
            Add(shape + head, nRanks);
            return;
        }
        for (uint64_t size = 2; size <= nRanks; ++size)
        {
            if (nRanks % size == 0)
            {
                Find(star + 3, shape + head + "(" + std::to_string(size) + ")", nRanks / size);
            }
        }
    }

    std::vector<std::string> found; ///< notations

  private:
    /// @param shape a notation @param nRanks what its (*) leave to the other sizes
    void Add(const std::string& shape, uint64_t nRanks)
    {
        if (nRanks != 1)
        {
            return;
        }
        if (found.size() >= MOST_OPTIONS)
        {
            throw InputError(m_pattern + " stands for more than " + std::to_string(MOST_OPTIONS) +
                             " shapes");
        }
        found.push_back(shape);
    }

    const std::string& m_pattern; ///< what is expanded
};

/// @param option with a topology that has (*) @param index of it @param nRanks see
/// ChoiceReader::m_nRanks @param options receives the shapes
void
AddShapes(const DesignChoice::Option& option,
          std::size_t index,
          uint64_t nRanks,
          std::vector<DesignChoice::Option>& options)
{
    if (nRanks == 0)
    {
        throw InputError("(*) stands for all sizes with a number of NPUs; needed is design.npus");
    }
    for (const auto& notation : ExpandTopologyPattern(option.overrides[index].value, nRanks))
    {
        DesignChoice::Option shape = option;
        shape.overrides[index].value = notation;
        shape.name = GetOptionName(shape.overrides);
        options.push_back(shape);
    }
}

/// Reads design.choices.
class ChoiceReader
{
  public:
    /// @param design the section @param diagnostics receives problems
    ChoiceReader(const ConfigNode& design, Diagnostics& diagnostics)
        : m_section(design, diagnostics),
          m_diagnostics(diagnostics)
    {
    }

    /// @return the choices
    std::vector<DesignChoice> Read()
    {
        ReadRanks();
        std::vector<DesignChoice> choices;
        const ConfigNode* node = m_section.GetMap("choices", "{plan: " + EXAMPLE + "}");
        if (node && node->children.empty())
        {
            m_section.Error("choices", "none is given; needed is such as {plan: " + EXAMPLE + "}");
        }
        for (std::size_t i = 0; node && i < node->children.size(); ++i)
        {
            choices.push_back(ReadChoice(node->names[i], node->children[i]));
        }
        if (m_nRanks > 0 && !m_hasPattern)
        {
            m_section.Warning("npus",
                              "has no effect, since no cluster.topology of design.choices has (*)");
        }
        return choices;
    }

  private:
    void ReadRanks()
    {
        const std::size_t nErrors = m_diagnostics.GetErrors().size();
        m_nRanks = m_section.GetCount("npus",
                                      "a number of NPUs from 2 to " + std::to_string(MOST_NPUS),
                                      2,
                                      MOST_NPUS,
                                      0);
        m_isRight = m_diagnostics.GetErrors().size() == nErrors;
    }

    /// @param name of a choice @param list its options @return it
    DesignChoice ReadChoice(const std::string& name, const ConfigNode& list)
    {
        DesignChoice choice{name, {}};
        if (list.kind != Kind::List || list.children.empty())
        {
            m_diagnostics.Error(list.place,
                                (list.kind == Kind::List ? "an empty list" : list.Describe()) +
                                    " is given; needed are options such as " + EXAMPLE);
        }
        for (const ConfigNode& node : list.children)
        {
            const DesignChoice::Option option{"", ReadOverrideMap(node, true, m_diagnostics)};
            for (const auto& override : option.overrides)
            {
                const auto& first = m_chosenBy.emplace(override.place.key, name).first->second;
                if (first != name)
                {
                    m_diagnostics.Error(override.place,
                                        "is chosen by design.choices." + first +
                                            " too; give it in one of them");
                }
            }
            AddOption(option, choice.options);
        }
        return choice;
    }

    /// @param option without a name @param options receives it, or all shapes that it stands for
    void AddOption(DesignChoice::Option option, std::vector<DesignChoice::Option>& options)
    {
        for (std::size_t i = 0; i < option.overrides.size(); ++i)
        {
            const ExperimentOverride& override = option.overrides[i];
            if (override.place.key == TOPOLOGY && override.value.find("(*)") != std::string::npos)
            {
                m_hasPattern = true;
                if (m_isRight)
                {
                    m_diagnostics.Collect(override.place,
                                          [&] { AddShapes(option, i, m_nRanks, options); });
                }
                return;
            }
        }
        option.name = GetOptionName(option.overrides);
        options.push_back(option);
    }

    AstraSection m_section;                        ///< design
    Diagnostics& m_diagnostics;                    ///< receives problems
    uint32_t m_nRanks{0};                          ///< design.npus; 0: not given
    bool m_isRight{true};                          ///< whether it is right
    bool m_hasPattern{false};                      ///< whether it is of use
    std::map<std::string, std::string> m_chosenBy; ///< the choice that changes a key
};

} // namespace

std::vector<ExperimentOverride>
ReadOverrideMap(const ConfigNode& node, bool allowsDesign, Diagnostics& diagnostics)
{
    std::vector<ExperimentOverride> overrides;
    if (node.kind != Kind::Map)
    {
        diagnostics.Error(node.place,
                          node.Describe() + " is given; needed are keys and values, such as "
                                            "{workload.transformer.tensor: 8}");
        return overrides;
    }
    for (std::size_t i = 0; i < node.children.size(); ++i)
    {
        const ConfigNode& value = node.children[i];
        const Diagnostics::Place place{value.place.file, value.place.line, node.names[i]};
        std::string fault = FindOverrideFault(place.key, allowsDesign);
        if (fault.empty() && value.kind == Kind::Missing)
        {
            fault = "the value is missing";
        }
        if (!fault.empty())
        {
            diagnostics.Error(place, fault);
            continue;
        }
        overrides.push_back({place, ToYaml(value)});
    }
    return overrides;
}

std::vector<DesignChoice>
ReadDesignChoices(const std::string& path,
                  Diagnostics& diagnostics,
                  const std::vector<ExperimentOverride>& overrides)
{
    const ConfigNode document = ReadExperimentDocument(path, overrides, diagnostics);
    const ConfigNode* design = document.Find("design");
    return ChoiceReader(design ? *design : ConfigNode(), diagnostics).Read();
}

std::vector<DesignChoice::Option>
CombineDesignChoices(const std::vector<DesignChoice>& choices)
{
    std::vector<DesignChoice::Option> combined{{}};
    for (const auto& choice : choices)
    {
        std::vector<DesignChoice::Option> longer;
        for (const auto& first : combined)
        {
            for (const auto& next : choice.options)
            {
                longer.push_back(first);
                longer.back().name += (first.name.empty() ? "" : "; ") + next.name;
                longer.back().overrides.insert(longer.back().overrides.end(),
                                               next.overrides.begin(),
                                               next.overrides.end());
            }
        }
        if (longer.size() > MOST_OPTIONS)
        {
            throw InputError("design.choices have more than " + std::to_string(MOST_OPTIONS) +
                             " combinations");
        }
        combined = longer;
    }
    return combined;
}

std::vector<std::string>
ExpandTopologyPattern(const std::string& pattern, uint64_t nRanks)
{
    std::string ones = pattern;
    for (auto star = ones.find("(*)"); star != std::string::npos; star = ones.find("(*)"))
    {
        ones.replace(star, 3, "(1)");
    }
    uint64_t fixed = 1;
    for (const auto& dimension : ClusterTopology::ParseNotation(ones))
    {
        fixed *= dimension.size;
        if (fixed == 0 || fixed > nRanks)
        {
            break;
        }
    }
    ShapeFinder finder(pattern);
    if (fixed > 0 && nRanks % fixed == 0)
    {
        finder.Find(0, "", nRanks / fixed);
    }
    if (finder.found.empty())
    {
        throw InputError("no sizes from 2 on give " + ShowName(pattern) + " " +
                         std::to_string(nRanks) + " NPUs (design.npus)");
    }
    return finder.found;
}

} // namespace mlcluster
} // namespace ns3

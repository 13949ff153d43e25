/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-systems.h"

#include "csv-table.h"
#include "experiment-schema.h"

#include "ns3/word-list.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string ATTRIBUTES = "attributes.";

/// @param folder a folder @return experiment files in it
std::set<std::filesystem::path>
FindExperimentFiles(const std::filesystem::path& folder)
{
    std::set<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
    {
        if (entry->path().extension() == ".yaml")
        {
            files.insert(entry->path());
        }
    }
    return files;
}

/// Keys and values that a line of a table gives.
struct LineOverrides
{
    StudySystem system;                           ///< what is known of it, but for its config
    std::vector<ExperimentOverride> overrides;    ///< keys and values
    std::vector<std::vector<std::string>> points; ///< of swept keys, the values
};

/// @param text words @param separator between them @return words without blanks around them
std::vector<std::string>
SplitTrimmed(const std::string& text, char separator)
{
    std::vector<std::string> words;
    std::istringstream all(text);
    for (std::string word; std::getline(all, word, separator);)
    {
        const auto first = word.find_first_not_of(' ');
        const auto last = word.find_last_not_of(' ');
        words.push_back(first == std::string::npos ? "" : word.substr(first, last - first + 1));
    }
    return words;
}

/// Reads the tables of a folder.
class StudyTableReader
{
  public:
    /// @param folder with base.yaml @param systems receives those of tables, has those of files
    /// @param diagnostics receives problems
    StudyTableReader(const std::filesystem::path& folder,
                     std::vector<StudySystem>& systems,
                     Diagnostics& diagnostics)
        : m_base((folder / "base.yaml").string()),
          m_systems(systems),
          m_nFiles(systems.size()),
          m_diagnostics(diagnostics)
    {
    }

    /// @param path of systems.csv
    void ReadSystems(const std::string& path)
    {
        const CsvTable table(path, {"system"}, m_diagnostics);
        const bool isUsable = CheckKeys(table, path, {"system", "reference"});
        for (const auto& line : table.GetLines())
        {
            CheckName(table, line, "system");
            LineOverrides given = GetOverrides(table, line, {"system", "reference"});
            given.system.line = table.Get(line, "system");
            given.system.reference = table.Get(line, "reference");
            m_lines.push_back(given);
            if (isUsable)
            {
                AddPoints(given, table, line);
            }
        }
        if (isUsable)
        {
            CheckReferences(table);
        }
    }

    /// @param path of variants.csv
    void ReadVariants(const std::string& path)
    {
        const CsvTable table(path, {"variant"}, m_diagnostics);
        const bool isUsable = CheckKeys(table, path, {"variant", "systems"});
        std::set<std::string> names{""};
        for (const auto& line : table.GetLines())
        {
            const std::string name = table.Get(line, "variant");
            if (!names.insert(name).second)
            {
                m_diagnostics.Error(table.GetPlace(line, "variant"),
                                    name.empty() ? "the name is missing"
                                                 : "\"" + name + "\" is given twice");
            }
            else if (isUsable)
            {
                AddVariant(table, line, name);
            }
        }
    }

  private:
    /// @param table of systems, all of which are known
    void CheckReferences(const CsvTable& table)
    {
        std::vector<std::string> names;
        for (const auto& system : m_systems)
        {
            names.push_back(system.name);
        }
        for (const auto& line : table.GetLines())
        {
            const std::string reference = table.Get(line, "reference");
            if (!reference.empty())
            {
                m_diagnostics.Collect(table.GetPlace(line, "reference"),
                                      [&] { CheckWord("system", reference, names); });
            }
        }
    }

    /// @param table a table @param path of it @param others headings that are no keys
    /// @return whether all others are keys
    bool CheckKeys(const CsvTable& table,
                   const std::string& path,
                   const std::set<std::string>& others)
    {
        const std::size_t nErrors = m_diagnostics.GetErrors().size();
        for (const auto& heading : table.GetHeadings())
        {
            for (const auto& key : SplitTrimmed(heading, '+'))
            {
                CheckKey(others.count(heading) > 0 ? ATTRIBUTES : key, path);
            }
        }
        return m_diagnostics.GetErrors().size() == nErrors;
    }

    /// @param key of a heading @param path of its table
    void CheckKey(const std::string& key, const std::string& path)
    {
        const std::string fault = FindKeyFault(key);
        if (!fault.empty())
        {
            m_diagnostics.Error({path, 0, key}, fault);
        }
    }

    /// @param table a table @param line of it @param heading of the name
    void CheckName(const CsvTable& table, const CsvTable::Line& line, const std::string& heading)
    {
        const std::string name = table.Get(line, heading);
        const auto names = GetNames();
        const bool isTwice = std::find(names.begin(), names.end(), name) != names.end();
        if (name.empty() || isTwice)
        {
            m_diagnostics.Error(table.GetPlace(line, heading),
                                name.empty() ? "the name is missing"
                                             : "\"" + name + "\" is given twice");
        }
    }

    /// @return names of files and lines
    std::vector<std::string> GetNames() const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < m_nFiles; ++i)
        {
            names.push_back(m_systems[i].line);
        }
        for (const auto& line : m_lines)
        {
            names.push_back(line.system.line);
        }
        return names;
    }

    /// @param table a table @param line of it @param others headings that are no keys @return what
    /// the line says
    static LineOverrides GetOverrides(const CsvTable& table,
                                      const CsvTable::Line& line,
                                      const std::set<std::string>& others)
    {
        LineOverrides given;
        for (const auto& heading : table.GetHeadings())
        {
            const std::string cell = table.Get(line, heading);
            if (others.count(heading) > 0 || cell.empty())
            {
                continue;
            }
            const auto values = SplitTrimmed(cell, '|');
            if (values.size() > 1)
            {
                given.system.swept.push_back({heading, ""});
                given.points.push_back(values);
            }
            for (const auto& key : SplitTrimmed(heading, '+'))
            {
                given.overrides.push_back({table.GetPlace(line, key), cell});
            }
        }
        return given;
    }

    /// @param given a line @param table its table @param line where it is; adds its systems
    void AddPoints(LineOverrides given, const CsvTable& table, const CsvTable::Line& line)
    {
        if (given.points.size() > 2)
        {
            m_diagnostics.Error(table.GetPlace(line, given.system.swept[2].heading),
                                "is the third cell with several values; allowed are two");
            return;
        }
        given.points.resize(2, {""});
        for (const auto& first : given.points[0])
        {
            for (const auto& second : given.points[1])
            {
                AddPoint(given, {first, second});
            }
        }
    }

    /// @param given a line @param values of its swept keys, "" for those it does not have
    void AddPoint(LineOverrides given, const std::vector<std::string>& values)
    {
        given.system.name = given.system.line;
        for (std::size_t i = 0; i < given.system.swept.size(); ++i)
        {
            StudySystem::Swept& swept = given.system.swept[i];
            swept.value = values[i];
            given.system.name += "@" + values[i];
            for (const auto& key : SplitTrimmed(swept.heading, '+'))
            {
                Find(given.overrides, key)->value = values[i];
            }
        }
        Add(given);
    }

    /// @param overrides keys and values @param key a key @return it among them, or their end
    static std::vector<ExperimentOverride>::iterator Find(
        std::vector<ExperimentOverride>& overrides,
        const std::string& key)
    {
        return std::find_if(overrides.begin(), overrides.end(), [&](const auto& override) {
            return override.place.key == key;
        });
    }

    /// @param table variants.csv @param line of it @param name of the variant
    void AddVariant(const CsvTable& table, const CsvTable::Line& line, const std::string& name)
    {
        const LineOverrides change = GetOverrides(table, line, {"variant", "systems"});
        const auto chosen = SplitTrimmed(table.Get(line, "systems"), ' ');
        m_diagnostics.Collect(table.GetPlace(line, "systems"), [&] {
            for (const auto& system : chosen)
            {
                CheckWord("system", system, GetNames());
            }
        });
        if (!change.points.empty())
        {
            m_diagnostics.Error(table.GetPlace(line, change.system.swept[0].heading),
                                "has several values; a variant has one of each key");
            return;
        }
        for (LineOverrides given : m_lines)
        {
            const auto isChosen = std::find(chosen.begin(), chosen.end(), given.system.line);
            if (!given.points.empty() || (!chosen.empty() && isChosen == chosen.end()))
            {
                continue;
            }
            given.system.variant = name;
            given.system.name = given.system.line + ":" + name;
            for (const auto& override : change.overrides)
            {
                const auto found = Find(given.overrides, override.place.key);
                if (found != given.overrides.end())
                {
                    given.overrides.erase(found);
                }
                given.overrides.push_back(override);
            }
            Add(given);
        }
    }

    /// @param given a system
    void Add(const LineOverrides& given)
    {
        m_systems.push_back(given.system);
        m_systems.back().config = ReadExperimentConfig(m_base, m_diagnostics, given.overrides);
    }

    std::string m_base;                  ///< base.yaml
    std::vector<StudySystem>& m_systems; ///< so far
    std::size_t m_nFiles;                ///< of them, those of files
    Diagnostics& m_diagnostics;          ///< receives problems
    std::vector<LineOverrides> m_lines;  ///< of systems.csv so far
};

} // namespace

std::vector<StudySystem>
ReadStudySystems(const std::string& folder, Diagnostics& diagnostics)
{
    const std::filesystem::path path(folder);
    const std::string table = (path / "systems.csv").string();
    const std::string variants = (path / "variants.csv").string();
    std::error_code ignored;
    const bool hasTable = std::filesystem::exists(table, ignored);
    std::vector<StudySystem> systems;
    for (const auto& file : FindExperimentFiles(folder))
    {
        if (!hasTable || file != path / "base.yaml")
        {
            StudySystem system;
            system.name = system.line = file.stem().string();
            system.config = ReadExperimentConfig(file.string(), diagnostics);
            systems.push_back(system);
        }
    }
    StudyTableReader reader(path, systems, diagnostics);
    if (hasTable)
    {
        reader.ReadSystems(table);
    }
    if (std::filesystem::exists(variants, ignored))
    {
        reader.ReadVariants(variants);
    }
    if (systems.empty() && !diagnostics.HasErrors())
    {
        diagnostics.Error({folder, 0, ""},
                          "is no folder with experiment files (.yaml) that can be read");
    }
    return systems;
}

} // namespace mlcluster
} // namespace ns3

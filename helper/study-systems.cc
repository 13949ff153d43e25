/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-systems.h"

#include "csv-table.h"
#include "experiment-schema.h"

#include <algorithm>
#include <filesystem>
#include <set>
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

/// @param table the table of systems @param path of it @param diagnostics receives headings that
/// are no keys @return whether all are
bool
CheckKeys(const CsvTable& table, const std::string& path, Diagnostics& diagnostics)
{
    const std::size_t nErrors = diagnostics.GetErrors().size();
    for (const auto& heading : table.GetHeadings())
    {
        const bool isAttribute = heading.rfind(ATTRIBUTES, 0) == 0;
        if (heading != "system" && !isAttribute && !FindExperimentKey(heading))
        {
            const auto point = heading.rfind('.');
            const bool hasSection = point != std::string::npos;
            const std::string section = hasSection ? heading.substr(0, point) : "";
            diagnostics.Error({path, 0, heading},
                              IsExperimentSection(section) || section.empty()
                                  ? SuggestExperimentKey(section, heading.substr(point + 1))
                                  : "there is no section " + section);
        }
    }
    return diagnostics.GetErrors().size() == nErrors;
}

/// @param table the table of systems @param line of it @return what the line says
std::vector<ExperimentOverride>
GetOverrides(const CsvTable& table, const CsvTable::Line& line)
{
    std::vector<ExperimentOverride> overrides;
    for (const auto& heading : table.GetHeadings())
    {
        const std::string value = table.Get(line, heading);
        if (heading != "system" && !value.empty())
        {
            overrides.push_back({table.GetPlace(line, heading), value});
        }
    }
    return overrides;
}

} // namespace

std::vector<StudySystem>
ReadStudySystems(const std::string& folder, Diagnostics& diagnostics)
{
    const std::string base = (std::filesystem::path(folder) / "base.yaml").string();
    const std::string table = (std::filesystem::path(folder) / "systems.csv").string();
    std::error_code ignored;
    const bool hasTable = std::filesystem::exists(table, ignored);
    std::vector<StudySystem> systems;
    for (const auto& file : FindExperimentFiles(folder))
    {
        if (!hasTable || file != base)
        {
            systems.push_back(
                {file.stem().string(), ReadExperimentConfig(file.string(), diagnostics)});
        }
    }
    if (hasTable)
    {
        const CsvTable lines(table, {"system"}, diagnostics);
        const bool isUsable = CheckKeys(lines, table, diagnostics);
        for (const auto& line : lines.GetLines())
        {
            const std::string name = lines.Get(line, "system");
            const bool isTwice =
                std::any_of(systems.begin(), systems.end(), [&](const auto& system) {
                    return system.name == name;
                });
            if (name.empty() || isTwice)
            {
                diagnostics.Error(lines.GetPlace(line, "system"),
                                  name.empty() ? "the name is missing"
                                               : "\"" + name + "\" is given twice");
            }
            if (isUsable)
            {
                systems.push_back(
                    {name, ReadExperimentConfig(base, diagnostics, GetOverrides(lines, line))});
            }
        }
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

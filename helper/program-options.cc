/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-options.h"

#include "experiment-attributes.h"

#include "ns3/diagnostics.h"
#include "ns3/plain-number.h"
#include "ns3/quantity.h"

#include <istream>
#include <iterator>
#include <limits>
#include <ostream>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string ATTRIBUTE_PREFIX = "--ns3::";

} // namespace

struct ProgramOptions::Value
{
    std::string name;                              ///< of the option
    std::string initial;                           ///< default
    std::function<void(const std::string&)> parse; ///< takes what is given

    /// @param os stream @param value printed as the default @return the stream
    friend std::ostream& operator<<(std::ostream& os, const Value& value)
    {
        return os << value.initial;
    }

    /// @param is what is given, all of it @param value takes it @return the stream
    friend std::istream& operator>>(std::istream& is, Value& value)
    {
        const std::string text(std::istreambuf_iterator<char>(is), {});
        if (text.empty())
        {
            is.setstate(std::ios::failbit);
            return is;
        }
        try
        {
            value.parse(text);
        }
        catch (const InputError& error)
        {
            throw InputError("--" + value.name + ": " + error.what());
        }
        return is;
    }
};

ProgramOptions::ProgramOptions(const std::string& file)
    : CommandLine(file)
{
}

void
ProgramOptions::Add(const std::string& name,
                    const std::string& help,
                    const std::string& initial,
                    const std::function<void(const std::string&)>& parse)
{
    m_values.push_back(std::make_shared<Value>(Value{name, initial, parse}));
    CommandLine::AddValue(name, help, *m_values.back());
}

void
ProgramOptions::AddValue(const std::string& name, const std::string& help, std::string& value)
{
    Add(name, help, value, [&value](const std::string& text) { value = text; });
}

void
ProgramOptions::AddValue(const std::string& name,
                         const std::string& help,
                         std::vector<std::string>& values)
{
    Add(name, help, JoinWords(values), [&values](const std::string& text) {
        values.push_back(text);
    });
}

void
ProgramOptions::AddValue(const std::string& name, const std::string& help, uint32_t& value)
{
    Add(name, help, std::to_string(value), [&value](const std::string& text) {
        value =
            static_cast<uint32_t>(ParseLimitedCount(text, std::numeric_limits<uint32_t>::max()));
    });
}

void
ProgramOptions::AddValue(const std::string& name, const std::string& help, uint64_t& value)
{
    Add(name, help, std::to_string(value), [&value](const std::string& text) {
        value = ParseCount(text);
    });
}

void
ProgramOptions::AddValue(const std::string& name, const std::string& help, double& value)
{
    Add(name, help, FormatNumber(value), [&value](const std::string& text) {
        value = ParseNumber(text);
    });
}

void
ProgramOptions::AddValue(const std::string& name, const std::string& help, bool& value)
{
    CommandLine::AddValue(name, help, value);
}

void
ProgramOptions::AddAttribute(const std::string& name, const std::string& attribute)
{
    m_attributes["--" + name] = attribute;
    CommandLine::AddValue(name, attribute);
}

void
ProgramOptions::Parse(int argc, char* argv[])
{
    Diagnostics diagnostics;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const std::size_t equals = argument.find('=');
        const auto known = m_attributes.find(argument.substr(0, equals));
        const bool isAttribute =
            known != m_attributes.end() || argument.rfind(ATTRIBUTE_PREFIX, 0) == 0;
        if (!isAttribute || equals == std::string::npos)
        {
            continue;
        }
        const std::string attribute =
            known == m_attributes.end() ? argument.substr(2, equals - 2) : known->second;
        const std::string fault = FindAttributeFault({attribute, argument.substr(equals + 1)});
        if (!fault.empty())
        {
            diagnostics.Error({"", 0, argument.substr(0, equals)}, fault);
        }
    }
    diagnostics.ThrowIfErrors();
    CommandLine::Parse(argc, argv);
    if (GetNExtraNonOptions() > 0)
    {
        throw InputError("'" + GetExtraNonOption(0) +
                         "' is no option; options are --name=value, and --help lists them");
    }
}

} // namespace mlcluster
} // namespace ns3

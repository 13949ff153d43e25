/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-attributes.h"

#include "experiment-schema.h"

#include "ns3/channel.h"
#include "ns3/collective-options.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/net-device.h"
#include "ns3/network-backend.h"
#include "ns3/nstime.h"
#include "ns3/quantity.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/word-list.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// The text an attribute's checker reads; exact, other than ns-3's own for times and doubles.
std::string
Serialise(const TypeId::AttributeInformation& attribute)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(PeekPointer(attribute.initialValue)))
    {
        return FormatPicoseconds(time->Get().GetPicoSeconds());
    }
    if (const auto* number = dynamic_cast<const DoubleValue*>(PeekPointer(attribute.initialValue)))
    {
        return FormatNumber(number->Get());
    }
    return attribute.initialValue->SerializeToString(attribute.checker);
}

/// The text of a valid value as Serialise writes it.
std::string
Normalise(const std::string& value, TypeId::AttributeInformation attribute)
{
    attribute.initialValue = attribute.checker->CreateValidValue(StringValue(value));
    return attribute.initialValue ? Serialise(attribute) : value;
}

/// Whether users set attributes of a class: not those of what a backend is made of.
bool
IsModel(const TypeId& type)
{
    const bool isPart =
        type.IsChildOf(NetDevice::GetTypeId()) ||
        (type.IsChildOf(Channel::GetTypeId()) && !type.IsChildOf(NetworkBackend::GetTypeId()));
    return type.GetName().rfind(MODULE_PREFIX, 0) == 0 && !isPart;
}

/// @return whether ns-3 can read a number from a text; it ends the process where it cannot
bool
IsNumber(const std::string& text, const std::string& kind)
{
    if (kind == "ns3::DoubleValue")
    {
        double value = 0;
        const char* end = text.data() + text.size();
        const auto result = std::from_chars(text.data(), end, value);
        return result.ec == std::errc() && result.ptr == end;
    }
    const std::string digits = text.substr(kind == "ns3::IntegerValue" && text[0] == '-' ? 1 : 0);
    return !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
}

void
SetAttribute(const AttributeSetting& setting, const std::string& file, Diagnostics& diagnostics)
{
    const std::string fault = FindAttributeFault(setting);
    if (!fault.empty())
    {
        diagnostics.Error(setting.place.key.empty() ? Diagnostics::Place{file, 0, setting.attribute}
                                                    : setting.place,
                          fault);
        return;
    }
    Config::SetDefault(setting.attribute, StringValue(setting.value));
}

} // namespace

void
ApplyAttributes(const ExperimentConfig& config, int argc, char* argv[])
{
    Diagnostics diagnostics;
    for (const auto& setting : config.attributes)
    {
        SetAttribute(setting, config.file, diagnostics);
    }
    diagnostics.ThrowIfErrors();
    std::vector<std::string> arguments{argv[0]};
    std::copy_if(argv + 1, argv + argc, std::back_inserter(arguments), [](const char* argument) {
        return std::string(argument).rfind("--ns3::", 0) == 0;
    });
    CommandLine().Parse(arguments);
}

void
ApplyScheduler(const std::string& scheduler)
{
    CollectiveOptions options;
    options.SetScheduler(scheduler);
    const std::string planner = MODULE_PREFIX + "CollectivePlanner::";
    Config::SetDefault(planner + "Scheduler", StringValue(options.scheduler));
    Config::SetDefault(planner + "QueuePolicy", StringValue(options.queuePolicy));
}

std::string
FindAttributeFault(const AttributeSetting& setting)
{
    const std::size_t colons = setting.attribute.rfind("::");
    TypeId type;
    TypeId::AttributeInformation attribute;
    if (colons == std::string::npos ||
        !TypeId::LookupByNameFailSafe(setting.attribute.substr(0, colons), &type) ||
        !type.LookupAttributeByName(setting.attribute.substr(colons + 2), &attribute))
    {
        std::vector<std::string> known;
        for (const auto& inForce : GetAttributesInForce())
        {
            known.push_back(inForce.attribute);
        }
        const std::string nearest = NearestWord(setting.attribute, known);
        return "there is no such attribute" + (nearest.empty() ? "" : "; nearest: " + nearest);
    }
    const std::string kind = attribute.checker->GetValueTypeName();
    const bool isCount = kind == "ns3::UintegerValue" || kind == "ns3::IntegerValue";
    if ((isCount || kind == "ns3::DoubleValue") && !IsNumber(setting.value, kind))
    {
        return "\"" + setting.value + "\" is no " + (isCount ? "whole " : "") + "number";
    }
    try
    {
        if (const ExperimentKey* key = FindExperimentKeyOf(setting.attribute))
        {
            key->ParseAttribute(setting.value);
        }
        else if (kind == "ns3::TimeValue")
        {
            ParsePicoseconds(setting.value.substr(setting.value[0] == '+' ? 1 : 0));
        }
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return attribute.checker->CreateValidValue(StringValue(setting.value))
               ? ""
               : "\"" + setting.value + "\" is no value that this attribute takes";
}

std::vector<AttributeSetting>
GetAttributesInForce()
{
    std::vector<AttributeSetting> settings;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t k = 0; IsModel(type) && k < type.GetAttributeN(); ++k)
        {
            settings.push_back({type.GetAttributeFullName(k), Serialise(type.GetAttribute(k))});
        }
    }
    std::sort(settings.begin(), settings.end(), [](const auto& a, const auto& b) {
        return a.attribute < b.attribute;
    });
    return settings;
}

Diagnostics::Place
FindAttributePlace(const ExperimentConfig& config, const std::string& attribute)
{
    if (const ExperimentKey* named = FindExperimentKey(attribute))
    {
        return config.file.empty() || named->attribute.empty()
                   ? Diagnostics::Place{config.file, 0, attribute}
                   : FindAttributePlace(config, named->attribute);
    }
    const auto sources = GetWorkloadSources();
    const auto source = std::find_if(sources.begin(), sources.end(), [&](const auto& section) {
        return !attribute.empty() && GetGeneratorOf(section) == attribute;
    });
    const Diagnostics::Place elsewhere{"", 0, attribute};
    if (config.file.empty() || source != sources.end())
    {
        return config.file.empty() ? elsewhere
                                   : Diagnostics::Place{config.file, 0, "workload." + *source};
    }
    const std::size_t colons = attribute.rfind("::");
    TypeId type;
    TypeId::AttributeInformation information;
    if (colons == std::string::npos ||
        !TypeId::LookupByNameFailSafe(attribute.substr(0, colons), &type) ||
        !type.LookupAttributeByName(attribute.substr(colons + 2), &information))
    {
        return elsewhere;
    }
    const std::string value = Serialise(information);
    for (const auto& setting : config.attributes)
    {
        if (setting.attribute == attribute && Normalise(setting.value, information) == value)
        {
            return setting.place.key.empty() ? elsewhere : setting.place;
        }
    }
    information.initialValue = information.originalInitialValue;
    const ExperimentKey* key = FindExperimentKeyOf(attribute);
    return key && value == Serialise(information) ? Diagnostics::Place{config.file, 0, key->key}
                                                  : elsewhere;
}

void
FindAttributePlaces(const ExperimentConfig& config, Diagnostics& diagnostics)
{
    diagnostics.SetPlaceFinder([&config](const Diagnostics::Place& place) {
        return place.file.empty() ? FindAttributePlace(config, place.key) : place;
    });
}

} // namespace mlcluster
} // namespace ns3

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "diagnostics.h"

#include "shown-text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

std::string
ToLower(std::string text)
{
    for (char& c : text)
    {
        c = c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
    }
    return text;
}

std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
        }
    }
    return row[b.size()];
}

} // namespace

void
Diagnostics::SetPlaceFinder(PlaceFinder find)
{
    m_findPlace = std::move(find);
}

void
Diagnostics::Error(const Place& place, const std::string& message)
{
    m_errors.push_back(Format(place, message));
}

void
Diagnostics::Warning(const Place& place, const std::string& message)
{
    m_warnings.push_back(Format(place, message));
}

void
Diagnostics::Collect(const Place& place, const std::function<void()>& read)
{
    try
    {
        read();
    }
    catch (const InputError& error)
    {
        Error(place, error.what());
    }
}

bool
Diagnostics::HasErrors() const
{
    return !m_errors.empty();
}

const std::vector<std::string>&
Diagnostics::GetErrors() const
{
    return m_errors;
}

const std::vector<std::string>&
Diagnostics::GetWarnings() const
{
    return m_warnings;
}

void
Diagnostics::ThrowIfErrors() const
{
    if (m_errors.empty())
    {
        return;
    }
    std::string text;
    for (const auto& error : m_errors)
    {
        text += (text.empty() ? "" : "\n") + error;
    }
    throw InputError(text);
}

void
Diagnostics::PrintWarnings(std::ostream& os)
{
    for (const auto& warning : m_warnings)
    {
        os << "warning: " << warning << "\n";
    }
    m_warnings.clear();
}

std::string
Diagnostics::Format(const Place& place, const std::string& message) const
{
    const Place found = m_findPlace ? m_findPlace(place) : place;
    const std::string key = EscapeControls(found.key);
    std::string text = found.file;
    if (found.line > 0)
    {
        text += ":" + std::to_string(found.line);
    }
    text += text.empty() ? "" : ": ";
    return text + (key.empty() ? "" : key + ": ") + EscapeControls(message, "\n\t");
}

std::string
NearestWord(const std::string& word, const std::vector<std::string>& known)
{
    std::string nearest;
    std::pair<std::size_t, std::size_t> best{std::max<std::size_t>(2, word.size() / 3) + 1, 0};
    for (const auto& candidate : known)
    {
        const std::pair distance{EditDistance(ToLower(word), ToLower(candidate)),
                                 EditDistance(word, candidate)};
        if (distance < best)
        {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

void
CheckWord(const std::string& what, const std::string& word, const std::vector<std::string>& allowed)
{
    if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
    {
        const std::string nearest = NearestWord(word, allowed);
        throw InputError("\"" + word + "\" is no " + what +
                         (nearest.empty() ? "" : ", did you mean " + nearest + "?") +
                         "; allowed are " + JoinWords(allowed));
    }
}

std::string
JoinWords(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words)
    {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

} // namespace mlcluster
} // namespace ns3

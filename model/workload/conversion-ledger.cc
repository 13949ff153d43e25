/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "conversion-ledger.h"

#include <algorithm>
#include <iomanip>

namespace ns3
{
namespace mlcluster
{

uint64_t
ConversionLedger::Account::GetIn() const
{
    uint64_t in = kept;
    for (const auto& other : leftOut)
    {
        in += other.ids.size();
    }
    return in;
}

void
ConversionLedger::Keep(const std::string& kind, uint64_t n)
{
    Find(kind).kept += n;
}

void
ConversionLedger::LeaveOut(const std::string& kind,
                           const std::string& reason,
                           const std::string& id)
{
    auto& leftOut = Find(kind).leftOut;
    const auto found = std::find_if(leftOut.begin(), leftOut.end(), [&](const auto& other) {
        return other.reason == reason;
    });
    if (found != leftOut.end())
    {
        found->ids.push_back(id);
        return;
    }
    leftOut.push_back({reason, {id}});
}

const std::vector<ConversionLedger::Account>&
ConversionLedger::GetAccounts() const
{
    return m_accounts;
}

ConversionLedger::Account
ConversionLedger::GetAccount(const std::string& kind) const
{
    return ConversionLedger(*this).Find(kind);
}

ConversionLedger::Account&
ConversionLedger::Find(const std::string& kind)
{
    const auto found = std::find_if(m_accounts.begin(), m_accounts.end(), [&](const auto& account) {
        return account.kind == kind;
    });
    if (found != m_accounts.end())
    {
        return *found;
    }
    m_accounts.push_back({kind, 0, {}});
    return m_accounts.back();
}

void
ConversionLedger::Add(const ConversionLedger& other, const std::string& prefix)
{
    for (const auto& account : other.m_accounts)
    {
        Keep(account.kind, account.kept);
        for (const auto& leftOut : account.leftOut)
        {
            for (const auto& id : leftOut.ids)
            {
                LeaveOut(account.kind, leftOut.reason, prefix + id);
            }
        }
    }
}

void
ConversionLedger::Print(std::ostream& os, std::size_t nIds) const
{
    for (const auto& account : m_accounts)
    {
        os << "  " << std::left << std::setw(32) << account.kind << std::right << std::setw(8)
           << account.GetIn() << " in, " << std::setw(8) << account.kept << " kept\n";
        for (const auto& other : account.leftOut)
        {
            os << "    " << other.ids.size() << " left out, " << other.reason << ":";
            for (std::size_t i = 0; i < std::min(nIds, other.ids.size()); ++i)
            {
                os << (i > 0 ? ", " : " ") << other.ids[i];
            }
            os << (other.ids.size() > nIds ? ", ...\n" : "\n");
        }
    }
}

} // namespace mlcluster
} // namespace ns3

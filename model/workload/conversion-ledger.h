/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CONVERSION_LEDGER_H
#define ML_CLUSTER_CONVERSION_LEDGER_H

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The books of a conversion: per kind of thing how many came in and how many were kept, and what
 * was left out, by reason and with its ids. In = kept + left out.
 */
class ConversionLedger
{
  public:
    /// What was left out for one reason.
    struct LeftOut
    {
        std::string reason;           ///< the reason
        std::vector<std::string> ids; ///< which
    };

    /// One kind of thing.
    struct Account
    {
        std::string kind;             ///< what it is
        uint64_t kept{0};             ///< number kept
        std::vector<LeftOut> leftOut; ///< the others

        uint64_t GetIn() const; ///< @return number that came in
    };

    /// @param kind what is kept @param n how many
    void Keep(const std::string& kind, uint64_t n = 1);
    /// @param kind what is left out @param reason why @param id which
    void LeaveOut(const std::string& kind, const std::string& reason, const std::string& id);

    const std::vector<Account>& GetAccounts() const; ///< @return kinds, in order of first mention
    /// @param kind a kind @return its account, an empty one if it was never mentioned
    Account GetAccount(const std::string& kind) const;

    /// @param other books whose entries are added @param prefix put before their ids
    void Add(const ConversionLedger& other, const std::string& prefix);

    /**
     * Prints a line a kind and, below it, a line a reason with the ids.
     * @param os where to
     * @param nIds ids shown for one reason
     */
    void Print(std::ostream& os, std::size_t nIds) const;

  private:
    /// @param kind a kind @return its account
    Account& Find(const std::string& kind);

    std::vector<Account> m_accounts; ///< per kind
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CONVERSION_LEDGER_H

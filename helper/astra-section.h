/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_SECTION_H
#define ML_CLUSTER_ASTRA_SECTION_H

#include "config-document.h"

#include "ns3/diagnostics.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Checked access to a map of names, such as one of ASTRA-sim's input files: each key is asked for
 * once, with what is allowed; what nobody asked for is reported at the end. After an error a value
 * that is allowed comes back, so that reading goes on.
 */
class AstraSection
{
  public:
    /// Least value of a number that must be above 0.
    static constexpr double ABOVE_ZERO = std::numeric_limits<double>::min();

    /**
     * @param document the map; one of kind Missing (an error reported already) gives no further
     *        errors
     * @param diagnostics receives the problems; must outlive this
     */
    AstraSection(const ConfigNode& document, Diagnostics& diagnostics);

    /// @param key a key @return whether the file has it; counts as asked for
    bool Has(const std::string& key);

    /**
     * @param key the key
     * @param meaning what the value is, for messages
     * @param least least value allowed
     * @param fallback value if the key is missing; none: that is an error
     * @param most largest value allowed
     * @return the number, finite
     */
    double GetNumber(const std::string& key,
                     const std::string& meaning,
                     double least,
                     std::optional<double> fallback = std::nullopt,
                     double most = std::numeric_limits<double>::max());

    /**
     * A number that is multiplied with others: 0, or from 1e-9 to 1e9.
     * @param key the key
     * @param what the value is, for messages
     * @param fallback value if the key is missing
     * @return the number
     */
    double GetFactor(const std::string& key, const std::string& what, double fallback);

    /**
     * A whole number; unlike GetWhole no fraction is cut off.
     * @param key the key
     * @param meaning what the value is, for messages
     * @param least least value allowed
     * @param most largest value allowed, at most 2^32 - 1
     * @param fallback value if the key is missing
     * @return the number
     */
    uint32_t GetCount(const std::string& key,
                      const std::string& meaning,
                      uint32_t least,
                      uint32_t most,
                      uint32_t fallback);

    /**
     * A whole number below 2^31; a fraction is cut off with a warning, as ASTRA-sim does silently.
     * @param key the key
     * @param meaning what the value is, for messages
     * @param least least value allowed
     * @param fallback value if the key is missing; none: that is an error
     * @return the number
     */
    uint32_t GetWhole(const std::string& key,
                      const std::string& meaning,
                      uint32_t least,
                      std::optional<uint32_t> fallback = std::nullopt);

    /// @param key the key @return whether it is true or 1; false if missing. ASTRA-sim takes false
    /// for true.
    bool GetFlag(const std::string& key);

    /**
     * @param key the key
     * @param meaning what the value is, for messages
     * @param words allowed values; empty: any text
     * @return the text; "" if missing (an error if words are given) or wrong
     */
    std::string GetText(const std::string& key,
                        const std::string& meaning,
                        const std::vector<std::string>& words = {});

    /**
     * @param key the key; must be there
     * @param meaning what the values are, for messages
     * @param least least value allowed
     * @return the numbers; none after reporting that the key is missing or no list
     */
    std::optional<std::vector<double>> GetNumbers(const std::string& key,
                                                  const std::string& meaning,
                                                  double least);

    /**
     * @param key the key
     * @param meaning what the values are, for messages
     * @return the texts; none if the key is missing, or after reporting that it is no list
     */
    std::optional<std::vector<std::string>> GetTexts(const std::string& key,
                                                     const std::string& meaning);

    /**
     * @param key the key
     * @param example what the value is, for messages, such as "{points: 21}"
     * @return its value, a map; null if the key is missing, or after reporting that it
     * is no such map
     */
    const ConfigNode* GetMap(const std::string& key, const std::string& example);

    /**
     * Reports the keys nobody asked for.
     * @param unused keys known to be without effect
     */
    void ReportUnknown(const std::vector<std::string>& unused);

    /// Refuses the keys nobody asked for, naming the nearest and all others.
    void RefuseUnknown();

    /// @param key a key @return its value, or null; counts as asked for
    const ConfigNode* Find(const std::string& key);
    /// @param key the key @param message what is wrong with it
    void Error(const std::string& key, const std::string& message);
    /// @param key the key @param message what is done about it
    void Warning(const std::string& key, const std::string& message);

  private:
    /// @param key the key @return its place, or where it should be
    Diagnostics::Place GetPlace(const std::string& key) const;
    /// @param key a key that is missing @param meaning what is needed
    void ReportMissing(const std::string& key, const std::string& meaning);
    /// @param node a value @param meaning what is needed @return whether it is a list; reports it
    /// if not
    bool ExpectList(const ConfigNode& node, const std::string& meaning);
    /// @param node a value @param meaning what is needed @param least least value @param most
    /// largest value @return the number, or none after an error
    std::optional<double> ReadNumber(const ConfigNode& node,
                                     const std::string& meaning,
                                     double least,
                                     double most = std::numeric_limits<double>::max());

    const ConfigNode m_document;      ///< the map
    Diagnostics& m_diagnostics;       ///< receives problems
    std::vector<std::string> m_asked; ///< keys asked for
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_SECTION_H

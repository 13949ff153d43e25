/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TIME_EXPRESSION_H
#define ML_CLUSTER_TIME_EXPRESSION_H

#include <cstddef>
#include <map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The time of a training step as a function of the bandwidths: sums and maxima of constants and of
 * collectives. A collective that sends c_d bytes in dimension d takes the largest c_d / b_d, since
 * chunks keep all dimensions busy. With b in GB/s per NPU the times are in ns.
 *
 * Collectives of proportional bytes are kept once, equal maxima too; branches of a maximum that
 * another one never falls below are left out. A maximum only holds maxima made before it.
 */
class TimeExpression
{
  public:
    /// A weighted sum; weights are not negative.
    struct Sum
    {
        double constant{0};                        ///< ns
        std::map<std::size_t, double> collectives; ///< weights of collectives
        std::map<std::size_t, double> maxima;      ///< weights of maxima

        /// @param other a sum @param weight its weight, not negative @return this, with it added
        Sum& Add(const Sum& other, double weight = 1);
        /// @param other a sum @return whether both are the same
        bool operator==(const Sum& other) const;
    };

    /// Values of all parts at some bandwidths.
    struct Values
    {
        std::vector<double> collectives; ///< ns
        std::vector<double> maxima;      ///< ns
        double total{0};                 ///< ns
    };

    /// @param nDimensions number of dimensions, at least 1
    explicit TimeExpression(std::size_t nDimensions);

    /// @param ns a time, finite, not negative @return it as a sum
    static Sum MakeConstant(double ns);
    /**
     * @param bytes that a member sends in each dimension, finite, not negative
     * @return the time of the collective
     * @throw InputError if they are not that, or of another number
     */
    Sum MakeCollective(const std::vector<double>& bytes);
    /// @param branches at least one, made by this object @return the longest of them
    Sum MakeMaximum(const std::vector<Sum>& branches);
    /// @param sum made by this object @param weight its weight in the whole, not negative
    void Add(const Sum& sum, double weight = 1);

    std::size_t GetNDimensions() const; ///< @return number of dimensions
    /// @return bytes per dimension of each collective, the largest number 1
    const std::vector<std::vector<double>>& GetShapes() const;
    const std::vector<std::vector<Sum>>& GetMaxima() const; ///< @return branches of each maximum
    const Sum& GetTotal() const;                            ///< @return the whole
    /// @return per dimension, whether any collective sends there
    std::vector<bool> GetInvolved() const;
    /// @return the whole, without collectives and maxima that it does not hold
    TimeExpression GetUsed() const;

    /**
     * @param bandwidths per dimension, GB/s; 0 where bytes are sent: infinite times
     * @return the times
     */
    Values Evaluate(const std::vector<double>& bandwidths) const;

  private:
    /// @param from has the sum @param sum a sum of it @param maxima of this object, by index there;
    /// receives those of the sum @return the sum, of collectives and maxima of this object
    Sum Copy(const TimeExpression& from, const Sum& sum, std::map<std::size_t, Sum>& maxima);
    /// @param sum a sum @param values of what it is made of @return its value, ns
    static double GetValue(const Sum& sum, const Values& values);

    std::size_t m_nDimensions;                 ///< number of dimensions
    std::vector<std::vector<double>> m_shapes; ///< bytes per dimension, the largest number 1
    std::vector<std::vector<Sum>> m_maxima;    ///< branches
    Sum m_total;                               ///< the whole
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TIME_EXPRESSION_H

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linear-constraint.h"

#include "ns3/plain-number.h"
#include "ns3/quantity.h"
#include "ns3/shown-text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Relation = LinearConstraint::Relation;

constexpr double LEAST = 1e-9; ///< GB/s, and of a factor beside the largest
constexpr double MOST = 1e9;   ///< GB/s

/// A sum of bandwidths and numbers.
struct Side
{
    std::vector<double> coefficients; ///< per dimension
    double number{0};                 ///< what is added
    std::size_t begin{0};             ///< where it begins in the text
    std::size_t end{0};               ///< where it ends

    /// @return whether no bandwidth is in it
    bool IsNumber() const
    {
        return std::all_of(coefficients.begin(), coefficients.end(), [](double c) {
            return c == 0;
        });
    }
};

/// @param relation of a to b @return that of b to a
Relation
Turn(Relation relation)
{
    return relation == Relation::AtMost    ? Relation::AtLeast
           : relation == Relation::AtLeast ? Relation::AtMost
                                           : Relation::Equal;
}

/// Reads the words of constraints.
class ConstraintReader
{
  public:
    /// @param text of the constraints @param prices per dimension @param fixedCost $
    ConstraintReader(const std::string& text, const std::vector<double>& prices, double fixedCost)
        : m_text(text),
          m_prices(prices),
          m_fixedCost(fixedCost)
    {
        Next();
    }

    /// @return the constraints @throw InputError if it is not one
    std::vector<LinearConstraint> Read()
    {
        std::vector<LinearConstraint> constraints;
        Side left = ReadSide();
        do
        {
            const Relation relation = ReadRelation();
            const Side right = ReadSide();
            LinearConstraint constraint = left.IsNumber() ? Compare(right, Turn(relation), left)
                                                          : Compare(left, relation, right);
            CheckNumbers(constraint);
            constraint.text = m_text.substr(left.begin, right.end - left.begin);
            constraints.push_back(constraint);
            left = right;
        } while (!m_word.empty());
        return constraints;
    }

  private:
    /// @param constraint one @throw InputError if its numbers are too large or small
    void CheckNumbers(const LinearConstraint& constraint) const
    {
        double largest = 0;
        for (const double factor : constraint.coefficients)
        {
            largest = std::max(largest, std::abs(factor));
        }
        const double bandwidth = std::abs(constraint.value) / largest;
        if (bandwidth != 0 && !(bandwidth >= LEAST && bandwidth <= MOST))
        {
            throw InputError(ShowName(m_text) + " is about bandwidths of " +
                             FormatNumber(bandwidth) + " GB/s; allowed are 1e-9 to 1e9");
        }
        for (const double factor : constraint.coefficients)
        {
            if (factor != 0 && !(std::abs(factor) >= LEAST * largest))
            {
                throw InputError(ShowName(m_text) +
                                 " has factors that differ by more than 1e9, which is the most");
            }
        }
    }

    /// @param left a sum @param relation of it to @param right another @return the constraint
    LinearConstraint Compare(const Side& left, Relation relation, const Side& right) const
    {
        LinearConstraint constraint;
        constraint.relation = relation;
        constraint.value = right.number - left.number;
        bool isConstant = true;
        for (std::size_t d = 0; d < m_prices.size(); ++d)
        {
            constraint.coefficients.push_back(left.coefficients[d] - right.coefficients[d]);
            isConstant = isConstant && constraint.coefficients[d] == 0;
        }
        if (isConstant)
        {
            throw InputError(ShowName(m_text) + " compares nothing that depends on bandwidths");
        }
        return constraint;
    }

    /// Takes the next word: a name, a number or a sign; "" at the end.
    void Next()
    {
        const auto isPart = [this](std::size_t i) {
            const char c = i < m_text.size() ? m_text[i] : ' ';
            const char before = i > 0 ? m_text[i - 1] : ' ';
            const bool isExponent = (c == '+' || c == '-') && i > m_begin &&
                                    (before == 'e' || before == 'E') && IsDigit(m_text[m_begin]);
            return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' ||
                   isExponent;
        };
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
        {
            ++m_at;
        }
        m_begin = m_at;
        while (isPart(m_at))
        {
            ++m_at;
        }
        if (m_at == m_begin && m_at < m_text.size())
        {
            const bool isDouble = (m_text[m_at] == '<' || m_text[m_at] == '>') &&
                                  m_at + 1 < m_text.size() && m_text[m_at + 1] == '=';
            m_at += isDouble ? 2 : 1;
            while (m_at < m_text.size() && (m_text[m_at] & 0xC0) == 0x80) // rest of a character
            {
                ++m_at;
            }
        }
        m_word = m_text.substr(m_begin, m_at - m_begin);
    }

    /// @param c a character @return whether it begins a number
    static bool IsDigit(char c)
    {
        return c >= '0' && c <= '9';
    }

    /// @throw InputError that the word at hand is not what is allowed
    [[noreturn]] void Refuse(const std::string& allowed) const
    {
        throw InputError((m_word.empty() ? "the end" : ShowName(m_word)) + " stands in " +
                         ShowName(m_text) + " where " + allowed + " is needed");
    }

    /// @return the comparison at hand
    Relation ReadRelation()
    {
        if (m_word != "<=" && m_word != ">=" && m_word != "=")
        {
            Refuse("<=, >= or =");
        }
        const Relation relation = m_word == "<="   ? Relation::AtMost
                                  : m_word == ">=" ? Relation::AtLeast
                                                   : Relation::Equal;
        Next();
        return relation;
    }

    /// @return the sum at hand
    Side ReadSide()
    {
        Side side;
        side.coefficients.resize(m_prices.size());
        side.begin = m_begin;
        double sign = 1;
        if (m_word == "-")
        {
            sign = -1;
            Next();
        }
        AddTerm(side, sign);
        while (m_word == "+" || m_word == "-")
        {
            sign = m_word == "+" ? 1 : -1;
            Next();
            AddTerm(side, sign);
        }
        side.end = m_text.find_last_not_of(" \t\n", m_begin - 1) + 1;
        return side;
    }

    /// @param side receives the term at hand @param sign its sign
    void AddTerm(Side& side, double sign)
    {
        double factor = sign;
        const bool hasNumber = !m_word.empty() && IsDigit(m_word[0]);
        if (hasNumber)
        {
            factor *= ParseNumber(m_word);
            Next();
            if (m_word == "*")
            {
                Next();
            }
        }
        if (!m_word.empty() && std::isalpha(static_cast<unsigned char>(m_word[0])))
        {
            AddName(side, factor);
            Next();
        }
        else if (hasNumber)
        {
            side.number += factor;
        }
        else
        {
            Refuse("a number, b1 to b" + std::to_string(m_prices.size()) + ", total or cost");
        }
    }

    /// @param side receives what the name at hand stands for @param factor before it
    void AddName(Side& side, double factor)
    {
        for (std::size_t d = 0; d < m_prices.size(); ++d)
        {
            const bool isTotal = m_word == "total";
            const bool isThis = m_word == "b" + std::to_string(d + 1);
            side.coefficients[d] += isTotal || isThis ? factor : 0;
            side.coefficients[d] += m_word == "cost" ? factor * m_prices[d] : 0;
        }
        side.number += m_word == "cost" ? factor * m_fixedCost : 0;
        const bool isDimension = m_word[0] == 'b' && m_word.size() > 1 && m_word.size() < 6 &&
                                 m_word[1] != '0' &&
                                 std::all_of(m_word.begin() + 1, m_word.end(), IsDigit) &&
                                 std::stoul(m_word.substr(1)) <= m_prices.size();
        if (!isDimension && m_word != "total" && m_word != "cost")
        {
            Refuse("b1 to b" + std::to_string(m_prices.size()) + ", total or cost");
        }
    }

    const std::string m_text;            ///< what is read
    const std::vector<double>& m_prices; ///< per dimension
    const double m_fixedCost;            ///< $
    std::size_t m_begin{0};              ///< where the word at hand begins
    std::size_t m_at{0};                 ///< where it ends
    std::string m_word;                  ///< the word at hand
};

} // namespace

double
LinearConstraint::GetExcess(const std::vector<double>& bandwidths) const
{
    double sum = -value;
    for (std::size_t d = 0; d < coefficients.size(); ++d)
    {
        sum += coefficients[d] * bandwidths[d];
    }
    return relation == Relation::Equal    ? std::abs(sum)
           : relation == Relation::AtMost ? std::max(sum, 0.0)
                                          : std::max(-sum, 0.0);
}

double
LinearConstraint::GetSize(const std::vector<double>& bandwidths) const
{
    double size = std::abs(value);
    for (std::size_t d = 0; d < coefficients.size(); ++d)
    {
        size = std::max(size, std::abs(coefficients[d] * bandwidths[d]));
    }
    return size;
}

std::vector<LinearConstraint>
ParseLinearConstraints(const std::string& text, const std::vector<double>& prices, double fixedCost)
{
    return ConstraintReader(text, prices, fixedCost).Read();
}

} // namespace mlcluster
} // namespace ns3

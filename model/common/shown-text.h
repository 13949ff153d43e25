/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SHOWN_TEXT_H
#define ML_CLUSTER_SHOWN_TEXT_H

#include <cstddef>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Makes text that came from an input fit to be printed: control characters are written as \\n, \\t
 * or \\x1b, so that they end no line, hide nothing and steer no terminal.
 * @param text the text
 * @param kept control characters that stay
 * @return it, without other control characters
 */
std::string EscapeControls(const std::string& text, const std::string& kept = "");

/**
 * @ingroup ml-cluster
 * Writes a name that came from an input for a message.
 * @param name the name
 * @param most bytes of it that are shown
 * @return it in quotes, without control characters, "..." in place of what is too long
 */
std::string ShowName(const std::string& name, std::size_t most = 60);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SHOWN_TEXT_H

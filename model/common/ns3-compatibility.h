/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NS3_COMPATIBILITY_H
#define ML_CLUSTER_NS3_COMPATIBILITY_H

#include "ns3/enum.h"

namespace ns3
{
namespace mlcluster
{

/// @cond
template <typename Enum, typename Member>
auto
MakeEnumMemberAccessor(Member member, int) -> decltype(MakeEnumAccessor<Enum>(member))
{
    return MakeEnumAccessor<Enum>(member);
}

template <typename Enum, typename Member>
Ptr<const AttributeAccessor>
MakeEnumMemberAccessor(Member member, long)
{
    return MakeEnumAccessor(member);
}

/// @endcond

/**
 * @ingroup ml-cluster
 * The accessor of an enum attribute, as ns-3 3.37 (MakeEnumAccessor(member)) and 3.41 and later
 * (MakeEnumAccessor<Enum>(member)) want it.
 * @tparam Enum the enum, unscoped
 * @tparam Class the class that holds it
 * @param member the data member
 * @return the accessor
 */
template <typename Enum, typename Class>
Ptr<const AttributeAccessor>
MakeEnumMemberAccessor(Enum Class::* member)
{
    return MakeEnumMemberAccessor<Enum>(member, 0);
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NS3_COMPATIBILITY_H

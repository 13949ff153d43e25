#! /usr/bin/env python3
#
# Copyright (c) 2026 The ml-cluster authors
#
# SPDX-License-Identifier: GPL-2.0-only

# Programs that test.py and contrib/ns3 test run: (command, run it, run it in valgrind). They pass if
# they exit with 0.
cpp_examples = [
    ("ml-cluster-compare", "True", "False"),
    ("ml-cluster-collective", "True", "False"),
    ("two-npus", "True", "True"),
    ("torus-all-reduce", "True", "False"),
]

python_examples = []

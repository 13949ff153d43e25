#! /usr/bin/env python3
#
# Copyright (c) 2026 The ml-cluster authors
#
# SPDX-License-Identifier: GPL-2.0-only

# Programs that test.py and contrib/ns3 test run: (command, run it, run it in valgrind). They pass if
# they exit with 0.
cpp_examples = [
    ("ml-cluster-astra", "True", "True"),
    ("ml-cluster-astra --backend=packet", "True", "False"),
    ("ml-cluster-astra --parity", "True", "True"),
    ("ml-cluster-astra --parity --congestion-aware", "True", "False"),
    ("ml-cluster-benchmark-collective --cases=1", "True", "False"),
    ("ml-cluster-benchmark-packet --packets=2000 --rounds=1", "True", "False"),
    ("ml-cluster-collective", "True", "False"),
    (
        "ml-cluster-collective --collective=all-to-all --backend=packet --sizes=64KiB:1MiB:x4",
        "True",
        "False",
    ),
    (
        "ml-cluster-collective --algorithm=one-double-binary-tree --scheduler=themis --sizes=1MiB",
        "True",
        "False",
    ),
    ("ml-cluster-collective --collective=broadcast --root=3 --backend=packet --sizes=1MiB", "True", "False"),
    ("ml-cluster-compare", "True", "False"),
    ("ml-cluster-compare --config=all-reduce-ring4-switch4.yaml --outputDir=results", "True", "False"),
    ("ml-cluster-compare --print-config", "True", "True"),
    ("ml-cluster-convert --help", "True", "True"),
    ("ml-cluster-first", "True", "False"),
    ("ml-cluster-study --chunks=4 --sizes=1MiB", "True", "False"),
    ("ml-cluster-generate --prefix=results/step", "True", "True"),
    ("torus-all-reduce", "True", "False"),
    ("two-npus", "True", "True"),
    ("two-npus --backend=analytical", "True", "True"),
]

python_examples = []

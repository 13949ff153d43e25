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
    ("ml-cluster-benchmark-training --cases=1", "True", "False"),
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
    ("ml-cluster-compare --config=default.yaml --backends=analytical", "True", "False"),
    ("ml-cluster-compare --config=all-reduce-in-network.yaml", "True", "False"),
    ("ml-cluster-compare --config=all-reduce-ring8.yaml", "True", "False"),
    ("ml-cluster-compare --config=all-reduce-switch8.yaml", "True", "False"),
    ("ml-cluster-compare --config=dlrm.yaml", "True", "False"),
    ("ml-cluster-compare --config=llama3-8b-64.yaml", "True", "False"),
    ("ml-cluster-compare --config=memory-pool-packets.yaml", "True", "False"),
    ("ml-cluster-compare --config=memory-pool.yaml", "True", "False"),
    ("ml-cluster-compare --config=memory-pool.yaml --estimate", "True", "False"),
    ("ml-cluster-compare --config=tiered-memory.yaml", "True", "False"),
    ("ml-cluster-compare --config=tiered-memory.yaml --estimate", "True", "False"),
    ("ml-cluster-compare --config=resnet50.yaml", "True", "False"),
    (
        "ml-cluster-compare --config=gpt3-175b-1024.yaml --set=workload.transformer.layers=16 --set=workload.transformer.micro-batches=2",
        "True",
        "False",
    ),
    (
        "ml-cluster-compare --config=moe-1t.yaml --set=workload.transformer.layers=4 --set=workload.transformer.micro-batches=2",
        "True",
        "False",
    ),
    ("ml-cluster-compare --config=studies/gpt3-iteration/base.yaml", "True", "False"),
    ("ml-cluster-compare --print-config", "True", "True"),
    ("ml-cluster-convert --help", "True", "True"),
    ("ml-cluster-first", "True", "False"),
    ("ml-cluster-memory", "True", "False"),
    ("ml-cluster-memory --config=tiered-memory.yaml --sizes=1MiB", "True", "False"),
    ("ml-cluster-memory --config=memory-pool.yaml --access=load --set=cluster.memory.pool.chunk=1MiB", "True", "False"),
    ("ml-cluster-optimize", "True", "True"),
    ("ml-cluster-optimize --config=design/llama3-8b-64.yaml", "True", "False"),
    ("ml-cluster-optimize --config=design/models-4d.yaml --set=design.combine=worst", "True", "False"),
    ("ml-cluster-optimize --config=design/models-4d.yaml --outputDir=results", "True", "False"),
    ("ml-cluster-study --chunks=4 --sizes=1MiB", "True", "False"),
    (
        "ml-cluster-study --folder=studies/gpt3-iteration --systems=gpt3-w-1d-350,t1t-conv-3d,dlrm-w-2d",
        "True",
        "False",
    ),
    (
        "ml-cluster-study --folder=studies/disaggregated-memory --systems=z-100,h0-100,h1-100 --variants=base,serial",
        "True",
        "False",
    ),
    ("ml-cluster-study --folder=studies/scaling --chunks=4", "True", "False"),
    ("ml-cluster-study --folder=studies/themis --chunks=16", "True", "False"),
    ("ml-cluster-study --folder=studies/themis-chunks", "True", "False"),
    (
        "ml-cluster-study --folder=studies/themis-iterations --systems=t1t-2d-sw-sw,dlrm-3d-homo",
        "True",
        "False",
    ),
    ("ml-cluster-study --folder=studies/training-steps --systems=kor-22b-selective,meg01", "True", "False"),
    ("ml-cluster-study --folder=studies/wafer-scale", "True", "False"),
    ("ml-cluster-generate --prefix=results/step", "True", "True"),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=gpt3-175b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-1.7b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-3.6b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-7.5b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-18.4b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-39.1b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-76.1b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-145.6b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-310.1b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-529.6b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=megatron-1008b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=korthikanti-22b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=korthikanti-175b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=korthikanti-530b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=korthikanti-1t",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=llama3-70b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=llama3-405b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=mpt-7b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=mpt-13b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=mpt-30b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=mpt-70b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=turing-nlg-17b",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=transformer-1t",
        "True",
        "False",
    ),
    (
        "ml-cluster-generate --config=llama3-8b-64.yaml --set=workload.transformer.model=moe-1t",
        "True",
        "False",
    ),
    ("ml-cluster-generate --config=dlrm.yaml", "True", "False"),
    ("ml-cluster-generate --config=gpt3-175b-1024.yaml", "True", "False"),
    ("ml-cluster-generate --config=llama3-8b-64.yaml", "True", "False"),
    ("ml-cluster-generate --config=moe-1t.yaml", "True", "False"),
    ("ml-cluster-generate --config=resnet50.yaml", "True", "False"),
    ("ml-cluster-generate --config=dlrm.yaml --set=workload.dlrm.model=dlrm-kaggle", "True", "False"),
    ("ml-cluster-generate --config=resnet50.yaml --set=workload.layers.model=vgg-16", "True", "False"),
    ("torus-all-reduce", "True", "False"),
    ("two-npus", "True", "True"),
    ("two-npus --backend=analytical", "True", "True"),
]

python_examples = []

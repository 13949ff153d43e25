/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_FAULTS_H
#define ML_CLUSTER_TEXT_FAULTS_H

#include "transformer-faults.h"

#include <map>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/// @ingroup ml-cluster-tests
/// Errors of text files of layers.
inline const std::vector<GeneratorFault> TEXT_FAULTS{
    {"passes: 2", {"workload.text.file: is missing; needed is the path of a file"}},
    {"file: missing.txt", {"7: workload.text.file: missing.txt: No such file or directory"}},
    {"file: e.txt", {"e.txt:1: policy: is missing: the file ends here"}},
    {"file: p.txt", {"p.txt:1: policy: \"DATTA\" is no policy, did you mean DATA?; ..."}},
    {"file: c.txt",
     {"c.txt:3: layer 0 \"a\" FWD_C: \"NON\" is no collective, did you mean NONE?; allowed are "
      "NONE, ALLREDUCE, ALLTOALL, ALLGATHER, REDUCESCATTER",
      "c.txt:4: layer 1 \"b\" FWD_T: 'x' is no whole number; allowed are digits without sign, "
      "leading zero or unit, for example 4",
      "c.txt:5: layer 2 \"c\" FWD_S: '-5' is no whole number; allowed are digits without sign, "
      "leading zero or unit, for example 4"}},
    {"file: n.txt",
     {"n.txt:3: number of layers: is stated as 3, but the file ends after 1; it is cut off, or "
      "must state 1"}},
    {"file: n2.txt", {"n2.txt:4: number of layers: is stated as 1, but more follows: \"b\""}},
    {"file: h.txt", {"h.txt:1: header: HYBRID_TRANSFORMER lacks model_parallel_NPU_group:"}},
    {"file: h2.txt",
     {"h2.txt: graphs: the topology has 4 ranks; a model-parallel group (model_parallel_NPU_group) "
      "has 3, an expert group (ep) 1, the pipeline (pp) 1 stages, whose product must divide the "
      "ranks"}},
    {"file: h3.txt", {"h3.txt:1: header: model_parallel_NPU_group is given twice"}},
    {"file: h4.txt",
     {"h4.txt:1: header: \"model_parallel_NPU_grup\" is no key of the header of "
      "HYBRID_TRANSFORMER, did you mean model_parallel_NPU_group?; allowed are "
      "model_parallel_NPU_group"}},
    {"file: h5.txt",
     {"h5.txt: header: model_parallel_NPU_group, ep, pp and ga are whole numbers from 1; given are "
      "0, 1, 2, 0",
      "h5.txt: header: pp is 2 and pp_comm is 0; pp_comm, the bytes between stages, is above 0 if "
      "pp is above 1, and else 0 or left out"}},
    {"file: h6.txt, form: converter",
     {"h6.txt: graphs: pp is 2; the converter's graph knows no pipeline, allowed is the loop's"}},
    {"file: h7.txt",
     {"h7.txt: checkpoint_initiates: layer 0 cannot run others again: it must be one of the 2 "
      "layers, no checkpoint itself, and above one of the checkpoints 0 with no other initiating "
      "layer between"}},
    {"file: h8.txt",
     {"h8.txt: graphs: the topology has 4 ranks; a model-parallel group (model_parallel_NPU_group) "
      "has 2, an expert group (ep) 1, the pipeline (pp) 1 stages, whose product must divide the "
      "ranks, and the file is for 8 (all_gpus)"}},
    {"file: d.txt", {"d.txt: last bottom layer: 7 is no layer; allowed are 0 to 0"}},
    {"file: amb.txt",
     {"7: workload.text.file: amb.txt: this may be a file of ASTRA-sim, where ALLGATHER counts the "
      "shard of one rank, or of AICB for SimAI, where it counts the whole; state the dialect: "
      "astra-sim or simai"}},
    {"file: hc.txt",
     {"hc.txt:3: layer 0 \"a\" policy: \"DATUM\" is no policy of a layer, did you mean DATA?; "
      "allowed are DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA"}},
    {"file: li.txt",
     {"li.txt: graphs: a workload of LIBRA needs communicators, the members of a group in each of "
      "the 1 dimensions for each pass; given are 0"}},
    {"file: li.txt, communicators: missing.yml",
     {"missing.yml: cannot be read: No such file or directory"}},
    {"file: li.txt, communicators: m.yml",
     {"m.yml:1: Forward: has 2 entries; needed is one for each dimension of Switch(4)",
      "m.yml:2: InputGrad: 3 is given for Switch(4); needed is a divisor of its size, or -1",
      "m.yml:3: WeightGrad: 0 is given; needed are members of a group in each dimension, whole "
      "numbers from 1, or -1 where it takes no part"}},
    {"file: li.txt, communicators: m2.yml",
     {"m2.yml:1: Forward: 3 is given for Switch(4); needed is a divisor of its size, or -1"}},
    {"file: lt.txt",
     {"lt.txt:1: layer 0 \"Q\" FWD_T: '-5' is no time; allowed are numbers from 0 to 2^53 "
      "(cycles)"}},
    {"file: ok.txt, communication-scale: 1e12, compute-scale: -1",
     {"7: workload.text.compute-scale: '-1' is no factor; allowed are numbers from 0 on without "
      "unit, for example 1.5"}},
    {"file: b.txt, communication-scale: 1000000000000",
     {"b.txt: graphs: 9223372036854775807 bytes times 1e+12 are no size; allowed are sizes below "
      "2^63 bytes"}},
    {"file: b2.txt, compute-scale: 1000000000000",
     {"b2.txt: graphs: b2.txt: node 0 \"a FWD\" ends later than time can be counted (106 days): "
      "check durations, sizes, rates and delays"}},
    {"file: ok.txt, cycle: 0ns", {"7: workload.text.cycle: 0; the least is 1ps"}},
    {"file: ok.txt, dialect: simgrid, form: lop, scheduling: lilo, input-gradients: no",
     {"7: workload.text.dialect: 'simgrid' is not known; allowed are auto, astra-sim, libra, simai",
      "7: workload.text.form: 'lop' is not known (nearest: loop); allowed are loop, converter",
      "7: workload.text.scheduling: 'lilo' is not known (nearest: lifo); allowed are lifo, fifo",
      "7: workload.text.input-gradients: 'no' is not known; allowed are overlapped, blocking"}},
    {"file: ok.txt, training-loop: forward + backward",
     {"7: workload.text.training-loop: \"backward\" stands in the loop \"forward + backward\" "
      "where "
      "forward, input-gradient or weight-gradient (with .compute or .communication for a part of "
      "it), max(...) or layers(...) is needed"}},
    {"file: ok.txt, training-loop: overlap, form: converter",
     {"ok.txt: graphs: a training loop is given, which knows no pipeline and needs the form loop; "
      "pp "
      "is 1, the form is converter"}},
    {"file: dir.txt",
     {"7: workload.text.file: dir.txt: line 1 has a control character or a word above 1000 "
      "characters; allowed is a text of words between blanks"}},
    {"file: ''",
     {"7: workload.text.file: an empty text is given; needed is text file of layers, of ASTRA-sim "
      "1.0, LIBRA or SimAI"}},
};

/// @ingroup ml-cluster-tests
/// Files that the faults name, by name.
inline const std::map<std::string, std::string> FAULTY_FILES{
    {"a0.csv", ""},
    {"a1.csv",
     "[rank0 ~ "
     "rank7]\ncomm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,"
     "algbw,busbw,count\nCommType.all_redduce,CommGroup.tp_group,2,8,f,None,None,,None,None,None,"
     "1\nCommType.isend,CommGroup.pp_group,2,8,f,None,None,,None,None,None,1\nCommType.all_reduce,"
     "CommGroup.tp_group,2,x,f,None,None,,None,None,None,1\n"},
    {"a2.csv",
     "[rank0 ~ "
     "rank3]\ncomm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,"
     "algbw,busbw,count\n"},
    {"a3.csv",
     "[rank0 ~ "
     "rank7]\ncomm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,"
     "algbw,busbw,count\n"},
    {"a4.csv",
     "[rank0 ~ "
     "rank7]\ncomm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,"
     "algbw,busbw,count\nCommType.all_reduce,CommGroup.tp_group,3,8,f,None,None,,None,None,None,"
     "1\n"},
    {"a5.csv",
     "[rank0 ~ "
     "rank7]\ncomm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,"
     "algbw,busbw,count\nCommType.computation,None,None,0,f,None,None,,None,None,None,1\nCommType."
     "computation,None,None,0,f,None,None,,-2,None,None,1\nCommType.computation,None,None,0,f,None,"
     "None,,2,None,None,3\n"},
    {"amb.txt", "MICRO\n1\nmicro_test -1 1 NONE 0 1 NONE 0 1 ALLGATHER 8 0\n"},
    {"b.txt", "DATA\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 9223372036854775807 0\n"},
    {"b2.txt", "DATA\n1\na -1 9007199254740992 NONE 0 1 NONE 0 1 ALLREDUCE 8 0\n"},
    {"bad.csv", "Layer,m,n,k\na,8,1\nb,9,1,1\nc c,8,1,1\nd,x,1,1\ne,0,1,1\nf,8,2199023255552,1\n"},
    {"big.csv", "Layer,m,n,k\na,1099511627776,1099511627776,1099511627776\n"},
    {"c.txt",
     "DATA\n3\na -1 1 NON 0 1 NONE 0 1 NONE 0 0\nb -1 x NONE 0 1 NONE 0 1 NONE 0 0\nc -1 1 NONE -5 "
     "1 NONE 0 1 NONE 0 0\n"},
    {"d.txt", "HYBRID_DLRM 7\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n"},
    {"dir.txt", "DATA 1 \x01\n"},
    {"e.txt", ""},
    {"empty.csv", ""},
    {"h.txt", "HYBRID_TRANSFORMER\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n"},
    {"h2.txt",
     "HYBRID_TRANSFORMER model_parallel_NPU_group: 3\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n"},
    {"h3.txt",
     "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 model_parallel_NPU_group: 2\n1\na -1 1 NONE 0 "
     "1 NONE 0 1 NONE 0 0\n"},
    {"h4.txt",
     "HYBRID_TRANSFORMER model_parallel_NPU_grup: 2\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n"},
    {"h5.txt",
     "HYBRID_TRANSFORMER model_parallel_NPU_group: 0 pp: 2 ep: 1 ga: 0\n1\na -1 1 NONE 0 1 NONE 0 "
     "1 NONE 0 0\n"},
    {"h6.txt",
     "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 pp: 2 ep: 1 ga: 1 pp_comm: 100\n1\na -1 1 "
     "NONE 0 1 NONE 0 1 NONE 0 0\n"},
    {"h7.txt",
     "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 checkpoints: 1 0 "
     "checkpoint_initiates: 1 0\n2\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\nb -1 1 NONE 0 1 NONE 0 1 "
     "NONE 0 0\n"},
    {"h8.txt",
     "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 all_gpus: 8\n1\na -1 1 NONE 0 1 NONE 0 1 NONE "
     "0 0\n"},
    {"hc.txt", "HYBRID_CUSTOMIZED\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0 DATUM\n"},
    {"head.csv", "Layer,m,n,k\n"},
    {"li.txt", "Q -1 937.5 none 0 2e3 AllReduce 8000 3000 ALLGATHER 9000 0\n"},
    {"lt.txt", "Q -1 -5 none 0 2e3 AllReduce 8000 1e300 ALLGATHER 9000 0\n"},
    {"m.yml", "Forward: [2, 2]\nInputGrad: [3]\nWeightGrad: [0]\nX: 1\n"},
    {"m2.yml", "Forward: [3]\nInputGrad: [1]\nWeightGrad: [1]\n"},
    {"n.txt", "DATA\n3\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n"},
    {"n2.txt", "DATA\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\nb -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n"},
    {"ok.txt", "DATA\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8 0\n"},
    {"p.txt", "DATTA\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n"},
    {"pol.csv", "Layer,m,n,k,CustomizedParallelization\na,8,1,1,DAT\n"},
};

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_FAULTS_H

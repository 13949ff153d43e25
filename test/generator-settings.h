/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GENERATOR_SETTINGS_H
#define ML_CLUSTER_GENERATOR_SETTINGS_H

#include <cctype>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/**
 * @ingroup ml-cluster-tests
 * One setting of a workload generator, as an experiment file and as an attribute have it.
 */
struct GeneratorSetting
{
    std::string key;    ///< below the section of the generator
    std::string value;  ///< as an experiment file has it
    std::string text{}; ///< as the attribute has it; "": as the file
    bool isMoot{false}; ///< whether the others say the same without it
    bool isFile{false}; ///< whether it is the path of a file

    /// @return the value of the attribute
    std::string GetText() const
    {
        return text.empty() ? value : text;
    }

    /// @return the name of the attribute: that of the key, sizes are Bytes
    std::string GetAttribute() const
    {
        std::string name;
        bool isFirst = true;
        for (const char c : key == "bucket-size" ? "bucket-bytes" : key)
        {
            name += c == '-' ? "" : std::string(1, isFirst ? std::toupper(c) : c);
            isFirst = c == '-';
        }
        return name;
    }
};

/**
 * @ingroup ml-cluster-tests
 * What a workload generator is to make.
 */
struct GeneratorCase
{
    std::string name;                       ///< what is special about it
    std::string section;                    ///< of the experiment file, below workload
    std::string type;                       ///< of the generator, without its namespace
    std::string topology;                   ///< notation
    std::vector<GeneratorSetting> settings; ///< of the generator

    /// @return whether it has operations, no durations
    bool HasOperations() const
    {
        return section != "text" && section != "aicb";
    }

    /// @return whether it accesses remote memory
    bool HasRemoteMemory() const
    {
        return section == "remote-moe";
    }

    /// @param omitted setting to leave out, "" for none @return the section of an experiment file
    std::string GetSection(const std::string& omitted = "") const
    {
        std::string text = "workload:\n  " + section + ":\n";
        for (const auto& setting : settings)
        {
            text +=
                setting.key == omitted ? "" : "    " + setting.key + ": " + setting.value + "\n";
        }
        return text;
    }
};

/// @ingroup ml-cluster-tests
/// Files that the cases name, by name.
inline const std::map<std::string, std::string> GENERATOR_FILES{
    {"loop.txt",
     "HYBRID_TRANSFORMER model_parallel_NPU_group: 2\n3\n"
     "a -1 5000 ALLREDUCE 20000 6000 ALLREDUCE 30000 7000 REDUCESCATTER 40000 800\n"
     "b -1 4000 ALLGATHER 10000 9000 NONE 0 8000 ALLREDUCE 60000 700\n"
     "c -1 3000 NONE 0 2000 ALLREDUCE 50000 1000 ALLREDUCE 70000 600\n"},
    {"data.txt",
     "DATA\n2\na -1 5000 NONE 0 6000 NONE 0 7000 ALLREDUCE 80000 800\n"
     "b -1 4000 NONE 0 9000 NONE 0 8000 ALLREDUCE 60000 700\n"},
    {"libra.txt",
     "Q -1 1.5e3 none 0 2e3 AllReduce 8000 3000 ALLGATHER 9000 0\n"
     "K -1 1500 AllReduce 7000 2000 NONE 0 3000 NONE 0 0\n"},
    {"members.yml", "Forward: [2, 2]\nInputGrad: [-1, 4]\nWeightGrad: [2, -1]\n"},
    {"table.csv", "Layer,m,n,k\nfront,128,96,64\nback,64,32,96\n"},
    {"policies.csv",
     "Layer,m,n,k,CustomizedParallelization\nfront,128,96,64,DATA\n"
     "middle,64,64,96,HYBRID_DATA_MODEL\nback,64,32,64,MODEL\n"},
    {"log.csv",
     "[rank0 ~ rank7]\n"
     "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,"
     "algbw,busbw,count\n"
     "CommType.broadcast,CommGroup.dp_group,4,3000,init.weights,None,1,,None,None,None,1\n"
     "CommType.computation,None,None,0,forward.mlp,None,None,,0.015,None,None,1\n"
     "CommType.all_gather,CommGroup.tp_group,2,80000,forward,None,None,,None,None,None,1\n"
     "CommType.all_to_all,CommGroup.ep_group,2,50000,forward,None,None,,None,None,None,1\n"
     "CommType.computation,None,None,0,backward.mlp,None,None,,0.025,None,None,1\n"
     "CommType.reduce_scatter,CommGroup.dp_group,4,90000,backward,None,None,,None,None,None,1\n"
     "CommType.all_reduce,CommGroup.ep_dp_group,2,7000,step,None,None,,None,None,None,1\n"
     "CommType.barrier,CommGroup.all,8,0,step,None,None,,None,None,None,1\n"},
};

/// @ingroup ml-cluster-tests
/// Transformers whose sizes are given.
inline const std::vector<GeneratorCase> TRANSFORMER_CASES{
    {"interleaved pipeline, ZeRO 2",
     "transformer",
     "TransformerWorkload",
     "Ring(2)_Switch(8)",
     {{"family", "llama"},
      {"layers", "5"},
      {"hidden-size", "64"},
      {"heads", "4"},
      {"kv-heads", "2"},
      {"ffn-size", "192"},
      {"vocabulary", "96"},
      {"sequence-length", "32"},
      {"flash-attention", "true"},
      {"causal", "true"},
      {"tensor", "2"},
      {"context", "2"},
      {"pipeline", "2"},
      {"data", "2", "", true},
      {"context-scheme", "all-gather"},
      {"sequence-parallel", "true"},
      {"rank-order", "context-tensor-data-pipeline"},
      {"micro-batch", "2"},
      {"micro-batches", "6"},
      {"schedule", "interleaved"},
      {"chunks", "2"},
      {"stage-layers", "[1, 2, 1, 1]", "1,2,1,1"},
      {"zero-stage", "2"},
      {"bucket-size", "8KiB", "8192"},
      {"overlap-gradients", "false"},
      {"recompute", "full"},
      {"element-bytes", "4"},
      {"gradient-bytes", "2"},
      {"optimizer-bytes", "40"}}},
    {"experts of unequal load, ZeRO 3",
     "transformer",
     "TransformerWorkload",
     "FullyConnected(2)_Ring(4)",
     {{"layers", "4"},
      {"hidden-size", "64"},
      {"heads", "4"},
      {"vocabulary", "64"},
      {"sequence-length", "32"},
      {"dropout", "false"},
      {"experts", "8"},
      {"top-experts", "2"},
      {"expert-interval", "2"},
      {"expert-ffn-size", "128"},
      {"shared-ffn-size", "64"},
      {"tensor", "2"},
      {"expert", "4"},
      {"expert-tensor", "1"},
      {"expert-skew", "0.7"},
      {"sequence-parallel", "true"},
      {"global-batch", "16"},
      {"zero-stage", "3"},
      {"prefetch", "2"},
      {"reshard-after-forward", "false"},
      {"optimizer", "false"}}},
    {"parts of a published model with capacity of experts",
     "transformer",
     "TransformerWorkload",
     "Switch(4)",
     {{"model", "MPT-7B"},
      {"layers", "2"},
      {"experts", "4"},
      {"top-experts", "2"},
      {"expert", "4"},
      {"capacity-factor", "1.5"},
      {"bucket-size", "100MB", "100000000"}}}};

/// @ingroup ml-cluster-tests
/// Recommendation models.
inline const std::vector<GeneratorCase> DLRM_CASES{
    {"tables of all shardings",
     "dlrm",
     "DlrmWorkload",
     "Ring(2)_Switch(2)",
     {{"vector-size", "16"},
      {"tables", "5", "", true},
      {"rows", "[1000, 2000, 3000, 500, 700]", "1000,2000,3000,500,700"},
      {"pooling", "[1, 2, 3, 4, 5]", "1,2,3,4,5"},
      {"sharding", "[table, row, column, data, column]", "table,row,column,data,column"},
      {"shards", "[1, 1, 2, 1, 4]", "1,1,2,1,4"},
      {"ranks", "[3, auto, 0+2, auto, auto]", "3,auto,0+2,auto,auto"},
      {"bottom-widths", "[13, 64, 16]", "13,64,16"},
      {"top-widths", "[32, 1]", "32,1"},
      {"batch", "64"},
      {"steps", "2"},
      {"element-bytes", "4"},
      {"gradient-bytes", "2"},
      {"embedding-bytes", "2"},
      {"index-bytes", "4"},
      {"bucket-size", "1KiB", "1024"}}},
    {"one number for all tables",
     "dlrm",
     "DlrmWorkload",
     "Switch(8)",
     {{"vector-size", "16"},
      {"tables", "16"},
      {"rows", "1000"},
      {"sharding", "column"},
      {"shards", "8"},
      {"bottom-widths", "[4, 16]", "4,16"},
      {"top-widths", "1"},
      {"batch", "8"}}},
    {"a published model",
     "dlrm",
     "DlrmWorkload",
     "Switch(4)",
     {{"model", "dlrm-kaggle"}, {"batch", "256"}}}};

/// @ingroup ml-cluster-tests
/// Networks of layers.
inline const std::vector<GeneratorCase> LAYERED_CASES{
    {"an MLP of all kinds of layers",
     "layers",
     "LayeredWorkload",
     "Ring(4)_Switch(2)",
     {{"widths", "[64, 128, 128, 96, 32, 64]", "64,128,128,96,32,64"},
      {"parallelism", "hybrid"},
      {"data-layers", "[fc 0]", "fc 0"},
      {"hybrid-layers", "[fc 1]", "fc 1", true},
      {"tensor-layers", "[fc 2, fc 3]", "fc 2,fc 3"},
      {"tensor", "4"},
      {"batch", "32"},
      {"steps", "2"},
      {"element-bytes", "4"},
      {"gradient-bytes", "2"},
      {"bucket-size", "3000B", "3000"}}},
    {"a published network",
     "layers",
     "LayeredWorkload",
     "Switch(4)",
     {{"model", "resnet-50"}, {"batch", "8"}, {"bucket-size", "0B", "0"}}},
    {"a table",
     "layers",
     "LayeredWorkload",
     "Switch(4)",
     {{"file", "table.csv", "", false, true}, {"batch", "32"}, {"parallelism", "tensor"}}},
    {"a table with policies",
     "layers",
     "LayeredWorkload",
     "Switch(4)",
     {{"file", "policies.csv", "", false, true}, {"batch", "32"}, {"tensor", "2"}}}};

/// @ingroup ml-cluster-tests
/// Mixtures of experts in remote memory.
inline const std::vector<GeneratorCase> REMOTE_MOE_CASES{{"all sizes given",
                                                          "remote-moe",
                                                          "RemoteMoeWorkload",
                                                          "Ring(2)_Switch(2)",
                                                          {{"parameters", "100000"},
                                                           {"layers", "3"},
                                                           {"experts-per-rank", "2"},
                                                           {"dense-fraction", "0.1"},
                                                           {"hidden-size", "8"},
                                                           {"tokens", "16"},
                                                           {"top-experts", "3"},
                                                           {"element-bytes", "4"},
                                                           {"gradient-bytes", "8"},
                                                           {"operations", "3"},
                                                           {"optimizer-bytes", "14"},
                                                           {"optimizer-location", "2", "", true},
                                                           {"activation-location", "remote"},
                                                           {"prefetch", "2"},
                                                           {"recompute", "true"},
                                                           {"steps", "2"}}},
                                                         {"local parameters, serial",
                                                          "remote-moe",
                                                          "RemoteMoeWorkload",
                                                          "Switch(4)",
                                                          {{"parameters", "200000"},
                                                           {"parameter-location", "local"},
                                                           {"gradient-location", "1"},
                                                           {"activation-location", "2"},
                                                           {"serial", "true"}}}};

/// @ingroup ml-cluster-tests
/// Text files of layers, and a log.
inline const std::vector<GeneratorCase> FILE_CASES{
    {"a loop",
     "text",
     "TextFileWorkload",
     "Ring(2)_Switch(2)",
     {{"file", "loop.txt", "", false, true},
      {"dialect", "simai"},
      {"passes", "3"},
      {"compute-scale", "0.5"},
      {"communication-scale", "2"},
      {"cycle", "1.5ns"},
      {"input-gradients", "blocking"}}},
    {"a loop whose collectives have no order",
     "text",
     "TextFileWorkload",
     "Ring(2)_Switch(2)",
     {{"file", "data.txt", "", false, true}, {"scheduling", "fifo"}}},
    {"the graph of the converter",
     "text",
     "TextFileWorkload",
     "Ring(2)_Switch(2)",
     {{"file", "loop.txt", "", false, true}, {"form", "converter"}}},
    {"LIBRA's text",
     "text",
     "TextFileWorkload",
     "Ring(2)_Switch(4)",
     {{"file", "libra.txt", "", false, true}, {"communicators", "members.yml", "", false, true}}},
    {"LIBRA's text with a loop of one's own",
     "text",
     "TextFileWorkload",
     "Ring(2)_Switch(4)",
     {{"file", "libra.txt", "", false, true},
      {"communicators", "members.yml", "", false, true},
      {"training-loop", "forward + layers(max(input-gradient, 2 weight-gradient))"}}},
    {"AICB's log",
     "aicb",
     "AicbWorkload",
     "Switch(8)",
     {{"file", "log.csv", "", false, true}, {"initialisation", "true"}}}};

/// @ingroup ml-cluster-tests
/// @return cases of all generators, with all of their keys
inline std::vector<GeneratorCase>
GetGeneratorCases()
{
    std::vector<GeneratorCase> cases;
    for (const auto& some :
         {TRANSFORMER_CASES, DLRM_CASES, LAYERED_CASES, REMOTE_MOE_CASES, FILE_CASES})
    {
        cases.insert(cases.end(), some.begin(), some.end());
    }
    return cases;
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GENERATOR_SETTINGS_H

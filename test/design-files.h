/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_FILES_H
#define ML_CLUSTER_DESIGN_FILES_H

#include "generator-experiments.h"

#include "ns3/design-analysis.h"

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
 * A test of designs: models that LIBRA publishes, by the totals of their layers, on its networks of
 * 4096 NPUs, as files of its formats.
 */
class DesignTestCase : public GeneratorTestCase
{
  public:
    using GeneratorTestCase::GeneratorTestCase;

  protected:
    /// Writes the files of LIBRA's formats.
    void WriteLibraFiles()
    {
        const std::string none = "NONE 0 ";
        const std::string sums = "ALLREDUCE 805306368 ";
        std::string tensor;
        for (int i = 0; i < 4; ++i)
        {
            tensor += "l -1 0 " + sums + "0 " + sums + "0 " + none + "10\n";
        }
        const auto last =
            [](const std::string& time, const std::string& gathers, const std::string& gradients) {
                return "n -1 " + time + " " + gathers + time + " " + gathers + time +
                       " ALLREDUCE " + gradients + " 10\n";
            };
        Write("gpt.txt", tensor + last("228149414", "ALLGATHER 50331648 ", "452984832"));
        Write("msft.txt", tensor + last("56665038", "ALLGATHER 6291456 ", "226492416"));
        Write("nlg.txt", last("109049554", none, "869449728"));
        Write("resnet.txt", "a -1 380038 NONE 0 377463 NONE 0 337813 ALLREDUCE 51005824 10\n");
        WriteGroups("gpt4.yml", "4, 4, -1, -1", "-1, 2, 4, 32");
        WriteGroups("gpt3.yml", "16, -1, -1", "-1, 8, 32");
        WriteGroups("msft4.yml", "4, 8, 4, -1", "-1, -1, -1, 32");
        WriteGroups("msft3.yml", "16, 8, -1", "-1, -1, 32");
        WriteGroups("data4.yml", "-1, -1, -1, -1", "4, 8, 4, 32");
        WriteGroups("data3.yml", "-1, -1, -1", "16, 8, 32");
        Write("net4.yml",
              "Topology: [Ring, FullyConnected, Ring, Switch]\nNpusCount: [4, 8, 4, 32]\n"
              "CostDimension: [Chiplet, Package, Node, Pod]\n");
        Write("net3.yml",
              "Topology: [Ring, FullyConnected, Switch]\nNpusCount: [16, 8, 32]\n"
              "CostDimension: [Package, Node, Pod]\n");
        Write("prices4.yml",
              "Chiplet: {Link: 2.00001}\nPackage: {Link: 4.00002, Switch: 13}\n"
              "Node: {Link: 4.00003}\nPod: {Link: 7.80004, Switch: 18.00004, Nic: 31.60004}\n");
        Write("chiplet.yml",
              "Chiplet: {Link: 4.00002}\nPackage: {Link: 4.00002}\nNode: {Link: 4.00003}\n"
              "Pod: {Link: 7.80004, Switch: 18.00004, Nic: 31.60004}\n");
        Write("prices3.yml",
              "Package: {Link: 4.00001}\nNode: {Link: 4.00002}\n"
              "Pod: {Link: 7.80003, Switch: 18.00003, Nic: 31.60003}\n");
    }

    /// @param model gpt, msft, nlg or resnet @param is4D which network @param design more of the
    /// section, each line behind two blanks @return the path of the design
    std::string WriteLibraDesign(const std::string& model, bool is4D, const std::string& design)
    {
        const std::string size = is4D ? "4" : "3";
        const bool isData = model == "nlg" || model == "resnet";
        return Write("design.yaml",
                     "cluster: {latency: 500ns}\nworkload: {text: {file: " + model +
                         ".txt, communicators: " + (isData ? "data" : model) + size +
                         ".yml}}\nbackends: {run: analytical}\ndesign:\n  network: net" + size +
                         ".yml\n  prices: prices" + size + ".yml\n  bandwidth-of-parts: all\n" +
                         design);
    }

    /// @param path of a design @param settings KEY=VALUE each @param arguments of main, without the
    /// program @return the answer
    static DesignReport Design(const std::string& path,
                               const std::vector<std::string>& settings = {},
                               std::vector<std::string> arguments = {})
    {
        UsePicoseconds();
        arguments.insert(arguments.begin(), "test");
        std::vector<char*> argv;
        for (auto& argument : arguments)
        {
            argv.push_back(argument.data());
        }
        argv.push_back(nullptr);
        const int argc = static_cast<int>(arguments.size());
        const auto chosen = ChooseDesign(path, settings, argc, argv.data());
        const auto report = AnalyseDesign(chosen);
        Config::Reset();
        return report;
    }

    /// @param path of a design @param settings KEY=VALUE each @return what is told of it, without
    /// the folder; "" if nothing is wrong
    std::string GetFault(const std::string& path, const std::vector<std::string>& settings = {})
    {
        try
        {
            Design(path, settings);
            return "";
        }
        catch (const InputError& error)
        {
            Config::Reset();
            std::string text = error.what();
            const std::string folder = GetPath("");
            for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
            {
                text.erase(at, folder.size());
            }
            return text;
        }
    }

  private:
    /// @param name of a file @param tensor members of forward passes @param data of gradients
    void WriteGroups(const std::string& name, const std::string& tensor, const std::string& data)
    {
        Write(name,
              "Forward: [" + tensor + "]\nInputGrad: [" + tensor + "]\nWeightGrad: [" + data +
                  "]\n");
    }
};

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_FILES_H

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What is told of settings of workload generators that are wrong.

#include "generator-experiments.h"
#include "generator-faults.h"
#include "text-faults.h"

#include "ns3/object-factory.h"

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// @param text a text @param part what to take out @return it without that
std::string
Without(std::string text, const std::string& part)
{
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part))
    {
        text.erase(at, part.size());
    }
    return text;
}

/// @param text lines @return each
std::vector<std::string>
SplitLines(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

/// @param expected a message, "..." at its end is any end @param actual another @return the actual
/// one, cut like the expected one
std::string
CutLike(const std::string& expected, const std::string& actual)
{
    const bool isOpen = expected.size() > 3 && expected.rfind("...") == expected.size() - 3;
    return isOpen ? actual.substr(0, expected.size() - 3) + "..." : actual;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Experiment files with sections that are wrong. Expectation: every problem is told, with line and
 * key of the experiment file, or with file and line of what it names, the value, and what is
 * allowed.
 */
class GeneratorFaultsTestCase : public GeneratorTestCase
{
  public:
    /// @param section of the experiment file, "" for none @param base settings that work
    /// @param topology the usual one @param faults what is wrong
    GeneratorFaultsTestCase(const std::string& section,
                            const std::string& base,
                            const std::string& topology,
                            const std::vector<GeneratorFault>& faults)
        : GeneratorTestCase("errors of workload." + section),
          m_section(section),
          m_base(base),
          m_topology(topology),
          m_faults(faults)
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [name, text] : FAULTY_FILES)
        {
            Write(name, text);
        }
        for (const auto& fault : m_faults)
        {
            Check(fault);
        }
    }

    /// @param fault what is wrong
    void Check(const GeneratorFault& fault)
    {
        const bool isMore = fault.settings[0] == '+';
        const std::string settings =
            isMore ? m_base + ", " + fault.settings.substr(1) : fault.settings;
        const bool hasRoofline = m_section != "text" && m_section != "aicb" && fault.hasRoofline;
        const std::string path =
            Write("e.yaml",
                  MakeCluster(fault.topology.empty() ? m_topology : fault.topology, hasRoofline) +
                      "workload: {" +
                      (m_section.empty() ? settings : m_section + ": {" + settings + "}") + "}\n");
        const std::string folder = path.substr(0, path.size() - std::string("e.yaml").size());
        const auto errors = SplitLines(Without(GetErrors(path), folder));
        NS_TEST_EXPECT_MSG_EQ(errors.size(), fault.errors.size(), settings);
        for (std::size_t i = 0; i < std::min(errors.size(), fault.errors.size()); ++i)
        {
            const std::string file = "e.yaml:";
            const std::string error =
                errors[i].rfind(file, 0) == 0
                    ? errors[i].substr(errors[i][file.size()] == ' ' ? file.size() + 1
                                                                     : file.size())
                    : errors[i];
            NS_TEST_EXPECT_MSG_EQ(CutLike(fault.errors[i], error), fault.errors[i], settings);
        }
    }

    std::string m_section;                ///< of the experiment file
    std::string m_base;                   ///< settings that work
    std::string m_topology;               ///< the usual one
    std::vector<GeneratorFault> m_faults; ///< what is wrong
};

/**
 * @ingroup ml-cluster-tests
 * Words of attributes, which experiment files do not let through. Expectation: an error with the
 * words that are allowed.
 */
class GeneratorWordsTestCase : public TestCase
{
  public:
    GeneratorWordsTestCase()
        : TestCase("errors of attributes that are words or lists")
    {
    }

  private:
    void DoRun() override
    {
        const std::string flags = "; allowed are auto, false, true";
        Check("TransformerWorkload",
              "Family",
              "mpt",
              "Family, did you mean gpt?; allowed are gpt, llama");
        Check("TransformerWorkload", "Dropout", "yes", "Dropout" + flags);
        Check("TransformerWorkload", "FlashAttention", "2", "FlashAttention" + flags);
        Check("TransformerWorkload", "Causal", "no", "Causal" + flags);
        Check("TransformerWorkload", "Schedule", "2f2b", "pipeline schedule");
        Check("TransformerWorkload",
              "ContextScheme",
              "rings",
              "context scheme, did you mean ring?");
        Check("TransformerWorkload", "Recompute", "some", "recomputation");
        Check("TransformerWorkload", "StageLayers", "1,x", "'x' is no whole number");
        Check("TransformerWorkload", "StageLayers", "4294967296", "the most is 4294967295");
        Check("TransformerWorkload", "ExpertInterval", "4294967295", "allowed is 1 to 2147483648");
        Check("DlrmWorkload", "Rows", "10,-1", "'-1' is no whole number");
        Check("DlrmWorkload", "Pooling", "0", "rows and a pooling of 0; allowed are numbers above");
        Check("DlrmWorkload",
              "Sharding",
              "rows",
              "Sharding, did you mean row?; allowed are column");
        Check("DlrmWorkload", "Shards", "4294967296", "the most is 4294967295");
        Check("DlrmWorkload", "Ranks", "0+", "'' is no whole number");
        Check("DlrmWorkload", "BottomWidths", "a", "'a' is no whole number");
        Check("DlrmWorkload", "TopWidths", "1,0", "has a size of 0; allowed are 1 to 2^32");
        Check("LayeredWorkload", "Parallelism", "model", "Parallelism; allowed are data, hybrid");
        Check("LayeredWorkload", "Widths", "8,b", "'b' is no whole number");
        Check("RemoteMoeWorkload", "ParameterLocation", "", "'' is no memory; allowed are local");
        Check("TextFileWorkload", "Form", "loops", "Form, did you mean loop?; allowed are conver");
        Check("TextFileWorkload", "Dialect", "simgrid", "Dialect; allowed are astra-sim, auto");
        Check("TextFileWorkload", "Scheduling", "lilo", "Scheduling, did you mean lifo?; allowed");
        Check("TextFileWorkload", "InputGradients", "x", "allowed are blocking, overlapped");
    }

    /// @param type of a generator @param attribute of it @param value that it refuses @param part
    /// of the error
    void Check(const std::string& type,
               const std::string& attribute,
               const std::string& value,
               const std::string& part)
    {
        const std::vector<std::pair<std::string, std::string>> working{{"Layers", "4"},
                                                                       {"HiddenSize", "64"},
                                                                       {"Heads", "4"},
                                                                       {"Vocabulary", "64"},
                                                                       {"SequenceLength", "32"},
                                                                       {"VectorSize", "16"},
                                                                       {"Rows", "10"},
                                                                       {"BottomWidths", "13,16"},
                                                                       {"TopWidths", "8,1"},
                                                                       {"Batch", "8"},
                                                                       {"Widths", "8,8"}};
        const TypeId id = TypeId::LookupByName("ns3::mlcluster::" + type);
        ObjectFactory factory(id.GetName());
        TypeId::AttributeInformation information;
        for (const auto& [name, text] : working)
        {
            if (id.LookupAttributeByName(name, &information))
            {
                factory.Set(name, StringValue(text));
            }
        }
        factory.Set(attribute, StringValue(value));
        Diagnostics diagnostics;
        factory.Create<WorkloadGenerator>()->Setup(MakeTopology("Switch(4)", 400000000000, 0),
                                                   diagnostics);
        const std::string errors = JoinWords(diagnostics.GetErrors());
        NS_TEST_EXPECT_MSG_EQ(Contains(errors, id.GetName() + "::" + attribute + ": "),
                              true,
                              attribute << " in " << errors);
        NS_TEST_EXPECT_MSG_EQ(Contains(errors, part), true, part << " in " << errors);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Work that is too much once it is generated. Expectation: an error with line and key.
 */
class TooMuchWorkTestCase : public GeneratorTestCase
{
  public:
    TooMuchWorkTestCase()
        : GeneratorTestCase("errors of work that becomes too much")
    {
    }

  private:
    void DoRun() override
    {
        Check("transformer: {layers: 2, hidden-size: 64, heads: 4, vocabulary: 64, "
              "sequence-length: 32, micro-batches: 1000000}",
              true,
              "workload.transformer: the graphs of a step would have more than 33554432 nodes; "
              "fewer micro-batches are allowed, here they are 1000000");
        Check("layers: {widths: [8, 8], batch: 8, steps: 4294967295}",
              true,
              "workload.layers: 4294967295 training steps of 5 nodes on 4 ranks are asked for; "
              "allowed are steps from 1, 4194304 nodes in all, ranks below 2^32");
        Check("text: {file: ok.txt, passes: 1000001}",
              false,
              "1000001 passes over 1 layers and 0 micro-batches between stages are asked for; "
              "allowed is at least one pass, and 1000000 layers or micro-batches in all");
    }

    /// @param workload of an experiment file @param hasOperations whether it has @param part of the
    /// error if nothing is skipped
    void Check(const std::string& workload, bool hasOperations, const std::string& part)
    {
        Write("ok.txt", FAULTY_FILES.at("ok.txt"));
        const std::string path = Write("much.yaml",
                                       MakeCluster("Switch(4)", hasOperations) +
                                           "workload: {skip-repeats: false, " + workload + "}\n");
        const std::string error = GetErrorOf([&] { Run(Load(path)); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Errors of workload generators.
 */
class GeneratorErrorsTestSuite : public TestSuite
{
  public:
    GeneratorErrorsTestSuite()
        : TestSuite("ml-cluster-workload-generator-errors", Type::UNIT)
    {
        const auto add = [this](const std::string& section,
                                const std::string& base,
                                const std::string& topology,
                                const std::vector<GeneratorFault>& faults) {
            AddTestCase(new GeneratorFaultsTestCase(section, base, topology, faults));
        };
        add("transformer",
            "layers: 2, hidden-size: 64, heads: 4, vocabulary: 64, sequence-length: 32",
            "Switch(4)",
            TRANSFORMER_FAULTS);
        add("dlrm",
            "vector-size: 16, rows: [10, 20], bottom-widths: [13, 16], top-widths: [8, 1], batch: "
            "8",
            "Switch(4)",
            DLRM_FAULTS);
        add("layers", "", "Switch(4)", LAYERED_FAULTS);
        add("remote-moe", "parameters: 100000, layers: 2", "Switch(4)", REMOTE_MOE_FAULTS);
        add("text", "", "Switch(4)", TEXT_FAULTS);
        add("aicb", "", "Switch(8)", AICB_FAULTS);
        add("", "", "Switch(4)", WORKLOAD_FAULTS);
        AddTestCase(new GeneratorWordsTestCase);
        AddTestCase(new TooMuchWorkTestCase);
    }
};

static GeneratorErrorsTestSuite g_generatorErrorsTestSuite; ///< registers it

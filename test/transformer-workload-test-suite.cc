/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/transformer-workload.h"
#include "ns3/word-list.h"

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// Attributes with their values.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// @param settings attributes beside those of a small model @return such a workload
Ptr<TransformerWorkload>
MakeTransformer(const Settings& settings)
{
    Ptr<TransformerWorkload> workload = CreateObject<TransformerWorkload>();
    for (const auto& [name, value] : Settings{{"Layers", "2"},
                                              {"HiddenSize", "64"},
                                              {"Heads", "4"},
                                              {"Vocabulary", "64"},
                                              {"SequenceLength", "32"}})
    {
        workload->SetAttribute(name, StringValue(value));
    }
    for (const auto& [name, value] : settings)
    {
        workload->SetAttribute(name, StringValue(value));
    }
    return workload;
}

/// @param settings attributes @return the errors of setting it up on four NPUs
std::string
GetErrors(const Settings& settings)
{
    Diagnostics diagnostics;
    MakeTransformer(settings)->Setup(MakeTopology("Switch(4)", 400000000000, 0), diagnostics);
    return JoinWords(diagnostics.GetErrors());
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * What a plan leaves open follows from the NPUs and the batch; contradictions are told.
 */
class TransformerPlanTestCase : public TestCase
{
  public:
    TransformerPlanTestCase()
        : TestCase("Degrees and batches that do not fit together are told")
    {
    }

  private:
    void DoRun() override
    {
        const std::string prefix = "ns3::mlcluster::TransformerWorkload::";
        const std::string wrapped = "2147483648";
        NS_TEST_EXPECT_MSG_EQ(
            GetErrors({{"Tensor", wrapped}, {"Context", wrapped}, {"Pipeline", "4"}}),
            prefix + "Tensor: tensor 2147483648 x context 2147483648 x pipeline 4 must divide the "
                     "number of NPUs, 4",
            "a product beyond 64 bits");
        NS_TEST_EXPECT_MSG_EQ(GetErrors({{"Data", "3"}}),
                              prefix + "Data: tensor 1 x context 1 x pipeline 1 x data 3 must be "
                                       "the number of NPUs, 4",
                              "too few ranks");
        NS_TEST_EXPECT_MSG_EQ(GetErrors({{"GlobalBatch", "8"}, {"MicroBatches", "3"}}),
                              prefix + "MicroBatches: 3 contradicts the global batch of 8 "
                                       "sequences, which makes 2 micro-batches; give one of both",
                              "two numbers of micro-batches");
        NS_TEST_EXPECT_MSG_EQ(GetErrors({{"GlobalBatch", "6"}}),
                              prefix + "GlobalBatch: 6 sequences are no multiple, up to 2^32 - 1, "
                                       "of micro-batch 1 x data 4",
                              "a batch that cannot be shared out");
        NS_TEST_EXPECT_MSG_EQ(GetErrors({{"GlobalBatch", "8"}, {"MicroBatches", "2"}}),
                              "",
                              "equal");
        CheckBatches({{"GlobalBatch", "8"}}, 4, 2);
        CheckBatches({{"GlobalBatch", "8"}, {"Tensor", "2"}}, 2, 4);
        CheckBatches({{"MicroBatches", "5"}, {"Pipeline", "2"}}, 2, 5);
        CheckBatches({}, 4, 1);
    }

    /// @param settings attributes @param data copies of the model expected @param microBatches
    /// micro-batches expected
    void CheckBatches(const Settings& settings, uint32_t data, uint32_t microBatches)
    {
        Diagnostics diagnostics;
        const auto workload = MakeTransformer(settings);
        workload->Setup(MakeTopology("Switch(4)", 400000000000, 0), diagnostics);
        NS_TEST_EXPECT_MSG_EQ(JoinWords(diagnostics.GetErrors()), "", "no errors");
        NS_TEST_EXPECT_MSG_EQ(workload->GetPlan().data, data, "copies");
        NS_TEST_EXPECT_MSG_EQ(workload->GetPlan().microBatches, microBatches, "micro-batches");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Ranks that need more memory than an NPU has are warned of.
 */
class TransformerMemoryTestCase : public TestCase
{
  public:
    TransformerMemoryTestCase()
        : TestCase("Plans beyond the memory of an NPU are warned of")
    {
    }

  private:
    void DoRun() override
    {
        Diagnostics diagnostics;
        const auto workload = MakeTransformer({});
        workload->Setup(MakeTopology("Switch(4)", 400000000000, 0), diagnostics);
        workload->CheckMemory(1 << 30, diagnostics);
        NS_TEST_EXPECT_MSG_EQ(diagnostics.GetWarnings().size(), 0, "1 GiB is enough");
        workload->CheckMemory(1 << 20, diagnostics);
        NS_TEST_ASSERT_MSG_EQ(diagnostics.GetWarnings().size(), 1, "1 MiB is not");
        const std::string& warning = diagnostics.GetWarnings().front();
        NS_TEST_EXPECT_MSG_NE(warning.find("a rank of stage 0 needs"), std::string::npos, warning);
        NS_TEST_EXPECT_MSG_NE(warning.find("an NPU has 1MiB"), std::string::npos, warning);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Transformers described by attributes.
 */
class TransformerWorkloadTestSuite : public TestSuite
{
  public:
    TransformerWorkloadTestSuite()
        : TestSuite("ml-cluster-transformer-workload", Type::UNIT)
    {
        AddTestCase(new TransformerPlanTestCase);
        AddTestCase(new TransformerMemoryTestCase);
    }
};

static TransformerWorkloadTestSuite g_transformerWorkloadTestSuite; ///< registers it

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "temporary-folder.h"

#include "ns3/csv-table.h"
#include "ns3/published-figure.h"
#include "ns3/study-statement.h"
#include "ns3/study-systems.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ns3
{
namespace mlcluster
{

/// @return the errors of something that reads a file, without the folder
template <typename Read>
std::vector<std::string>
ErrorsOf(const Read& read, const std::string& folder)
{
    Diagnostics diagnostics;
    read(diagnostics);
    std::vector<std::string> errors;
    for (const auto& error : diagnostics.GetErrors())
    {
        errors.push_back(error.rfind(folder, 0) == 0 ? error.substr(folder.size() + 1) : error);
    }
    return errors;
}

using Texts = std::vector<std::string>;

/// Tables and what studies make of them.
class StudyFilesTest : public FolderTest
{
  protected:
    Texts TableErrors(const std::string& text)
    {
        const std::string path = Write("t.csv", text);
        return ErrorsOf([&](Diagnostics& d) { CsvTable(path, {"a", "b"}, d); }, GetFolder());
    }

    Texts SystemErrors(const std::string& table)
    {
        Write("base.yaml", BASE);
        Write("systems.csv", table);
        return ErrorsOf([&](Diagnostics& d) { ReadStudySystems(GetFolder(), d); }, GetFolder());
    }

    Texts FigureErrors(const std::string& line)
    {
        const std::string path =
            Write("published.csv", "quantity,system,scheduler,value,source\n" + line + "\n");
        return ErrorsOf([&](Diagnostics& d) { ReadPublishedFigures(path, d); }, GetFolder());
    }

    std::string GetFolder() const
    {
        return std::filesystem::path(Path("x")).parent_path().string();
    }

    static inline const std::string BASE = R"(cluster:
  topology: Switch(8)_Switch(4)
  bandwidth: [300GB/s, 25GB/s]
  latency: 1us
workload:
  collective: {type: all-reduce, bytes: 64MiB}
backends:
  run: [analytical]
)";
};

TEST_F(StudyFilesTest, CellsMayHaveQuotesBlanksAndCommas)
{
    const std::string path = Write("t.csv",
                                   "# what it is\n\n a , b,c\n1,\"[2, 3]\" ,\n"
                                   " \"say \"\"so\"\"\",,x y\r\n\"\",\"\"\"\", z\n");
    Diagnostics diagnostics;
    const CsvTable table(path, {"a", "c"}, diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Texts());
    EXPECT_EQ(table.GetHeadings(), (Texts{"a", "b", "c"}));
    ASSERT_EQ(table.GetLines().size(), 3U);
    EXPECT_EQ(table.GetLines()[0].cells, (Texts{"1", "[2, 3]", ""}));
    EXPECT_EQ(table.GetLines()[1].cells, (Texts{"say \"so\"", "", "x y"}));
    EXPECT_EQ(table.GetLines()[2].cells, (Texts{"", "\"", "z"}));
    EXPECT_EQ(table.GetLines()[1].number, 5);
    EXPECT_EQ(table.Get(table.GetLines()[0], "b"), "[2, 3]");
    EXPECT_EQ(table.Get(table.GetLines()[0], "d"), "");
}

TEST_F(StudyFilesTest, TablesThatAreNoneAreRefused)
{
    EXPECT_EQ(
        TableErrors("a,b\n1,2,3\n1\n4,5\n"),
        (Texts{"t.csv:2: 3 cells; needed are 2: a, b", "t.csv:3: 1 cells; needed are 2: a, b"}));
    EXPECT_EQ(TableErrors("a,b\n1,\"2\n"), (Texts{"t.csv:2: a double quote is not closed: \"2"}));
    EXPECT_EQ(TableErrors("a,b\n\"1\"x,2\n"),
              (Texts{"t.csv:2: \"1\" is followed by 'x,2'; needed is a comma"}));
    EXPECT_EQ(TableErrors("a,c,a\n"),
              (Texts{"t.csv:1: a: the heading is given twice",
                     "t.csv:1: b: the heading is missing; given are a, c, a"}));
    EXPECT_EQ(TableErrors("# nothing\n"),
              (Texts{"t.csv: is empty; needed is a line of headings: a, b, ..."}));
    const std::string missing = Path("none.csv");
    EXPECT_EQ(ErrorsOf([&](Diagnostics& d) { CsvTable(missing, {"a"}, d); }, GetFolder()),
              (Texts{"none.csv: cannot be read; needed is a line of headings: a, ..."}));
}

TEST_F(StudyFilesTest, LinesTakeThePlaceOfWhatTheBaseSays)
{
    Write("base.yaml", BASE);
    Write("other.yaml", BASE);
    Write("systems.csv",
          "system,cluster.topology,cluster.bandwidth,workload.collective.bytes,"
          "attributes.ns3::mlcluster::NpuApplication::EndpointDelay,collectives.chunks\n"
          "big,Ring(2)_Switch(9),\"[1GB/s, 2GB/s]\",1KiB,5ns,\n"
          "as-base,,,,,7\n");
    Diagnostics diagnostics;
    const auto systems = ReadStudySystems(GetFolder(), diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Texts());
    ASSERT_EQ(systems.size(), 3U);
    EXPECT_EQ(systems[0].name, "other");
    EXPECT_EQ(systems[1].name, "big");
    EXPECT_EQ(systems[2].name, "as-base");
    const ExperimentConfig& big = systems[1].config;
    EXPECT_EQ(ClusterTopology(big.dimensions).GetNotation(), "Ring(2)_Switch(9)");
    EXPECT_EQ(big.dimensions[1].GetMemberBitRate(), 16'000'000'000U);
    EXPECT_EQ(big.collectiveBytes, 1024U);
    ASSERT_EQ(big.attributes.size(), 1U);
    EXPECT_EQ(big.attributes[0].attribute, "ns3::mlcluster::NpuApplication::EndpointDelay");
    EXPECT_EQ(big.attributes[0].value, "5ns");
    const ExperimentConfig& same = systems[2].config;
    EXPECT_EQ(ClusterTopology(same.dimensions).GetNotation(), "Switch(8)_Switch(4)");
    EXPECT_EQ(same.collectiveBytes, 64U << 20);
    ASSERT_EQ(same.attributes.size(), 1U);
    EXPECT_EQ(same.attributes[0].value, "7");
}

TEST_F(StudyFilesTest, LinesThatDoNotFitAreRefused)
{
    EXPECT_EQ(SystemErrors("system,cluster.topology\n,\na,\na,\n"),
              (Texts{"systems.csv:2: system: the name is missing",
                     "systems.csv:4: system: \"a\" is given twice"}));
    EXPECT_EQ(SystemErrors("name,cluster.latency\na,1us\n").at(0),
              "systems.csv:1: system: the heading is missing; given are name, cluster.latency");
    const Texts wrong = SystemErrors("system,cluster.latency,cluster.topology\na,1,Switch(x)\n");
    ASSERT_EQ(wrong.size(), 2U);
    EXPECT_EQ(wrong[0].rfind("systems.csv:2: cluster.latency: '1' is no time", 0), 0U) << wrong[0];
    EXPECT_EQ(wrong[1].rfind("systems.csv:2: cluster.topology: topology \"Switch(x)\"", 0), 0U)
        << wrong[1];
    const Texts unknown = SystemErrors("system,cluster.latencies,modle.size,x\na,1us,,\nb,,,\n");
    ASSERT_EQ(unknown.size(), 3U);
    EXPECT_EQ(unknown[0].rfind("systems.csv: cluster.latencies: there is no such key; did you mean "
                               "latency? Allowed here are topology",
                               0),
              0U)
        << unknown[0];
    EXPECT_EQ(unknown[1], "systems.csv: modle.size: there is no section modle");
    EXPECT_EQ(unknown[2].rfind("systems.csv: x: there is no such key", 0), 0U) << unknown[2];

    EXPECT_EQ(SystemErrors("system,workload.transformer.tensor\na,2\n"),
              (Texts{"base.yaml: workload: collective, transformer exclude each other; give one of "
                     "chakra, collective, transformer, dlrm, layers, remote-moe, text, aicb"}));
}

TEST_F(StudyFilesTest, CellsOfSeveralValuesAreSweeps)
{
    Write("base.yaml", BASE);
    Diagnostics diagnostics;
    Write("systems.csv",
          "system,reference,cluster.bandwidth,collectives.chunks + collectives.chunks-in-flight\n"
          "a,,,\n"
          "s,a,1GB/s|2GB/s,4 | 8 |16\n"
          "t,s@1GB/s@8,,1|2\n");
    const auto systems = ReadStudySystems(GetFolder(), diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Texts());
    Texts names;
    for (const auto& system : systems)
    {
        names.push_back(system.name + " of " + system.line + " over " + system.reference);
    }
    EXPECT_EQ(names,
              (Texts{"a of a over ",
                     "s@1GB/s@4 of s over a",
                     "s@1GB/s@8 of s over a",
                     "s@1GB/s@16 of s over a",
                     "s@2GB/s@4 of s over a",
                     "s@2GB/s@8 of s over a",
                     "s@2GB/s@16 of s over a",
                     "t@1 of t over s@1GB/s@8",
                     "t@2 of t over s@1GB/s@8"}));
    const StudySystem& point = systems[5];
    EXPECT_EQ(point.config.dimensions[0].GetMemberBitRate(), 16'000'000'000U);
    ASSERT_EQ(point.config.attributes.size(), 2U);
    EXPECT_EQ(point.config.attributes[0].value, "8");
    EXPECT_EQ(point.config.attributes[1].value, "8");
    ASSERT_EQ(point.swept.size(), 2U);
    EXPECT_EQ(point.swept[0].heading, "cluster.bandwidth");
    EXPECT_EQ(point.swept[0].value, "2GB/s");
    EXPECT_EQ(point.swept[1].heading, "collectives.chunks + collectives.chunks-in-flight");
    EXPECT_EQ(systems[7].swept.size(), 1U);
}

TEST_F(StudyFilesTest, VariantsChangeLines)
{
    Write("base.yaml", BASE);
    Write("systems.csv",
          "system,reference,cluster.latency,collectives.chunks\na,,2us,\nb,a,,4\nc,,,1|2\n");
    Write("variants.csv",
          "variant,systems,cluster.latency,collectives.chunks\n"
          "slow,,9us,\nfine,b,,64\n");
    Diagnostics diagnostics;
    const auto systems = ReadStudySystems(GetFolder(), diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Texts());
    ASSERT_EQ(systems.size(), 7U);
    EXPECT_EQ(systems[4].name, "a:slow");
    EXPECT_EQ(systems[4].line, "a");
    EXPECT_EQ(systems[4].variant, "slow");
    EXPECT_EQ(systems[4].config.dimensions[0].latencyPs, 9'000'000);
    EXPECT_EQ(systems[5].name, "b:slow");
    EXPECT_EQ(systems[5].reference, "a");
    EXPECT_EQ(systems[5].config.attributes[0].value, "4");
    EXPECT_EQ(systems[6].name, "b:fine");
    ASSERT_EQ(systems[6].config.attributes.size(), 1U);
    EXPECT_EQ(systems[6].config.attributes[0].value, "64");
}

TEST_F(StudyFilesTest, SweepsAndVariantsThatDoNotFitAreRefused)
{
    EXPECT_EQ(SystemErrors("system,reference,cluster.latency\na,none,\n"),
              (Texts{"systems.csv:2: reference: \"none\" is no system; allowed are a"}));
    EXPECT_EQ(SystemErrors("system,cluster.latency,cluster.bandwidth,collectives.chunks\n"
                           "a,1us|2us,1GB/s|2GB/s,1|2\n"),
              (Texts{"systems.csv:2: collectives.chunks: is the third cell with several values; "
                     "allowed are two"}));
    const Texts wrong = SystemErrors("system,cluster.latency + x\na,1us\n");
    ASSERT_EQ(wrong.size(), 1U);
    EXPECT_EQ(wrong[0].rfind("systems.csv: x: there is no such key", 0), 0U) << wrong[0];
    Write("variants.csv",
          "variant,systems,cluster.latency\nv,none,1us\nv,,1us\n,,1us\nw,,1us|2us\n");
    EXPECT_EQ(SystemErrors("system\na\n"),
              (Texts{"variants.csv:2: systems: \"none\" is no system; allowed are a",
                     "variants.csv:3: variant: \"v\" is given twice",
                     "variants.csv:4: variant: the name is missing",
                     "variants.csv:5: cluster.latency: has several values; a variant has one of "
                     "each key"}));
    Write("variants.csv", "variant,cluster.latenzy\nv,1us\n");
    EXPECT_EQ(SystemErrors("system\na\n").size(), 1U);
}

TEST_F(StudyFilesTest, StatementsHaveLimits)
{
    const std::string head = "statement,quantity,system,scheduler,least,most,source\n";
    const std::string path = Write("statements.csv",
                                   head + "fast,ratio,a/b,baseline,1.5,,s\n"
                                          "close,ratio,a/b,baseline,0.9,1.1,s\n"
                                          "hidden,communication-share,a,baseline,,10,s\n");
    Diagnostics diagnostics;
    const auto statements = ReadStudyStatements(path, diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Texts());
    ASSERT_EQ(statements.size(), 3U);
    EXPECT_EQ(statements[0].FormatLimits(), "at least 1.5");
    EXPECT_EQ(statements[1].FormatLimits(), "0.9 to 1.1");
    EXPECT_EQ(statements[2].FormatLimits(), "at most 10");
    EXPECT_EQ(statements[0].Judge(1.5), "holds");
    EXPECT_EQ(statements[0].Judge(1.4999), "does not hold");
    EXPECT_EQ(statements[1].Judge(1.2), "does not hold");
    EXPECT_EQ(statements[2].Judge(0), "holds");
    EXPECT_EQ(statements[2].Judge(std::nan("")), "was not run");
    EXPECT_EQ(statements[0].figure.system, "a/b");
    const auto errors = [&](const std::string& line) {
        const std::string bad = Write("bad.csv", head + line + "\n");
        return ErrorsOf([&](Diagnostics& d) { ReadStudyStatements(bad, d); }, GetFolder());
    };
    EXPECT_EQ(errors("x,ratio,a/b,baseline,,,s"),
              (Texts{"bad.csv:2: the limits are '' and ''; needed is one of them, or the least "
                     "first"}));
    EXPECT_EQ(errors("x,ratio,a/b,baseline,2,1,s"),
              (Texts{"bad.csv:2: the limits are '2' and '1'; needed is one of them, or the least "
                     "first"}));
    EXPECT_EQ(errors("x,time,a,baseline,1,,s"),
              (Texts{"bad.csv:2: \"time\" is a time; needed is a share or a ratio"}));
    EXPECT_EQ(errors("x,ratios,a,baseline,1,,s").size(), 1U);
    EXPECT_EQ(errors("x,ratio,a/b,baseline,z,,s").size(), 1U);
    EXPECT_EQ(errors("x,ratio,ab,baseline,1,,s").size(), 1U);
}

TEST_F(StudyFilesTest, FoldersWithoutExperimentsAreRefused)
{
    const std::string folder = GetFolder();
    EXPECT_EQ(ErrorsOf([&](Diagnostics& d) { ReadStudySystems(folder, d); }, "?"),
              (Texts{folder + ": is no folder with experiment files (.yaml) that can be read"}));
    Write("systems.csv", "system\na\n");
    const Texts errors = ErrorsOf([&](Diagnostics& d) { ReadStudySystems(folder, d); }, folder);
    EXPECT_EQ(errors, (Texts{"base.yaml: cannot be read: No such file or directory"}));
}

TEST_F(StudyFilesTest, FiguresHaveUnitsAndGroups)
{
    const std::string path = Write("published.csv",
                                   "quantity,group,system,scheduler,value,source\n"
                                   "time,G,a,baseline,1500us,s\n"
                                   "time,G,a,baseline,2.5s,s\n"
                                   "ratio,,a/b,baseline,1.25,\"s, t\"\n");
    Diagnostics diagnostics;
    const auto figures = ReadPublishedFigures(path, diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Texts());
    ASSERT_EQ(figures.size(), 3U);
    EXPECT_EQ(figures[0].value, 1500);
    EXPECT_EQ(figures[0].Format(1400), "1400.000 us");
    EXPECT_EQ(figures[1].value, 2'500'000);
    EXPECT_EQ(figures[1].Format(900'000), "0.900 s");
    EXPECT_EQ(figures[2].Format(1.5), "1.500");
    EXPECT_EQ(figures[1].group, "G");
    EXPECT_EQ(figures[2].source, "s, t");
}

TEST_F(StudyFilesTest, FiguresThatAreNoneAreRefused)
{
    EXPECT_EQ(FigureErrors("speed,a,baseline,1,s")
                  .at(0)
                  .rfind("published.csv:2: \"speed\" is no quantity", 0),
              0U)
        << FigureErrors("speed,a,baseline,1,s").at(0);
    EXPECT_EQ(FigureErrors("ratio,a,baseline,1,s"),
              (Texts{"published.csv:2: \"a\" is no ratio of two systems, such as a/b"}));
    EXPECT_EQ(FigureErrors("mfu,a,baseline,0,s"),
              (Texts{"published.csv:2: '0' is no figure to compare with; it must be above 0"}));
    EXPECT_EQ(FigureErrors("time,a,baseline,17,s").size(), 1U);
    EXPECT_EQ(FigureErrors("mfu,a,baseline,x,s").size(), 1U);
}

} // namespace mlcluster
} // namespace ns3

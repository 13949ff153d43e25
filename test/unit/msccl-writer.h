/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MSCCL_WRITER_H
#define ML_CLUSTER_MSCCL_WRITER_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// A step as the tests write it.
struct WrittenStep
{
    std::string type;
    std::string source;      ///< buffer and offset, such as "i3"; "" for none
    std::string destination; ///< likewise
    uint32_t count{1};
    int dependsOn{-1};
    int dependsOnStep{-1};
};

/// Writes MSCCL files. Test code.
class MscclWriter
{
  public:
    /// @param collective as in files @param nGpus GPUs @param nChunks chunks of the buffer @param
    /// inPlace whether in place
    MscclWriter(const std::string& collective, uint32_t nGpus, uint32_t nChunks, bool inPlace)
        : m_gpus(nGpus),
          m_head("<algo name=\"test\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"" +
                 std::to_string(nChunks) + "\" ngpus=\"" + std::to_string(nGpus) + "\" coll=\"" +
                 collective + "\" inplace=\"" + (inPlace ? "1" : "0") + "\">\n"),
          m_input(collective == "allgather" ? nChunks / nGpus : nChunks),
          m_output(collective == "reduce_scatter" ? nChunks / nGpus : nChunks)
    {
    }

    /// Scratch chunks of every GPU.
    uint32_t scratch{0};
    /// Writes the older form of steps.
    bool isOld{false};

    /// Appends a thread block. @param gpu it is of @param send peer @param receive peer @param
    /// channel of both @param steps in order
    void Add(uint32_t gpu,
             int send,
             int receive,
             uint32_t channel,
             const std::vector<WrittenStep>& steps)
    {
        auto& [text, nBlocks] = m_gpus[gpu];
        text += "    <tb id=\"" + std::to_string(nBlocks++) + "\" send=\"" + std::to_string(send) +
                "\" recv=\"" + std::to_string(receive) + "\" chan=\"" + std::to_string(channel) +
                "\">\n";
        for (std::size_t i = 0; i < steps.size(); ++i)
        {
            text += isOld ? WriteOld(steps[i], i) : Write(steps[i], i);
        }
        text += "    </tb>\n";
    }

    /// @return the file
    std::string GetText() const
    {
        std::string text = "<!-- a comment -->\n" + m_head;
        for (std::size_t gpu = 0; gpu < m_gpus.size(); ++gpu)
        {
            text += "  <gpu id=\"" + std::to_string(gpu) + "\" i_chunks=\"" +
                    std::to_string(m_input) + "\" o_chunks=\"" + std::to_string(m_output) +
                    "\" s_chunks=\"" + std::to_string(scratch) + "\">\n" + m_gpus[gpu].first +
                    "  </gpu>\n";
        }
        return text + "</algo>\n";
    }

  private:
    static std::string Place(const std::string& name, const std::string& place)
    {
        return place.empty() ? " " + name + "buf=\"i\" " + name + "off=\"-1\""
                             : " " + name + "buf=\"" + place[0] + "\" " + name + "off=\"" +
                                   place.substr(1) + "\"";
    }

    static std::string Write(const WrittenStep& step, std::size_t index)
    {
        return "      <step s=\"" + std::to_string(index) + "\" type=\"" + step.type + "\"" +
               Place("src", step.source) + Place("dst", step.destination) + " cnt=\"" +
               std::to_string(step.count) + "\" depid=\"" + std::to_string(step.dependsOn) +
               "\" deps=\"" + std::to_string(step.dependsOnStep) + "\" hasdep=\"0\"/>\n";
    }

    static std::string WriteOld(const WrittenStep& step, std::size_t index)
    {
        const auto& place = step.destination.empty() ? step.source : step.destination;
        return "      <op step=\"" + std::to_string(index) + "\" type=\"" + step.type + "\"" +
               Place("", place) +
               (step.count > 1 ? " cnt=\"" + std::to_string(step.count) + "\"" : "") +
               (step.dependsOn >= 0 ? " depid=\"" + std::to_string(step.dependsOn) + "\" deps=\"" +
                                          std::to_string(step.dependsOnStep) + "\""
                                    : "") +
               "/>\n";
    }

    std::vector<std::pair<std::string, uint32_t>> m_gpus; ///< text and thread blocks
    std::string m_head;
    uint32_t m_input;
    uint32_t m_output;
};

/// @param n GPUs @param inPlace whether in place @param fused whether rrs, rrcs and rcs are used
/// @param isOld form of the steps @return a ring all-reduce of n chunks
inline std::string
WriteRing(uint32_t n, bool inPlace, bool fused, bool isOld = false)
{
    MscclWriter writer("allreduce", n, n, inPlace);
    writer.isOld = isOld;
    const char own = inPlace ? 'i' : 'o';
    for (uint32_t gpu = 0; gpu < n; ++gpu)
    {
        const auto place = [&](char buffer, uint32_t back) {
            return buffer + std::to_string((gpu + 2 * n - back) % n);
        };
        std::vector<WrittenStep> steps{{"s", place('i', 0), ""}};
        for (uint32_t step = 1; step < 2 * n - 1; ++step)
        {
            const bool reduces = step < n;
            const bool isLast = step == 2 * n - 2;
            const auto source = reduces ? place('i', step) : "";
            const auto target = place(own, step);
            if (fused)
            {
                const bool passes = step < n - 1;
                const std::string type = passes ? "rrs" : (reduces ? "rrcs" : "rcs");
                steps.push_back({isLast ? "r" : type, source, passes ? "" : target});
                continue;
            }
            steps.push_back({reduces ? "rrc" : "r", source, target});
            if (!isLast)
            {
                steps.push_back({"s", target, ""});
            }
        }
        writer.Add(gpu, (gpu + 1) % n, (gpu + n - 1) % n, 0, steps);
    }
    return writer.GetText();
}

/// All-reduce through scratch memory: everyone sends chunk p to p, who adds up what came and sends
/// the sum to all. Nops carry the dependencies.
inline std::string
WriteAllPairs(uint32_t n, bool inPlace)
{
    MscclWriter writer("allreduce", n, 2 * n, inPlace);
    writer.scratch = 2 * n;
    for (uint32_t gpu = 0; gpu < n; ++gpu)
    {
        const std::string own = std::to_string(2 * gpu);
        for (uint32_t distance = 1; distance < n; ++distance)
        {
            const uint32_t to = (gpu + distance) % n;
            const uint32_t from = (gpu + n - distance) % n;
            const std::string theirs = std::to_string(2 * from);
            writer.Add(gpu,
                       static_cast<int>(to),
                       static_cast<int>(from),
                       0,
                       {{"s", "i" + std::to_string(2 * to), "", 2},
                        {"r", "", "s" + theirs, 2},
                        {"nop", "", "", 1, static_cast<int>(n - 1), static_cast<int>(2 * n - 2)},
                        {"s", (inPlace ? "i" : "o") + own, "", 2},
                        {"r", "", (inPlace ? "i" : "o") + theirs, 2}});
        }
        std::vector<WrittenStep> sum{{"cpy", "i" + own, "o" + own, 2}};
        for (uint32_t distance = 1; distance < n; ++distance)
        {
            const std::string theirs = std::to_string(2 * ((gpu + n - distance) % n));
            sum.push_back({"nop", "", "", 1, static_cast<int>(distance - 1), 1});
            sum.push_back({"re", "s" + theirs, "o" + own, 2});
        }
        writer.Add(gpu, -1, -1, 0, sum);
    }
    return writer.GetText();
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MSCCL_WRITER_H

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAYERED_MODEL_H
#define ML_CLUSTER_LAYERED_MODEL_H

#include "ns3/amount.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A network of fully connected and convolutional layers, run one after the other: MLPs, CNNs. Each
 * layer is a product of a matrix of activations, rows (batch x positions) by k, with one of
 * weights, k x n. Left out: what is between the layers (normalisation, activation, pooling, sums of
 * branches), which takes memory bandwidth, but few operations; the parameters of normalisation
 * count.
 */
struct LayeredModel
{
    /// One layer.
    struct Layer
    {
        std::string name;          ///< published name
        uint64_t positions{1};     ///< rows of a sample: 1, or places a kernel is put on
        uint64_t inputs{0};        ///< k: inputs of an output
        uint64_t outputs{0};       ///< n: outputs of a position (channels)
        uint64_t inputElements{0}; ///< of a sample
        uint64_t vectors{1}; ///< parameters per output beside the weights: a bias, or scale and
                             ///< shift of a normalisation

        /// @return parameters: n (k + vectors)
        Amount GetParameters() const;
        /// @return multiply-accumulates of a sample, forward: positions k n
        Amount GetMacs() const;
        /// @return elements of a sample that come out: positions n
        Amount GetOutputElements() const;
    };

    /// A convolution of square images with a square kernel.
    struct Convolution
    {
        uint64_t inputChannels;  ///< C
        uint64_t outputChannels; ///< n
        uint64_t kernel;         ///< width f
        uint64_t stride;         ///< s, at least 1
        uint64_t padding;        ///< p, on each side
        uint64_t image;          ///< width w of the input, w + 2 p at least f
        bool isNormalised;       ///< batch normalisation in place of a bias
    };

    std::string name;          ///< published name
    std::string source;        ///< where the sizes are from
    std::vector<Layer> layers; ///< in order, at least one

    /// @param name name @param inputs k @param outputs n @return a fully connected layer with bias
    static Layer MakeFullyConnected(const std::string& name, uint64_t inputs, uint64_t outputs);
    /**
     * @param name name
     * @param shape its sizes
     * @return a convolution: ((w + 2 p - f) / s + 1)^2 positions, k = C f^2
     * @throw InputError if the kernel does not fit the image or a size is 0
     */
    static Layer MakeConvolution(const std::string& name, const Convolution& shape);
    /// @param name name @param widths of the layers, that of the input first, at least two
    /// @return fully connected layers "NAME 0", "NAME 1", ... @throw InputError if a width is 0
    static std::vector<Layer> MakeMlp(const std::string& name, const std::vector<uint64_t>& widths);

    /// @return parameters @throw InputError if above 2^64 - 1
    uint64_t CountParameters() const;
    /// @return multiply-accumulates of a sample, forward @throw InputError if above 2^64 - 1
    uint64_t CountMacs() const;
};

/// @ingroup ml-cluster
/// @return names of published networks: "resnet-50", "vgg-16"
std::vector<std::string> GetLayeredModelNames();
/// @ingroup ml-cluster
/// @param name one of them @return the network @throw InputError if it is none
LayeredModel FindLayeredModel(const std::string& name);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAYERED_MODEL_H

/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layered-model.h"

#include "ns3/diagnostics.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t LARGEST_WIDTH = uint64_t{1} << 32;

/// @param layer a layer @param sizes of it @throw InputError if one is 0 or too large
void
CheckSizes(const std::string& layer, const std::vector<uint64_t>& sizes)
{
    for (const uint64_t size : sizes)
    {
        if (size == 0 || size > LARGEST_WIDTH)
        {
            throw InputError("layer \"" + layer + "\" has a size of " + std::to_string(size) +
                             "; allowed are 1 to 2^32");
        }
    }
}

/// @param name of the layer @param inputChannels C @param outputChannels n @param kernel f
/// @param stride s @param image w @return a convolution padded to w / s places a side, normalised
LayeredModel::Layer
MakePadded(const std::string& name,
           uint64_t inputChannels,
           uint64_t outputChannels,
           uint64_t kernel,
           uint64_t stride,
           uint64_t image)
{
    return LayeredModel::MakeConvolution(
        name,
        {inputChannels, outputChannels, kernel, stride, kernel / 2, image, true});
}

/// @return ResNet-50, images of 224 x 224
LayeredModel
MakeResNet50()
{
    LayeredModel model;
    model.name = "resnet-50";
    model.source =
        "He et al., Deep Residual Learning for Image Recognition, CVPR 2016, table 1; the "
        "stride of a stage in its 3 x 3 convolution (version 1.5, as torchvision has it)";
    model.layers.push_back(MakePadded("conv1", 3, 64, 7, 2, 224));
    uint64_t channels = 64;
    uint64_t image = 56;
    const std::vector<uint64_t> blocks{3, 4, 6, 3};
    for (uint64_t stage = 0; stage < blocks.size(); ++stage)
    {
        const uint64_t width = uint64_t{64} << stage;
        for (uint64_t block = 0; block < blocks[stage]; ++block)
        {
            const uint64_t stride = stage > 0 && block == 0 ? 2 : 1;
            const std::string name =
                "conv" + std::to_string(stage + 2) + "_" + std::to_string(block + 1);
            if (block == 0)
            {
                model.layers.push_back(
                    MakePadded(name + " shortcut", channels, 4 * width, 1, stride, image));
            }
            model.layers.push_back(MakePadded(name + " 1x1", channels, width, 1, 1, image));
            model.layers.push_back(MakePadded(name + " 3x3", width, width, 3, stride, image));
            image /= stride;
            channels = 4 * width;
            model.layers.push_back(MakePadded(name + " 1x1 up", width, channels, 1, 1, image));
        }
    }
    model.layers.push_back(LayeredModel::MakeFullyConnected("fc", channels, 1000));
    return model;
}

/// @return VGG-16, images of 224 x 224
LayeredModel
MakeVgg16()
{
    LayeredModel model;
    model.name = "vgg-16";
    model.source = "Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image "
                   "Recognition, ICLR 2015, table 1, configuration D";
    const std::vector<std::vector<uint64_t>> stages{{64, 64},
                                                    {128, 128},
                                                    {256, 256, 256},
                                                    {512, 512, 512},
                                                    {512, 512, 512}};
    uint64_t channels = 3;
    uint64_t image = 224;
    for (uint64_t stage = 0; stage < stages.size(); ++stage)
    {
        for (uint64_t i = 0; i < stages[stage].size(); ++i)
        {
            const std::string name =
                "conv" + std::to_string(stage + 1) + "_" + std::to_string(i + 1);
            model.layers.push_back(
                LayeredModel::MakeConvolution(name,
                                              {channels, stages[stage][i], 3, 1, 1, image, false}));
            channels = stages[stage][i];
        }
        image /= 2;
    }
    const auto head = LayeredModel::MakeMlp("fc", {channels * image * image, 4096, 4096, 1000});
    model.layers.insert(model.layers.end(), head.begin(), head.end());
    return model;
}

} // namespace

Amount
LayeredModel::Layer::GetParameters() const
{
    return Amount(outputs) * (Amount(inputs) + vectors);
}

Amount
LayeredModel::Layer::GetMacs() const
{
    return Amount(positions) * inputs * outputs;
}

Amount
LayeredModel::Layer::GetOutputElements() const
{
    return Amount(positions) * outputs;
}

LayeredModel::Layer
LayeredModel::MakeFullyConnected(const std::string& name, uint64_t inputs, uint64_t outputs)
{
    CheckSizes(name, {inputs, outputs});
    return {name, 1, inputs, outputs, inputs, 1};
}

LayeredModel::Layer
LayeredModel::MakeConvolution(const std::string& name, const Convolution& shape)
{
    CheckSizes(
        name,
        {shape.inputChannels, shape.outputChannels, shape.kernel, shape.stride, shape.image});
    if (shape.padding > LARGEST_WIDTH || shape.image + 2 * shape.padding < shape.kernel)
    {
        throw InputError(
            "layer \"" + name + "\" has a kernel of width " + std::to_string(shape.kernel) +
            " for an image of width " + std::to_string(shape.image) + " padded by " +
            std::to_string(shape.padding) + "; allowed are kernels that fit, paddings up to 2^32");
    }
    const uint64_t places = (shape.image + 2 * shape.padding - shape.kernel) / shape.stride + 1;
    const Amount image = shape.image;
    const Amount kernel = shape.kernel;
    const std::string what = "elements of layer \"" + name + "\"";
    return {name,
            (Amount(places) * places).Get(what),
            (kernel * kernel * shape.inputChannels).Get(what),
            shape.outputChannels,
            (image * image * shape.inputChannels).Get(what),
            shape.isNormalised ? uint64_t{2} : uint64_t{1}};
}

std::vector<LayeredModel::Layer>
LayeredModel::MakeMlp(const std::string& name, const std::vector<uint64_t>& widths)
{
    std::vector<Layer> layers;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i)
    {
        layers.push_back(
            MakeFullyConnected(name + " " + std::to_string(i), widths[i], widths[i + 1]));
    }
    return layers;
}

uint64_t
LayeredModel::CountParameters() const
{
    Amount sum;
    for (const Layer& layer : layers)
    {
        sum += layer.GetParameters();
    }
    return sum.Get("parameters of " + name);
}

uint64_t
LayeredModel::CountMacs() const
{
    Amount sum;
    for (const Layer& layer : layers)
    {
        sum += layer.GetMacs();
    }
    return sum.Get("multiply-accumulates of " + name);
}

std::vector<std::string>
GetLayeredModelNames()
{
    return {"resnet-50", "vgg-16"};
}

LayeredModel
FindLayeredModel(const std::string& name)
{
    CheckWord("network", name, GetLayeredModelNames());
    return name == "resnet-50" ? MakeResNet50() : MakeVgg16();
}

} // namespace mlcluster
} // namespace ns3

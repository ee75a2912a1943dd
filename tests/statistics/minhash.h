// The tests of MinHash run for every hash whose values are independent. For one file of a program.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gpu/options.h"

namespace neardup::statistics {

class Minhash : public testing::TestWithParam<MinhashHash> {};

INSTANTIATE_TEST_SUITE_P(Hashes, Minhash,
                         testing::Values(MinhashHash::k2u, MinhashHash::k4u, MinhashHash::kMs32),
                         [](const auto& test) {
                           return std::string(names(MinhashHash{})[static_cast<int>(test.param)]);
                         });

}  // namespace neardup::statistics

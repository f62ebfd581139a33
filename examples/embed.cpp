/* SPDX-License-Identifier: Apache-2.0
 * embed.cpp - the program of README.md in C++: runs a model on a small picture.
 *
 * $ embed_cpp examples/mirror.onnxtxt
 * 3 2 1 6 5 4 */
#include <array>
#include <iostream>
#include <ocellus.hpp>

int main(int argc, char **argv)
try {
    const ocellus::model model(argc > 1 ? argv[1] : "model.onnx");
    ocellus::session session(model);

    const std::array<float, 6> image = {1, 2, 3, 4, 5, 6};
    session.bind("image", {1, 1, 2, 3}, image);
    session.run();

    const char *between = "";
    for (const float pixel : session.fetch<float>("mirrored")) {
        std::cout << between << pixel;
        between = " ";
    }
    std::cout << '\n';
} catch (const ocellus::error &e) {
    std::cerr << e.what() << '\n';
    return e.code();
}

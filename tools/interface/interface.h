/* SPDX-License-Identifier: Apache-2.0
 * interface.h - what the types of ocellus_predict.h hold. */
#pragma once

#include "interface/guard.h"
#include "interface/interface_picture.h"
#include "predict/predictor.h"

#include <ocellus_predict.h>

struct oc_predictor {
    predictor made;
    tensor_options options; /* how a photograph becomes a tensor, but for its fit */
};

/* Copies what is known of a struct that grows; what is not must be 0. False after an error. */
bool interface_read_options(oc_predictor_options *to, const void *from, size_t size, oc_error *e);
/* Returns what the options tell of how a photograph becomes a tensor. Texts are borrowed. */
image_args interface_image_args(const oc_predictor_options *o, oc_error *e);

struct oc_photograph {
    const oc_predictor *predictor;
    given *given;
    oc_value *tensor;
    oc_value *second; /* of the photograph beside it; NULL: there is none */
    image_fit fit;
    predictor_values values;
};

struct oc_answer {
    const oc_predictor *predictor;
    given *given;
    answer told; /* owns its arrays and its text */
};

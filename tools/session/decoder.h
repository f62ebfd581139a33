/* SPDX-License-Identifier: Apache-2.0
 * decoder.h - decodes pictures for models that do so themselves, by the command's readers. */
#pragma once

#include <ocellus.h>

oc_image_decoder session_decoder(void);

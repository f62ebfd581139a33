/* SPDX-License-Identifier: Apache-2.0
 * vision_texts.h - the functions of functions/vision, domain ocellus.vision, as texts. */
#pragma once

/* Returns the text of the function and of all functions of the domain that it calls, each once.
 * Behind a model's text it gives the model these functions. NULL: there is no function of the name.
 * Free with free. */
char *vision_text(const char *name);

/* SPDX-License-Identifier: Apache-2.0
 * words.h - words for mutators: names of operators, types and attributes, numbers at their limits,
 * and texts of 300 bytes and more, which no entry of a libFuzzer dictionary may have. */
#pragma once

#include <ocellus.h>

/* How many words there are, and word i of them. The words live as long as the process. */
uint32_t fuzz_n_words(void);
oc_string fuzz_word(uint32_t i);
/* One of 300 bytes and more; any i will do. */
oc_string fuzz_long_word(uint32_t i);

/* SPDX-License-Identifier: Apache-2.0
 * sig_sets.c - the named sets of types that signatures use. */
#include "ops/signature/sig_parser.h"

#define SET_ALL                                                                                    \
    (OC_SET_IEEE | OC_SET_SIGNED | OC_SET_UNSIGNED | OC_SET_COMPLEX | OC_SET_(BOOL) |              \
     OC_SET_(STRING))
#define SET_IR4  (SET_ALL | OC_SET_(BF16))
#define SET_IR9  (SET_IR4 | OC_SET_F8)
#define SET_IR10 (SET_IR9 | OC_SET_(U4) | OC_SET_(I4))
#define SET_IR11 (SET_IR10 | OC_SET_(F4E2M1))
#define SET_IR12 (SET_IR11 | OC_SET_(F8E8M0))
#define SET_IR13 (SET_IR12 | OC_SET_(U2) | OC_SET_(I2))

#define REAL(set) ((set) & ~OC_SET_COMPLEX)
#define INTEGERS  (OC_SET_SIGNED | OC_SET_UNSIGNED)
#define WORDS     (OC_SET_(U32) | OC_SET_(U64) | OC_SET_(I32) | OC_SET_(I64))

/* clang-format off */
#define SETS(X) \
    X(all, SET_ALL) X(all_ir4, SET_IR4) X(all_ir9, SET_IR9) X(all_ir10, SET_IR10) \
    X(all_ir11, SET_IR11) X(all_ir12, SET_IR12) X(all_ir13, SET_IR13) \
    X(real, REAL(SET_ALL)) X(real_ir4, REAL(SET_IR4)) X(real_ir9, REAL(SET_IR9)) \
    X(real_ir10, REAL(SET_IR10)) X(real_ir11, REAL(SET_IR11)) X(real_ir12, REAL(SET_IR12)) \
    X(real_ir13, REAL(SET_IR13)) \
    X(numeric, OC_SET_IEEE | INTEGERS) X(numeric_ir4, OC_SET_FLOAT | INTEGERS) \
    X(high_precision, OC_SET_IEEE | WORDS) X(high_precision_ir4, OC_SET_FLOAT | WORDS) \
    X(ieee, OC_SET_IEEE) X(float_ir4, OC_SET_FLOAT) X(float8, OC_SET_F8) \
    X(signed, OC_SET_SIGNED) X(unsigned, OC_SET_UNSIGNED) X(index, OC_SET_(I32) | OC_SET_(I64))
/* clang-format on */

#define OR(name, set) | (set)
_Static_assert((0 SETS(OR)) == OC_SET_EVERY, "each element type is in a set of sig_sets.c");

#define ROW(name, set) {#name, set},
static const struct {
    const char *name;
    oc_type_mask set;
} sets[] = {SETS(ROW)};

oc_type_mask oc_sig_find_set(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strlen(sets[i].name) == size && memcmp(sets[i].name, text, size) == 0)
            return sets[i].set;
    const oc_type t = oc_type_find(text, size);
    return t ? oc_type_bit(t) : 0;
}

oc_type_mask oc_type_set(const char *name)
{
    return name ? oc_sig_find_set(name, strlen(name)) : 0;
}

oc_type oc_sig_only_type(const oc_sig_set *set)
{
    const oc_type_mask bits = set->tensor;
    if (!bits || bits & (bits - 1) || set->sequence || set->optional || set->opt_sequence ||
        set->map || set->map_sequence)
        return OC_UNDEFINED;
    int type = 0;
    while (bits >> type != 1)
        type++;
    return (oc_type)type;
}

const char *oc_sig_set_text(const oc_sig_set *set, char *text, size_t size)
{
    static const struct {
        const char *open, *close;
    } form[] = {{"", ""},           {"seq(", ")"},
                {"optional(", ")"}, {"optional(seq(", "))"},
                {"a map to ", ""},  {"a sequence of maps to ", ""}};
    const oc_type_mask bits[] = {set->tensor,       set->sequence, set->optional,
                                 set->opt_sequence, set->map,      set->map_sequence};
    size_t at = 0;
    text[0] = 0;
    for (size_t k = 0; k < sizeof form / sizeof *form; k++)
        for (int t = 1; t < OC_N_TYPES; t++) {
            if (!(bits[k] >> t & 1) || at + 48 > size)
                continue;
            at += (size_t)snprintf(text + at, size - at, "%s%s%s%s", at ? ", " : "", form[k].open,
                                   oc_type_name((oc_type)t), form[k].close);
        }
    return text;
}

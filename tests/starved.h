/* SPDX-License-Identifier: Apache-2.0
 * starved.h - a model is made of others again and again, and each time another allocation fails. */
#pragma once

#include "failing.h"
#include "models.h"

/* Makes the model, with the allocator of the models that it is made of. */
typedef oc_model *starved_make(void *ctx, oc_error *e);

/* Every allocation fails once: an error, or the same model where it can be done without. Returns
 * how many allocations there were. */
static inline long starved(failing *hungry, starved_make *make, void *ctx)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = make(ctx, &e);
    ck_assert_msg(m, "%s", e.text);
    char *want = model_text(m);
    oc_model_free(m);
    hungry->failed = true;
    long k = 0;
    for (; hungry->failed; k++) {
        e = (oc_error){OC_OK, ""};
        hungry->failed = false;
        hungry->left = k;
        m = make(ctx, &e);
        hungry->left = -1;
        ck_assert_msg(m || e.code == OC_NOMEM, "allocation %ld: %s", k, e.text);
        char *got = m ? model_text(m) : NULL;
        ck_assert_msg(!got || strcmp(got, want) == 0, "allocation %ld: another model", k);
        free(got);
        oc_model_free(m);
    }
    free(want);
    return k;
}

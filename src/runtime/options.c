/* SPDX-License-Identifier: Apache-2.0
 * options.c - checks that the values of a host's options are valid. */
#include "runtime/options.h"

#include "base/limits.h"

#include <ocellus_op.h>
#include <math.h>

oc_status oc_limits_check(const oc_limits *l, oc_error *e)
{
    if (!(l->deadline >= 0)) /* also refuses NaN */
        return oc_error_set(e, OC_ARGUMENT, "limits.deadline is %g, expected seconds >= 0",
                            /* a NaN is shown without its sign */
                            l->deadline < 0 ? l->deadline : (double)NAN);
    if (l->max_steps < 0)
        return oc_error_set(e, OC_ARGUMENT, "limits.max_steps is %lld, expected a number >= 0",
                            (long long)l->max_steps);
    return OC_OK;
}

oc_status oc_policy_check(oc_body_policy policy, oc_error *e)
{
    if (policy == OC_BODY_NATIVE || policy == OC_BODY_EXPAND || policy == OC_BODY_STANDARD)
        return OC_OK;
    return oc_error_set(e, OC_ARGUMENT, "the policy of bodies is %d, expected 0 to %d", (int)policy,
                        OC_BODY_STANDARD);
}

static oc_status check_ops(const oc_op *ops, oc_error *e)
{
    for (const oc_op *version = ops; version && version->signature; version++)
        if (!version->run)
            return oc_error_set(e, OC_ARGUMENT, "ops[%d] \"%.200s\" has no function run",
                                (int)(version - ops), version->signature);
    return OC_OK;
}

oc_status oc_session_options_check(const oc_session_options *o, oc_error *e)
{
    const oc_view view = o->observer.view;
    OC_TRY(oc_limits_check(&o->limits, e));
    OC_TRY(oc_policy_check(o->bodies.policy, e));
    if (o->threads < 0 || (o->parallel.run && o->threads > OC_MAX_THREADS))
        return oc_error_set(e, OC_ARGUMENT, "%d threads wanted, expected 0 to %d", o->threads,
                            OC_MAX_THREADS);
    if (view != OC_VIEW_ALL && view != OC_VIEW_STORED && view != OC_VIEW_NONE)
        return oc_error_set(e, OC_ARGUMENT, "observer.view is %d, expected 0 to %d", (int)view,
                            OC_VIEW_NONE);
    if (o->unfused != 0 && o->unfused != 1)
        return oc_error_set(e, OC_ARGUMENT, "unfused is %d, expected 0 (exact) or 1 (fast)",
                            o->unfused);
    return check_ops(o->ops, e);
}

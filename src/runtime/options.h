/* SPDX-License-Identifier: Apache-2.0
 * options.h - checks that the values of a host's options are valid. Others are an error of
 * OC_ARGUMENT. */
#pragma once

#include "base/status.h"

oc_status oc_limits_check(const oc_limits *l, oc_error *e);
oc_status oc_policy_check(oc_body_policy policy, oc_error *e);
oc_status oc_session_options_check(const oc_session_options *o, oc_error *e);

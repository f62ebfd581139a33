/* SPDX-License-Identifier: Apache-2.0
 * host_call.h - what the kit asks of a call of an operator of the host. */
#pragma once

#include "ops/kit/call.h"

/* Joins the status of a version's function and the error that it has written: a status without an
 * error gets a text, and an error without a status counts as a failure. */
oc_status oc_call_agreed(oc_call *c, oc_status status);
/* Fails where an operator of the host has written a string without its characters. */
oc_status oc_call_check_strings(oc_call *c);

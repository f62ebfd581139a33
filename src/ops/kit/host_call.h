/* SPDX-License-Identifier: Apache-2.0
 * host_call.h - what the kit asks of a call of an operator of the host. */
#pragma once

#include "ops/kit/call.h"

/* The status of a version's function and the error that it has written, made one: a
 * status without an error gets a text, an error without a status counts too. */
oc_status oc_call_agreed(oc_call *c, oc_status status);
/* Fails where an operator of the host has written a string without its characters. */
oc_status oc_call_check_strings(oc_call *c);

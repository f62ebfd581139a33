/* SPDX-License-Identifier: Apache-2.0
 * interface.h - the functions that are served, each named after its place in the table. */
#ifndef ORT_INTERFACE_H
#define ORT_INTERFACE_H

#include "abi.h"

#define SERVED(version, result, name, parameters) result ort_##name parameters;
#define ABSENT(version, name, parameters)
#define IDLE(version, result, name, parameters)
#define NOTHING(version, name, parameters)
#include "api.def"
#undef SERVED
#undef ABSENT
#undef IDLE
#undef NOTHING

/* What the library exports as OrtGetApiBase. */
const OrtApiBase *ort_get_api_base(void);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * libraries.c - operators of libraries, which register themselves with the options of a session. */
#include "common/guard.h"
#include "common/interface.h"
#include "options/options.h"

#include <dlfcn.h>

static OrtStatus *call(OrtSessionOptions *options, void *found, const char *name, const char *where)
{
    RegisterCustomOpsFn function;
    ORT_EXPECT(found, "%s has no function %s", where, name);
    memcpy(&function, &found, sizeof function);
    return ort_guard_register(function, options, ort_get_api_base());
}

/* The library stays loaded: sessions call its functions as long as they live. */
OrtStatus *ort_RegisterCustomOpsLibrary(OrtSessionOptions *options, const char *path, void **handle)
{
    ORT_NEED(handle);
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle)
        return ort_fail(ORT_FAIL, "%s: %s", path, dlerror());
    return call(options, dlsym(*handle, "RegisterCustomOps"), "RegisterCustomOps", path);
}

OrtStatus *ort_RegisterCustomOpsLibrary_V2(OrtSessionOptions *options, const char *path)
{
    void *handle;
    return ort_RegisterCustomOpsLibrary(options, path, &handle);
}

OrtStatus *ort_RegisterCustomOpsUsingFunction(OrtSessionOptions *options, const char *name)
{
    ORT_EXPECT(name && *name, "RegisterCustomOpsUsingFunction: expected the name of a function");
    return call(options, dlsym(RTLD_DEFAULT, name), name, "the program");
}

/* The operators of onnxruntime-extensions are in a library of their own, which a program
 * registers. */
OrtStatus *ort_EnableOrtCustomOps(OrtSessionOptions *)
{
    return ort_fail(ORT_NOT_IMPLEMENTED, "EnableOrtCustomOps: onnxruntime-extensions is no part of "
                                         "this library: register its library");
}

/* SPDX-License-Identifier: Apache-2.0
 * devices.c - what models can run on: the processor, and Ocellus on it. */
#include "common/functions.h"
#include "common/interface.h"
#include "common/memory.h"
#include "sessions/session.h"

/* There is one device of each kind, and little to tell of it. */
static const struct OrtHardwareDevice {
    char unused;
} processor;
static const struct OrtEpDevice {
    char unused;
} device;
static const OrtEpDevice *const devices[] = {&device};
static const OrtKeyValuePairs no_pairs;

ORT_ANSWER(ort_HardwareDevice_Type, OrtHardwareDeviceType, const OrtHardwareDevice *, 0) /* CPU */
ORT_ANSWER(ort_HardwareDevice_VendorId, uint32_t, const OrtHardwareDevice *, 0)
ORT_ANSWER(ort_HardwareDevice_Vendor, const char *, const OrtHardwareDevice *, "")
ORT_ANSWER(ort_HardwareDevice_DeviceId, uint32_t, const OrtHardwareDevice *, 0)
ORT_ANSWER(ort_HardwareDevice_Metadata, const OrtKeyValuePairs *, const OrtHardwareDevice *,
           &no_pairs)
ORT_GETTER(ort_GetNumHardwareDevices, OrtEnv, env, size_t, 1)

OrtStatus *ort_GetHardwareDevices(const OrtEnv *env, const OrtHardwareDevice **out, size_t n)
{
    ORT_NEED(env && (out || !n));
    ORT_EXPECT(n == 1, "GetHardwareDevices: room for %zu devices, there is one", n);
    out[0] = &processor;
    return NULL;
}

OrtStatus *ort_GetEpDevices(const OrtEnv *, const OrtEpDevice *const **out, size_t *n)
{
    ORT_NEED(out && n);
    *out = devices;
    *n = 1;
    return NULL;
}

ORT_ANSWER(ort_EpDevice_EpName, const char *, const OrtEpDevice *, ORT_CPU_PROVIDER)
ORT_ANSWER(ort_EpDevice_EpVendor, const char *, const OrtEpDevice *, "Ocellus")
ORT_ANSWER(ort_EpDevice_EpMetadata, const OrtKeyValuePairs *, const OrtEpDevice *, &no_pairs)
ORT_ANSWER(ort_EpDevice_EpOptions, const OrtKeyValuePairs *, const OrtEpDevice *, &no_pairs)

const OrtHardwareDevice *ort_EpDevice_Device(const OrtEpDevice *d)
{
    return d ? &processor : NULL;
}

const OrtMemoryInfo *ort_EpDevice_MemoryInfo(const OrtEpDevice *, OrtDeviceMemoryType type)
{
    return type == OrtDeviceMemoryType_DEFAULT ? ort_cpu_memory() : NULL;
}

OrtStatus *ort_SessionOptionsAppendExecutionProvider_V2(OrtSessionOptions *options, OrtEnv *env,
                                                        const OrtEpDevice *const *chosen, size_t n,
                                                        const char *const *, const char *const *,
                                                        size_t)
{
    ORT_NEED(options && env && (chosen || !n));
    ORT_EXPECT(n, "SessionOptionsAppendExecutionProvider_V2: there is no device");
    for (size_t i = 0; i < n; i++)
        ORT_EXPECT(chosen[i] == &device,
                   "SessionOptionsAppendExecutionProvider_V2: device %zu is none of GetEpDevices",
                   i);
    return NULL;
}

static OrtStatus *tell_device(const OrtEpDevice **out, size_t n, int have)
{
    ORT_EXPECT(n == (size_t)have, "room for devices of %zu values, there are %d", n, have);
    for (size_t i = 0; i < n; i++)
        out[i] = &device;
    return NULL;
}

OrtStatus *ort_SessionGetEpDeviceForInputs(const OrtSession *session, const OrtEpDevice **out,
                                           size_t n)
{
    ORT_NEED(session && (out || !n));
    return tell_device(out, n, session->n_required);
}

OrtStatus *ort_SessionGetEpDeviceForOutputs(const OrtSession *session, const OrtEpDevice **out,
                                            size_t n)
{
    ORT_NEED(session && (out || !n));
    return tell_device(out, n, session->n_output);
}

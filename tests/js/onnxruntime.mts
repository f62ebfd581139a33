// SPDX-License-Identifier: Apache-2.0
// onnxruntime.mts - tsc --strict finds what onnxruntime-common declares in the package's onnxruntime too: each value, and each type:
// Given are those that programs give (theirs fits ours), Both those that they get, too.
import * as ort from 'ocellus/onnxruntime';
import type * as common from 'onnxruntime-common';

// ---- values: a bundler's alias gives programs ours

const all: typeof common = ort;
const preset: Pick<typeof common, 'InferenceSession' | 'Tensor' | 'env' | 'registerBackend'> = ort.default;
console.log(all, preset);

// ---- types

type Fits<From, To> = [From] extends [To] ? true : false;
type Given<Theirs, Ours> = Fits<Theirs, Ours> extends true ? Fits<keyof Theirs, keyof Ours> : false; // options, which may be left out, are members too
type Both<Theirs, Ours> = Given<Theirs, Ours> extends true ? Fits<Ours, Theirs> : false;
type All<Checks extends true[]> = Checks;

export type Values = All<[
  Both<common.Tensor, ort.Tensor>, Both<common.TypedTensor<'int64'>, ort.TypedTensor<'int64'>>,
  Given<ort.TensorConstructor, common.TensorConstructor>, Given<ort.TensorFactory, common.TensorFactory>,
  Both<common.ConversionUtils, ort.ConversionUtils>,
  Both<common.OnnxValue, ort.OnnxValue>, Both<common.NonTensorType, ort.NonTensorType>,
  Both<common.OnnxValueDataLocation, ort.OnnxValueDataLocation>,
  Both<common.Tensor.DataTypeMap, ort.Tensor.DataTypeMap>,
  Both<common.Tensor.ElementTypeMap, ort.Tensor.ElementTypeMap>,
  Both<common.Tensor.Type, ort.Tensor.Type>, Both<common.Tensor.DataType, ort.Tensor.DataType>,
  Both<common.Tensor.ElementType, ort.Tensor.ElementType>,
  Both<common.Tensor.DataLocation, ort.Tensor.DataLocation>,
  Both<common.Tensor.CpuPinnedDataTypes, ort.Tensor.CpuPinnedDataTypes>,
  Both<common.Tensor.TextureType, ort.Tensor.TextureType>,
  Both<common.Tensor.TextureDataTypes, ort.Tensor.TextureDataTypes>,
  Both<common.Tensor.GpuBufferType, ort.Tensor.GpuBufferType>,
  Both<common.Tensor.GpuBufferTypeFallback, ort.Tensor.GpuBufferTypeFallback>,
  Both<common.Tensor.GpuBufferDataTypes, ort.Tensor.GpuBufferDataTypes>,
  Both<common.Tensor.MLTensorType, ort.Tensor.MLTensorType>,
  Both<common.Tensor.MLTensorTypeFallback, ort.Tensor.MLTensorTypeFallback>,
  Both<common.Tensor.MLTensorDataTypes, ort.Tensor.MLTensorDataTypes>,
]>;

export type Parameters = All<[
  Both<common.CpuPinnedConstructorParameters, ort.CpuPinnedConstructorParameters>,
  Both<common.TextureConstructorParameters, ort.TextureConstructorParameters>,
  Both<common.GpuBufferConstructorParameters, ort.GpuBufferConstructorParameters>,
  Both<common.MLTensorConstructorParameters, ort.MLTensorConstructorParameters>,
  Given<common.ImageFormat, ort.ImageFormat>, Both<common.ImageTensorLayout, ort.ImageTensorLayout>,
  Given<common.OptionsFormat, ort.OptionsFormat>, Given<common.OptionsTensorFormat, ort.OptionsTensorFormat>,
  Given<common.OptionsTensorDataType, ort.OptionsTensorDataType>, Given<common.OptionsTensorLayout, ort.OptionsTensorLayout>,
  Given<common.OptionsDimensions, ort.OptionsDimensions>, Given<common.OptionResizedDimensions, ort.OptionResizedDimensions>,
  Given<common.OptionsNormalizationParameters, ort.OptionsNormalizationParameters>,
  Given<common.TensorFromImageDataOptions, ort.TensorFromImageDataOptions>,
  Given<common.TensorFromImageElementOptions, ort.TensorFromImageElementOptions>,
  Given<common.TensorFromImageBitmapOptions, ort.TensorFromImageBitmapOptions>, Given<common.TensorFromUrlOptions, ort.TensorFromUrlOptions>,
  Given<common.TensorFromTextureOptions<'float32'>, ort.TensorFromTextureOptions<'float32'>>,
  Given<common.TensorFromGpuBufferOptions<'int32'>, ort.TensorFromGpuBufferOptions<'int32'>>,
  Given<common.TensorFromMLTensorOptions<'uint8'>, ort.TensorFromMLTensorOptions<'uint8'>>,
  Given<common.TensorToDataUrlOptions, ort.TensorToDataUrlOptions>, Given<common.TensorToImageDataOptions, ort.TensorToImageDataOptions>,
]>;

type Providers = common.InferenceSession.ExecutionProviderOptionMap;

export type Sessions = All<[
  Fits<{ [N in keyof Providers]: Both<Providers[N], ort.InferenceSession.ExecutionProviderOptionMap[N]> }[keyof Providers], true>,
  Both<common.InferenceSession, ort.InferenceSession>, Given<ort.InferenceSessionFactory, common.InferenceSessionFactory>,
  Given<common.InferenceSession.SessionOptions, ort.InferenceSession.SessionOptions>,
  Given<common.InferenceSession.RunOptions, ort.InferenceSession.RunOptions>,
  Both<common.InferenceSession.FeedsType, ort.InferenceSession.FeedsType>,
  Both<common.InferenceSession.FetchesType, ort.InferenceSession.FetchesType>,
  Both<common.InferenceSession.ReturnType, ort.InferenceSession.ReturnType>,
  Both<common.InferenceSession.OnnxValueMapType, ort.InferenceSession.OnnxValueMapType>,
  Both<common.InferenceSession.NullableOnnxValueMapType, ort.InferenceSession.NullableOnnxValueMapType>,
  Both<common.InferenceSession.ValueMetadata, ort.InferenceSession.ValueMetadata>,
  Both<common.InferenceSession.TensorValueMetadata, ort.InferenceSession.TensorValueMetadata>,
  Both<common.InferenceSession.NonTensorValueMetadata, ort.InferenceSession.NonTensorValueMetadata>,
  Both<common.InferenceSession.ExecutionProviderName, ort.InferenceSession.ExecutionProviderName>,
  Both<common.InferenceSession.ExecutionProviderConfig, ort.InferenceSession.ExecutionProviderConfig>,
  Both<common.InferenceSession.ExecutionProviderOptionMap, ort.InferenceSession.ExecutionProviderOptionMap>,
  Both<common.OnnxModelOptions, ort.OnnxModelOptions>, Both<common.ExternalDataFileType, ort.ExternalDataFileType>,
  Both<common.ExternalDataFileDescription, ort.ExternalDataFileDescription>,
  Both<common.FileType, ort.FileType>, Both<common.FileData, ort.FileData>, Both<common.FileBlob, ort.FileBlob>,
  Both<common.FileUrlOrPath, ort.FileUrlOrPath>,
  Both<common.Env, ort.Env>, Both<common.Env.WebAssemblyFlags, ort.Env.WebAssemblyFlags>,
  Both<common.Env.WebGLFlags, ort.Env.WebGLFlags>, Both<common.Env.WebGpuFlags, ort.Env.WebGpuFlags>,
  Both<common.Env.WasmPrefixOrFilePaths, ort.Env.WasmPrefixOrFilePaths>,
  Both<common.Env.WebGpuProfilingData, ort.Env.WebGpuProfilingData>,
  Both<common.Backend, ort.Backend>, Both<common.InferenceSessionHandler, ort.InferenceSessionHandler>,
  Both<common.SessionHandler.FeedsType, ort.SessionHandler.FeedsType>,
  Both<common.SessionHandler.FetchesType, ort.SessionHandler.FetchesType>,
  Both<common.SessionHandler.ReturnType, ort.SessionHandler.ReturnType>,
]>;

// @ts-expect-error: an export that is not ours is found
export const missing: typeof common & { nowhere: 1 } = ort;
// @ts-expect-error: a type that differs is found
export type Differs = All<[Both<'float32', ort.Tensor.Type>]>;

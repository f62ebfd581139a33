// SPDX-License-Identifier: Apache-2.0
// onnxruntime.d.mts - the types of onnxruntime.mjs: each that onnxruntime-common 1.30 exports, by its name.

/** The instances of a class that only some hosts have; where it is not there, Fallback. */
type GlobalType<Name extends string, Fallback = unknown> =
  typeof globalThis extends { [name in Name]: { prototype: infer Instance } } ? Instance : Fallback;

// ---- tensors

export declare namespace Tensor {
  interface DataTypeMap {
    float32: Float32Array;
    uint8: Uint8Array;
    int8: Int8Array;
    uint16: Uint16Array;
    int16: Int16Array;
    int32: Int32Array;
    int64: BigInt64Array;
    string: string[];
    bool: Uint8Array;
    float16: Uint16Array;
    float64: Float64Array;
    uint32: Uint32Array;
    uint64: BigUint64Array;
    uint4: Uint8Array;
    int4: Int8Array;
  }
  interface ElementTypeMap {
    float32: number;
    uint8: number;
    int8: number;
    uint16: number;
    int16: number;
    int32: number;
    int64: bigint;
    string: string;
    bool: boolean;
    float16: number;
    float64: number;
    uint32: number;
    uint64: bigint;
    uint4: number;
    int4: number;
  }
  type Type = keyof DataTypeMap;
  type DataType = DataTypeMap[Type];
  type ElementType = ElementTypeMap[Type];
  /** Results are on the CPU. */
  type DataLocation = 'none' | 'cpu' | 'cpu-pinned' | 'texture' | 'gpu-buffer' | 'ml-tensor';
  type CpuPinnedDataTypes = Exclude<Type, 'string'>;
  type TextureType = GlobalType<'WebGLTexture'>;
  type TextureDataTypes = 'float32';
  type GpuBufferTypeFallback = { size: number; mapState: 'unmapped' | 'pending' | 'mapped' };
  type GpuBufferType = GlobalType<'GPUBuffer', GpuBufferTypeFallback>;
  type GpuBufferDataTypes = 'float32' | 'float16' | 'int32' | 'int64' | 'uint32' | 'uint8' | 'bool';
  type MLTensorTypeFallback = { destroy(): void };
  type MLTensorType = GlobalType<'MLTensor', MLTensorTypeFallback>;
  type MLTensorDataTypes = 'float32' | 'float16' | 'int8' | 'uint8' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'bool' | 'uint4' | 'int4';
}

interface TensorOf<T extends Tensor.Type> extends ConversionUtils {
  readonly type: T;
  readonly dims: readonly number[];
  readonly size: number;
  readonly location: Tensor.DataLocation;
  readonly data: Tensor.DataTypeMap[T];
  readonly texture: Tensor.TextureType;
  readonly gpuBuffer: Tensor.GpuBufferType;
  readonly mlTensor: Tensor.MLTensorType;
  /** Of what is elsewhere, by the function `download` that the tensor was made with. */
  getData(releaseData?: boolean): Promise<Tensor.DataTypeMap[T]>;
  dispose(): void;
}
export interface Tensor extends TensorOf<Tensor.Type> {
  reshape(dims: readonly number[]): TypedTensor<Tensor.Type>;
}
export interface TypedTensor<T extends Tensor.Type> extends TensorOf<T> {
  reshape(dims: readonly number[]): TypedTensor<T>;
}

type Numbers = Exclude<Tensor.Type, 'string' | 'bool' | 'int64' | 'uint64'>;
type Dims = readonly number[];

export interface TensorConstructor extends TensorFactory {
  new (type: 'string', data: readonly string[], dims?: Dims): TypedTensor<'string'>;
  new (type: 'bool', data: Uint8Array | readonly boolean[], dims?: Dims): TypedTensor<'bool'>;
  new (type: 'uint8', data: Uint8ClampedArray, dims?: Dims): TypedTensor<'uint8'>;
  new <T extends 'int64' | 'uint64'>(type: T, data: Tensor.DataTypeMap[T] | readonly bigint[] | readonly number[], dims?: Dims): TypedTensor<T>;
  new <T extends Numbers>(type: T, data: Tensor.DataTypeMap[T] | readonly number[], dims?: Dims): TypedTensor<T>;
  new (data: Float32Array, dims?: Dims): TypedTensor<'float32'>;
  new (data: Float64Array, dims?: Dims): TypedTensor<'float64'>;
  new (data: Int8Array, dims?: Dims): TypedTensor<'int8'>;
  new (data: Uint8Array | Uint8ClampedArray, dims?: Dims): TypedTensor<'uint8'>;
  new (data: Int16Array, dims?: Dims): TypedTensor<'int16'>;
  new (data: Uint16Array, dims?: Dims): TypedTensor<'uint16'>;
  new (data: Int32Array, dims?: Dims): TypedTensor<'int32'>;
  new (data: Uint32Array, dims?: Dims): TypedTensor<'uint32'>;
  new (data: BigInt64Array, dims?: Dims): TypedTensor<'int64'>;
  new (data: BigUint64Array, dims?: Dims): TypedTensor<'uint64'>;
  new (data: readonly boolean[], dims?: Dims): TypedTensor<'bool'>;
  new (data: readonly string[], dims?: Dims): TypedTensor<'string'>;
  new (type: Tensor.Type, data: Tensor.DataType | readonly number[] | readonly string[] | readonly bigint[] | readonly boolean[], dims?: Dims): Tensor;
  new (data: Tensor.DataType, dims?: Dims): Tensor;
}
export declare const Tensor: TensorConstructor;

// ---- tensors that are elsewhere

interface Described<T> {
  readonly type: T;
  readonly dims: Dims;
}
interface Elsewhere<T extends Tensor.Type> {
  /** Has the elements sent here. Without it the tensor is of no use as an input. */
  download?(): Promise<Tensor.DataTypeMap[T]>;
  dispose?(): void;
}
export interface CpuPinnedConstructorParameters<T extends Tensor.CpuPinnedDataTypes = Tensor.CpuPinnedDataTypes> extends Described<T> {
  readonly location: 'cpu-pinned';
  readonly data: Tensor.DataTypeMap[T];
}
export interface TextureConstructorParameters<T extends Tensor.TextureDataTypes = Tensor.TextureDataTypes> extends Described<T>, Elsewhere<T> {
  readonly location: 'texture';
  readonly texture: Tensor.TextureType;
}
export interface GpuBufferConstructorParameters<T extends Tensor.GpuBufferDataTypes = Tensor.GpuBufferDataTypes> extends Described<T>, Elsewhere<T> {
  readonly location: 'gpu-buffer';
  readonly gpuBuffer: Tensor.GpuBufferType;
}
export interface MLTensorConstructorParameters<T extends Tensor.MLTensorDataTypes = Tensor.MLTensorDataTypes> extends Described<T>, Elsewhere<T> {
  readonly location: 'ml-tensor';
  readonly mlTensor: Tensor.MLTensorType;
}
export interface TensorFromTextureOptions<T extends Tensor.TextureDataTypes> extends Required<OptionsDimensions>, OptionsFormat, Elsewhere<T> {}
export interface TensorFromGpuBufferOptions<T extends Tensor.GpuBufferDataTypes> extends Elsewhere<T> {
  readonly dims: Dims;
  dataType?: T;
}
export interface TensorFromMLTensorOptions<T extends Tensor.MLTensorDataTypes> extends Elsewhere<T> {
  readonly dims: Dims;
  dataType?: T;
}

// ---- pictures

/** BGRA is Ocellus' own. */
export type ImageFormat = 'RGB' | 'RGBA' | 'BGR' | 'RBG' | 'BGRA';
export type ImageTensorLayout = 'NHWC' | 'NCHW';

export interface OptionsFormat {
  format?: ImageFormat;
}
export interface OptionsTensorFormat {
  /** Default 'RGB', of an image element 'RGBA'. */
  tensorFormat?: ImageFormat;
}
export interface OptionsTensorDataType {
  dataType?: 'float32' | 'uint8';
}
export interface OptionsTensorLayout {
  /** Default 'NCHW'. */
  tensorLayout?: ImageTensorLayout;
}
export interface OptionsDimensions {
  height?: number;
  width?: number;
}
export interface OptionResizedDimensions {
  resizedHeight?: number;
  resizedWidth?: number;
}
type PerSample = number | [number, number, number] | [number, number, number, number];
export interface OptionsNormalizationParameters {
  /** fromImage makes (byte + bias) / mean of a byte, toImageData makes (element - bias) * mean of an element; default mean 255, bias 0. */
  norm?: { mean?: PerSample; bias?: PerSample };
}
interface OptionsOfImage extends OptionResizedDimensions, OptionsTensorFormat, OptionsTensorLayout, OptionsTensorDataType,
  OptionsNormalizationParameters {}
export interface TensorFromImageDataOptions extends OptionsOfImage {}
export interface TensorFromImageElementOptions extends OptionsOfImage {}
export interface TensorFromImageBitmapOptions extends OptionsOfImage {}
export interface TensorFromUrlOptions extends OptionsOfImage, OptionsDimensions {}

interface Pixels {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}
type Picture = Pixels | GlobalType<'ImageData', never> | GlobalType<'HTMLImageElement', never> | GlobalType<'ImageBitmap', never>;
type TensorOfImage = Promise<TypedTensor<'float32'> | TypedTensor<'uint8'>>;

export interface TensorFactory {
  fromImage(image: Picture | string, options?: OptionsOfImage): TensorOfImage;
  fromTexture<T extends Tensor.TextureDataTypes = 'float32'>(texture: Tensor.TextureType, options: TensorFromTextureOptions<T>): TypedTensor<'float32'>;
  fromGpuBuffer<T extends Tensor.GpuBufferDataTypes>(buffer: Tensor.GpuBufferType, options: TensorFromGpuBufferOptions<T>): TypedTensor<T>;
  fromMLTensor<T extends Tensor.MLTensorDataTypes>(tensor: Tensor.MLTensorType, options: TensorFromMLTensorOptions<T>): TypedTensor<T>;
  fromPinnedBuffer<T extends Tensor.CpuPinnedDataTypes>(type: T, buffer: Tensor.DataTypeMap[T], dims?: Dims): TypedTensor<T>;
}

export interface TensorToDataUrlOptions extends OptionsTensorLayout, OptionsFormat, OptionsNormalizationParameters {}
export interface TensorToImageDataOptions extends OptionsTensorLayout, OptionsFormat, OptionsNormalizationParameters {}
export interface ConversionUtils {
  toDataURL(options?: TensorToDataUrlOptions): string;
  toImageData(options?: TensorToImageDataOptions): GlobalType<'ImageData', Pixels>;
}

// ---- sessions

export type NonTensorType = never;
export type OnnxValue = Tensor | NonTensorType;
export type OnnxValueDataLocation = Tensor.DataLocation;

export type FileUrlOrPath = string;
export type FileBlob = Blob;
export type FileData = Uint8Array | ArrayBufferLike;
export type FileType = FileUrlOrPath | FileBlob | FileData;
export interface ExternalDataFileDescription {
  data: FileType;
  path: string;
}
export type ExternalDataFileType = ExternalDataFileDescription | FileUrlOrPath;
export interface OnnxModelOptions {
  externalData?: readonly ExternalDataFileType[];
}

export declare namespace InferenceSession {
  type OnnxValueMapType = { readonly [name: string]: OnnxValue };
  type NullableOnnxValueMapType = { readonly [name: string]: OnnxValue | null };
  type FeedsType = OnnxValueMapType;
  type FetchesType = readonly string[] | NullableOnnxValueMapType;
  type ReturnType = OnnxValueMapType;

  /** Those that docs/javascript.md does not name change nothing. */
  interface SessionOptions extends OnnxModelOptions {
    executionProviders?: readonly ExecutionProviderConfig[];
    intraOpNumThreads?: number;
    interOpNumThreads?: number;
    freeDimensionOverrides?: { readonly [dimensionName: string]: number };
    graphOptimizationLevel?: 'disabled' | 'basic' | 'extended' | 'layout' | 'all';
    enableCpuMemArena?: boolean;
    enableMemPattern?: boolean;
    executionMode?: 'sequential' | 'parallel';
    optimizedModelFilePath?: string;
    enableProfiling?: boolean;
    profileFilePrefix?: string;
    logId?: string;
    logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
    logVerbosityLevel?: number;
    preferredOutputLocation?: OnnxValueDataLocation | { readonly [outputName: string]: OnnxValueDataLocation };
    enableGraphCapture?: boolean;
    /** extra.ocellus: options of Ocellus' models and sessions. */
    extra?: Record<string, unknown>;
    /** Ocellus' own. */
    signal?: AbortSignal;
  }
  interface RunOptions {
    logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
    logVerbosityLevel?: number;
    terminate?: boolean;
    tag?: string;
    extra?: Record<string, unknown>;
    /** Ocellus' own. */
    signal?: AbortSignal;
  }

  interface Named<Name extends string> {
    readonly name: Name;
  }
  interface ExecutionProviderOption extends Named<string> {}
  interface CpuExecutionProviderOption extends Named<'cpu'> { useArena?: boolean }
  interface CudaExecutionProviderOption extends Named<'cuda'> { deviceId?: number }
  interface DmlExecutionProviderOption extends Named<'dml'> { deviceId?: number }
  interface TensorRtExecutionProviderOption extends Named<'tensorrt'> { deviceId?: number }
  interface WebAssemblyExecutionProviderOption extends Named<'wasm'> {}
  interface WebGLExecutionProviderOption extends Named<'webgl'> {}
  interface XnnpackExecutionProviderOption extends Named<'xnnpack'> {}
  type BufferCacheMode = 'disabled' | 'lazyRelease' | 'simple' | 'bucket';
  interface WebGpuExecutionProviderOption extends Named<'webgpu'> {
    preferredLayout?: 'NCHW' | 'NHWC';
    forceCpuNodeNames?: readonly string[];
    validationMode?: 'disabled' | 'wgpuOnly' | 'basic' | 'full';
    enableRobustness?: boolean;
    storageBufferCacheMode?: BufferCacheMode;
    uniformBufferCacheMode?: BufferCacheMode;
    queryResolveBufferCacheMode?: BufferCacheMode;
    defaultBufferCacheMode?: BufferCacheMode;
    device?: GlobalType<'GPUDevice'>;
  }
  interface WebNNExecutionProviderName extends Named<'webnn'> {}
  interface WebNNContextOptions {
    deviceType?: 'cpu' | 'gpu' | 'npu';
    numThreads?: number;
    powerPreference?: 'default' | 'low-power' | 'high-performance';
  }
  interface WebNNOptionsWithoutMLContext extends WebNNExecutionProviderName, WebNNContextOptions {
    context?: never;
  }
  interface WebNNOptionsWithMLContext extends WebNNExecutionProviderName, WebNNContextOptions {
    deviceType: 'cpu' | 'gpu' | 'npu';
    context: GlobalType<'MLContext'>;
  }
  interface WebNNOptionsWebGpu extends WebNNExecutionProviderName {
    context: GlobalType<'MLContext'>;
    gpuDevice: GlobalType<'GPUDevice'>;
  }
  type WebNNExecutionProviderOption = WebNNOptionsWithoutMLContext | WebNNOptionsWithMLContext | WebNNOptionsWebGpu;
  interface QnnExecutionProviderOption extends Named<'qnn'> {
    backendType?: string;
    backendPath?: string;
    enableFp16Precision?: boolean;
  }
  interface CoreMLExecutionProviderOption extends Named<'coreml'> {
    coreMlFlags?: number;
    useCPUOnly?: boolean;
    useCPUAndGPU?: boolean;
    enableOnSubgraph?: boolean;
    onlyEnableDeviceWithANE?: boolean;
  }
  interface NnapiExecutionProviderOption extends Named<'nnapi'> {
    useFP16?: boolean;
    useNCHW?: boolean;
    cpuDisabled?: boolean;
    cpuOnly?: boolean;
  }
  interface ExecutionProviderOptionMap {
    coreml: CoreMLExecutionProviderOption;
    cpu: CpuExecutionProviderOption;
    cuda: CudaExecutionProviderOption;
    dml: DmlExecutionProviderOption;
    nnapi: NnapiExecutionProviderOption;
    tensorrt: TensorRtExecutionProviderOption;
    wasm: WebAssemblyExecutionProviderOption;
    webgl: WebGLExecutionProviderOption;
    webgpu: WebGpuExecutionProviderOption;
    webnn: WebNNExecutionProviderOption;
    qnn: QnnExecutionProviderOption;
    xnnpack: XnnpackExecutionProviderOption;
  }
  type ExecutionProviderName = keyof ExecutionProviderOptionMap;
  type ExecutionProviderConfig = ExecutionProviderOptionMap[ExecutionProviderName] | ExecutionProviderOption | ExecutionProviderName | string;

  interface ValueMetadataBase {
    readonly name: string;
  }
  interface NonTensorValueMetadata extends ValueMetadataBase {
    readonly isTensor: false;
  }
  interface TensorValueMetadata extends ValueMetadataBase {
    readonly isTensor: true;
    readonly type: Tensor.Type;
    /** A dim of any size is its name, or '' where it has none. */
    readonly shape: ReadonlyArray<number | string>;
  }
  type ValueMetadata = NonTensorValueMetadata | TensorValueMetadata;
}

export interface InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  run(feeds: InferenceSession.FeedsType, options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  run(feeds: InferenceSession.FeedsType, fetches: InferenceSession.FetchesType, options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  release(): Promise<void>;
  startProfiling(): void;
  endProfiling(): void;
}
export interface InferenceSessionFactory {
  create(source: string | URL | ArrayBufferLike | Uint8Array | Blob | Response, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  create(buffer: ArrayBufferLike, byteOffset: number, byteLength?: number, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
}
export declare const InferenceSession: InferenceSessionFactory;

// ---- env

export declare namespace Env {
  type WasmPathPrefix = string;
  interface WasmFilePaths {
    wasm?: URL | string;
    mjs?: URL | string;
  }
  type WasmPrefixOrFilePaths = WasmPathPrefix | WasmFilePaths;
  interface WebAssemblyFlags {
    numThreads?: number;
    simd?: boolean | 'fixed' | 'relaxed';
    trace?: boolean;
    initTimeout?: number;
    wasmPaths?: WasmPrefixOrFilePaths;
    wasmBinary?: ArrayBufferLike | Uint8Array;
    proxy?: boolean;
  }
  interface WebGLFlags {
    contextId?: 'webgl' | 'webgl2';
    readonly context: GlobalType<'WebGLRenderingContext'>;
    matmulMaxBatchSize?: number;
    textureCacheMode?: 'initializerOnly' | 'full';
    pack?: boolean;
    async?: boolean;
  }
  interface WebGpuProfilingDataV1TensorMetadata {
    dims: readonly number[];
    dataType: string;
  }
  interface WebGpuProfilingDataV1 {
    version: 1;
    inputsMetadata: readonly WebGpuProfilingDataV1TensorMetadata[];
    outputsMetadata: readonly WebGpuProfilingDataV1TensorMetadata[];
    kernelId: number;
    kernelType: string;
    kernelName: string;
    programName: string;
    startTime: number;
    endTime: number;
  }
  type WebGpuProfilingData = WebGpuProfilingDataV1;
  interface WebGpuFlags {
    profilingMode?: 'off' | 'default';
    profiling: { mode?: 'off' | 'default'; ondata?: (data: WebGpuProfilingData) => void };
    powerPreference?: 'low-power' | 'high-performance';
    forceFallbackAdapter?: boolean;
    adapter: GlobalType<'GPUAdapter'>;
    get device(): Promise<GlobalType<'GPUDevice'>>;
    set device(value: GlobalType<'GPUDevice'>);
    validateInputContent?: boolean;
  }
}
/** Accepted, and without effect but for logLevel. */
export interface Env {
  logLevel?: 'verbose' | 'info' | 'warning' | 'error' | 'fatal';
  debug?: boolean;
  trace?: boolean;
  readonly versions: { readonly common: string; readonly web?: string; readonly node?: string; readonly 'react-native'?: string };
  readonly wasm: Env.WebAssemblyFlags;
  readonly webgl: Env.WebGLFlags;
  readonly webgpu: Env.WebGpuFlags;
  [name: string]: unknown;
}
export declare const env: Env;

// ---- engines and traces

export declare namespace SessionHandler {
  type FeedsType = { [name: string]: OnnxValue };
  type FetchesType = { [name: string]: OnnxValue | null };
  type ReturnType = { [name: string]: OnnxValue };
}
export interface InferenceSessionHandler {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  dispose(): Promise<void>;
  startProfiling(): void;
  endProfiling(): void;
  run(feeds: SessionHandler.FeedsType, fetches: SessionHandler.FetchesType, options: InferenceSession.RunOptions): Promise<SessionHandler.ReturnType>;
}
export interface Backend {
  init(backendName: string): Promise<void>;
  createInferenceSessionHandler(uriOrBuffer: string | Uint8Array, options?: InferenceSession.SessionOptions): Promise<InferenceSessionHandler>;
}
/** Changes nothing: Ocellus runs all sessions. */
export declare const registerBackend: (name: string, backend: Backend, priority: number) => void;
/** As onnxruntime-node has it. */
export declare const listSupportedBackends: () => { name: string; bundled: boolean }[];
export declare const TRACE: (deviceType: string, label: string) => void;
export declare const TRACE_FUNC_BEGIN: (extraMsg?: string) => void;
export declare const TRACE_FUNC_END: (extraMsg?: string) => void;
export declare const TRACE_EVENT_BEGIN: (extraMsg?: string) => void;
export declare const TRACE_EVENT_END: (extraMsg?: string) => void;

export { configure, OcellusError } from './ocellus.mjs';

declare const ort: {
  InferenceSession: InferenceSessionFactory;
  Tensor: TensorConstructor;
  env: Env;
  registerBackend: typeof registerBackend;
  listSupportedBackends: typeof listSupportedBackends;
  TRACE: typeof TRACE;
  TRACE_FUNC_BEGIN: typeof TRACE_FUNC_BEGIN;
  TRACE_FUNC_END: typeof TRACE_FUNC_END;
  TRACE_EVENT_BEGIN: typeof TRACE_EVENT_BEGIN;
  TRACE_EVENT_END: typeof TRACE_EVENT_END;
};
export default ort;

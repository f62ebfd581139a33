// SPDX-License-Identifier: Apache-2.0
// onnxruntime.d.mts - the types of onnxruntime.mjs, which are named as in onnxruntime-common.

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
  type DataLocation = 'none' | 'cpu';
  interface FromImageOptions {
    resizedWidth?: number;
    resizedHeight?: number;
    dataType?: 'float32' | 'uint8';
    /** Default 'RGB'. */
    tensorFormat?: 'RGB' | 'RGBA' | 'BGR' | 'RBG' | 'BGRA';
    tensorLayout?: 'NCHW' | 'NHWC';
    /** An element is (sample + bias) / mean; default mean 255, bias 0. */
    norm?: { mean?: number | readonly number[]; bias?: number | readonly number[] };
  }
  interface ToImageOptions {
    tensorLayout?: 'NCHW' | 'NHWC';
    norm?: { mean?: number; bias?: number };
  }
}

export interface TypedTensor<T extends Tensor.Type> extends Tensor {
  readonly type: T;
  readonly data: Tensor.DataTypeMap[T];
  getData(releaseData?: boolean): Promise<Tensor.DataTypeMap[T]>;
}

export interface TensorConstructor {
  new <T extends Tensor.Type>(type: T, data: Tensor.DataTypeMap[T] | readonly Tensor.ElementTypeMap[T][], dims?: readonly number[]): TypedTensor<T>;
  new (data: Float32Array, dims?: readonly number[]): TypedTensor<'float32'>;
  new (data: Float64Array, dims?: readonly number[]): TypedTensor<'float64'>;
  new (data: Int8Array, dims?: readonly number[]): TypedTensor<'int8'>;
  new (data: Uint8Array | Uint8ClampedArray, dims?: readonly number[]): TypedTensor<'uint8'>;
  new (data: Int16Array, dims?: readonly number[]): TypedTensor<'int16'>;
  new (data: Uint16Array, dims?: readonly number[]): TypedTensor<'uint16'>;
  new (data: Int32Array, dims?: readonly number[]): TypedTensor<'int32'>;
  new (data: Uint32Array, dims?: readonly number[]): TypedTensor<'uint32'>;
  new (data: BigInt64Array, dims?: readonly number[]): TypedTensor<'int64'>;
  new (data: BigUint64Array, dims?: readonly number[]): TypedTensor<'uint64'>;
  new (data: readonly boolean[], dims?: readonly number[]): TypedTensor<'bool'>;
  new (data: readonly string[], dims?: readonly number[]): TypedTensor<'string'>;
  new (type: Tensor.Type, data: Tensor.DataType | readonly number[] | readonly bigint[] | readonly boolean[] | readonly string[],
    dims?: readonly number[]): Tensor;
  fromImage(source: ImageData | ImageBitmap | HTMLImageElement | string | { width: number; height: number; data: Uint8Array | Uint8ClampedArray },
    options?: Tensor.FromImageOptions): Promise<TypedTensor<'float32'> | TypedTensor<'uint8'>>;
  fromPinnedBuffer<T extends Tensor.Type>(type: T, buffer: Tensor.DataTypeMap[T], dims?: readonly number[]): TypedTensor<T>;
}

export declare const Tensor: TensorConstructor;
export interface Tensor {
  readonly type: Tensor.Type;
  readonly dims: readonly number[];
  readonly size: number;
  readonly location: Tensor.DataLocation;
  readonly data: Tensor.DataType;
  getData(releaseData?: boolean): Promise<Tensor.DataType>;
  dispose(): void;
  reshape(dims: readonly number[]): Tensor;
  toImageData(options?: Tensor.ToImageOptions): ImageData;
  toDataURL(options?: Tensor.ToImageOptions): string;
}

// ---- sessions

export declare namespace InferenceSession {
  type OnnxValueMapType = { readonly [name: string]: Tensor };
  type FeedsType = OnnxValueMapType;
  type ReturnType = OnnxValueMapType;
  type FetchesType = readonly string[] | { readonly [name: string]: Tensor | null };
  type ExecutionProviderConfig = string | { readonly name: string; readonly [option: string]: unknown };
  interface ValueMetadata {
    readonly name: string;
    readonly isTensor: boolean;
    readonly type: string;
    readonly shape: readonly (number | string)[];
  }
  /** Those that are not named are accepted, and change nothing. */
  interface SessionOptions {
    executionProviders?: readonly ExecutionProviderConfig[];
    externalData?: readonly (string | { path: string; data: string | URL | ArrayBuffer | Uint8Array | Blob })[];
    /** extra.ocellus: options of Ocellus' models and sessions. */
    extra?: Record<string, unknown>;
    signal?: AbortSignal;
    [other: string]: unknown;
  }
  interface RunOptions {
    signal?: AbortSignal;
    [other: string]: unknown;
  }
}

export declare class InferenceSession {
  private constructor();
  static create(source: string | URL | ArrayBufferLike | Uint8Array, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  static create(buffer: ArrayBufferLike, byteOffset: number, byteLength?: number, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
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

// ---- the rest

/** Accepted, and without effect but for logLevel. */
export declare const env: {
  readonly versions: { readonly common: string; readonly web: string };
  logLevel?: 'verbose' | 'info' | 'warning' | 'error' | 'fatal';
  debug?: boolean;
  wasm: Record<string, unknown>;
  webgl: Record<string, unknown>;
  webgpu: Record<string, unknown>;
};
export declare function registerBackend(name: string, backend: unknown, priority: number): void;
export { configure, OcellusError } from './ocellus.mjs';

declare const ort: { InferenceSession: typeof InferenceSession; Tensor: TensorConstructor; env: typeof env; registerBackend: typeof registerBackend };
export default ort;

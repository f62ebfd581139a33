// SPDX-License-Identifier: Apache-2.0
// ocellus.d.mts - what programs get from the package `ocellus`.

// ---- tensors

/** The element types of ONNX, by its names. */
export type ElementType = 'float' | 'uint8' | 'int8' | 'uint16' | 'int16' | 'int32' | 'int64' | 'string' | 'bool' | 'float16' | 'double'
  | 'uint32' | 'uint64' | 'complex64' | 'complex128' | 'bfloat16' | 'float8e4m3fn' | 'float8e4m3fnuz' | 'float8e5m2' | 'float8e5m2fnuz'
  | 'uint4' | 'int4' | 'float4e2m1' | 'float8e8m0' | 'uint2' | 'int2';

/** Elements in row-major order. int64 and uint64 are Big(U)Int64Array; bool, and elements of 2, 4 and 8 bits, have one byte each;
 * float16 is Float16Array where the engine has it, else Uint16Array; complex numbers are floats in pairs; texts are an array. */
export type TensorData = Float32Array | Float64Array | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array
  | Uint32Array | BigInt64Array | BigUint64Array | string[];

/** What a session takes for a tensor. Without a type it has that of its array (Uint16Array: uint16), without dims it is a row. */
export interface TensorLike {
  type?: ElementType;
  dims?: readonly number[];
  data: TensorData;
}

/** Which numbers of a tensor are black and white, and where its channels are. */
export interface PixelOptions {
  /** What becomes 0; default 0. */
  least?: number;
  /** What becomes 255; default 1, of uint8 255. */
  greatest?: number;
  /** Default: as the dims look. */
  layout?: 'nchw' | 'nhwc';
}

export class Tensor implements TensorLike {
  constructor(data: TensorData, dims?: readonly number[]);
  constructor(type: ElementType, data: TensorData, dims?: readonly number[]);
  readonly type: ElementType;
  readonly dims: number[];
  readonly data: TensorData;
  /** The tensor as a picture: [.., channels, height, width], [.., height, width, channels] or [height, width], with 1, 3 or 4 channels,
   * of a batch the first. Where the host has no ImageData, an object like one. Throws SHAPE for other dims. */
  toImageData(options?: PixelOptions): [Of<'ImageData'>] extends [never] ? Pixels : Of<'ImageData'>;
}

/** An output: a tensor, a sequence, an optional (null: empty), or a map. */
export type Value = Tensor | Value[] | null | Map<string | bigint, unknown>;

// ---- pictures

/** Rows of pixels without gaps, each of 1 (gray), 2 (gray, alpha), 3 (RGB) or 4 bytes (RGBA); ImageData is one. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** What predictors take, and sessions for inputs that are pictures. Node takes Pixels alone. */
export type PictureSource = Pixels | Of<'ImageData'> | Of<'ImageBitmap'> | Of<'HTMLImageElement'> | Of<'HTMLCanvasElement'>
  | Of<'OffscreenCanvas'> | Of<'HTMLVideoElement'> | Of<'VideoFrame'> | Of<'Blob'>;

/** A class of the host; never where its types are not known, as those of pages are not in Node. */
type Of<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer T }> ? T : never;

/** How a picture becomes a tensor: the options of `ocellus run`, by their names. */
export interface Preparation {
  /** Mean, deviation and resizing of a family of networks: 'imagenet', 'clip', '[0,1]', '[-1,1]', 'yolo', 'detr' ... */
  preset?: string;
  /** Brings it to the input's size, or WxH: 'stretch', 'fit', 'corner' or 'crop', 'short:N', 'no', as in 'fit:640x480'. */
  imageResize?: string;
  /** The filter, as a library has it: 'pil:bilinear', 'cv2:linear', 'torchvision:bilinear:antialias' ... */
  resize?: string;
  /** The sample, 0 to 255, around a picture that fits. */
  imageFill?: number;
  /** The factor of samples; default 1/255 for floats, 1 for integers. */
  imageScale?: number;
  /** Taken off after scaling: a number, or one for each channel, '0.5,0.5,0.5'. */
  imageMean?: number | string | readonly number[];
  /** Divided by after that. */
  imageStd?: number | string | readonly number[];
  imageChannels?: 'gray' | 'rgb' | 'bgr' | 'rgba';
  imageLayout?: 'nchw' | 'nhwc';
  /** Sides become multiples of it, where the model leaves them open. */
  imageMultiple?: number;
  /** With fit or corner: a small picture keeps its size. */
  imageNoEnlarge?: boolean;
}

/** A picture for an input, with how it becomes a tensor. */
export class Picture {
  constructor(source: PictureSource, options?: Preparation);
}

// ---- models

/** What a model says of an input or output. */
export interface Port {
  readonly name: string;
  readonly kind: 'tensor' | 'sequence' | 'optional' | 'map';
  readonly type: ElementType;
  /** Numbers, names of sizes, and -1 for what is open; null where not even their number is declared. */
  readonly dims: readonly (number | string)[] | null;
  /** It has a value of the model's own. */
  readonly optional: boolean;
  readonly description: string | null;
}

export interface Limits {
  /** Bytes at one time; default 4 GiB. */
  memoryCap?: number;
  /** Nodes of a run, loops included. */
  maxSteps?: number;
  /** Seconds that a call may take. */
  deadline?: number;
}

export interface LoadOptions extends Limits {
  /** Ends the load within 0.1 s; the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called as bytes of the model come; total is null where the server does not tell it. */
  onProgress?: (progress: { loaded: number; total: number | null }) => void;
  /** Keeps what is fetched in the browser's cache `ocellus`, and takes it from there without asking the server again: give a new version a
   * new address, or call caches.delete('ocellus'). What is no model is not kept. */
  cache?: boolean;
  /** Files of weights that the model names: their bytes, or where they are. */
  externalData?: Record<string, Source>;
  /** false: the model runs in this thread, which waits meanwhile, and a signal cannot end a run. */
  worker?: boolean;
  /** Takes a model whose opset is newer than the newest that this version knows. */
  newer?: boolean;
  /** Hears what is worth knowing and no error. */
  log?: (line: string) => void;
}

/** What bytes are read from: an address (in Node also a path), bytes, which must not change until the model is freed, or a file. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView | Of<'Blob'> | Of<'Response'>;

export interface SessionOptions extends Limits {
  /** 'fast': products are rounded before they are added, where the engine has no fused multiply-add: several times as fast, other last
   * bits. Default 'exact': the bits of every machine. */
  unfused?: 'exact' | 'fast';
  /** Of random operators. */
  seed?: number | bigint;
  /** Choices that operators declare, as 'RoiAlign.max=bilinear'. */
  opOptions?: string;
  exactConv?: boolean;
  exactQuant?: boolean;
  noFusion?: boolean;
  noNchw16c?: boolean;
  noFolding?: boolean;
  log?: (line: string) => void;
  /** A set of instructions at most: 'scalar' or 'v128'. For tests. */
  cpu?: string;
}

export class Model {
  private constructor();
  /** Reads and checks a model: binary ONNX, compressed by gzip or not, or ONNX text. Throws OcellusError. */
  static load(source: Source, options?: LoadOptions): Promise<Model>;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** What the exporter tells. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The version of the module. */
  readonly version: string;
  /** A session with memory of its own. What is wrong with its options the first run throws. */
  session(options?: SessionOptions): Session;
  /** Chooses a decoder for the model. Throws UNSUPPORTED where none fits. */
  predictor(options?: PredictorOptions & { signal?: AbortSignal }): Promise<Predictor>;
  /** What `ocellus inspect --json` prints of the model. */
  inspect(options?: { signal?: AbortSignal }): Promise<Inspection>;
  /** Runs the model by kernels, and by ONNX's function bodies in their place, on inputs that are given or made up, and compares what every
   * node gives: what `ocellus check --json` prints. dims are sizes of symbolic dims of inputs that are made up. */
  check(options?: { signal?: AbortSignal; inputs?: Record<string, TensorLike>; dims?: Record<string, number>; seed?: number }): Promise<ModelCheck>;
  /** Sessions and predictors stay. */
  free(): void;
}

/** A model's nodes, operators and how each would run, sizes, opsets, and what is wrong with it. */
export interface Inspection {
  nodes: number;
  parameters: number;
  opsets: Record<string, number>;
  operators: { domain: string; name: string; nodes: number; opset: number; since: number; runs_as: string }[];
  /** The name of the decoder that predictors choose; null: shapes and exporter tell none. */
  decoder: string | null;
  /** What would keep it from running, and what it declares wrongly. */
  problems: unknown[];
  [more: string]: unknown;
}

export interface ModelCheck {
  /** How many ways of running the model gave other values, beyond what is known of ONNX's bodies. */
  disagreements: number;
  known: number;
  axes: { axis: string; values: number; runs: { run: string; nodes?: number; compared: number; differ: number; max_abs: number; max_ulp: number }[] }[];
  [more: string]: unknown;
}

export interface RunOptions {
  /** Ends the run within 0.1 s; the promise is rejected with the signal's reason, and the session stays of use. */
  signal?: AbortSignal;
  /** Names of those outputs that are wanted; default all. */
  outputs?: readonly string[];
  /** Gives the inputs' arrays away: they are not copied on their way, and are of no more use. */
  transfer?: boolean;
}

export class Session {
  private constructor();
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** Resolves when the session is made, which the first run waits for otherwise. */
  ready(): Promise<void>;
  /** Runs take turns. An input is a tensor or a picture, not a sequence or map; its array must not change until the run is done. Throws
   * OcellusError. T: what the outputs are, tensors unless the model says otherwise. */
  run<T extends Value = Tensor>(inputs?: Record<string, TensorLike | Picture | PictureSource>, options?: RunOptions): Promise<Record<string, T>>;
  /** Gives the memory back to the system. What still runs is rejected as CANCELLED. */
  free(): void;
}

// ---- answers

export interface PredictorOptions extends SessionOptions, Preparation {
  /** The decoder, by a name that command(['predict', '--as', 'list']) prints; default: it is found out. */
  as?: string;
  /** The input that takes the photograph. */
  picture?: string;
  /** A name for each class, in order; default: those that the exporter has left in the model. None are built in but COCO's and those of
   * faces, where the decoder tells so. */
  labels?: readonly string[];
  /** The least score of an object; default: the decoder's. */
  least?: number;
  /** The greatest overlap of boxes of one label, intersection over union; default: the decoder's. */
  overlap?: number;
  /** The most objects or classes; default: 5 classes, or as many objects as the decoder gives. */
  top?: number;
}

/** An object, a class or a character, in pixels of the picture, as `ocellus predict --json` prints it. */
export interface Found {
  label: number;
  /** Null where nobody has told names: labels does. */
  name: string | null;
  /** A probability from 0 to 1; the greatest come first. */
  score?: number;
  /** Left, top, right, bottom. */
  box?: [number, number, number, number];
  /** Of rotated boxes and lines of text: x, y of four corners, from the upper left one of what is upright, clockwise. */
  corners?: [number, number][];
  /** x, y, confidence. */
  points?: [number, number, number][];
  [more: string]: unknown;
}

/** Arrays of an answer, with their dims. n objects; a grid covers the network's input. */
export interface AnswerArrays {
  boxes?: { dims: [number, 4]; data: Float32Array };
  scores?: { dims: [number]; data: Float32Array };
  labels?: { dims: [number]; data: BigInt64Array };
  points?: { dims: [number, number, 3]; data: Float32Array };
  corners?: { dims: [number, 4, 2]; data: Float32Array };
  /** Probabilities: n x grid height x grid width. */
  masks?: { dims: [number, number, number]; data: Float32Array };
  classes?: { dims: [number, number]; data: BigInt64Array };
  /** x and y, in pixels: 2 x grid height x grid width. */
  flow?: { dims: [2, number, number]; data: Float32Array };
  depth?: { dims: [number, number]; data: Float32Array };
}

/** What a network says of a picture. What it does not say is missing. */
export interface Answer {
  width: number;
  height: number;
  objects: Found[];
  /** The text that was read, with the mean of its characters' probabilities. */
  text?: string;
  score?: number;
  /** What JSON.stringify leaves out. */
  arrays: AnswerArrays;
  /** Width and height of the network's input, and how the picture lies in it: scale x, scale y, left, top. */
  input: [number, number];
  fit: [number, number, number, number];
  /** With crops: each object as it is seen upright, cut out of the picture, RGBA. What JSON.stringify leaves out. */
  crops?: { width: number; height: number; data: Uint8ClampedArray }[];
  /** With draw: the picture with the answer in it, RGBA; it may be larger than the picture. */
  drawn?: { width: number; height: number; data: Uint8ClampedArray };
  [more: string]: unknown;
}

export interface PredictOptions {
  signal?: AbortSignal;
  /** What else the network takes. */
  inputs?: Record<string, TensorLike>;
  /** Gives the answer `drawn`, the picture with the answer in it. */
  draw?: boolean;
  /** Gives the answer `crops`, a picture of each object. */
  crops?: boolean;
  /** The answer is drawn there, and the canvas gets its size. */
  canvas?: Of<'HTMLCanvasElement'> | Of<'OffscreenCanvas'>;
}

export class Predictor {
  private constructor();
  /** The decoder's name, why it was chosen, and how pictures become tensors. */
  readonly decoder: string;
  readonly why: string;
  readonly prepared: string;
  readonly remarks: readonly string[];
  /** Name of the input that takes the picture. */
  readonly input: string;
  /** Name of the input that takes a picture beside it, as of two frames; null: there is none. */
  readonly beside: string | null;
  /** What that input takes for a picture. */
  prepare(picture: PictureSource): Promise<Tensor>;
  /** Calls take turns. A picture that is an element, a Blob or a frame is looked at when it is called; Pixels must not change until the
   * answer is there. */
  predict(picture: PictureSource, options?: PredictOptions): Promise<Answer>;
  /** Gives the memory back to the system. What still runs is rejected as CANCELLED. */
  free(): void;
}

/** Model.predictor and Predictor.predict in one: the predictor stays for the next call with options like these. */
export function predict(model: Model, picture: PictureSource, options?: PredictOptions & PredictorOptions): Promise<Answer>;

// ---- the module, errors

type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : never;
/** wasmPath: the folder of the modules, where they do not lie beside the script; wasmBinary: one of them; worker: makes the worker, where
 * worker.mjs is a part of another script. To be called before the first model is loaded. */
export function configure(options: {
  wasmPath?: string | URL | null;
  wasmBinary?: ArrayBuffer | ArrayBufferView | Module | null;
  worker?: (() => Of<'Worker'>) | null;
}): void;

/** Runs the command `ocellus` in a worker of its own: words are what a shell would give it, behind its name. files are what it reads, by
 * their paths; what it has written is in the result. Its module, ocellus-command.wasm, is fetched at the first call. */
export function command(words: readonly string[], options?: { files?: Record<string, Source>; signal?: AbortSignal; worker?: boolean }):
  Promise<{ status: number; out: string; err: string; files: Record<string, Uint8Array> }>;

/** The codes of ocellus.h, and 'BROKEN' where the module itself has ended; the next call makes another. */
export type ErrorCode = 'ARGUMENT' | 'IO' | 'FORMAT' | 'MODEL' | 'TYPE' | 'SHAPE' | 'VALUE' | 'UNSUPPORTED' | 'LIMIT' | 'NOMEM' | 'DEADLINE'
  | 'CANCELLED' | 'BROKEN';

/** What fails throws one, but for a signal, whose reason is thrown. */
export class OcellusError extends Error {
  constructor(code: ErrorCode, text: string);
  readonly code: ErrorCode;
  /** The node that it is about. */
  readonly node: string | null;
}

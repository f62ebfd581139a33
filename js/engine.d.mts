// SPDX-License-Identifier: Apache-2.0
// engine.d.mts - the types of engine.mjs, whose first lines tell what it does.
import type { ElementType, Limits, Port, SessionOptions, TensorData, TensorLike } from './ocellus.mjs';

export { OcellusError } from './ocellus.mjs';

/** A file system in memory, which a module reads and writes. */
export class Files {
  constructor(entries?: Record<string, Uint8Array>);
  /** The bytes are not copied, and must not change as long as the file is there. */
  put(path: string, bytes: Uint8Array): void;
  get(path: string): Uint8Array | undefined;
  remove(path: string): boolean;
  list(folder?: string): string[];
}

export interface EngineTensor {
  type: ElementType;
  dims: number[];
  data: TensorData;
}
/** An output: a tensor, a sequence, an optional (null: empty), or a map. */
export type EngineValue = EngineTensor | EngineValue[] | null | Map<unknown, unknown>;

export interface EngineSessionOptions extends SessionOptions {
  cpu?: string;
  /** Asked every 0.1 s or more often; true ends the call. */
  cancelled?: () => boolean;
}

export class Session {
  private constructor();
  set(name: string, tensor: TensorLike & { dims: readonly number[] }): void;
  run(inputs?: Record<string, TensorLike & { dims: readonly number[] }>, names?: readonly string[], out?: Record<string, TensorData>):
    Record<string, EngineValue>;
  free(): void;
}

export interface EngineModel {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  readonly metadata: Readonly<Record<string, string>>;
  session(options?: EngineSessionOptions): Session;
  free(): void;
}

export interface Engine {
  readonly version: string;
  readonly files: Files;
  model(bytes: Uint8Array, options?: Limits & { cancelled?: () => boolean; externalData?: Record<string, Uint8Array>; newer?: boolean }): EngineModel;
}

/** module: the bytes of ocellus.wasm or ocellus-fixed.wasm, or a module compiled of them. */
type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : never;
export function open(module: ArrayBuffer | ArrayBufferView | Module, options?: { log?: (line: string) => void; files?: Files }): Promise<Engine>;
/** Can this engine run ocellus.wasm? Any can run ocellus-fixed.wasm. */
export function isRelaxed(): boolean;

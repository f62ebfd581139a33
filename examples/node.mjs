// SPDX-License-Identifier: Apache-2.0
// node.mjs - the program of README.md in JavaScript, by ONNX Runtime's package for Node.js.
//
// $ node node.mjs examples/mirror.onnxtxt
// 3 2 1 6 5 4
import ort from 'onnxruntime-node'

const session = await ort.InferenceSession.create(process.argv[2] ?? 'model.onnx')

const image = new ort.Tensor('float32', Float32Array.of(1, 2, 3, 4, 5, 6), [1, 1, 2, 3])
const { mirrored } = await session.run({ image })

console.log(Array.from(mirrored.data, (x) => x.toFixed()).join(' '))

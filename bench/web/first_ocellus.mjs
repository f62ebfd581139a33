// SPDX-License-Identifier: Apache-2.0
// first_ocellus.mjs - the package ocellus as ./dev bench first drives it: by the calls of its documentation.
//
// load(source, { apart }) resolves to a network: session() resolves to what run(inputs) computes with and free() gives back; free() gives
// the network back. source is an address or bytes; apart: in a worker. tensor(data, dims) makes an input, fed(inputs) what one run takes.
import { Model, Tensor } from 'ocellus';

export const tensor = (data, dims) => new Tensor(data, dims);
export const fed = inputs => inputs;

export async function load(source, { apart = true } = {}) {
  const model = await Model.load(source, { worker: apart });
  return {
    session: () => model.session(),
    free: () => model.free(),
  };
}

// SPDX-License-Identifier: Apache-2.0
// examples.mjs - models small enough to read, with something to give them.
import colours from '../examples/demo/colours.onnxtxt';
import colourNames from '../examples/demo/colours.txt';
import warp from '../examples/demo/warp.onnxtxt';
import { drawing } from './pictures.mjs';

// The element of each, the model's name and text, names of its labels, and what its inputs are given; give resolves to the picture.
export const examples = [
  {
    id: 'example-warp', name: 'warp.onnxtxt', text: warp, give: async inputs => {
      const picture = await drawing();
      inputs.give(picture.label, { picture }, 'image');
      inputs.type('theta', '0.87, -0.42, 0, 0.42, 0.87, 0');
      return picture;
    },
  },
  { id: 'example-colours', name: 'colours.onnxtxt', text: colours, names: { name: 'colours.txt', text: colourNames }, give: drawing },
];

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""warp.py - warps a photograph with a spatial transformer, and shows both, as a notebook would.

    examples/warp.py [FILE.png]

Needs numpy and matplotlib. With FILE.png the picture is written there in place of shown."""
import pathlib
import sys

import matplotlib

if len(sys.argv) > 1:
    matplotlib.use('Agg')  # no screen
import matplotlib.pyplot as plt
import numpy as np

import ocellus

DEMO = pathlib.Path(__file__).resolve().parent / 'demo'

# What does the model want?
session = ocellus.Session(DEMO / 'warp.onnxtxt')
for port in session.inputs:
    print(port.name, port.type, port.shape)

# A photograph: rows of pixels become planes of numbers from 0 to 1.
photo = plt.imread(DEMO / 'photo.jpg')
image = np.ascontiguousarray(photo.transpose(2, 0, 1)[np.newaxis], np.float32) / 255

# Where each point of the result comes from, in coordinates from -1 to 1: turned by 20 degrees, from half as far again.
height, width = photo.shape[:2]
cos, sin = np.cos(np.radians(20)), np.sin(np.radians(20))
theta = 1.5 * np.array([[[cos, -sin * height / width, 0], [sin * width / height, cos, 0]]], np.float32)
warped = session.run({'image': image, 'theta': theta})['warped']
print('warped', warped.dtype, warped.shape)

# Beside each other.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
for axes, title, picture in ((left, 'photo', photo), (right, 'warped', warped[0].transpose(1, 2, 0).clip(0, 1))):
    axes.imshow(picture)
    axes.set_title(title)
    axes.axis('off')
figure.tight_layout()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
else:
    plt.show()

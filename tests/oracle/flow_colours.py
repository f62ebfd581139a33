# SPDX-License-Identifier: Apache-2.0
"""flow_colours.py - writes the colours of optical flow that tests/tools/draw/test_draw_maps.c expects, by torchvision.

Every line has a motion, in sixteenths of a pixel to the right and down, and its colour."""
import os

import numpy as np
import torch
from torchvision.utils import flow_to_image

SIDE = 24
OUT = os.path.join(os.path.dirname(__file__), '../tools/data/flow_colours.txt')

random = np.random.RandomState(7)
motion = random.randint(-400, 401, (2, SIDE, SIDE))
motion[:, :2] //= 16  # slow ones
motion[0, 3], motion[1, 4] = 0, 0  # along the axes
motion[1, 5] = motion[0, 5]  # and between them
motion[:, 6, 0] = 0
colour = flow_to_image(torch.tensor(motion / 16, dtype=torch.float32)).numpy()
with open(OUT, 'w', encoding='ascii') as f:
    f.write('# Written by tests/oracle/flow_colours.py: right and down in sixteenths of a pixel; red, green, blue.\n')
    for y in range(SIDE):
        for x in range(SIDE):
            f.write('%d %d  %d %d %d\n' % (*motion[:, y, x], *colour[:, y, x]))

# SPDX-License-Identifier: Apache-2.0
"""web_page.py - chromium, without a window, as a host of ./dev bench web: a new browser and page for each network."""
import pathlib
import sys

import players

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / 'tests' / 'web'), str(HERE.parent / 'tests' / 'tools'), str(HERE.parent / 'tests')]
from served import CHROMIUM, Failed  # noqa: E402

BROWSER = CHROMIUM.found
PATIENCE = 1200  # seconds for one network


def files_of(job):
    return [job['network']['model'], *(i['file'] for i in job['network']['inputs'].values()),
            *(e['model'] for e in job['engines'] if 'model' in e), *(f for e in job['engines'] for f in e['files'].values())]


class Chromium:
    name = 'chromium'

    def __init__(self, modules):
        self.modules = modules
        self.version = CHROMIUM.version

    def compare(self, job, _):
        utils = self.modules / '@litertjs' / 'wasm-utils' / 'dist' / 'index.js'
        scripts = {pathlib.Path(e['files']['script']).parent for e in job['engines']}  # each imports others of its folder
        try:
            return CHROMIUM.answer({**job, 'script': str(HERE / 'web' / 'turns.mjs')}, files_of(job), [HERE / 'web', self.modules, *scripts],
                                   imports={'@litertjs/wasm-utils': str(utils)}, patience=PATIENCE)
        except Failed as error:
            raise players.Failed(str(error)) from error

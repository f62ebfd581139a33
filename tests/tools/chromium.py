# SPDX-License-Identifier: Apache-2.0
"""chromium.py - a page of the working folder in chromium without a window, whose profile is new and goes away."""
import os
import shutil
import subprocess
import tempfile

from checks import check

BROWSER = shutil.which('chromium')
FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
         '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars']


def browse(name, *flags):
    """What chromium prints when it shows the page."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run([BROWSER, *FLAGS, f'--user-data-dir={profile}', *flags, f'file://{os.getcwd()}/{name}'],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    check(done.returncode == 0, name, flags, done.stderr)
    return done.stdout

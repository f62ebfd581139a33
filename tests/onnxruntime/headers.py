# SPDX-License-Identifier: Apache-2.0
"""headers.py - ONNX Runtime's C and C++ headers, for tests alone: those that are installed, else those of Debian's
package, which is unpacked into a folder of the build and never installed.

usage: headers.py FOLDER
prints the folder that has the headers, or why there is none, with exit status 77."""
import hashlib
import os
import subprocess
import sys
import tempfile
import urllib.request

INSTALLED = '/usr/include/onnxruntime'
WANTED = 'onnxruntime_cxx_api.h'
PACKAGE = 'pool/main/o/onnxruntime/libonnxruntime-dev_1.21.0+dfsg-1_amd64.deb'
SHA256 = '14f7d959d5deacbcf1504830d4189f91fc67382b399ed9ae9d3aa9c4050ced08'
SECONDS = 20


class Missing(Exception):
    """There are no headers; the text says why."""


def archives():
    """Debian's archives that apt is set up to use, then the one that all know."""
    found = []
    try:
        listed = subprocess.run(['apt-get', 'indextargets', '--format', '$(REPO_URI)'], text=True, capture_output=True,
                                check=False).stdout
        found = [line for line in dict.fromkeys(listed.split()) if line.endswith('/debian/')]
    except FileNotFoundError:
        pass
    return list(dict.fromkeys([*found, 'http://deb.debian.org/debian/']))


def download(archive):
    with urllib.request.urlopen(archive + PACKAGE, timeout=SECONDS) as answer:
        package = answer.read()
    if hashlib.sha256(package).hexdigest() != SHA256:
        raise OSError(f'{archive} has another file of this name')
    return package


def unpack(package, folder):
    """Tests that run at the same time see all of it or nothing."""
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as part:
        file = os.path.join(part, 'headers.deb')
        with open(file, 'wb') as f:
            f.write(package)
        subprocess.run(['dpkg', '-x', file, os.path.join(part, 'tree')], check=True)
        try:
            os.rename(os.path.join(part, 'tree'), os.path.join(folder, 'tree'))
        except OSError:
            if not os.path.isdir(os.path.join(folder, 'tree')):
                raise


def find(folder):
    """The folder of the headers; Missing where they cannot be had."""
    unpacked = os.path.join(folder, 'tree', INSTALLED.lstrip('/'))
    for place in (INSTALLED, unpacked):
        if os.path.exists(os.path.join(place, WANTED)):
            return place
    why = ''
    for archive in archives():
        try:
            unpack(download(archive), folder)
            return unpacked
        except (OSError, subprocess.CalledProcessError) as error:
            why = f'{archive}: {error}'
    raise Missing(f"ONNX Runtime's headers are not installed (libonnxruntime-dev) and cannot be fetched: {why}")


if __name__ == '__main__':
    try:
        print(find(os.path.abspath(sys.argv[1])))
    except Missing as missing:
        print('skipped:', missing)
        sys.exit(77)

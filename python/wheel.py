# SPDX-License-Identifier: Apache-2.0
"""wheel.py VERSION FOLDER ROOT LIBRARY... FILE... - writes the package as a wheel into FOLDER, with the libraries in it, and
prints the wheel's path. Its description is docs/python.md of the project at ROOT, below whose python/ the files lie. libocellus
needs zlib and protobuf-c of the system that it runs on, and libocellus_predict the libraries of PNG, JPEG and WebP, unless
they were linked with their archives (-Dprefer_static=true)."""
import base64
import hashlib
import os
import subprocess
import sys
import sysconfig
import zipfile

version, folder, root, *given = sys.argv[1:]
libraries = [path for path in given if '.so' in os.path.basename(path)]
sources = [path for path in given if path not in libraries]
TAG = 'py3-none-' + sysconfig.get_platform().replace('-', '_').replace('.', '_')
INFO = f'ocellus-{version}.dist-info'
METADATA = f'''Metadata-Version: 2.1
Name: ocellus
Version: {version}
Summary: A small ONNX interpreter for vision operators
License: Apache-2.0
License-File: LICENSE
Keywords: onnx,inference,onnxruntime,vision
Classifier: Development Status :: 4 - Beta
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Topic :: Scientific/Engineering :: Image Recognition
Classifier: Typing :: Typed
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: backend
Requires-Dist: onnx; extra == 'backend'
Description-Content-Type: text/markdown

'''
WHEEL = f'''Wheel-Version: 1.0
Generator: wheel.py of ocellus
Root-Is-Purelib: false
Tag: {TAG}
'''


def content(path):
    with open(path, 'rb') as f:
        return f.read()


def stripped(path):
    """The bytes of a library, without what only debuggers read where there is a tool for that."""
    copy = os.path.join(folder, os.path.basename(path) + '.stripped')
    try:
        subprocess.run(['strip', '--strip-unneeded', '-o', copy, path], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        copy = path
    return content(copy)


def main():
    members = {}
    for path in sources:
        members[os.path.relpath(path, os.path.join(root, 'python'))] = content(path)
    for path in libraries:
        members[f"ocellus/{os.path.basename(path).partition('.so')[0]}.so.0"] = stripped(path)
    members[f'{INFO}/METADATA'] = METADATA.encode() + content(os.path.join(root, 'docs/python.md'))
    members[f'{INFO}/LICENSE'] = content(os.path.join(root, 'LICENSE'))
    members[f'{INFO}/WHEEL'] = WHEEL.encode()
    record = ''
    for name, data in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
        record += f'{name},sha256={digest},{len(data)}\n'
    members[f'{INFO}/RECORD'] = (record + f'{INFO}/RECORD,,\n').encode()
    target = os.path.join(folder, f'ocellus-{version}-{TAG}.whl')
    with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as out:
        for name, data in members.items():
            # The same files give the same wheel.
            out.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    print(target)


main()

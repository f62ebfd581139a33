# SPDX-License-Identifier: Apache-2.0
"""contents.py OCELLUS - files are read by their first bytes, whatever their names are, also from pipes; what is none that is
read is told by what it is."""
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile

from checks import check, finish

OCELLUS = os.path.abspath(sys.argv[1])
HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
PPM = b'P6\n2 1\n255\n\1\2\3\4\5\6'
# the pixel that is gray 7, which Pillow wrote, and a GIF of it
JPEG = pathlib.Path(__file__).resolve().parents[1] / 'fuzz/corpus/image/gray.jpg'
GIF = pathlib.Path(__file__).resolve().parents[1] / 'fuzz/corpus/image/corner.gif'
WANTED = 'expected a picture (PNG, JPEG, WebP, GIF, BMP or PNM), .npy or .npz, or a name that ends with .pb, or of numbers'


def run(*words, code=0, text='', **how):
    done = subprocess.run([OCELLUS, *words], capture_output=True, timeout=120, check=False, **how)
    said = (done.stderr + done.stdout).decode()
    check(done.returncode == code and text in said, words, 'ends with', done.returncode, said, 'expected', code, text)
    return said


def npy(values, kind='<f4'):
    header = repr({'descr': kind, 'fortran_order': False, 'shape': (1, len(values) // 4)}).encode() + b'\n'
    return b'\x93NUMPY\1\0' + len(header).to_bytes(2, 'little') + header + values


def npz(**arrays):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, 'w') as archive:
        for name, data in arrays.items():
            archive.writestr(name + '.npy', data)
    return packed.getvalue()


def write(name, data):
    pathlib.Path(name).write_bytes(data)
    return name


def values(model, *words, **how):
    """The bytes of the elements of output y."""
    run('run', model, *words, '-o', 'y=y.npy', **how)
    data = pathlib.Path('y.npy').read_bytes()
    return data[10 + int.from_bytes(data[8:10], 'little'):]


def names_do_not_matter():
    jpeg = values('gray.onnxtxt', '-i', str(JPEG))
    check(len(jpeg) > 20, jpeg)
    for name in 'jpeg.png', 'jpeg', 'jpeg.npy', 'jpeg.txt', 'jpeg.npz', 'jpeg.x=y':
        check(values('gray.onnxtxt', '-i', 'x=' + write(name, JPEG.read_bytes())) == jpeg, name)
        check(values('gray.onnxtxt', '-i', name) == jpeg, name, 'without the name of the input')
    check(values('rgb.onnxtxt', '-i', write('gif.jpg', GIF.read_bytes())) != b'', 'GIF')
    check(values('numbers.onnxtxt', '-i', write('numbers.png', npy(b'\0\0\x80\x3f'))) == b'\0\0\x80\x3f', 'npy')
    ones, twos = npy(b'\0\0\x80\x3f'), npy(b'\0\0\0\x40')
    for name in 'packed.npz', 'packed.bin':
        check(values('numbers.onnxtxt', '-i', write(name, npz(x=ones))) == b'\0\0\x80\x3f', name)
        check(values('numbers.onnxtxt', '-i', 'x=' + write(name, npz(other=ones))) == b'\0\0\x80\x3f', name, 'one array')
        check(values('numbers.onnxtxt', '-i', 'x=' + write(name, npz(y=ones, x=twos))) == b'\0\0\0\x40', name, 'two arrays')
        run('run', 'numbers.onnxtxt', '-i', 'x=' + write(name, npz(y=ones, z=twos)), code=2,
            text=f"{name}: it has 2 arrays, and none is named 'x'")
        run('run', 'numbers.onnxtxt', '-i', name, code=2, text="the model has no input 'y'")


def pipes():
    jpeg = values('gray.onnxtxt', '-i', str(JPEG))
    for path in '-', '/dev/stdin':
        check(values('gray.onnxtxt', '-i', path, input=JPEG.read_bytes()) == jpeg, path)
        check(values('gray.onnxtxt', '-i', 'x=' + path, '--sandbox', input=JPEG.read_bytes(),
                     env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'}) == jpeg, path, 'in the sandbox')
        check(values('numbers.onnxtxt', '-i', path, input=npz(x=npy(b'\0\0\x80\x3f'))) == b'\0\0\x80\x3f', path, 'an archive')
        name = 'standard input' if path == '-' else path
        run('run', 'gray.onnxtxt', '-i', path, input=b'', code=3, text=f'{name}: it is empty, {WANTED}')
        run('run', 'numbers.onnxtxt', '-i', 'x=' + path, input=b'[[1]]', code=3, text=f'{name}: it is text, {WANTED}')
        run('run', 'rgb.onnxtxt', '-i', 'x=' + path, input=PPM[:-1], code=3, text=f'{name}: damaged PNM: it is cut off')
    end, begin = os.pipe()
    os.write(begin, PPM)
    os.close(begin)
    check(values('rgb.onnxtxt', '-i', f'x=/dev/fd/{end}', pass_fds=[end]) == b'\1\4\2\5\3\6', 'a pipe that a shell makes')
    os.close(end)


def what_it_is_is_told():
    for name, data, told in (
            ('text.jpg', b'this is no picture\n', 'text'), ('none.png', b'', 'empty'),
            ('page.jpg', b'<!DOCTYPE html>\n<p>404 not found', 'text of a web page'),
            ('pointer.png', b'version https://git-lfs.github.com/spec/v1\noid sha256:12\n', 'text that stands for a file in Git LFS'),
            ('photo.heic', b'\0\0\0\x18ftypheic', 'a HEIF or AVIF picture, or a video'), ('scan', b'II*\0\x08\0', 'a TIFF picture'),
            ('page.pdf', b'%PDF-1.4', 'a PDF document'), ('noise.npy', bytes(range(256)), 'of no known format'),
            ('long.txt.jpg', 'Größe '.encode() * 400, 'text'), ('BMW.jpg', b'BM is how this begins, and it is text', 'text')):
        for option in 'x=' + name, name:
            run('run', 'rgb.onnxtxt', '-i', option, code=3, text=f'{write(name, data)}: it is {told}, {WANTED}')
    run('run', 'numbers.onnxtxt', '-i', 'x=' + write('picture.pb', PPM), code=3,
        text='expected a value as ONNX stores it, and the file is a PNM picture')
    began = time.monotonic()
    run('run', 'rgb.onnxtxt', '-i', 'x=/dev/zero', code=3, text='/dev/zero: it is of no known format')
    check(time.monotonic() - began < 5, 'the first bytes of a device are enough')


def map_reads_what_is_named():
    os.mkdir('many')
    for name in 'a', 'b.jpg', 'c.data':
        write(f'many/{name}', PPM)
    write('many/d.jpg', b'text\n')
    write('many.txt', b'many/a\nmany/b.jpg\nmany/c.data\n')
    run('map', 'rgb.onnxtxt', '-i', 'many.txt', '-o', 'listed', '--format', 'npy', text='3 of 3 files done')
    run('map', 'rgb.onnxtxt', '-i', 'many/*', '-o', 'found', '--format', 'npy', code=3,
        text='many/d.jpg: it is text, expected a picture')
    for name in 'a', 'b', 'c':
        check(pathlib.Path(f'listed/{name}.npy').read_bytes() == pathlib.Path(f'found/{name}.npy').read_bytes(), name)
    said = run('map', 'rgb.onnxtxt', '-i', 'many', '-o', 'folder', code=3)
    check('1 of 2 files done' in said and '2 files are left out because of the ending: many/a, many/c.data' in said, said)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for model, shape in ('gray', 'uint8[1,1,H,W]'), ('rgb', 'uint8[1,3,H,W]'), ('numbers', 'float[1,N]'):
        write(f'{model}.onnxtxt', f'{HEAD}g ({shape} x) => ({shape} y) {{ y = Identity (x) }}\n'.encode())
    for group in names_do_not_matter, pipes, what_it_is_is_told, map_reads_what_is_named:
        group()
    os.chdir('/')
finish()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile.py OCELLUS CORPUS DATA [--sanitized] - names that command terminals or leave folders, outputs that share a file,
files that claim or cost too much, and files that end too soon. CORPUS: tests/fuzz/corpus; DATA: tests/tools/data."""
import json
import os
import pathlib
import re
import resource
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile
import zlib

from checks import check, finish

OCELLUS, CORPUS, DATA = os.path.abspath(sys.argv[1]), *(pathlib.Path(path).resolve() for path in sys.argv[2:4])
SANITIZED = '--sanitized' in sys.argv
HEAD = '<ir_version: 8, opset_import: ["" : 13]>\n'
warnings.simplefilter('ignore') # of zipfile, about members of one name


def run(*words, **how):
    done = subprocess.run([OCELLUS, *words], stdin=subprocess.DEVNULL, capture_output=True, **how)
    return done.returncode, done.stdout, done.stderr


def write(name, text):
    pathlib.Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


# ---- names

# What terminals obey: ESC, CSI in one byte and in UTF-8, bell, a line end, DEL; and half a character.
EVIL = r'\x1b]0;t\x07\x9b31m\xc2\x9b31m\nforged\r\x7f\xe2\x82'
SEEN = rb'\x1b]0;t\x07\x9b31m\xc2\x9b31m\x0aforged\x0d\x7f\xe2\x82'


def is_plain(text):
    try:
        shown = text.decode()
    except UnicodeDecodeError:
        return False
    return not re.search(r'[\x00-\x09\x0b-\x1f\x7f-\x9f]|^forged', shown, re.M)


def quoted_names():
    write('names.onnxtxt', HEAD.replace('8,', f'8, producer_name: "{EVIL}p", domain: "{EVIL}d", doc_string: "{EVIL}",') +
          f'"{EVIL}g" (float["{EVIL}n"] "{EVIL}x") => (float[5] "{EVIL}y")\n'
          f'{{ ["{EVIL}m"] "{EVIL}t" = Neg ("{EVIL}x") "{EVIL}y" = Exp ("{EVIL}t") }}\n')
    write('strange.onnxtxt', HEAD.replace('13]', f'13, "{EVIL}d" : 1]') +
          f'g (float[2] x) => (y) {{ ["{EVIL}m"] y = "{EVIL}d"."{EVIL}o" (x) }}\n')
    write('twice.onnxtxt', HEAD + f'g (float[2] "{EVIL}x") => (y) {{ "{EVIL}x" = Neg ("{EVIL}x") y = Neg (x) }}\n')
    fill = ['--fill', 'random', '--dim', 'x=2']
    for code, shown, words in (
            (2, True, ['run', 'names.onnxtxt']), (2, True, ['run', 'names.onnxtxt', '--fill', 'random']),
            (0, True, ['inspect', 'names.onnxtxt']), (0, True, ['convert', 'names.onnxtxt', '-']),
            (0, False, ['convert', 'names.onnxtxt', 'names.onnx']), (0, True, ['inspect', 'names.onnx']),
            (0, True, ['run', 'names.onnxtxt', '--profile', '--verbose', '-o', 'names', *fill]),
            (0, True, ['run', 'names.onnxtxt', '--expect', 'names', *fill]),
            (0, True, ['bench', 'names.onnxtxt', '--runs', '1', '--roofline', *fill]),
            (0, False, ['check', 'names.onnxtxt', *fill]), (3, True, ['inspect', 'twice.onnxtxt']),
            (4, True, ['inspect', 'strange.onnxtxt']), (4, True, ['run', 'strange.onnxtxt']),
            (3, False, ['run', '\x1b]0;t\x07\x7f\nforged']), (2, False, ['\x1b]0;t\x07\x7f\nforged'])):
        words = [word.replace('x=2', write_dim()) for word in words]
        got, out, err = run(*words)
        check(got == code, words, 'exit code', got, err)
        is_text = words[-1] == '-' # a model in text, whose strings may go over several lines
        check(is_plain(out.replace(b'\nforged', b'') if is_text else out) and is_plain(err), words, out, err)
        check(not shown or is_text or SEEN in out + err, words, 'does not show the name', out, err)
    for words in ['inspect', 'names.onnxtxt'], ['run', 'names.onnxtxt', *fill], ['inspect', 'strange.onnxtxt']:
        words = [word.replace('x=2', write_dim()) for word in words]
        out = run(*words, '--json')[1]
        check(is_plain(out) and json.loads(out), words, '--json', out)
    check(all(is_plain(os.fsencode(name)) for name in os.listdir('names')), os.listdir('names'))


def write_dim():
    """The name of the symbolic dimension, as bytes of a command line."""
    return os.fsdecode(EVIL.encode().decode('unicode_escape').encode('latin-1') + b'n=5')


# ---- files

def outputs_of(names, to):
    """Runs a model with outputs of these names; output i is i everywhere."""
    ports = ', '.join(f'float[1] "{name}"' for name in names)
    nodes = ' '.join(f'"{name}" = Constant <value_floats = [{i}.0]> ()' for i, name in enumerate(names))
    write('outputs.onnxtxt', HEAD + f'g () => ({ports}) {{ {nodes} }}\n')
    return run('run', 'outputs.onnxtxt', *to)


def members_stay_in_their_folder():
    names = ['../../x', '/abs', 'a/b', 'a/../b', '..', '.', 'a//b', 'c:x', r'a\\b', 'a_b', 'tail/', r'\x1b[31m', 'out:0',
             '0_a_b', '_..__x']
    code, _, err = outputs_of(names, ['-o', 'all.npz', '-o', 'all'])
    check(code == 0, 'an archive', err)
    with zipfile.ZipFile('all.npz') as archive:
        members = archive.namelist()
        check(len(set(members)) == len(names), 'members', members)
        for member in members:
            parts = member.split('/')
            check('..' not in parts and '' not in parts and '.' not in parts and '\\' not in member
                  and member[1:2] != ':' and is_plain(member.encode()), 'a member', member)
        check('a/b.npy' in members and 'out:0.npy' in members, 'safe names change', members)
    check(len(os.listdir('all')) == len(names), 'a folder', os.listdir('all'))
    for expected in 'all.npz', 'all':
        code, out, err = outputs_of(names, ['--expect', expected, '--rtol', '0', '--atol', '0'])
        check(code == 0 and out.count(b' agrees: ') == len(names), expected, out, err)
    ports = ', '.join(f'float[1] "{name}"' for name in names[:3])
    write('inputs.onnxtxt', HEAD + f'g ({ports}) => (y) {{ y = Sum ("../../x", "/abs", "a/b") }}\n')
    with zipfile.ZipFile('all.npz') as archive, zipfile.ZipFile('three.npz', 'w') as three:
        for member in members[:3]:
            three.writestr(member, archive.read(member))
    code, out, err = run('run', 'inputs.onnxtxt', '-i', 'three.npz')
    check(code == 0 and b'min 3' in out, 'inputs by their safe names', out, err)


def outputs_do_not_share_a_file():
    os.makedirs('d/e')
    os.symlink('d', 'link')
    write('d/old.npy', b'')
    os.symlink('old.npy', 'd/other.npy')
    a, b = 'a=', 'b='
    for first, second in (('x.npy', 'x.npy'), ('x.npy', './x.npy'), ('d/x.npy', 'd/e/../x.npy'), ('d/x.npy', 'link/x.npy'),
                          ('d/old.npy', 'd/other.npy'), ('new/x.npy', 'new/./x.npy'), ('new/x.npy', 'new//x.npy'),
                          ('new/x.npy', 'new/y/../x.npy'), (os.path.abspath('x.npy'), 'x.npy'),
                          ('new/x.npy', 'd/../new/x.npy')):
        code, _, err = outputs_of(['a', 'b'], ['-o', a + first, '-o', b + second])
        check(code == 2 and b'are the same file' in err, first, second, code, err)
        check(not os.path.exists(first) or os.path.getsize(first) == 0, first, 'is written')
    for words in (['-o', 'new', '-o', 'b=new/b.npy'], ['-o', 'new', '-o', './new'], ['-o', 'z.npz', '-o', 'd/../z.npz'],
                  ['-o', 'a=new/../b.npy', '-o', '.']):
        code, _, err = outputs_of(['a', 'b'], words)
        check(code == 2 and b'are the same file' in err, words, code, err)
    for words in (['-o', 'a=/dev/null', '-o', 'b=/dev/null'], ['-o', 'a=1.npy', '-o', 'b=d/1.npy', '-o', 'two'],
                  ['-o', 'a=d/1.npy', '-o', 'b=e.npy']):
        words = [word.replace('/dev/null', 'null.npy') for word in words]
        if not os.path.exists('null.npy'):
            os.symlink('/dev/null', 'null.npy')
        code, _, err = outputs_of(['a', 'b'], words)
        check(code == 0, words, code, err)


def dumped_outputs_do_not_share_a_file():
    write('split.onnxtxt', HEAD + 'g (float[6] x) => (a) { "a/b", a_b, "1_a_b" = Split (x)  a = Neg (a_b) }\n')
    code, _, err = run('run', 'split.onnxtxt', '--fill', 'random', '--dump', 'dump')
    names = sorted(name for name in os.listdir('dump') if 'Split' in name)
    check(code == 0 and names == [f'000000_Split_{name}.npy' for name in ('1_a_b', '2_1_a_b', 'a_b')], code, err, names)


# ---- options

def options_past_all_bounds():
    """A number too large is refused, and is not taken for another one."""
    write('dims.onnxtxt', HEAD + 'g (float[N] x) => (y) { y = Neg (x) }\n')
    fill = ['run', 'dims.onnxtxt', '--fill', 'zeros']
    for code, what, words in (
            (2, b"--dim is 'N=9223372036854775808', expected NAME=N", [*fill, '--dim', 'N=9223372036854775808']),
            (2, b"--dim N=3: there is --dim N=2 too", [*fill, '--dim', 'N=2', '--dim', 'N=3']),
            (3, b"input 'x': ", [*fill, '--dim', 'N=9223372036854775807']),
            (2, b'--opset is 4294967297, expected', ['check', 'Gelu', '--inputs', 'float[2]', '--opset', '4294967297']),
            (2, b'--opset is 1000, expected', ['check', 'Gelu', '--inputs', 'float[2]', '--opset', '1000']),
            (2, b"no value for input 'x'", ['bench', 'dims.onnxtxt', '--roofline', '--runs', '9223372036854775807', '--warm',
                                            '9223372036854775807'])):
        got, out, err = run(*words)
        check(got == code and what in err, words, 'exit code', got, err, out)


# ---- what costs too much

def png(width, height, colour=2, depth=8, rows=None):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    size = 1 + width * {0: 1, 2: 3, 6: 4}[colour] * depth // 8
    packer = zlib.compressobj(9)
    data = b''.join(packer.compress(bytes(size)) for _ in range(height if rows is None else rows)) + packer.flush()
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, depth, colour, 0, 0, 0)) +
            chunk(b'IDAT', data) + chunk(b'IEND', b''))


# A process counts as its own the memory of the one that started it, which is therefore a small one.
MEASURE = '''
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)
'''


def most_memory(*words):
    """Exit code, errors, and most bytes resident of a run."""
    done = subprocess.run([sys.executable, '-c', MEASURE, OCELLUS, *words], capture_output=True, check=True)
    code, used = map(int, done.stdout.split())
    return code, done.stderr, used


def archives_are_bounded():
    """LIMIT_MEMBERS, and one past it; LIMIT_STREAM of a device."""
    for count, code, what in (65535, 3, b'many.npz: a: it is empty'), (65536, 5, b'more than 65535 members'):
        with zipfile.ZipFile('many.npz', 'w') as archive:
            for _ in range(count):
                archive.writestr(zipfile.ZipInfo('a'), b'')
        got, _, err = run('run', 'outputs.onnxtxt', '-i', 'many.npz')
        check(got == code and what in err, count, 'members', got, err)
    if not SANITIZED:
        os.symlink('/dev/zero', 'endless.pb')
        write('any.onnxtxt', HEAD + 'g (x) => (y) { y = Identity (x) }\n')
        got, err, _ = most_memory('run', 'any.onnxtxt', '-i', 'endless.pb')
        check(got == 5 and b'endless.pb: more than 1073741824 bytes' in err, 'a device', got, err)


def caps_hold():
    cap = 100 << 20
    most = cap + (600 << 20 if SANITIZED else 64 << 20)
    write('picture.onnxtxt', HEAD + 'g (float[1,C,H,W] x) => (y) { y = Shape (x) }\n')
    write('list.onnxtxt', HEAD + 'g (seq(float[N]) x) => (y) { y = SequenceLength (x) }\n')
    write('pixels.png', png(20000, 20000, rows=0))
    write('wide.png', png(2000000, 1, rows=0))
    write('large.png', png(5000, 5000))
    write('tensor.png', png(3600, 3600))
    write('deep.png', png(2600, 2600, colour=6, depth=16))
    os.symlink('/dev/zero', 'zero.pb')
    with zipfile.ZipFile('bomb.npz', 'w', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('x.npy', bytes(200 << 20))
    write('strings.npy', npy('S1', 20 << 20, b'a' * (20 << 20)))
    for name, code, what in (('pixels.png', 5, b'pixels.png: 20000 x 20000 pixels, expected at most 100000000'),
                             ('wide.png', 3, b'wide.png: '), ('large.png', 5, b'large.png: '), ('zero.pb', 5, b'zero.pb: '),
                             ('tensor.png', 5, b'tensor.png: '), ('deep.png', 5, b'deep.png: '),
                             ('bomb.npz', 5, b'bomb.npz: '), ('strings.npy', 5, b'strings.npy: ')):
        words = ['run', 'picture.onnxtxt', '-i', name if name.endswith('npz') else f'x={name}', '--memory-cap', '100M']
        got, err, used = most_memory(*words)
        check(got == code and what in err, name, 'exit code', got, err)
        check(used < most, name, 'takes', used >> 20, 'MB')
    for pixels in 'large.png', 'tensor.png':
        check(run('run', 'picture.onnxtxt', '-i', f'x={pixels}')[0] == 0, pixels, 'without a cap')
    got, err, used = most_memory('run', 'picture.onnxtxt', '-i', 'x=/dev/zero')
    check(got == 3 and b'of no known format' in err and used < most, '/dev/zero', got, err, used >> 20)
    got, err, used = most_memory('run', 'picture.onnxtxt', '--fill', 'random', '--dim', 'x:1=9', '--dim', 'x:2=9999',
                                 '--dim', 'x:3=9999', '--memory-cap', '100M')
    check(got == 5 and b"input 'x'" in err and used < most, 'a made-up input', got, err, used >> 20)


def decoded_pictures_are_bounded():
    """ImageDecoder gives an empty picture for bytes that are none, and for one that is too large an error."""
    write('decode.onnxtxt', HEAD.replace('13]', '20]') + 'g (uint8[N] x) => (y) { p = ImageDecoder (x) y = Shape (p) }\n')
    for name, data, code, what in (('pixels', png(20000, 20000, rows=0), 5, b'the picture takes more memory'),
                                   ('large', png(5000, 5000), 5, b'the picture takes more memory'),
                                   ('cut', png(9, 9)[:30], 0, b''), ('none', b'abc', 0, b'')):
        write(f'{name}.npy', npy('u1', len(data), data))
        got, out, err = run('run', 'decode.onnxtxt', '-i', f'x={name}.npy', '--memory-cap', '60M')
        check(got == code and what in err and (code or b'0' in out), 'ImageDecoder of', name, got, out, err)


def a_decoded_picture_may_be_unread():
    """A graph of one ImageDecoder whose output has no name."""
    write('unread.onnxtxt', HEAD.replace('13]', '20]') + 'g (uint8[N] x) => () { "" = ImageDecoder (x) }\n')
    picture = b'P6 1 1 255\nabc'
    write('one.npy', npy('u1', len(picture), picture))
    got, out, err = run('run', 'unread.onnxtxt', '-i', 'x=one.npy')
    check(got == 0, 'an unread picture', got, out, err)


def values_of_a_check_are_counted():
    """Many elements share one text in a run; a copy of each would pass the cap."""
    write('texts.onnxtxt', HEAD + 'g () => (y) <string[1] s = {"%s"}, int64[1] n = {400}> { t = Expand (s, n) y = Size (t) }\n' %
          ('x' * (1 << 20)))
    got, err, used = most_memory('check', 'texts.onnxtxt', '--axis', 'memory', '--memory-cap', '100M')
    check(got == 0 and used < (700 << 20 if SANITIZED else 150 << 20), 'values of a check', got, err, used >> 20, 'MB')


def npy(kind, count, data):
    head = f"{{'descr': '|{kind}', 'fortran_order': False, 'shape': ({count},), }}\n".encode()
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head + data


# ---- files that end too soon

def every_prefix_is_an_answer():
    """The command's way from a file to an exit code; that no prefix makes a reader fail is tested in the readers' tests."""
    write('any.onnxtxt', HEAD + 'g (x) => (y) { y = Identity (x) }\n')
    write('list.onnxtxt', HEAD + 'g (seq(float[]) x) => (y) { y = Identity (x) }\n')
    code, _, err = outputs_of(['a'], ['-o', 'value.pb'])
    check(code == 0, err)
    files = [*(CORPUS / 'onnx').iterdir(), *(CORPUS / 'text').iterdir(), *(CORPUS / 'image').iterdir(),
             DATA / 'f4.npy', DATA / 'text_big.npy', DATA / 'stored.npz', DATA / 'deflated.npz', pathlib.Path('value.pb')]
    for file in sorted(files):
        whole = file.read_bytes()
        step = max(1, len(whole) // (12 if SANITIZED else 60))
        for size in range(0, len(whole), step):
            name = write('cut' + ''.join(file.suffixes), whole[:size])
            model = 'onnx' in name
            words = ['run', name, '--fill', 'zeros'] if model else ['run', 'any.onnxtxt', '-i', name]
            code, _, err = run(*words)
            # of a GIF the first frame is enough
            answers = (0, 3, 4) if file.suffix in ('.onnx', '.onnxtxt', '.pb', '.gif') else (2, 3) if file.suffix == '.npz' else (3,)
            check(code in answers + ((2,) if model else ()), file.name, 'cut to', size, 'exit code', code, err)
            check(code in (0, 2) or name.encode() in err or model, file.name, 'cut to', size, err)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for group in (quoted_names, members_stay_in_their_folder, outputs_do_not_share_a_file,
                  dumped_outputs_do_not_share_a_file, options_past_all_bounds, archives_are_bounded, caps_hold,
                  decoded_pictures_are_bounded, a_decoded_picture_may_be_unread, values_of_a_check_are_counted,
                  every_prefix_is_an_answer):
        group()
    os.chdir('/')
finish()

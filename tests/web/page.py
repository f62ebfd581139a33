# SPDX-License-Identifier: Apache-2.0
"""page.py PAGE OCELLUS DEMO [FOLDER] - the page of ./dev web in chromium: files are dropped on it, and what it shows is what
the command gives. Pictures of the page go to FOLDER, if it is given."""
import array
import base64
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browser import Page

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'tools'))
from checks import check, finish
from chromium import BROWSER
from png import colours

PAGE, OCELLUS, DEMO = (pathlib.Path(arg).resolve() for arg in sys.argv[1:4])
KEEP = pathlib.Path(sys.argv[4]).resolve() if len(sys.argv) > 4 else None
IDLE = 'document.body.dataset.state !== undefined && document.body.dataset.state !== "busy"'
PIXELS = '''(() => { const c = document.querySelector('#outputs canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height);
  let text = ''; for (const b of d.data) text += String.fromCharCode(b); return [c.width, c.height, btoa(text)]; })()'''


def native(*words):
    done = subprocess.run([OCELLUS, *words], capture_output=True, check=False)
    check(done.returncode == 0, words, done.stderr)
    return done.stdout.decode()


def pixels_of(path):
    """The picture of a float[1,3,H,W], as RGBA bytes: rounded, ties to even, and clamped."""
    data = path.read_bytes()
    head = 10 + int.from_bytes(data[8:10], 'little')
    shape = eval(data[10:head].decode())['shape']  # pylint: disable=eval-used
    values, plane = array.array('f', data[head:]), shape[2] * shape[3]
    out = bytearray(b'\xff' * (4 * plane))
    for c in range(3):
        out[c::4] = bytes(min(255, max(0, round(255 * v))) for v in values[c * plane:(c + 1) * plane])
    return shape[3], shape[2], bytes(out)


def shown(page):
    width, height, text = page.value(PIXELS)
    return width, height, base64.b64decode(text)


def shoot(page, name):
    path = (KEEP or pathlib.Path.cwd()) / name
    page.shoot(path)
    return colours(path)


def run(page):
    page.value('document.getElementById("outputs").replaceChildren()')
    page.value('document.getElementById("run").click()')
    page.wait('document.querySelector("#outputs article") && ' + IDLE)
    return page.value('document.getElementById("state").textContent')


def drop_model(page):
    page.value('document.getElementById("facts").textContent = ""')  # of the model before
    page.drop('warp.onnxtxt')
    return page.wait('document.getElementById("facts").textContent && ' + IDLE)


def dropped_files(page):
    check(drop_model(page) and page.value('document.querySelectorAll(".input").length') == 2, 'the inputs are not shown')
    check('3 nodes' in page.value('document.getElementById("facts").textContent'), 'the facts of the model')
    page.drop('photo.ppm', 'theta.npy')
    page.wait('document.getElementById("inputs").textContent.includes("theta.npy") && ' + IDLE)
    said = run(page)
    check('451 x 300' in said and 'NCHW rgb' in said, 'the conversion is not told:', said)
    native('run', 'warp.onnxtxt', '-q', '-i', 'photo.ppm', '-i', 'theta.npy', '-o', 'warped.npy')
    check(shown(page) == pixels_of(pathlib.Path('warped.npy')), 'the pixels are not those of the command')
    page.wait('document.getElementById("picture").src.startsWith("blob:")')
    for _ in range(20):  # the graph draws itself in a frame of its own, which tells nobody
        page.value('new Promise(done => setTimeout(done, 500))')
        seen = shoot(page, 'web.png')
        if seen.get(b'\x2f\x7d\x4f', 0) > 5:
            break
    check(len(seen) > 300 and seen.get(b'\x2f\x7d\x4f', 0) > 5, 'no picture, or no graph:', len(seen))


def decoded_by_the_browser(page):
    drop_model(page)
    page.drop('photo.jpg')
    page.wait('document.getElementById("inputs").textContent.includes("photo.jpg") && ' + IDLE)
    page.value('document.querySelector(".numbers[name=theta]").value = "1 0 0  0 1 0"')
    run(page)
    native('run', 'warp.onnxtxt', '-q', '-i', 'photo.jpg', '-i', 'same.npy', '-o', 'same_out.npy')
    width, height, bits = shown(page)
    wanted = pixels_of(pathlib.Path('same_out.npy'))
    far = sum(abs(a - b) > 3 for a, b in zip(bits, wanted[2]))
    check((width, height) == wanted[:2] and far < len(bits) / 1000, 'the JPEG is another picture:', far)


def bodies(page):
    page.value('document.getElementById("operator").value = "AffineGrid"; document.getElementById("check").click()')
    report = page.wait('/disagreements/.test(document.getElementById("report").textContent) && '
                       'document.getElementById("report").textContent', 120)
    check(report and '0 disagreements' in report and 'worst/bound' in report, 'a body against a kernel:', report)


def mistakes(page):
    for name, data, words in (('broken.onnx', b'\xff\xd8\xff junk', 'not an ONNX model'),
                              ('wrong.onnxtxt', b'<ir_version: 9> g (float[2] x => (y) {}', "column 31")):
        pathlib.Path(name).write_bytes(data)
        page.drop(name)
        said = page.wait(f'document.getElementById("state").textContent.includes({words!r}) && '
                         'document.getElementById("state").textContent')
        check(said, name, 'says', page.value('document.getElementById("state").textContent'))
        page.drop('photo.ppm')
        page.wait('document.getElementById("state").textContent.includes("drop a model first")')
    drop_model(page)
    page.value('document.querySelector(".numbers[name=theta]").value = "1 2 3"; document.getElementById("run").click()')
    page.wait('document.body.dataset.state === "failed"')
    said = page.value('document.getElementById("state").textContent')
    check("input 'theta': expected 6 numbers" in said, said)


def example(page):
    page.value('document.getElementById("example").click()')
    check(page.wait('document.querySelector("#outputs canvas") && ' + IDLE), 'the example gives no picture')
    page.value('new Promise(done => setTimeout(done, 1500))')
    check(len(shoot(page, 'web_example.png')) > 300, 'the example is not shown')


def main():
    if not BROWSER:
        print('skipped: chromium is not installed')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in 'photo.jpg', 'theta.npy', 'warp.onnxtxt':
            shutil.copy(DEMO / name, name)
        pathlib.Path('same.onnxtxt').write_text(
            '<ir_version: 8, opset_import: ["" : 17]> g () => (float[1,2,3] y) '
            '{ y = Constant <value: tensor = float[1,2,3] {1, 0, 0, 0, 1, 0}> () }', encoding='utf-8')
        native('run', 'same.onnxtxt', '-q', '-o', 'same.npy')
        # The photograph as bytes that page and command read alike.
        pathlib.Path('as_is.onnxtxt').write_text(
            '<ir_version: 8, opset_import: ["" : 17]> g (uint8[H,W,3] x) => (uint8[H,W,3] y) { y = Identity (x) }', encoding='utf-8')
        native('run', 'as_is.onnxtxt', '-q', '-i', 'photo.jpg', '-o', 'as_is.npy')
        data = pathlib.Path('as_is.npy').read_bytes()
        pathlib.Path('photo.ppm').write_bytes(b'P6 451 300 255\n' + data[10 + int.from_bytes(data[8:10], 'little'):])
        with Page(BROWSER, PAGE) as page:
            check(page.wait('document.body.dataset.state === "ready"'), 'the page does not begin', page.thrown)
            for group in dropped_files, decoded_by_the_browser, mistakes, bodies, example:
                group(page)
            check(not page.thrown, page.thrown)
            away = [url for url in page.requested if not url.startswith(('file:', 'blob:', 'data:', 'about:'))]
            check(not away, 'the page asked for', away)
        os.chdir('/')
    finish()


main()

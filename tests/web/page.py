# SPDX-License-Identifier: Apache-2.0
"""page.py PAGE OCELLUS DEMO [FOLDER] - the page of ./dev web in the browsers that are installed: files are given to it as a hand gives
them, and what it shows is what the command gives. Pictures of the page go to FOLDER, if it is given. TEST in the environment is a part
of the names of the tests that run."""
import array
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from browser import BROWSERS

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'tools'))
from png import colours  # noqa: E402

PAGE, OCELLUS, DEMO = (pathlib.Path(arg).resolve() for arg in sys.argv[1:4])
KEEP = pathlib.Path(sys.argv[4]).resolve() if len(sys.argv) > 4 else None
IDLE = 'document.body.dataset.state !== "busy"'
STATE = 'document.getElementById("state").textContent'
CANVAS = '''(() => { const c = document.querySelector(%r), d = c.getContext('2d').getImageData(0, 0, c.width, c.height);
  let text = ''; for (const b of d.data) text += String.fromCharCode(b); return [c.width, c.height, btoa(text)]; })()'''
# Longest time, in seconds, that the page's thread may be away while a large model is opened: a person sees 0.1 s.
FROZEN = 0.5
LARGE = 30 << 20


class Wrong(Exception):
    """The page does not show what it should."""


def check(fine, *why):
    if not fine:
        raise Wrong(' '.join(map(str, why)))


def native(*words):
    done = subprocess.run([OCELLUS, *words], capture_output=True, check=False)
    check(done.returncode == 0, words, done.stderr)
    return done.stdout.decode()


def click(page, name):
    page.value(f'(document.getElementById("{name}").click(), 0)')


def wait(page, script, seconds=60):
    found = page.wait(script, seconds)
    check(found, script, 'is not true; the page says', repr(page.value(STATE)), page.thrown)
    return found


def idle(page, seconds=60):
    """Until the page has begun what it was told, and has ended it."""
    page.value('new Promise(done => setTimeout(done, 60))')
    wait(page, IDLE, seconds)


def give(page, *paths):
    page.drop(*paths)
    idle(page)


def fine(page):
    check(page.value('document.body.dataset.state') == 'ready', 'the page says', page.value(STATE))
    return page.value(STATE)


def type_numbers(page, name, text):
    page.value(f'''(() => {{ const field = document.querySelector(".numbers[name={name}]");
      field.value = "{text}"; field.dispatchEvent(new Event("input")); }})()''')


def set_field(page, name, value):
    """Without waiting for what it starts."""
    page.value(f'(() => {{ const field = document.getElementById("option-{name}"); field.value = "{value}"; field.onchange(); }})()')


def run(page):
    click(page, 'run')
    idle(page)
    return fine(page)


def shoot(page, name):
    path = (KEEP or pathlib.Path.cwd()) / f'{page.name}-{name}.png'
    page.shoot(path)
    return colours(path)


def pixels_of(path):
    """The picture of a float[1,3,H,W], as RGBA bytes: rounded, ties to even, and clamped."""
    data = path.read_bytes()
    head = 10 + int.from_bytes(data[8:10], 'little')
    shape = eval(data[10:head].decode())['shape']  # pylint: disable=eval-used
    values, plane = array.array('f', data[head:]), shape[2] * shape[3]
    out = bytearray(b'\xff' * (4 * plane))
    low, high = min(0, *values), max(1, *values)
    for c in range(3):
        out[c::4] = bytes(round(255 * (v - low) / (high - low)) for v in values[c * plane:(c + 1) * plane])
    return shape[3], shape[2], bytes(out)


def shown(page, canvas):
    width, height, text = page.value(CANVAS % canvas)
    return width, height, base64.b64decode(text)


# ---- what the page shows


def arrays_are_those_of_the_command(page):
    give(page, 'warp.onnxtxt')
    check('3 nodes' in page.value('document.getElementById("facts").textContent'), 'the facts of the model')
    check(page.value('document.querySelectorAll(".input").length') == 2, 'the inputs are not shown')
    give(page, 'photo.ppm', 'theta.npy')
    said = run(page)
    check('451 x 300' in said and 'NCHW rgb' in said, 'the conversion is not told:', said)
    native('run', 'warp.onnxtxt', '-q', '-i', 'photo.ppm', '-i', 'theta.npy', '-o', 'warped.npy')
    check(shown(page, '#outputs canvas') == pixels_of(pathlib.Path('warped.npy')), 'the pixels are not those of the command')
    line = page.value('document.getElementById("line").textContent')
    check(line == 'ocellus run warp.onnxtxt -i image=photo.ppm -i theta=theta.npy --cast', line)


def answers_are_those_of_the_command(page):
    give(page, 'colours.onnxtxt', 'colours.txt', 'photo.ppm')
    check('photo.ppm' in fine(page), 'there is no answer:', page.value(STATE))
    line = page.value('document.getElementById("line").textContent').split()
    check(line == ['ocellus', 'predict', 'colours.onnxtxt', 'photo.ppm', '--labels', 'colours.txt'], line)
    objects = json.loads(native(*line[1:], '-q', '--json'))['answers'][0]['objects']
    wanted = [f'{o["name"]} {o["score"]:.3g}' for o in objects]
    seen = page.value('[...document.querySelectorAll(".bars li")].map(li => `${li.querySelector("b").textContent} ${li.lastChild.textContent}`)')
    check(seen == wanted and len(seen) == 3, seen, wanted)
    check(shown(page, '#drawn')[:2] == (451, 300), 'the picture is not drawn')
    set_field(page, 'top', '2')
    idle(page)
    check(page.value('document.querySelectorAll(".bars li").length') == 2, '--top')
    check(page.value('document.getElementById("line").textContent').split()[4:6] == ['--top', '2'], 'the line has no --top')
    set_field(page, 'top', '')
    idle(page)
    click(page, 'arrays')  # and without the decoder
    page.value('(() => { document.getElementById("option-image-resize").value = "stretch"; })()')
    give(page, 'photo.ppm')
    run(page)
    check('float[1, 3]' in page.value('document.getElementById("outputs").textContent'), 'there are no arrays')
    page.value('(() => { document.getElementById("option-image-resize").value = ""; })()')
    click(page, 'arrays')


def records_are_checked_by_the_command(page):
    give(page, 'colours.onnxtxt', 'photo.ppm')
    path = page.download('(document.getElementById("record").click(), 0)', '*.json')
    fine(page)
    shutil.copy(path, 'record.run.json')
    check('1 passed' in native('test', 'record.run.json'), 'the record')
    give(page, 'record.run.json')
    check(fine(page) == 'pass  record.run.json: 1 output has the recorded bits', 'the page says', page.value(STATE))
    text = pathlib.Path('colours.onnxtxt').read_text(encoding='utf-8')
    pathlib.Path('colours.onnxtxt').write_text(text + '\n', encoding='utf-8')
    done = subprocess.run([OCELLUS, 'test', 'record.run.json'], capture_output=True, text=True, check=False)
    pathlib.Path('colours.onnxtxt').write_text(text, encoding='utf-8')
    check(done.returncode == 1 and 'colours.onnxtxt' in done.stdout, 'another model has the record:', done)


def browsers_decode_pictures(page):
    give(page, 'warp.onnxtxt', 'photo.jpg')
    type_numbers(page, 'theta', '1 0 0  0 1 0')
    run(page)
    native('run', 'warp.onnxtxt', '-q', '-i', 'photo.jpg', '-i', 'same.npy', '-o', 'same_out.npy')
    width, height, bits = shown(page, '#outputs canvas')
    wanted = pixels_of(pathlib.Path('same_out.npy'))
    far = sum(abs(a - b) > 3 for a, b in zip(bits, wanted[2]))
    check((width, height) == wanted[:2] and far < len(bits) / 1000, 'the JPEG is another picture:', far)
    saved = page.download('(document.querySelector("#saves button").click(), 0)', '*.ppm')
    native('run', 'warp.onnxtxt', '-q', '-i', saved, '-i', 'same.npy', '-o', 'saved_out.npy')
    check(pixels_of(pathlib.Path('saved_out.npy'))[2] == bits, 'the saved pixels are others')


def a_look_inside(page):
    give(page, 'colours.onnxtxt', 'photo.ppm')
    click(page, 'times')
    idle(page)
    check('GlobalAveragePool' in page.value('document.getElementById("report").textContent'), 'times:', page.value(STATE))
    click(page, 'check')
    idle(page)
    said = page.value('document.getElementById("report").textContent')
    check('0 disagreements' in said and 'Softmax-13' in said, 'the check:', said)
    click(page, 'graph')
    wait(page, 'Boolean(document.querySelector("#report iframe"))')
    for _ in range(20):  # the graph draws itself in a frame of its own, which tells nobody
        page.value('new Promise(done => setTimeout(done, 300))')
        seen = shoot(page, 'graph')
        if seen.get(b'\x2f\x7d\x4f', 0) > 5:
            break
    check(seen.get(b'\x2f\x7d\x4f', 0) > 5, 'no graph:', len(seen))
    page.value('(() => { document.getElementById("operator").value = "AffineGrid"; document.getElementById("check-operator").click(); })()')
    report = wait(page, '/disagreements/.test(document.getElementById("bodies-report").textContent) && '
                  'document.getElementById("bodies-report").textContent', 120)
    check('0 disagreements' in report and 'worst/bound' in report, 'a body against a kernel:', report)


def mistakes_are_named(page):
    for name, data, words in (('broken.onnx', b'\xff\xd8\xff junk', 'not an ONNX model'),
                              ('wrong.onnxtxt', b'<ir_version: 9> g (float[2] x => (y) {}', 'column 31'),
                              ('weights.onnxtxt', b'<ir_version: 9, opset_import: ["" : 20]> g (float[1] x) => (y) '
                               b'<float[1] w = ["location": "weights.bin"]> { y = Add (x, w) }', 'weights.bin')):
        pathlib.Path(name).write_bytes(data)
        give(page, name)
        check(words in page.value(STATE) and page.value('document.body.dataset.state') == 'failed', name, 'says', page.value(STATE))
    pathlib.Path('weights.bin').write_bytes(array.array('f', [2]).tobytes())
    give(page, 'weights.bin')  # which the model has waited for
    fine(page)
    give(page, 'broken.onnx')
    give(page, 'photo.ppm')
    check('drop a model first' in page.value(STATE), page.value(STATE))
    click(page, 'times')
    idle(page)
    check('drop a model first' in page.value(STATE), page.value(STATE))
    give(page, 'colours.onnxtxt')
    pathlib.Path('text.png').write_text('no picture', encoding='utf-8')
    give(page, 'text.png')
    check('text.png: no picture' in page.value(STATE), page.value(STATE))
    set_field(page, 'image-resize', 'nope')
    idle(page)
    check('nope' in page.value(STATE), page.value(STATE))
    set_field(page, 'image-resize', '')
    idle(page)
    give(page, 'warp.onnxtxt')
    type_numbers(page, 'theta', '1 2 3')
    click(page, 'run')
    idle(page)
    check("input 'theta': expected 6 numbers" in page.value(STATE), page.value(STATE))


def runs_are_stopped(page):
    give(page, 'endless.onnxtxt')
    click(page, 'run')
    wait(page, 'document.body.dataset.state === "busy" && /^0\\.[3-9] s/.test(document.getElementById("clock").textContent)')
    click(page, 'run')  # another one takes its place
    wait(page, 'document.body.dataset.state === "busy" && /^0\\.[3-9] s/.test(document.getElementById("clock").textContent)')
    begin = time.monotonic()
    click(page, 'stop')
    wait(page, IDLE)
    check(page.value(STATE) == 'stopped' and time.monotonic() - begin < 2, page.value(STATE))
    click(page, 'run')
    wait(page, 'document.body.dataset.state === "busy"')
    page.value('["run", "stop"].map(id => document.getElementById(id).click())')  # the second run has not begun
    wait(page, IDLE)
    check(page.value(STATE) == 'stopped', page.value(STATE))
    give(page, 'colours.onnxtxt', 'photo.ppm')
    fine(page)


def cameras_are_answered(page):
    give(page, 'colours.onnxtxt')
    click(page, 'camera')
    wait(page, '/[\\d.]+ frames per second/.test(document.getElementById("clock").textContent)')
    check(page.value('document.querySelectorAll(".bars li").length') == 3, 'no answer of the camera')
    click(page, 'camera')
    idle(page)
    check(page.value('document.getElementById("camera").getAttribute("aria-pressed")') == 'false', 'the camera goes on')
    click(page, 'camera')
    wait(page, '/[\\d.]+ frames per second/.test(document.getElementById("clock").textContent)')
    set_field(page, 'top', '2')  # it goes on with another decoder
    wait(page, 'document.querySelectorAll(".bars li").length === 2')
    set_field(page, 'top', '')
    give(page, 'warp.onnxtxt')
    check(page.value(STATE) == '', 'another model ends the camera with', page.value(STATE))


def expect_workers(page, most, why):
    """The browser tells of workers that have ended for a moment."""
    end = time.monotonic() + 10
    while page.workers() > most and time.monotonic() < end:
        time.sleep(0.05)
    check(page.workers() <= most, page.workers(), 'workers', why)


def quick_hands_change_nothing(page):
    """What was asked for last counts, whatever was going on."""
    give(page, 'colours.onnxtxt', 'photo.ppm')
    for top in '1', '3', '2':
        set_field(page, 'top', top)
    click(page, 'run')
    idle(page)
    line, bars = page.value('document.getElementById("line").textContent'), page.value('document.querySelectorAll(".bars li").length')
    check(line == 'ocellus predict colours.onnxtxt photo.ppm --top 2' and bars == 2, line, bars)
    set_field(page, 'least', 'abc')
    click(page, 'run')
    idle(page)
    check('abc' in page.value(STATE) or 'least' in page.value(STATE), page.value(STATE))
    check(page.value('document.getElementById("results").hidden'), 'made-up arrays are shown')
    set_field(page, 'least', '')
    set_field(page, 'top', '')
    idle(page)
    for name in 'warp', 'colours', 'warp', 'colours', 'warp':
        page.drop(f'{name}.onnxtxt')
    idle(page)
    check(page.value('document.getElementById("name").textContent') == 'warp.onnxtxt', 'the last model is not open')
    if page.name == 'chromium':
        expect_workers(page, 1, 'for one model')


def files_dropped_together_belong_together(page):
    pathlib.Path('four.onnxtxt').write_text('<ir_version: 9, opset_import: ["" : 20]> g (float[1,3,8,8] image) => (float[1,4] s) '
                                            '<int64[2] a = {0, 1}, int64[4] p = {0, 0, 0, 1}> { m = ReduceMean <keepdims = 0> (image, b)  n = Pad (m, p)  '
                                            's = Softmax (n) }'.replace('int64[2] a = {0, 1}', 'int64[2] b = {2, 3}'), encoding='utf-8')
    pathlib.Path('four.txt').write_text('red\r\n\r\nblue\r\n pad\r\n', encoding='utf-8')
    give(page, 'colours.onnxtxt', 'colours.txt', 'photo.ppm')
    give(page, 'four.onnxtxt', 'four.txt', 'photo.ppm')  # names of a model that is not open yet, one of them empty
    fine(page)
    seen = page.value('[...document.querySelectorAll(".bars b")].map(b => b.textContent)')
    check(set(seen) == {'red', '', 'blue', ' pad'}, seen)
    give(page, 'colours.onnxtxt', 'photo.ppm')
    seen = page.value('[...document.querySelectorAll(".bars b")].map(b => b.textContent)')
    check(set(seen) == {'label 0', 'label 1', 'label 2'}, 'labels of the model before:', seen)


def inputs_keep_what_they_are_given(page):
    pathlib.Path('minus.onnxtxt').write_text('<ir_version: 9, opset_import: ["" : 20]> g (float[2] a, float[2] b, int64[1] n) => (y, m) '
                                             '{ y = Sub (a, b)  m = Identity (n) }', encoding='utf-8')
    for folder, value in ('one', [5, 3]), ('two', [1, 2]):
        pathlib.Path(folder).mkdir(exist_ok=True)
        pathlib.Path(folder, 'x.json').write_text(json.dumps(value), encoding='utf-8')
    give(page, 'minus.onnxtxt')
    type_numbers(page, 'n', '9007199254740993')
    page.choose('#input-0', 'one/x.json')
    idle(page)
    page.choose('#input-1', 'two/x.json')
    idle(page)
    run(page)
    said = page.value('document.getElementById("outputs").textContent')
    check('4, 1' in said and '9007199254740993' in said, said)
    pathlib.Path('odd.onnxtxt').write_text('<ir_version: 9, opset_import: ["" : 20]> g (float[1] x) => (y) <float[3] w = {1, -1, 0}> '
                                           '{ z = Sub (x, x)  y = Div (w, z) }', encoding='utf-8')
    give(page, 'odd.onnxtxt')
    run(page)
    said = page.value('document.getElementById("outputs").textContent')
    check('Infinity, -Infinity, NaN' in said and '1 NaN' in said, 'no numbers:', said)
    give(page, 'warp.onnxtxt')
    type_numbers(page, 'theta', '1 0 0 0 1 0')
    give(page, 'photo.ppm')
    give(page, 'photo.jpg')  # another picture takes the place of the first
    check('photo.jpg' in page.value('document.getElementById("inputs").textContent'), 'the picture')
    run(page)
    line = page.value('document.getElementById("line").textContent')
    check(line == "ocellus run warp.onnxtxt -i image=photo.ppm -i 'theta=[[[1,0,0],[0,1,0]]]' --cast", line)


def large_models_freeze_nothing(page):
    weights = LARGE // 4
    pathlib.Path('large.onnxtxt').write_text(
        f'<ir_version: 9, opset_import: ["" : 20]> g (float[1] x) => (y) <float[{weights}] w = ["location": "w.bin"]> '
        '{ a = ReduceSum <keepdims = 0> (w)  y = Mul (a, x) }', encoding='utf-8')
    pathlib.Path('w.bin').write_bytes(bytes(LARGE))
    native('convert', 'large.onnxtxt', 'large.onnx')
    check(pathlib.Path('large.onnx').stat().st_size > LARGE, 'the model is small')
    page.value('''(() => { window.away = 0; let last = performance.now();
      window.timer = setInterval(() => { const now = performance.now(); window.away = Math.max(window.away, now - last); last = now; }, 10); })()''')
    give(page, 'large.onnx')
    run(page)
    away = page.value('(clearInterval(window.timer), window.away)')
    check(away < 1000 * FROZEN, f'the page was away for {away:.0f} ms')
    print(f'{page.name}: a model of {LARGE >> 20} MB keeps the page for {away:.0f} ms')


def narrow_and_dark_pages_are_whole(page):
    give(page, 'colours.onnxtxt', 'colours.txt', 'photo.ppm')
    page.value('document.querySelectorAll("details").forEach(d => { d.open = true; })')
    for width, dark, name in (390, False, 'narrow'), (390, True, 'narrow-dark'), (1200, True, 'dark'), (1200, False, 'wide'):
        page.resize(width, 900, dark)
        wide = page.value('document.documentElement.scrollWidth')
        check(wide <= width, name, 'is', wide, 'pixels wide')
        check(len(shoot(page, name)) > 100, name, 'has no picture')
        check(not page.nameless(), 'no names:', page.nameless())
    page.value('document.querySelectorAll("details").forEach(d => { d.open = false; })')


def keys_are_enough(page):
    """Every control that is shown can have the focus, in the order of the page."""
    page.value('document.getElementById("example-colours").focus()')
    focused = page.value('(document.activeElement.click(), document.activeElement.id)')
    check(focused == 'example-colours', focused)
    idle(page)
    check('a drawing.png' in fine(page), page.value(STATE))
    bad = page.value('[...document.querySelectorAll("button, input:not([hidden]), select, summary")].filter(e => e.checkVisibility() && !e.disabled)'
                     '.filter(e => (e.focus(), document.activeElement !== e) || e.tabIndex < 0).map(e => e.outerHTML)')
    check(not bad, 'these take no focus:', bad)


def closed_pages_leave_nothing(page):
    """A page that is closed while its model runs ends its worker."""
    if page.name != 'chromium':  # firefox tells of no workers
        return
    with type(page)(PAGE) as other:
        wait(other, 'document.body.dataset.state === "ready"')
        give(other, 'endless.onnxtxt')
        click(other, 'run')
        wait(other, '/^0\\.[3-9] s/.test(document.getElementById("clock").textContent)')
        check(other.workers(), 'the run has no worker')
        other.ask('Page.navigate', url='about:blank')
        expect_workers(other, 0, 'of a closed page')


TESTS = [arrays_are_those_of_the_command, answers_are_those_of_the_command, records_are_checked_by_the_command, browsers_decode_pictures,
         a_look_inside, mistakes_are_named, runs_are_stopped, cameras_are_answered, quick_hands_change_nothing,
         files_dropped_together_belong_together, inputs_keep_what_they_are_given, large_models_freeze_nothing,
         narrow_and_dark_pages_are_whole, keys_are_enough, closed_pages_leave_nothing]


def write_files():
    for name in 'photo.jpg', 'theta.npy', 'warp.onnxtxt', 'colours.onnxtxt', 'colours.txt':
        shutil.copy(DEMO / name, name)
    pathlib.Path('same.onnxtxt').write_text(
        '<ir_version: 8, opset_import: ["" : 17]> g () => (float[1,2,3] y) '
        '{ y = Constant <value: tensor = float[1,2,3] {1, 0, 0, 0, 1, 0}> () }', encoding='utf-8')
    native('run', 'same.onnxtxt', '-q', '-o', 'same.npy')
    pathlib.Path('endless.onnxtxt').write_text(
        '<ir_version: 9, opset_import: ["" : 20]> g (float[2] x) => (y) { n = Constant <value = int64 {1099511627776}> ()\n'
        't = Constant <value = bool {1}> () y = Loop (n, t, x) <body = b (int64 i, bool go, float[2] v) => (bool on, float[2] w) '
        '{ on = Identity (go)  w = Neg (v) }> }', encoding='utf-8')
    # The photograph as bytes that page and command read alike.
    pathlib.Path('as_is.onnxtxt').write_text(
        '<ir_version: 8, opset_import: ["" : 17]> g (uint8[H,W,3] x) => (uint8[H,W,3] y) { y = Identity (x) }', encoding='utf-8')
    native('run', 'as_is.onnxtxt', '-q', '-i', 'photo.jpg', '-o', 'as_is.npy')
    data = pathlib.Path('as_is.npy').read_bytes()
    pathlib.Path('photo.ppm').write_bytes(b'P6 451 300 255\n' + data[10 + int.from_bytes(data[8:10], 'little'):])


def try_page(browser):
    """How many tests pass, and fail."""
    passed = failed = 0
    with browser(PAGE) as page:
        check(page.wait('document.body.dataset.state === "ready"'), 'the page does not begin', page.thrown)
        for test in TESTS:
            if os.environ.get('TEST', '') not in test.__name__:
                continue
            try:
                test(page)
                check(not page.thrown, 'a script has thrown', page.thrown)
                passed += 1
            except (Wrong, RuntimeError) as error:
                print(f'{page.name}: {test.__name__}: {error}', flush=True)
                failed += 1
                page.thrown.clear()
        away = [url for url in page.requested if not url.startswith(('file:', 'blob:', 'data:', 'about:'))]
        if away:
            print(f'{page.name}: the page asked for', away)
            failed += 1
    return passed, failed


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_files()
        for browser in BROWSERS:
            if not browser.is_there():
                print(f'{browser.name}: not installed, not tested')
                continue
            p, f = try_page(browser)
            passed, failed = passed + p, failed + f
        os.chdir('/')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


sys.exit(main())

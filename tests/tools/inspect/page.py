# SPDX-License-Identifier: Apache-2.0
"""page.py OCELLUS DEMO - the page of ocellus inspect --html, looked at in chromium without a window: what its script draws
and tells, with names that try to break out, and pictures of it on light and dark screens. With a third argument, a folder,
the pictures stay there."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import resnet

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from checks import check, finish
from chromium import BROWSER, browse
from png import colours

OCELLUS, DEMO = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
KEEP = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
SKIP = 77
FLAGS = '--window-size=1400,900', '--virtual-time-budget=4000'


def page(model, *words):
    """Writes model.html; returns its text and the data of its script."""
    name = pathlib.Path(model).stem + '.html'
    done = subprocess.run([OCELLUS, 'inspect', model, '--html', name, *words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    check(done.returncode == 0 and not done.stdout, words, done.returncode, done.stderr)
    text = pathlib.Path(name).read_text(encoding='utf-8')
    return text, json.loads(re.search(r'id="model">(.*?)</script>', text, re.S)[1])


def look(name, *flags):
    return browse(name, *FLAGS, *flags)


def shoot(name, to, *flags):
    path = (KEEP or pathlib.Path.cwd()) / to
    look(name, f'--screenshot={path}', *flags)
    return colours(path)


# ---- without a browser

HOSTILE = r'</script><img src=x onerror=document.title=1>\"\\<!--&amp;\x1b\n'


def hostile_names():
    name = f'"{HOSTILE}%s"'
    pathlib.Path('hostile.onnxtxt').write_text(
        f'<ir_version: 8, opset_import: ["" : 17, "{HOSTILE}d" : 1], metadata_props: ["{HOSTILE}": "{HOSTILE}"]>\n'
        f'{name % "g"} (float[2] {name % "x"}) => (float[2] {name % "y"})\n'
        f'{{ [{name % "n"}] {name % "t"} = Neg ({name % "x"}) {name % "y"} = Exp ({name % "t"}) }}\n', encoding='utf-8')
    text, data = page('hostile.onnxtxt', '--fill', 'random')
    check(text.count('<script') == 2 and '<img' not in text and '<!--' not in text, 'a name breaks out')
    check(data['boxes'][1][7].endswith('n') and len(data['values']) == 3, data)
    frame = re.sub(r'id="model">.*?</script>', '', text, flags=re.S)
    check(not re.search(r'(src|href)=|url\((?!#)|@import|fetch\(', frame), 'the page needs another file')


def data_of_resnet():
    pathlib.Path('resnet18.onnxtxt').write_text(resnet.resnet18(), encoding='utf-8')
    _, data = page('resnet18.onnxtxt', '--dim', 'N=1')
    check(['MACs', str(resnet.TOTAL)] in data['facts'] and ['layers', '18'] in data['metadata'], data['facts'])
    kinds = [box[0] for box in data['boxes']]
    check(kinds.count(0) == 49 and kinds.count(2) == 1, kinds)
    add = next(box for box in data['boxes'] if box[7] == 's1b0_add')
    check(add[6] == 'float[1,64,56,56]', add)


def data_of_constants():
    """A Constant of weights has no box; what reads it is told that it is a weight."""
    pathlib.Path('paddle.onnxtxt').write_text(
        '<ir_version: 8, opset_import: ["" : 17], doc_string: "What it is for.">\n'
        'g ({doc_string: "a row"} float[1,2] x) => ({doc_string: "scores"} float[1,3] y, float[3] z)\n'
        '{ w = Constant <value = float[2,3] {1, 2, 3, 4, 5, 6}> () b = Constant <value_float = 2.0> () t = MatMul (x, w)'
        ' y = Mul (t, b) z = Constant <value = float[3] {1, 2, 3}> () }\n', encoding='utf-8')
    _, data = page('paddle.onnxtxt')
    check([box[5] for box in data['boxes']] == ['x', 'Constant', 'MatMul', 'Mul', 'Constant', 'y', 'z'], data['boxes'])
    check(data['nodes'][2]['inputs'] == [['x', 'float[1,2]', 0], ['w', 'float[2,3]', 1]], data['nodes'][2])
    check(['parameters', '9'] in data['facts'] and ['weights in Constants', '2'] in data['facts'], data['facts'])
    check(data['description'] == ['What it is for.', ''] and data['descriptions'] == [['x', 'a row'], ['y', 'scores']], data)


def data_that_are_lost():
    pathlib.Path('lost.onnxtxt').write_text(
        '<ir_version: 8, opset_import: ["" : 17]>\ng (float[1,2] x) => (y) <float[2,3] w = ["location": "gone.bin"]>'
        ' { y = MatMul (x, w) }\n', encoding='utf-8')
    _, data = page('lost.onnxtxt')
    check([box[5] for box in data['boxes']] == ['x', 'MatMul', 'y'] and ['parameters', '6'] in data['facts'], data)
    check(data['remarks'] == ["the elements of 1 initializer cannot be read, the first: external data 'gone.bin': No such file or directory"]
          and not data['problems'], data)


def data_of_values():
    """Axes of length 1 behind the others are no picture of one cell."""
    pathlib.Path('means.onnxtxt').write_text(
        '<ir_version: 8, opset_import: ["" : 17]>\ng (float[1,20,4,4] x) => (float[1,20,1,1] y, float[1,20,16,1] z)\n'
        '{ y = ReduceMean <axes = [2, 3]> (x) shape = Constant <value_ints = [1, 20, 16, 1]> () z = Reshape (x, shape) }\n', encoding='utf-8')
    _, data = page('means.onnxtxt', '--fill', 'random')
    sizes = {v['name']: (v['width'], v['height']) for v in data['values'] if 'cells' in v}
    check(sizes == {'x': (4, 4), 'y': (20, 1), 'z': (16, 20)}, sizes)


# ---- in the browser

def demo():
    for name in 'photo.jpg', 'theta.npy', 'warp.onnxtxt':
        shutil.copy(DEMO / name, name)
    page('warp.onnxtxt', '-i', 'photo.jpg', '-i', 'theta.npy')
    dom = look('warp.html#node=2', '--dump-dom')
    side = re.sub(r'<[^>]*>', '\n', dom[dom.index('<aside'):dom.index('</aside>')])
    for words in 'GridSample', 'kernel', 'Attributes', 'warped', 'float[1,3,300,451]', 'least', 'greatest', '0.83', 'image':
        check(words in side, words, 'is not told of the node:', side)
    check(dom.count('class="box') == 6 and 'data-drawn="6 boxes' in dom and '<canvas' in dom, dom[-3000:])
    check(re.search(r'class="box s0 chosen"', dom), 'the node is not marked')
    light, dark = shoot('warp.html#node=2', 'warp.png'), shoot('warp.html#node=2', 'warp_dark.png', '--force-dark-mode',
                                                               '--enable-features=WebContentsForceDark',
                                                               '--blink-settings=preferredColorScheme=0')
    check(light.get(b'\xff\xff\xff', 0) > 5000 and light.get(b'\x2f\x7d\x4f', 0) > 20, 'no card, no colour of kernels')
    check(len(light) > 40 and dark.get(b'\xff\xff\xff', 0) < light[b'\xff\xff\xff'] / 10, 'the dark page is light')


def names_do_no_harm():
    dom = look('hostile.html#node=0', '--dump-dom')
    check(dom.count('<script') == 2 and '<img' not in dom and '<title>hostile.onnxtxt</title>' in dom, 'a name breaks out')
    check('data-ready="4 boxes, 3 lines, 1 graphs"' in dom, dom[:500])


def graphs_within():
    pathlib.Path('if.onnxtxt').write_text(
        '<ir_version: 8, opset_import: ["" : 17, "m" : 1]>\ng (bool c, float[2] x) => (y, z, u)\n'
        '{ t = Neg (x) y = If <then_branch = t () => (k) { k = Relu (t) }, else_branch = e () => (k) { k = Neg (x) }> (c)'
        ' z = Gelu (t) u = m.Own (t) }\n<domain: "m", opset_import: ["" : 17]>\nOwn (a) => (b) { b = Abs (a) }\n', encoding='utf-8')
    page('if.onnxtxt')
    dom = look('if.html', '--dump-dom')
    check('3 graphs"' in dom and 'then_branch of If' in dom and 'not supported' in dom and "model's function" in dom, dom[:900])
    inner = look('if.html#node=2', '--dump-dom')
    check('data-drawn="2 boxes' in inner and 'Relu' in inner, inner[-1500:])


def on_screen(dom, title):
    """Where the middle of a box is on the screen, in pixels of the picture."""
    x, y, k = map(float, re.search(r'<g id="world" transform="translate\(([-\d.e]+) ([-\d.e]+)\) scale\(([-\d.e]+)\)"', dom).groups())
    left, top, width = map(float, re.search(r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)"[^>]*>(?:</rect>)?(?:<rect[^>]*>(?:</rect>)?)?'
                                            fr'<text[^>]*>{title}<', dom).groups())
    return x + k * (left + width / 2), y + k * top


def panel_of_inputs_and_outputs():
    dom = look('paddle.html', '--dump-dom')
    side = re.sub(r'(<[^>]*>)+', '\n', dom[dom.index('<aside'):dom.index('</aside>')]).split('\n')
    at = side.index('Inputs')
    check(side[at:at + 9] == ['Inputs', 'x', 'float[1,2]', 'a row', 'Outputs', 'y', 'float[1,3]', 'scores', 'z'], side)
    check('What it is for.' in side and '5 nodes, 9 parameters' in dom, side)


# Tells which texts stick out of their cards, and which pictures of values have cells of more than 24 pixels.
STICKS_OUT = """<!DOCTYPE html><body style="margin: 0"><iframe id="f" src="%s" width="1200" height="800"></iframe><script>
addEventListener('load', () => setTimeout(() => {
  const d = f.contentWindow.document;
  const far = [...d.querySelectorAll('li *')].filter((e) => e.getBoundingClientRect().right > e.closest('li').getBoundingClientRect().right);
  const large = [...d.querySelectorAll('canvas')].filter((e) => e.clientWidth > 24 * e.width + 1);
  document.body.dataset.told = JSON.stringify([...far, ...large].map((e) => e.outerHTML.slice(0, 80)));
}, 500));
</script></body>"""

# Moves two fingers apart, and tells what sticks out of the screen, how high the parts are, and what the fingers did.
NARROW = """<!DOCTYPE html><body style="margin: 0; background: #808080"><iframe id="f" src="%s" width="390" height="844" style="border: 0"></iframe><script>
addEventListener('load', () => setTimeout(() => {
  const w = f.contentWindow, d = w.document, far = [...d.querySelectorAll('header, header *, main, main :not(svg, svg *), aside, aside *')]
    .filter((e) => e.getClientRects().length && (e.getBoundingClientRect().right > 390 || e.getBoundingClientRect().left < 0));
  const zoom = () => { w.draw(); return +/scale\\(([^)]*)/.exec(d.getElementById('world').getAttribute('transform'))[1]; };
  const touch = (type, id, x, to) => to.dispatchEvent(new w.PointerEvent(type, { pointerId: id, clientX: x, clientY: 300, bubbles: true }));
  const picture = d.getElementById('picture'), before = zoom(), search = d.getElementById('search');
  const pen = d.createElement('canvas').getContext('2d'), style = w.getComputedStyle(search);
  pen.font = style.font;
  const spare = search.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - pen.measureText(search.placeholder).width;
  for (const [id, x] of [[1, 180], [2, 220]]) touch('pointerdown', id, x, picture);
  touch('pointermove', 1, 160, w); touch('pointermove', 2, 240, w);
  touch('pointerup', 1, 160, w); touch('pointerup', 2, 240, w);
  document.body.dataset.told = JSON.stringify([w.innerWidth, far.map((e) => e.outerHTML.slice(0, 80)), d.body.scrollWidth,
    picture.clientHeight, d.getElementById('side').clientHeight, zoom() / before, d.body.dataset.chosen, spare]);
}, 500));
</script></body>"""


def narrow():
    """A telephone's screen, of 390 pixels, in the light and in the dark."""
    for name in 'paddle', 'lost', 'resnet18', 'warp', 'if', 'hostile', 'long_name_of_it':
        pathlib.Path('frame.html').write_text(NARROW % f'{name}.html', encoding='utf-8')
        dom = browse('frame.html', '--window-size=800,900', '--virtual-time-budget=6000', '--allow-file-access-from-files', '--dump-dom')
        told = re.search(r'data-told="([^"]*)"', dom)
        check(told, name, dom[:300])
        wide, far, scrolls, picture, side, zoomed, chosen, words = json.loads(told[1].replace('&quot;', '"').replace('&lt;', '<').replace('&amp;', '&'))
        check(wide == 390 and not far and scrolls == 390, name, 'sticks out:', wide, far, scrolls)
        check(picture > 250 and side > 250, name, picture, side)
        check(words >= 0, name, 'what the field says is cut by', -words, 'pixels')
        check(abs(zoomed - 2) < 0.01 and chosen == '', name, 'two fingers zoom by', zoomed, chosen)
    pathlib.Path('frame.html').write_text(NARROW.split('<script>', maxsplit=1)[0] % 'warp.html' + '</body>', encoding='utf-8')
    light, dark = (shoot('frame.html', f'narrow_{to}.png', '--window-size=500,1000', *flags) for to, flags in
                   (('light', []), ('dark', ['--blink-settings=preferredColorScheme=0'])))
    check(light.get(b'\xff\xff\xff', 0) > 2000 and light.get(b'\x2f\x7d\x4f', 0) > 5, 'light', len(light))
    check(dark.get(b'\xff\xff\xff', 0) < 20 and dark.get(b'\x58\xb0\x7b', 0) > 5, 'dark', dark.get(b'\xff\xff\xff', 0))


def names_stay_in_their_cards():
    """Long names of values and nodes are broken at any letter; beside them a weight says so."""
    name = '/model.8/cv1/conv/Conv_output_0_bias_reshape_' + '0123456789' * 8
    pathlib.Path('long_name_of_it.onnxtxt').write_text(
        f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[1,20,1,1] "{name}x") => (float[1,20,1,1] "{name}y") <float[1] "{name}w" = {{1}}>\n'
        f'{{ ["{name}n"] "{name}y" = Add ("{name}x", "{name}w") }}\n', encoding='utf-8')
    page('long_name_of_it.onnxtxt', '--fill', 'random')
    pathlib.Path('wide.html').write_text(STICKS_OUT % 'long_name_of_it.html#node=0', encoding='utf-8')
    dom = browse('wide.html', '--window-size=1300,900', '--virtual-time-budget=4000', '--allow-file-access-from-files', '--dump-dom')
    told = json.loads(re.search(r'data-told="([^"]*)"', dom)[1].replace('&quot;', '"').replace('&lt;', '<').replace('&amp;', '&'))
    check(told == [], 'sticks out of its card:', told)


def begins_at_the_first_input():
    """Where not all of a graph is in view its first input is, whatever shape it has."""
    many = range(60)
    wide = ', '.join(f'float[2] x{i}' for i in many), '\n'.join(f'y{i} = Neg (x{i})' for i in many)
    narrow = 'float[2] x0', 'y0 = Neg (x0)\n' + '\n'.join(f'y{i} = Concat <axis = 0> ({", ".join(f"y{k}" for k in range(i))})'
                                                            for i in range(1, 30))
    last = 'float[2] x0', '\n'.join(f'w{i} = Constant <value_floats = [1.0]> ()' for i in many) + '\ny0 = Concat <axis = 0> (' + \
        ', '.join(f'w{i}' for i in many) + ', x0)'
    for name, (inputs, nodes) in {'wide': wide, 'narrow': narrow, 'last': last}.items():
        pathlib.Path(f'{name}.onnxtxt').write_text(
            f'<ir_version: 8, opset_import: ["" : 17]>\ng ({inputs}) => (y0) {{\n{nodes}\n}}\n', encoding='utf-8')
        page(f'{name}.onnxtxt')
        x, y = on_screen(look(f'{name}.html', '--dump-dom'), 'x0')
        check(30 < x < 1000 and 40 < y < 600, name, 'begins elsewhere: its first input is at', x, y)
    chain = '\n'.join(f'v{i + 1} = Neg (v{i})' for i in range(120)) + '\n' + '\n'.join(f'r{i} = Neg (v{i + 10})' for i in range(110))
    pathlib.Path('aside.onnxtxt').write_text(
        f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x0) => (y0) {{\nv0 = Neg (x0)\n{chain}\n'
        f'y0 = Concat <axis = 0> (v120, {", ".join(f"r{i}" for i in range(110))})\n}}\n', encoding='utf-8')
    page('aside.onnxtxt')
    x, y = on_screen(look('aside.html', '--dump-dom'), 'x0')
    check(400 < x < 630, 'a graph that is wide further down begins beside the middle:', x, y)


def marks_are_seen():
    """What is found and what is chosen, in a graph drawn as blocks, in one whose boxes are small, and in one at full size."""
    nodes = '\n'.join(f'v{i + 1} = {"Relu" if i % 300 == 299 else "Neg"} (v{i})' for i in range(3000))
    pathlib.Path('blocks.onnxtxt').write_text(
        f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] v0) => (float[2] v3000) {{\n{nodes}\n}}\n', encoding='utf-8')
    page('blocks.onnxtxt')
    for name, found, drawn in (('blocks.html#node=1500&find=Relu&fit', 10, 'blocks'), ('resnet18.html#node=12&find=relu&fit', 17, 'boxes')):
        dom = look(name, '--dump-dom')
        check(f'data-marks="{found} found 1 chosen"' in dom and f'{drawn} ' in dom, name, dom[:600])
        seen = shoot(name, re.sub(r'\W.*', '', name) + '_fit.png').get(b'\xc9\x60\x1b', 0)
        check(seen > 8 * found, name, 'has', seen, 'pixels of marks')
    near = look('resnet18.html#node=12&find=relu', '--dump-dom')
    check('class="box s0 found chosen"' in near and 'data-marks' not in near, 'marks of boxes at full size')


def networks():
    dom = look('resnet18.html', '--dump-dom')
    check('data-ready="' in dom and '1.814 GMACs' in dom, dom[:900])
    seen = shoot('resnet18.html#node=12', 'resnet18.png')
    check(seen.get(b'\x2f\x7d\x4f', 0) > 100 and len(seen) > 40, 'nothing is drawn')
    count = 100000
    nodes = '\n'.join(f'v{i + 1} = Add (v{i}, v{max(0, i - i % 13)})' for i in range(count))
    pathlib.Path('large.onnxtxt').write_text(
        f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] v0) => (float[2] v{count}) {{\n{nodes}\n}}\n', encoding='utf-8')
    page('large.onnxtxt')
    dom = look('large.html#node=50000', '--dump-dom')
    check(f'data-ready="{count + 2} boxes' in dom and 10 < dom.count('class="box') < 800, dom.count('class="box'))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    hostile_names()
    data_of_resnet()
    data_of_constants()
    data_that_are_lost()
    data_of_values()
    if BROWSER:
        demo()
        names_do_no_harm()
        graphs_within()
        names_stay_in_their_cards()
        begins_at_the_first_input()
        marks_are_seen()
        networks()
        panel_of_inputs_and_outputs()
        narrow()
    else:
        print('skipped: chromium is not installed')
    os.chdir('/')
finish(0 if BROWSER else SKIP)

# SPDX-License-Identifier: Apache-2.0
"""page.py OCELLUS - the page of ocellus check MODEL --html: what it tells of each run, names that try to break out, and
how it looks in chromium without a window, on light and dark screens. With a second argument, a folder, the pictures stay
there."""
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from checks import check, finish
from chromium import BROWSER, browse
from png import colours

OCELLUS = os.path.abspath(sys.argv[1])
KEEP = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
SKIP = 77
SIZE = '--window-size=1200,900'
HTML = '{http://www.w3.org/1999/xhtml}'
HOSTILE = '</script><img src=x onerror=document.title=1>&amp;'

# What is wrong with the other model: the weight of one element.
MODEL = f'''<ir_version: 10, opset_import: ["" : 22]>
model (float[8,8] x) => (float[8,8] y) <float[8,8] w = {{{', '.join(map(str, range(64)))}}}>
{{ ["{HOSTILE}"] t = Abs (x)  ["mix{HOSTILE}"] "m{HOSTILE}" = Add (t, w)  y = Gelu ("m{HOSTILE}") }}
'''


def run(code, *words):
    done = subprocess.run([OCELLUS, 'check', 'model.onnxtxt', '--fill', 'random', *words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    check(done.returncode == code, words, done.returncode, done.stderr)
    return done


def text_of(element):
    return ' '.join(''.join(element.itertext()).split())


def tables(page):
    """The rows of each axis, as lists of texts."""
    return {text_of(s.find(f'{HTML}h2')).split()[0]: [[text_of(d) for d in r] for r in s.iter(f'{HTML}tr')][1:]
            for s in page.iter(f'{HTML}section')}


def a_page_tells_what_the_table_tells():
    plain = run(1, '--against', 'other.onnxtxt', '--axis', 'body', '--axis', 'fusion')
    told = run(1, '--against', 'other.onnxtxt', '--axis', 'body', '--axis', 'fusion', '--html', 'page.html')
    check(told.stdout == plain.stdout, 'the table is another with a page')
    page = xml.parse('page.html').getroot()
    rows = tables(page)
    check(rows['against'] == [['this model', '', '3', '2', '0', '1', rows['against'][0][6], 'differs']], rows)
    check([r[0] for r in rows['body']] == ['Gelu-20', 'all bodies', 'as expand writes it'], rows)
    check({r[-1] for r in rows['body']} == {'agrees'} and rows['body'][0][2:5] == ['3', '0', '0'], rows)
    check(rows['fusion'] == [['all nodes, fused', '', '1', '0', '2', '0', '0', 'agrees']], rows)
    cards = [text_of(d) for d in page.iter(f'{HTML}div') if 'card' in d.get('class', '').split()]
    check(cards == ['3axes', '5runs compared', '0differ for a known reason', '1disagreement'], cards)
    figures = list(page.iter(f'{HTML}figure'))
    check(len(figures) == 1, len(figures))
    words = text_of(figures[0])
    for part in (f'm{HOSTILE} of Add', f'node mix{HOSTILE}', '1 of 64 elements differ, the first at [2,3]: ',
                 'the greatest difference is 1 at [2,3]: ', 'its input t agrees', "its input w differs: 1 of 64",
                 'output y differs: '):
        check(part in words, part, words)
    check(sum(1 for x in figures[0].iter() if x.tag.endswith('}svg')) == 1, 'there is no picture')
    # Within the text of the page there is no element that a name made.
    for tag in ('script', 'img', 'link', 'iframe', 'object'):
        check(not list(page.iter(f'{HTML}{tag}')), tag)


def pages_of_other_kinds():
    run(0, '--html', 'equal.html')
    page = xml.parse('equal.html').getroot()
    check(not list(page.iter(f'{HTML}figure')) and 'How to read' not in text_of(page), 'a difference is shown')
    out = run(1, '--against', 'other.onnxtxt', '--html', '-').stdout
    check('differs' in text_of(xml.fromstring(out)) and 'max abs    max ulp' not in out, out[:300])
    run(2, '--html', '-', '--json')
    run(1, '--against', 'other.onnxtxt', '--html', 'boxed.html', '--sandbox')
    check(tables(xml.parse('boxed.html').getroot())['against'][0][-1] == 'differs', 'no page from the sandbox')
    check('no/such/page.html: ' in run(3, '--html', 'no/such/page.html').stderr, 'no error')
    run(5, '--html', 'ended.html', '--max-steps', '1')
    check('the check ended: ' in text_of(xml.parse('ended.html').getroot()), 'the page does not tell of the limit')


def in_a_browser():
    dom = browse('page.html', SIZE, '--dump-dom')
    check('<img' not in dom and '<script' not in dom and '<title>model.onnxtxt</title>' in dom, 'a name breaks out')
    dark = ('--force-dark-mode', '--blink-settings=preferredColorScheme=0')
    for name, flags, background, bad in (('light.png', (), b'\xfa\xf9\xf6', b'\xb3\x26\x1e'),
                                         ('dark.png', dark, b'\x14\x16\x1b', b'\xff\x7b\x6e')):
        path = (KEEP or pathlib.Path.cwd()) / name
        browse('page.html', SIZE, f'--screenshot={path}', *flags)
        seen = colours(path)
        check(seen.get(background, 0) > 100000 and seen.get(bad, 0) > 20, name, seen.get(background), seen.get(bad))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path('model.onnxtxt').write_text(MODEL, encoding='utf-8')
    pathlib.Path('other.onnxtxt').write_text(MODEL.replace(' 19,', ' 18,'), encoding='utf-8')
    a_page_tells_what_the_table_tells()
    pages_of_other_kinds()
    if BROWSER:
        in_a_browser()
    else:
        print('skipped: chromium is not installed')
    os.chdir('/')
finish(0 if BROWSER else SKIP)

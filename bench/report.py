# SPDX-License-Identifier: Apache-2.0
"""report.py - the figures of a comparison as tables in Markdown."""
import datetime
import glob
import os
import platform
import re

ALIKE = 1e-3  # most difference between means of results, relative to the mean magnitude

NOT_SLOWER = 0.97  # a speed-up that is no loss, given what medians vary


# ---- the machine

def first_match(pattern, path):
    try:
        with open(path, encoding='utf-8') as f:
            found = re.search(pattern, f.read(), re.M)
    except OSError:
        return None
    return found and found.group(1)


def caches():
    sizes = {}
    for folder in sorted(glob.glob('/sys/devices/system/cpu/cpu0/cache/index*')):
        level, kind, size = (first_match(r'^(\S+)', os.path.join(folder, name)) for name in ('level', 'type', 'size'))
        if kind != 'Instruction':
            sizes[f'L{level}'] = size
    return ', '.join(f'{level} {size}' for level, size in sizes.items()) or 'not known'


def machine():
    info = '/proc/cpuinfo'
    flags = (first_match(r'^(?:flags|Features)\s*:\s*(.*)', info) or '').split()
    return {
        'date': datetime.date.today().isoformat(),
        'processor': first_match(r'^model name\s*:\s*(.*)', info) or platform.machine(),
        'family and model': ' '.join(filter(None, (first_match(r'^cpu family\s*:\s*(.*)', info),
                                                   first_match(r'^model\s*:\s*(.*)', info)))),
        'processors': os.cpu_count(),
        'caches': caches(),
        'instruction sets': ' '.join(f for f in ('avx2', 'f16c', 'avx512f', 'avx512bw', 'avx512_bf16', 'asimd')
                                     if f in flags),
        'system': f'{platform.system()} {platform.machine()}',
    }


# ---- cells

def ms(x):
    return '-' if x is None else f'{x:.0f}' if x >= 1000 else f'{x:.3g}' if x >= 1 else f'{x:.3f}'


def ratio(a, b):
    return a / b if a and b else None


def times(x):
    return '-' if x is None else f'{x:.1f}x' if x < 10 else f'{x:.0f}x'


def verdict(x, target, most=False):
    if x is None or target is None:
        return ''
    return 'yes' if (x <= target if most else x >= target) else 'NO'


def table(head, rows):
    lines = ['| ' + ' | '.join(head) + ' |', '|' + '|'.join(['---'] + ['--:'] * (len(head) - 1)) + '|']
    lines += ['| ' + ' | '.join(str(c) for c in row) + ' |' for row in rows]
    return '\n'.join(lines)


def alike(a, b):
    """Do two results agree? To the bit when both come from Ocellus."""
    if a.get('bits') and b.get('bits'):
        return a['bits'] == b['bits']
    if not a.get('mean') or not b.get('mean'):
        return True
    scale = max(float(a['mean_abs']), 1e-30)
    return all(abs(float(a[k]) - float(b[k])) <= ALIKE * scale for k in ('mean', 'mean_abs'))


# ---- rows

def figure(result, engine, threads):
    return result['engines'].get(engine, {}).get(str(threads), {})


def median(result, engine, threads):
    return figure(result, engine, threads).get('median')


def least(result, engine, threads):
    return min(figure(result, engine, threads).get('ms', []), default=None)


def note(result, engines):
    own = figure(result, 'ocellus', 1)
    notes = [f'fewer runs: {len(own["ms"])}' if result['slow'] else '']
    if not alike(own, figure(result, 'ocellus', 2)):
        notes.append('other bits with 2 threads')
    for engine in engines:
        peer = figure(result, engine, 1)
        if peer.get('error'):
            notes.append(f'{engine}: does not run it')
        elif peer and not alike(own, peer):
            notes.append(f'{engine}: another result')
    if own.get('allocations', '0') != '0':
        notes.append(f'{own["allocations"]} allocations')
    return ', '.join(filter(None, notes))


def one_thread(results, peers):
    head = ['case, 1 thread', 'Ocellus ms', *(f'{p} ms' for p in peers), *(f'{p} ratio' for p in peers), 'target',
            'met', *(['by minima'] if peers else []), 'GB/s', 'copy GB/s', 'note']
    rows = []
    for r in results:
        own, ratios = median(r, 'ocellus', 1), [ratio(median(r, p, 1), median(r, 'ocellus', 1)) for p in peers]
        rows.append([r['name'], ms(own), *(ms(median(r, p, 1)) for p in peers), *map(times, ratios),
                     f'{r["target"]}x' if r['target'] else '',
                     verdict(ratios[0], r['target']) if peers else '',
                     *([times(ratio(least(r, peers[0], 1), least(r, 'ocellus', 1)))] if peers else []),
                     f'{1e-6 * r["bytes"] / own:.1f}' if own else '-',
                     f'{r["copy"]:.1f}' if r['copy'] else '-', note(r, peers)])
    return table(head, rows)


def two_threads(results, peers):
    head = ['case, 2 threads', 'Ocellus ms at 1', 'at 2', 'speed-up', 'met', *(f'{p} ms at 2' for p in peers),
            *(f'{p} ratio' for p in peers)]
    rows = []
    for r in results:
        one, two = median(r, 'ocellus', 1), median(r, 'ocellus', 2)
        bound = 1.8 if one and one > 5 else NOT_SLOWER
        rows.append([r['name'], ms(one), ms(two), times(ratio(one, two)), verdict(ratio(one, two), bound),
                     *(ms(median(r, p, 2)) for p in peers),
                     *(times(ratio(median(r, p, 2), two)) for p in peers)])
    return table(head, rows)


def relation_rows(results):
    rows = []
    for r in results:
        base = r['variants'][0]
        for v in r['variants']:
            share = ratio(v.get('median'), base.get('median'))
            name = r['name'].split(' ', 1)[1] if v is base else ''
            text = f'{share:.2f}' if share and v is not base else ''
            peak = f'{int(v["peak"]) / 1e6:.1f}' if v.get('peak') else '-'
            note = 'not supported' if v.get('error') else ''
            rows.append([name, v['label'], ms(v.get('median')), text, v['bound'] or '',
                         verdict(share, v['bound'], most=True) if v is not base else '', peak, note])
    return rows


def met(results, peers):
    aimed = [r for r in results if r['target'] and peers and median(r, peers[0], 1)]
    reached = [r for r in aimed if median(r, peers[0], 1) >= r['target'] * median(r, 'ocellus', 1)]
    return f'{len(reached)} of {len(aimed)} targets are met.' if aimed else ''


def document(figures):
    results, relations, peers = figures['cases'], figures['relations'], figures['peers']
    parts = ['# Results', 'Written by `./dev bench`; [README.md](README.md) tells how to read it.',
             '\n'.join(f'- {k}: {v}' for k, v in {**figures['machine'], **figures['versions']}.items()),
             *figures['remarks']]
    if results:
        parts += ['## One thread', 'Medians. The ratio is the peer\'s time divided by that of Ocellus; `by minima` is that of '
                  'the least times, which other work on the machine disturbs less. ' +
                  met(results, peers), one_thread(results, peers),
                  '## Two threads', 'Wanted: 1.8 times the speed of one thread above 5 ms, and never less than 1 (0.97, for medians vary).',
                  two_threads(results, peers)]
    if relations:
        parts += ['## Ocellus against itself', 'One thread; `share` is the time divided by that of the first line, '
                  '`most` what it may be.', table(
                      ['case', 'variant', 'ms', 'share', 'most', 'met', 'peak MB', 'note'], relation_rows(relations))]
    text = '\n\n'.join(p.strip() for p in parts if p) + '\n'
    return re.sub(r' +\n', '\n', text)

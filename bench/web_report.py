# SPDX-License-Identifier: Apache-2.0
"""web_report.py - the figures of ./dev bench web as tables in Markdown."""
import re
import statistics

import report
from network_report import mean_ratio, two_places

PEER = 'onnxruntime-web'
OWN = {'relaxed': "module `ocellus.wasm`, whose vectors are relaxed", 'fast': "module `ocellus-fixed.wasm`, sessions with `unfused: 'fast'`",
       'exact': 'module `ocellus-fixed.wasm`, sessions as they are'}
TITLES = {**OWN, 'LiteRT.js': 'LiteRT.js', PEER: PEER}
HOSTS = {'node': 'Node', 'chromium': 'chromium'}
GROUPS = {'float': 'Float networks', 'int8': 'Networks of 8 bits', 'small': 'Small networks'}
ALIKE = {'int8': 0.05}  # the most difference of outputs by their magnitude: rounding may choose another step
OTHERWISE_ALIKE = 1e-3


def told(result, host, engine):
    return result['hosts'].get(host, {}).get(engine, {})


def median(result, host, engine):
    ms = told(result, host, engine).get('ms')
    return statistics.median(ms) if ms else None


def least(result, host, engine):
    return min(told(result, host, engine).get('ms') or [], default=None)


def ratio_of(result, host, engine, figure):
    return report.ratio(figure(result, host, PEER), figure(result, host, engine))


def engines_in(results, host):
    return [e for e in TITLES if any(told(r, host, e).get('ms') for r in results)]


def line(result):
    if result['error']:
        return f'{result["name"]}: {result["error"]}'
    words = []
    for host in result['hosts']:
        for engine in TITLES:
            ms, by = least(result, host, engine), ratio_of(result, host, engine, least)
            words += [f'{host} {engine} {report.ms(ms)} ms' + (f' = {by:.2f}' if by and engine != PEER else '')] if ms else []
    return f'{result["name"]}: {", ".join(words)}'


# ---- tables

def note(result, host):
    notes = []
    for engine in TITLES:
        far = told(result, host, engine).get('difference')
        if far is not None and far > ALIKE.get(result['group'], OTHERWISE_ALIKE):
            notes.append(f'{engine}: another result, by {far:.1e}')
    return ', '.join(notes)


def run_table(results, host):
    engines = engines_in(results, host)
    own = [e for e in engines if e != PEER]
    head = ['network' if results[0]['group'] in GROUPS else 'case',
            *(column for e in engines for column in (f'{e} ms', 'least')),
            *(column for e in own for column in (f'{e} ratio', 'by minima')), 'note']
    rows = [[r['name'], *(report.ms(figure(r, host, e)) for e in engines for figure in (median, least)),
             *(two_places(ratio_of(r, host, e, figure)) for e in own for figure in (median, least)), note(r, host)]
            for r in results]
    means = [two_places(mean_ratio(ratio_of(r, host, e, figure) for r in results)) for e in own for figure in (median, least)]
    return report.table(head, [*rows, ['**geometric mean**', *([''] * (2 * len(engines))), *means, '']])


def summary_table(results, hosts):
    own = [e for e in OWN if any(e in engines_in(results, h) for h in hosts)]
    head = ['group', 'count', *(f'{HOSTS[h]}: {e}{what}' for h in hosts for e in own for what in ('', ' by minima', ' lowest'))]
    rows = []
    for group in dict.fromkeys(r['group'] for r in results):
        of = [r for r in results if r['group'] == group]
        cells = []
        for host in hosts:
            for e in own:
                minima = [x for x in (ratio_of(r, host, e, least) for r in of) if x]
                cells += [two_places(mean_ratio(ratio_of(r, host, e, median) for r in of)), two_places(mean_ratio(minima)),
                          two_places(min(minima, default=None))]
        rows.append([GROUPS.get(group, group), len(of), *cells])
    return report.table(head, rows)


def first_table(results, host):
    engines = engines_in(results, host)
    rows = [[r['name'], *(report.ms(told(r, host, e).get('first_ms')) for e in engines)] for r in results]
    return report.table(['network', *(f'{e} ms' for e in engines)], rows)


def download_table(downloads):
    return report.table(['engine', 'bytes', 'by brotli'], [[name, f'{plain:,}', f'{packed:,}']
                                                           for name, (plain, packed) in downloads.items()])


# ---- the page

def facts(figures):
    found = report.machine()
    found.update({HOSTS[h]: version for h, version in figures['hosts'].items()})
    for r in figures['results']:
        for engines in r['hosts'].values():
            found.update({'Ocellus' if name in OWN else name: e['version'] for name, e in engines.items() if e.get('version')})
    return '\n'.join(f'- {name}: {value}' for name, value in found.items())


def failures(results):
    rows = [[r['name'], '', '', r['error']] for r in results if r['error']]
    rows += [[r['name'], HOSTS[h], name, e['error']] for r in results for h, engines in r['hosts'].items()
             for name, e in engines.items() if 'error' in e]
    return [[re.sub(r'[|\s]+', ' ', cell)[:300] for cell in row] for row in rows]


def document(figures):
    results, hosts = [r for r in figures['results'] if r['hosts']], list(figures['hosts'])
    parts = ['# In browsers', 'Written by `./dev bench web`; [README.md](README.md) tells how to read it.', facts(figures),
             *figures['remarks'], '\n'.join(f'- {name}: {what}' for name, what in OWN.items())]
    if results:
        parts += ['## In short', f'{figures["rounds"]} rounds, one thread. A ratio is the time of onnxruntime-web divided by that of '
                  'Ocellus: above 1, Ocellus is faster. Geometric means of the ratios of medians and of least times, and the lowest '
                  'ratio of least times. Each run copies its inputs in and its outputs out: Ocellus to arrays of the first run, the '
                  'other engines to new ones, for they have no call that takes arrays.', summary_table(results, hosts)]
    if figures['downloads']:
        parts += ['## What a page downloads', download_table(figures['downloads'])]
    for group in dict.fromkeys(r['group'] for r in results):
        of = [r for r in results if r['group'] == group]
        parts += [f'## {GROUPS.get(group, group)}']
        for host in hosts:
            parts += [f'In {HOSTS[host]}:', run_table(of, host)]
        if group in ('float', 'int8'):
            parts += [f'From opening the engine to the first result, once, in {HOSTS[hosts[0]]}:', first_table(of, hosts[0])]
    failed = failures(figures['results'])
    if failed:
        parts += ['## Not run', report.table(['network', 'host', 'engine', 'message'], failed)]
    return re.sub(r' +\n', '\n', '\n\n'.join(p.strip() for p in parts if p) + '\n')

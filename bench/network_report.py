# SPDX-License-Identifier: Apache-2.0
"""network_report.py - the figures of whole networks as tables in Markdown."""
import math
import re

import families
import report

OWN, PEER = 'ocellus', 'ONNX Runtime'
WORST = 10


def machine(options):
    told = report.machine()
    told['AVX-512'] = 'yes' if 'avx512f' in told['instruction sets'].split() else 'no'
    if options:
        told['options of Ocellus'] = ' '.join(options)
    return told


def figure(result, engine, threads, key):
    return result['engines'].get(engine, {}).get(str(threads), {}).get(key)


def once(result, engine, threads, key):
    return result['threads'].get(str(threads), {}).get(engine, {}).get(key)


def ratio_of(result, threads, key='median'):
    return report.ratio(figure(result, PEER, threads, key), figure(result, OWN, threads, key))


def mean_ratio(ratios):
    """The geometric mean of those that are known."""
    known = [r for r in ratios if r and r > 0]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else None


def two_places(x):
    return '-' if x is None else f'{x:.2f}'


def count_of(threads):
    return f'{threads} thread{"s" * (threads > 1)}'


def line(result, threads):
    if not result['engines'] or result['errors'].get(OWN):
        return f'{result["name"]}: {result["errors"].get(OWN, "not run")}'
    words = [f'{count_of(t)} {report.ms(figure(result, OWN, t, "median"))} ms = {two_places(ratio_of(result, t))}'
             for t in threads]
    return f'{result["name"]}: {", ".join(words)}' + ''.join(f'; {n}: {e}' for n, e in result['errors'].items())


# ---- tables

def differs(result, own, peer):
    """Between engines; of 8 bits and float16 another table tells how far."""
    return not result.get('accuracy') and not report.alike(own, peer)


def run_table(results, threads):
    head = [f'network, {count_of(threads)}', 'Ocellus ms', 'least', 'ONNX Runtime ms', 'least',
            'ratio', 'by minima', 'note']
    rows = []
    for r in results:
        own, peer = (r['engines'].get(e, {}).get(str(threads), {}) for e in (OWN, PEER))
        rows.append([r['name'], report.ms(own.get('median')), report.ms(own.get('least')), report.ms(peer.get('median')),
                     report.ms(peer.get('least')), two_places(ratio_of(r, threads)),
                     two_places(ratio_of(r, threads, 'least')),
                     'another result' if differs(r, own, peer) else ''])
    rows.append(['**geometric mean**', '', '', '', '', two_places(mean_ratio(ratio_of(r, threads) for r in results)),
                 two_places(mean_ratio(ratio_of(r, threads, 'least') for r in results)), ''])
    return report.table(head, rows)


def once_table(results, threads):
    head = [f'network, {count_of(threads)}']
    keys = ('first_ms', 'session_ms', 'mb')
    for name in ('first result ms', 'session ms', 'memory MB'):
        head += [f'{name}: Ocellus', 'ONNX Runtime', 'ratio']
    rows, ratios = [], {k: [] for k in keys}
    for r in results:
        row = [r['name']]
        for k in keys:
            own, peer = once(r, OWN, threads, k), once(r, PEER, threads, k)
            ratios[k].append(report.ratio(peer, own))
            row += [report.ms(own), report.ms(peer), two_places(ratios[k][-1])]
        rows.append(row)
    rows.append(['**geometric mean**', *(c for k in keys for c in ('', '', two_places(mean_ratio(ratios[k]))))])
    return report.table(head, rows)


def summary_table(results, counts):
    """Of each family: how many ran in both engines, and means of ratios."""
    head = ['networks', 'count', *(f'{count_of(t)}: {what}' for t in counts for what in
            ('ratio', 'by minima', 'lowest', 'first result'))]
    rows = []
    for family, title in families.TITLES.items():
        of = [r for r in results if r['family'] == family]
        ratios = [(ratio_of(r, t), ratio_of(r, t, 'least'), first_ratio(r, t)) for t in counts for r in of]
        columns = [ratios[i * len(of):(i + 1) * len(of)] for i in range(len(counts))]
        cells = [cell for c in columns for cell in summary_cells(c)]
        if of:
            rows.append([title, len(of), *cells])
    return report.table(head, rows)


def first_ratio(result, threads):
    return report.ratio(once(result, PEER, threads, 'first_ms'), once(result, OWN, threads, 'first_ms'))


def summary_cells(ratios):
    """The means of ratios by medians and by minima, the lowest of the latter, and the mean of those of first results."""
    by_minima = [r[1] for r in ratios if r[1]]
    return [two_places(mean_ratio(r[0] for r in ratios)), two_places(mean_ratio(by_minima)),
            two_places(min(by_minima, default=None)), two_places(mean_ratio(r[2] for r in ratios))]


def steps(pair):
    return ['-', '-'] if not pair else [f'{pair[0]:.2f}', f'{pair[1]:.3f}']


def accuracy_table(results):
    head = ['network', 'Ocellus from float: largest', 'mean', 'ONNX Runtime from float: largest', 'mean',
            'between the two: largest', 'mean', 'products in integers, ONNX Runtime']
    rows = []
    for r in results:
        told = r['accuracy']
        products = told.get('products')
        rows.append([r['name'], *steps(told['own']), *steps(told['peer']), *steps(told['between']),
                     f'{products[0]} of {products[1]}' if products else ''])
    return report.table(head, rows)


def worst_nodes(results):
    """Nodes of all networks, by the time above their roof as a share of their network's."""
    found = []
    for r in results:
        told = r.get('roofline')
        for n in told['nodes'] if told else []:
            found.append(((n['ms'] - n['roof_ms']) / told['ms'], r['name'], n))
    return sorted(found, key=lambda f: -f[0])[:WORST]


def worst_table(results):
    head = ['network', 'node', 'operator', 'above its roof, % of the run', 'ms', 'GFLOP/s', 'GB/s', '% of the roof', 'bound']
    rows = [[name, f'`{n["node"] or n["output"]}`', n['operator'], f'{100 * share:.1f}', report.ms(n['ms']),
             f'{n["gflops"]:.1f}', f'{n["gbytes"]:.1f}', f'{100 * n["of_roof"]:.0f}', n['bound']]
            for share, name, n in worst_nodes(results)]
    return report.table(head, rows)


# ---- the page

def facts(figures):
    told = dict(figures['machine'])
    versions = {e: figure(r, e, t, 'version') for r in figures['networks'] for e in r['engines']
                for t in figures['thread_counts']}
    told.update({'Ocellus' if e == OWN else e: v for e, v in versions.items()})
    roofs = [r['roofline'] for r in figures['networks'] if r.get('roofline')]
    if roofs:
        told['peak of one thread'] = f'{max(r["peak_gflops"] for r in roofs):.0f} GFLOP/s ({roofs[0]["cpu"]})'
    return '\n'.join(f'- {k}: {v}' for k, v in told.items())


def family_parts(results, figures, title):
    counts, node = figures['thread_counts'], figures['node']
    parts = [f'## {title}', *(run_table(results, t) for t in counts)]
    told = [r for r in results if r.get('accuracy')]
    if told:
        parts += ['Distances of results in steps of the output\'s scale, a 255th of the range of the float network\'s output; '
                  'and how many products ONNX Runtime computes in integers.', accuracy_table(told)]
    if not any(r['threads'] for r in results):
        return parts
    parts += ['From the start of a process that loads the network, runs it once and prints a summary of its outputs, to its '
              'end; making the session, within a process; the most resident bytes of that process.' + (
                  f' Of ONNX Runtime\'s, {node["ms"]:.0f} ms and {node["mb"]:.0f} MB are left out, which node takes with '
                  'the runtime loaded and no network.' if node else '')]
    return parts + [once_table(results, t) for t in counts]


def document(figures):
    results = figures['networks']
    ran = [r for r in results if r['engines']]
    failed = [(r['name'], n, e) for r in results for n, e in r['errors'].items()]
    parts = ['# Networks', 'Written by `./dev bench models`; [README.md](README.md) tells how to read it.', facts(figures),
             *figures['remarks']]
    if ran:
        parts += ['## In short', f'Medians of {figures["rounds"]} rounds in which the engines take turns. A ratio is ONNX '
                  'Runtime\'s time divided by that of Ocellus: above 1, Ocellus is faster. Geometric means, and the '
                  'lowest ratio of a network by minima.', summary_table(ran, figures['thread_counts'])]
    for family, title in families.TITLES.items():
        of = [r for r in ran if r['family'] == family]
        parts += family_parts(of, figures, title) if of else []
    if any(r.get('roofline') for r in ran):
        parts += ['## Where there is most to win', f'The {WORST} nodes of all networks that spend the largest part of a '
                  'run above their roof (`ocellus bench --roofline`, one thread).', worst_table(ran)]
    if failed:
        parts += ['## Not run', report.table(['network', 'engine', 'message'],
                                             [[n, e, re.sub(r'[|\s]+', ' ', text)] for n, e, text in failed])]
    text = '\n\n'.join(p.strip() for p in parts if p) + '\n'
    return re.sub(r' +\n', '\n', text)

# SPDX-License-Identifier: Apache-2.0
"""first_report.py - the figures of ./dev bench first as a section of bench/WEB.md."""
import re
import statistics

import report
from network_report import two_places

ENGINES = {'ocellus': 'Ocellus', 'onnxruntime-web': 'onnxruntime-web'}
OWN, PEER = ENGINES
SLOW = 20, 40  # megabits a second, milliseconds until an answer begins
LINKS = {'local': 'this machine', 'slow': f'{SLOW[0]} Mbit/s, {SLOW[1]} ms'}
TITLE = '## A first result, memory, a run\'s overhead'
NEXT = re.compile(r'^## ', re.M)


# ---- figures

def both(samples):
    """The median and the least."""
    return (statistics.median(samples), min(samples)) if samples else (None, None)


def ratios(own, peer):
    return [two_places(report.ratio(b, a)) for a, b in zip(both(own), both(peer))]


def bytes_sent(sent):
    """What is sent of the network, and of the engine."""
    network = sum(size for name, size in sent.items() if name.endswith('.onnx'))
    return network, sum(sent.values()) - network


def mega(size):
    return f'{1e-6 * size:.2f}'


def memory_of(rounds):
    """Medians, in MB: before, and what is added while a session is open, when it is freed, and both again."""
    columns = [statistics.median(column) for column in zip(*rounds)]
    added = [statistics.median(row[i] - row[0] for row in rounds) for i in range(1, len(columns))]
    return [1e-6 * x for x in (columns[0], *added)]


def line(title, links):
    words = []
    for link, engines in links.items():
        own, peer = (engines[e]['ms'] for e in ENGINES)
        words.append(f'{link} {report.ms(min(own))} ms, {report.ms(min(peer))} ms = {ratios(own, peer)[1]}')
    return f'{title}: {"; ".join(words)}'


def memory_line(engines):
    return '; '.join(f'{e} {", ".join(f"{x:.1f}" for x in memory_of(rounds))}' for e, rounds in engines.items())


# ---- tables

def cold_table(results):
    head = ['network', 'link', *(f'{t} {what}' for t in ENGINES.values() for what in ('ms', 'least')), 'ratio', 'by minima', 'again: ' + ENGINES[OWN] + ' ms',
            'least', f'again: {ENGINES[PEER]} ms', 'least']
    rows = []
    for title, links in results.items():
        for link, engines in links.items():
            own, peer = (engines[e]['ms'] for e in ENGINES)
            rows.append([title, LINKS[link], *map(report.ms, both(own) + both(peer)), *ratios(own, peer),
                         *(report.ms(x) for e in ENGINES for x in both(engines[e]['again']))])
    return report.table(head, rows)


def bytes_table(results):
    rows = []
    for title, links in results.items():
        sent = {e: bytes_sent(links['local'][e]['sent']) for e in ENGINES}
        rows.append([title, f'{sent[OWN][0]:,}', *(f'{sent[e][1]:,}' for e in ENGINES), two_places(report.ratio(sent[PEER][1], sent[OWN][1]))])
    return report.table(['network', 'its bytes', *(f'{t} bytes' for t in ENGINES.values()), 'ratio'], rows)


def memory_table(results):
    rows = []
    for title, engines in results.items():
        for e, rounds in engines.items():
            rows.append([title, ENGINES[e], *(f'{x:.1f}' for x in memory_of(rounds))])
    return report.table(['network', 'engine', 'before MB', 'open', 'freed', 'open again', 'freed again'], rows)


def sessions_table(results):
    rows = []
    for e, found in results['engines'].items():
        grown = [1e-6 * (b - a) for a, b in zip(found['bytes'], found['bytes'][1:])]
        rows.append([ENGINES[e], *(f'{x:+.1f}' for x in grown), f'{1e-6 * (found["bytes"][-1] - found["bytes"][0]):+.1f}',
                     *map(report.ms, both(found['ms']))])
    rounds = len(rows[0]) - 4
    return report.table(['engine', *(f'{results["count"]} sessions, MB' for _ in range(rounds)), 'all', 'ms of one', 'least'], rows)


def overhead_table(results):
    rows = []
    for place, name in ('worker', 'a worker'), ('thread', 'this thread'):
        own, peer = (results[e][place] for e in ENGINES)
        rows.append([name, *(f'{x:.1f}' for x in both(own) + both(peer)), *ratios(own, peer)])
    return report.table(['where', *(f'{t} {what}' for t in ENGINES.values() for what in ('us', 'least')), 'ratio', 'by minima'], rows)


# ---- the section

def section(figures):
    """The section, which begins with its heading."""
    date, processor, count = (report.machine()[key] for key in ('date', 'processor', 'processors'))
    parts = [TITLE, f'Written by `./dev bench first` on {date}: chromium {figures["chromium"]} on {processor} with {count} processors, whose load '
             f'was {min(figures["loads"]):.0f} to {max(figures["loads"]):.0f} by other work and this; the package ocellus {figures["versions"]["ocellus"]} as it is, and onnxruntime-web {figures["versions"]["onnxruntime-web"]} '
             'as its documentation has it: its part for processors, one thread. Engines took turns.']
    if figures['missing']:
        parts.append(f'Not there: {", ".join(figures["missing"])}.')
    if 'cold' in figures:
        parts += ['### A first result', f'Milliseconds from the start of the navigation to the first result in the page, {figures["rounds"]} rounds, each in a new '
                  'browser whose caches are empty; *again*: the third visit in one browser. Medians and least times; a ratio is the time of '
                  'onnxruntime-web divided by that of Ocellus, and 2 is wanted.', cold_table(figures['cold']),
                  'Bytes of the answers, headers included, scripts and modules being packed by brotli, the network as it is:', bytes_table(figures['cold'])]
    if 'memory' in figures:
        parts += ['### Memory', 'MB of the memory that the page\'s process shares with no file, garbage being collected: before a network is loaded, and '
                  'what is added to that while a session that has run is open, when session and network are freed, and both once more. '
                  'Medians of 3 browsers. At most 5 MB more are wanted when all is freed.', memory_table(figures['memory'])]
    if 'sessions' in figures:
        parts += [f'Sessions of {figures["sessions"]["title"]} that were made, run once and freed: how much more memory each round took.',
                  sessions_table(figures['sessions'])]
    if 'overhead' in figures:
        parts += ['### A run\'s overhead', f'Microseconds of a run that negates 8 numbers, by batches of 20 of {figures["rounds"]} times 10,000 runs: in a worker, '
                  'which is onnxruntime-web\'s `env.wasm.proxy`, and in the calling thread. Less than 60 and 5 are wanted.', overhead_table(figures['overhead'])]
    return re.sub(r' +\n', '\n', '\n\n'.join(p.strip() for p in parts) + '\n')


def parts_of(page):
    """The page before the section, the section, and what is behind it; without a section, the place is behind the first two."""
    begin = page.find(TITLE + '\n')
    if begin < 0:
        heads = [m.start() for m in NEXT.finditer(page)]
        begin = heads[2] if len(heads) > 2 else len(page)
        return page[:begin], '', page[begin:]
    after = NEXT.search(page, begin + len(TITLE))
    end = after.start() if after else len(page)
    return page[:begin], page[begin:end], page[end:]


def replaced(page, section):
    """The page with another section."""
    before, _, after = parts_of(page)
    return '\n\n'.join(p.strip() for p in (before, section, after) if p.strip()) + '\n'


def carried(old, page):
    """The page with the section of an older page."""
    kept = parts_of(old)[1]
    return replaced(page, kept) if kept else page

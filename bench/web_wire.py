# SPDX-License-Identifier: Apache-2.0
"""web_wire.py - pages over a wire: a server on this machine whose answers are packed by brotli, counted and, on wish, as slow as a link,
and chromium without a window and with a new profile, which shows a page and has its memory told."""
import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / 'tests' / 'web'), str(HERE.parent / 'tests' / 'tools'), str(HERE.parent / 'tests')]
from served import CHROMIUM, FLAGS, ISOLATED, TYPES  # noqa: E402

import players  # noqa: E402

PATIENCE = 900  # seconds for one page
SETTLES = 1.5  # seconds that a browser takes to start, before a page is asked for
PACKED = '.mjs', '.js', '.wasm'
OTHERS = b'--extension-process', b'--top-chrome-webui'  # processes that show pages of the browser's own
PIECE = 16384  # bytes that a slow link sends at a time


class Packer:
    """Bytes of files as brotli packs them, kept in a folder: the largest takes half a minute."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, path):
        plain = path.read_bytes()
        kept = self.folder / f'{hashlib.sha256(plain).hexdigest()}.br'
        if not kept.exists():
            packed = subprocess.run(['brotli', '-q', '11', '-w', '24', '-c', path], stdout=subprocess.PIPE, check=True).stdout
            kept.write_bytes(packed)
        return kept.read_bytes()


class Link:
    """One that all answers share: megabits a second, and milliseconds until an answer begins."""

    def __init__(self, megabits, delay):
        self.megabits, self.delay = megabits, delay
        self.lock, self.free = threading.Lock(), 0

    def wait(self, size):
        with self.lock:
            self.free = max(self.free, time.monotonic()) + 8e-6 * size / self.megabits
            until = self.free
        time.sleep(max(0, until - time.monotonic()))

    def send(self, body, write):
        time.sleep(self.delay / 1000)
        for at in range(0, len(body), PIECE):
            piece = body[at:at + PIECE]
            self.wait(len(piece))
            write(piece)


class Asked(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'  # connections stay, as those of servers that pages meet
    wbufsize = -1  # a header goes out with its body, and the kernel has nothing to wait for

    def log_message(self, *_):
        pass

    def answer(self, body, kind='text/html', code=200, packed=False, link=None):
        self.send_response(code)
        for name, value in {'Content-Type': kind, 'Content-Length': str(len(body)), 'Cache-Control': 'max-age=3600', **ISOLATED,
                            **({'Content-Encoding': 'br'} if packed else {})}.items():
            self.send_header(name, value)
        size = len(body) + sum(map(len, self._headers_buffer))
        self.end_headers()
        (link.send(body, self.wfile.write) if link else self.wfile.write(body))
        return size

    def do_GET(self):
        page, name = self.server.wire, self.path.partition('?')[0]
        if name in ('/', '/wait', '/favicon.ico'):
            self.answer(page.text if name == '/' else page.waiting if name == '/wait' else b'')
        elif name == '/memory':
            self.answer(str(page.memory()).encode())
        elif (path := page.path_of(name)) is None:
            self.answer(b'', code=404)
        else:
            is_packed = path.suffix in PACKED
            body = page.pack(path) if is_packed else path.read_bytes()
            is_counted = not name.startswith('/bench/')
            size = self.answer(body, TYPES.get(path.suffix, 'application/octet-stream'), packed=is_packed, link=page.link if is_counted else None)
            if is_counted:
                page.sent[name] = page.sent.get(name, 0) + size

    def do_POST(self):
        result = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        self.answer(b'again' if self.server.wire.hear(result) else b'')


def children_of(pid):
    """The processes that a process has started, and those that they have."""
    parents = {}
    for path in pathlib.Path('/proc').glob('[0-9]*/stat'):
        with contextlib.suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text(encoding='utf-8').rpartition(')')[2].split()[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def bytes_of(pid):
    """The memory of a process that shows pages, without that of files, which all browsers of the machine share; 0 of another process."""
    try:
        words = pathlib.Path(f'/proc/{pid}/cmdline').read_bytes()
        if b'--type=renderer' not in words or any(other in words for other in OTHERS):
            return 0
        rollup = pathlib.Path(f'/proc/{pid}/smaps_rollup').read_text(encoding='utf-8')
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in rollup.splitlines() if line.startswith(('Pss_Anon:', 'Pss_Shmem:')))


class Wire:
    """roots: folders by the names that addresses begin with; pack: a Packer. show() gives what a page tells."""

    def __init__(self, roots, pack):
        self.roots, self.pack = roots, pack
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Asked)
        self.server.wire = self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def path_of(self, address):
        root, _, rest = address.lstrip('/').partition('/')
        path = self.roots.get(root)
        if path is None or '..' in rest:
            return None
        path = path / rest if rest else path
        return path if path.is_file() else None

    def memory(self):
        return sum(map(bytes_of, children_of(self.browser.pid)))

    def hear(self, result):
        """Returns whether the page is to be visited again."""
        self.results.append({**result, 'sent': self.sent})
        self.sent = {}
        is_last = len(self.results) == self.visits or 'error' in result
        if is_last:
            self.came.set()
        return not is_last

    def show(self, text, flags=(), visits=1, link=None):
        """What the page posts to /result, with the bytes sent by address, for each of its visits in a new browser."""
        self.text, self.link, self.visits, self.results, self.sent = text.encode(), link, visits, [], {}
        address = f'http://127.0.0.1:{self.server.server_port}'
        self.waiting = (f'<!doctype html><meta charset=utf-8><script>setTimeout(() => {{ location = "{address}/" }}, '
                        f'{1000 * SETTLES})</script>').encode()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            self.came = threading.Event()
            self.browser = subprocess.Popen([CHROMIUM.found, *FLAGS, *flags, f'--user-data-dir={profile}', f'{address}/wait'],
                                            env={**os.environ, 'HOME': profile}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL)
            try:
                if not self.came.wait(PATIENCE):
                    raise players.Failed(f'the page has not answered in {PATIENCE} s')
            finally:
                self.browser.terminate()
                self.browser.wait()
        for result in self.results:
            if 'error' in result:
                raise players.Failed(result['error'])
        return self.results

# SPDX-License-Identifier: Apache-2.0
"""web_page.py - chromium, without a window, as a host of ./dev bench web: a new browser and page for each network.

The page is served on this machine alone; an address is the path of a file, and only files that the job names, or of the
folders of scripts, are given. It is isolated from other origins, which makes the browser's clock tell 5 microseconds."""
import contextlib
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

import players

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / 'tests' / 'tools'), str(HERE.parent / 'tests')]
from chromium import BROWSER, FLAGS  # noqa: E402

PATIENCE = 1200  # seconds for one network
TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm'}


class Asked(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, body, kind='application/octet-stream', code=200):
        self.send_response(code)
        for name, value in (('Content-Type', kind), ('Content-Length', str(len(body))), ('Cache-Control', 'no-store'),
                            ('Cross-Origin-Opener-Policy', 'same-origin'), ('Cross-Origin-Embedder-Policy', 'require-corp')):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = pathlib.Path(self.path.partition('?')[0])
        if self.path == '/':
            self.answer(self.server.page, 'text/html')
        elif self.path == '/job':
            self.answer(self.server.job, 'application/json')
        elif path.is_file() and (str(path) in self.server.files or any(r in path.parents for r in self.server.roots)):
            self.answer(path.read_bytes(), TYPES.get(path.suffix, 'application/octet-stream'))
        else:
            self.answer(b'', code=404)

    def do_POST(self):
        self.server.result = self.rfile.read(int(self.headers['Content-Length']))
        self.answer(b'')
        self.server.came.set()


def files_of(job):
    return {job['network']['model'], *(i['file'] for i in job['network']['inputs'].values()),
            *(e['model'] for e in job['engines'] if 'model' in e), *(f for e in job['engines'] for f in e['files'].values())}


@contextlib.contextmanager
def serving(job, modules):
    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Asked) as server:
        utils = modules / '@litertjs' / 'wasm-utils' / 'dist' / 'index.js'
        imports = json.dumps({'imports': {'@litertjs/wasm-utils': str(utils)}})
        server.page = (f'<!doctype html><meta charset=utf-8><script type=importmap>{imports}</script><body>'
                       f'<script type=module src={HERE}/web/page.mjs></script>').encode()
        server.job, server.files, server.roots = json.dumps(job).encode(), files_of(job), [HERE / 'web', modules]
        server.result, server.came = None, threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Chromium:
    name = 'chromium'

    def __init__(self, modules):
        self.modules = modules
        self.version = subprocess.run([BROWSER, '--version'], capture_output=True, text=True, check=True).stdout.split()[1]

    def compare(self, job, _):
        with serving(job, self.modules) as server, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = subprocess.Popen([BROWSER, *FLAGS, f'--user-data-dir={profile}', '--remote-debugging-port=0',
                                        f'http://127.0.0.1:{server.server_port}/'],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                if not server.came.wait(PATIENCE):
                    raise players.Failed(f'chromium has not answered in {PATIENCE} s')
            finally:
                browser.terminate()
                browser.wait()
        result = json.loads(server.result)
        if 'error' in result:
            raise players.Failed(result['error'])
        return result

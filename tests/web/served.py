# SPDX-License-Identifier: Apache-2.0
"""served.py - jobs for browsers without a window: a page's script works on a job, and posts its answer.

The page (served.mjs) is served on this machine alone; an address is the path of a file, and only files that are named, or of the
folders of scripts, are given. By default it is isolated from other origins, which makes a browser's clock tell 5 microseconds and
lets its threads share memory."""
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / 'tools')]
from chromium import FLAGS  # noqa: E402

TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm'}
ISOLATED = {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'}
# Firefox with a new profile asks for nothing by itself.
QUIET = '''user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.normandy.enabled", false);
user_pref("extensions.systemAddon.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
'''


class Failed(Exception):
    """The page gave no answer, or its script failed."""


class Asked(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, body, kind='application/octet-stream', code=200):
        self.send_response(code)
        for name, value in {'Content-Type': kind, 'Content-Length': str(len(body)), 'Cache-Control': 'no-store',
                            **self.server.headers}.items():
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


@contextlib.contextmanager
def serving(job, files, roots, imports, headers):
    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Asked) as server:
        names = f'<script type=importmap>{json.dumps({"imports": imports})}</script>' if imports else ''
        server.page = (f'<!doctype html><meta charset=utf-8>{names}<body>'
                       f'<script type=module src={HERE}/served.mjs></script>').encode()
        server.headers = headers
        server.job, server.files, server.roots = json.dumps(job).encode(), {job['script'], *files}, [HERE, *roots]
        server.result, server.came = None, threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Browser:
    """One that is installed: `found` is its program's path, else None; `version` what it calls itself."""

    def __init__(self, name, program, words):
        self.name, self.found, self.words = name, shutil.which(program), words

    @property
    def version(self):
        said = subprocess.run([self.found, '--version'], capture_output=True, text=True, check=True).stdout
        return next(word for word in said.split() if word[0].isdigit())

    def answer(self, job, files, roots, imports=None, headers=None, patience=120):
        """What the function answer(job, load) of the script job['script'] resolves to in a new browser, whose profile goes away.
        files and roots: what the page may load, besides the script; imports: bare names of modules; headers: of all answers, ISOLATED
        unless told otherwise; patience: in seconds."""
        with serving(job, files, roots, imports, ISOLATED if headers is None else headers) as server, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            pathlib.Path(profile, 'user.js').write_text(QUIET, encoding='utf-8')
            browser = subprocess.Popen([self.found, *self.words(profile), f'http://127.0.0.1:{server.server_port}/'],
                                       env={**os.environ, 'HOME': profile}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                if not server.came.wait(patience):
                    raise Failed(f'{self.name} has not answered in {patience} s')
            finally:
                browser.terminate()
                browser.wait()
        result = json.loads(server.result)
        if 'error' in result:
            raise Failed(result['error'])
        return result


CHROMIUM = Browser('chromium', 'chromium', lambda profile: [*FLAGS, f'--user-data-dir={profile}', '--remote-debugging-port=0'])
FIREFOX = Browser('firefox', 'firefox-esr', lambda profile: ['--headless', '--no-remote', '--profile', profile])

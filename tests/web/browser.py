# SPDX-License-Identifier: Apache-2.0
"""browser.py - a page in chromium without a window, driven by the messages of its DevTools protocol over two pipes."""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'tools'))
from chromium import FLAGS

PIPES = ['--window-size=1200,1500', '--remote-debugging-pipe']


class Page:
    """requested: the addresses that the page has asked for."""

    def __init__(self, browser, path):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.to = os.pipe()
        self.came, from_browser = os.pipe()
        self.process = subprocess.Popen(
            ['sh', '-c', f'exec "$@" 3<&{to_browser} 4>&{from_browser}', 'sh', browser, *FLAGS, *PIPES,
             f'--user-data-dir={self.profile.name}'],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.id, self.session, self.requested, self.thrown = b'', 0, None, [], []
        target = self.ask('Target.createTarget', url='about:blank')['targetId']
        self.session = self.ask('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in 'Network', 'Page', 'Runtime':
            self.ask(domain + '.enable')
        self.ask('Page.navigate', url=pathlib.Path(path).resolve().as_uri())
        self.wait('location.protocol === "file:" && document.readyState === "complete"')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def message(self):
        while b'\0' not in self.buffer:
            more = os.read(self.came, 1 << 16)
            if not more:
                raise EOFError('the browser has ended')
            self.buffer += more
        text, _, self.buffer = self.buffer.partition(b'\0')
        return json.loads(text)

    def ask(self, method, **params):
        self.id += 1
        body = {'id': self.id, 'method': method, 'params': params}
        if self.session:
            body['sessionId'] = self.session
        os.write(self.to, json.dumps(body).encode() + b'\0')
        while True:
            m = self.message()
            if m.get('method') == 'Network.requestWillBeSent':
                self.requested.append(m['params']['request']['url'])
            if m.get('method') == 'Runtime.exceptionThrown':
                self.thrown.append(m['params']['exceptionDetails'])
            if m.get('id') == self.id:
                if 'error' in m:
                    raise RuntimeError(f'{method}: {m["error"]}')
                return m['result']

    def value(self, script):
        """What the script's expression, or its promise, comes to."""
        found = self.ask('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in found:
            raise RuntimeError(f'{script}: {found["exceptionDetails"]}')
        return found['result'].get('value')

    def wait(self, script, seconds=60):
        """Until the expression is true; returns it, or the last value."""
        end = time.monotonic() + seconds
        while not (found := self.value(script)) and time.monotonic() < end:
            time.sleep(0.05)
        return found

    def drop(self, *paths):
        """Files onto the middle of the page, as a hand would."""
        data = {'items': [], 'files': [os.path.abspath(p) for p in paths], 'dragOperationsMask': 1}
        for kind in 'dragEnter', 'dragOver', 'drop':
            self.ask('Input.dispatchDragEvent', type=kind, x=300, y=300, data=data)

    def shoot(self, path):
        path.write_bytes(base64.b64decode(self.ask('Page.captureScreenshot', captureBeyondViewport=True)['data']))

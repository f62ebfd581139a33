# SPDX-License-Identifier: Apache-2.0
"""browser.py - a page in a browser without a window, which a test drives: chromium by its DevTools protocol over two pipes, firefox by
WebDriver BiDi over a socket."""
import base64
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / 'tools')]
from chromium import FLAGS  # noqa: E402
from served import QUIET  # noqa: E402

SIZE = 1200, 1500


class Page:
    """What both browsers have. `requested`: the addresses that the page has asked for; `thrown`: what its scripts have thrown;
    `saved`: the folder of its downloads. A browser has ask(method, **params), begin(address) and hear(message)."""
    name = program = None

    def __init__(self, path, address=None):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.profile, self.saved = pathlib.Path(self.folder.name, 'profile'), pathlib.Path(self.folder.name, 'saved')
        for made in self.profile, self.saved:
            made.mkdir()
        self.id, self.requested, self.thrown = 0, [], []
        self.begin(address or pathlib.Path(path).resolve().as_uri())

    @classmethod
    def is_there(cls):
        return shutil.which(cls.program) is not None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def start(self, *words, **how):
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={**os.environ, 'HOME': self.folder.name},
                                        **{'stderr': subprocess.DEVNULL, **how})

    def ask(self, method, **params):
        self.id += 1
        self.send({'id': self.id, 'method': method, 'params': params})
        while (m := self.message()).get('id') != self.id:
            self.hear(m)
        if 'error' in m:
            raise RuntimeError(f'{method}: {m}')
        return m['result']

    def wait(self, script, seconds=60):
        """Until the expression is true; returns it, or the last value."""
        end = time.monotonic() + seconds
        while not (found := self.value(script)) and time.monotonic() < end:
            time.sleep(0.05)
        return found

    def download(self, click, pattern, seconds=60):
        """The file that the page saves after the script."""
        self.value(click)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = [path for path in self.saved.glob(pattern) if path.stat().st_size and not list(self.saved.glob('*.part'))]
            if found:
                return found[0]
            time.sleep(0.05)
        raise RuntimeError(f'the page has saved no {pattern}')


class Chromium(Page):
    name, program = 'chromium', 'chromium'

    def begin(self, address):
        to_browser, self.to = os.pipe()
        self.came, from_browser = os.pipe()
        self.buffer, self.session = b'', None
        self.start('sh', '-c', f'exec "$@" 3<&{to_browser} 4>&{from_browser}', 'sh', self.program, *FLAGS, '--remote-debugging-pipe',
                   f'--window-size={SIZE[0]},{SIZE[1]}', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream',
                   f'--user-data-dir={self.profile}', pass_fds=(to_browser, from_browser))
        os.close(to_browser)
        os.close(from_browser)
        self.ask('Browser.setDownloadBehavior', behavior='allow', downloadPath=str(self.saved))
        target = self.ask('Target.createTarget', url='about:blank')['targetId']
        self.session = self.ask('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in 'Network', 'Page', 'Runtime', 'DOM', 'Accessibility':
            self.ask(domain + '.enable')
        self.ask('Page.navigate', url=address)
        self.wait('location.protocol !== "about:" && document.readyState === "complete"')

    def send(self, body):
        if self.session:
            body['sessionId'] = self.session
        os.write(self.to, json.dumps(body).encode() + b'\0')

    def message(self):
        while b'\0' not in self.buffer:
            more = os.read(self.came, 1 << 16)
            if not more:
                raise EOFError('the browser has ended')
            self.buffer += more
        text, _, self.buffer = self.buffer.partition(b'\0')
        return json.loads(text)

    def hear(self, m):
        if m.get('method') == 'Network.requestWillBeSent':
            self.requested.append(m['params']['request']['url'])
        if m.get('method') == 'Runtime.exceptionThrown':
            self.thrown.append(m['params']['exceptionDetails'])

    def value(self, script):
        """What the script's expression, or its promise, comes to."""
        found = self.ask('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if 'exceptionDetails' in found:
            raise RuntimeError(f'{script}: {found["exceptionDetails"]}')
        return found['result'].get('value')

    def drop(self, *paths):
        """Files onto the middle of the page, as a hand would."""
        data = {'items': [], 'files': [os.path.abspath(p) for p in paths], 'dragOperationsMask': 1}
        for kind in 'dragEnter', 'dragOver', 'drop':
            self.ask('Input.dispatchDragEvent', type=kind, x=300, y=300, data=data)

    def choose(self, selector, *paths):
        """Files in a field for files."""
        root = self.ask('DOM.getDocument')['root']['nodeId']
        node = self.ask('DOM.querySelector', nodeId=root, selector=selector)['nodeId']
        self.ask('DOM.setFileInputFiles', nodeId=node, files=[os.path.abspath(p) for p in paths])

    def resize(self, width, height, dark=False):
        self.ask('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.ask('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def shoot(self, path):
        path.write_bytes(base64.b64decode(self.ask('Page.captureScreenshot', captureBeyondViewport=True)['data']))

    def workers(self):
        """How many workers there are."""
        self.ask('Target.setDiscoverTargets', discover=True, filter=[{'type': 'worker'}, {'type': 'page'}])
        return sum(t['type'] == 'worker' for t in self.ask('Target.getTargets', filter=[{}])['targetInfos'])

    def nameless(self):
        """Fields and buttons that a screen reader has no name for."""
        nodes = self.ask('Accessibility.getFullAXTree')['nodes']
        kinds = 'button', 'textbox', 'combobox', 'checkbox', 'spinbutton', 'image', 'img', 'link'
        return [node['role']['value'] for node in nodes if not node.get('ignored') and node['role']['value'] in kinds
                and not node.get('name', {}).get('value')]


class Firefox(Page):
    name, program = 'firefox', 'firefox-esr'

    def begin(self, address):
        prefs = QUIET + f'''user_pref("browser.download.folderList", 2);
user_pref("browser.download.dir", "{self.saved}");
user_pref("media.navigator.streams.fake", true);
user_pref("media.navigator.permission.disabled", true);
'''
        pathlib.Path(self.profile, 'user.js').write_text(prefs, encoding='utf-8')
        self.start(self.program, '--headless', '--no-remote', f'--profile={self.profile}', '--remote-debugging-port=0', stderr=subprocess.PIPE)
        for line in self.process.stderr:
            found = re.search(rb'listening on ws://([\d.]+):(\d+)', line)
            if found:
                break
        else:
            raise EOFError('the browser has ended')
        self.socket = Socket(found[1].decode(), int(found[2]), '/session')
        self.ask('session.new', capabilities={'alwaysMatch': {'unhandledPromptBehavior': {'default': 'accept'}}})
        self.ask('session.subscribe', events=['log.entryAdded', 'network.beforeRequestSent'])
        self.context = self.ask('browsingContext.getTree')['contexts'][0]['context']
        self.resize(*SIZE)
        self.ask('browsingContext.navigate', context=self.context, url=address, wait='complete')

    def send(self, body):
        self.socket.send(json.dumps(body).encode())

    def message(self):
        return json.loads(self.socket.message())

    def hear(self, m):
        if m.get('method') == 'network.beforeRequestSent':
            self.requested.append(m['params']['request']['url'])
        if m.get('method') == 'log.entryAdded' and m['params']['type'] == 'javascript':
            self.thrown.append(m['params']['text'])

    def value(self, script):
        found = self.ask('script.evaluate', expression=f'Promise.resolve({script}).then(found => JSON.stringify(found))',
                         target={'context': self.context}, awaitPromise=True, userActivation=True)
        if found['type'] != 'success':
            raise RuntimeError(f'{script}: {found["exceptionDetails"]["text"]}')
        return json.loads(found['result'].get('value', 'null'))

    def drop(self, *paths):
        """There is no hand that drags: files are chosen."""
        self.choose('#file', *paths)

    def choose(self, selector, *paths):
        node = self.ask('browsingContext.locateNodes', context=self.context, locator={'type': 'css', 'value': selector})['nodes'][0]
        self.ask('input.setFiles', context=self.context, element={'sharedId': node['sharedId']}, files=[os.path.abspath(p) for p in paths])

    def resize(self, width, height, dark=False):
        self.ask('browsingContext.setViewport', context=self.context, viewport={'width': width, 'height': height})

    def shoot(self, path):
        path.write_bytes(base64.b64decode(self.ask('browsingContext.captureScreenshot', context=self.context, origin='document')['data']))

    def nameless(self):
        return []  # chromium tells


class Socket:
    """The client's end of a WebSocket (RFC 6455): whole messages of text."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f'GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                             f'Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n').encode())
        self.file = self.socket.makefile('rb')
        status = self.file.readline()
        if b' 101 ' not in status:
            raise RuntimeError(f'the browser answers {status}')
        while self.file.readline().strip():
            pass

    def send(self, text):
        size, mask = len(text), os.urandom(4)
        head = bytes([0x81]) + (bytes([0x80 | size]) if size < 126 else bytes([0xfe]) + size.to_bytes(2, 'big') if size < 1 << 16
                                else bytes([0xff]) + size.to_bytes(8, 'big'))
        long = mask * (size // 4 + 1)
        self.socket.sendall(head + mask + bytes(a ^ b for a, b in zip(text, long)))

    def message(self):
        parts, ends = [], False
        while not ends:
            first, second = self.file.read(2)
            size = second & 0x7f
            size = int.from_bytes(self.file.read({126: 2, 127: 8}[size]), 'big') if size > 125 else size
            body, ends = self.file.read(size), bool(first & 0x80)
            if first & 0x0f in (0, 1, 2):
                parts.append(body)
            elif first & 0x0f == 8:
                raise EOFError('the browser has ended')
            else:
                ends = False  # a ping
        return b''.join(parts)


BROWSERS = Chromium, Firefox

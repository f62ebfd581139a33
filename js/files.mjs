// SPDX-License-Identifier: Apache-2.0
// files.mjs - a file system in memory, for a module of WebAssembly that asks for one as WASI has it (preview 1): what a script gives
// the module to read, and what the module has written.
//
//   const files = new Files({ 'model.onnx': bytes });
//   const imports = { wasi_snapshot_preview1: files.calls(() => instance.exports.memory, (file, bytes) => ..) };
//   files.get('out/y.npy');                      // a Uint8Array, or undefined where there is no such file
//
// Paths begin at the root, with or without a slash; folders are there when a file is in them, or when the module made them. There is
// one folder that the module was started with, the root. There are no links, and times are 0. What the module writes to standard output
// (1) and standard error (2) goes to the second argument of calls, chunk by chunk.

const ERRNO = { SUCCESS: 0, BADF: 8, EXIST: 20, INVAL: 28, ISDIR: 31, NOENT: 44, NOSYS: 52, NOTDIR: 54, NOTEMPTY: 55 };
const KIND = { device: 2, folder: 3, file: 4 };
const OPEN = { create: 1, folder: 2, anew: 4, empty: 8 }; // oflags of path_open
const APPEND = 1; // fdflags
const ALL_RIGHTS = 2n ** 64n - 1n;
const ROOT = 3; // the number of the open root, behind the standard streams
const encoder = new TextEncoder(), decoder = new TextDecoder();

// A path without '.', '..' and slashes at its ends: that of the root is ''.
function plain(path) {
  const parts = [];
  for (const part of path.split('/'))
    if (part === '..')
      parts.pop();
    else if (part !== '' && part !== '.')
      parts.push(part);
  return parts.join('/');
}

const folderOf = path => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const below = (folder, path) => plain(`${folder}/${path}`);

// A file's bytes, with room behind them for those that come. Bytes of a script are copied before the first write.
class Content {
  constructor(bytes) {
    this.all = bytes ?? new Uint8Array(0);
    this.size = this.all.length;
    this.isOwn = bytes === undefined;
  }

  get bytes() {
    return this.all.subarray(0, this.size);
  }

  resize(size) {
    if (size > this.all.length || !this.isOwn) {
      const grown = new Uint8Array(size > this.all.length ? Math.max(size, 2 * this.all.length) : this.all.length);
      grown.set(this.bytes);
      this.all = grown;
      this.isOwn = true;
    }
    if (size > this.size)
      this.all.fill(0, this.size, size);
    this.size = size;
  }

  write(at, bytes) {
    this.resize(Math.max(this.size, at + bytes.length));
    this.all.set(bytes, at);
  }
}

export class Files {
  constructor(entries = {}) {
    this.contents = new Map(); // by path
    this.folders = new Set(['']);
    this.numbers = new Map(); // what tells files apart, by path
    this.open = new Map([[ROOT, { path: '', isFolder: true }]]);
    for (const [path, bytes] of Object.entries(entries))
      this.put(path, bytes);
  }

  // ---- for scripts

  // The bytes are not copied, and must not change as long as the file is there.
  put(path, bytes) {
    path = plain(path);
    this.contents.set(path, new Content(bytes));
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
      this.folders.add(path.slice(0, slash));
  }

  get(path) {
    return this.contents.get(plain(path))?.bytes;
  }

  remove(path) {
    return this.contents.delete(plain(path));
  }

  // Paths of all files in a folder and in its folders.
  list(folder = '') {
    const begin = plain(folder) && plain(folder) + '/';
    return [...this.contents.keys()].filter(path => path.startsWith(begin)).sort();
  }

  // Paths of all files that the module has made or changed.
  written() {
    return this.list().filter(path => this.contents.get(path).isOwn);
  }

  // ---- for the module

  kindOf(path) {
    return this.contents.has(path) ? KIND.file : this.folders.has(path) ? KIND.folder : 0;
  }

  numberOf(path) {
    if (!this.numbers.has(path))
      this.numbers.set(path, this.numbers.size + 1);
    return this.numbers.get(path);
  }

  // Names in a folder, each with its kind.
  names(folder) {
    const begin = folder && folder + '/', found = new Map();
    for (const path of [...this.folders, ...this.contents.keys()])
      if (path !== folder && path.startsWith(begin)) {
        const name = path.slice(begin.length).split('/')[0];
        found.set(name, this.kindOf(begin + name));
      }
    return [...found];
  }

  // Opens a path, and returns what stands for it until it is closed, or the number of an error.
  openPath(path, flags, append) {
    const kind = this.kindOf(path);
    if (kind === KIND.folder)
      return flags & OPEN.create ? ERRNO.ISDIR : { path, isFolder: true };
    if (flags & OPEN.folder)
      return kind ? ERRNO.NOTDIR : ERRNO.NOENT;
    if (kind && flags & OPEN.create && flags & OPEN.anew)
      return ERRNO.EXIST;
    if (!kind && (!(flags & OPEN.create) || !this.folders.has(folderOf(path))))
      return ERRNO.NOENT;
    if (!kind)
      this.contents.set(path, new Content());
    if (flags & OPEN.empty)
      this.contents.get(path).resize(0);
    return { path, content: this.contents.get(path), at: 0, append };
  }

  // Of files, not of folders.
  rename(from, to) {
    if (this.kindOf(from) !== KIND.file || !this.folders.has(folderOf(to)))
      return ERRNO.NOENT;
    if (this.folders.has(to))
      return ERRNO.ISDIR;
    if (from === to)
      return ERRNO.SUCCESS;
    this.contents.set(to, this.contents.get(from));
    this.contents.delete(from);
    return ERRNO.SUCCESS;
  }

  // The functions that a module imports of a file system. memory() is the module's, which grows.
  calls(memory, say = () => {}) {
    const { open } = this;
    const view = () => new DataView(memory().buffer);
    const bytes = (at, size) => new Uint8Array(memory().buffer, at >>> 0, size);
    const pathOf = (folder, at, size) => below(open.get(folder)?.path ?? '', decoder.decode(bytes(at, size).slice()));
    const setSize = (at, value) => (view().setUint32(at >>> 0, value, true), ERRNO.SUCCESS);
    const setStat = (at, path, kind, size) => {
      const v = view(), to = at >>> 0;
      bytes(to, 64).fill(0);
      v.setBigUint64(to, 1n, true);
      v.setBigUint64(to + 8, BigInt(this.numberOf(path)), true);
      v.setUint8(to + 16, kind);
      v.setBigUint64(to + 24, 1n, true);
      v.setBigUint64(to + 32, BigInt(size), true);
      return ERRNO.SUCCESS;
    };
    // The parts of memory that a vector of { address, size } names.
    const parts = (at, n) => Array.from({ length: n }, (_, i) =>
      bytes(view().getUint32((at >>> 0) + 8 * i, true), view().getUint32((at >>> 0) + 8 * i + 4, true)));
    const opened = (file, use) => open.has(file) ? use(open.get(file)) : ERRNO.BADF;
    const onFile = (file, use) => opened(file, f => f.isFolder ? ERRNO.ISDIR : use(f));
    const read = (f, to, n, from) => {
      let sum = 0;
      for (const part of parts(to, n)) {
        const some = f.content.bytes.subarray(from + sum, from + sum + part.length);
        part.set(some);
        sum += some.length;
      }
      return sum;
    };
    return {
      fd_prestat_get: (file, at) => file === ROOT ? (setSize(at, 0), setSize((at >>> 0) + 4, 1)) : ERRNO.BADF,
      fd_prestat_dir_name: (file, at) => file === ROOT ? (bytes(at, 1).set(encoder.encode('/')), ERRNO.SUCCESS) : ERRNO.BADF,
      fd_fdstat_get: (file, at) => {
        if (file >= ROOT && !open.has(file))
          return ERRNO.BADF;
        const v = view(), to = at >>> 0, f = open.get(file);
        bytes(to, 24).fill(0);
        v.setUint8(to, !f ? KIND.device : f.isFolder ? KIND.folder : KIND.file);
        v.setUint16(to + 2, f?.append ? APPEND : 0, true);
        v.setBigUint64(to + 8, ALL_RIGHTS, true);
        v.setBigUint64(to + 16, ALL_RIGHTS, true);
        return ERRNO.SUCCESS;
      },
      fd_fdstat_set_flags: (file, flags) => opened(file, f => ((f.append = (flags & APPEND) !== 0), ERRNO.SUCCESS)),
      fd_filestat_get: (file, at) => file < ROOT ? setStat(at, '', KIND.device, 0)
        : opened(file, f => setStat(at, f.path, f.isFolder ? KIND.folder : KIND.file, f.content?.size ?? 0)),
      fd_filestat_set_size: (file, size) => onFile(file, f => (f.content.resize(Number(size)), ERRNO.SUCCESS)),
      fd_read: (file, to, n, count) => file < ROOT ? setSize(count, 0) : onFile(file, f => {
        const sum = read(f, to, n, f.at);
        f.at += sum;
        return setSize(count, sum);
      }),
      fd_pread: (file, to, n, from, count) => onFile(file, f => setSize(count, read(f, to, n, Number(from)))),
      fd_write: (file, from, n, count) => {
        const put = file < ROOT ? bytes => say(file, bytes) : bytes => {
          const f = open.get(file);
          f.at = f.append ? f.content.size : f.at;
          f.content.write(f.at, bytes);
          f.at += bytes.length;
        };
        if (file >= ROOT && !open.get(file)?.content)
          return ERRNO.BADF;
        let sum = 0;
        for (const part of parts(from, n)) {
          put(part);
          sum += part.length;
        }
        return setSize(count, sum);
      },
      fd_seek: (file, offset, whence, at) => onFile(file, f => {
        const to = Number(offset) + [0, f.at, f.content.size][whence];
        if (!(to >= 0))
          return ERRNO.INVAL;
        f.at = to;
        view().setBigUint64(at >>> 0, BigInt(to), true);
        return ERRNO.SUCCESS;
      }),
      fd_tell: (file, at) => onFile(file, f => (view().setBigUint64(at >>> 0, BigInt(f.at), true), ERRNO.SUCCESS)),
      fd_sync: () => ERRNO.SUCCESS,
      fd_close: file => file > ROOT && open.delete(file) ? ERRNO.SUCCESS : ERRNO.BADF,
      fd_readdir: (file, to, size, cookie, count) => opened(file, f => {
        let used = 0;
        const names = [['.', KIND.folder], ['..', KIND.folder], ...this.names(f.path)];
        for (let i = Number(cookie); i < names.length && used < size; i++) {
          const [name, kind] = names[i], text = encoder.encode(name), entry = new Uint8Array(24 + text.length);
          const v = new DataView(entry.buffer);
          v.setBigUint64(0, BigInt(i + 1), true);
          v.setBigUint64(8, BigInt(this.numberOf(below(f.path, name))), true);
          v.setUint32(16, text.length, true);
          v.setUint8(20, kind);
          entry.set(text, 24);
          const some = entry.subarray(0, size - used);
          bytes((to >>> 0) + used, some.length).set(some);
          used += some.length;
        }
        return setSize(count, used);
      }),
      path_open: (folder, lookup, path, size, flags, rights, inheriting, how, at) => {
        const found = this.openPath(pathOf(folder, path, size), flags, (how & APPEND) !== 0);
        if (typeof found === 'number')
          return found;
        let file = ROOT + 1;
        while (open.has(file))
          file++;
        open.set(file, found);
        return setSize(at, file);
      },
      path_filestat_get: (folder, lookup, path, size, at) => {
        const name = pathOf(folder, path, size), kind = this.kindOf(name);
        return kind ? setStat(at, name, kind, this.contents.get(name)?.size ?? 0) : ERRNO.NOENT;
      },
      path_readlink: (folder, path, size) => this.kindOf(pathOf(folder, path, size)) ? ERRNO.INVAL : ERRNO.NOENT,
      path_create_directory: (folder, path, size) => {
        const name = pathOf(folder, path, size);
        if (this.kindOf(name))
          return ERRNO.EXIST;
        this.folders.add(name);
        return ERRNO.SUCCESS;
      },
      path_remove_directory: (folder, path, size) => {
        const name = pathOf(folder, path, size);
        if (this.kindOf(name) !== KIND.folder)
          return this.kindOf(name) ? ERRNO.NOTDIR : ERRNO.NOENT;
        if (this.names(name).length)
          return ERRNO.NOTEMPTY;
        this.folders.delete(name);
        return ERRNO.SUCCESS;
      },
      path_unlink_file: (folder, path, size) => {
        const name = pathOf(folder, path, size);
        return this.contents.delete(name) ? ERRNO.SUCCESS : this.folders.has(name) ? ERRNO.ISDIR : ERRNO.NOENT;
      },
      path_rename: (folder, from, size, other, to, toSize) => this.rename(pathOf(folder, from, size), pathOf(other, to, toSize)),
      path_link: () => ERRNO.NOSYS,
      path_symlink: () => ERRNO.NOSYS,
      path_filestat_set_times: () => ERRNO.SUCCESS,
      fd_filestat_set_times: () => ERRNO.SUCCESS,
    };
  }
}

// worker.js - runs one command after another, each in a program and a file system of its own.
'use strict';

let module;

// A call: { words, files: {path: bytes}, read: [path] }, or { program } once at first. Paths of read that end with '/' are
// folders, whose files are all read.
async function run({words, files, read}) {
  const said = {out: '', err: ''};
  const program = await createOcellus({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then(instance => done(instance, module));
      return {};
    },
    quit(code, exit) { throw exit; },
    print: text => { said.out += text + '\n'; },
    printErr: text => { said.err += text + '\n'; },
  });
  for (const [path, bytes] of Object.entries(files))
    program.FS.writeFile(path, bytes);
  let code;
  try {
    code = program.callMain(words);
  } catch (error) { // how the program's exit ends a call
    if (error.name !== 'ExitStatus')
      throw error;
    code = error.status;
  }
  const found = {};
  for (const path of read)
    for (const file of path.endsWith('/') ? list(program.FS, path) : [path])
      if (program.FS.analyzePath(file).exists)
        found[file] = program.FS.readFile(file);
  return {code, ...said, files: found};
}

function list(FS, folder) {
  if (!FS.analyzePath(folder).exists)
    return [];
  return FS.readdir(folder).filter(name => name !== '.' && name !== '..').map(name => folder + name);
}

onmessage = async ({data}) => {
  if (data.program) {
    module = data.program;
    return;
  }
  try {
    postMessage({id: data.id, result: await run(data)});
  } catch (error) {
    postMessage({id: data.id, failure: String(error)});
  }
};

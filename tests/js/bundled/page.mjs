// SPDX-License-Identifier: Apache-2.0
// page.mjs - runs what a bundler has made of app.mjs in a page (tests/web/served.mjs): the job has the bundle's address, and whether it is
// a module.
export async function answer({ bundle, isModule }) {
  const warnings = [];
  console.warn = text => warnings.push(text);
  await new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: bundle, onload: resolve,
      onerror: () => reject(new Error(`${bundle} cannot be loaded`)) });
    if (isModule)
      script.type = 'module';
    document.body.append(script);
  });
  return { ...await globalThis.answer(), warnings };
}

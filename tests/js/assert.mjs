// SPDX-License-Identifier: Apache-2.0
// assert.mjs - what the tests take of Node's assert, for pages.

class AssertionError extends Error {}

function fail(message) {
  throw new AssertionError(message);
}

const show = value => JSON.stringify(value, (_, v) => typeof v === 'bigint' ? `${v}n` : v);

function matches(error, expected) {
  if (expected instanceof RegExp ? !expected.test(String(error)) : !expected(error))
    fail(`another error than expected: ${error.stack ?? error}`);
}

const assert = {
  ok: (value, message) => value || fail(message ?? `${show(value)} is not true`),
  equal: (got, wanted, message) => Object.is(got, wanted) || fail(message ?? `${show(got)}, expected ${show(wanted)}`),
  deepEqual: (got, wanted, message) => show(got) === show(wanted) || fail(message ?? `${show(got)}, expected ${show(wanted)}`),
  throws(call, expected) {
    try {
      call();
    } catch (error) {
      return matches(error, expected);
    }
    return fail('nothing was thrown');
  },
  async rejects(promise, expected) {
    try {
      await promise;
    } catch (error) {
      return matches(error, expected);
    }
    return fail('nothing was thrown');
  },
};

export default assert;

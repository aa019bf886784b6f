/** Names what failed, from the reports that Vitest and Playwright write as JSON: one line per failure. */
import path from 'node:path';
import { root } from './bootstrap.mjs';

/**
 * @typedef {object} VitestFile
 * @property {string} name the file's absolute path
 * @property {string} status
 * @property {string} [message] why the file could not be loaded
 * @property {readonly { status: string, fullName: string, failureMessages?: readonly string[] }[]} assertionResults
 */

/**
 * Names the tests that failed, and the files that could not be loaded, from Vitest's report.
 * @param {readonly VitestFile[]} files
 * @returns {string[]}
 */
export function vitestFailures(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${file}: ${firstLine(message)}`];
    return failed.map(({ fullName, failureMessages }) => `${file} › ${fullName}: ${firstLine(failureMessages?.[0])}`);
  });
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {readonly PlaywrightSpec[]} [specs]
 * @property {readonly PlaywrightSuite[]} [suites]
 *
 * @typedef {object} PlaywrightSpec
 * @property {string} file
 * @property {string} title
 * @property {readonly { status: string, results: readonly { error?: { message?: string } }[] }[]} tests
 */

/**
 * Names the journeys that failed, from Playwright's report.
 * @param {readonly PlaywrightSuite[]} suites
 * @returns {string[]} including those that passed at the second attempt
 */
export function playwrightFailures(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) => `${file} › ${title}: ${firstLine(results.find(({ error }) => error)?.error?.message)}`),
    ),
    ...playwrightFailures(inner),
  ]);
}

/**
 * The last lines of a program's output, without empty ones at its end.
 * @param {string} text
 * @param {number} count
 */
export function lastLines(text, count) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

/** @param {string} [text] */
function firstLine(text = '') {
  return text.split('\n', 1)[0];
}

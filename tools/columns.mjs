/**
 * Checks that no line of a script, a style sheet or SQL is longer than 120 characters. The formatter breaks code, but
 * not comments or SQL. These may be longer:
 * - a line with an address or a text at its 121st character: a string, a template, a regular expression, a text of JSX,
 *   a `url()` of a style sheet, a quoted name of SQL;
 * - any other line of a script that contains such a text, as the formatter leaves it, unless a comment begins before
 *   its 121st character;
 * - a statement of a migration, which is generated, but not a comment there. Other files, such as JSON and Markdown,
 *   are not checked.
 *
 * Prints each line that is too long; exits with 1 if there is any. `columns.mjs FOLDER` checks another work tree of Git
 * instead of this one.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { repositoryFiles } from './repository/files.mjs';

await bootstrap(import.meta.url);

// Imported only here, because `bootstrap` installs the packages.
const { parse } = await import('@swc/core');

const COLUMNS = 120;
const tree = process.argv[2] ?? root;
const CHECKED = /\.(?:tsx?|m?js|css|sql)$/;
const SCRIPT = /\.(?:tsx?|m?js)$/;
const MIGRATION = /(?:^|\/)migrations\//;

const ADDRESS = /\bhttps?:\/\/\S+/g;
/** Strings and quoted names, and comments in a group: none begins inside another. */
const TEXTS = {
  css: /(\/\*[^]*?\*\/)|"[^"]*"|'[^']*'|url\([^)]*\)/g,
  sql: /(--(?!> statement-breakpoint).*|\/\*[^]*?\*\/)|'[^']*'|"[^"]*"/g,
};

/**
 * The range of a piece of text: the offsets of its first character and of the one after its last.
 * @typedef {[from: number, to: number]} Range
 */

/**
 * @param {string} source
 * @param {RegExp} expression
 * @returns {{ strings: Range[], comments: Range[] }} what its group matches are the comments
 */
function textsIn(source, expression) {
  /** @type {{ strings: Range[], comments: Range[] }} */
  const texts = { strings: [], comments: [] };
  for (const { 0: text, 1: comment, index } of source.matchAll(expression))
    texts[comment === undefined ? 'strings' : 'comments'].push([index, index + text.length]);
  return texts;
}

/**
 * Strings, templates, regular expressions and texts of JSX, found by the parser.
 * @param {string} source
 * @param {string} file
 * @returns {Promise<Range[]>}
 */
async function literalsIn(source, file) {
  const module = await parse(source, { syntax: 'typescript', tsx: !file.endsWith('.ts'), target: 'esnext' });
  const bytes = Buffer.from(source);
  /** @param {number} at a byte, counted from 1 */
  const characterAt = (at) => bytes.toString('utf8', 0, at - 1).length;
  /** @type {Range[]} */
  const ranges = [];
  /** @param {unknown} node */
  const look = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(look);
      return;
    }
    const { type, span } = /** @type {{ type?: string, span?: { start: number, end: number } }} */ (node);
    if (span && /^(?:StringLiteral|TemplateElement|RegExpLiteral|JSXText)$/.test(type ?? ''))
      ranges.push([characterAt(span.start), characterAt(span.end)]);
    Object.values(node).forEach(look);
  };
  look(module);
  return ranges;
}

/** @type {string[]} */
const violations = [];
let checked = 0;
for (const file of repositoryFiles(tree)) {
  if (!CHECKED.test(file)) continue;
  checked += 1;
  violations.push(...(await tooLong(file)));
}

/** @param {string} file @returns {Promise<string[]>} */
async function tooLong(file) {
  const source = await readFile(path.join(tree, file), 'utf8');
  const lines = source.split('\n');
  if (lines.every((line) => line.length <= COLUMNS)) return [];
  const { strings, comments } = SCRIPT.test(file)
    ? { strings: await literalsIn(source, file), comments: [] }
    : textsIn(source, TEXTS[file.endsWith('.sql') ? 'sql' : 'css']);
  const addresses = textsIn(source, ADDRESS).strings;
  /** @param {readonly Range[]} ranges @param {number} at */
  const within = (ranges, at) => ranges.some(([from, to]) => from <= at && at < to);
  let begin = 0;
  return lines.flatMap((line, index) => {
    const start = begin;
    begin += line.length + 1;
    const letters = [...line];
    // An offset counts a character beyond the first 65,536 of Unicode, such as an emoji, twice.
    const fitting = letters.slice(0, COLUMNS).join('').length;
    const beyond = start + fitting;
    if (letters.length <= COLUMNS || within(addresses, beyond)) return [];
    const told = [`${file}:${index + 1}: ${letters.length} columns`];
    if (!SCRIPT.test(file)) {
      const inComment = within(comments, beyond);
      if (MIGRATION.test(file) && !inComment) return [];
      return within(strings, beyond) ? [] : told;
    }
    const texts = strings.filter(([from, to]) => from < start + line.length && to > start);
    if (within(texts, beyond)) return [];
    // The formatter leaves code with a long text too long; a comment after it can be on the line before.
    const code = line.replaceAll(/[^]/g, (unit, column) => (within(texts, start + column) ? '_' : unit));
    return texts.length > 0 && !/\/\/|\/\*|^\s*\*/.test(code.slice(0, fitting)) ? [] : told;
  });
}

if (checked === 0) violations.push('No file was found, so none was checked.');
for (const violation of violations) console.log(violation);
console.log(`${checked} files, ${violations.length} lines of more than ${COLUMNS} columns`);
process.exitCode = violations.length > 0 ? 1 : 0;
